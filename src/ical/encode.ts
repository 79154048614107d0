// From the domain into the tree: writes what changed, leaves every line it does not model as it came.
import type { Details, Override, Series, Timing } from '../domain/calendar/event.ts'
import { isSecondReading } from '../domain/calendar/timing.ts'
import { formatRule } from '../domain/recurrence/rule.ts'
import type { Instant } from '../domain/time/instant.ts'
import { requireZone } from '../domain/time/zone.ts'
import { decodeSeries, isDecodeProblem, overrideKey, ZONE_PROPERTY } from './decode.ts'
import { endLine, listLine, momentLine, utcLine } from './times.ts'
import {
  type Component,
  component,
  escapeText,
  findProperty,
  isComponent,
  listComponents,
  type Property,
  property,
  splitList,
  withProperties,
} from './tree.ts'

export const PRODID = '-//Daybook//Daybook//EN'

/** The calendar object of a series. With `before`, an edit of that object; else a new one. */
export function encodeSeries(series: Series, now: Instant, before?: Component): Component {
  const calendar =
    before ??
    component('VCALENDAR', [property('VERSION', '2.0'), property('PRODID', PRODID), property('CALSCALE', 'GREGORIAN')])
  const known = before && decodeSeries(before, series.timing.zone)
  const old = known && !isDecodeProblem(known) ? known : undefined
  const events = listComponents(calendar, 'VEVENT')
  const oldMain = events.find((event) => !findProperty(event, 'RECURRENCE-ID'))
  const main = stamp(encodeMain(oldMain ?? freshEvent(series.uid, now), series, old), now)
  // A series that moved took its keys along: what a client keeps with an edited occurrence is found under the old key.
  const shift = old ? series.timing.startWall - old.timing.startWall : 0
  const overrides = series.overrides.map((override) => {
    const oldOverride = old && events.find((event) => overrideKey(event, old.timing) === override.key - shift)
    const same = old?.overrides.find((candidate) => candidate.key === override.key)
    if (oldOverride && same && isSame(same, override)) return oldOverride
    return stamp(encodeOverride(oldOverride ?? copyForOccurrence(main), override, series), now)
  })
  const others = calendar.children.filter((node) => !isComponent(node) || node.name !== 'VEVENT')
  return { ...calendar, children: [...others, main, ...overrides] }
}

function encodeMain(event: Component, series: Series, old: Series | undefined): Component {
  const zone = requireZone(series.timing.zone)
  const { allDay } = series.timing
  let out = encodeDetails(event, series.details)
  out = encodeTiming(out, series.timing, old?.timing)
  out = withValue(out, 'CLASS', series.visibility === 'public' ? 'PUBLIC' : 'PRIVATE')
  out = withValue(out, 'TRANSP', series.transparency === 'transparent' ? 'TRANSPARENT' : 'OPAQUE')
  out = withValue(out, 'RRULE', series.rule ? formatRule(series.rule) : null)
  if (!isSame(old?.rdates, series.rdates) || !isSame(old?.timing, series.timing)) {
    out = withProperties(out, 'RDATE', listLine('RDATE', series.rdates, allDay, zone))
  }
  if (!isSame(old?.exclusions, series.exclusions) || !isSame(old?.timing, series.timing)) {
    out = withProperties(out, 'EXDATE', listLine('EXDATE', series.exclusions, allDay, zone))
  }
  return out
}

function encodeOverride(event: Component, override: Override, series: Series): Component {
  const { allDay, zone } = series.timing
  const out = encodeTiming(encodeDetails(event, override.details), override.timing)
  return withProperties(out, 'RECURRENCE-ID', [momentLine('RECURRENCE-ID', override.key, allDay, requireZone(zone))])
}

function encodeDetails(event: Component, details: Details): Component {
  let out = withText(event, 'SUMMARY', details.title)
  out = withText(out, 'DESCRIPTION', details.description)
  out = withText(out, 'LOCATION', details.location)
  out = withCategory(out, details.category)
  out = withValue(out, 'URL', details.url)
  return withValue(out, 'STATUS', details.status.toUpperCase())
}

function encodeTiming(event: Component, timing: Timing, old?: Timing): Component {
  if (old && isSame(old, timing)) return event
  const { allDay, startWall, startAt, durationMs } = timing
  const zone = requireZone(timing.zone)
  const needsUtc = isSecondReading(timing)
  const start = needsUtc ? utcLine('DTSTART', startAt) : momentLine('DTSTART', startWall, allDay, zone)
  const end = allDay ? momentLine('DTEND', startWall + durationMs, true, zone) : endLine(startAt + durationMs, zone)
  let out = withProperties(event, 'DTSTART', [start])
  // DTEND must lie after DTSTART (RFC 5545 §3.8.2.2): an event without length is one without an end.
  out = withProperties(out, 'DTEND', durationMs > 0 ? [end] : [])
  out = withProperties(out, 'DURATION', [])
  return withProperties(out, ZONE_PROPERTY, allDay || needsUtc ? [property(ZONE_PROPERTY, zone.name)] : [])
}

const freshEvent = (uid: string, now: Instant): Component =>
  component('VEVENT', [property('UID', uid), utcLine('DTSTAMP', now), utcLine('CREATED', now)])

/** An edited occurrence starts as a copy of the main event without what only a whole series may say. */
const copyForOccurrence = (main: Component): Component => ({
  ...main,
  children: main.children.filter(
    (node) => isComponent(node) || !['RRULE', 'RDATE', 'EXDATE', 'SEQUENCE'].includes(node.name),
  ),
})

function stamp(event: Component, now: Instant): Component {
  const sequence = Number(findProperty(event, 'SEQUENCE')?.value ?? -1)
  let out = withProperties(event, 'DTSTAMP', [utcLine('DTSTAMP', now)])
  out = withProperties(out, 'LAST-MODIFIED', [utcLine('LAST-MODIFIED', now)])
  return withProperties(out, 'SEQUENCE', [
    property('SEQUENCE', String(Number.isSafeInteger(sequence) ? sequence + 1 : 0)),
  ])
}

function withText(event: Component, name: string, text: string | null): Component {
  return withValue(event, name, text === null ? null : escapeText(text))
}

/** A line whose value already says this keeps its parameters and its folding. */
function withValue(event: Component, name: string, value: string | null): Component {
  const line = findProperty(event, name)
  if (value === null) return line ? withProperties(event, name, []) : event
  return line?.value === value ? event : withProperties(event, name, [property(name, value)])
}

/** JSON knows one category; further ones a client keeps stay behind it. */
function withCategory(event: Component, category: string | null): Component {
  const line = findProperty(event, 'CATEGORIES')
  const [first, ...others] = line ? splitList(line.value) : []
  const wanted = category === null ? undefined : escapeText(category)
  if (first === wanted) return event
  if (wanted === undefined) return withProperties(event, 'CATEGORIES', [])
  return withProperties(event, 'CATEGORIES', [
    property('CATEGORIES', [wanted, ...others].join(',')),
  ] satisfies Property[])
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
