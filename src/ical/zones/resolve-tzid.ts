// TZID resolver: reads the times of a stored text in known zones; the text itself stays unchanged.
import type { Series } from '../../domain/calendar/event.ts'
import type { Steps } from '../../domain/steps.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { findMain } from '../decode.ts'
import { startTextOf } from '../import/periods.ts'
import { plainTzid } from '../text/scan.ts'
import {
  type Component,
  findProperty,
  isComponent,
  listComponents,
  type Property,
  paramOf,
  splitList,
} from '../text/tree.ts'
import { inUtc, localOf, MAX_DEFINED, readDefinedZone } from './defined-zone.ts'
import { createZoneResolver } from './zone-resolver.ts'

/** Returns a line with the known name of its zone, in UTC if its zone has none, or unchanged if it needs none. */
export type TzidResolver = (line: Property) => Property

/** Resolves as the import did: floating times are in the zone of the series. Each step finds the zone of one TZID. */
export function* createTzidResolver(tree: Component, { timing }: Series, ownZone: Zone): Steps<TzidResolver> {
  const definitions = definitionsOf(tree)
  const resolve = createZoneResolver((tzid) => definitions.get(plainTzid(tzid).toLowerCase()), ownZone)
  const defined = new Map<string, Zone>()
  // By the definition: a name may be written in many ways.
  const zones = new Map<Component, Zone | undefined>()
  for (const tzid of listTzids(tree)) {
    yield
    const definition = resolve(tzid) ? undefined : definitions.get(plainTzid(tzid).toLowerCase())
    if (!definition) continue
    if (!zones.has(definition) && zones.size < MAX_DEFINED) zones.set(definition, readDefinedZone(definition))
    const zone = zones.get(definition)
    if (zone) defined.set(tzid, zone)
  }
  const start = startLineOf(tree)
  const startTzid = start && paramOf(start, 'TZID')
  const startZone = startTzid === undefined ? undefined : defined.get(startTzid)
  const startWall = start && startZone ? localOf(start.value, undefined) : undefined
  return (line) => {
    const tzid = paramOf(line, 'TZID')
    const zone = tzid === undefined ? startZone : defined.get(tzid)
    if (zone) return inUtc(line, zone, zone === startZone ? startWall : undefined)
    if (tzid === undefined && (timing.allDay || !hasLocalTimes(line))) return line
    const name = tzid === undefined ? timing.zone : resolve(tzid)?.name
    return name === undefined || name === tzid ? line : withTzid(line, name)
  }
}

/** DTSTART of the series; of overrides without their series, of the first. */
const startLineOf = (tree: Component): Property | undefined =>
  findProperty(findMain(tree) ?? listComponents(tree, 'VEVENT')[0] ?? tree, 'DTSTART')

/** Properties of an event with its times. */
export const TIME_LINES = ['DTSTART', 'DTEND', 'RECURRENCE-ID', 'EXDATE', 'RDATE']

function listTzids(tree: Component): Set<string> {
  const tzids = new Set<string>()
  for (const event of listComponents(tree, 'VEVENT'))
    for (const node of event.children) {
      const tzid = isComponent(node) || !TIME_LINES.includes(node.name) ? undefined : paramOf(node, 'TZID')
      if (tzid !== undefined) tzids.add(tzid)
    }
  return tzids
}

/** By TZID in lower case; the first of several with one name. */
function definitionsOf(tree: Component): Map<string, Component> {
  const definitions = new Map<string, Component>()
  for (const zone of listComponents(tree, 'VTIMEZONE')) {
    const name = plainTzid(findProperty(zone, 'TZID')?.value ?? '').toLowerCase()
    if (!definitions.has(name)) definitions.set(name, zone)
  }
  return definitions
}

/** Whether the line contains wall times; dates and instants in UTC need no zone. */
export const hasLocalTimes = ({ value }: Property): boolean =>
  splitList(value).some((text) => parseTimeText(startTextOf(text))?.kind === 'local')

export const withTzid = ({ name, params, value }: Property, tzid: string): Property => ({
  name,
  params: [...params.filter((param) => param.name !== 'TZID'), { name: 'TZID', values: [tzid] }],
  value,
})
