// A calendar object's text with every zone it names defined in it, as programs that read it alone need (RFC 5545 §3.6.5).
import type { Steps } from '../domain/steps.ts'
import { findZone, type Zone } from '../domain/time/zone.ts'
import { findZoneNames } from './blocks.ts'
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
  for (const name of yield* findZoneNames(ical)) {
    if (name === 'UTC') continue
    count += 1
    if (count % NAMES_AT_ONCE === 0) yield
    const zone = findZone(name)
    if (zone) zones.add(zone)
    if (zones.size >= MAX_ZONES) break
  }
  const definitions = [...zones]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(timeZoneText)
    .join('')
  return ical.slice(0, at) + definitions + ical.slice(at)
}

/** In the order of the text. An event has one or two; a definition may be as long as the event. */
const MAX_ZONES = 4

/** To look for one takes up to a millisecond. */
const NAMES_AT_ONCE = 10
