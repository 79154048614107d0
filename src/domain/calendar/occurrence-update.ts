// Changes one occurrence of a series: excludes, restores or overrides it; the series stays whole.
import { Problems } from '../problems.ts'
import { patternOf } from '../recurrence/occurrences.ts'
import type { LocalMs } from '../time/instant.ts'
import type { Series } from './event.ts'
import type { OccurrenceFieldsPatch } from './fields.ts'
import { sortedUnique } from './repeat.ts'
import { isSameOccurrence } from './unchanged.ts'
import { nominalTiming, patchDetails, patchTiming, stopWith } from './update.ts'

/** Deletes one occurrence by an exclusion on the series, which stays whole. */
export const excludeOccurrence = (series: Series, key: LocalMs): Series => ({
  ...series,
  exclusions: sortedUnique([...series.exclusions, key]),
  overrides: series.overrides.filter((override) => override.key !== key),
})

/** Restores one occurrence to what the series gives. */
export const restoreOccurrence = (series: Series, key: LocalMs): Series => ({
  ...series,
  exclusions: series.exclusions.filter((wall) => wall !== key),
  overrides: series.overrides.filter((override) => override.key !== key),
})

/**
 * Overrides details or timing of one occurrence; the rest stays as in the series. Returns the series itself where
 * nothing changes.
 */
export function overrideOccurrence(series: Series, key: LocalMs, patch: OccurrenceFieldsPatch): Series {
  const problems = new Problems()
  const current = series.overrides.find((override) => override.key === key)
  const before = current ?? { details: series.details, timing: nominalTiming(series, patternOf(series), key) }
  const details = patchDetails(before.details, patch, problems)
  const { start, end } = patch
  const timing = patchTiming(
    before.timing,
    { ...(start ? { start } : {}), ...(end ? { end } : {}) },
    { zone: series.timing.zone, visibility: series.visibility },
    problems,
  )
  if (!timing) return stopWith(problems)
  problems.throwIfAny()
  if (isSameOccurrence(before, { details, timing })) return series
  const others = series.overrides.filter((override) => override.key !== key)
  const edited = { ...current, key, details, timing }
  return { ...series, overrides: [...others, edited].sort((a, b) => a.key - b.key) }
}
