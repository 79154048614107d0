// Reads and writes the calendar URL: view and day or a quick choice, filters, and the open event.
import {
  type CalendarLink,
  cutSearchText,
  MAX_Q,
  readCalendarLink,
  WHATS_ON,
  type WhatsOn,
} from '../../../src/contract/calendar-link.ts'
import { MAX_TEXT_CHARS } from '../../../src/domain/calendar/fields.ts'
import { MAX_SOUGHT_CATEGORIES } from '../../../src/domain/categories/category.ts'
import type { Day } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import { type CalendarItem, isMasked, occurrenceOf } from '../../calendar/item.ts'
import type { SearchDirection } from './search-dates.ts'

export interface ShownCalendar extends CalendarLink {
  /** A list of these days, whatever the view and the day are. */
  when: WhatsOn | undefined
  categories: readonly string[]
  q: string
  /** Direction of a search; without a text, everything of the categories is found. */
  found: SearchDirection | undefined
  /** The open event, and `at` its occurrence key. */
  event: string
  at: string
}

const DIRECTIONS: readonly SearchDirection[] = ['ahead', 'past']

/** An invalid date or view sets `isOdd`, and the rest still applies; texts are cut to the API’s limits. */
export function readShown(query: URLSearchParams, today: Day): ShownCalendar & { isOdd: boolean } {
  const text = (name: string): string => query.get(name) ?? ''
  const categories = query.getAll('category').map((name) => cutSearchText(name, MAX_TEXT_CHARS.category))
  const link = readCalendarLink({ view: query.get('view') ?? undefined, date: query.get('date') ?? undefined }, today)
  const when = WHATS_ON.find((choice) => choice === query.get('when'))
  return {
    ...(link ?? { view: undefined, day: undefined }),
    when,
    categories: [...new Set(categories.filter(Boolean))].slice(0, MAX_SOUGHT_CATEGORIES),
    q: cutSearchText(text('q'), MAX_Q),
    found: DIRECTIONS.find((direction) => direction === query.get('found')),
    event: text('event'),
    at: text('at'),
    isOdd: !link || (query.has('when') && !when),
  }
}

export function addressOf({ view, day, when, categories, q, found, event, at }: ShownCalendar): string {
  const date = day === undefined ? undefined : formatDate(day)
  const given = Object.entries({ view, date, when, category: categories, q, found, event, at })
  const pairs = given.flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one] as [string, string]))
  const query = new URLSearchParams(pairs.filter(([, value]) => value)).toString()
  return query ? `/?${query}` : '/'
}

/** A masked event has no occurrence key; its public start time identifies it. */
export const linkTargetOf = (item: CalendarItem): { event: string; at: string } => ({
  event: item.id,
  at: isMasked(item) ? timeOf(item) : (occurrenceOf(item) ?? ''),
})

const timeOf = ({ all_day, start, start_date }: CalendarItem): string =>
  (all_day ? start_date! : new Date(start).toISOString().replace(/\.\d+/, '')).replace(/[-:]/g, '')
