// Moves a recurrence rule by a number of days or hours, and checks that its dates move by as much.
import { expandRule } from '../../recurrence/expand.ts'
import type { Rule } from '../../recurrence/rule.ts'
import { DAY_MS, dayOf, HOUR_MS, LAST_YEAR, type LocalMs, wallFromParts } from '../../time/instant.ts'
import { sortedUnique } from '../repeat.ts'

/** Dates that are compared; a rule that differs at all differs within these. */
const COMPARED = 150

/**
 * The rule by which the dates from `from` on come `shift` later. Undefined where no single rule gives them: the day after
 * the second Tuesday of a month is not always its second Wednesday. COUNT and UNTIL are left out.
 */
export function shiftRule(rule: Rule, start: LocalMs, from: LocalMs, shift: number): Rule | undefined {
  const endless = withoutEnd(rule)
  const wanted = datesFrom(endless, start, from).map((wall) => wall + shift)
  const days = dayOf(from + shift) - dayOf(from)
  const hours = (shift - days * DAY_MS) / HOUR_MS
  return candidates(endless, days, hours).find((one) => isSame(datesFrom(one, from + shift, from + shift), wanted))
}

/** Whether the rule gives the same dates after `from`, begun at one date or the other. */
export const hasSameDates = (rule: Rule, one: LocalMs, other: LocalMs, from: LocalMs): boolean =>
  isSame(datesFrom(withoutEnd(rule), one, from + 1), datesFrom(withoutEnd(rule), other, from + 1))

export function withoutEnd(rule: Rule): Rule {
  const { count: _, until: __, ...endless } = rule
  return endless
}

const END = wallFromParts(LAST_YEAR + 1, 1, 1)

/** A shift may move the last of them past the supported years. */
const datesFrom = (rule: Rule, start: LocalMs, from: LocalMs): LocalMs[] =>
  expandRule(rule, start, { from, to: END, limit: COMPARED }).walls

/** One list may end earlier, at the end of the supported years. */
function isSame(one: readonly LocalMs[], other: readonly LocalMs[]): boolean {
  const both = Math.min(one.length, other.length)
  const isCut = (longer: readonly LocalMs[]): boolean => longer.length === both || longer[both]! > END - YEARS
  return isCut(one) && isCut(other) && one.slice(0, both).every((wall, index) => wall === other[index])
}

/** Longer than a series is usually moved. */
const YEARS = 3 * 366 * DAY_MS

function candidates(rule: Rule, days: number, hours: number): Rule[] {
  const sameWeek = {
    ...rule,
    byDay: rule.byDay
      .map((day) => ({ ...day, weekday: modulo(day.weekday + days, 7) }))
      .sort((a, b) => a.ordinal - b.ordinal || a.weekday - b.weekday),
    byMonthDay: sortedUnique(rule.byMonthDay.map((day) => day + days)),
    byYearDay: sortedUnique(rule.byYearDay.map((day) => day + days)),
  }
  const shifted = [sameWeek, { ...sameWeek, weekStart: modulo(rule.weekStart + days, 7) }].filter(isWithinMonth)
  const all = [rule, ...shifted]
  if (rule.byHour.length === 0 || !Number.isInteger(hours)) return all
  return all.map((one) => ({ ...one, byHour: sortedUnique(one.byHour.map((hour) => modulo(hour + hours, 24))) }))
}

const isWithinMonth = ({ byMonthDay, byYearDay }: Rule): boolean =>
  byMonthDay.every((day) => day !== 0 && Math.abs(day) <= 31) &&
  byYearDay.every((day) => day !== 0 && Math.abs(day) <= 366)

const modulo = (value: number, size: number): number => ((value % size) + size) % size
