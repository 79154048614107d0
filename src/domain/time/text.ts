// Parses and formats dates and times in ISO 8601.
import {
  type Day,
  dateFromDay,
  dayFromDate,
  dayOf,
  FIRST_YEAR,
  HOUR_MS,
  type Instant,
  isRealDate,
  LAST_YEAR,
  type LocalMs,
  MINUTE_MS,
  wallFromParts,
} from './instant.ts'
import { offsetAt, type Zone } from './zone.ts'

/** What a text can mean before a zone is known: a whole day, a wall time, or an instant. */
export type TimeText =
  | { kind: 'date'; day: Day }
  | { kind: 'local'; wall: LocalMs }
  | { kind: 'instant'; instant: Instant /** Wall time as written, without the offset. */; written: LocalMs }

const DATE = /^(\d{4})-?(\d{2})-?(\d{2})$/
const DATE_TIME =
  /^(\d{4})-?(\d{2})-?(\d{2})[Tt](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d{1,9})?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/

/** Parses ISO 8601 in extended or basic form. Fractions of a second are dropped: the calendar counts in seconds. */
export function parseTimeText(text: string): TimeText | undefined {
  if (text.length > 40) return undefined
  const date = DATE.exec(text)
  if (date) {
    const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3])]
    return isRealDate(year, month, day) ? { kind: 'date', day: dayFromDate(year, month, day) } : undefined
  }
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [hour, minute] = [Number(match[4]), Number(match[5])]
  const second = Number(match[6] ?? 0)
  if (!isRealDate(year, month, day) || hour > 23 || minute > 59 || second > 60) return undefined
  // A leap second is read as the second before it (RFC 5545 §3.3.12).
  const wall = wallFromParts(year, month, day, hour, minute, Math.min(second, 59))
  if (match[7] === undefined) return { kind: 'local', wall }
  const offset = parseOffset(match[7])
  return offset === undefined ? undefined : { kind: 'instant', instant: wall - offset, written: wall }
}

const FIRST_WALL = wallFromParts(FIRST_YEAR, 1, 1)
const END_WALL = wallFromParts(LAST_YEAR + 1, 1, 1)

export const isWithinYears = (wall: LocalMs): boolean => wall >= FIRST_WALL && wall < END_WALL

function parseOffset(text: string): number | undefined {
  if (text === 'Z' || text === 'z') return 0
  const digits = text.replace(':', '').slice(1).padEnd(4, '0')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 23 || minutes > 59) return undefined
  return (text[0] === '-' ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS)
}

/**
 * An instant with the zone's offset. Zones of the early twentieth century have offsets with seconds, which RFC 3339
 * cannot write: the offset is rounded to the minute and the wall time follows, so the instant stays exact.
 */
export function formatInstant(instant: Instant, zone: Zone): string {
  const offset = Math.round(offsetAt(zone, instant) / MINUTE_MS) * MINUTE_MS
  const size = Math.abs(offset) / MINUTE_MS
  const sign = offset < 0 ? '-' : '+'
  return `${formatLocal(instant + offset)}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** `2026-07-14T09:00:00Z`, the form of timestamps without a zone. */
export const formatUtc = (instant: Instant): string => `${formatLocal(instant)}Z`

/** `2026-07-14T09:00:00` */
export const formatLocal = (wall: LocalMs): string => `${formatDate(dayOf(wall))}T${clock(wall, ':')}`

/** `2026-07-14` */
export function formatDate(day: Day): string {
  const { year, month, day: dayOfMonth } = dateFromDay(day)
  return `${four(year)}-${two(month)}-${two(dayOfMonth)}`
}

/** `20260714`, as iCalendar and occurrence keys write dates. */
export function formatBasicDate(day: Day): string {
  const { year, month, day: dayOfMonth } = dateFromDay(day)
  return `${four(year)}${two(month)}${two(dayOfMonth)}`
}

/** `20260714T090000`, as iCalendar and occurrence keys write date-times. */
export const formatBasicLocal = (wall: LocalMs): string => `${formatBasicDate(dayOf(wall))}T${clock(wall, '')}`

function clock(wall: LocalMs, separator: string): string {
  const seconds = Math.floor(wall / 1_000) - dayOf(wall) * 86_400
  const hour = Math.floor(seconds / 3_600)
  const minute = Math.floor(seconds / 60) % 60
  return two(hour) + separator + two(minute) + separator + two(seconds % 60)
}

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`)

const four = (value: number): string => String(value).padStart(4, '0')
