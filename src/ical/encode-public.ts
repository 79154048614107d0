// Encodes the public view of an event as VEVENT text, built from an allow-list.
import {
  type Details,
  isRecurring,
  type Override,
  type Series,
  type Timing,
  type Transparency,
} from '../domain/calendar/event.ts'
import { sortedUnique } from '../domain/calendar/repeat.ts'
import { isSecondReading } from '../domain/calendar/timing.ts'
import { MASKED_TITLE } from '../domain/privacy/mask.ts'
import { maskSchedule } from '../domain/privacy/masked-schedule.ts'
import { createNominalCheck, wholePatternOf } from '../domain/recurrence/occurrences.ts'
import { formatRule, type Rule } from '../domain/recurrence/rule.ts'
import { runSteps, type Steps } from '../domain/steps.ts'
import type { Instant, LocalMs } from '../domain/time/instant.ts'
import { requireZone, toInstant } from '../domain/time/zone.ts'
import { interopRule } from './interop-rrule.ts'
import { onOneLine, printCalendar } from './text/print.ts'
import { component, escapeText, type Property, property } from './text/tree.ts'
import { endLines, instantLine, listLine, momentLine, utcLine } from './times.ts'

export interface PublicMetadata {
  uid: string
  updatedAt: Instant
  sequence: number
}

export interface MaskedMetadata extends PublicMetadata {
  /** UID while the event is private: it discloses nothing of the real one. */
  maskedUid: () => string
}

/** The VEVENTs of a series; empty if the public sees nothing, as for a cancelled private event. */
export const publicEventText = (series: Series, about: MaskedMetadata): string =>
  runSteps(publicEventTextInSteps(series, about))

export function publicEventTextInSteps(series: Series, about: MaskedMetadata): Steps<string> {
  const write = series.visibility === 'public' ? openEvents : maskedEvents
  return printInSteps(write(withZones(series), about))
}

/** The same for readers with full sight: private events include their texts, and nothing else is added. */
export const fullEventTextInSteps = (series: Series, about: PublicMetadata): Steps<string> =>
  printInSteps(openEvents(withZones(series), about))

/** Floating times are written in the zone in which lists show them: readers do not know the calendar's zone. */
function withZones(series: Series): Series {
  const withZone = <T extends { timing: Timing }>(one: T): T => {
    const { floating, ...timing } = one.timing
    return floating ? { ...one, timing } : one
  }
  return { ...withZone(series), overrides: series.overrides.map(withZone) }
}

/** One VEVENT may have texts of 10,000 characters, which take a few milliseconds to print. */
function* printInSteps(events: Iterable<Property[]>): Steps<string> {
  let text = ''
  for (const event of events) {
    text += print(event)
    yield
  }
  return text
}

/** A public event: its details and times. No attendees, no alarms, no client-specific properties. */
function* openEvents(series: Series, about: PublicMetadata): Generator<Property[]> {
  const placed = place(series, series.overrides)
  const edited = withFirst(series.overrides, series, placed, series.exclusions)
  yield [
    ...openHead(about),
    ...seriesLines(placed, series.exclusions),
    ...openWords(series, series.details, series.transparency),
  ]
  for (const override of edited)
    yield [
      ...openHead(about),
      ...occurrenceLines(override, series.timing),
      ...openWords(series, override.details, override.transparency ?? series.transparency),
    ]
}

const openHead = ({ uid, updatedAt, sequence }: PublicMetadata): Property[] => [
  property('UID', uid),
  utcLine('DTSTAMP', updatedAt),
  utcLine('LAST-MODIFIED', updatedAt),
  property('SEQUENCE', String(sequence)),
]

function openWords({ visibility }: Series, details: Details, transparency: Transparency): Property[] {
  const { title, description, location, category, url, status } = details
  const text = (name: string, value: string | null): Property[] =>
    value === null ? [] : [property(name, escapeText(value))]
  return [
    ...text('SUMMARY', title),
    ...text('DESCRIPTION', description),
    ...text('LOCATION', location),
    ...text('CATEGORIES', category),
    ...(url === null ? [] : [property('URL', url)]),
    property('STATUS', status.toUpperCase()),
    property('TRANSP', transparency.toUpperCase()),
    property('CLASS', visibility.toUpperCase()),
  ]
}

/** A private event: its times, and a title that is the same for all. Of an override only its moved time. */
function maskedEvents(whole: Series, about: MaskedMetadata): Property[][] {
  const series = maskedSeries(whole)
  if (!series) return []
  const placed = place(series, series.overrides)
  const moved = withFirst(series.overrides, series, placed, series.exclusions)
  const uid = about.maskedUid()
  return [
    [...maskedHead(uid, placed.timing), ...seriesLines(placed, series.exclusions), ...MASKED_WORDS],
    ...moved.map((override) => [
      ...maskedHead(uid, override.timing),
      ...occurrenceLines(override, series.timing),
      ...MASKED_WORDS,
    ]),
  ]
}

