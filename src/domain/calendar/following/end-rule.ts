// Ends a recurrence rule before a nominal start, by COUNT or UNTIL as the rule has it.
import { expandRule } from '../../recurrence/expand.ts'
import { listNominalWalls, type Pattern, startAtOf, wholePatternOf } from '../../recurrence/occurrences.ts'
import { MAX_COUNT, parseRule, type Rule } from '../../recurrence/rule.ts'
import { withTightUntil } from '../../recurrence/tight-until.ts'
import { DAY_MS, type LocalMs, SECOND_MS } from '../../time/instant.ts'
import type { Series } from '../event.ts'
import { localUntil, withUntil } from '../repeat.ts'

export interface EndedRule {
  rule: Rule
  /** Nominal starts at or after the end that the rule still gives, because UNTIL is an instant. */
  exclusions: LocalMs[]
}

/** A series of the start alone still repeats, so that its exceptions and the keys of its occurrences stay valid. */
const ONLY_START = parseRule('FREQ=DAILY;COUNT=1') as Rule

/** The rule without the occurrences at and after `key`. The start is always an occurrence, so it may have to be excluded. */
export function endBefore(series: Series, key: LocalMs): EndedRule {
  const { rule, timing } = series
  if (key <= timing.startWall) return { rule: ONLY_START, exclusions: [timing.startWall] }
  if (!rule) return { rule: ONLY_START, exclusions: [] }
  const count = rule.count === undefined ? undefined : countBefore(rule, timing.startWall, key)
  if (count !== undefined) return { rule: { ...rule, count }, exclusions: [] }
  const whole: Pattern = { ...wholePatternOf(series), rdates: [] }
  if (rule.until && localUntil(rule.until, timing) < key) return { rule, exclusions: [] }
  const until = { kind: 'local', wall: key - SECOND_MS } as const
  const { count: _, ...endless } = rule
  const cut = withTightUntil({ ...whole, rule: { ...endless, until }, lastWall: until.wall })!
  const ended = withUntil(cut, timing)
  return { rule: ended, exclusions: givenFrom(series, ended, key) }
}

/** The start counts, also where the rule does not give it. Undefined where counting takes too much work. */
export function countBefore(rule: Rule, start: LocalMs, key: LocalMs): number | undefined {
  const { walls, complete } = expandRule(rule, start, { from: start, to: key, limit: MAX_COUNT + 1 })
  return complete ? walls.length : undefined
}

/** Where clocks change, a later wall time may be the same instant as an earlier one, or before it. */
function givenFrom(series: Series, rule: Rule, key: LocalMs): LocalMs[] {
  const pattern = wholePatternOf({ ...series, rule, rdates: [] })
  const last = rule.until?.kind === 'utc' ? rule.until.instant : Number.NEGATIVE_INFINITY
  return listNominalWalls(pattern, key, key + DAY_MS).filter((wall) => startAtOf(pattern, wall) <= last)
}
