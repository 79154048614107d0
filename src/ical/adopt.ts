// A foreign event made ours: what must be put right is, every other line stays exactly as it came.
import { findBreach } from '../domain/calendar/acceptable.ts'
import { isRecurring, type Series, type Visibility } from '../domain/calendar/event.ts'
import type { SkipReason } from '../domain/calendar/skip-reasons.ts'
import { tameText } from '../domain/calendar/words.ts'
import { parseRule } from '../domain/recurrence/rule.ts'
import type { Instant, Wall } from '../domain/time/instant.ts'
import { parseTimeText } from '../domain/time/text.ts'
import type { Zone } from '../domain/time/zone.ts'
import { type DecodeProblem, decodeSeries, isDecodeProblem, overrideKey } from './decode.ts'
import { HEADER } from './encode.ts'
import { anchorOf, withKnownZones, type ZoneFinder } from './foreign-zones.ts'
import { isParseProblem, parseCalendar } from './parse.ts'
import type { FileEvent, Part } from './split.ts'
import { utcLine } from './times.ts'
import {
  type Component,
  component,
  escapeText,
  findProperty,
  isComponent,
  listProperties,
  type Property,
  paramOf,
  property,
  splitList,
  unescapeText,
  withProperties,
} from './tree.ts'

export interface Adoption {
  /** The calendar's own zone, for times that name none. */
  zone: Zone
  /** What an event without CLASS is. */
  visibility: Visibility
  now: Instant
  findZone: ZoneFinder
}

export interface Adopted {
  tree: Component
  series: Series
  /** Where in the file it begins. */
  line: number
  /** It came as an edited occurrence whose series was not there, and is kept as an event by itself. */
  wasOccurrence: boolean
  /** Earlier events of the file under the same UID, which this one stands for. */
  repeated: Part[]
}

export interface NotAdopted {
  reason: SkipReason
  line: number
}

export function adoptEvent(event: FileEvent, adoption: Adoption): Adopted | NotAdopted {
  const found = readParts(event)
  if ('reason' in found) return found
  const { line } = found.main.part
  const reason = reasonAgainst(found)
  if (reason) return { reason, line }
  const tree = putRight(found, adoption)
  if (!tree) return { reason: 'timezone_unknown', line }
  const series = decodeSeries(tree, adoption.zone.name)
  if (isDecodeProblem(series)) return { reason: reasonOf(series, found.main.event), line }
  if (series.overrides.length > 0 && !isRecurring(series)) return { reason: 'occurrence_without_series', line }
  const kept = withOneEditEach(tree, series)
  const breach = kept ? findBreach(series) : 'occurrence_unreadable'
  if (!kept || breach) return { reason: breach!, line }
  return { tree: kept, series, line, wasOccurrence: found.wasOccurrence, repeated: found.repeated }
}

export const isAdopted = (result: Adopted | NotAdopted): result is Adopted => 'tree' in result

/** A VEVENT as it stands in the file, and read. */
interface Read {
  part: Part
  event: Component
}

interface Found {
  main: Read
  overrides: Read[]
  wasOccurrence: boolean
  repeated: Part[]
}

function readParts({ parts }: FileEvent): Found | NotAdopted {
  const read: Read[] = []
  for (const part of parts) {
    const event = parseCalendar(part.text)
    if (isParseProblem(event)) return { reason: 'unreadable', line: part.line + event.line - 1 }
    read.push({ part, event })
  }
  const overrides = read.filter(({ event }) => findProperty(event, 'RECURRENCE-ID'))
  const mains = read.filter((one) => !overrides.includes(one))
  const main = mains.at(-1)
  if (main) return { main, overrides, wasOccurrence: false, repeated: mains.slice(0, -1).map(({ part }) => part) }
  const { part, event } = overrides[0]!
  if (overrides.length > 1 || hasAny(event, SERIES_LINES))
    return { reason: 'occurrence_without_series', line: part.line }
  const alone = { part, event: withProperties(event, 'RECURRENCE-ID', []) }
  return { main: alone, overrides: [], wasOccurrence: true, repeated: [] }
}

/** What only a whole series may say. */
const SERIES_LINES = ['RRULE', 'EXRULE', 'RDATE', 'EXDATE']

const hasAny = (event: Component, names: readonly string[]): boolean =>
  event.children.some((node) => !isComponent(node) && names.includes(node.name))

function reasonAgainst({ main: { event }, overrides }: Found): SkipReason | undefined {
  if (overrides.some((edit) => paramOf(findProperty(edit.event, 'RECURRENCE-ID')!, 'RANGE') !== undefined))
    return 'this_and_future'
  if (listProperties(event, 'RRULE').length > 1 || findProperty(event, 'EXRULE')) return 'rules_combined'
  if (overrides.length > 0 && !hasAny(event, ['RRULE', 'RDATE'])) return 'occurrence_without_series'
  return hasUnreadableDates(event) ? 'dates_unreadable' : undefined
}

