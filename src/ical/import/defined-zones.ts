// Times in a zone that only its VTIMEZONE defines: in a zone with the same offsets then, or in UTC.
import { MAX_EXCEPTIONS } from '../../domain/calendar/event-limits.ts'
import { expand, withoutListingLimit } from '../../domain/recurrence/occurrences.ts'
import { parseRule } from '../../domain/recurrence/rule.ts'
import type { Steps } from '../../domain/steps.ts'
import { type Instant, LAST_YEAR, wallFromParts } from '../../domain/time/instant.ts'
import { parseTimeText } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import { toInstant, type Zone } from '../../domain/time/zone.ts'
import { ZONE_PROPERTY } from '../decode.ts'
import {
  type Component,
  findProperty,
  isComponent,
  type Property,
  paramOf,
  property,
  splitList,
  withProperties,
} from '../text/tree.ts'
import { utcLine } from '../times.ts'
import { findZoneLike, inUtc } from '../zones/defined-zone.ts'
import type { ZoneFinder } from '../zones/foreign-zones.ts'
import { hasLocalTimes, TIME_LINES, withTzid } from '../zones/resolve-tzid.ts'
import type { ParsedPart } from './read-parts.ts'
import { plainRule } from './sanitize-text.ts'

/** The parts of an event, the main one first, without TZIDs that only a VTIMEZONE defines. */
export function* replaceDefinedZones(
  parts: readonly ParsedPart[],
  ownZone: Zone,
  findZone: ZoneFinder,
): Steps<readonly ParsedPart[] | 'zone_rules'> {
  let events = parts.map(({ event }) => event)
  for (const { event, part } of parts) {
    const tzids = new Set(event.children.flatMap((node) => (isLocalTime(node) ? (paramOf(node, 'TZID') ?? []) : [])))
    for (const tzid of tzids) {
      yield
      const zone = findZone(tzid, part.calendar) ? undefined : findZone.defined(tzid, part.calendar)
      if (!zone) continue
      const replaced = yield* replaceDefinedZone({ events, tzid, zone }, ownZone)
      if (!replaced) return 'zone_rules'
      events = replaced
    }
  }
  return parts.map(({ part }, index) => ({ part, event: events[index]! }))
}

const isLocalTime = (node: Property | Component): node is Property =>
  !isComponent(node) && TIME_LINES.includes(node.name) && hasLocalTimes(node)

interface DefinedTimes {
  events: readonly Component[]
  tzid: string
  zone: Zone
}

/**
 * The VEVENTs without the TZID: with the name of a zone that has the same offsets from the first to the last time; else
 * with times in UTC, and a rule in this zone as a list of dates. Undefined if there are too many.
 */
function* replaceDefinedZone(times: DefinedTimes, ownZone: Zone): Steps<Component[] | undefined> {
  const { events, tzid, zone } = times
  const [main, ...edits] = events as [Component, ...Component[]]
  const isOfZone = (node: Property | Component): node is Property => isLocalTime(node) && paramOf(node, 'TZID') === tzid
  const start = findProperty(main, 'DTSTART')
  const repeats = start !== undefined && isOfZone(start) && findProperty(main, 'RRULE') !== undefined
  const dates = repeats ? listDates(main, zone) : { instants: [], isWhole: true }
  yield
  const range = rangeOf(
    events.flatMap((event) => event.children.filter(isOfZone)),
    zone,
    dates,
  )
  const like = findZoneLike(zone, range, ownZone)
  const replace = (event: Component, line: (node: Property) => Property): Component => ({
    ...event,
    children: event.children.map((node) => (isOfZone(node) ? line(node) : node)),
  })
  if (like) return events.map((event) => replace(event, (node) => withTzid(node, like.name)))
  if (!dates.isWhole) return undefined
  const [utcMain, ...utcEdits] = [main, ...edits].map((event) => replace(event, (node) => inUtc(node, zone)))
  return [withDates(utcMain!, repeats ? dates.instants : [], ownZone), ...utcEdits]
}

interface ListedDates {
  instants: Instant[]
  /** False if the rule gives more than an event may have. */
  isWhole: boolean
}

const END = wallFromParts(LAST_YEAR + 1, 1, 1)

function listDates(main: Component, zone: Zone): ListedDates {
  const start = parseTimeText(findProperty(main, 'DTSTART')!.value.trim())
  const rule = parseRule(plainRule(findProperty(main, 'RRULE')!.value))
  if (start?.kind !== 'local' || typeof rule === 'string') return { instants: [], isWhole: false }
  const startAt = toInstant(zone, start.wall)
  const place = { allDay: false, startWall: start.wall, startAt, durationMs: 0 }
  const pattern = withoutListingLimit({ ...place, zone, rule, rdates: [] })
  const { occurrences, complete } = expand(pattern, { from: startAt, to: END }, new Set(), MAX_EXCEPTIONS)
  return { instants: occurrences.map((one) => one.startAt), isWhole: complete }
}

function rangeOf(lines: readonly Property[], zone: Zone, { instants, isWhole }: ListedDates): Range {
  const written = lines.flatMap(({ value }) =>
    splitList(value).flatMap((text) => {
      const time = parseTimeText(text.split('/')[0]!.trim())
      return time?.kind === 'local' ? [toInstant(zone, time.wall)] : []
    }),
  )
  let [from, to] = [Number.POSITIVE_INFINITY, isWhole ? Number.NEGATIVE_INFINITY : END]
  for (const at of [...written, ...instants]) {
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  return { from, to }
}

/** The start is shown in the calendar's own zone. */
function withDates(main: Component, instants: readonly Instant[], ownZone: Zone): Component {
  const zoned = withProperties(main, ZONE_PROPERTY, [property(ZONE_PROPERTY, ownZone.name)])
  if (instants.length === 0) return zoned
  const dates = property('RDATE', instants.map((at) => utcLine('', at).value).join(','))
  const bare = withProperties(zoned, 'RRULE', [])
  const others = main.children.filter((node): node is Property => !isComponent(node) && node.name === 'RDATE')
  return withProperties(bare, 'RDATE', [...others, dates])
}
