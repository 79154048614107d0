// Where on the calendar somebody was last, so that they come back there from the form of an event.
import { periodOf } from '../../src/contract/calendar-link.ts'
import { type Day, dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { View } from '../../src/domain/time/window.ts'
import { site } from './site.ts'

interface CalendarPlace {
  view: View
  day: Day
  /** With the filters. */
  address: string
}

let last: CalendarPlace | undefined

export function rememberCalendar(place: CalendarPlace): void {
  last = place
}

/** As it was, where nothing was changed. */
export const lastCalendar = (): string => last?.address ?? '/'

/**
 * Where an event is to be seen that begins on this date and may go on: in the same view, and on the same day where it
 * can be seen there. Filters are left behind, which might hide it.
 */
export function calendarShowing(date: string, goesOn: boolean): string {
  if (!last) return `/?date=${date}`
  const [from, to] = periodOf(last.view, last.day, site.week_start)
  const begins = dayOf(Date.parse(date))
  const isSeen = begins < to && (goesOn || begins >= from)
  return `/?view=${last.view}&date=${isSeen ? formatDate(last.day) : date}`
}
