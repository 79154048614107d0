// Finds the zone of a TZID: IANA names, prefixed or not, Windows names, or the VTIMEZONE itself.
import { findZone, type Zone } from '../../domain/time/zone.ts'
import { type Component, findProperty } from '../text/tree.ts'
import { findWindowsZone } from './windows-zones.ts'
import { matchZone } from './zone-match.ts'

const LONGEST_NAME = 255

/**
 * Undefined when neither the name nor the VTIMEZONE decides: nothing is guessed. Of zones with the same transitions the
 * calendar's own is preferred, if given.
 */
export function findZoneByTzid(
  tzid: string,
  definition?: Component,
  own?: Zone,
  match: (definition: Component, preferred: readonly Zone[]) => Zone | undefined = matchZone,
): Zone | undefined {
  const named = findZoneByName(tzid)
  if (named && (named.name.includes('/') || !definition)) return named
  // EST, CET or GMT have other offsets in the IANA database than in many calendars, so the definition decides.
  if (named) return match(definition!, [named, ...(own ? [own] : [])]) ?? named
  if (!definition) return undefined
  const location = findProperty(definition, 'X-LIC-LOCATION')?.value
  return (location && findZoneByName(location)) || match(definition, own ? [own] : [])
}

function findZoneByName(text: string): Zone | undefined {
  if (text.length > LONGEST_NAME) return undefined
  const name = text.replaceAll('"', '').trim()
  return findZone(name) ?? findBehindPrefix(name) ?? findWindowsZone(name)
}

/**
 * `/mozilla.org/20050126_1/America/Indiana/Knox`: up to three last parts; a single one only behind a URL or a slash.
 */
function findBehindPrefix(name: string): Zone | undefined {
  const parts = name.split('/')
  const isAddress = name.startsWith('/') || name.includes('://')
  for (const count of isAddress ? [3, 2, 1] : [3, 2]) {
    const zone = parts.length > count ? findZone(parts.slice(-count).join('/')) : undefined
    if (zone) return zone
  }
  return undefined
}
