// Masks the schedule of a private series: only which occurrences exist and when.
import type { Timing } from '../calendar/event.ts'
import { sortedUnique } from '../calendar/repeat.ts'
import { normalizeRule } from '../recurrence/normalize-rule.ts'
import { createNominalCheck, type Pattern, startAtOf, withoutListingLimit } from '../recurrence/occurrences.ts'
import type { Rule } from '../recurrence/rule.ts'
import { isFrequent } from '../recurrence/sub-daily-limit.ts'
import { withTightUntil } from '../recurrence/tight-until.ts'
import type { LocalMs } from '../time/instant.ts'

/** An override by its times alone. */
export interface OverrideTimes {
  key: LocalMs
  timing: Pick<Timing, 'startAt' | 'durationMs'>
}

export interface MaskedDates<T extends OverrideTimes> {
  /** Dates that the start and the rule do not give. */
  rdates: LocalMs[]
  /** Dates that the start or the rule gives and that are left out. */
  exclusions: LocalMs[]
  /** Overrides with another start or length than the series gives. */
  moved: T[]
}

export interface MaskedSchedule<T extends OverrideTimes> extends MaskedDates<T> {
  /**
   * With UNTIL at its last occurrence: the time between that and the author's UNTIL would disclose more. Parts that
   * change no occurrence are left out, since some clients write them in every rule.
   */
  rule: Rule | undefined
}

/**
 * Equal for any two series with the same times. An override that changes only texts is treated as if it did not exist,
 * and dates without effect, as an earlier schedule leaves them behind, are left out. `pattern` has every occurrence of
 * its rule (see `withoutCut`); `excluded` contains the cancelled occurrences too.
 */
export const maskSchedule = <T extends OverrideTimes>(
  pattern: Pattern,
  excluded: readonly LocalMs[],
  overrides: readonly T[],
): MaskedSchedule<T> => {
  const rule = withTightUntil({ ...pattern, rdates: [] })
  return {
    ...maskDates(pattern, excluded, overrides),
    rule: rule && normalizeRule(rule, pattern.startWall),
  }
}

/** The same without the rule. */
export function maskDates<T extends OverrideTimes>(
  pattern: Pattern,
  excluded: readonly LocalMs[],
  overrides: readonly T[],
): MaskedDates<T> {
  const dates = sortedUnique([...pattern.rdates, ...overrides.map(({ key }) => key)])
  const gone = new Set(excluded)
  const isGiven = createNominalCheck({ ...pattern, rdates: [] })
  return {
    rdates: dates.filter((wall) => !isGiven(wall) && !gone.has(wall)),
    exclusions: sortedUnique(excluded).filter(isGiven),
    moved: overrides.filter((override) => isMovedFrom(pattern, override)),
  }
}

export const isMovedFrom = (pattern: Pattern, { key, timing }: OverrideTimes): boolean =>
  timing.startAt !== startAtOf(pattern, key) || timing.durationMs !== pattern.durationMs

/**
 * Tests for occurrences of a frequent rule after the last one that is listed (see `MAX_FREQUENT`). The public sees such
 * an occurrence only if it was moved: any other would disclose that it was edited or listed twice.
 */
export function createUnlistedCheck(pattern: Pattern): (key: LocalMs) => boolean {
  const { rule, lastWall } = pattern
  if (!rule || lastWall === undefined || !isFrequent(rule)) return () => false
  const isNominal = createNominalCheck({ ...withoutListingLimit(pattern), rdates: [] })
  return (key) => key > lastWall && isNominal(key)
}
