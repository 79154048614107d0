// Reads and writes the calendar URL: view and day or a quick choice, filters, and the open event.
import { type CalendarLink, readCalendarLink, WHATS_ON, type WhatsOn } from '../../../src/contract/calendar-link.ts'
import { MAX_TEXT_CHARS } from '../../../src/domain/calendar/fields.ts'
import { stripControlCharacters } from '../../../src/domain/plain-text.ts'
import type { Day } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import { type CalendarItem, isMasked, occurrenceOf } from '../../calendar/item.ts'
import type { SearchDirection } from './search-dates.ts'

export interface ShownCalendar extends CalendarLink {
  /** A list of these days, whatever the view and the day are. */
  when: WhatsOn | undefined
  category: string
  q: string
  /** Direction of a search; without a text, everything of the category is found. */
  found: SearchDirection | undefined
  /** The open event, and `at` its occurrence key. */
  event: string
  at: string
}

const DIRECTIONS: readonly SearchDirection[] = ['ahead', 'past']

/** The API’s limit for a search text. */
export const MAX_Q = 100

/** An invalid date or view sets `isOdd`, and the rest still applies; texts are cut to the API’s limits. */
export function readShown(query: URLSearchParams, today: Day): ShownCalendar & { isOdd: boolean } {
  const text = (name: string): string => query.get(name) ?? ''
  const sought = (name: string, longest: number): string =>
    [...stripControlCharacters(text(name), ' ')].slice(0, longest).join('').trim()
  const link = readCalendarLink({ view: query.get('view') ?? undefined, date: query.get('date') ?? undefined }, today)
  const when = WHATS_ON.find((choice) => choice === query.get('when'))
  return {
    ...(link ?? { view: undefined, day: undefined }),
    when,
    category: sought('category', MAX_TEXT_CHARS.category),
    q: sought('q', MAX_Q),
    found: DIRECTIONS.find((direction) => direction === query.get('found')),
    event: text('event'),
    at: text('at'),
    isOdd: !link || (query.has('when') && !when),
  }
}

export function addressOf({ view, day, when, category, q, found, event, at }: ShownCalendar): string {
  const date = day === undefined ? undefined : formatDate(day)
  const given = Object.entries({ view, date, when, category, q, found, event, at }).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  return query ? `/?${query}` : '/'
}

/** A masked event has no occurrence key; its public start time identifies it. */
export const linkTargetOf = (item: CalendarItem): { event: string; at: string } => ({
  event: item.id,
  at: isMasked(item) ? timeOf(item) : (occurrenceOf(item) ?? ''),
})

const timeOf = ({ all_day, start, start_date }: CalendarItem): string =>
  (all_day ? start_date! : new Date(start).toISOString().replace(/\.\d+/, '')).replace(/[-:]/g, '')
