// Several RRULEs, and EXRULEs, as one rule with RDATEs and EXDATEs. RFC 5545 §3.8.5.3.
import { MAX_EXCEPTIONS } from '../../domain/calendar/event-limits.ts'
import { isWithoutDates, settleRule } from '../../domain/calendar/repeat.ts'
import { Problems } from '../../domain/problems.ts'
import { givesStart } from '../../domain/recurrence/expand.ts'
import { createNominalCheck, expand, type Pattern, withoutListingLimit } from '../../domain/recurrence/occurrences.ts'
import { parseRule, type Rule } from '../../domain/recurrence/rule.ts'
import type { Steps } from '../../domain/steps.ts'
import { LAST_YEAR, type LocalMs, wallFromParts } from '../../domain/time/instant.ts'
import { requireZone, type Zone } from '../../domain/time/zone.ts'
import { decodeKeys, decodeTiming } from '../decode.ts'
import { type Component, listProperties, type Property, withProperties } from '../text/tree.ts'
import { lineZoneOf, listLine } from '../times.ts'

/** Real events have two; each takes up to 20 ms to expand. */
const MAX_RULES = 10

/** Checked before any of them is parsed. */
export const hasTooManyRules = (main: Component): boolean =>
  listProperties(main, 'RRULE').length + listProperties(main, 'EXRULE').length > MAX_RULES

type RulesProblem = 'rules_combined' | 'rrule_invalid'

/**
 * All zones must be resolved. Times and a single rule that cannot be read are left for the decoder to refuse. A rule
 * without dates, such as one that ends before the start, adds and takes away nothing: the start is always a date.
 */
export function* combineRules(main: Component, ownZone: Zone): Steps<Component | RulesProblem> {
  const [rules, excluded] = [listProperties(main, 'RRULE'), listProperties(main, 'EXRULE')]
  if (rules.length + excluded.length === 0) return main
  const timing = decodeTiming(main, ownZone.name)
  if (!timing) return main
  if (rules.length === 1 && excluded.length === 0) {
    const rule = parseRule(rules[0]!.value.trim())
    const isVoid = typeof rule !== 'string' && isWithoutDates(rule, timing)
    return isVoid ? withProperties(main, 'RRULE', []) : main
  }
  const zone = requireZone(timing.zone)
  const readLine = (line: Property): RuleOfLine | 'rrule_invalid' | 'none' => {
    const parsed = parseRule(line.value.trim())
    if (typeof parsed === 'string') return 'rrule_invalid'
    const problems = new Problems()
    const rule = settleRule(parsed, timing, problems)
    if (!rule) return problems.first === 'rrule_no_occurrences' ? 'none' : 'rrule_invalid'
    return { line, pattern: withoutListingLimit({ ...timing, zone, rule, rdates: [] }) }
  }
  const [allGiven, allTaken] = [rules.map(readLine), excluded.map(readLine)]
  if ([...allGiven, ...allTaken].includes('rrule_invalid')) return 'rrule_invalid'
  const given = allGiven.filter((one) => typeof one === 'object')
  // An endless rule stays a rule, if there is one.
  const kept = Math.max(
    0,
    given.findIndex(({ pattern }) => pattern.lastWall === undefined),
  )
  const extra = new Set(decodeKeys(main, 'RDATE', timing))
  for (const [index, { pattern }] of given.entries()) {
    if (index === kept) continue
    const keys = listAll(pattern)
    if (!keys) return 'rules_combined'
    for (const key of keys) extra.add(key)
    yield
  }
  const all = given[kept]?.pattern ?? withoutListingLimit({ ...timing, zone, rule: undefined, rdates: [] })
  const isGiven = createNominalCheck({ ...all, rdates: [...extra] })
  const gone = new Set<LocalMs>()
  for (const one of allTaken) {
    if (typeof one === 'string') continue
    const { pattern } = one
    const keys = listAll(pattern)
    if (!keys) return 'rules_combined'
    for (const [index, key] of keys.entries()) {
      if (index % KEYS_AT_ONCE === 0) yield
      const isOfRule = key !== timing.startWall || givesStart(pattern.rule as Rule, key)
      if (isOfRule && isGiven(key)) gone.add(key)
    }
  }
  const rdates = [...extra].filter((key) => key !== timing.startWall).sort((a, b) => a - b)
  const withRule = withProperties(withProperties(main, 'EXRULE', []), 'RRULE', given[kept] ? [given[kept].line] : [])
  const withExtra = withProperties(withRule, 'RDATE', listLine('RDATE', rdates, timing.allDay, lineZoneOf(timing)))
  const exdates = [
    ...listProperties(main, 'EXDATE'),
    ...listLine('EXDATE', [...gone], timing.allDay, lineZoneOf(timing)),
  ]
  return withProperties(withExtra, 'EXDATE', exdates)
}

interface RuleOfLine {
  line: Property
  pattern: Pattern
}

/** Looking up a date takes up to 20 µs. */
const KEYS_AT_ONCE = 200

/** Undefined if there are more than an event may have, until the last supported year. */
function listAll(pattern: Pattern): LocalMs[] | undefined {
  const range = { from: pattern.startAt, to: wallFromParts(LAST_YEAR + 1, 1, 1) }
  const { occurrences, complete } = expand(pattern, range, new Set(), MAX_EXCEPTIONS)
  return complete ? occurrences.map(({ key }) => key) : undefined
}
