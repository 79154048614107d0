// Parses the query of a list request: its window, page and filters.
import type { ListRequest } from '../../actions/events/list-events.ts'
import type { Config } from '../../config.ts'
import type { ListQueryValues } from '../../contract/event-queries.ts'
import { MAX_SOUGHT_WORDS, wordsOf } from '../../domain/calendar/words.ts'
import { cleanText } from '../../domain/plain-text.ts'
import { dayOf, type Instant } from '../../domain/time/instant.ts'
import { parseTimeText, type TimeText } from '../../domain/time/text.ts'
import { type Range, resolveWindow, startInstantOf } from '../../domain/time/window.ts'
import { findZone, requireZone, startOfDay, toWall, type Zone } from '../../domain/time/zone.ts'
import { fail, failField } from '../../errors.ts'

const DEFAULT_PER_PAGE = 50

export function readListQuery(query: ListQueryValues, config: Config, now: Instant): ListRequest {
  const zone = parseZoneParameter(query.timezone, config)
  const range = readWindow(query, zone, config, now)
  const isPaged = query.page !== undefined || query.per_page !== undefined || isOpenList(query)
  return {
    range,
    zone,
    filters: { words: readWords(query.q), category: parseSearchText('category', query.category) },
    page: isPaged ? { page: query.page ?? 1, perPage: query.per_page ?? DEFAULT_PER_PAGE } : undefined,
    expand: query.expand ?? true,
  }
}

/** A day, week, month or year, or a window with both ends, is returned whole; any open window in pages. */
const isOpenList = ({ from, to, view }: ListQueryValues): boolean =>
  (from === undefined || to === undefined) && (view === undefined || view === 'list')

/** Empty text means no filter; text without a letter or digit contains no word and finds nothing. */
function readWords(text: string | undefined): string[] | undefined {
  const cleaned = parseSearchText('q', text)
  return cleaned ? wordsOf(cleaned).slice(0, MAX_SOUGHT_WORDS) : undefined
}

/**
 * Empty text means no filter. Event texts hold no control characters, and one of the databases cannot search for them.
 */
export const parseSearchText = (parameter: 'q' | 'category', text: string | undefined): string | undefined =>
  (text === undefined ? undefined : (cleanText(text) ?? fail('invalid_parameter', { parameter }))) || undefined

export const parseZoneParameter = (name: string | undefined, config: Config): Zone =>
  name === undefined ? requireZone(config.timezone) : (findZone(name) ?? failField('timezone', 'timezone_unknown'))

function readWindow(
  query: Pick<ListQueryValues, 'from' | 'to' | 'view'>,
  zone: Zone,
  config: Config,
  now: Instant,
): Range | undefined {
  const from = readTime('from', query.from)
  const to = readTime('to', query.to)
  const window = resolveWindow({ from, to, view: query.view, zone, weekStart: config.weekStart, now })
  if (window && 'code' in window) failField(window.field, window.code)
  return window
}

/** An unescaped plus sign arrives as a space; it can stand only in front of the offset. */
function readTime(parameter: 'from' | 'to', text: string | undefined): TimeText | undefined {
  if (text === undefined) return undefined
  return parseTimeText(text.trim().replace(/ (?=\d\d:?\d\d$)/, '+')) ?? fail('invalid_parameter', { parameter })
}

/** First instant of that day in the calendar's time zone. */
export function readStartDay(text: string | undefined, config: Config): Instant | undefined {
  const time = readTime('from', text)
  if (!time) return undefined
  const zone = requireZone(config.timezone)
  return startOfDay(zone, dayOf(toWall(zone, startInstantOf(time, zone))))
}

/** A window relative to today changes at midnight; one with explicit dates does not. */
export function untilOf({ from, to, view }: ListQueryValues, zone: Zone, now: Instant): Instant | undefined {
  const isAboutToday = view !== undefined && from === undefined && to === undefined
  return isAboutToday ? startOfDay(zone, dayOf(toWall(zone, now)) + 1) : undefined
}
