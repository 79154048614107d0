// UNTIL moved back to the last occurrence it lets in: the same occurrences, and no other moment is named.
import { dayOf, HOUR_MS, type Instant, SECOND_MS, type Wall } from '../time/instant.ts'
import { createRuleExpander } from './expand.ts'
import { listNominalWalls, type Pattern, startAtOf } from './occurrences.ts'
import type { Rule } from './rule.ts'

/** Around a change of the clocks a later reading may be an earlier instant. */
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

/** No nominal start of the series is later; `lastWall` may be much later, where UNTIL is. */
export function findTightLast(pattern: Pattern): Wall | undefined {
  const { rule, lastWall } = pattern
  const last = rule?.until && findLastNominal(pattern, rule)
  return last === undefined ? lastWall : Math.min(lastWall!, last + SLACK_MS)
}

/** The last nominal start, by bisection to the second; the start itself where the rule gives no other. */
function findLastNominal(pattern: Pattern, rule: Rule): Wall | undefined {
  const { startWall, lastWall } = pattern
  const expand = createRuleExpander(rule, startWall)
  let low = startWall
  let high = Math.max(lastWall! + 1, low)
  while (high - low > SECOND_MS) {
    const middle = low + Math.ceil((high - low) / SECOND_MS / 2) * SECOND_MS
    const { walls, complete } = expand({ from: middle, to: lastWall! + 1, last: lastWall!, limit: 1 })
    if (walls.length === 0 && !complete) return undefined
    if (walls.some((wall) => isLetIn(rule, startAtOf(pattern, wall)))) low = middle
    else high = middle
  }
  return low
}

const isLetIn = ({ until }: Rule, startAt: Instant): boolean => until?.kind !== 'utc' || startAt <= until.instant
