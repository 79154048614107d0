// Adds VTIMEZONE definitions to the text of a calendar object sent alone (RFC 5545 §3.6.5).
import type { Steps } from '../../domain/steps.ts'
import { findZone, type Zone } from '../../domain/time/zone.ts'
import { findZoneNames } from '../text/extract-vevents.ts'
import { timeZoneText } from './vtimezone.ts'

/** Only for texts that the service prints, which define no zone yet. In steps: EXDATE may name many zones. */
export function* withZoneTexts(ical: string): Steps<string> {
  const at = ical.indexOf('\nBEGIN:VEVENT') + 1
  if (at === 0) return ical
  // A set of zones and not of names: `findZone` ignores case, so one zone has thousands of spellings.
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

/** The first ones in the text are defined. An event has one or two; a definition may be longer than the event. */
const MAX_ZONES = 4

/** Looking up one takes up to a millisecond. */
const NAMES_AT_ONCE = 10
