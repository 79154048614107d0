// Resolves the TZIDs of one calendar to zones; caches each definition and bounds the total cost.
import type { Zone } from '../../domain/time/zone.ts'
import type { Component } from '../text/tree.ts'
import { findZoneByTzid } from './tzid.ts'
import { matchZone } from './zone-match.ts'

/** Undefined when neither the name nor the definition decides, or when the calendar has used up its limits. */
export type ZoneResolver = (tzid: string) => Zone | undefined

/** Far more than real calendars have: a name may have many spellings, and each definition has to be evaluated. */
const MAX_TZIDS = 1_000
export const MAX_DEFINITIONS = 100
/** Definitions of real programs take 300 to 5,000 steps each. */
const MAX_MATCH_WORK = 300_000

/** `findDefinition` must return the same component for every spelling of one name. */
export function createZoneResolver(
  findDefinition: (tzid: string) => Component | undefined,
  ownZone: Zone,
): ZoneResolver {
  const zones = new Map<string, Zone | undefined>()
  const matched = new Map<Component, Map<string, Zone | undefined>>()
  const work = { left: MAX_MATCH_WORK }

  function match(definition: Component, preferred: readonly Zone[]): Zone | undefined {
    const known = matched.get(definition)
    if (!known && matched.size >= MAX_DEFINITIONS) return undefined
    const results = known ?? new Map<string, Zone | undefined>()
    matched.set(definition, results)
    const key = preferred.map(({ name }) => name).join(' ')
    if (!results.has(key)) results.set(key, matchZone(definition, preferred, work))
    return results.get(key)
  }

  return (tzid) => {
    if (zones.has(tzid)) return zones.get(tzid)
    if (zones.size >= MAX_TZIDS) return undefined
    const zone = findZoneByTzid(tzid, findDefinition(tzid), ownZone, match)
    zones.set(tzid, zone)
    return zone
  }
}
