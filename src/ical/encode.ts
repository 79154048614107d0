// Encodes a series into a calendar object: writes what changed, keeps every other line as received.
import { type Details, isRecurring, type Override, type Series, type Timing } from '../domain/calendar/event.ts'
import { isSecondReading, movedKey } from '../domain/calendar/timing.ts'
import { formatRule } from '../domain/recurrence/rule.ts'
import { runSteps, type Steps } from '../domain/steps.ts'
import type { Instant, LocalMs } from '../domain/time/instant.ts'
import {
  decodeVisibility,
  findMain,
  MAX_SEQUENCE,
  overrideKey,
  sequenceOf,
  transparencyOf,
  ZONE_PROPERTY,
} from './decode.ts'
import {
  type Component,
  component,
  escapeText,
  findProperty,
  isComponent,
  listComponents,
  listProperties,
  type Property,
  paramOf,
  property,
  splitList,
  upperCaseAscii,
  withProperties,
} from './text/tree.ts'
import { endLines, lineZoneOf, listLine, momentLine, utcLine } from './times.ts'

export const HEADER = [
  property('VERSION', '2.0'),
  property('PRODID', '-//Daybook//Daybook//EN'),
  property('CALSCALE', 'GREGORIAN'),
]

/** A calendar object and its decoded series. */
export interface OpenObject {
  tree: Component
  series: Series
  /** New keys of overrides by their previous ones, where they did not move with the start. */
  movedKeys?: ReadonlyMap<LocalMs, LocalMs> | undefined
}

/** The calendar object of a series. With `before`, an edit of that object; else a new one. */
export const encodeSeries = (series: Series, now: Instant, before?: OpenObject): Component =>
  runSteps(encodeInSteps(series, now, before))

export function* encodeInSteps(series: Series, now: Instant, before?: OpenObject): Steps<Component> {
  const calendar = before?.tree ?? component('VCALENDAR', HEADER)
  const old = before?.series
  const events = listComponents(calendar, 'VEVENT')
  const oldMain = findMain(calendar)
  // If a text does not name its zone, its time lines are rewritten.
  const isKept = old !== undefined && (old.timing.floating || namesZone(oldMain)) && isSame(old.timing, series.timing)
  const unstamped = yield* encodeMain(oldMain ?? freshEvent(series.uid, now), series, old, isKept)
  const main = stamp(unstamped, now)
  yield
  const kept = old ? editsBefore(events, old, series, before.movedKeys) : new Map<LocalMs, EditBefore>()
  const encodeNew = (override: Override): Component => {
    // Where the series has other texts now and the occurrence keeps the previous ones, so do their other lines.
    if (!oldMain || !old || !isSame(override.details, old.details))
      return encodeOverride(copyForOccurrence(main), override, series, series)
    const copy = withProperties(copyForOccurrence(oldMain), 'CLASS', listProperties(main, 'CLASS'))
    return encodeOverride(copy, override, series, old)
  }
  const encodeOne = (override: Override): Component => {
    const { event: oldEvent, override: oldOverride } = kept.get(override.key) ?? {}
    if (!oldEvent || !oldOverride) return stamp(encodeNew(override), now)
    const isUntouched =
      isKept &&
      isSame(oldOverride, override) &&
      hasMatchingClass(oldEvent, series) &&
      transparencyOf(oldEvent) === (override.transparency ?? series.transparency)
    return isUntouched ? oldEvent : stamp(encodeOverride(oldEvent, override, series, oldOverride), now)
  }
  const overrides: Component[] = []
  for (const override of series.overrides) {
    overrides.push(encodeOne(override))
    yield
  }
  const others = calendar.children.filter((node) => !isComponent(node) || node.name !== 'VEVENT')
  return arrangeCalendar(others, [main, ...overrides])
}

/**
 * A VCALENDAR with properties first, then its events, then other components: definitions of zones are inserted before
 * the first line that begins an event.
 */
export const arrangeCalendar = (others: readonly (Property | Component)[], events: readonly Component[]): Component =>
  component('VCALENDAR', [
    ...others.filter((node) => !isComponent(node)),
    ...events,
    ...others.filter((node) => isComponent(node)),
  ])

