// Occurrence keys: the nominal local start of an occurrence, which no clock change, zone move or edit can make ambiguous.
import { dayOf, HOUR_MS, type Wall, wallOfDay } from '../time/instant.ts'
import { formatBasicDate, formatBasicLocal, parseTimeText, type TimeText } from '../time/text.ts'
import { toInstant, toWall } from '../time/zone.ts'
import { hasNominal, listNominalWalls, type Pattern } from './occurrences.ts'

/** Local forms, dates and instants are all read; undefined means malformed. */
export const parseOccurrenceKey = (text: string): TimeText | undefined => parseTimeText(text)

export const formatOccurrenceKey = (wall: Wall, allDay: boolean): string =>
  allDay ? formatBasicDate(dayOf(wall)) : formatBasicLocal(wall)

/** The widest shift of a clock on record is a whole day (Samoa, 2011); three hours cover every change of rules since. */
const NEAR_MS = 3 * HOUR_MS

/** The nominal start in this series that a key names, excluded or not; undefined when the series has none there. */
export function findKey(pattern: Pattern, key: TimeText): Wall | undefined {
  if (pattern.allDay) {
    if (key.kind !== 'date') return undefined
    const wall = wallOfDay(key.day)
    return hasNominal(pattern, wall) ? wall : undefined
  }
  if (key.kind === 'date') return undefined
  if (key.kind === 'local') return hasNominal(pattern, key.wall) ? key.wall : undefined
  // By instant: in the night the clocks go forward an occurrence is shown an hour after the reading that names it.
  const about = toWall(pattern.zone, key.instant)
  return listNominalWalls(pattern, about - NEAR_MS, about + NEAR_MS).find(
    (wall) => toInstant(pattern.zone, wall) === key.instant,
  )
}
