// Formats dates and times for reading, in the language of the words given.
import { DAY_MS, type Day, dayOf } from '../domain/time/instant.ts'
import type { times } from './english.ts'

export type TimeWords = typeof times

const known = new Map<string, Intl.DateTimeFormat>()

/** Writes dates as `times.day` of the language adapts them. */
export interface DateFormat {
  format(at: Date | number): string
  formatRange(from: Date | number, to: Date | number): string
}

export function dateFormat(
  { locale, day }: Pick<TimeWords, 'locale' | 'day'>,
  zone: string,
  options: Intl.DateTimeFormatOptions,
): DateFormat {
  const plain = plainFormat(locale, zone, options)
  return {
    format: (at) => day(plain.format(at)),
    formatRange: (from, to) => day(plain.formatRange(from, to)),
  }
}

/** Cached: creating a formatter costs more than a hundred uses of it. */
export function plainFormat(locale: string, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`
  const found = known.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })
  known.set(key, found)
  return found
}

const LONG_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const

/** `Tuesday 14 July 2026` */
export const formatLongDay = (day: Day, words: TimeWords): string =>
  dateFormat(words, 'UTC', LONG_DAY).format(day * DAY_MS)

/** A time of day as the API writes it, `19:30`, in the clock of the language. */
export const formatClock = (clock: string, words: TimeWords): string =>
  dateFormat(words, 'UTC', words.clock).format(Date.parse(`1970-01-01T${clock}:00Z`))

/** A single event, or an occurrence, as the API presents it. */
export interface PresentedTimes {
  start: string
  end: string
  all_day: boolean
  start_date?: string
  end_date?: string
}

/** `Tuesday 14 July 2026, 19:30 to 21:00` */
export function formatTimes(item: PresentedTimes, zone: string, words: TimeWords): string {
  if (item.all_day) return dateWords(item, words)
  const start = new Date(item.start)
  const end = new Date(item.end)
  const day = (date: Date): string => dateFormat(words, zone, LONG_DAY).format(date)
  const clock = (date: Date): string => dateFormat(words, zone, words.clock).format(date)
  const isOneDay = day(start) === day(new Date(Math.max(end.getTime() - 1, start.getTime())))
  const until = isOneDay ? `${words.to} ${clock(end)}` : `${words.toDay} ${day(end)}, ${clock(end)}`
  return `${day(start)}, ${clock(start)} ${until}`
}

function dateWords(item: PresentedTimes, words: TimeWords): string {
  const first = dayOf(Date.parse(item.start_date!))
  const last = dayOf(Date.parse(item.end_date!)) - 1
  const [from, to] = [formatLongDay(first, words), formatLongDay(last, words)]
  return `${last > first ? `${from} ${words.toDay} ${to}` : from}, ${words.allDay}`
}