interface EditBefore {
  event?: Component
  override?: Override
}

/**
 * Previous VEVENTs and overrides by their new key. A series that moved shifted its keys, so properties that a client
 * stores with an override are found under the old key. Of two VEVENTs with one key the last counts.
 */
function editsBefore(
  events: readonly Component[],
  old: Series,
  series: Series,
  movedKeys: OpenObject['movedKeys'],
): Map<LocalMs, EditBefore> {
  const edits = new Map<LocalMs, EditBefore>()
  const add = (key: LocalMs | undefined, part: EditBefore): void => {
    if (key === undefined) return
    const place = movedKeys ? movedKeys.get(key) : movedKey(key, old.timing, series.timing)
    if (place !== undefined) edits.set(place, { ...edits.get(place), ...part })
  }
  for (const event of events) add(overrideKey(event, old.timing), { event })
  for (const override of old.overrides) add(override.key, { override })
  return edits
}

/** In steps: each changed line copies the list of all lines, of which there may be 50,000. */
function* encodeMain(event: Component, series: Series, old: Series | undefined, isKept: boolean): Steps<Component> {
  const zone = lineZoneOf(series.timing)
  const { allDay } = series.timing
  let out = encodeDetails(event, series.details, old?.details)
  yield
  if (!isKept) out = encodeTiming(out, series.timing)
  yield
  out = encodeVisibility(out, series)
  if (isRecurring(series)) out = withProperties(out, 'RECURRENCE-ID', [])
  out = withValue(out, 'TRANSP', series.transparency.toUpperCase())
  out = withValue(out, 'RRULE', series.rule ? formatRule(series.rule) : null)
  yield
  if (!isKept || !isSame(old?.rdates, series.rdates)) {
    out = withProperties(out, 'RDATE', listLine('RDATE', series.rdates, allDay, zone))
  }
  if (!isKept || !isSame(old?.exclusions, series.exclusions)) {
    out = withProperties(out, 'EXDATE', listLine('EXDATE', series.exclusions, allDay, zone))
  }
  return out
}

/** `old` is the previous content of the event, or of the series it is a copy of. */
function encodeOverride(event: Component, override: Override, series: Series, old: { details: Details }): Component {
  const { allDay } = series.timing
  let out = encodeTiming(encodeDetails(event, override.details, old.details), override.timing)
  if (!hasMatchingClass(out, series)) out = withProperties(out, 'CLASS', [])
  const transparency = override.transparency ?? series.transparency
  if (transparencyOf(out) !== transparency) out = withValue(out, 'TRANSP', transparency.toUpperCase())
  out = withProperties(out, 'RECURRENCE-ID', [
    momentLine('RECURRENCE-ID', override.key, allDay, lineZoneOf(series.timing)),
  ])
  return out
}

/** Writes only what changed: an unchanged line keeps its parameters, its escapes and its folding. */
function encodeDetails(event: Component, details: Details, old: Details | undefined): Component {
  const isChanged = (field: keyof Details): boolean => !old || old[field] !== details[field]
  let out = event
  if (isChanged('title')) out = withText(out, 'SUMMARY', details.title)
  if (isChanged('description')) out = withText(withoutNodes(out, ALT_DESCRIPTIONS), 'DESCRIPTION', details.description)
  if (isChanged('location')) out = withText(withoutNodes(out, ALT_LOCATIONS), 'LOCATION', details.location)
  if (isChanged('category')) out = withCategory(out, details.category)
  if (isChanged('url')) out = withValue(out, 'URL', details.url)
  if (isChanged('status')) out = withValue(out, 'STATUS', details.status.toUpperCase())
  return out
}

/** Properties where some clients repeat the description and read it first (RFC 9073 §6.5). */
const ALT_DESCRIPTIONS = ['X-ALT-DESC', 'STYLED-DESCRIPTION']

