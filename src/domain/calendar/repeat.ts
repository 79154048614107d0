// Parses recurrence: normalises the rule, and turns extra and excluded dates into keys.

import type { Problems } from '../problems.ts'
import { findLastWall, hasOccurrence, untilWall } from '../recurrence/expand.ts'
import { createKeyFinder } from '../recurrence/occurrence-key.ts'
import type { Pattern } from '../recurrence/occurrences.ts'
import { formatRule, isSubDaily, parseRule, type Rule, type Until } from '../recurrence/rule.ts'
import { isFrequent } from '../recurrence/sub-daily-limit.ts'
import type { Steps } from '../steps.ts'
import { DAY_MS, dayOf, type LocalMs, SECOND_MS, wallFromParts } from '../time/instant.ts'
import { isWithinYears, parseTimeText, type TimeText } from '../time/text.ts'
import { requireZone, toInstant, toWall } from '../time/zone.ts'
import type { Timing } from './event.ts'
import { wallOf } from './timing.ts'

/** A new rule repeats at most 24 times a day; a more frequent one that was already stored may be sent again. */
export function readRule(
  text: string | null | undefined,
  timing: Timing,
  problems: Problems,
  before?: Rule,
): Rule | undefined {
  if (!text) return undefined
  const rule = parseRule(text)
  if (typeof rule === 'string') return problems.add('/rrule', rule)
  const isKnown = before !== undefined && formatRule(before) === formatRule(rule)
  if (isFrequent(rule) && !isKnown) return problems.add('/rrule', 'rrule_unsupported')
  return settleRule(rule, timing, problems)
}

/** The rule in the form this start allows, if the two are compatible and produce an occurrence. */
export function settleRule(rule: Rule, timing: Timing, problems: Problems): Rule | undefined {
  const hasTimes = isSubDaily(rule) || rule.byHour.length + rule.byMinute.length + rule.bySecond.length > 0
  if (timing.allDay && hasTimes) return problems.add('/rrule', 'rrule_invalid')
  return checkProduces(withUntil(rule, timing), timing, problems)
}

function checkProduces(rule: Rule, timing: Timing, problems: Problems): Rule | undefined {
  const produces = hasOccurrence(rule, timing.startWall)
  const lasts = rule.count === undefined ? undefined : findLastWall(rule, timing.startWall)
  if (produces === 'too_much_work' || lasts === 'too_much_work') return problems.add('/rrule', 'rrule_unsupported')
  if (!produces || endsBeforeStart(rule, timing)) return problems.add('/rrule', 'rrule_no_occurrences')
  return rule
}

/** Whether a rule is over before the start, or matches no date: other programs store such rules. */
export function isWithoutDates(rule: Rule, timing: Timing): boolean {
  return endsBeforeStart(withUntil(rule, timing), timing) || hasOccurrence(rule, timing.startWall) === false
}

const endsBeforeStart = ({ until }: Rule, timing: Timing): boolean =>
  until !== undefined && localUntil(until, timing) < timing.startWall

/** The last moment that a four-digit year can express in RFC 5545. */
const LAST_UNTIL = wallFromParts(9999, 12, 31, 23, 59, 59)

/**
 * UNTIL in the one form its start allows (RFC 5545 §3.3.10): a date for all-day events, else UTC. A bare date includes
 * its whole day.
 */
export function withUntil(rule: Rule, timing: Timing): Rule {
  if (!rule.until) return rule
  return { ...rule, until: settledUntil(rule.until, timing) }
}

function settledUntil(until: Until, timing: Timing): Until {
  const zone = requireZone(timing.zone)
  if (timing.allDay) {
    const day =
      until.kind === 'date' ? until.day : dayOf(until.kind === 'local' ? until.wall : toWall(zone, until.instant))
    return { kind: 'date', day: Math.min(day, dayOf(LAST_UNTIL)) }
  }
  if (until.kind === 'utc') return until
  const wall = until.kind === 'local' ? until.wall : until.day * DAY_MS + DAY_MS - SECOND_MS
  return { kind: 'utc', instant: Math.min(toInstant(zone, wall), LAST_UNTIL) }
}

/** The rule's end as wall time of the event, so that it can move with the event. */
export const localUntil = (until: Until, timing: Timing): LocalMs =>
  untilWall(until, (instant) => (timing.allDay ? instant : toWall(requireZone(timing.zone), instant)))

/** Extra dates as nominal starts. The start is always the first occurrence, so none may be before it or repeat it. */
export function* readRdates(texts: readonly string[], timing: Timing, problems: Problems): Steps<LocalMs[]> {
  const zone = requireZone(timing.zone)
  const walls = yield* readKeys('/rdates', texts, timing.allDay, problems, (key, field) => {
    const wall = wallOf(key, zone)
    return wall < timing.startWall || !isWithinYears(wall) ? problems.add(field, 'out_of_range') : wall
  })
  return besidesStart(walls, timing)
}

export const besidesStart = (walls: readonly LocalMs[], { startWall }: Timing): LocalMs[] =>
  sortedUnique(walls.filter((wall) => wall !== startWall))

/** Excluded dates as nominal starts of the pattern; one that matches none of them is kept as written. */
export function* readExdates(texts: readonly string[], pattern: Pattern, problems: Problems): Steps<LocalMs[]> {
  const find = createKeyFinder(pattern)
  const walls = yield* readKeys('/exdates', texts, pattern.allDay, problems, (key, field) => {
    const wall = find(key) ?? wallOf(key, pattern.zone)
    return isWithinYears(wall) ? wall : problems.add(field, 'out_of_range')
  })
  return sortedUnique(walls)
}

/** Dates read before yielding; looking up one of them in a rule takes some microseconds. */
const DATES_AT_ONCE = 200

function* readKeys(
  list: '/rdates' | '/exdates',
  texts: readonly string[],
  allDay: boolean,
  problems: Problems,
  read: (key: TimeText, field: string) => LocalMs | undefined,
): Steps<LocalMs[]> {
  const walls: LocalMs[] = []
  for (const [index, text] of texts.entries()) {
    if (index % DATES_AT_ONCE === DATES_AT_ONCE - 1) yield
    const field = `${list}/${index}`
    const key = parseTimeText(text)
    if (!key || (key.kind === 'date') !== allDay) {
      problems.add(field, 'invalid_format')
      continue
    }
    const wall = read(key, field)
    if (wall !== undefined) walls.push(wall)
  }
  return walls
}

export const sortedUnique = (walls: readonly LocalMs[]): LocalMs[] => [...new Set(walls)].sort((a, b) => a - b)
