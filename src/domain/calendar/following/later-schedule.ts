// Reads the times and the rule that a patch gives to an occurrence and all later ones.
import type { Problems } from '../../problems.ts'
import { createNominalCheck, expandNominalWalls, type Pattern } from '../../recurrence/occurrences.ts'
import type { Rule } from '../../recurrence/rule.ts'
import type { Instant, LocalMs } from '../../time/instant.ts'
import { requireZone, toInstant } from '../../time/zone.ts'
import type { Series, Timing } from '../event.ts'
import type { Defaults, FieldsPatch } from '../fields.ts'
import { localUntil, readRule, settleRule, sortedUnique } from '../repeat.ts'
import { isSecondReading } from '../timing.ts'
import { nominalTiming, patchTiming } from '../update.ts'
import { countBefore } from './end-rule.ts'
import { shiftRule } from './shift-rule.ts'

/** When the later occurrences take place. */
export interface LaterSchedule {
  /** The first occurrence, with the zone, kind and length of all. */
  timing: Timing
  /** By how much their local starts move. */
  shift: number
  isStartSent: boolean
  isLengthSent: boolean
  isRuleSent: boolean
  /** The first date. */
  start: LocalMs
  /** From the start on: COUNT is that of the later occurrences. Undefined where the dates are all. */
  rule: Rule | undefined
  /** True where the rule cannot be moved with its occurrences; `rule` is undefined then. */
  isRuleFixed: boolean
  /** Dates besides the start and those of the rule, ascending. */
  rdates: LocalMs[]
}

const TIME_FIELDS = ['start', 'end', 'all_day', 'timezone', 'rrule'] as const

export const changesSchedule = (patch: FieldsPatch): boolean => TIME_FIELDS.some((field) => patch[field] !== undefined)

export function readLaterSchedule(
  series: Series,
  pattern: Pattern,
  key: LocalMs,
  patch: FieldsPatch,
  defaults: Defaults,
  problems: Problems,
): LaterSchedule | undefined {
  const override = series.overrides.find((one) => one.key === key)
  const current = override?.timing ?? nominalTiming(series, pattern, key)
  const first = patchTiming(current, patch, defaults, problems)
  if (!first) return undefined
  if (isSecondReading(first) && first.startAt !== current.startAt) return problems.add('/start', 'not_allowed')
  const isOtherKind = first.allDay !== series.timing.allDay
  const isStartSent = patch.start !== undefined || isOtherKind
  const isLengthSent = patch.end !== undefined || isOtherKind
  const shift = first.startWall - (isStartSent ? key : current.startWall)
  // The second of two equal local times stays where the start of the series is one.
  const isStartKept = !override && key === series.timing.startWall && shift === 0
  const startWall = key + shift
  const timing = {
    ...first,
    startWall,
    startAt: isStartKept ? first.startAt : startIn(first, startWall),
    durationMs: isLengthSent ? first.durationMs : series.timing.durationMs,
  }
  const base = { timing, shift, isStartSent, isLengthSent }
  const laterDates = series.rdates.filter((wall) => wall >= key).map((wall) => wall + shift)
  if (patch.rrule !== undefined) {
    const rule = readRule(patch.rrule, timing, problems, series.rule)
    const start = timing.startWall
    const rdates = sortedUnique(laterDates.filter((wall) => wall !== start))
    return { ...base, isRuleSent: true, start, rule, isRuleFixed: false, rdates }
  }
  const isOwnDate = key === series.timing.startWall || !createNominalCheck(pattern)(key)
  const dates = sortedUnique([...laterDates, ...(isOwnDate ? [timing.startWall] : [])])
  const rest = restOfRule(series, pattern, key, base, problems)
  const start = typeof rest === 'object' ? rest.start : (dates[0] ?? timing.startWall)
  return {
    ...base,
    isRuleSent: false,
    start,
    rule: typeof rest === 'object' ? rest.rule : undefined,
    isRuleFixed: rest === 'fixed',
    rdates: dates.filter((wall) => wall !== start),
  }
}

export const timingAt = (timing: Timing, startWall: LocalMs): Timing =>
  startWall === timing.startWall ? timing : { ...timing, startWall, startAt: startIn(timing, startWall) }

export const startIn = ({ allDay, zone }: Pick<Timing, 'allDay' | 'zone'>, wall: LocalMs): Instant =>
  allDay ? wall : toInstant(requireZone(zone), wall)

interface MovedRule {
  rule: Rule
  start: LocalMs
}

/** What is left of the rule from a key on, moved with its occurrences; `none` where it gives no more dates. */
function restOfRule(
  series: Series,
  pattern: Pattern,
  key: LocalMs,
  { timing, shift }: Pick<LaterSchedule, 'timing' | 'shift'>,
  problems: Problems,
): MovedRule | 'none' | 'fixed' {
  const { rule, timing: before } = series
  if (!rule) return 'none'
  const { walls, complete } = expandNominalWalls({ ...pattern, rdates: [] }, key, Number.MAX_SAFE_INTEGER, 1)
  const [from] = walls
  if (from === undefined) return complete ? 'none' : 'fixed'
  const moved = shiftRule(rule, before.startWall, from, shift)
  const limit = limitFrom(rule, before, from, shift)
  if (!moved || !limit) return 'fixed'
  const start = from + shift
  const settled = settleRule({ ...moved, ...limit }, timingAt(timing, start), problems)
  return settled ? { rule: settled, start } : 'none'
}

function limitFrom(
  rule: Rule,
  before: Timing,
  from: LocalMs,
  shift: number,
): Pick<Rule, 'count' | 'until'> | undefined {
  if (rule.count !== undefined) {
    const gone = countBefore(rule, before.startWall, from)
    return gone === undefined ? undefined : { count: rule.count - gone }
  }
  return rule.until ? { until: { kind: 'local', wall: localUntil(rule.until, before) + shift } } : {}
}
