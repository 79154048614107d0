// Interoperable RRULE: UNTIL typed like DTSTART, and no COUNT if DTSTART does not match the rule.
import type { Series, Timing } from '../domain/calendar/event.ts'
import { localUntil, withUntil } from '../domain/calendar/repeat.ts'
import { givesStart } from '../domain/recurrence/expand.ts'
import { listNominalWalls, wholePatternOf } from '../domain/recurrence/occurrences.ts'
import { parseRule, type Rule } from '../domain/recurrence/rule.ts'
import { dayOf, type LocalMs } from '../domain/time/instant.ts'

export interface InteropRule {
  rule: Rule | undefined
  /** Whether the rule does not give the start. */
  isOffRule: boolean
}

/**
 * RFC 5545 §3.8.5.3 leaves open what a DTSTART outside its own rule means. Here it is the first occurrence and counts;
 * other programs neither show nor count it. So UNTIL replaces COUNT, and the start is written separately.
 */
export function interopRule(series: Series): InteropRule {
  const { rule, timing } = series
  if (!rule || givesStart(rule, timing.startWall)) return { rule: rule && settled(rule, timing), isOffRule: false }
  const pattern = wholePatternOf({ ...series, rdates: [] })
  const [second] = listNominalWalls(pattern, timing.startWall + 1, Number.MAX_SAFE_INTEGER, 1)
  if (second === undefined) return { rule: ONLY_START, isOffRule: false }
  return { rule: settled(withLast(rule, pattern.lastWall), timing), isOffRule: true }
}

/** If no occurrence follows the start. */
const ONLY_START = parseRule('FREQ=DAILY;COUNT=1') as Rule

function withLast({ count, ...rule }: Rule, last: LocalMs | undefined): Rule {
  return count === undefined || last === undefined ? rule : { ...rule, until: { kind: 'local', wall: last } }
}

/** UNTIL in the form of DTSTART, as RFC 5545 §3.3.10 requires, whatever form the client wrote. */
function settled(rule: Rule, timing: Timing): Rule {
  if (!rule.until || !timing.allDay) return withUntil(rule, timing)
  return withUntil({ ...rule, until: { kind: 'date', day: dayOf(localUntil(rule.until, timing)) } }, timing)
}
