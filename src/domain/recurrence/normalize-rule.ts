// Normalises a rule: drops parts without effect, so that equal schedules have equal texts.
import { DAY_MS, dayOf, HOUR_MS, type LocalMs, MINUTE_MS, SECOND_MS, weekdayOf } from '../time/instant.ts'
import { isSubDaily, type Rule } from './rule.ts'

/** RFC 5545 §3.3.10: a part that is left out is taken from the start, so a part that repeats it has no effect. */
export function normalizeRule(rule: Rule, startWall: LocalMs): Rule {
  const timed = isSubDaily(rule) ? rule : withoutIdleTimes(rule, startWall)
  const plain = isIdleDay(timed, startWall) ? { ...timed, byDay: [] } : timed
  return countsWeeks(plain) ? plain : { ...plain, weekStart: 0 }
}

function withoutIdleTimes(rule: Rule, startWall: LocalMs): Rule {
  const time = startWall - dayOf(startWall) * DAY_MS
  const isIdle = (values: readonly number[], own: number): boolean => values.length === 1 && values[0] === own
  return {
    ...rule,
    byHour: isIdle(rule.byHour, Math.floor(time / HOUR_MS)) ? [] : rule.byHour,
    byMinute: isIdle(rule.byMinute, Math.floor(time / MINUTE_MS) % 60) ? [] : rule.byMinute,
    bySecond: isIdle(rule.bySecond, Math.floor(time / SECOND_MS) % 60) ? [] : rule.bySecond,
  }
}

/** A weekly rule on the weekday of its start. */
function isIdleDay({ frequency, byDay, bySetPos }: Rule, startWall: LocalMs): boolean {
  if (frequency !== 'WEEKLY' || byDay.length !== 1 || bySetPos.length > 0) return false
  return byDay[0]!.ordinal === 0 && byDay[0]!.weekday === weekdayOf(dayOf(startWall))
}

/** Whether WKST changes which days the rule gives; some clients write it in every rule. */
function countsWeeks({ frequency, interval, byDay, bySetPos, byWeekNo }: Rule): boolean {
  if (byWeekNo.length > 0) return true
  return frequency === 'WEEKLY' && (interval > 1 ? byDay.length > 0 : bySetPos.length > 0)
}
