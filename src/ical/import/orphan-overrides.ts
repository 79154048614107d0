// Edited occurrences whose series is not here, as who is invited to them alone has them: a series of just their dates. RFC 4791 §4.1.
import { sortedUnique } from '../../domain/calendar/repeat.ts'
import { requireZone, toInstant, toWall, type Zone } from '../../domain/time/zone.ts'
import { decodeTiming, editsByKey, overrideKey } from '../decode.ts'
import { encodeTiming } from '../encode.ts'
import { type Component, findProperty, upperCaseAscii, withProperties } from '../text/tree.ts'
import { listLine, readMomentLine } from '../times.ts'
import type { Gathered } from './periods.ts'

/** Where all zones are known. Of several edits of one and the same occurrence one is the whole object. */
export function gatherAlone(edits: readonly Component[], ownZone: Zone): Gathered | 'occurrence_unreadable' {
  // The earliest, in whatever order they came: the length of the series must not tell how a program wrote its file.
  // What is cancelled says nothing of the others.
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
  // With the first among them: some programs take extra dates without a rule for all there is.
  const main = withProperties(head, 'RDATE', listLine('RDATE', keys, allDay, zone))
  return { main: withClassOfAll(main, edits), edits }
}

/** Read in the zone in which the series named it: an occurrence may have been moved into another. */
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

/** Where one of them does not say who may see it, the others cannot say it for the series. */
const withClassOfAll = (main: Component, edits: readonly Component[]): Component =>
  edits.every((event) => findProperty(event, 'CLASS')) ? main : withProperties(main, 'CLASS', [])
