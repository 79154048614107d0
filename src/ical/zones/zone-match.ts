// Matches a VTIMEZONE of unknown name to an IANA zone by its offsets. RFC 5545 §3.6.5.
import { HOUR_MS, type Instant, wallFromParts } from '../../domain/time/instant.ts'
import { findZone, listZoneNames, offsetAt, type Zone } from '../../domain/time/zone.ts'
import { createZoneIndex, type ZoneIndex } from '../../domain/time/zone-index.ts'
import type { Component } from '../text/tree.ts'
import { createReadBudget, type ReadBudget, readChanges, type ZoneTransition } from './observances.ts'

/** Of zones with the same offsets one of these is preferred to the first by name. */
export const COMMON_ZONES = [
  'Europe/London',
  'Europe/Paris',
  'Europe/Helsinki',
  'Europe/Moscow',
  'Europe/Istanbul',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Halifax',
  'America/St_Johns',
  'America/Mexico_City',
  'America/Bogota',
  'America/Sao_Paulo',
  'America/Argentina/Buenos_Aires',
  'America/Santiago',
  'America/Nuuk',
  'Africa/Cairo',
  'Africa/Johannesburg',
  'Africa/Lagos',
  'Africa/Nairobi',
  'Asia/Jerusalem',
  'Asia/Riyadh',
  'Asia/Dubai',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Dhaka',
  'Asia/Yangon',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Perth',
  'Australia/Adelaide',
  'Australia/Brisbane',
  'Australia/Sydney',
  'Pacific/Auckland',
]

/**
 * Outlook writes only the current rule, as if it had always applied; so fewer years are compared if more do not match.
 */
const SINCE_YEARS = [2000, 2010, 2020]
const COMPARED_TO = wallFromParts(2041, 1, 1)
/** From early enough for the offset at the first of those years. */
const COMPARED = { from: wallFromParts(1998, 1, 1), to: COMPARED_TO }
/** The first zone with the same offsets at every instant: of the preferred ones, of the common ones, of all. */
export function matchZone(
  definition: Component,
  preferred: readonly Zone[],
  budget: ReadBudget = createReadBudget(),
): Zone | undefined {
  const changes = readChanges(definition, budget, COMPARED)
  if (!changes) return undefined
  for (const year of SINCE_YEARS) {
    const since = wallFromParts(year, 1, 1)
    const wanted = changesSince(changes, since)
    const zone = preferred.find((own) => isAlike(own, since, wanted)) ?? findAlike(since, wanted)
    if (zone) return zone
  }
  return undefined
}

/** Common zones first, then a zone with a fixed number of hours, then all others by name. */
function findAlike(since: Instant, wanted: readonly ZoneTransition[]): Zone | undefined {
  const [{ to: offset }, ...changes] = wanted as [ZoneTransition, ...ZoneTransition[]]
  index ??= createZoneIndex([...COMMON_ZONES, ...listZoneNames()], wallFromParts(SINCE_YEARS[0]!, 1, 1), COMPARED_TO)
  const name = index.find(since, offset, changes)
  const isCommon = name !== undefined && COMMON_ZONES.includes(name)
  const fixed = changes.length === 0 && !isCommon ? findFixedZone(offset / HOUR_MS) : undefined
  return fixed ?? (name === undefined ? undefined : findZone(name))
}

const findFixedZone = (hours: number): Zone | undefined =>
  findZone(hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`)

/** Created on the first match and kept: querying every zone for each definition takes milliseconds. */
let index: ZoneIndex | undefined

/** The offset at an instant, as a change then, and every real change from it to the end of the comparison. */
function changesSince(changes: readonly ZoneTransition[], since: Instant): ZoneTransition[] {
  let offset = changes[0]!.from
  const found: ZoneTransition[] = []
  for (const { at, to } of changes) {
    if (at > since && found.length === 0) found.push({ at: since, from: offset, to: offset })
    if (at >= COMPARED_TO) break
    if (at > since && to !== offset) found.push({ at, from: offset, to })
    offset = to
  }
  return found.length > 0 ? found : [{ at: since, from: offset, to: offset }]
}

function isAlike(zone: Zone, since: Instant, wanted: readonly ZoneTransition[]): boolean {
  if (offsetAt(zone, since) !== wanted[0]!.to) return false
  let index = zone.transitions.findIndex((at) => at > since)
  if (index < 0) index = zone.transitions.length
  for (const { at, to } of wanted.slice(1)) {
    if (zone.transitions[index] !== at || zone.offsets[index + 1] !== to) return false
    index += 1
  }
  return (zone.transitions[index] ?? COMPARED_TO) >= COMPARED_TO
}
