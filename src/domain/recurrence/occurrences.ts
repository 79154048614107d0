// Recurrence expansion of a series: start, rule and RDATEs, minus skipped keys, as instants.

import type { Series } from '../calendar/event.ts'
import { DAY_MS, HOUR_MS, type Instant, type LocalMs } from '../time/instant.ts'
import type { Range } from '../time/window.ts'
import { requireZone, toInstant, toWall, type Zone } from '../time/zone.ts'
import { createRuleExpander, expandRule, findLastWall, untilWall } from './expand.ts'
import type { Rule } from './rule.ts'
import { isFrequent, MAX_FREQUENT } from './sub-daily-limit.ts'

/** The data that expansion needs, resolved once. */
export interface Pattern {
  allDay: boolean
  zone: Zone
  startWall: LocalMs
  startAt: Instant
  durationMs: number
  rule: Rule | undefined
  /**
   * The last nominal start of the rule, inclusive: from COUNT, UNTIL or the listing limit. Undefined if it never ends.
   */
  lastWall: LocalMs | undefined
  rdates: readonly LocalMs[]
}

export interface OccurrenceTime {
  key: LocalMs
  startAt: Instant
  endAt: Instant
}

export interface ExpandedOccurrences {
  occurrences: OccurrenceTime[]
  /** False when a limit stopped the work before the end of the range. */
  complete: boolean
  workLeft: number
}

/** More than any request needs of one series; a rule that takes more work is hostile. */
const SERIES_LIMIT = 20_000
const SERIES_WORK = 200_000

export const patternOf = (series: Series): Pattern => resolvePattern(unresolved(series))

/** With every occurrence of its rule, even if only the first ones are listed. */
export const wholePatternOf = (series: Series): Pattern => withoutListingLimit(unresolved(series))

export const withoutListingLimit = (pattern: Unresolved): Pattern => ({ ...pattern, lastWall: endOf(pattern) })

type Unresolved = Omit<Pattern, 'lastWall'>

const unresolved = ({ timing, rule, rdates }: Series): Unresolved => {
  const { allDay, zone, startWall, startAt, durationMs } = timing
  return { allDay, zone: requireZone(zone), startWall, startAt, durationMs, rule, rdates }
}

/** `knownLast` is the end by COUNT, UNTIL or the listing limit, if it was computed before. */
export const resolvePattern = (pattern: Unresolved, knownLast?: LocalMs): Pattern => ({
  ...pattern,
  lastWall: knownLast ?? findLastListed(pattern) ?? endOf(pattern),
})

/** The last listed nominal start of a frequent rule that has more; undefined if all are listed. */
export function findLastListed(pattern: Unresolved): LocalMs | undefined {
  if (!pattern.rule || !isFrequent(pattern.rule)) return undefined
  const whole = withoutListingLimit({ ...pattern, rdates: [] })
  const { startWall } = pattern
  const { walls, workLeft } = nominalWalls(whole, startWall, Number.MAX_SAFE_INTEGER, MAX_FREQUENT + 1, SERIES_WORK)
  const isTruncated = walls.length > MAX_FREQUENT || workLeft === 0
  return isTruncated ? walls[Math.min(walls.length, MAX_FREQUENT) - 1] : undefined
}

/** The inclusive end of a rule in wall time. An UNTIL in UTC is applied exactly, by instant, during expansion. */
function endOf({ rule, startWall, zone, allDay }: Unresolved): LocalMs | undefined {
  if (!rule) return undefined
  if (rule.count !== undefined) {
    const last = findLastWall(rule, startWall)
    return typeof last === 'number' ? last : startWall
  }
  if (!rule.until) return undefined
  const slack = rule.until.kind === 'utc' && !allDay ? 3 * HOUR_MS : 0
  return untilWall(rule.until, (instant) => (allDay ? instant : toWall(zone, instant))) + slack
}

/** True for a rule without COUNT, UNTIL and listing limit. */
export const isEndless = (pattern: Pattern): boolean => pattern.rule !== undefined && pattern.lastWall === undefined

