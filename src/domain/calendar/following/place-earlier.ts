// Finds a date in a changed series for each occurrence before the change, and a key for it.
import { createNominalCheck, wholePatternOf } from '../../recurrence/occurrences.ts'
import type { LocalMs } from '../../time/instant.ts'
import type { Series } from '../event.ts'

export interface EarlierDate {
  /** Its key in the series before. */
  key: LocalMs
  /** Its local start in the changed series; two may not have the same. */
  wall: LocalMs
  isExcluded: boolean
}

export interface EarlierPlaces {
  /** New keys by previous ones. */
  keys: Map<LocalMs, LocalMs>
  /** Extra dates for those that no date of the rule is left for. */
  rdates: LocalMs[]
  /** Dates of the rule that none of them takes. */
  unused: LocalMs[]
}

/**
 * `slots` are the dates of the changed series before the change. An occurrence whose date is one of them keeps its key.
 * The others take the free dates in order, and are moved back by an override, which every client knows; the rest become
 * extra dates, which not every client knows. Undefined where an extra date would repeat a later date.
 */
export function placeEarlier(
  changed: Series,
  slots: readonly LocalMs[],
  earlier: readonly EarlierDate[],
): EarlierPlaces | undefined {
  const keys = new Map<LocalMs, LocalMs>()
  const free = new Set(slots)
  const others: EarlierDate[] = []
  for (const date of earlier) {
    if (free.delete(date.wall)) keys.set(date.key, date.wall)
    else others.push(date)
  }
  const [live, excluded] = [others.filter((one) => !one.isExcluded), others.filter((one) => one.isExcluded)]
  const left = [...free].sort((a, b) => a - b)
  const place = (dates: EarlierDate[]): EarlierDate[] => {
    // Of more free dates than needed the last ones: they are nearest.
    const taken = left.splice(Math.max(0, left.length - dates.length))
    const inOrder = dates.toSorted((a, b) => a.wall - b.wall)
    for (const [index, slot] of taken.entries()) keys.set(inOrder[index]!.key, slot)
    return inOrder.slice(taken.length)
  }
  const areEnough = others.length <= left.length
  // With the deleted ones each takes the date next to its own; the shown ones come first where there are too few.
  const unplaced = place(areEnough ? others : live)
  if (!areEnough) place(excluded)
  const isTaken = createNominalCheck(wholePatternOf(changed))
  if (unplaced.some(({ wall }) => wall <= changed.timing.startWall || isTaken(wall))) return undefined
  for (const { key, wall } of unplaced) keys.set(key, wall)
  return { keys, rdates: unplaced.map(({ wall }) => wall), unused: left }
}
