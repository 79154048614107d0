// Occurrence keys: the nominal local start of an occurrence, which no clock change, zone move or edit can make ambiguous.
import { dayOf, type LocalMs, wallOfDay } from '../time/instant.ts'
import { formatBasicDate, formatBasicLocal, parseTimeText, type TimeText } from '../time/text.ts'
import { readingsOf } from '../time/zone.ts'
import { createNominalCheck, type Pattern, startAtOf } from './occurrences.ts'

/** Local forms, dates and instants are all read; undefined means malformed. */
export const parseOccurrenceKey = (text: string): TimeText | undefined => parseTimeText(text)

export const formatOccurrenceKey = (wall: LocalMs, allDay: boolean): string =>
  allDay ? formatBasicDate(dayOf(wall)) : formatBasicLocal(wall)

/**
 * The nominal start in this series that a key names, excluded or not; undefined when the series has none there. What was
 * edited or deleted by a program has its key, also where the series itself has no occurrence or lists none any more.
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
    // By instant: in the night the clocks go forward an occurrence is shown an hour after the reading that names it.
    return readingsOf(zone, key.instant).find((wall) => startAtOf(pattern, wall) === key.instant && isThere(wall))
  }
}
