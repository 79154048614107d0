// A calendar object's text with every zone it names defined in it, as whoever reads it alone needs (RFC 5545 §3.6.5).
import { findZone } from '../domain/time/zone.ts'
import { timeZoneText } from './time-zones.ts'

/** Only texts of ours: the zones they name are known, and none is defined yet. */
export function withZoneTexts(ical: string): string {
  const at = ical.indexOf('BEGIN:VEVENT')
  const definitions = zonesNamedIn(ical).map((name) => {
    const zone = findZone(name)
    return zone ? timeZoneText(zone) : ''
  })
  return at < 0 ? ical : ical.slice(0, at) + definitions.join('') + ical.slice(at)
}

/** In order. A word in somebody's text may look like one; then a zone is defined that nothing refers to. */
function zonesNamedIn(ical: string): string[] {
  const unfolded = ical.includes('\r\n ') ? ical.replace(/\r\n[ \t]/g, '') : ical
  const names = new Set<string>()
  for (const [, name] of unfolded.matchAll(/;TZID="?([\w+/-]{1,60})/g)) names.add(name!)
  names.delete('UTC')
  return [...names].sort()
}
