// Formats dates and times for reading, in British English.
import { periodOf } from '../../src/contract/calendar-link.ts'
import { DAY_MS, type Day, dayFromDate, dayOf } from '../../src/domain/time/instant.ts'
import type { View } from '../../src/domain/time/window.ts'
import * as words from '../strings.ts'
import { daysOf } from './busy-times.ts'
import type { CalendarItem } from './item.ts'

const LOCALE = 'en-GB'

const known = new Map<string, Intl.DateTimeFormat>()

/** Cached: creating a formatter costs more than a hundred uses of it. */
function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`
  const found = known.get(key) ?? new Intl.DateTimeFormat(LOCALE, { timeZone: zone, ...options })
  known.set(key, found)
  return found
}

const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const dateOf = (day: Day): Date => new Date(day * DAY_MS)

/** Removes the comma after the weekday: "Tuesday 14 July 2026". */
const plain = (text: string): string => text.replace(/^(\p{L}+), /u, '$1 ')

export const formatShortDay = (day: Day): string => format('UTC', DAY).format(dateOf(day))

export const formatLongDay = (day: Day): string => plain(format('UTC', LONG_DAY).format(dateOf(day)))

export function formatPeriod(view: View, day: Day, weekStart: number): string {
  if (view === 'year') return format('UTC', { year: 'numeric' }).format(dateOf(day))
  if (view === 'month') return format('UTC', { month: 'long', year: 'numeric' }).format(dateOf(day))
  if (view === 'day') return formatLongDay(day)
  const [first, next] = periodOf(view, day, weekStart)
  return format('UTC', DAY).formatRange(dateOf(first), dateOf(next - 1))
}

/** A single event, or an occurrence. */
export type TimesOfItem = Pick<CalendarItem, 'start' | 'end' | 'all_day' | 'start_date' | 'end_date'>

/** Such as "Tuesday 14 July 2026, 19:30 to 21:00". */
export function formatTimes(item: TimesOfItem, zone: string): string {
  if (item.all_day) return dateWords(item)
  const start = new Date(item.start)
  const end = new Date(item.end)
  const day = (date: Date): string => plain(format(zone, LONG_DAY).format(date))
  const clock = (date: Date): string => format(zone, CLOCK).format(date)
  const isOneDay = day(start) === day(new Date(Math.max(end.getTime() - 1, start.getTime())))
  const until = isOneDay ? clock(end) : `${day(end)}, ${clock(end)}`
  return `${day(start)}, ${clock(start)} ${words.calendar.to} ${until}`
}

/**
 * The hours of an event for a chip: "19:30–21:00", or only the start if `isShort`. An event over midnight always shows
 * both of its own times, with days if it takes a day or longer: "23:00–02:00", "Wed 10:00 – Fri 18:00".
 */
export function formatClocks(item: CalendarItem, isShort: boolean): string {
  const [from, to] = [item.start.slice(11, 16), item.end.slice(11, 16)]
  if (item.start === item.end) return from
  if (!isOverMidnight(item)) return isShort ? from : `${from}–${to}`
  if (isOneNight(item)) return `${from}–${to}`
  const length = Date.parse(item.end) - Date.parse(item.start)
  const options = length < 7 * DAY_MS ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const day = (text: string): string => format('UTC', options).format(Date.parse(text.slice(0, 10)))
  return `${day(item.start)} ${from} – ${day(item.end)} ${to}`
}

/** For the part of an event on the day after it began: "until 02:00". */
export const formatEnd = (item: CalendarItem): string => words.calendar.until(item.end.slice(11, 16))

/** Whether a timed event has a part on a second day; one that ends at midnight has none. */
export function isOverMidnight(item: CalendarItem): boolean {
  const [first, last] = daysOf(item)
  return !item.all_day && last > first
}

/** Such an event is on two days of a month, and is no event of whole days. */
export const isOneNight = (item: CalendarItem): boolean =>
  isOverMidnight(item) && Date.parse(item.end) - Date.parse(item.start) < DAY_MS

function dateWords(item: TimesOfItem): string {
  const first = dayOf(Date.parse(item.start_date!))
  const last = dayOf(Date.parse(item.end_date!)) - 1
  const text =
    last > first ? `${formatLongDay(first)} ${words.calendar.to} ${formatLongDay(last)}` : formatLongDay(first)
  return `${text}, ${words.calendar.allDay}`
}

/** The calendar day in that zone at that time. */
export function dayIn(zone: string, at: number): Day {
  const parts = format(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(at)
  const number = (type: string): number => Number(parts.find((part) => part.type === type)!.value)
  return dayFromDate(number('year'), number('month'), number('day'))
}
