// Matches a VTIMEZONE of unknown name to an IANA zone by its offsets. RFC 5545 §3.6.5.
import { expandRule, untilWall } from '../../domain/recurrence/expand.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import {
  DAY_MS,
  HOUR_MS,
  type Instant,
  type LocalMs,
  MINUTE_MS,
  SECOND_MS,
  wallFromParts,
  wallOfDay,
} from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import { findZone, listZoneNames, type OffsetChange, offsetAt, type Zone } from '../../domain/time/zone.ts'
import { createZoneIndex, type ZoneIndex } from '../../domain/time/zone-index.ts'
import { type Component, findProperty, isComponent, listProperties } from '../text/tree.ts'

/** Offsets in milliseconds. */
interface ZoneTransition extends OffsetChange {
  from: number
}

/** Of zones with the same offsets one of these is preferred to the first by name. */
const COMMON = [
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
/** Early enough for the offset at the first of those years. */
const RULES_FROM = wallFromParts(1998, 1, 1)
/** A definition larger than any real one is not evaluated; one or two milliseconds. */
const MAX_OBSERVANCES = 500
const MAX_CHANGES = 2_000
const MAX_WORK = 60_000
/** Parsing an observance, and a letter of its rule, costs about as many steps of the expander. */
const OBSERVANCE_WORK = 100
const RULE_LETTER_WORK = 5

/** Steps of work left for further definitions. */
interface MatchBudget {
  left: number
}

/** The first zone with the same offsets at every instant: of the preferred ones, of the common ones, of all. */
export function matchZone(
  definition: Component,
  preferred: readonly Zone[],
  budget: MatchBudget = { left: MAX_WORK },
): Zone | undefined {
  const changes = readChanges(definition, budget)
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
  index ??= createZoneIndex([...COMMON, ...listZoneNames()], wallFromParts(SINCE_YEARS[0]!, 1, 1), COMPARED_TO)
  const name = index.find(since, offset, changes)
  const isCommon = name !== undefined && COMMON.includes(name)
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

/** In order of time; undefined when there are none, too many, or one that cannot be parsed. */
function readChanges(definition: Component, budget: MatchBudget): ZoneTransition[] | undefined {
  const observances = definition.children.filter(isComponent)
  if (observances.length === 0 || observances.length > MAX_OBSERVANCES) return undefined
  const work = { left: Math.min(MAX_WORK, budget.left) }
  const allowed = work.left
  try {
    work.left -= observances.length * OBSERVANCE_WORK
    return work.left > 0 ? readObservances(observances, work) : undefined
  } finally {
    budget.left -= allowed - work.left
  }
}

function readObservances(observances: readonly Component[], work: MatchBudget): ZoneTransition[] | undefined {
  const changes: ZoneTransition[] = []
  for (const observance of observances) {
    const from = readOffset(findProperty(observance, 'TZOFFSETFROM')?.value)
    const to = readOffset(findProperty(observance, 'TZOFFSETTO')?.value)
    const walls = from === undefined ? undefined : readWalls(observance, from, work)
    if (from === undefined || to === undefined || !walls || changes.length + walls.length > MAX_CHANGES)
      return undefined
    for (const wall of walls) changes.push({ at: wall - from, from, to })
  }
  return changes.sort((a, b) => a.at - b.at)
}

function readWalls(observance: Component, offset: number, work: MatchBudget): LocalMs[] | undefined {
  const start = readWall(findProperty(observance, 'DTSTART')?.value ?? '')
  const dates = listProperties(observance, 'RDATE').flatMap(({ value }) => value.split(',', MAX_CHANGES + 1))
  if (start === undefined || dates.length > MAX_CHANGES) return undefined
  const walls = [start, ...dates.map(readWall)]
  if (!walls.every((wall) => wall !== undefined)) return undefined
  const rule = findProperty(observance, 'RRULE')
  if (!rule) return walls
  work.left -= rule.value.length * RULE_LETTER_WORK
  if (work.left <= 0) return undefined
  const more = expandYearly(rule.value.trim(), start, offset, work)
  return more && [...walls, ...more]
}

/** What a rule gives from 1998 on, or in its last two years if they are earlier: only the last state before matters. */
function expandYearly(text: string, start: LocalMs, offset: number, work: MatchBudget): LocalMs[] | undefined {
  const rule = parseRule(text)
  if (typeof rule === 'string' || rule.frequency !== 'YEARLY' || rule.count !== undefined) return undefined
  const last = rule.until ? untilWall(rule.until, (instant) => instant + offset) : COMPARED_TO + DAY_MS
  const from = Math.min(RULES_FROM, last - 2 * 366 * DAY_MS)
  const limits = { from, to: COMPARED_TO + DAY_MS, last, limit: 200, work: work.left }
  const { walls, complete, workLeft } = expandRule(rule, start, limits)
  work.left = workLeft
  return complete ? walls : undefined
}

function readWall(text: string): LocalMs | undefined {
  const time = parseTimeText(text.trim())
  if (time?.kind === 'date') return wallOfDay(time.day)
  return time?.kind === 'local' ? time.wall : time?.written
}

function readOffset(text: string | undefined): number | undefined {
  const match = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text?.trim() ?? '')
  if (!match) return undefined
  const size = Number(match[2]) * HOUR_MS + Number(match[3]) * MINUTE_MS + Number(match[4] ?? 0) * SECOND_MS
  return match[1] === '-' ? -size : size
}
