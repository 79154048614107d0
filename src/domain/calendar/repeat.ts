// How an event repeats, out of the texts people send: the rule made canonical, extra and excluded dates as keys.
import { findLastWall, hasOccurrence, untilWall } from '../recurrence/expand.ts'
import { isSubDaily, parseRule, type Rule, type Until } from '../recurrence/rule.ts'
import { DAY_MS, dayOf, SECOND_MS, type Wall } from '../time/instant.ts'
import { isWithinYears, parseTimeText } from '../time/text.ts'
import { requireZone, toInstant, toWall } from '../time/zone.ts'
import type { Timing } from './event.ts'
import type { Problems } from './fields.ts'
import { isSecondReading, wallOf } from './timing.ts'

/** A rule people may use through JSON: day-level, bounded, and able to produce something. */
export function readRule(text: string | null | undefined, timing: Timing, problems: Problems): Rule | undefined {
  if (!text) return undefined
  const rule = parseRule(text)
  if (typeof rule === 'string') return problems.add('/rrule', rule)
  if (isSubDaily(rule)) return problems.add('/rrule', 'rrule_unsupported')
  if (timing.allDay && rule.byHour.length + rule.byMinute.length + rule.bySecond.length > 0) {
    return problems.add('/rrule', 'rrule_invalid')
  }
  if (isSecondReading(timing)) return problems.add('/start', 'not_allowed')
  const settled = withUntil(rule, timing)
  return checkProduces(settled, timing, problems)
}

function checkProduces(rule: Rule, timing: Timing, problems: Problems): Rule | undefined {
  const produces = hasOccurrence(rule, timing.startWall)
  const lasts = rule.count === undefined ? undefined : findLastWall(rule, timing.startWall)
  if (produces === 'too_much_work' || lasts === 'too_much_work') return problems.add('/rrule', 'rrule_unsupported')
  const endsBeforeStart = rule.until && localUntil(rule.until, timing) < timing.startWall
  if (!produces || endsBeforeStart) return problems.add('/rrule', 'rrule_no_occurrences')
  return rule
}

/**
 * UNTIL in the one form its start allows (RFC 5545 §3.3.10): a date for all-day events, else UTC. A bare date takes
 * its whole day in.
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
    return { kind: 'date', day }
  }
  if (until.kind === 'utc') return until
  const wall = until.kind === 'local' ? until.wall : until.day * DAY_MS + DAY_MS - SECOND_MS
  return { kind: 'utc', instant: toInstant(zone, wall) }
}

/** The rule's end as a reading on the event's own clock, so that it can move with the event. */
export const localUntil = (until: Until, timing: Timing): Wall =>
  untilWall(until, (instant) => (timing.allDay ? instant : toWall(requireZone(timing.zone), instant)))

/** Keys in any accepted form become nominal starts, sorted and without repeats. */
export function readKeys(
  field: '/rdates' | '/exdates',
  texts: readonly string[],
  timing: Timing,
  problems: Problems,
): Wall[] {
  const zone = requireZone(timing.zone)
  const walls = texts.flatMap((text, index) => {
    const key = parseTimeText(text)
    const fits = key && (timing.allDay ? key.kind === 'date' : key.kind !== 'date')
    const wall = fits ? wallOf(key, zone) : undefined
    if (wall === undefined) problems.add(`${field}/${index}`, 'invalid_format')
    else if (!isWithinYears(wall)) problems.add(`${field}/${index}`, 'out_of_range')
    else return [wall]
    return []
  })
  return sortedUnique(walls)
}

export const sortedUnique = (walls: readonly Wall[]): Wall[] => [...new Set(walls)].sort((a, b) => a - b)