/** Occurrences that overlap the range, ordered by start, without those whose keys are skipped. */
export function expand(
  pattern: Pattern,
  range: Range,
  skipped: ReadonlySet<LocalMs> = new Set(),
  limit = SERIES_LIMIT,
  work = SERIES_WORK,
): ExpandedOccurrences {
  const { zone, allDay, durationMs } = pattern
  // A day of slack on both sides covers any difference in offset between wall time and the requested instants.
  const slack = allDay ? 0 : DAY_MS
  const wall = (instant: Instant): LocalMs => (allDay ? instant : toWall(zone, instant))
  const { walls, complete, workLeft } = nominalWalls(
    pattern,
    wall(range.from) - durationMs - slack,
    wall(range.to) + slack,
    limit,
    work,
  )
  const occurrences: OccurrenceTime[] = []
  for (const key of walls) {
    if (skipped.has(key)) continue
    const startAt = startAtOf(pattern, key)
    const endAt = startAt + durationMs
    if (startAt < range.to && (startAt >= range.from || endAt > range.from)) occurrences.push({ key, startAt, endAt })
  }
  return { occurrences, complete, workLeft }
}

export const startAtOf = (pattern: Pattern, key: LocalMs): Instant => {
  if (pattern.allDay) return key
  return key === pattern.startWall ? pattern.startAt : toInstant(pattern.zone, key)
}

export const hasNominal = (pattern: Pattern, wall: LocalMs): boolean => createNominalCheck(pattern)(wall)

/** For many dates of one pattern. Each is looked up independently: the result for one must not disclose another. */
export function createNominalCheck(pattern: Pattern): (wall: LocalMs) => boolean {
  const { rule, startWall, lastWall: last } = pattern
  const extra = new Set(pattern.rdates)
  if (!rule) return (wall) => wall === startWall || extra.has(wall)
  const expand = createRuleExpander(rule, startWall)
  const isLetIn = rule.until?.kind === 'utc' ? withinUntil(pattern, rule.until.instant) : () => true
  const isGiven = (wall: LocalMs): boolean => {
    const { walls } = expand({ from: wall, to: wall + 1, last, limit: SERIES_LIMIT, work: SERIES_WORK })
    return walls.includes(wall) && isLetIn(wall)
  }
  return (wall) => extra.has(wall) || isGiven(wall)
}

/** Nominal starts `from ≤ wall < to`, including excluded ones; at most `limit`. */
export const listNominalWalls = (pattern: Pattern, from: LocalMs, to: LocalMs, limit = SERIES_LIMIT): LocalMs[] =>
  nominalWalls(pattern, from, to, limit, SERIES_WORK).walls

/** The same, and whether they are all: false where the limit or the work ran out before. */
export const expandNominalWalls = (
  pattern: Pattern,
  from: LocalMs,
  to: LocalMs,
  limit: number,
): { walls: LocalMs[]; complete: boolean } => nominalWalls(pattern, from, to, limit, SERIES_WORK)

function nominalWalls(
  pattern: Pattern,
  from: LocalMs,
  to: LocalMs,
  limit: number,
  work: number,
): { walls: LocalMs[]; complete: boolean; workLeft: number } {
  const { rule, startWall, lastWall: last, rdates } = pattern
  const isInside = (wall: LocalMs): boolean => wall >= from && wall < to
  if (!rule) {
    return {
      walls: withExtra(isInside(startWall) ? [startWall] : [], rdates.filter(isInside)),
      complete: true,
      workLeft: work,
    }
  }
  const expansion = expandRule(rule, startWall, { from, to, last, limit, work })
  const walls =
    rule.until?.kind === 'utc' ? expansion.walls.filter(withinUntil(pattern, rule.until.instant)) : expansion.walls
  // If the expansion stopped early, extra dates stop at the same point: a truncated result is complete up to there.
  const reached = expansion.complete ? to : (expansion.walls.at(-1) ?? from)
  const extra = rdates.filter((wall) => isInside(wall) && wall <= reached)
  return { walls: withExtra(walls, extra), complete: expansion.complete, workLeft: expansion.workLeft }
}

/** The start is an occurrence even after the rule's end (RFC 5545 §3.8.5.3). */
const withinUntil =
  (pattern: Pattern, until: Instant) =>
  (wall: LocalMs): boolean =>
    wall === pattern.startWall || startAtOf(pattern, wall) <= until

const withExtra = (walls: LocalMs[], extra: readonly LocalMs[]): LocalMs[] =>
  extra.length === 0 ? walls : [...new Set([...walls, ...extra])].sort((a, b) => a - b)
