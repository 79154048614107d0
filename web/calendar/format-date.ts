// Formats periods of the calendar and hours of events for reading.
import { periodOf } from '../../src/contract/calendar-link.ts'
import { DAY_MS, type Day, dayFromDate } from '../../src/domain/time/instant.ts'
import type { View } from '../../src/domain/time/window.ts'
import { plainFormat } from '../../src/words/format-times.ts'
import * as words from '../strings.ts'
import { dateFormat, formatClock, formatLongDay } from '../words/formats.ts'
import { daysOf } from './busy-times.ts'
import type { CalendarItem } from './item.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const

const dateOf = (day: Day): Date => new Date(day * DAY_MS)

export const formatShortDay = (day: Day): string => dateFormat('UTC', DAY).format(dateOf(day))

/** `July`; months are numbers from 0. */
export const formatMonth = (year: number, month: number): string =>
  dateFormat('UTC', { month: 'long' }).format(Date.UTC(year, month))

/** A title, so it begins with a capital, also where names of months and weekdays are in lower case. */
export function formatPeriod(view: View, day: Day, weekStart: number): string {
  const text = periodInWords(view, day, weekStart)
  return text.charAt(0).toLocaleUpperCase(words.times.locale) + text.slice(1)
}

function periodInWords(view: View, day: Day, weekStart: number): string {
  if (view === 'year') return dateFormat('UTC', { year: 'numeric' }).format(dateOf(day))
  if (view === 'month') return dateFormat('UTC', { month: 'long', year: 'numeric' }).format(dateOf(day))
  if (view === 'day') return formatLongDay(day)
  const [first, next] = periodOf(view, day, weekStart)
  return dateFormat('UTC', DAY).formatRange(dateOf(first), dateOf(next - 1))
}

/**
 * The hours of an event for a chip: "19:30–21:00", or only the start if `isShort`. An event over midnight always shows
 * both of its own times, with days if it takes a day or longer: "23:00–02:00", "Wed 10:00 – Fri 18:00".
 */
export function formatClocks(item: CalendarItem, isShort: boolean): string {
  const [from, to] = [clockOf(item.start), clockOf(item.end)]
  if (item.start === item.end) return from
  if (!isOverMidnight(item)) return isShort ? from : `${from}–${to}`
  if (isOneNight(item)) return `${from}–${to}`
  const length = Date.parse(item.end) - Date.parse(item.start)
  const options = length < 7 * DAY_MS ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const day = (text: string): string => dateFormat('UTC', options).format(Date.parse(text.slice(0, 10)))
  return `${day(item.start)} ${from} – ${day(item.end)} ${to}`
}

const clockOf = (moment: string): string => formatClock(moment.slice(11, 16))

/** For the part of an event on the day after it began: "until 02:00". */
export const formatEnd = (item: CalendarItem): string => words.calendar.until(clockOf(item.end))

/** Whether a timed event has a part on a second day; one that ends at midnight has none. */
export function isOverMidnight(item: CalendarItem): boolean {
  const [first, last] = daysOf(item)
  return !item.all_day && last > first
}

/** Such an event is on two days of a month, and is no event of whole days. */
export const isOneNight = (item: CalendarItem): boolean =>
  isOverMidnight(item) && Date.parse(item.end) - Date.parse(item.start) < DAY_MS

/** In digits that programs read, whatever the language. */
const numbersIn = (zone: string): Intl.DateTimeFormat => plainFormat('en-GB', zone, DAY_NUMBERS)

const DAY_NUMBERS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

/** The calendar day in that zone at that time. */
export function dayIn(zone: string, at: number): Day {
  const parts = numbersIn(zone).formatToParts(at)
  const number = (type: string): number => Number(parts.find((part) => part.type === type)!.value)
  return dayFromDate(number('year'), number('month'), number('day'))
}
