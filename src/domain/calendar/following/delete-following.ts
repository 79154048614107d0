// Deletes an occurrence and all later ones of a series, by ending its rule before that occurrence.
import { expandNominalWalls, wholePatternOf } from '../../recurrence/occurrences.ts'
import type { LocalMs } from '../../time/instant.ts'
import { listLost } from '../dropped.ts'
import type { Series } from '../event.ts'
import { sortedUnique } from '../repeat.ts'
import type { SeriesUpdate } from '../update.ts'
import { endBefore } from './end-rule.ts'

/**
 * The series without the occurrences whose keys are this one or later. An edited occurrence belongs to the side of its
 * key, wherever it was moved. `isEmpty` where no occurrence is left.
 */
export function deleteFollowing(series: Series, key: LocalMs): SeriesUpdate {
  const isEarlier = (wall: LocalMs): boolean => wall < key
  const ended = endBefore(series, key)
  const exclusions = sortedUnique([...series.exclusions.filter(isEarlier), ...ended.exclusions])
  const overrides = series.overrides.filter((override) => isEarlier(override.key))
  const shortened = { ...series, rule: ended.rule, rdates: series.rdates.filter(isEarlier), exclusions, overrides }
  return {
    series: shortened,
    dropped: listLost(series, exceptionKeysFrom(series, key)),
    ...(hasOccurrence(shortened) ? {} : { isEmpty: true }),
  }
}

/** Exceptions from a key on. */
const exceptionKeysFrom = ({ exclusions, overrides }: Series, key: LocalMs): LocalMs[] =>
  [...exclusions, ...overrides.map((override) => override.key)].filter((wall) => wall >= key)

function hasOccurrence(series: Series): boolean {
  const { exclusions, overrides, timing } = series
  if (overrides.length > 0) return true
  const excluded = new Set(exclusions)
  const pattern = wholePatternOf(series)
  const most = excluded.size + 1
  const { walls, complete } = expandNominalWalls(pattern, timing.startWall, Number.MAX_SAFE_INTEGER, most)
  // A rule that takes too much work may have others.
  return !complete || walls.some((wall) => !excluded.has(wall))
}
