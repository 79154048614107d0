// Parses dates of the demo's tables: fixed, the nth weekday of a month, or relative to Easter.
import {
  DAY_MS,
  type Day,
  dateFromDay,
  dayFromDate,
  daysInMonth,
  type LocalMs,
  MINUTE_MS,
  weekdayOf,
} from '../../domain/time/instant.ts'
import { WEEKDAY_CODES } from '../../domain/time/weekdays.ts'

/** The days the demo fills, the last one included. */
export interface DemoSpan {
  first: Day
  last: Day
}

/** `easter-47`, `12/25`, or `7 1SA` for the first Saturday of July; `5 -1MO` counts from the end. */
export function dayOn(year: number, text: string): Day {
  const easter = /^easter([+-]\d+)$/.exec(text)
  if (easter) return easterOf(year) + Number(easter[1])
  const fixed = /^(\d+)\/(\d+)$/.exec(text)
  if (fixed) return dayFromDate(year, Number(fixed[1]), Number(fixed[2]))
  const counted = /^(\d+) (-?\d)([A-Z]{2})$/.exec(text)
  if (!counted) throw new Error(`the demo cannot read the date "${text}"`)
  return nthWeekday(year, Number(counted[1]), WEEKDAY_CODES.indexOf(counted[3]!), Number(counted[2]))
}

/** The same date in every year of the span, if it is inside. */
export function daysOn(span: DemoSpan, text: string): Day[] {
  return yearsOf(span)
    .map((year) => dayOn(year, text))
    .filter((day) => isInside(span, day))
}

export const isInside = ({ first, last }: DemoSpan, day: Day): boolean => day >= first && day <= last

export function yearsOf({ first, last }: DemoSpan): number[] {
  const [from, to] = [dateFromDay(first).year, dateFromDay(last).year]
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

/** The Monday of the week a day is in. */
export const mondayOf = (day: Day): Day => day - weekdayOf(day)

/** A day and `19:30` as wall time. */
export function wallAt(day: Day, time: string): LocalMs {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return day * DAY_MS + (hour * 60 + minute) * MINUTE_MS
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): Day {
  if (nth > 0) {
    const first = dayFromDate(year, month, 1)
    return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7
  }
  const last = dayFromDate(year, month, daysInMonth(year, month))
  return last - ((weekdayOf(last) - weekday + 7) % 7) + (nth + 1) * 7
}

/** Western Easter by the anonymous Gregorian algorithm. */
export function easterOf(year: number): Day {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const skipped = century - Math.floor(century / 4) - Math.floor((century - Math.floor((century - 17) / 25)) / 3)
  const epact = (((skipped + 19 * golden + 15) % 30) + 30) % 30
  const moon = epact - (epact === 29 || (epact === 28 && golden > 10) ? 1 : 0)
  // `moon` counts from 21 March to the full moon on or after it; Easter is the Sunday after.
  const fullMoon = dayFromDate(year, 3, 21) + moon
  return fullMoon + 7 - ((weekdayOf(fullMoon) + 1) % 7)
}
