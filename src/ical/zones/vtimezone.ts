// Builds a VTIMEZONE from a zone's table: RRULE for regular years, else RDATE. RFC 5545 §3.6.5.
import {
  DAY_MS,
  type Day,
  dateFromDay,
  dayFromDate,
  dayOf,
  daysInMonth,
  FIRST_YEAR,
  type Instant,
  LAST_YEAR,
  type LocalMs,
  MINUTE_MS,
  wallFromParts,
  weekdayOf,
} from '../../domain/time/instant.ts'
import { formatBasicLocal } from '../../domain/time/text.ts'
import { WEEKDAY_CODES } from '../../domain/time/weekdays.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { printCalendar } from '../text/print.ts'
import { type Component, component, property } from '../text/tree.ts'

/** One transition. `wall` is the wall time before it, as DTSTART and RDATE require. */
interface Onset {
  at: Instant
  wall: LocalMs
  /** Offsets in whole minutes: most readers do not support the seconds that zones had until 1972. */
  from: number
  to: number
}

/** The nth or the last such weekday of a month, at a time of day: all that Outlook understands of RRULE. */
interface YearlyRule {
  from: number
  to: number
  month: number
  /** Monday is 0. */
  weekday: number
  /** 1 to 4, or -1 for the last. */
  ordinal: number
  timeMs: number
}

interface Observance {
  from: number
  to: number
  walls: readonly LocalMs[]
  rule?: string
}

/** From here on all transitions are written. */
const COVERED_FROM = wallFromParts(1969, 12, 31)
/** All earlier years share one offset; a transition since then that is still in force in 1970 is written as well. */
const SETTLED_FROM = wallFromParts(1965, 1, 1)
/**
 * Until the end of this year every transition is exact; after it those that no plain rule can express are approximate.
 */
const EXACT_UNTIL = 2050
/** The last year that the tables cover in full. */
const LAST_TABLE_YEAR = LAST_YEAR + 1
/** A rule that held for fewer years is written as dates. */
const SHORTEST_ERA_YEARS = 5

const texts = new Map<string, string>()

/** The printed VTIMEZONE of a zone, the same bytes every time. */
export function timeZoneText(zone: Zone): string {
  const known = texts.get(zone.name)
  if (known !== undefined) return known
  const text = printCalendar(createTimeZone(zone))
  texts.set(zone.name, text)
  return text
}

/**
 * Outlook reads one STANDARD and one DAYLIGHT: the ones that begin last, or that come first ([MS-OXCICAL]
 * §2.1.3.1.1.19.2). So the newest come first, and a zone without current transitions has no DAYLIGHT.
 */
function createTimeZone(zone: Zone): Component {
  const { before, onsets } = readTable(zone)
  const lasting = findLastingRules(onsets)
  const observances = lasting.length > 0 ? withRules(onsets, lasting) : withoutRules(onsets)
  const isDaylight = ({ from, to }: Observance): boolean => lasting.length > 0 && to > from
  observances.push({ from: before, to: before, walls: [wallFromParts(FIRST_YEAR, 1, 1)] })
  return component('VTIMEZONE', [
    property('TZID', zone.name),
    property('X-LIC-LOCATION', zone.name),
    ...observances
      .sort((a, b) => b.walls[0]! - a.walls[0]!)
      .map((observance) => createObservance(observance, isDaylight(observance) ? 'DAYLIGHT' : 'STANDARD')),
  ])
}

function createObservance({ from, to, walls, rule }: Observance, kind: 'STANDARD' | 'DAYLIGHT'): Component {
  // DTSTART is repeated in the dates, one RDATE line each, because ical.js reads only RDATE, and only its first value.
  const dates = walls.length > 1 ? walls.map((wall) => property('RDATE', formatBasicLocal(wall))) : []
  return component(kind, [
    property('DTSTART', formatBasicLocal(walls[0]!)),
    property('TZOFFSETFROM', formatOffset(from)),
    property('TZOFFSETTO', formatOffset(to)),
    property('TZNAME', formatOffset(to).replace(/00$/, '')),
    ...(rule === undefined ? dates : [property('RRULE', rule)]),
  ])
}

function readTable({ transitions, offsets }: Zone): { before: number; onsets: Onset[] } {
  let first = transitions.findIndex((at) => at > COVERED_FROM)
  if (first < 0) first = transitions.length
  // Southern summer time in January 1970, or London's three years ahead, would be wrong for all years before.
  const isRecent = first > 0 && transitions[first - 1]! > SETTLED_FROM
  if (isRecent && offsets[first]! > offsets[first - 1]!) first -= 1
  const minutes = offsets.map((offset) => Math.round(offset / MINUTE_MS))
  const onsets = transitions.slice(first).map((at, i) => {
    const from = minutes[first + i]!
    return { at, wall: at + from * MINUTE_MS, from, to: minutes[first + i + 1]! }
  })
  return { before: minutes[first]!, onsets }
}

