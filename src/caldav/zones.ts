// The zone in which days and times that name none are looked at: of one question, of the asker, else the calendar's. RFC 4791 §5.2.2 and §9.8, RFC 7809.
import { type OwnProperties, readOwnProperties } from '../actions/dav-properties.ts'
import { findZone, requireZone, type Zone } from '../domain/time/zone.ts'
import { fail } from '../errors.ts'
import { HEADER } from '../ical/encode.ts'
import { isParseProblem, parseCalendar } from '../ical/parse.ts'
import { timeZoneText } from '../ical/time-zones.ts'
import { findProperty, listComponents } from '../ical/tree.ts'
import { findZoneByTzid } from '../ical/tzid.ts'
import { keyOf, type Scene } from './resources.ts'
import { CALDAV } from './xml/names.ts'
import { findChild, textOf, type XmlElement } from './xml/parse.ts'
import { plainText, type Xml } from './xml/write.ts'

/** As the report says itself, by name or by definition; else as the asker has set it. */
export async function zoneFor(scene: Scene, root: XmlElement): Promise<Zone> {
  const byName = findChild(root, CALDAV, 'timezone-id')
  if (byName) return findZone(textOf(byName).trim()) ?? fail('zone_unknown')
  const defined = findChild(root, CALDAV, 'timezone')
  if (defined) return readZone(textOf(defined), calendarZone(scene)) ?? fail('data_invalid')
  return ownZone(scene, await readOwnProperties(scene.ctx, scene.person))
}

/** Somebody's zone is one fact with two names: the definition they sent is kept, and its name is read from it. */
export const ZONE_KEY = keyOf('calendar', CALDAV, 'calendar-timezone')

export function ownZone(scene: Scene, own: OwnProperties): Zone {
  const kept = own.get(ZONE_KEY)?.value
  const calendars = calendarZone(scene)
  return (kept === undefined ? undefined : readZone(plainText(kept as Xml), calendars)) ?? calendars
}

/** A calendar with one VTIMEZONE, of a zone that is known. Of zones with the same clock ours is meant. */
export function readZone(text: string, ours: Zone): Zone | undefined {
  const tree = parseCalendar(text.trim())
  if (isParseProblem(tree) || tree.name !== 'VCALENDAR') return undefined
  const [definition, ...others] = listComponents(tree, 'VTIMEZONE')
  const tzid = definition && findProperty(definition, 'TZID')?.value
  return tzid === undefined || others.length > 0 ? undefined : findZoneByTzid(tzid, definition, ours)
}

export function zoneText(name: string): string {
  const header = HEADER.map((line) => `${line.name}:${line.value}\r\n`).join('')
  return `BEGIN:VCALENDAR\r\n${header}${timeZoneText(requireZone(name))}END:VCALENDAR\r\n`
}

export const calendarZone = ({ ctx }: Scene): Zone => requireZone(ctx.config.timezone)
