// Formats dates and times for reading, in British English.
import { DAY_MS, type Day, dayOf } from '../domain/time/instant.ts'
import { times as strings } from './english.ts'

const LOCALE = 'en-GB'

const known = new Map<string, Intl.DateTimeFormat>()

/** Cached: creating a formatter costs more than a hundred uses of it. */
export function dateFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  const found = known.get(key) ?? new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options })
  known.set(key, found)
  return found
}

const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** Removes the comma after the weekday: "Tuesday 14 July 2026". */
const plain = (text: string): string => text.replace(/^(\p{L}+), /u, '$1 ')

export const formatLongDay = (day: Day): string => plain(dateFormat('UTC', LONG_DAY).format(day * DAY_MS))

/** A single event, or an occurrence, as the API presents it. */
export interface PresentedTimes {
  start: string
  end: string
  all_day: boolean
  start_date?: string
  end_date?: string
}

/** Such as "Tuesday 14 July 2026, 19:30 to 21:00". */
export function formatTimes(item: PresentedTimes, zone: string): string {
  if (item.all_day) return dateWords(item)
  const start = new Date(item.start)
  const end = new Date(item.end)
  const day = (date: Date): string => plain(dateFormat(zone, LONG_DAY).format(date))
  const clock = (date: Date): string => dateFormat(zone, CLOCK).format(date)
  const isOneDay = day(start) === day(new Date(Math.max(end.getTime() - 1, start.getTime())))
  const until = isOneDay ? clock(end) : `${day(end)}, ${clock(end)}`
  return `${day(start)}, ${clock(start)} ${strings.to} ${until}`
}

function dateWords(item: PresentedTimes): string {
  const first = dayOf(Date.parse(item.start_date!))
  const last = dayOf(Date.parse(item.end_date!)) - 1
  const text = last > first ? `${formatLongDay(first)} ${strings.to} ${formatLongDay(last)}` : formatLongDay(first)
  return `${text}, ${strings.allDay}`
}
