// What the public may have of an event, as text: built new from a list of what it may hold, never cut from the whole.
import { type Details, isRecurring, type Override, type Series, type Timing } from '../domain/calendar/event.ts'
import { localUntil, sortedUnique, withUntil } from '../domain/calendar/repeat.ts'
import { isSecondReading } from '../domain/calendar/timing.ts'
import { MASKED_TITLE } from '../domain/privacy/mask.ts'
import { hasNominal, layOut, patternOf, startAtOf } from '../domain/recurrence/occurrences.ts'
import { formatRule, type Rule } from '../domain/recurrence/rule.ts'
import { dayOf, type Instant, type Wall } from '../domain/time/instant.ts'
import { requireZone, toInstant } from '../domain/time/zone.ts'
import { printCalendar } from './print.ts'
import { endLines, instantLine, listLine, momentLine, utcLine } from './times.ts'
import { component, escapeText, type Property, property } from './tree.ts'

export interface OpenAbout {
  uid: string
  updatedAt: Instant
  sequence: number
}

export interface About extends OpenAbout {
  /** The name it goes by while it is private: nothing of the real one shows in it. */
  maskedUid: string
}

/** The VEVENTs of a series, one after the other; none where the public sees nothing, as of a cancelled private event. */
export function publicEventText(series: Series, about: About): string {
  const events = series.visibility === 'public' ? openEvents(series, about) : maskedEvents(series, about)
  return events.map(print).join('')
}

/** The same for those who keep the calendar: private events have their words too, and nothing else is added. */
export const fullEventText = (series: Series, about: OpenAbout): string => openEvents(series, about).map(print).join('')

/** A public event: its words and its time. No people, no alarms, nothing that only its own client understands. */
function openEvents(series: Series, about: OpenAbout): Property[][] {
  const placed = place(series, series.overrides)
  const edited = inOrder([...placed.restated, ...series.overrides])
  return [
    [...openHead(about), ...seriesLines(series, placed, series.exclusions), ...openWords(series.details, series)],
    ...edited.map((override) => [
      ...openHead(about),
      ...occurrenceLines(override, series.timing),
      ...openWords(override.details, series),
    ]),
  ]
}

const openHead = ({ uid, updatedAt, sequence }: OpenAbout): Property[] => [
  property('UID', uid),
  utcLine('DTSTAMP', updatedAt),
  utcLine('LAST-MODIFIED', updatedAt),
  property('SEQUENCE', String(sequence)),
]

function openWords(details: Details, { transparency, visibility }: Series): Property[] {
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

/** A private event: its time, and two words that are the same for all. Of an edited occurrence only that it moved. */
function maskedEvents(series: Series, about: About): Property[][] {
  if (series.details.status === 'cancelled') return []
  const isCancelled = ({ details }: Override): boolean => details.status === 'cancelled'
  const kept = series.overrides.filter((override) => !isCancelled(override))
  const placed = place(series, kept)
  const moved = inOrder([...placed.restated, ...kept.filter((override) => isMoved(override, placed.timing))])
  const excluded = [...series.exclusions, ...series.overrides.filter(isCancelled).map(({ key }) => key)]
  return [
    [...maskedHead(about, placed.timing), ...seriesLines(series, placed, excluded), ...MASKED_WORDS],
    ...moved.map((override) => [
      ...maskedHead(about, override.timing),
      ...occurrenceLines(override, series.timing),
      ...MASKED_WORDS,
    ]),
  ]
}

/** When a private event was last changed is nobody's business: the stamp that must be there says its start again. */
const maskedHead = ({ maskedUid }: About, { startAt }: Timing): Property[] => [
  property('UID', maskedUid),
  utcLine('DTSTAMP', startAt),
]

const MASKED_WORDS: readonly Property[] = [property('SUMMARY', MASKED_TITLE), property('CLASS', 'PRIVATE')]

function isMoved({ key, timing }: Override, main: Timing): boolean {
  const nominalAt = main.allDay ? key : toInstant(requireZone(main.zone), key)
  return timing.startAt !== nominalAt || timing.durationMs !== main.durationMs
}

const inOrder = (overrides: readonly Override[]): Override[] => overrides.toSorted((a, b) => a.key - b.key)

/** How a series is written down. */
interface Placed {
  timing: Timing
  repeats: boolean
  extra: readonly Wall[]
  /** Its first occurrence, where the series' own line cannot say when that is. */
  restated: readonly Override[]
}

/**
 * A series that begins in the second reading of an autumn hour can be written in its zone only from the first one on,
 * and would recur by another clock in UTC. So it is written as if it began an hour earlier, and that its first
 * occurrence does not is said as of any other that was moved.
 */
function place(series: Series, overrides: readonly Override[]): Placed {
  const { timing, details, exclusions } = series
  const extra = extraDates(series, overrides)
  const repeats = isRecurring(series) || extra.length > 0
  if (!repeats || !isSecondReading(timing)) return { timing, repeats, extra, restated: [] }
  const key = timing.startWall
  const isSaid = exclusions.includes(key) || series.overrides.some((override) => override.key === key)
  const nominal = { ...timing, startAt: toInstant(requireZone(timing.zone), key) }
  return { timing: nominal, repeats, extra, restated: isSaid ? [] : [{ key, details, timing }] }
}

/** The time of the series itself, in one form and one zone throughout. */
function seriesLines({ rule }: Series, { timing, repeats, extra }: Placed, excluded: readonly Wall[]): Property[] {
  const zone = requireZone(timing.zone)
  // Some programs take extra dates without a rule for all there is, and would lose the first; to others it is one anyway.
  const rdates = rule || extra.length === 0 ? extra : sortedUnique([timing.startWall, ...extra])
  return [
    repeats ? momentLine('DTSTART', timing.startWall, timing.allDay, zone) : startLine(timing),
    ...endLines(timing),
    ...ruleLines(rule, timing),
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

/** UNTIL in the form of DTSTART, as RFC 5545 §3.3.10 has it, whatever form its client wrote. */
function ruleLines(rule: Rule | undefined, timing: Timing): Property[] {
  if (!rule) return []
  if (!rule.until || !timing.allDay) return [property('RRULE', formatRule(withUntil(rule, timing)))]
  const until = { kind: 'date', day: dayOf(localUntil(rule.until, timing)) } as const
  return [property('RRULE', formatRule(withUntil({ ...rule, until }, timing)))]
}

/**
 * Dates that start and rule do not give by themselves: some programs would show one that they do twice. An edited
 * occurrence that has no place in its series gets one here, where programs would drop it.
 */
function extraDates(series: Series, overrides: readonly Override[]): Wall[] {
  const dates = sortedUnique([...series.rdates, ...overrides.map(({ key }) => key)])
  if (dates.length === 0) return []
  const pattern = { ...patternOf(series), rdates: [] }
  const starts = dates.map((key) => startAtOf(pattern, key))
  const { occurrences, complete } = layOut(pattern, { from: Math.min(...starts), to: Math.max(...starts) + 1 })
  // Too far apart to be laid out together, each is looked up by itself: what becomes of one must not tell of another.
  if (!complete) return dates.filter((key) => !hasNominal(pattern, key))
  const given = new Set(occurrences.map(({ key }) => key))
  return dates.filter((key) => !given.has(key))
}

/** A line break in a value would be a line of somebody else's making: rather no event than such a one. */
function print(lines: readonly Property[]): string {
  if (lines.some(({ value }) => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value) || !value.isWellFormed())) {
    throw new Error('a value cannot stand on a line')
  }
  return printCalendar(component('VEVENT', lines))
}
