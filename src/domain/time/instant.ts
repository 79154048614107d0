// Time as numbers: instants and wall times in milliseconds, and calendar days.

/** A point in time: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** Wall time: what a local clock shows, in milliseconds as if it were UTC. It has no zone. */
export type LocalMs = number

/** Whole days of wall time since 1970-01-01. */
export type Day = number

export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** What was made later than this after now was made while the clock was wrong. */
export const CLOCK_TOLERANCE_MS = 600_000

/** Whether a stored time shows that the clock was wrong when it was stored. */
export const isAhead = (at: Instant, now: Instant): boolean => at > now + CLOCK_TOLERANCE_MS

/** Years outside this span are refused in every input; arithmetic inside it never reaches a limit of Date. */
export const FIRST_YEAR = 1900
export const LAST_YEAR = 2200

export interface CalendarDate {
  year: number
  month: number
  day: number
}

export const dayOf = (wall: LocalMs): Day => Math.floor(wall / DAY_MS)

export const wallOfDay = (day: Day): LocalMs => day * DAY_MS

/** Monday is 0, as weeks begin in ISO 8601. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: Day): number => (((day + 3) % 7) + 7) % 7

/** Howard Hinnant's days_from_civil, valid for every proleptic Gregorian date. */
export function dayFromDate(year: number, month: number, day: number): Day {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

export function dateFromDay(day: Day): CalendarDate {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

export const isLeapYear = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export const daysInMonth = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : MONTH_LENGTHS[month - 1]!

export const isRealDate = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)

export const wallFromParts = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0): LocalMs =>
  dayFromDate(year, month, day) * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS
