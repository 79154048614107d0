// Groups events by day and finds the hours to show. API times are already in the viewer’s zone.
import { formatDate } from '../../src/domain/time/text.ts'
import { daysOf } from '../../src/words/calendar-times.ts'
import type { CalendarItem } from './item.ts'

export function groupItemsByDay(items: readonly CalendarItem[]): Map<string, CalendarItem[]> {
  const groups = new Map<string, CalendarItem[]>()
  for (const item of items) {
    const [first, last] = daysOf(item)
    for (let day = first; day <= last; day++) {
      const date = formatDate(day)
      groups.set(date, [...(groups.get(date) ?? []), item])
    }
  }
  return groups
}

export const countItemsByDay = (items: readonly CalendarItem[]): Map<string, number> =>
  new Map([...groupItemsByDay(items)].map(([date, group]) => [date, group.length]))

/** The hours of most events; always shown. */
const FIRST_HOUR = 8
const LAST_HOUR = 21

export function hoursFor(items: readonly CalendarItem[]): { slotMinTime: string; slotMaxTime: string } {
  let first = FIRST_HOUR
  let last = LAST_HOUR
  for (const item of items) {
    if (item.all_day) continue
    const [from, to] = daysOf(item)
    first = Math.min(first, from === to ? hourOf(item.start) : 0)
    last = Math.max(last, from === to && item.end.slice(11, 16) !== '00:00' ? hourOf(item.end) + 1 : 24)
  }
  return { slotMinTime: `${String(first).padStart(2, '0')}:00:00`, slotMaxTime: `${Math.min(last, 24)}:00:00` }
}

const hourOf = (text: string): number => Number(text.slice(11, 13))
