// A calendar object's text with every zone it names defined in it, as programs that read it alone need (RFC 5545 §3.6.5).
import type { Steps } from '../domain/steps.ts'
import { findZone, type Zone } from '../domain/time/zone.ts'
import { timeZoneText } from './time-zones.ts'

/**
 * Only texts of ours: the zones they name are known, and none is defined yet. In short parts: lines that mean nothing to
 * us may name tens of thousands of zones that do not exist.
 */
export function* withZoneTexts(ical: string): Steps<string> {
  const at = ical.indexOf('BEGIN:VEVENT')
  if (at < 0) return ical
  // By zone: upper and lower case are one name, which has 32,000 spellings.
  const zones = new Set<Zone>()
  let count = 0
  for (const name of yield* findZonesNamed(ical)) {
    count += 1
    if (count % NAMES_AT_ONCE === 0) yield
    const zone = findZone(name)
    if (zone) zones.add(zone)
  }
  let definitions = ''
  for (const zone of zones) {
    definitions += timeZoneText(zone)
    yield
  }
  return ical.slice(0, at) + definitions + ical.slice(at)
}

/** To look for one takes up to a millisecond. */
const NAMES_AT_ONCE = 10
const WORDS_AT_ONCE = 1_000

/** In order. A word in a description may look like one; then a zone is defined that nothing refers to. */
function* findZonesNamed(ical: string): Steps<string[]> {
  const unfolded = ical.includes('\r\n ') ? ical.replace(/\r\n[ \t]/g, '') : ical
  const names = new Set<string>()
  let count = 0
  for (const [, name] of unfolded.matchAll(/;TZID="?([\w+/-]{1,60})/g)) {
    names.add(name!)
    count += 1
    if (count % WORDS_AT_ONCE === 0) yield
  }
  names.delete('UTC')
  return [...names].sort()
}
