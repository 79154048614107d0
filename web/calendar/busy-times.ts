// Groups events by day and finds the hours to show. API times are already in the viewer’s zone.
import { formatDate } from '../../src/domain/time/text.ts'
import { daysOf, hoursInUse } from '../../src/words/calendar-times.ts'
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

export function hoursFor(items: readonly CalendarItem[]): { slotMinTime: string; slotMaxTime: string } {
  const [first, last] = hoursInUse(items)
  return { slotMinTime: `${String(first).padStart(2, '0')}:00:00`, slotMaxTime: `${last}:00:00` }
}
