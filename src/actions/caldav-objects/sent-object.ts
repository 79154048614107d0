// Parses the body of a CalDAV PUT into one event or series, or refuses it. RFC 4791 §5.3.2.
import { type SkipReason, skipReasons } from '../../domain/calendar/skip-reasons.ts'
import type { Steps } from '../../domain/steps.ts'
import { FIRST_YEAR, LAST_YEAR } from '../../domain/time/instant.ts'
import { findOffset } from '../../domain/time/zone.ts'
import { type ErrorCode, fail } from '../../errors.ts'
import { isParseProblem, parseInSteps } from '../../ical/text/parse.ts'
import { plainTzid } from '../../ical/text/scan.ts'
import { type FileEvent, isSplitProblem, splitInSteps } from '../../ical/text/split.ts'
import {
  type Component,
  findProperty,
  isComponent,
  listComponents,
  listProperties,
  type Property,
  paramOf,
} from '../../ical/text/tree.ts'
import { TIME_LINES as ZONED_LINES } from '../../ical/zones/resolve-tzid.ts'

/** Accepts exactly one event or series. */
export function* parsePutBody(text: string): Steps<FileEvent> {
  const tree = yield* parseInSteps(text.replace(/^\ufeff/, ''))
  if (isParseProblem(tree)) fail('data_invalid', { why: tree.problem, line: tree.line })
  if (tree.name !== 'VCALENDAR') fail('data_invalid', { line: 1 })
  if ((findProperty(tree, 'VERSION')?.value.trim() ?? '2.0') !== '2.0') fail('data_type_unsupported')
  if (findProperty(tree, 'METHOD')) refuse('method_given')
  yield
  const split = yield* splitInSteps(text)
  if (isSplitProblem(split)) fail('data_invalid', { why: split.problem, line: split.line })
  // Components of unknown kinds are stored with the event (RFC 5545 §3.6).
  const skipped = split.skipped.find(({ reason }) => reason !== 'unknown_component' || split.events.length === 0)
  if (skipped) refuse(skipped.reason, skipped.part.line)
  const [event, ...others] = split.events
  if (!event) refuse('unknown_component')
  if (others.length > 0) refuse('several_events')
  const zones = yield* zonesOfOtherLines(tree)
  return { ...withoutFileZone(withParsed(event, tree)), others: [...tree.children.filter(isKept), ...zones] }
}

/** X-WR-TIMEZONE is for files: in an object a floating time has the zone of the query (RFC 4791 §7.3). */
function withoutFileZone(event: FileEvent): FileEvent {
  const [first] = event.parts
  if (first?.calendar.zoneName === undefined) return event
  // One object for all parts: zones are found once for each.
  const calendar = { ...first.calendar, zoneName: undefined }
  return { ...event, parts: event.parts.map((part) => ({ ...part, calendar })) }
}

/** Written anew, with other content, or as CLASS of the event. */
const NOT_KEPT = ['VERSION', 'PRODID', 'CALSCALE', 'X-CALENDARSERVER-ACCESS', 'VTIMEZONE', 'VEVENT']

const isKept = ({ name }: Property | Component): boolean => !NOT_KEPT.includes(name)

/**
 * Definitions of unknown zones that a line names whose time is not normalised, such as an X- line or one of an alarm.
 * Those of known zones are written anew.
 */
function* zonesOfOtherLines(tree: Component): Steps<Component[]> {
  const zones = listComponents(tree, 'VTIMEZONE')
  if (zones.length === 0) return []
  const named = new Set<string>()
  for (const event of listComponents(tree, 'VEVENT')) {
    addOtherTzids(event, named)
    yield
  }
  const kept: Component[] = []
  for (const zone of zones) {
    const tzid = plainTzid(findProperty(zone, 'TZID')?.value ?? '')
    if (!named.delete(tzid)) continue
    // Without its table, which takes a millisecond to build.
    if (findOffset(tzid, 0) === undefined) kept.push(zone)
    if (kept.length >= MAX_KEPT_ZONES) break
    yield
  }
  return kept
}

/** Real events have one. */
const MAX_KEPT_ZONES = 10

function addOtherTzids(component: Component, named: Set<string>): void {
  for (const node of component.children) {
    if (isComponent(node)) addOtherTzids(node, named)
    else if (component.name !== 'VEVENT' || !ZONED_LINES.includes(node.name)) {
      const tzid = paramOf(node, 'TZID')
      if (tzid !== undefined) named.add(plainTzid(tzid))
    }
  }
}

/** Reuses the components that are already parsed. */
function withParsed(event: FileEvent, tree: Component): FileEvent {
  const parsed = listComponents(tree, 'VEVENT')
  // Equal counts mean the same order: no part was skipped, and there is one UID.
  if (parsed.length !== event.parts.length) return event
  return { ...event, parts: event.parts.map((part, i) => ({ ...part, parsed: parsed[i]! })) }
}

const OWN_REASONS = {
  method_given: 'It has a METHOD, which only scheduling messages may have.',
  several_events: 'It has more than one UID.',
}

const CODES: Partial<Record<SkipReason | keyof typeof OWN_REASONS, ErrorCode>> = {
  todo: 'component_unsupported',
  journal: 'component_unsupported',
  free_busy: 'component_unsupported',
  unknown_component: 'component_unsupported',
  unreadable: 'data_invalid',
  line_too_long: 'data_invalid',
  timezone_unknown: 'zone_unknown',
  zone_rules: 'zone_unknown',
  rrule_invalid: 'data_invalid',
  rrule_unsupported: 'too_many_instances',
}

export const TIME_REASONS: readonly SkipReason[] = ['times_unreadable', 'dates_out_of_range']
const TIME_LINES = ['DTSTART', 'DTEND', 'RDATE', 'RECURRENCE-ID']

/** RFC 4791 §5.3.2.1 distinguishes unreadable times from times before or after the supported years. */
export function findBeyondYears({ parts }: FileEvent): ErrorCode | undefined {
  const events = parts.flatMap(({ parsed }) => parsed ?? [])
  const lines = events.flatMap((event) => TIME_LINES.flatMap((name) => listProperties(event, name)))
  const years = lines.flatMap(({ value }) => [...value.matchAll(/\b(\d{4})\d{4}/g)].map(([, year]) => Number(year)))
  if (years.some((year) => year < FIRST_YEAR)) return 'date_too_early'
  return years.some((year) => year > LAST_YEAR) ? 'date_too_late' : undefined
}

export function refuse(
  reason: SkipReason | keyof typeof OWN_REASONS,
  line?: number,
  code: ErrorCode = CODES[reason] ?? 'object_invalid',
): never {
  fail(code, { reason, why: { ...skipReasons, ...OWN_REASONS }[reason], line })
}
