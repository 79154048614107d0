// Orphan overrides (RECURRENCE-ID without a series): stored as a series of RDATEs. RFC 4791 §4.1.
import { sortedUnique } from '../../domain/calendar/repeat.ts'
import { requireZone, toInstant, toWall, type Zone } from '../../domain/time/zone.ts'
import { decodeTiming, editsByKey, overrideKey } from '../decode.ts'
import { encodeTiming } from '../encode.ts'
import { type Component, findProperty, upperCaseAscii, withProperties } from '../text/tree.ts'
import { lineZoneOf, listLine, readMomentLine } from '../times.ts'
import type { SeriesComponents } from './periods.ts'

/** All zones must be resolved. If all overrides are of the same occurrence, one of them is the whole object. */
export function collectOrphans(edits: readonly Component[], ownZone: Zone): SeriesComponents | 'occurrence_unreadable' {
  // The earliest one that is not cancelled: the length of the series must not depend on the order in the file, and a
  // cancelled override says nothing about the others.
  const inOrder = edits.toSorted((a, b) => namedAt(a, ownZone) - namedAt(b, ownZone))
  const model = inOrder.find((event) => !isCancelled(event)) ?? inOrder[0]!
  const timing = timingOf(model, ownZone)
  const found = timing ? edits.map((event) => overrideKey(event, timing)) : []
  const keys = sortedUnique(found.filter((key) => key !== undefined))
  const [first, ...others] = keys
  if (!timing || first === undefined || found.includes(undefined)) return 'occurrence_unreadable'
  if (others.length === 0) return { main: editsByKey(edits, timing).get(first)!, edits: [] }
  const { allDay } = timing
  const zone = requireZone(timing.zone)
  const startAt = allDay ? first : toInstant(zone, first)
  const head = encodeTiming(withProperties(model, 'RECURRENCE-ID', []), { ...timing, startWall: first, startAt })
  // Including the first: some clients take RDATEs without a rule as the complete set.
  const main = withProperties(head, 'RDATE', listLine('RDATE', keys, allDay, lineZoneOf(timing)))
  return { main: withClassOfAll(main, edits), edits }
}

/** In the zone of RECURRENCE-ID: an occurrence may have been moved to another. */
function timingOf(event: Component, ownZone: Zone) {
  const own = decodeTiming(event, ownZone.name)
  const named = readMomentLine(findProperty(event, 'RECURRENCE-ID')!, ownZone)
  if (!own || !named || own.allDay || named.isDate) return named && own
  return { ...own, zone: named.zone.name, startWall: toWall(named.zone, own.startAt) }
}

const namedAt = (event: Component, ownZone: Zone): number =>
  readMomentLine(findProperty(event, 'RECURRENCE-ID')!, ownZone)?.at ?? 0

const isCancelled = (event: Component): boolean =>
  upperCaseAscii(findProperty(event, 'STATUS')?.value.trim() ?? '') === 'CANCELLED'

/** If one override has no CLASS, the others do not decide for the series. */
const withClassOfAll = (main: Component, edits: readonly Component[]): Component =>
  edits.every((event) => findProperty(event, 'CLASS')) ? main : withProperties(main, 'CLASS', [])
