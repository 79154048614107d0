// Formats periods of the calendar and hours of events for reading.
import { daysOfWhatsOn, periodOf, type WhatsOn } from '../contract/calendar-link.ts'
import { DAY_MS, type Day, dayOf } from '../domain/time/instant.ts'
import type { View } from '../domain/time/window.ts'
import { calendarPage as words } from './english.ts'
import { dateFormat, formatLongDay, type PresentedTimes } from './format-times.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const

const dateOf = (day: Day): Date => new Date(day * DAY_MS)

export const formatShortDay = (day: Day): string => dateFormat('UTC', DAY).format(dateOf(day))

export function formatPeriod(view: View, day: Day, weekStart: number): string {
  if (view === 'year') return dateFormat('UTC', { year: 'numeric' }).format(dateOf(day))
  if (view === 'month') return dateFormat('UTC', { month: 'long', year: 'numeric' }).format(dateOf(day))
  if (view === 'day') return formatLongDay(day)
  return formatDays(...periodOf(view, day, weekStart))
}

/** From the first day to the one before the second; a single day with its weekday. */
export const formatDays = (first: Day, next: Day): string =>
  next - first === 1
    ? formatLongDay(first)
    : evenSpaces(dateFormat('UTC', DAY).formatRange(dateOf(first), dateOf(next - 1)))

/** Some editions of the locale data put thin spaces around the dash: the service and the browser may differ in them. */
const evenSpaces = (range: string): string => range.replace(/^(\d+)\u2009–\u2009/, '$1–').replaceAll('\u2009', ' ')

/** Such as "This weekend: 18–19 July 2026". */
export const formatWhatsOn = (choice: WhatsOn, today: Day): string =>
  words.whatsOn.title(words.whatsOn.names[choice], formatDays(...daysOfWhatsOn(choice, today)))

/**
 * The hours of an event for a chip: "19:30–21:00", or only the start if `isShort`. An event over midnight always shows
 * both of its own times, with days if it takes a day or longer: "23:00–02:00", "Wed 10:00 – Fri 18:00".
 */
export function formatClocks(item: PresentedTimes, isShort: boolean): string {
  const [from, to] = [item.start.slice(11, 16), item.end.slice(11, 16)]
  if (item.start === item.end) return from
  if (!isOverMidnight(item)) return isShort ? from : `${from}–${to}`
  if (isOneNight(item)) return `${from}–${to}`
  const length = Date.parse(item.end) - Date.parse(item.start)
  const options = length < 7 * DAY_MS ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const day = (text: string): string => dateFormat('UTC', options).format(Date.parse(text.slice(0, 10)))
  return `${day(item.start)} ${from} – ${day(item.end)} ${to}`
}

/** For the part of an event on the day after it began: "until 02:00". */
export const formatEnd = (item: PresentedTimes): string => words.until(item.end.slice(11, 16))

/** First and last day; an event that ends at midnight ends on the day before. */
export function daysOf({ start, end }: PresentedTimes): [Day, Day] {
  const first = dayOf(Date.parse(start.slice(0, 10)))
  const last = dayOf(Date.parse(end.slice(0, 10)))
  return [first, last > first && end.slice(11, 19) === '00:00:00' ? last - 1 : last]
}

/** Whether a timed event has a part on a second day; one that ends at midnight has none. */
export function isOverMidnight(item: PresentedTimes): boolean {
  const [first, last] = daysOf(item)
  return !item.all_day && last > first
}

/** Such an event is on two days of a month, and is no event of whole days. */
export const isOneNight = (item: PresentedTimes): boolean =>
  isOverMidnight(item) && Date.parse(item.end) - Date.parse(item.start) < DAY_MS
