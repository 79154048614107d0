// Time zones for FullCalendar by Intl; the build puts it in place of temporal-polyfill, of which it is a tenth.
import { DAY_MS, type Day, type Instant, type LocalMs } from '../../../src/domain/time/instant.ts'
import { plainFormat } from '../../../src/words/format-times.ts'

const SECOND_MS = 1_000

const NUMBERS = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** By zone and UTC day: the offset at its midnight. */
const known = new Map<string, number>()

/**
 * Difference between the clocks of the zone and UTC, in milliseconds. No zone has changed its offset and changed it back
 * within a day, so that most times need no more than the midnights around them.
 */
function offsetAt(at: Instant, zone: string): number {
  const day = Math.floor(at / DAY_MS)
  const before = offsetAtMidnight(day, zone)
  return before === offsetAtMidnight(day + 1, zone) ? before : readOffset(at, zone)
}

function offsetAtMidnight(day: Day, zone: string): number {
  const key = `${day} ${zone}`
  const found = known.get(key) ?? readOffset(day * DAY_MS, zone)
  known.set(key, found)
  return found
}

function readOffset(at: Instant, zone: string): number {
  const whole = Math.floor(at / SECOND_MS) * SECOND_MS
  const parts = plainFormat('en', zone, NUMBERS).formatToParts(whole)
  const number = (type: string): number => Number(parts.find((part) => part.type === type)!.value)
  const wall = Date.UTC(
    number('year'),
    number('month') - 1,
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  )
  return wall - whole
}

// Below are the functions of temporal-polyfill/fns that FullCalendar calls, for its years and in whole milliseconds.

/** What FullCalendar reads of a Temporal.ZonedDateTime. */
interface ZonedTime {
  epochMilliseconds: Instant
  offsetMs: number
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
}

/** Instant */
export const fromEpochMilliseconds = (at: number): Instant => at

/** Instant */
export function toZonedDateTimeISO(at: Instant, zone: string): ZonedTime {
  const offsetMs = offsetAt(at, zone)
  const wall = new Date(at + offsetMs)
  return {
    epochMilliseconds: at,
    offsetMs,
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
    millisecond: wall.getUTCMilliseconds(),
  }
}

/** PlainDateTime */
export const create = (year: number, month: number, ...rest: number[]): LocalMs => Date.UTC(year, month - 1, ...rest)

/** PlainDateTime: of a time that occurs twice the first, and a skipped one by the offset before the gap. */
export function toZonedDateTime(wall: LocalMs, zone: string): ZonedTime {
  const before = offsetAt(wall - DAY_MS, zone)
  const after = offsetAt(wall + DAY_MS, zone)
  const found = [wall - before, wall - after].filter((at) => at + offsetAt(at, zone) === wall)
  return toZonedDateTimeISO(found.length > 0 ? Math.min(...found) : wall - before, zone)
}

/** ZonedDateTime */
export const offsetNanoseconds = ({ offsetMs }: ZonedTime): number => offsetMs * 1_000_000
