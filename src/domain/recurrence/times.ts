// Times of day from BYHOUR, BYMINUTE and BYSECOND, computed by index instead of listed.
import { HOUR_MS, type LocalMs, MINUTE_MS, SECOND_MS } from '../time/instant.ts'
import type { Rule } from './rule.ts'

/**
 * Every hour with every minute with every second, as one ascending sequence. A rule of 410 letters can name all 86,400
 * seconds of a day, so the sequence is arithmetic on three short lists.
 */
export interface Times {
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  readonly seconds: readonly number[]
  readonly size: number
}

/** The parts finer than the frequency expand it; if they are absent, the start gives the time. RFC 5545 §3.3.10. */
export function createTimes(rule: Rule, start: LocalMs): Times {
  const { frequency, byHour, byMinute, bySecond } = rule
  const hours = frequency === 'HOURLY' || frequency === 'MINUTELY' || frequency === 'SECONDLY' ? ZERO : byHour
  const minutes = frequency === 'MINUTELY' || frequency === 'SECONDLY' ? ZERO : byMinute
  const seconds = frequency === 'SECONDLY' ? ZERO : bySecond
  return {
    hours: hours.length > 0 ? hours : [hourOf(start)],
    minutes: minutes.length > 0 ? minutes : [minuteOf(start)],
    seconds: seconds.length > 0 ? seconds : [secondOf(start)],
    size: (hours.length || 1) * (minutes.length || 1) * (seconds.length || 1),
  }
}

/** A part at or above the unit of the frequency limits it instead, so it expands only to the start of the period. */
const ZERO: readonly number[] = [0]

/** Milliseconds into the period of the time with this index. */
export function timeAt(times: Times, index: number): number {
  const { hours, minutes, seconds } = times
  if (times.size === 1) return hours[0]! * HOUR_MS + minutes[0]! * MINUTE_MS + seconds[0]! * SECOND_MS
  const minuteIndex = Math.floor(index / seconds.length)
  return (
    hours[Math.floor(minuteIndex / minutes.length)]! * HOUR_MS +
    minutes[minuteIndex % minutes.length]! * MINUTE_MS +
    seconds[index % seconds.length]! * SECOND_MS
  )
}

/** Index of the first time at or after `offset` milliseconds into the period; `size` when there is none. */
export function firstTimeFrom(times: Times, offset: number): number {
  let low = 0
  let high = times.size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (timeAt(times, middle) < offset) low = middle + 1
    else high = middle
  }
  return low
}

export const hourOf = (wall: LocalMs): number => modulo(Math.floor(wall / HOUR_MS), 24)

export const minuteOf = (wall: LocalMs): number => modulo(Math.floor(wall / MINUTE_MS), 60)

export const secondOf = (wall: LocalMs): number => modulo(Math.floor(wall / SECOND_MS), 60)

/** Never negative. By division, because `%` on numbers beyond 32 bits is several times slower. */
export const modulo = (value: number, size: number): number => value - Math.floor(value / size) * size
