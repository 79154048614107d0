// Occurrence keys: the nominal local start, unambiguous across clock changes, zone moves and edits.
import { dayOf, type LocalMs, wallOfDay } from '../time/instant.ts'
import { formatBasicDate, formatBasicLocal, parseTimeText, type TimeText } from '../time/text.ts'
import { readingsOf } from '../time/zone.ts'
import { createNominalCheck, type Pattern, startAtOf } from './occurrences.ts'

/** Accepts local forms, dates and instants; undefined means malformed. */
export const parseOccurrenceKey = (text: string): TimeText | undefined => parseTimeText(text)

export const formatOccurrenceKey = (wall: LocalMs, allDay: boolean): string =>
  allDay ? formatBasicDate(dayOf(wall)) : formatBasicLocal(wall)

/**
 * The nominal start that a key names in this series, excluded or not; undefined when there is none. An exception has
 * its key even if the series has no occurrence there or no longer lists it.
 */
export const findKey = (pattern: Pattern, key: TimeText, exceptions?: readonly LocalMs[]): LocalMs | undefined =>
  createKeyFinder(pattern, exceptions)(key)

/** For many keys of one series. */
export function createKeyFinder(
  pattern: Pattern,
  exceptions: readonly LocalMs[] = [],
): (key: TimeText) => LocalMs | undefined {
  const known = new Set(exceptions)
  const isNominal = createNominalCheck(pattern)
  const isThere = (wall: LocalMs): boolean => known.has(wall) || isNominal(wall)
  const { allDay, zone } = pattern
  return (key) => {
    if (allDay) return key.kind === 'date' && isThere(wallOfDay(key.day)) ? wallOfDay(key.day) : undefined
    if (key.kind === 'date') return undefined
    if (key.kind === 'local') return isThere(key.wall) ? key.wall : undefined
    // By instant: when clocks go forward, an occurrence is shown an hour after its nominal wall time.
    return readingsOf(zone, key.instant).find((wall) => startAtOf(pattern, wall) === key.instant && isThere(wall))
  }
}
