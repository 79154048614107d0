// Parses the query of a list request: its window, page and filters.
import type { ListRequest } from '../../actions/lists/list-request.ts'
import type { Config } from '../../config.ts'
import type { ListQueryValues } from '../../contract/event-queries.ts'
import { LIST_FIELDS } from '../../contract/event-responses.ts'
import { isByChange } from '../../domain/calendar/list-order.ts'
import { MAX_SOUGHT_WORDS, wordsOf } from '../../domain/calendar/words.ts'
import { MAX_SOUGHT_CATEGORIES } from '../../domain/categories/category.ts'
import { cleanText } from '../../domain/plain-text.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import { dayOf, type Instant } from '../../domain/time/instant.ts'
import { parseTimeText, type TimeText } from '../../domain/time/text.ts'
import { weekStartName } from '../../domain/time/weekdays.ts'
import { type Range, resolveWindow, startInstantOf } from '../../domain/time/window.ts'
import { findZone, requireZone, startOfDay, toWall, type Zone } from '../../domain/time/zone.ts'
import { fail, failField } from '../../errors.ts'
import { nearestOf } from '../../http/guard/unknown-parameters.ts'

const DEFAULT_PER_PAGE = 50

/** `sight` is that of the reader: some of what full readers may ask for does not exist for others. */
export function readListQuery(query: ListQueryValues, config: Config, now: Instant, sight: Sight): ListRequest {
  const zone = parseZoneParameter(query.timezone, config)
  const range = readWindow(query, zone, config, now)
  const { uid, status, visibility, sort: order = 'start', expand = true } = query
  // PostgreSQL cannot compare with it, and no UID contains it.
  if (sight === 'full' && uid?.includes('\0')) fail('invalid_parameter', { parameter: 'uid' })
  if (isByChange(order) && (sight === 'public' || (range && expand))) failField('sort', 'not_allowed')
  const isPaged = query.page !== undefined || query.per_page !== undefined || isOpenList(query)
  return {
    range,
    zone,
    filters: {
      words: readWords(query.q),
      categories: parseCategories(query.category),
      ...(sight === 'full' ? { uid, status, visibility } : {}),
    },
    page: isPaged ? { page: query.page ?? 1, perPage: query.per_page ?? DEFAULT_PER_PAGE } : undefined,
    expand,
    order,
  }
}

/** The fields that each entry has; undefined for all. A misspelt name would leave out what the client needs. */
export function readFields(text: string | undefined, sight: Sight): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined
  const names = text.split(',').map((name) => name.trim())
  const allowed = LIST_FIELDS[sight]
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown === undefined) return new Set(['id', ...names])
  const isName = /^[\w-]{1,40}$/.test(unknown)
  const named = isName ? { value: unknown, nearest: nearestOf(unknown, allowed) } : {}
  return fail('invalid_parameter', { parameter: 'fields', ...named, allowed })
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
const parseSearchText = (parameter: 'q' | 'category', text: string | undefined): string | undefined =>
  (text === undefined ? undefined : (cleanText(text) ?? fail('invalid_parameter', { parameter }))) || undefined

/** Each once; undefined for no filter. */
export function parseCategories(given: string | readonly string[] | undefined): string[] | undefined {
  const names = [given ?? []].flat().flatMap((name) => parseSearchText('category', name) ?? [])
  if (names.length > MAX_SOUGHT_CATEGORIES) failField('category', 'too_long')
  return names.length > 0 ? [...new Set(names)] : undefined
}

export const parseZoneParameter = (name: string | undefined, config: Config): Zone =>
  name === undefined ? requireZone(config.timezone) : (findZone(name) ?? failField('timezone', 'timezone_unknown'))

export function readWindow(
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

/** What a list of a week says of the setting; undefined for other lists. */
export const shownWeekStart = (view: string | undefined, config: Config): string | undefined =>
  view === 'week' ? weekStartName(config.weekStart, config.isWeekStartByLanguage) : undefined

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
