// Times in a zone that only its VTIMEZONE defines: in a zone with the same offsets then, or in UTC.
import { MAX_EXCEPTIONS } from '../../domain/calendar/event-limits.ts'
import { givesStart, hasOccurrence, untilWall } from '../../domain/recurrence/expand.ts'
import { expand, withoutListingLimit } from '../../domain/recurrence/occurrences.ts'
import { parseRule, type Rule } from '../../domain/recurrence/rule.ts'
import type { Steps } from '../../domain/steps.ts'
import { type Instant, LAST_YEAR, type LocalMs, wallFromParts } from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import { requireZone, toInstant, toWall, type Zone } from '../../domain/time/zone.ts'
import { ZONE_PROPERTY } from '../decode.ts'
import {
  type Component,
  findProperty,
  isComponent,
  listProperties,
  type Property,
  paramOf,
  property,
  splitList,
  withProperties,
} from '../text/tree.ts'
import { utcLine } from '../times.ts'
import { endInUtc, findZoneLike, inUtc, localOf, MAX_DEFINED, namesDates } from '../zones/defined-zone.ts'
import type { ZoneFinder } from '../zones/foreign-zones.ts'
import { hasLocalTimes, TIME_LINES, withTzid } from '../zones/resolve-tzid.ts'
import { startTextOf } from './periods.ts'
import { hasAny, type ParsedPart } from './read-parts.ts'
import { plainRule } from './sanitize-text.ts'

/** VEVENTs without TZIDs that only a VTIMEZONE defines. */
interface Replaced<Part> {
  parts: readonly Part[]
  /** The zone of the series, if its times are in UTC in its place. */
  seriesZone: Zone | undefined
}

/** The main part of an event must be the first. */
export function* replaceDefinedZones(
  parts: readonly ParsedPart[],
  ownZone: Zone,
  findZone: ZoneFinder,
): Steps<Replaced<ParsedPart> | 'zone_rules' | 'rrule_invalid'> {
  let events: readonly Component[] = parts.map(({ event }) => event)
  const [{ part: main }] = parts as [ParsedPart, ...ParsedPart[]]
  const tzids = new Set(
    events.flatMap(({ children }) =>
      children.flatMap((node) => (isTimeLine(node) ? (paramOf(node, 'TZID') ?? []) : [])),
    ),
  )
  // By the definition: a name may be written in many ways, and each pass reads all lines.
  const defined = new Map<Zone, Set<string>>()
  for (const tzid of tzids) {
    yield
    const zone = findZone(tzid, main.calendar) ? undefined : findZone.defined(tzid, main.calendar)
    if (zone) defined.set(zone, (defined.get(zone) ?? new Set()).add(tzid))
    if (defined.size > MAX_DEFINED) return 'zone_rules'
  }
  if (defined.size > 0 && hasInvalidRule(events[0]!)) return 'rrule_invalid'
  let seriesZone: Zone | undefined
  for (const [zone, names] of defined) {
    const replaced = yield* replaceDefinedZone({ events, tzids: names, zone }, ownZone)
    if (typeof replaced === 'string') return replaced
    events = replaced.parts
    seriesZone ??= replaced.seriesZone
  }
  return { parts: parts.map(({ part }, index) => ({ part, event: events[index]! })), seriesZone }
}

const isTimeLine = (node: Property | Component): node is Property =>
  !isComponent(node) && TIME_LINES.includes(node.name)

const hasInvalidRule = (main: Component): boolean =>
  [...listProperties(main, 'RRULE'), ...listProperties(main, 'EXRULE')].some(
    ({ value }) => typeof parseRule(plainRule(value)) === 'string',
  )

interface DefinedTimes {
  events: readonly Component[]
  tzids: ReadonlySet<string>
  zone: Zone
}

/**
 * The VEVENTs without these TZIDs: with the name of a zone that has the same offsets from the first to the last time; else
 * with times in UTC, and a rule in this zone as a list of dates.
 */
function* replaceDefinedZone(times: DefinedTimes, ownZone: Zone): Steps<Replaced<Component> | 'zone_rules'> {
  const { events, tzids, zone } = times
  const main = events[0]!
  const start = findStart(main, tzids)
  const isOwn = start !== undefined
  const isOfZone = (node: Property | Component): node is Property => {
    if (!isTimeLine(node)) return false
    const tzid = paramOf(node, 'TZID')
    // Lines without a zone are in that of the start.
    const isNamed = tzid === undefined ? isOwn : tzids.has(tzid)
    return isNamed && (hasLocalTimes(node) || (isOwn && namesDates(node)))
  }
  const given = isOwn ? yield* listDates(main, 'RRULE', zone) : NO_DATES
  const taken = isOwn ? yield* listDates(main, 'EXRULE', zone) : NO_DATES
  const lines = events.flatMap((event) => event.children.filter(isOfZone))
  const like = findZoneLike(zone, rangeOf(lines, { zone, start }, [given, taken]), ownZone)
  if (!like && (!given.isWhole || !taken.isWhole)) return 'zone_rules'
  const replace = (node: Property): Property => {
    if (!like) return inUtc(node, zone, start)
    return hasLocalTimes(node) ? withTzid(node, like.name) : node
  }
  const replaced: Component[] = []
  for (const event of events) {
    yield
    const timed = { ...event, children: event.children.map((node) => (isOfZone(node) ? replace(node) : node)) }
    const [startLine, length] = [findProperty(event, 'DTSTART'), findProperty(event, 'DURATION')]
    const isLong = !like && startLine && length && isOfZone(startLine) && !findProperty(event, 'DTEND')
    const end = isLong ? endInUtc(startLine.value, length.value, zone) : undefined
    replaced.push(end ? withProperties(withProperties(timed, 'DURATION', []), 'DTEND', [end]) : timed)
  }
  if (like || !isOwn) return { parts: replaced, seriesZone: undefined }
  const [first, ...edits] = replaced
  return { parts: [withDates(first!, given.instants, taken.instants, ownZone), ...edits], seriesZone: zone }
}

