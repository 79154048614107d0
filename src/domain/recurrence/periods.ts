// Periods of a rule (week, month, year), numbered from the one that contains the start, with seek.
import { DAY_MS, type Day, dateFromDay, dayFromDate, dayOf, type LocalMs, wallOfDay } from '../time/instant.ts'
import { createClockPeriods } from './clock-periods.ts'
import { createDayFilter } from './day-filter.ts'
import {
  firstDayOfWeek,
  firstDayOfWeekYear,
  listDaysOfMonth,
  listDaysOfWeek,
  listDaysOfWeekYear,
  listDaysOfYear,
  weekYearOf,
  withDaysOfStart,
} from './day-sets.ts'
import type { Periods } from './period-numbers.ts'
import type { Rule } from './rule.ts'

/** Undefined when the steps of the rule can never meet its limits. */
export function createPeriods(rule: Rule, start: LocalMs): Periods | undefined {
  const whole = withDaysOfStart(rule, start)
  if (rule.frequency === 'WEEKLY') return createWeeks(whole, start)
  if (rule.frequency === 'MONTHLY') return createMonths(whole, start)
  if (rule.frequency === 'YEARLY')
    return rule.byWeekNo.length > 0 ? createWeekYears(whole, start) : createYears(whole, start)
  return createClockPeriods(rule, start)
}

function createWeeks(rule: Rule, start: LocalMs): Periods {
  const filter = createDayFilter(rule)
  const base = firstDayOfWeek(dayOf(start), rule.weekStart)
  const step = 7 * rule.interval
  return {
    indexAt: (wall) => Math.floor((dayOf(wall) - base) / step),
    beginOf: (index) => wallOfDay(base + index * step),
    skipTo: stay,
    anchorsOf: (index) => wallsOf(listDaysOfWeek(rule, filter, base + index * step)),
    mostAnchors: 7,
  }
}

function createMonths(rule: Rule, start: LocalMs): Periods {
  const filter = createDayFilter(rule)
  const base = monthNumber(dayOf(start))
  const yearOf = (index: number) => Math.floor((base + index * rule.interval) / 12)
  const monthOf = (index: number) => ((base + index * rule.interval) % 12) + 1
  return {
    indexAt: (wall) => Math.floor((monthNumber(dayOf(wall)) - base) / rule.interval),
    beginOf: (index) => wallOfDay(dayFromDate(yearOf(index), monthOf(index), 1)),
    skipTo: stay,
    anchorsOf: (index) => wallsOf(listDaysOfMonth(rule, filter, yearOf(index), monthOf(index))),
    mostAnchors: 31,
  }
}

function createYears(rule: Rule, start: LocalMs): Periods {
  const filter = createDayFilter(rule)
  const base = dateFromDay(dayOf(start)).year
  return {
    indexAt: (wall) => Math.floor((dateFromDay(dayOf(wall)).year - base) / rule.interval),
    beginOf: (index) => wallOfDay(dayFromDate(base + index * rule.interval, 1, 1)),
    skipTo: stay,
    anchorsOf: (index) => wallsOf(listDaysOfYear(rule, filter, base + index * rule.interval)),
    mostAnchors: 366,
  }
}

function createWeekYears(rule: Rule, start: LocalMs): Periods {
  const filter = createDayFilter(rule)
  const base = weekYearOf(dayOf(start), rule.weekStart)
  return {
    indexAt: (wall) => Math.floor((weekYearOf(dayOf(wall), rule.weekStart) - base) / rule.interval),
    beginOf: (index) => wallOfDay(firstDayOfWeekYear(base + index * rule.interval, rule.weekStart)),
    skipTo: stay,
    anchorsOf: (index) => wallsOf(listDaysOfWeekYear(rule, filter, base + index * rule.interval)),
    mostAnchors: 371,
  }
}

/** Three centuries have fewer than 16,000 weeks: testing each is cheaper than computing which to skip. */
const stay = (index: number): number => index

const monthNumber = (day: Day): number => {
  const { year, month } = dateFromDay(day)
  return year * 12 + month - 1
}

function wallsOf(days: Day[]): LocalMs[] {
  for (let i = 0; i < days.length; i++) days[i]! *= DAY_MS
  return days
}