/** Left alone, such a date would be an occurrence too many or too few, and nobody would be told. */
const hasUnreadableDates = (main: Component): boolean =>
  ['EXDATE', 'RDATE'].some((name) =>
    listProperties(main, name).some(({ value }) =>
      splitList(value).some((text) => text.trim() !== '' && !parseTimeText(text.trim())),
    ),
  )

/** The object as it is to be stored; undefined where a time zone cannot be known. */
function putRight({ main, overrides }: Found, { zone, visibility, now, findZone }: Adoption): Component | undefined {
  const anchor = anchorOf(main.event, main.part.calendar, zone, findZone)
  const zoned = [main, ...overrides].map(({ event, part }) => withKnownZones(event, part.calendar, anchor, findZone))
  if (zoned.includes(undefined)) return undefined
  const [first, ...others] = (zoned as Component[]).map((event) => withTameTexts(withStamp(event, now)))
  const titled = withTitle(first!, property('SUMMARY', UNTITLED))
  const visible = withVisibility(titled, visibility)
  const title = findProperty(titled, 'SUMMARY')!
  const edits = others.map((event) => withTitle(withoutSeriesLines(event), title))
  return component('VCALENDAR', [...HEADER, visible, ...edits])
}

/** An event must have a title here; one without is given this. */
export const UNTITLED = 'Untitled'

const withTitle = (event: Component, title: Property): Component =>
  unescapeText(findProperty(event, 'SUMMARY')?.value ?? '').trim() ? event : withProperties(event, 'SUMMARY', [title])

const withStamp = (event: Component, now: Instant): Component =>
  findProperty(event, 'DTSTAMP') ? event : withProperties(event, 'DTSTAMP', [utcLine('DTSTAMP', now)])

/** Signs that JSON refuses are taken out of the texts we show; lines that only other programs read keep them. */
const withTameTexts = (event: Component): Component => ({
  ...event,
  children: event.children.map((node) => {
    if (isComponent(node) || !TEXTS.includes(node.name)) return node
    const tamed = splitList(node.value).map((part) => tameText(unescapeText(part), breakIn(node.name)))
    const isTame = splitList(node.value).every((part, i) => unescapeText(part) === tamed[i])
    const { raw: _raw, ...line } = node
    return isTame ? node : { ...line, value: tamed.map(escapeText).join(',') }
  }),
})

const TEXTS = ['SUMMARY', 'DESCRIPTION', 'LOCATION', 'CATEGORIES']

const breakIn = (name: string): ' ' | '\n' => (name === 'DESCRIPTION' ? '\n' : ' ')

/** What nobody said is written down, so that the text means the same wherever it goes next. */
const withVisibility = (main: Component, visibility: Visibility): Component =>
  findProperty(main, 'CLASS') ? main : withProperties(main, 'CLASS', [property('CLASS', visibility.toUpperCase())])

/** Some programs repeat the series' lines in each of its edited occurrences, where they mean nothing. */
const withoutSeriesLines = (event: Component): Component =>
  hasAny(event, SERIES_LINES)
    ? { ...event, children: event.children.filter((node) => isComponent(node) || !SERIES_LINES.includes(node.name)) }
    : event

/** Of several edits of one occurrence the last is meant. Undefined when one of them cannot be read. */
function withOneEditEach(tree: Component, { timing, overrides, exclusions }: Series): Component | undefined {
  const edits = new Map<Wall, Component>()
  const rest: (typeof tree.children)[number][] = []
  const known = new Set([...overrides.map(({ key }) => key), ...exclusions])
  for (const node of tree.children) {
    const isEdit = isComponent(node) && findProperty(node, 'RECURRENCE-ID') !== undefined
    if (!isEdit) {
      rest.push(node)
      continue
    }
    const key = overrideKey(node, timing)
    if (key === undefined || !known.has(key)) return undefined
    edits.delete(key)
    edits.set(key, node)
  }
  return edits.size === 0 ? tree : { ...tree, children: [...rest, ...edits.values()] }
}

function reasonOf({ problem }: DecodeProblem, main: Component): SkipReason {
  if (problem === 'DTSTART or DTEND cannot be read') return 'times_unreadable'
  const rule = parseRule(findProperty(main, 'RRULE')?.value.trim() ?? '')
  return typeof rule === 'string' && findProperty(main, 'RRULE') ? rule : 'unreadable'
}
