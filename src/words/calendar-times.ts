// Formats periods and hours of events for reading, in the language of the words given.
import { daysOfWhatsOn, periodOf, type WhatsOn } from '../contract/calendar-link.ts'
import { DAY_MS, type Day, dayOf } from '../domain/time/instant.ts'
import type { View } from '../domain/time/window.ts'
import type { calendarPage } from './english.ts'
import { dateFormat, formatClock, formatLongDay, type PresentedTimes, type TimeWords } from './format-times.ts'

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const

const dateOf = (day: Day): Date => new Date(day * DAY_MS)

export const formatShortDay = (day: Day, words: TimeWords): string => dateFormat(words, 'UTC', DAY).format(dateOf(day))

/** A title, so it begins with a capital, also where names of months and weekdays are in lower case. */
export function formatPeriod(view: View, day: Day, weekStart: number, words: TimeWords): string {
  const text = periodInWords(view, day, weekStart, words)
  return text.charAt(0).toLocaleUpperCase(words.locale) + text.slice(1)
}

function periodInWords(view: View, day: Day, weekStart: number, words: TimeWords): string {
  if (view === 'year') return dateFormat(words, 'UTC', { year: 'numeric' }).format(dateOf(day))
  if (view === 'month') return dateFormat(words, 'UTC', { month: 'long', year: 'numeric' }).format(dateOf(day))
  if (view === 'day') return formatLongDay(day, words)
  return formatDays(...periodOf(view, day, weekStart), words)
}

/** From the first day to the one before the second; a single day with its weekday. */
export const formatDays = (first: Day, next: Day, words: TimeWords): string =>
  next - first === 1
    ? formatLongDay(first, words)
    : evenSpaces(dateFormat(words, 'UTC', DAY).formatRange(dateOf(first), dateOf(next - 1)))

/** Some editions of the locale data put thin spaces around the dash: the service and the browser may differ in them. */
const evenSpaces = (range: string): string => range.replace(/^(\d+)\u2009–\u2009/, '$1–').replaceAll('\u2009', ' ')

/** Such as "This weekend: 18–19 July 2026". */
export const formatWhatsOn = (
  choice: WhatsOn,
  today: Day,
  { whatsOn }: Pick<typeof calendarPage, 'whatsOn'>,
  words: TimeWords,
): string => whatsOn.title(whatsOn.names[choice], formatDays(...daysOfWhatsOn(choice, today), words))

/**
 * The hours of an event for a chip: "19:30–21:00", or only the start if `isShort`. An event over midnight always shows
 * both of its own times, with days if it takes a day or longer: "23:00–02:00", "Wed 10:00 – Fri 18:00".
 */
export function formatClocks(item: PresentedTimes, isShort: boolean, words: TimeWords): string {
  const [from, to] = [clockOf(item.start, words), clockOf(item.end, words)]
  if (item.start === item.end) return from
  if (!isOverMidnight(item)) return isShort ? from : `${from}–${to}`
  if (isOneNight(item)) return `${from}–${to}`
  const length = Date.parse(item.end) - Date.parse(item.start)
  const options = length < 7 * DAY_MS ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const)
  const day = (text: string): string => dateFormat(words, 'UTC', options).format(Date.parse(text.slice(0, 10)))
  return `${day(item.start)} ${from} – ${day(item.end)} ${to}`
}

const clockOf = (moment: string, words: TimeWords): string => formatClock(moment.slice(11, 16), words)

/** For the part of an event on the day after it began: "until 02:00". */
export const formatEnd = (
  item: PresentedTimes,
  { until }: Pick<typeof calendarPage, 'until'>,
  words: TimeWords,
): string => until(clockOf(item.end, words))

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

/** The hours of most events; always shown. */
const FIRST_HOUR = 8
const LAST_HOUR = 21

/** The hours that a week or a day shows, so that no event is hidden and little space is empty; the second exclusive. */
export function hoursInUse(items: readonly PresentedTimes[]): [first: number, last: number] {
  let [first, last] = [FIRST_HOUR, LAST_HOUR]
  for (const item of items) {
    if (item.all_day) continue
    const [from, to] = daysOf(item)
    first = Math.min(first, from === to ? hourOf(item.start) : 0)
    last = Math.max(last, from === to && item.end.slice(11, 16) !== '00:00' ? hourOf(item.end) + 1 : 24)
  }
  return [first, Math.min(last, 24)]
}

const hourOf = (text: string): number => Number(text.slice(11, 13))
