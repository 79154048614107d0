// Rules that repeat more often than people keep calendars by: kept whole, but only their first occurrences are laid out.
import { isSubDaily, type Rule } from './rule.ts'

/** So many are listed; what programs make of the rest is told by the rule. */
export const MAX_FREQUENT = 1_000

/** Once an hour. More is a sub-daily rule in disguise, and one such event would fill everybody's month. */
const MOST_TIMES_A_DAY = 24

export const isFrequent = (rule: Rule): boolean => isSubDaily(rule) || timesADay(rule) > MOST_TIMES_A_DAY

const MANY_TIMES_A_DAY = 4

/** Whether it takes long to check and to expand: several times a day, or counted to more than a thousand. */
export const isLongRule = (rule: Rule): boolean =>
  isSubDaily(rule) || timesADay(rule) > MANY_TIMES_A_DAY || (rule.count ?? 0) > MAX_FREQUENT

const timesADay = ({ byHour, byMinute, bySecond }: Rule): number =>
  [byHour, byMinute, bySecond].reduce((product, list) => product * Math.max(1, list.length), 1)
