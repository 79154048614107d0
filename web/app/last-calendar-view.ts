// Remembers the calendar view last shown in this tab, to return to it after editing an event.
import { periodOf } from '../../src/contract/calendar-link.ts'
import { type Day, dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { View } from '../../src/domain/time/window.ts'
import { weekStartIn } from '../site.ts'
import { createStore } from '../ui/store.ts'
import { languageInUse } from '../words/load.ts'
import { draftsOf } from './drafts.ts'

interface CalendarPlace {
  view: View
  day: Day
  /** Includes the filters. */
  address: string
}

const kept = draftsOf<CalendarPlace>('anyone', 'calendar')

export const rememberCalendar = (place: CalendarPlace): void => kept.keep(place)

/** The last address, filters included; for leaving a form without a change. */
export const lastCalendar = (): string => kept.find()?.address ?? '/'

/**
 * The address that shows an event starting on this date; `goesOn` if it may have later dates. Keeps the view, and the
 * day too if the event is visible there. Drops the filters, which might hide the event.
 */
export function calendarShowing(date: string, goesOn: boolean): string {
  const last = kept.find()
  if (!last) return `/?date=${date}`
  const [from, to] = periodOf(last.view, last.day, weekStartIn(languageInUse()))
  const begins = dayOf(Date.parse(date))
  const isSeen = begins < to && (goesOn || begins >= from)
  return `/?view=${last.view}&date=${isSeen ? formatDate(last.day) : date}`
}

/** Counts changes; a calendar on the page reloads when it increases. */
export const calendarChanges = createStore(0)

/** Reloads the calendar after a change made elsewhere, such as Undo in a toast. */
export const showChanges = (): void => calendarChanges.set(calendarChanges.get() + 1)
