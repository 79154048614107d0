// Time zones as tables: transitions are read from Temporal once, conversions are binary searches.
import { DAY_MS, type Day, FIRST_YEAR, type Instant, LAST_YEAR, type LocalMs, wallFromParts } from './instant.ts'

export interface Zone {
  readonly name: string
  /** Instants at which the offset changes, ascending. */
  readonly transitions: readonly Instant[]
  /** Offsets in milliseconds: `offsets[0]` before the first transition, `offsets[i + 1]` from transition `i` on. */
  readonly offsets: readonly number[]
  /** Wall times from which `offsets[i + 1]` applies; see `createZone`. */
  readonly thresholds: readonly LocalMs[]
}

export interface OffsetChange {
  at: Instant
  /** The offset from then on, in milliseconds. */
  to: number
}

/** One year of slack on both sides, so a window or an override at the edge still has its transitions. */
const TABLE_FROM = wallFromParts(FIRST_YEAR - 1, 1, 1)
const TABLE_TO = wallFromParts(LAST_YEAR + 2, 1, 1)

const zones = new Map<string, Zone>()

/** The zone of an IANA name, or undefined. Names are matched without case and returned in canonical spelling. */
export function findZone(name: string): Zone | undefined {
  const known = zones.get(name)
  if (known) return known
  const canonical = canonicalName(name)
  if (canonical === undefined) return undefined
  const zone = zones.get(canonical) ?? buildZone(canonical)
  zones.set(canonical, zone)
  return zone
}

export function requireZone(name: string): Zone {
  const zone = findZone(name)
  if (!zone) throw new RangeError(`Unknown time zone: ${name}`)
  return zone
}

/** One name for every zone of the IANA database, in alphabetical order, without other names of the same zone. */
export const listZoneNames = (): string[] => Intl.supportedValuesOf('timeZone')

export function offsetAt(zone: Zone, instant: Instant): number {
  return zone.offsets[countUpTo(zone.transitions, instant)]!
}

/** The offset of one zone at one instant, without building its table: a hundredth of the cost. */
export function findOffset(name: string, instant: Instant): number | undefined {
  const zone = zones.get(name)
  if (zone) return offsetAt(zone, instant)
  try {
    return offsetMs(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name))
  } catch {
    return undefined
  }
}

/** The changes of one zone's offset after one instant and before another, without building its table. */
export function listChanges(name: string, after: Instant, before: Instant): OffsetChange[] {
  const changes: OffsetChange[] = []
  const first = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(name)
  for (let next = first.getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
    if (next.epochMilliseconds >= before) break
    changes.push({ at: next.epochMilliseconds, to: offsetMs(next) })
  }
  return changes
}

export const toWall = (zone: Zone, instant: Instant): LocalMs => instant + offsetAt(zone, instant)

/**
 * The instant at which a clock in the zone shows `wall`. A wall time that occurs twice means the first; a skipped one
 * is read with the offset before the gap (RFC 5545 §3.3.5), so 01:30 in a London spring night is 02:30.
 */
export function toInstant(zone: Zone, wall: LocalMs): Instant {
  return wall - zone.offsets[countUpTo(zone.thresholds, wall)]!
}

/** The wall times of an instant: what the clock shows, and just after a gap also the skipped one that maps to it. */
export function readingsOf(zone: Zone, instant: Instant): LocalMs[] {
  const index = countUpTo(zone.transitions, instant)
  const shown = instant + zone.offsets[index]!
  const skipped = instant + (zone.offsets[index - 1] ?? zone.offsets[index]!)
  return skipped !== shown && toInstant(zone, skipped) === instant ? [shown, skipped] : [shown]
}

/** The first instant of a local day; if midnight does not exist, the end of the gap. */
export function startOfDay(zone: Zone, day: Day): Instant {
  const midnight = day * DAY_MS
  const index = countUpTo(zone.thresholds, midnight)
  const gapAt = zone.transitions[index]
  const skipped =
    gapAt !== undefined && gapAt + zone.offsets[index]! <= midnight && midnight < gapAt + zone.offsets[index + 1]!
  return skipped ? gapAt : midnight - zone.offsets[index]!
}

/** Accepts only names of the IANA database: Temporal also takes bare offsets such as "+01:00", which are no zones. */
function canonicalName(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined
  }
}

function buildZone(name: string): Zone {
  const transitions: Instant[] = []
  const first = Temporal.Instant.fromEpochMilliseconds(TABLE_FROM).toZonedDateTimeISO(name)
  const offsets = [offsetMs(first)]
  for (let next = first.getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
    if (next.epochMilliseconds > TABLE_TO) break
    transitions.push(next.epochMilliseconds)
    offsets.push(offsetMs(next))
  }
  return createZone(name, transitions, offsets)
}

/** A zone with these changes, ascending; `offsets` has one more, for the time before the first. */
export function createZone(name: string, transitions: readonly Instant[], offsets: readonly number[]): Zone {
  // From `transition + the larger of both offsets` on, a wall time can only mean the new offset: that is the end of the
  // gap when clocks go forward, and the end of the ambiguous hour when they go back.
  const thresholds = transitions.map((at, i) => at + Math.max(offsets[i]!, offsets[i + 1]!))
  return { name, transitions, offsets, thresholds }
}

const offsetMs = (at: Temporal.ZonedDateTime): number => Math.round(at.offsetNanoseconds / 1e6)

/** How many of the ascending values are at or below `value`. */
function countUpTo(values: readonly number[], value: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
