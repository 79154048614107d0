// Day filter of a rule: BYMONTH, BYMONTHDAY, BYYEARDAY and BYDAY as limits on a single day.
import {
  type CalendarDate,
  type Day,
  dateFromDay,
  dayFromDate,
  daysInMonth,
  isLeapYear,
  weekdayOf,
} from '../time/instant.ts'
import type { Rule, RuleDay } from './rule.ts'

/** The date parts of a rule, as bit masks where possible, so that testing a day takes a few nanoseconds. */
export interface DayFilter {
  /** Bit `month`; all ones when every month is allowed. The other masks work the same way. */
  readonly months: number
  readonly monthDays: number
  readonly monthDaysFromEnd: number
  readonly weekdays: number
  readonly yearDays: readonly number[]
  /** The BYDAY entries with a number, counted in the month or else in the year. */
  readonly ordinals: readonly RuleDay[]
  readonly countsInMonth: boolean
}

const ANY = -1

type DateParts = Pick<Rule, 'frequency' | 'byMonth' | 'byMonthDay' | 'byYearDay' | 'byDay'>

export function createDayFilter(parts: DateParts): DayFilter {
  const { byMonth, byMonthDay, byYearDay, byDay } = parts
  const limitsMonthDay = byMonthDay.length > 0
  return {
    months: byMonth.length > 0 ? maskOf(byMonth) : ANY,
    monthDays: limitsMonthDay ? maskOf(byMonthDay.filter((day) => day > 0)) : ANY,
    monthDaysFromEnd: limitsMonthDay ? maskOf(byMonthDay.filter((day) => day < 0).map((day) => -day)) : 0,
    weekdays: byDay.length > 0 ? maskOf(byDay.filter((day) => day.ordinal === 0).map((day) => day.weekday)) : ANY,
    yearDays: byYearDay,
    ordinals: byDay.filter((day) => day.ordinal !== 0),
    countsInMonth: countsInMonth(parts),
  }
}

/** A numbered BYDAY counts inside the month for MONTHLY and wherever BYMONTH names months. RFC 5545 §3.3.10, note 2. */
export const countsInMonth = (parts: Pick<DateParts, 'frequency' | 'byMonth'>): boolean =>
  parts.frequency === 'MONTHLY' || parts.byMonth.length > 0

export const allowsMonth = (filter: DayFilter, month: number): boolean => (filter.months & (1 << month)) !== 0

const allowsWeekday = (filter: DayFilter, weekday: number): boolean => (filter.weekdays & (1 << weekday)) !== 0

export const letsEveryDayThrough = (filter: DayFilter): boolean =>
  filter.months === ANY && filter.monthDays === ANY && filter.weekdays === ANY && filter.yearDays.length === 0

export const allowsDay = (filter: DayFilter, day: Day): boolean => allowsDate(filter, day, dateFromDay(day))

/** The first allowed day from `day` on and before `end`; else `end`. Charges one step per test. */
export function firstDayFrom(filter: DayFilter, day: Day, end: Day, work: { left: number }): Day {
  let next = day
  while (next < end && work.left > 0) {
    work.left--
    if (filter.ordinals.length === 0 && !allowsWeekday(filter, weekdayOf(next))) {
      next++
      continue
    }
    const date = dateFromDay(next)
    if (!allowsMonth(filter, date.month)) next += daysInMonth(date.year, date.month) - date.day + 1
    else if (allowsDate(filter, next, date)) return next
    else next++
  }
  return Math.min(next, end)
}

function allowsDate(filter: DayFilter, day: Day, date: CalendarDate): boolean {
  if (!allowsMonth(filter, date.month)) return false
  if ((filter.monthDays & (1 << date.day)) === 0) {
    const fromEnd = daysInMonth(date.year, date.month) - date.day + 1
    if ((filter.monthDaysFromEnd & (1 << fromEnd)) === 0) return false
  }
  if (filter.yearDays.length > 0 && !allowsYearDay(filter, day, date)) return false
  const weekday = weekdayOf(day)
  return allowsWeekday(filter, weekday) || allowsOrdinal(filter, weekday, day, date)
}

function allowsYearDay(filter: DayFilter, day: Day, date: CalendarDate): boolean {
  const yearDay = day - dayFromDate(date.year, 1, 1) + 1
  return filter.yearDays.includes(yearDay) || filter.yearDays.includes(yearDay - daysInYear(date.year) - 1)
}

function allowsOrdinal(filter: DayFilter, weekday: number, day: Day, date: CalendarDate): boolean {
  if (filter.ordinals.length === 0) return false
  const before = filter.countsInMonth ? date.day - 1 : day - dayFromDate(date.year, 1, 1)
  const after = (filter.countsInMonth ? daysInMonth(date.year, date.month) : daysInYear(date.year)) - before - 1
  const fromStart = Math.floor(before / 7) + 1
  const fromEnd = -Math.floor(after / 7) - 1
  return filter.ordinals.some(
    (entry) => entry.weekday === weekday && (entry.ordinal === fromStart || entry.ordinal === fromEnd),
  )
}

export const daysInYear = (year: number): number => (isLeapYear(year) ? 366 : 365)

const maskOf = (values: readonly number[]): number => values.reduce((mask, value) => mask | (1 << value), 0)