/** The same for the location: place and coordinates, as Apple, Microsoft and RFC 9073 §7.2 write them. */
const ALT_LOCATIONS = [
  'GEO',
  'X-APPLE-STRUCTURED-LOCATION',
  'X-MICROSOFT-LOCATIONS',
  'X-MICROSOFT-LOCATIONDISPLAYNAME',
  'VLOCATION',
]

const withoutNodes = (event: Component, names: readonly string[]): Component =>
  event.children.some(({ name }) => names.includes(name))
    ? { ...event, children: event.children.filter(({ name }) => !names.includes(name)) }
    : event

export function encodeTiming(event: Component, timing: Timing): Component {
  const { allDay, startWall, startAt } = timing
  const needsUtc = isSecondReading(timing)
  const start = needsUtc ? utcLine('DTSTART', startAt) : momentLine('DTSTART', startWall, allDay, lineZoneOf(timing))
  let out = withProperties(event, 'DTSTART', [start])
  out = withProperties(out, 'DURATION', [])
  out = withProperties(out, 'DTEND', endLines(timing))
  return withProperties(out, ZONE_PROPERTY, allDay || needsUtc ? [property(ZONE_PROPERTY, timing.zone)] : [])
}

/** Whether DTSTART means the same time wherever the text is read. */
function namesZone(event: Component | undefined): boolean {
  const start = event && findProperty(event, 'DTSTART')
  if (!start) return false
  return (
    findProperty(event, ZONE_PROPERTY) !== undefined ||
    paramOf(start, 'TZID') !== undefined ||
    /Z\s*$/i.test(start.value)
  )
}

/** Written on the main VEVENT: an override with CLASS may be deleted. A client's own value for private stays. */
function encodeVisibility(event: Component, { visibility }: Series): Component {
  if (findProperty(event, 'CLASS') && decodeVisibility(event) === visibility) return event
  return withProperties(event, 'CLASS', [property('CLASS', visibility.toUpperCase())])
}

/** The strictest CLASS in an object applies to all of it, so an override of a public series may have no other. */
const hasMatchingClass = (event: Component, { visibility }: Series): boolean =>
  visibility === 'private' ||
  listProperties(event, 'CLASS').every(({ value }) => upperCaseAscii(value.trim()) === 'PUBLIC')

const freshEvent = (uid: string, now: Instant): Component =>
  component('VEVENT', [property('UID', uid), utcLine('DTSTAMP', now), utcLine('CREATED', now)])

/** A new override starts as a copy of the main VEVENT without the properties of a series. */
export const copyForOccurrence = (main: Component): Component => ({
  ...main,
  children: main.children.filter(
    (node) => isComponent(node) || !['RRULE', 'RDATE', 'EXDATE', 'SEQUENCE'].includes(node.name),
  ),
})

export function stamp(event: Component, now: Instant): Component {
  const sequence = sequenceOf(event)
  let out = withProperties(event, 'DTSTAMP', [utcLine('DTSTAMP', now)])
  out = withProperties(out, 'LAST-MODIFIED', [utcLine('LAST-MODIFIED', now)])
  const next = sequence === undefined ? 0 : Math.min(sequence + 1, MAX_SEQUENCE)
  return withProperties(out, 'SEQUENCE', [property('SEQUENCE', String(next))])
}

function withText(event: Component, name: string, text: string | null): Component {
  return withValue(event, name, text === null ? null : escapeText(text))
}

/** A line that already has this value keeps its parameters and its folding. */
function withValue(event: Component, name: string, value: string | null): Component {
  const line = findProperty(event, name)
  if (value === null) return line ? withProperties(event, name, []) : event
  return line?.value === value ? event : withProperties(event, name, [property(name, value)])
}

/** The JSON API has one category; further ones that a client stores stay behind it. */
function withCategory(event: Component, category: string | null): Component {
  if (category === null) return withProperties(event, 'CATEGORIES', [])
  const [, ...others] = listProperties(event, 'CATEGORIES').flatMap(({ value }) => splitList(value))
  return withProperties(event, 'CATEGORIES', [property('CATEGORIES', [escapeText(category), ...others].join(','))])
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
