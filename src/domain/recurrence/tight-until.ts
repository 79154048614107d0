// Moves UNTIL back to the last occurrence, so that the author's exact UNTIL is not disclosed.
import { dayOf, HOUR_MS, type Instant, type LocalMs, MINUTE_MS, SECOND_MS } from '../time/instant.ts'
import { createRuleExpander, DEFAULT_WORK } from './expand.ts'
import { listNominalWalls, type Pattern, startAtOf } from './occurrences.ts'
import type { Rule } from './rule.ts'
import { createSearchCache, type SearchResult } from './search-cache.ts'

/** Around a clock change a later wall time may be an earlier instant. */
const SLACK_MS = 3 * HOUR_MS

/** `pattern` has every occurrence of its rule (see `withoutCut`). A rule that takes too much work keeps its UNTIL. */
export function withTightUntil(pattern: Pattern): Rule | undefined {
  const { rule, allDay } = pattern
  if (!rule?.until) return rule
  const last = findLastNominal(pattern, rule)
  if (last === undefined) return rule
  if (allDay) return { ...rule, until: { kind: 'date', day: dayOf(last) } }
  const around = listNominalWalls({ ...pattern, rdates: [] }, last - SLACK_MS, last + SLACK_MS)
  const instant = around.reduce((latest, wall) => Math.max(latest, startAtOf(pattern, wall)), startAtOf(pattern, last))
  return { ...rule, until: { kind: 'utc', instant } }
}

/** No nominal start of the series is later; `lastWall` may be much later, if UNTIL is. */
export function findTightLast(pattern: Pattern): LocalMs | undefined {
  const { rule, lastWall } = pattern
  const last = rule?.until && findLastNominal(pattern, rule)
  return last === undefined ? lastWall : Math.min(lastWall!, last + SLACK_MS)
}

const rememberLast = createSearchCache<LocalMs | undefined>()

/** The last nominal start; the start itself if the rule gives no other. Undefined if it takes too much work. */
function findLastNominal(pattern: Pattern, rule: Rule): LocalMs | undefined {
  const { startWall, lastWall, zone, allDay } = pattern
  return rememberLast(rule, startWall, `${lastWall} ${allDay ? '' : zone.name}`, () => searchLastNominal(pattern, rule))
}

/**
 * Around UNTIL every start is tested, as a later wall time may be an earlier instant. Before that, windows of doubling
 * length go back until one has an occurrence, and a binary search in it follows: a gap is walked three times at most.
 * The whole search has the work budget of one expansion.
 */
function searchLastNominal(pattern: Pattern, rule: Rule): SearchResult<LocalMs | undefined> {
  const { startWall, lastWall } = pattern
  const expand = createRuleExpander(rule, startWall)
  let work = DEFAULT_WORK
  const isUsedUp = (): boolean => work <= 0
  const found = (value: LocalMs | undefined): SearchResult<LocalMs | undefined> => ({
    value,
    work: DEFAULT_WORK - work,
  })
  const list = (from: LocalMs, to: LocalMs, limit: number): LocalMs[] => {
    const { walls, complete, workLeft } = expand({ from, to, last: lastWall!, limit, work })
    work = complete || walls.length === limit ? workLeft : 0
    return walls
  }
  let high = Math.max(lastWall! - 2 * SLACK_MS, startWall + 1)
  const around = list(high, Math.max(lastWall! + 1, high), Number.POSITIVE_INFINITY)
  const lastAround = around.findLast((wall) => isLetIn(rule, startAtOf(pattern, wall)))
  if (lastAround !== undefined || isUsedUp()) return found(isUsedUp() ? undefined : lastAround)
  let low: LocalMs = startWall
  for (let span = MINUTE_MS; low === startWall && high > startWall + 1; span *= 2) {
    const from = Math.max(high - span, startWall + 1)
    const [first] = list(from, high, 1)
    if (isUsedUp()) return found(undefined)
    if (first === undefined) high = from
    else low = first
  }
  while (low > startWall && high - low > SECOND_MS) {
    const middle = low + Math.ceil((high - low) / SECOND_MS / 2) * SECOND_MS
    const [first] = list(middle, high, 1)
    if (isUsedUp()) return found(undefined)
    if (first === undefined) high = middle
    else low = first
  }
  return found(low)
}

const isLetIn = ({ until }: Rule, startAt: Instant): boolean => until?.kind !== 'utc' || startAt <= until.instant
