// The address of what is shown: view, day, filters and the open event. What it says is what a reload shows.
import { type CalendarLink, readCalendarLink } from '../../../src/contract/calendar-link.ts'
import { LONGEST } from '../../../src/domain/calendar/fields.ts'
import { stripControlCharacters } from '../../../src/domain/calendar/words.ts'
import type { Day } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import { type CalendarItem, isMasked, occurrenceOf } from '../../calendar/item.ts'

export interface ShownCalendar extends CalendarLink {
  category: string
  q: string
  /** The open event, and which one of its series. */
  event: string
  at: string
}

/** As long as the API takes them. */
export const MAX_Q = 100

/** Where the date or the view makes no sense, the rest still counts; of words as much as can be looked for. */
export function readShown(query: URLSearchParams, today: Day): ShownCalendar & { isOdd: boolean } {
  const text = (name: string): string => query.get(name) ?? ''
  const sought = (name: string, longest: number): string =>
    [...stripControlCharacters(text(name), ' ')].slice(0, longest).join('').trim()
  const link = readCalendarLink({ view: query.get('view') ?? undefined, date: query.get('date') ?? undefined }, today)
  return {
    ...(link ?? { view: undefined, day: undefined }),
    category: sought('category', LONGEST.category),
    q: sought('q', MAX_Q),
    event: text('event'),
    at: text('at'),
    isOdd: !link,
  }
}

export function addressOf({ view, day, category, q, event, at }: ShownCalendar): string {
  const date = day === undefined ? undefined : formatDate(day)
  const given = Object.entries({ view, date, category, q, event, at }).filter(([, value]) => value)
  const query = new URLSearchParams(given as [string, string][]).toString()
  return query ? `/?${query}` : '/'
}

/** A private event tells no key, but its time is there for all to see, and finds it again. */
export const placeOf = (item: CalendarItem): { event: string; at: string } => ({
  event: item.id,
  at: isMasked(item) ? timeOf(item) : (occurrenceOf(item) ?? ''),
})

const timeOf = ({ all_day, start, start_date }: CalendarItem): string =>
  (all_day ? start_date! : new Date(start).toISOString().replace(/\.\d+/, '')).replace(/[-:]/g, '')
