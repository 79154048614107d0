// The zone in which a report looks at days and times that name none. RFC 4791 §9.8, RFC 7809 §9.1.
import { findZone, requireZone, type Zone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { isParseProblem, parseCalendar } from '../../ical/parse.ts'
import { findProperty, listComponents } from '../../ical/tree.ts'
import { findZoneByTzid } from '../../ical/tzid.ts'
import { CALDAV } from '../xml/names.ts'
import { findChild, textOf, type XmlElement } from '../xml/parse.ts'

/** The asker's, by definition or by name; else the calendar's own. */
export function zoneIn(root: XmlElement, ownName: string): Zone {
  const own = requireZone(ownName)
  const byName = findChild(root, CALDAV, 'timezone-id')
  if (byName) return findZone(textOf(byName).trim()) ?? fail('data_invalid')
  const defined = findChild(root, CALDAV, 'timezone')
  return defined ? (readDefinition(textOf(defined), own) ?? fail('data_invalid')) : own
}

function readDefinition(text: string, own: Zone): Zone | undefined {
  const tree = parseCalendar(text.trim())
  const [definition, ...others] = isParseProblem(tree) ? [] : listComponents(tree, 'VTIMEZONE')
  const tzid = definition && findProperty(definition, 'TZID')?.value
  return tzid === undefined || others.length > 0 ? undefined : findZoneByTzid(tzid, definition, own)
}