/** A new series of times alone: no texts, and only the dates and overrides that the public may see. */
function maskedSeries(series: Series): Series | undefined {
  if (series.details.status === 'cancelled') return undefined
  const [cancelled, kept] = partition(series.overrides, ({ details }) => details.status === 'cancelled')
  const { rule, rdates, exclusions, moved } = maskSchedule(
    wholePatternOf(series),
    [...series.exclusions, ...cancelled.map(({ key }) => key)],
    kept,
  )
  const hasOccurrence = rule !== undefined || rdates.length > 0 || exclusions.length === 0
  if (!hasOccurrence) return undefined
  return {
    uid: '',
    visibility: 'private',
    transparency: 'opaque',
    details: NO_DETAILS,
    timing: series.timing,
    rule,
    rdates,
    exclusions,
    overrides: moved.map(({ key, timing }) => ({ key, details: NO_DETAILS, timing })),
  }
}

const NO_DETAILS: Details = {
  title: MASKED_TITLE,
  description: null,
  location: null,
  category: null,
  url: null,
  status: 'confirmed',
}

const partition = <T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] => [
  items.filter(isFirst),
  items.filter((item) => !isFirst(item)),
]

/** The last change of a private event must not be disclosed: the mandatory DTSTAMP repeats its start. */
const maskedHead = (uid: string, { startAt }: Timing): Property[] => [property('UID', uid), utcLine('DTSTAMP', startAt)]

const MASKED_WORDS: readonly Property[] = [property('SUMMARY', MASKED_TITLE), property('CLASS', 'PRIVATE')]

/** How a series is written. */
interface PublicSchedule {
  timing: Timing
  rule: Rule | undefined
  repeats: boolean
  extra: readonly LocalMs[]
  /** The rule does not give the start, which some clients then omit. */
  isOffRule: boolean
  /** The first occurrence is written as an own VEVENT, because not every client derives it from the series. */
  writesFirst: boolean
}

/**
 * A series that begins in the second pass of a repeated hour cannot be written in its zone, and would recur by another
 * clock in UTC. So it is written as if it began an hour earlier, with an override that moves its first occurrence.
 */
function place(series: Series, overrides: readonly Override[]): PublicSchedule {
  const { timing } = series
  const extra = extraDates(series, overrides)
  const repeats = isRecurring(series) || extra.length > 0
  const placed = { repeats, extra, ...interopRule(series) }
  if (!repeats || !isSecondReading(timing)) return { ...placed, timing, writesFirst: placed.isOffRule }
  const nominal = { ...timing, startAt: toInstant(requireZone(timing.zone), timing.startWall) }
  return { ...placed, timing: nominal, writesFirst: true }
}

/** Overrides in order, plus one for the first occurrence if it is needed and neither overridden nor excluded. */
function withFirst(
  edited: readonly Override[],
  { details, timing }: Series,
  { writesFirst }: PublicSchedule,
  excluded: readonly LocalMs[],
): Override[] {
  const key = timing.startWall
  const isCovered = excluded.includes(key) || edited.some((override) => override.key === key)
  const all = writesFirst && !isCovered ? [...edited, { key, details, timing }] : edited
  return all.toSorted((a, b) => a.key - b.key)
}

/** The time properties of the series itself, in one form and one zone throughout. */
function seriesLines(placed: PublicSchedule, excluded: readonly LocalMs[]): Property[] {
  const { timing, rule, repeats, extra, isOffRule } = placed
  const zone = requireZone(timing.zone)
  // Some clients take a rule, or RDATEs without one, as the complete set and would lose the first occurrence; for
  // others it is one anyway. A deleted first one is listed too, or its EXDATE would match nothing.
  const listsFirst = rule ? isOffRule : extra.length > 0
  const rdates = listsFirst ? sortedUnique([timing.startWall, ...extra]) : extra
  return [
    repeats ? momentLine('DTSTART', timing.startWall, timing.allDay, zone) : startLine(timing),
    ...endLines(timing),
    ...(rule ? [property('RRULE', formatRule(rule))] : []),
    ...listLine('RDATE', rdates, timing.allDay, zone),
    ...listLine('EXDATE', sortedUnique(excluded), timing.allDay, zone),
  ]
}

function occurrenceLines({ key, timing }: Override, main: Timing): Property[] {
  const recurrenceId = momentLine('RECURRENCE-ID', key, main.allDay, requireZone(main.zone))
  return [recurrenceId, startLine(timing), ...endLines(timing)]
}

const startLine = (timing: Timing): Property => {
  const zone = requireZone(timing.zone)
  if (timing.allDay) return momentLine('DTSTART', timing.startWall, true, zone)
  return instantLine('DTSTART', timing.startAt, zone)
}

/**
 * Dates that start and rule do not give by themselves: some clients would show a repeated one twice. An override that
 * has no occurrence in its series is listed here, because clients would drop it.
 */
function extraDates(series: Series, overrides: readonly Override[]): LocalMs[] {
  const dates = sortedUnique([...series.rdates, ...overrides.map(({ key }) => key)])
  if (dates.length === 0) return []
  const isGiven = createNominalCheck({ ...wholePatternOf(series), rdates: [] })
  return dates.filter((key) => !isGiven(key))
}

/** A line break in a value would inject a new property. */
function print(lines: readonly Property[]): string {
  const safe = lines.map((line) => ({ ...line, value: onOneLine(line.value) }))
  return printCalendar(component('VEVENT', safe))
}
