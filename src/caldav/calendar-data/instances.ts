// Instances of a calendar object as instants, each with the VEVENT that defines it. RFC 4791 §9.9.
import type { Override, Series } from '../../domain/calendar/event.ts'
import { expand, type Pattern, startAtOf, wholePatternOf } from '../../domain/recurrence/occurrences.ts'
import {
  DAY_MS,
  dayOf,
  FIRST_YEAR,
  type Instant,
  LAST_YEAR,
  type LocalMs,
  wallFromParts,
} from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { startOfDay, toWall, type Zone } from '../../domain/time/zone.ts'
import { editsByKey, findMain } from '../../ical/decode.ts'
import { listRanges } from '../../ical/import/this-and-future.ts'
import { type Component, isComponent, listComponents } from '../../ical/text/tree.ts'
import type { TzidResolver } from '../../ical/zones/resolve-tzid.ts'

/** A stored object, parsed. `zone` defines its days: the calendar's zone, or that of the request. */
export interface ReadObject {
  /** As GET shows it. */
  tree: Component
  series: Series
  /** Resolves the TZID of a line in the tree, whatever the client calls the zone. */
  known: TzidResolver
  zone: Zone
}

export interface Instance {
  event: Component
  /** The nominal start. */
  key: LocalMs
  /** Local start of the instance; its date, for all-day events. */
  wall: LocalMs
  durationMs: number
  startAt: Instant
  endAt: Instant
}

/** Contains all events; a range with one open side ends here. */
export const ALL_TIME: Range = { from: wallFromParts(FIRST_YEAR - 1, 1, 1), to: wallFromParts(LAST_YEAR + 2, 1, 1) }

/** Half open; an instance without length counts at its start. */
export const overlaps = ({ startAt, endAt }: Pick<Instance, 'startAt' | 'endAt'>, { from, to }: Range): boolean =>
  startAt < to && (startAt >= from || endAt > from)

/** Instances of the main VEVENT in the range, without the deleted ones and those edited in another VEVENT. */
export function plainInstances(object: ReadObject, range: Range): { instances: Instance[]; complete: boolean } {
  const { series } = object
  const event = findMain(object.tree)
  if (!event) return { instances: [], complete: true }
  const skipped = new Set([...series.exclusions, ...series.overrides.map(({ key }) => key)])
  const pattern = patternFor(series)
  const window = series.timing.allDay ? datesOf(range, object.zone) : range
  const { occurrences, complete } = expand(pattern, window, skipped)
  const instances = occurrences.map(({ key, startAt, endAt }) => ({
    event,
    key,
    wall: key,
    durationMs: pattern.durationMs,
    ...placeOf(object, startAt, endAt),
  }))
  const periods = periodInstances(object, event).filter((instance) => overlaps(instance, range))
  return { instances: [...instances, ...periods], complete }
}

/** RDATE periods with their own lengths: stored as overrides, but GET shows them in the main VEVENT. */
function periodInstances(object: ReadObject, main: Component): Instance[] {
  const shown = new Set([...editedInstances(object).values()].flat().map(({ key }) => key))
  if (shown.size === object.series.overrides.length) return []
  const hidden = object.series.overrides.filter(({ key }) => !shown.has(key))
  return hidden.map((override) => editedInstance(object, main, override))
}

const edits = new WeakMap<ReadObject, ReadonlyMap<Component, readonly Instance[]>>()

/** Every edited occurrence, at any time, by its VEVENT; one with RANGE=THISANDFUTURE edits many. */
export function editedInstances(object: ReadObject): ReadonlyMap<Component, readonly Instance[]> {
  const known = edits.get(object) ?? readEdits(object)
  edits.set(object, known)
  return known
}

function readEdits(object: ReadObject): Map<Component, Instance[]> {
  const { tree, series, known } = object
  const all = series.overrides.length > 0 ? listComponents(tree, 'VEVENT') : []
  const edits = all.filter((event) => isEdit(object, event))
  const sent = new Map(edits.map((event) => [withKnownPlace(event, known), event]))
  const events = editsByKey([...sent.keys()], series.timing)
  const ranges = listRanges([...sent.keys()], series.timing)
  const instances = new Map<Component, Instance[]>()
  for (const override of series.overrides) {
    const named = events.get(override.key) ?? ranges.findLast(([key]) => key <= override.key)?.[1]
    const event = named && sent.get(named)
    if (!event) continue
    const ofEvent = instances.get(event) ?? []
    ofEvent.push(editedInstance(object, event, override))
    instances.set(event, ofEvent)
  }
  return instances
}

/** Resolves only RECURRENCE-ID, which names the edited occurrence; an event may have tens of thousands of lines. */
const withKnownPlace = (event: Component, known: TzidResolver): Component => ({
  ...event,
  children: event.children.map((node) => (isComponent(node) || node.name !== 'RECURRENCE-ID' ? node : known(node))),
})

const mains = new WeakMap<Component, Component | undefined>()

/** Whether a VEVENT edits one occurrence of another. */
export function isEdit({ tree }: ReadObject, event: Component): boolean {
  if (!mains.has(tree)) mains.set(tree, findMain(tree))
  return event !== mains.get(tree)
}

function editedInstance(object: ReadObject, event: Component, { key, timing }: Override): Instance {
  const { startWall, startAt, durationMs } = timing
  return { event, key, wall: startWall, durationMs, ...placeOf(object, startAt, startAt + durationMs) }
}

/** Where an occurrence would be without its override. */
export function nominalRange(object: ReadObject, key: LocalMs): { startAt: Instant; endAt: Instant } {
  const startAt = startAtOf(patternFor(object.series), key)
  return placeOf(object, startAt, startAt + object.series.timing.durationMs)
}

/** The days of an all-day event are days in the zone of the query. */
function placeOf({ series, zone }: ReadObject, startAt: Instant, endAt: Instant): { startAt: Instant; endAt: Instant } {
  if (!series.timing.allDay) return { startAt, endAt }
  return { startAt: startOfDay(zone, dayOf(startAt)), endAt: startOfDay(zone, dayOf(endAt)) }
}

/** The dates that overlap the range, as all-day events count them. */
const datesOf = ({ from, to }: Range, zone: Zone): Range => ({
  from: dayOf(toWall(zone, from)) * DAY_MS,
  to: (dayOf(toWall(zone, to - 1)) + 1) * DAY_MS,
})

const patterns = new WeakMap<Series, Pattern>()

/**
 * Cached: finding the end of COUNT can take long, and one filter may need it many times. Clients follow every rule to
 * its end, so the pattern has no listing limit.
 */
function patternFor(series: Series): Pattern {
  const pattern = patterns.get(series) ?? wholePatternOf(series)
  patterns.set(series, pattern)
  return pattern
}