/** The rules that hold to the end of the table, each as the plain rule that fits most of its last years. */
function findLastingRules(onsets: readonly Onset[]): YearlyRule[] {
  const last = groupByOffsets(onsets.filter(({ wall }) => yearOf(wall) > LAST_TABLE_YEAR - 28))
  return last.map((group) => {
    const walls = new Set(group.map(({ wall }) => wall))
    const fit = (rule: YearlyRule): number =>
      group.reduce((sum, { wall }) => sum + (walls.has(wallIn(rule, yearOf(wall))) ? 1 : 0), 0)
    const rules = group.flatMap(rulesOf)
    return rules.reduce((best, rule) => (fit(rule) > fit(best) ? rule : best))
  })
}

function withRules(onsets: readonly Onset[], lasting: readonly YearlyRule[]): Observance[] {
  const rest = new Set(onsets)
  const observances = lasting.map((rule): Observance => {
    const run = runBackFrom(LAST_TABLE_YEAR, rule, onsets)
    const isExact = run.length > 0 && yearOf(run[0]!.wall) <= EXACT_UNTIL + 1
    if (isExact) for (const onset of run) rest.delete(onset)
    const start = isExact ? run[0]!.wall : wallIn(rule, EXACT_UNTIL + 1)
    return { from: rule.from, to: rule.to, walls: [start], rule: formatRule(rule) }
  })
  return [...observances, ...listPast([...rest])]
}

/** The last transition is alone, so that the current offset begins last; predictions for later years are left out. */
function withoutRules(onsets: readonly Onset[]): Observance[] {
  const covered = onsets.filter(({ wall }) => yearOf(wall) <= EXACT_UNTIL)
  const last = covered.pop()
  return last ? [{ from: last.from, to: last.to, walls: [last.wall] }, ...listPast(covered)] : []
}

/** Eras that followed a rule, and the other transitions as dates. */
function listPast(onsets: readonly Onset[]): Observance[] {
  const covered = onsets.filter(({ wall }) => yearOf(wall) <= EXACT_UNTIL)
  return groupByOffsets(covered).flatMap((group) => {
    const { from, to } = group[0]!
    const eras: Observance[] = []
    const single: LocalMs[] = []
    const rest = new Set(group)
    for (const onset of group.toReversed()) {
      if (!rest.delete(onset)) continue
      const runs = rulesOf(onset).map((rule) => ({
        rule,
        run: runBackFrom(yearOf(onset.wall), rule, [...rest, onset]),
      }))
      const { rule, run } = runs.reduce((best, other) => (other.run.length > best.run.length ? other : best))
      if (run.length < SHORTEST_ERA_YEARS) {
        single.unshift(onset.wall)
        continue
      }
      for (const member of run) rest.delete(member)
      eras.push({ from, to, walls: [run[0]!.wall], rule: formatRule(rule, onset.at) })
    }
    return single.length > 0 ? [...eras, { from, to, walls: single }] : eras
  })
}

/** The transitions that a rule gives for this year and consecutive years before it; ascending. */
function runBackFrom(lastYear: number, rule: YearlyRule, onsets: readonly Onset[]): Onset[] {
  const byWall = new Map(
    onsets.filter(({ from, to }) => from === rule.from && to === rule.to).map((onset) => [onset.wall, onset]),
  )
  const run: Onset[] = []
  for (let year = lastYear; ; year--) {
    const onset = byWall.get(wallIn(rule, year))
    if (!onset) return run.reverse()
    run.push(onset)
  }
}

function rulesOf({ from, to, wall }: Onset): YearlyRule[] {
  const { year, month, day } = dateFromDay(dayOf(wall))
  const ordinals = [day > daysInMonth(year, month) - 7 ? -1 : 0, day <= 28 ? Math.ceil(day / 7) : 0]
  const rule = { from, to, month, weekday: weekdayOf(dayOf(wall)), timeMs: wall - dayOf(wall) * DAY_MS }
  return ordinals.filter((ordinal) => ordinal !== 0).map((ordinal) => ({ ...rule, ordinal }))
}

const wallIn = (rule: YearlyRule, year: number): LocalMs => dayIn(rule, year) * DAY_MS + rule.timeMs

function dayIn({ month, weekday, ordinal }: YearlyRule, year: number): Day {
  if (ordinal > 0) {
    const first = dayFromDate(year, month, 1)
    return first + ((weekday - weekdayOf(first) + 7) % 7) + (ordinal - 1) * 7
  }
  const last = dayFromDate(year, month, daysInMonth(year, month))
  return last - ((weekdayOf(last) - weekday + 7) % 7)
}

const yearOf = (wall: LocalMs): number => dateFromDay(dayOf(wall)).year

const groupByOffsets = (onsets: readonly Onset[]): Onset[][] => [
  ...Map.groupBy(onsets, ({ from, to }) => `${from} ${to}`).values(),
]

function formatRule({ month, weekday, ordinal }: YearlyRule, lastAt?: Instant): string {
  const until = lastAt === undefined ? '' : `;UNTIL=${formatBasicLocal(lastAt)}Z`
  return `FREQ=YEARLY;BYMONTH=${month};BYDAY=${ordinal}${WEEKDAY_CODES[weekday]}${until}`
}

/** `+0530` */
function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}${two(size % 60)}`
}
