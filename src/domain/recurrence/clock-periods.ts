// Periods of fixed length (SECONDLY to DAILY): constant steps, skipping excluded times.
import { DAY_MS, dayOf, HOUR_MS, type LocalMs, MINUTE_MS, SECOND_MS } from '../time/instant.ts'
import { createDayFilter, firstDayFrom, letsEveryDayThrough } from './day-filter.ts'
import type { Periods } from './period-numbers.ts'
import type { Rule } from './rule.ts'
import { hourOf, minuteOf, modulo, secondOf } from './times.ts'

/**
 * The BY parts no finer than the frequency, which limit it; the finer ones expand it (see times.ts). Each is a table of
 * the next allowed value at or after a value, or undefined if every value is allowed.
 */
interface ClockLimits {
  readonly hours: readonly number[] | undefined
  readonly minutes: readonly number[] | undefined
  readonly seconds: readonly number[] | undefined
}

export function createClockPeriods(rule: Rule, start: LocalMs): Periods | undefined {
  const unit = unitOf(rule)
  const step = unit * rule.interval
  const base = Math.floor(start / unit) * unit
  const limits = limitsOf(rule)
  if (!meetsLimits(limits, base, step, unit)) return undefined

  const filter = createDayFilter(rule)
  const everyDay = letsEveryDayThrough(filter)
  let goodDay = Number.NaN
  return {
    indexAt: (wall) => Math.floor((wall - base) / step),
    beginOf: (index) => base + index * step,
    skipTo(index, end, work) {
      let at = index
      for (;;) {
        const wall = base + at * step
        if (wall >= end || work.left <= 0) return at
        const day = dayOf(wall)
        if (!everyDay && day !== goodDay) {
          const endDay = Math.ceil(end / DAY_MS)
          const next = firstDayFrom(filter, day, endDay, work)
          // If the search stopped at its end, that day was not tested; a later window may begin there.
          goodDay = next < endDay && work.left > 0 ? next : Number.NaN
          if (next !== day) {
            at = Math.ceil((next * DAY_MS - base) / step)
            continue
          }
        }
        const allowed = allowedFrom(limits, wall)
        if (allowed === wall) return at
        work.left--
        at = Math.ceil((allowed - base) / step)
      }
    },
    anchorsOf: (index) => [base + index * step],
    mostAnchors: 1,
  }
}

function unitOf(rule: Rule): number {
  if (rule.frequency === 'SECONDLY') return SECOND_MS
  if (rule.frequency === 'MINUTELY') return MINUTE_MS
  return rule.frequency === 'HOURLY' ? HOUR_MS : DAY_MS
}

function limitsOf(rule: Rule): ClockLimits {
  const { frequency, byHour, byMinute, bySecond } = rule
  const isSecondly = frequency === 'SECONDLY'
  return {
    hours: frequency === 'DAILY' ? undefined : nextTable(byHour, 24),
    minutes: isSecondly || frequency === 'MINUTELY' ? nextTable(byMinute, 60) : undefined,
    seconds: isSecondly ? nextTable(bySecond, 60) : undefined,
  }
}

function nextTable(allowed: readonly number[], size: number): number[] | undefined {
  if (allowed.length === 0) return undefined
  return Array.from({ length: size }, (_, value) => allowed.find((candidate) => candidate >= value) ?? size)
}

/** The wall time itself if its time of day is allowed, else the next candidate: by hour, then minute, then second. */
function allowedFrom({ hours, minutes, seconds }: ClockLimits, wall: LocalMs): LocalMs {
  if (hours) {
    const hour = hourOf(wall)
    const next = hours[hour]!
    if (next !== hour) return (Math.floor(wall / HOUR_MS) + next - hour) * HOUR_MS
  }
  if (minutes) {
    const minute = minuteOf(wall)
    const next = minutes[minute]!
    if (next !== minute) return (Math.floor(wall / MINUTE_MS) + next - minute) * MINUTE_MS
  }
  if (seconds) {
    const second = secondOf(wall)
    const next = seconds[second]!
    if (next !== second) return (Math.floor(wall / SECOND_MS) + next - second) * SECOND_MS
  }
  return wall
}

/**
 * Whether any step reaches an allowed time of day: steps of a minute from 09:00:00 never meet BYSECOND=30. The times of
 * day that steps reach are those congruent to the first, modulo the greatest common divisor of step and day.
 */
function meetsLimits(limits: ClockLimits, base: LocalMs, step: number, unit: number): boolean {
  if (!limits.hours && !limits.minutes && !limits.seconds) return true
  const stride = greatestCommonDivisor(step, DAY_MS)
  if (stride === unit) return true
  for (let time = modulo(base, stride); time < DAY_MS; ) {
    const allowed = allowedFrom(limits, time)
    if (allowed === time) return true
    time += Math.ceil((allowed - time) / stride) * stride
  }
  return false
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
