// Recurrence expansion: seeks to a window and walks the rule within a bounded amount of work.
import { LruMap } from '../../lru-map.ts'
import { DAY_MS, FIRST_YEAR, type Instant, LAST_YEAR, type LocalMs, SECOND_MS, wallFromParts } from '../time/instant.ts'
import type { WorkBudget } from './period-numbers.ts'
import { createPeriods } from './periods.ts'
import type { Rule, Until } from './rule.ts'
import { createSearchCache } from './search-cache.ts'
import { createTimes, firstTimeFrom, type Times, timeAt } from './times.ts'

export interface ExpandOptions {
  from: LocalMs
  /** Exclusive. */
  to: LocalMs
  /** The last wall time of the series, inclusive; replaces COUNT and UNTIL of the rule. */
  last?: LocalMs
  /** Maximum number of results. */
  limit: number
  /** Maximum number of elementary steps. */
  work?: number
}

export interface Expansion {
  walls: LocalMs[]
  /** False when the limit or the work ran out before `to`. */
  complete: boolean
  workLeft: number
}

/** More than any rule of whole days needs for three centuries; under ten milliseconds. */
export const DEFAULT_WORK = 150_000

/** Nothing repeats beyond the last supported year. */
const HORIZON = wallFromParts(LAST_YEAR + 1, 1, 1)
const FIRST_WALL = wallFromParts(FIRST_YEAR, 1, 1)

/**
 * The occurrences in a window, ascending and unique. The start is always one of them, even if the rule does not give it
 * or UNTIL is before it: RFC 5545 §3.8.5.3 calls it the first instance.
 */
export const expandRule = (rule: Rule, start: LocalMs, options: ExpandOptions): Expansion =>
  createRuleExpander(rule, start)(options)

/** For many windows of one rule, which is prepared once. */
export function createRuleExpander(rule: Rule, start: LocalMs): (options: ExpandOptions) => Expansion {
  const walk = createRuleWalk(rule, start)
  return (options) => {
    const { from, to, limit } = options
    const last = options.last ?? findEnd(rule, start)
    const work: WorkBudget = { left: options.work ?? DEFAULT_WORK }
    const walls: LocalMs[] = []
    const hasRoom = (wall: LocalMs): boolean => walls.length < limit && walls.push(wall) > 0

    const end = Math.min(to, HORIZON)
    if (from <= start && start < end && !hasRoom(start)) return { walls, complete: false, workLeft: work.left }
    // If the end cannot be computed, only the start is returned: `complete` reports too few, but too many would go
    // unnoticed.
    if (last === 'too_much_work') return { walls, complete: false, workLeft: work.left }
    const outcome = walk(Math.max(from, start + 1), Math.min(end, last + 1), work, hasRoom)
    return { walls, complete: outcome === 'ended', workLeft: Math.max(work.left, 0) }
  }
}

/**
 * The wall time of the last occurrence that COUNT allows, computed once so that windows can be sought; undefined
 * without COUNT. A series that is not exhausted at the horizon ends with the last occurrence before it.
 */
export function findLastWall(rule: Rule, start: LocalMs): LocalMs | undefined | 'too_much_work' {
  const { count } = rule
  if (count === undefined) return undefined
  if (count === 1) return start
  return rememberCounted(rule, start, '', () => {
    const work: WorkBudget = { left: DEFAULT_WORK }
    let last = start
    let remaining = count - 1
    const outcome = walkRule(rule, start, start + 1, HORIZON, work, (wall) => {
      last = wall
      return --remaining > 0
    })
    return { value: outcome === 'exhausted' ? 'too_much_work' : last, work: DEFAULT_WORK - work.left }
  })
}

const rememberCounted = createSearchCache<LocalMs | 'too_much_work'>()

/** Whether the rule by itself, without COUNT and UNTIL, produces anything from the start to the horizon. */
export function hasOccurrence(rule: Rule, start: LocalMs): boolean | 'too_much_work' {
  const outcome = walkRule(rule, start, start, HORIZON, { left: DEFAULT_WORK }, () => false)
  if (outcome === 'exhausted') return 'too_much_work'
  return outcome === 'stopped'
}

/** Whether the rule by itself gives the start, which is an occurrence in any case. */
export const givesStart = (rule: Rule, start: LocalMs): boolean =>
  walkRule(rule, start, start, start + 1, { left: DEFAULT_WORK }, () => false) === 'stopped'

/**
 * What the rule would give before its start, ascending, as if it had begun earlier: at least the last `count` dates, and
 * all from `from` on. Fewer where the supported years begin or the work runs out.
 */
export function listWallsBefore(rule: Rule, start: LocalMs, count: number, from: LocalMs): LocalMs[] {
  const walk = createRuleWalk(rule, start)
  const work: WorkBudget = { left: DEFAULT_WORK }
  let walls: LocalMs[] = []
  for (let end = start, span = DAY_MS; end > FIRST_WALL && (walls.length < count || end > from); span *= 2) {
    const begin = Math.max(end - span, FIRST_WALL)
    const found: LocalMs[] = []
    if (walk(begin, end, work, (wall) => found.push(wall) > 0) !== 'ended') break
    walls = [...found, ...walls]
    end = begin
  }
  return walls
}

