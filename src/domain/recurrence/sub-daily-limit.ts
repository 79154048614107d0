// Listing limit for frequent rules: stored whole, but only the first occurrences are expanded.
import { isSubDaily, type Rule } from './rule.ts'

/** Occurrences that are listed; clients get the others from the rule. */
export const MAX_FREQUENT = 1_000

/** Once an hour. More is a sub-daily rule in another form, and one such event would fill every month view. */
const MOST_TIMES_A_DAY = 24

export const isFrequent = (rule: Rule): boolean => isSubDaily(rule) || timesADay(rule) > MOST_TIMES_A_DAY

const MANY_TIMES_A_DAY = 4

/** Whether checking and expanding the rule is slow: several times a day, or a COUNT above a thousand. */
export const isLongRule = (rule: Rule): boolean =>
  isSubDaily(rule) || timesADay(rule) > MANY_TIMES_A_DAY || (rule.count ?? 0) > MAX_FREQUENT

export const timesADay = ({ byHour, byMinute, bySecond }: Rule): number =>
  [byHour, byMinute, bySecond].reduce((product, list) => product * Math.max(1, list.length), 1)
