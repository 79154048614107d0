// Changes an occurrence and all later ones; lists the occurrences of a series with the values of each.
import type { Series } from '../../../../src/domain/calendar/event.ts'
import { type FollowingPatch, patchFollowing } from '../../../../src/domain/calendar/following/patch-following.ts'
import { nominalTiming } from '../../../../src/domain/calendar/update.ts'
import { expand, wholePatternOf } from '../../../../src/domain/recurrence/occurrences.ts'
import { runSteps } from '../../../../src/domain/steps.ts'
import type { LocalMs } from '../../../../src/domain/time/instant.ts'
import { DEFAULTS, keyOf } from '../series.ts'

/** Changes the occurrence of this key and all later ones. */
export const change = (series: Series, key: string, patch: FollowingPatch) =>
  runSteps(patchFollowing(series, keyOf(series, key), patch, DEFAULTS))

const EVERYTHING = { from: Date.UTC(1890, 0, 1), to: Date.UTC(2210, 0, 1) }

/** By key: the first `limit` occurrences that are not excluded. */
export function valuesByKey(series: Series, limit = 60) {
  const pattern = wholePatternOf(series)
  const overrides = new Map(series.overrides.map((override) => [override.key, override]))
  const { occurrences } = expand(pattern, EVERYTHING, new Set(series.exclusions), limit + series.exclusions.length)
  const keys = [...new Set([...occurrences.map(({ key }) => key), ...overrides.keys()])].sort((a, b) => a - b)
  return keys.slice(0, limit).map((key) => ({ key, ...valuesAt(series, pattern, overrides.get(key), key) }))
}

function valuesAt(
  series: Series,
  pattern: ReturnType<typeof wholePatternOf>,
  override: Series['overrides'][number] | undefined,
  key: LocalMs,
) {
  const timing = override?.timing ?? nominalTiming(series, pattern, key)
  return {
    startAt: timing.startAt,
    durationMs: timing.durationMs,
    ...(override?.details ?? series.details),
    transparency: override?.transparency ?? series.transparency,
  }
}