/** The last wall time that UNTIL includes. A date includes its whole day; an instant is converted by `toWall`. */
export function untilWall(until: Until, toWall: (instant: Instant) => LocalMs): LocalMs {
  if (until.kind === 'date') return (until.day + 1) * DAY_MS - SECOND_MS
  return until.kind === 'utc' ? toWall(until.instant) : until.wall
}

/** If the caller gave no end: computes COUNT, and reads UNTIL in UTC as if the series were in UTC. */
function findEnd(rule: Rule, start: LocalMs): LocalMs | 'too_much_work' {
  return rule.until ? untilWall(rule.until, (instant) => instant) : (findLastWall(rule, start) ?? HORIZON)
}

/** Called with each wall time in order; returning false stops the walk. */
type VisitWall = (wall: LocalMs) => boolean

type WalkOutcome = 'ended' | 'stopped' | 'exhausted'

/** Walks what the rule itself produces from `from` (which is not before the start) until before `end`. */
type RuleWalk = (from: LocalMs, end: LocalMs, work: WorkBudget, visit: VisitWall) => WalkOutcome

const walkRule = (
  rule: Rule,
  start: LocalMs,
  from: LocalMs,
  end: LocalMs,
  work: WorkBudget,
  visit: VisitWall,
): WalkOutcome => createRuleWalk(rule, start)(from, end, work, visit)

function createRuleWalk(rule: Rule, start: LocalMs): RuleWalk {
  const times = createTimes(rule, start)
  const periods = createPeriods(rule, start)
  if (!periods || !reachesPosition(rule.bySetPos, periods.mostAnchors * times.size)) return () => 'ended'
  const anchorsOf = cacheLast(periods.anchorsOf)
  const indexesIn = cacheSizes((size) => indexesOf(rule.bySetPos, size))

  return (from, end, work, visit) => {
    if (from >= end) return 'ended'
    for (let index = periods.indexAt(from); ; index++) {
      index = periods.skipTo(index, end, work)
      if (work.left <= 0) return 'exhausted'
      if (periods.beginOf(index) >= end) return 'ended'
      const anchors = anchorsOf(index)
      work.left -= 1 + anchors.length
      const outcome =
        rule.bySetPos.length > 0
          ? visitPositions(indexesIn(anchors.length * times.size), anchors, times, from, end, work, visit)
          : visitAll(anchors, times, from, end, work, visit)
      if (outcome) return outcome
    }
  }
}

/** Successive windows are often in the same period: a year has up to 366 anchors. */
function cacheLast(list: (of: number) => number[]): (of: number) => number[] {
  let last = Number.NaN
  let values: number[] = []
  return (of) => {
    if (of !== last) {
      values = list(of)
      last = of
    }
    return values
  }
}

/** Months have four lengths; a rule with filters may give more sizes. */
const MAX_SIZES = 64

function cacheSizes(list: (size: number) => number[]): (size: number) => number[] {
  const lists = new LruMap<number, number[]>(MAX_SIZES)
  return (size) => {
    const known = lists.get(size)
    if (known) return known
    const made = list(size)
    lists.set(size, made)
    return made
  }
}

/** Undefined: continue with the next period. */
function visitAll(
  anchors: LocalMs[],
  times: Times,
  from: LocalMs,
  end: LocalMs,
  work: WorkBudget,
  visit: VisitWall,
): WalkOutcome | undefined {
  const lastTime = timeAt(times, times.size - 1)
  for (let number = firstFrom(anchors, from - lastTime); number < anchors.length; number++) {
    const anchor = anchors[number]!
    if (anchor >= end) return 'ended'
    for (let i = anchor < from ? firstTimeFrom(times, from - anchor) : 0; i < times.size; i++) {
      const wall = anchor + timeAt(times, i)
      if (wall >= end) return 'ended'
      if (work.left-- <= 0) return 'exhausted'
      if (!visit(wall)) return 'stopped'
    }
  }
}

/** Index of the first value at or after `least` in an ascending list; its length when there is none. */
function firstFrom(values: readonly number[], least: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * BYSETPOS counts over the whole period, including the part of the first one before the start. The set is never built:
 * a position is split into day and time by division.
 */
function visitPositions(
  indexes: readonly number[],
  anchors: LocalMs[],
  times: Times,
  from: LocalMs,
  end: LocalMs,
  work: WorkBudget,
  visit: VisitWall,
): WalkOutcome | undefined {
  work.left -= indexes.length
  const lastTime = timeAt(times, times.size - 1)
  const firstIndex = firstFrom(anchors, from - lastTime) * times.size
  for (let i = firstFrom(indexes, firstIndex); i < indexes.length; i++) {
    const index = indexes[i]!
    const wall = anchors[Math.floor(index / times.size)]! + timeAt(times, index % times.size)
    if (wall < from) continue
    if (wall >= end) return 'ended'
    if (!visit(wall)) return 'stopped'
  }
}

/** Ascending, each once. */
function indexesOf(positions: readonly number[], size: number): number[] {
  const indexes: number[] = []
  for (const position of positions) {
    const index = position > 0 ? position - 1 : size + position
    if (index >= 0 && index < size) indexes.push(index)
  }
  return [...new Set(indexes)].sort((a, b) => a - b)
}

const reachesPosition = (positions: readonly number[], most: number): boolean =>
  positions.length === 0 || positions.some((position) => Math.abs(position) <= most)
