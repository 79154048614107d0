// Where on the calendar somebody was last, so that they come back there from the form of an event, also after a reload.
import { periodOf } from '../../src/contract/calendar-link.ts'
import { type Day, dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { View } from '../../src/domain/time/window.ts'
import { site } from '../site.ts'
import { createStore } from '../ui/store.ts'
import { draftsOf } from './drafts.ts'

interface CalendarPlace {
  view: View
  day: Day
  /** With the filters. */
  address: string
}

const kept = draftsOf<CalendarPlace>('anyone', 'calendar')

export const rememberCalendar = (place: CalendarPlace): void => kept.keep(place)

/** As it was, where nothing was changed. */
export const lastCalendar = (): string => kept.find()?.address ?? '/'

/**
 * Where an event is to be seen that begins on this date and may go on: in the same view, and on the same day where it
 * can be seen there. Filters are left behind, which might hide it.
 */
export function calendarShowing(date: string, goesOn: boolean): string {
  const last = kept.find()
  if (!last) return `/?date=${date}`
  const [from, to] = periodOf(last.view, last.day, site.week_start)
  const begins = dayOf(Date.parse(date))
  const isSeen = begins < to && (goesOn || begins >= from)
  return `/?view=${last.view}&date=${isSeen ? formatDate(last.day) : date}`
}

/** A calendar that is shown is read anew when these go on. */
export const calendarChanges = createStore(0)

/** What was done beside the calendar, such as taking something back, is seen on it. */
export const showChanges = (): void => calendarChanges.set(calendarChanges.get() + 1)
