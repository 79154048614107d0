// Days of a week, month or year that a rule gives, ascending. RFC 5545 §3.3.10, table.
import { type Day, dateFromDay, dayFromDate, dayOf, daysInMonth, type LocalMs, weekdayOf } from '../time/instant.ts'
import { allowsDay, allowsMonth, type DayFilter, daysInYear } from './day-filter.ts'
import type { Rule, RuleDay } from './rule.ts'
import { modulo } from './times.ts'

/** A rule without day parts takes them from its start: its weekday, its day of the month, or its date. */
export function withDaysOfStart(rule: Rule, start: LocalMs): Rule {
  const namesDay = rule.byDay.length > 0 || rule.byMonthDay.length > 0 || rule.byYearDay.length > 0
  if (namesDay) return rule
  const startDay = dayOf(start)
  if (rule.frequency === 'WEEKLY' || rule.byWeekNo.length > 0) {
    return { ...rule, byDay: [{ weekday: weekdayOf(startDay), ordinal: 0 }] }
  }
  const { month, day } = dateFromDay(startDay)
  if (rule.frequency === 'MONTHLY') return { ...rule, byMonthDay: [day] }
  if (rule.frequency === 'YEARLY') {
    return { ...rule, byMonthDay: [day], byMonth: rule.byMonth.length > 0 ? rule.byMonth : [month] }
  }
  return rule
}

/** WEEKLY: BYDAY expands, BYMONTH limits. `first` is the day the week begins on. */
export function listDaysOfWeek(rule: Rule, filter: DayFilter, first: Day): Day[] {
  const days: Day[] = []
  for (const { weekday } of rule.byDay) {
    const day = first + modulo(weekday - rule.weekStart, 7)
    if (rule.byMonth.length === 0 || allowsDay(filter, day)) insertDay(days, day)
  }
  return days
}

/** MONTHLY, and a month of a YEARLY rule: BYMONTHDAY expands and BYDAY limits it; alone, BYDAY expands. */
export function listDaysOfMonth(rule: Rule, filter: DayFilter, year: number, month: number): Day[] {
  if (!allowsMonth(filter, month)) return []
  const first = dayFromDate(year, month, 1)
  const length = daysInMonth(year, month)
  if (rule.byMonthDay.length === 0) return listWeekdays(filter, first, length)
  const days = listNumbered(rule.byMonthDay, first, length)
  return rule.byDay.length > 0 ? days.filter((day) => allowsDay(filter, day)) : days
}

/** YEARLY without BYWEEKNO. If two parts could both expand, the days in both are meant. */
export function listDaysOfYear(rule: Rule, filter: DayFilter, year: number): Day[] {
  if (rule.byYearDay.length > 0) {
    const days = listNumbered(rule.byYearDay, dayFromDate(year, 1, 1), daysInYear(year))
    return days.filter((day) => allowsDay(filter, day))
  }
  if (rule.byMonth.length > 0) return rule.byMonth.flatMap((month) => listDaysOfMonth(rule, filter, year, month))
  if (rule.byMonthDay.length > 0) return MONTHS.flatMap((month) => listDaysOfMonth(rule, filter, year, month))
  return listWeekdays(filter, dayFromDate(year, 1, 1), daysInYear(year))
}

/**
 * YEARLY with BYWEEKNO. The year is the week-numbering year: it begins with week 1, the first week (by WKST) with four
 * days in the calendar year, so its first and last days may be in the neighbouring calendar years. This way every day
 * has one week and one year, and INTERVAL and BYSETPOS never split a week.
 */
export function listDaysOfWeekYear(rule: Rule, filter: DayFilter, year: number): Day[] {
  const first = firstDayOfWeekYear(year, rule.weekStart)
  const weeks = (firstDayOfWeekYear(year + 1, rule.weekStart) - first) / 7
  const days: Day[] = []
  for (const week of listNumbered(rule.byWeekNo, 0, weeks)) {
    for (let day = first + week * 7, i = 0; i < 7; day++, i++) if (allowsDay(filter, day)) days.push(day)
  }
  return days
}

/** 4 January is always in week 1. */
export function firstDayOfWeekYear(year: number, weekStart: number): Day {
  return firstDayOfWeek(dayFromDate(year, 1, 4), weekStart)
}

export const firstDayOfWeek = (day: Day, weekStart: number): Day => day - modulo(weekdayOf(day) - weekStart, 7)

/** A week belongs to the calendar year that has most of its days, which is the year of its fourth day. */
export const weekYearOf = (day: Day, weekStart: number): number => dateFromDay(firstDayOfWeek(day, weekStart) + 3).year

const MONTHS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** Numbers 1, 2, … counted from `first`, and -1, -2, … from the other end of `length`. */
function listNumbered(numbers: readonly number[], first: number, length: number): number[] {
  const found: number[] = []
  for (const number of numbers) {
    const index = number > 0 ? number - 1 : length + number
    if (index >= 0 && index < length) insertDay(found, first + index)
  }
  return found
}

function listWeekdays(filter: DayFilter, first: Day, length: number): Day[] {
  const days: Day[] = []
  const offset = weekdayOf(first)
  if (filter.weekdays !== 0) {
    for (let i = 0; i < length; i++) if ((filter.weekdays & (1 << ((offset + i) % 7))) !== 0) days.push(first + i)
  }
  for (const entry of filter.ordinals) {
    const index = indexOfOrdinal(entry, offset, length)
    if (index >= 0 && index < length) insertDay(days, first + index)
  }
  return days
}

/** Index of the nth such weekday, counted from the first day of a span that begins on weekday `offset`. */
function indexOfOrdinal({ weekday, ordinal }: RuleDay, offset: number, length: number): number {
  if (ordinal > 0) return modulo(weekday - offset, 7) + (ordinal - 1) * 7
  const lastWeekday = modulo(offset + length - 1, 7)
  return length - 1 - modulo(lastWeekday - weekday, 7) + (ordinal + 1) * 7
}

/** Keeps the days ascending and unique; they mostly arrive in order. */
function insertDay(days: Day[], day: Day): void {
  let at = days.length
  while (at > 0 && days[at - 1]! > day) at--
  if (at > 0 && days[at - 1] === day) return
  if (at === days.length) days.push(day)
  else days.splice(at, 0, day)
}
