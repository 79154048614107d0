// Maps the TZIDs of a foreign event to known zones, by name or by the file's VTIMEZONE.
import type { Steps } from '../../domain/steps.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { isParseProblem, parseCalendar } from '../text/parse.ts'
import { type FileCalendar, plainTzid } from '../text/scan.ts'
import { type Component, findProperty, isComponent, type Property, paramOf } from '../text/tree.ts'
import { readDefinedZone } from './defined-zone.ts'
import { hasLocalTimes, TIME_LINES, withTzid } from './resolve-tzid.ts'
import { createZoneResolver, MAX_DEFINITIONS, type ZoneResolver } from './zone-resolver.ts'

type FindZone = (tzid: string, calendar: FileCalendar) => Zone | undefined

/** The zone that a TZID of this calendar means; undefined when it cannot be determined. */
export interface ZoneFinder extends FindZone {
  /** A zone of the rules of its VTIMEZONE, without a name. */
  defined: FindZone
}

interface CalendarZones {
  resolve: ZoneResolver
  findDefinition: (tzid: string) => Component | undefined
  defined: Map<Component, Zone | undefined>
}

/** Of several matching zones the calendar's own is preferred. */
export function createZoneFinder(ownZone: Zone): ZoneFinder {
  const known = new WeakMap<FileCalendar, CalendarZones>()
  const zonesOf = (calendar: FileCalendar): CalendarZones => {
    const before = known.get(calendar)
    if (before) return before
    const findDefinition = createDefinitionFinder(calendar)
    const zones = { resolve: createZoneResolver(findDefinition, ownZone), findDefinition, defined: new Map() }
    known.set(calendar, zones)
    return zones
  }
  const find: FindZone = (tzid, calendar) => zonesOf(calendar).resolve(tzid)
  const findDefined: FindZone = (tzid, calendar) => {
    const { findDefinition, defined } = zonesOf(calendar)
    const definition = findDefinition(tzid)
    if (!definition) return undefined
    if (!defined.has(definition)) {
      if (defined.size >= MAX_DEFINITIONS) return undefined
      defined.set(definition, readDefinedZone(definition))
    }
    return defined.get(definition)
  }
  return Object.assign(find, { defined: findDefined })
}

/** Real definitions have at most 16 KiB; one longer than this is not parsed. */
const MAX_DEFINITION_CHARS = 65_536

/** Each definition is parsed once. */
function createDefinitionFinder({ definitions, definitionsInAnyCase }: FileCalendar) {
  const parsed = new Map<string, Component | undefined>()
  return (tzid: string): Component | undefined => {
    const name = plainTzid(tzid)
    const text = definitions.get(name) ?? definitionsInAnyCase.get(name.toLowerCase())
    if (text === undefined || text.length > MAX_DEFINITION_CHARS) return undefined
    if (parsed.has(text)) return parsed.get(text)
    const tree = parseCalendar(text)
    const definition = isParseProblem(tree) ? undefined : tree
    parsed.set(text, definition)
    return definition
  }
}

/**
 * The zone for floating times of an event: that of the series, or if its start is floating too, that of the file.
 * Undefined if the series is all-day or in UTC and needs no zone, or if its times stay floating.
 */
export function anchorOf(
  main: Component,
  calendar: FileCalendar,
  ownZone: Zone,
  findZone: ZoneFinder,
): Zone | undefined {
  const start = findProperty(main, 'DTSTART')
  if (!start || !hasLocalTimes(start)) return undefined
  const tzid = paramOf(start, 'TZID')
  if (tzid !== undefined) return findZone(tzid, calendar)
  const zone = calendar.zoneName && findZone(calendar.zoneName, calendar)
  return zone && zone !== ownZone ? zone : undefined
}

/** Finds the zones that `withKnownZones` needs, one per step; the finder caches them. Ends at the first unknown. */
export function* resolveZonesInSteps(event: Component, calendar: FileCalendar, findZone: ZoneFinder): Steps<void> {
  const seen = new Set<string>()
  for (const node of event.children) {
    const tzid = isComponent(node) || !TIME_LINES.includes(node.name) ? undefined : paramOf(node, 'TZID')
    if (tzid === undefined || seen.has(tzid) || !hasLocalTimes(node as Property)) continue
    seen.add(tzid)
    if (!findZone(tzid, calendar)) return
    yield
  }
}

/** The event with every wall time in a known zone. Undefined when a zone cannot be determined. */
export function withKnownZones(
  event: Component,
  calendar: FileCalendar,
  anchor: Zone | undefined,
  findZone: ZoneFinder,
): Component | undefined {
  let isChanged = false
  const children: Component['children'][number][] = []
  for (const node of event.children) {
    if (isComponent(node) || !TIME_LINES.includes(node.name) || !hasLocalTimes(node)) {
      children.push(node)
      continue
    }
    const tzid = paramOf(node, 'TZID')
    const zone = tzid === undefined ? anchor : findZone(tzid, calendar)
    if (!zone && tzid !== undefined) return undefined
    const isRight = !zone || zone.name === tzid
    isChanged ||= !isRight
    children.push(isRight ? node : withTzid(node, zone.name))
  }
  return isChanged ? { ...event, children } : event
}