/** The local start of the series, if it is in a zone of these names. */
function findStart(main: Component, tzids: DefinedTimes['tzids']): LocalMs | undefined {
  const line = findProperty(main, 'DTSTART')
  const tzid = line && paramOf(line, 'TZID')
  return tzid !== undefined && tzids.has(tzid) ? localOf(line!.value, undefined) : undefined
}

interface ListedDates {
  instants: Instant[]
  /** False if the rule gives more than an event may have. */
  isWhole: boolean
}

const END = wallFromParts(LAST_YEAR + 1, 1, 1)

const NO_DATES: ListedDates = { instants: [], isWhole: true }

/** The dates of all rules of this name together. The start is one of them only if a rule gives it. */
function* listDates(main: Component, name: 'RRULE' | 'EXRULE', zone: Zone): Steps<ListedDates> {
  const start = parseTimeText(findProperty(main, 'DTSTART')!.value.trim())
  const instants = new Set<Instant>()
  let isWhole = true
  for (const { value } of listProperties(main, name)) {
    const rule = parseRule(plainRule(value))
    if (start?.kind !== 'local' || typeof rule === 'string') return { instants: [], isWhole: false }
    yield
    if (!hasDates(rule, start.wall, zone)) continue
    const startAt = toInstant(zone, start.wall)
    const place = { allDay: false, startWall: start.wall, startAt, durationMs: 0 }
    const pattern = withoutListingLimit({ ...place, zone, rule, rdates: [] })
    const { occurrences, complete } = expand(pattern, { from: startAt, to: END }, new Set(), MAX_EXCEPTIONS)
    for (const one of occurrences)
      if (one.startAt !== startAt || givesStart(rule, start.wall)) instants.add(one.startAt)
    isWhole &&= complete
  }
  return { instants: [...instants].sort((a, b) => a - b), isWhole }
}

const hasDates = (rule: Rule, start: LocalMs, zone: Zone): boolean =>
  (!rule.until || untilWall(rule.until, (instant) => toWall(zone, instant)) >= start) &&
  hasOccurrence(rule, start) !== false

function rangeOf(
  lines: readonly Property[],
  { zone, start }: { zone: Zone; start: LocalMs | undefined },
  dates: readonly ListedDates[],
): Range {
  const written = lines.flatMap(({ value }) =>
    splitList(value).flatMap((text) => {
      const wall = localOf(text.split('/')[0]!, start)
      return wall === undefined ? [] : [toInstant(zone, wall)]
    }),
  )
  let [from, to] = [Number.POSITIVE_INFINITY, dates.every(({ isWhole }) => isWhole) ? Number.NEGATIVE_INFINITY : END]
  for (const at of [...written, ...dates.flatMap(({ instants }) => instants)]) {
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  return { from, to }
}

/**
 * With the dates of the rules in their place. A rule that gives only the start stays one: otherwise an exclusion or an
 * override of the start would be one of no series.
 */
function withDates(main: Component, given: readonly Instant[], taken: readonly Instant[], ownZone: Zone): Component {
  const [startAt] = instantsOf(listProperties(main, 'DTSTART'))
  const isStartOnly = hasAny(main, ['RRULE']) && given.every((at) => at === startAt)
  let out = withProperties(main, 'EXRULE', [])
  out = withProperties(out, 'RRULE', isStartOnly ? [property('RRULE', 'FREQ=DAILY;COUNT=1')] : [])
  for (const [name, instants] of [
    ['RDATE', isStartOnly ? [] : given],
    ['EXDATE', taken],
  ] as const) {
    if (instants.length === 0) continue
    const dates = property(name, instants.map((at) => utcLine('', at).value).join(','))
    out = withProperties(out, name, [...listProperties(main, name), dates])
  }
  return withProperties(out, ZONE_PROPERTY, [property(ZONE_PROPERTY, shownZone(out, ownZone).name)])
}

/** The calendar's zone; UTC if one of the dates is in the second pass of its repeated hour, which no key can name. */
function shownZone(main: Component, ownZone: Zone): Zone {
  const dates = instantsOf([...listProperties(main, 'DTSTART'), ...listProperties(main, 'RDATE')])
  return dates.every((at) => toInstant(ownZone, toWall(ownZone, at)) === at) ? ownZone : requireZone('UTC')
}

const instantsOf = (lines: readonly Property[]): Instant[] =>
  lines.flatMap(({ value }) =>
    splitList(value).flatMap((text) => {
      const time = parseTimeText(startTextOf(text))
      return time?.kind === 'instant' ? [time.instant] : []
    }),
  )
