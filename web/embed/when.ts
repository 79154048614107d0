// Formats the day and times of an event, in the requested zone or the calendar’s own.
import { DAY_MS } from '../../src/domain/time/instant.ts'
import { embedded } from '../strings.ts'

interface Timed {
  start: string
  end: string
  all_day: boolean
  start_date?: string
  /** Exclusive. */
  end_date?: string
}

const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }

/** `Tue 14 Jul 2026`, or a range of days for an all-day event that lasts longer. */
export function formatDays(event: Timed, timeZone: string): string {
  if (event.all_day) {
    const format = new Intl.DateTimeFormat(embedded.locale, { ...DAY, timeZone: 'UTC' })
    return plain(format.formatRange(Date.parse(event.start_date!), Date.parse(event.end_date!) - DAY_MS))
  }
  return plain(new Intl.DateTimeFormat(embedded.locale, { ...DAY, timeZone }).format(Date.parse(event.start)))
}

const plain = (text: string): string => embedded.day(text)

/** `19:30–21:00`, with the day if it ends on another one; empty for all-day events. */
export function timesOf(event: Timed, timeZone: string): string {
  if (event.all_day) return ''
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  const format = new Intl.DateTimeFormat(embedded.locale, { ...embedded.clock, timeZone })
  if (start === end) return format.format(start)
  const days = new Intl.DateTimeFormat(embedded.locale, { ...DAY, timeZone })
  // An event that ends at midnight belongs to the day before.
  const endsSameDay = days.format(start) === days.format(end - 1)
  const [from, to] = [format.format(start), format.format(end)]
  return endsSameDay ? `${from}–${to}` : `${from} – ${plain(days.format(end))}, ${to}`
}
