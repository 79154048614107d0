// Times in a text as a program sent it, read under zones we know, line by line; the text itself stays as it came.
import type { Series } from '../../domain/calendar/event.ts'
import type { Steps } from '../../domain/steps.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { startOf } from '../import/periods.ts'
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
import { createZoneResolver } from './zone-resolver.ts'

/** Gives a line under the name we have for its zone, or as it is where it needs none. */
export type TzidResolver = (line: Property) => Property

/**
 * As the object was understood when it was taken in: times that name no zone are the series' own. Each step finds the
 * zone of one TZID of these.
 */
export function* makeKnownLine(tree: Component, { timing }: Series, ownZone: Zone): Steps<TzidResolver> {
  const definitions = definitionsOf(tree)
  const resolve = createZoneResolver((tzid) => definitions.get(plainTzid(tzid).toLowerCase()), ownZone)
  for (const tzid of listTzids(tree)) {
    resolve(tzid)
    yield
  }
  return (line) => {
    const tzid = paramOf(line, 'TZID')
    if (tzid === undefined && (timing.allDay || !isReading(line))) return line
    const name = tzid === undefined ? timing.zone : resolve(tzid)?.name
    return name === undefined || name === tzid ? line : withTzid(line, name)
  }
}

/** Lines of an event with times of it. */
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

/** Whether the line holds readings of a clock; dates and instants in UTC need no zone. */
export const isReading = ({ value }: Property): boolean =>
  splitList(value).some((text) => parseTimeText(startOf(text))?.kind === 'local')

export const withTzid = ({ name, params, value }: Property, tzid: string): Property => ({
  name,
  params: [...params.filter((param) => param.name !== 'TZID'), { name: 'TZID', values: [tzid] }],
  value,
})
