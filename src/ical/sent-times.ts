// Times in a text as a program sent it, read under zones we know, line by line; the text itself stays as it came.
import type { Series } from '../domain/calendar/event.ts'
import { parseTimeText } from '../domain/time/text.ts'
import type { Zone } from '../domain/time/zone.ts'
import { startOf } from './periods.ts'
import { plainTzid } from './scan.ts'
import { type Component, findProperty, listComponents, type Property, paramOf, splitList } from './tree.ts'
import { findZoneByTzid } from './tzid.ts'

/** Gives a line under the name we have for its zone, or as it is where it needs none. */
export type KnownLine = (line: Property) => Property

/** As the object was understood when it was taken in: times that name no zone are the series' own. */
export function makeKnownLine(tree: Component, { timing }: Series, ownZone: Zone): KnownLine {
  const known = new Map<string, string | undefined>()
  const nameOf = (tzid: string): string | undefined => {
    if (!known.has(tzid)) known.set(tzid, findZoneByTzid(tzid, definitionOf(tree, tzid), ownZone)?.name)
    return known.get(tzid)
  }
  return (line) => {
    const tzid = paramOf(line, 'TZID')
    if (tzid === undefined && (timing.allDay || !isReading(line))) return line
    const name = tzid === undefined ? timing.zone : nameOf(tzid)
    return name === undefined || name === tzid ? line : withTzid(line, name)
  }
}

function definitionOf(tree: Component, tzid: string): Component | undefined {
  const name = plainTzid(tzid).toLowerCase()
  const isIt = (zone: Component): boolean => plainTzid(findProperty(zone, 'TZID')?.value ?? '').toLowerCase() === name
  return listComponents(tree, 'VTIMEZONE').find(isIt)
}

/** Whether the line holds readings of a clock; dates and instants in UTC need no zone. */
export const isReading = ({ value }: Property): boolean =>
  splitList(value).some((text) => parseTimeText(startOf(text))?.kind === 'local')

export const withTzid = ({ name, params, value }: Property, tzid: string): Property => ({
  name,
  params: [...params.filter((param) => param.name !== 'TZID'), { name: 'TZID', values: [tzid] }],
  value,
})
