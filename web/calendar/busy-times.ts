// Counts events per day and finds the hours to show. API times are already in the viewer’s zone.
import { dayOf } from '../../src/domain/time/instant.ts'
import { formatDate } from '../../src/domain/time/text.ts'
import type { CalendarItem } from './item.ts'

export function countItemsByDay(items: readonly CalendarItem[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) {
    const [first, last] = daysOf(item)
    for (let day = first; day <= last; day++) {
      const date = formatDate(day)
      counts.set(date, (counts.get(date) ?? 0) + 1)
    }
  }
  return counts
}

/** First and last day; an event that ends at midnight ends on the day before. */
function daysOf({ start, end }: CalendarItem): [number, number] {
  const first = dayOf(Date.parse(start.slice(0, 10)))
  const last = dayOf(Date.parse(end.slice(0, 10)))
  return [first, last > first && end.slice(11, 19) === '00:00:00' ? last - 1 : last]
}

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
