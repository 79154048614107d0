// Normalises a foreign event: known zones, required properties added, every other line unchanged.
import type { Visibility } from '../../domain/calendar/event.ts'
import type { SkipReason } from '../../domain/calendar/skip-reasons.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { arrangeCalendar, HEADER } from '../encode.ts'
import { withoutInterop } from '../interop-text.ts'
import { isOpenAccess, OPEN_ACCESS } from '../text/scan.ts'
import {
  type Component,
  findProperty,
  isComponent,
  listProperties,
  type Property,
  property,
  unescapeText,
  upperCaseAscii,
  withProperties,
} from '../text/tree.ts'
import { utcLine } from '../times.ts'
import { anchorOf, resolveZonesInSteps, withKnownZones, type ZoneFinder } from '../zones/foreign-zones.ts'
import { combineRules } from './combined-rules.ts'
import { replaceDefinedZones } from './defined-zones.ts'
import { collectOrphans } from './orphan-overrides.ts'
import { type SeriesComponents, unrollPeriods } from './periods.ts'
import { type EventParts, hasAny, type ParsedPart, SERIES_LINES } from './read-parts.ts'
import { sanitizeInSteps } from './sanitize-text.ts'
import { spreadRanges } from './this-and-future.ts'

export interface ImportDefaults {
  /** The calendar's own zone, for floating times. */
  zone: Zone
  /** Visibility of an event without CLASS. */
  visibility: Visibility
  now: Instant
  findZone: ZoneFinder
}

/** The object as it will be stored. */
export function* normalizeInSteps(found: EventParts, adoption: ImportDefaults): Steps<Component | SkipReason> {
  const { main, overrides } = found
  const gathered = yield* gather(found, adoption)
  if (typeof gathered === 'string') return gathered
  const titled = withTitle(gathered.main, property('SUMMARY', UNTITLED))
  yield
  const visible = [main, ...overrides].some(isPrivatePart)
    ? withPrivacy(titled)
    : withVisibility(titled, adoption.visibility)
  const title = findProperty(titled, 'SUMMARY')!
  const edits = gathered.edits.map((event) => withTitle(event, title))
  return arrangeCalendar([...HEADER, ...(found.others ?? [])], [visible, ...edits])
}

function* gather(
  { main, overrides, wasOccurrence }: EventParts,
  adoption: ImportDefaults,
): Steps<SeriesComponents | SkipReason> {
  const { zone, now, findZone } = adoption
  const bare = overrides.map(({ event, part }) => ({ event: withoutSeriesLines(event), part }))
  yield
  const replaced = yield* replaceDefinedZones([main, ...bare], zone, findZone)
  if (typeof replaced === 'string') return replaced
  const { parts, seriesZone } = replaced
  const anchor = anchorOf(parts[0]!.event, main.part.calendar, zone, findZone)
  yield
  const tidy: Component[] = []
  for (const { event, part } of parts) {
    yield* resolveZonesInSteps(event, part.calendar, findZone)
    const zoned = withKnownZones(event, part.calendar, anchor, findZone)
    if (!zoned) return 'timezone_unknown'
    yield
    tidy.push(yield* sanitizeInSteps(withStamp(zoned, now)))
    yield
  }
  const [first, ...edits] = tidy
  if (wasOccurrence && edits.length > 0) return collectOrphans(edits, zone)
  const own = withoutInterop({ main: first!, edits }, zone.name)
  yield
  const unrolled = unrollPeriods(own.main, zone)
  if (typeof unrolled === 'string') return unrolled
  const combined = yield* combineRules(unrolled.main, zone)
  if (typeof combined === 'string') return combined
  const spread = yield* spreadRanges({ main: combined, edits: own.edits }, zone, seriesZone)
  if (typeof spread === 'string') return spread
  // Of the two, a period is the less explicit, so that an override replaces it.
  return { main: combined, edits: [...unrolled.edits, ...spread.edits] }
}

/** Title of an event without one. */
export const UNTITLED = 'Untitled'

const withTitle = (event: Component, title: Property): Component =>
  unescapeText(findProperty(event, 'SUMMARY')?.value ?? '').trim() ? event : withProperties(event, 'SUMMARY', [title])

const withStamp = (event: Component, now: Instant): Component =>
  findProperty(event, 'DTSTAMP') ? event : withProperties(event, 'DTSTAMP', [utcLine('DTSTAMP', now)])

/** Writes the default CLASS explicitly, so that the text means the same wherever it is read. */
const withVisibility = (main: Component, visibility: Visibility): Component =>
  findProperty(main, 'CLASS') ? main : withProperties(main, 'CLASS', [property('CLASS', visibility.toUpperCase())])

/**
 * One private VEVENT makes the whole object private, even a duplicate that is dropped. Servers without CLASS wrote the
 * access on the event or its calendar: any value but PUBLIC is private.
 */
const isPrivatePart = ({ event, part }: ParsedPart): boolean => {
  const onEvent = listProperties(event, 'X-CALENDARSERVER-ACCESS').map(({ value }) => value)
  return hasPrivateClass(event) || ![...onEvent, part.calendar.access ?? OPEN_ACCESS].every(isOpenAccess)
}

const hasPrivateClass = (event: Component): boolean =>
  listProperties(event, 'CLASS').some(({ value }) => upperCaseAscii(value.trim()) !== 'PUBLIC')

const withPrivacy = (main: Component): Component =>
  hasPrivateClass(main) ? main : withProperties(main, 'CLASS', [property('CLASS', 'PRIVATE')])

/** Some clients repeat the recurrence properties in each override, where they have no meaning. */
const withoutSeriesLines = (event: Component): Component =>
  hasAny(event, SERIES_LINES)
    ? { ...event, children: event.children.filter((node) => isComponent(node) || !SERIES_LINES.includes(node.name)) }
    : event
