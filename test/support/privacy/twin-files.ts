// Prints the events of a pair of calendars as iCalendar, one file for each side, and lists their occurrence keys.
import { isRecurring } from '../../../src/domain/calendar/event.ts'
import { sortedUnique } from '../../../src/domain/calendar/repeat.ts'
import { listNominalWalls, wholePatternOf } from '../../../src/domain/recurrence/occurrences.ts'
import { MAX_FREQUENT } from '../../../src/domain/recurrence/sub-daily-limit.ts'
import { DAY_MS, dayOf, type LocalMs, MINUTE_MS } from '../../../src/domain/time/instant.ts'
import { formatBasicDate, formatBasicLocal } from '../../../src/domain/time/text.ts'
import { foldLine } from '../../../src/ical/text/print.ts'
import { escapeText } from '../../../src/ical/text/tree.ts'
import { calendar, decode } from '../../ical/objects.ts'
import {
  type HiddenWords,
  INDEX_EDGES,
  type Leftover,
  type Placing,
  type Side,
  sideOf,
  type TwinEvent,
  uidOf,
} from './twins.ts'

const knownKeys = new WeakMap<Placing, LocalMs[]>()

/**
 * Nominal starts: the first, those around the last that is listed of a frequent rule, those around the edges of the
 * index, and one far ahead. None of an event that does not repeat.
 */
export function keysOf({ placing }: TwinEvent): LocalMs[] {
  const known = knownKeys.get(placing) ?? findKeys(placing)
  knownKeys.set(placing, known)
  return known
}

function findKeys(placing: Placing): LocalMs[] {
  const start = startOf(placing)
  if (isAlone(placing)) {
    const dates = sortedUnique([start, ...extraDates(placing)])
    return dates.length > 1 ? dates : []
  }
  const series = decode(calendar('SUMMARY:x', ...timeLines(placing, placing.zone, false)))
  if (!isRecurring(series)) return []
  const pattern = wholePatternOf(series)
  const first = listNominalWalls(pattern, start, Date.UTC(2201, 0, 1), MAX_FREQUENT + 6)
  const near = (from: LocalMs): LocalMs[] => listNominalWalls(pattern, from, from + 500 * DAY_MS, 2)
  const listedEnd = first.slice(MAX_FREQUENT - 1, MAX_FREQUENT + 1)
  const edges = INDEX_EDGES.flatMap((edge) => near(edge - DAY_MS)).concat(near(Date.UTC(2040, 0, 1)).slice(0, 1))
  return sortedUnique([...first.slice(0, 6), ...listedEnd, ...first.slice(-1), ...edges.filter((key) => key > start)])
}

const isAlone = ({ isAlone: is, rule }: Placing): boolean => is && rule === null

/** Whether the file holds a series, from which dates can be excluded. */
const repeats = (placing: Placing): boolean =>
  !isAlone(placing) && (placing.rule !== null || extraDates(placing).some((wall) => wall !== startOf(placing)))

/** The event as printed for one side, now or as it was when it was public. */
export function fileEvent(event: TwinEvent, index: number, side: Side, visibility = event.placing.visibility): string {
  const { placing } = event
  const words = sideOf(event, side)
  const { isOddClient, cancelsInstead } = words
  const tzid = isOddClient ? otherNameOf(placing.zone, index) : placing.zone
  const uid = uidOf(event, index, side)
  const keys = keysOf(event)
  const isHidden = visibility === 'private'
  const has = (at: number): boolean => keys[at] !== undefined
  const deleted = isAlone(placing) ? [] : placing.deleted.filter(has)
  const moved = placing.moved.filter(({ at }) => has(at) && !deleted.includes(at))
  const isFree = (at: number): boolean => has(at) && ![...deleted, ...moved.map((move) => move.at)].includes(at)
  // Without its series, every occurrence is an edited one.
  const isPeriodAt = (at: number): boolean => hasPeriods(placing) && isExtra(placing, keys[at]!)
  const reworded = isAlone(placing)
    ? keys.map((_, at) => at).filter(isFree)
    : words.reworded.filter((at) => isFree(at) && !isPeriodAt(at))
  const cancelled = isHidden && cancelsInstead ? deleted : []
  const left = isHidden ? words.leftovers : []
  const edited = [
    ...moved.map(({ at, byQuarters, longerBy }) => edit(placing, tzid, keys[at]!, byQuarters, words.status, longerBy)),
    ...reworded.map((at) => edit(placing, tzid, keys[at]!, 0, words.status)),
    ...cancelled.map((at) => edit(placing, tzid, keys[at]!, at * 4, 'CANCELLED')),
    ...cancelledNowhere(placing, left, keys).map((key) => edit(placing, tzid, key, 0, 'CANCELLED')),
  ]
  const excluded = deleted.filter((at) => !cancelled.includes(at)).map((at) => keys[at]!)
  const head = [
    `STATUS:${placing.isGone ? 'CANCELLED' : words.status}`,
    `CLASS:${isHidden ? words.hidingWord : 'PUBLIC'}`,
  ]
  const main = [
    ...timeLines(placing, tzid, isOddClient, left),
    ...leftoverLines(
      placing,
      tzid,
      left,
      keys.filter((_, at) => !deleted.includes(at)),
    ),
    ...exclusionLines(placing, tzid, excluded, isOddClient),
    ...head,
  ]
  // A single occurrence is its own series; several are joined into one, and each has its own CLASS.
  const isBare = isAlone(placing) && keys.length > 0
  return [
    ...(isBare ? [] : eventLines(uid, words, main)),
    ...inOrder(edited, isOddClient).flatMap((lines) =>
      eventLines(uid, words, isBare ? withHead(lines, head, placing) : lines, ' edited'),
    ),
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('')
}

const withHead = (lines: string[], head: string[], { isGone }: Placing): string[] => [
  ...lines.filter((line) => !isGone || !line.startsWith('STATUS:')),
  ...head.filter((line) => isGone || !line.startsWith('STATUS:')),
]

/** Wall times without an occurrence: starts are on the quarter of an hour. */
const besides = (placing: Placing, days: number): LocalMs => startOf(placing) + days * DAY_MS + 7 * MINUTE_MS

function cancelledNowhere(placing: Placing, left: readonly Leftover[], keys: readonly LocalMs[]): LocalMs[] {
  const fits = !placing.allDay && (repeats(placing) || (isAlone(placing) && keys.length > 0))
  return fits && left.includes('cancelled nowhere') ? [besides(placing, 2)] : []
}

/** Dates without effect, as clients leave them when the schedule changes. */
function leftoverLines(placing: Placing, tzid: string, left: readonly Leftover[], kept: readonly LocalMs[]): string[] {
  if (isAlone(placing)) return []
  const line = (name: string, wall: LocalMs): string => momentsLine(name, [wall], placing, tzid)
  const start = startOf(placing)
  const given = placing.rule === null ? undefined : kept.find((wall) => wall > start && !isExtra(placing, wall))
  return [
    ...(left.includes('excluded nowhere') && repeats(placing) ? [line('EXDATE', start - 3 * DAY_MS)] : []),
    ...(left.includes('given twice') && given !== undefined ? [line('RDATE', given)] : []),
    ...(left.includes('added and excluded') && !placing.allDay
      ? [line('RDATE', besides(placing, 400)), line('EXDATE', besides(placing, 400))]
      : []),
  ]
}

const hasPeriods = ({ periodQuarters, allDay }: Placing): boolean => periodQuarters !== null && !allDay

const isExtra = (placing: Placing, wall: LocalMs): boolean => extraDates(placing).includes(wall)

/** The same zones under TZIDs of other programs. */
const OTHER_NAMES: Record<string, string> = {
  'Europe/London': 'GMT Standard Time',
  'America/New_York': 'Eastern Standard Time',
  'Asia/Kolkata': 'India Standard Time',
}

/** Of every other event in the calendar's own zone the times are floating. */
const otherNameOf = (zone: string, index: number): string =>
  zone === 'Europe/London' && index % 2 === 0 ? FLOATING : (OTHER_NAMES[zone] ?? zone)

const FLOATING = ''

const inOrder = <T>(items: readonly T[], isBackwards: boolean): T[] => (isBackwards ? items.toReversed() : [...items])

function eventLines(uid: string, words: HiddenWords, times: string[], suffix = ''): string[] {
  const { title, description, location, category, transparency, extras, hasAlarm } = words
  const named = (name: string, value: string): string[] => (value ? [`${name}:${escapeText(value)}`] : [])
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260101T000000Z',
    ...named('SUMMARY', `${title}${suffix}`),
    ...named('DESCRIPTION', description),
    ...named('LOCATION', location),
    ...named('CATEGORIES', category),
    `TRANSP:${transparency}`,
    ...extras.map((line) => line.replaceAll('@@', `${words.uid}@`).replaceAll('@', words.uid)),
    ...times,
    ...(hasAlarm
      ? ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT15M', `DESCRIPTION:${escapeText(title)}`, 'END:VALARM']
      : []),
    'END:VEVENT',
  ]
}

const startOf = ({ day, quarter, allDay }: Placing): LocalMs =>
  Date.UTC(2026, 6, 10) + day * DAY_MS + (allDay ? 0 : quarter * 15 * MINUTE_MS)

const extraDates = (placing: Placing): LocalMs[] => placing.extraDays.map((days) => startOf(placing) + days * DAY_MS)

function timeLines(placing: Placing, tzid: string, isOddClient: boolean, left: readonly Leftover[] = []): string[] {
  const { rule } = placing
  const start = startOf(placing)
  const ending = left.includes('later end') ? rule?.replace('T000000Z', 'T000007Z') : rule
  return [
    momentsLine('DTSTART', [start], placing, tzid),
    ...lengthLines(placing, start),
    ...(ending ? [`RRULE:${isOddClient ? ending.split(';').reverse().join(';').toLowerCase() : ending}`] : []),
    ...extraLines(placing, tzid, isOddClient),
  ]
}

/** Extra dates, or periods: with their end or their duration, and as dates where they are as long as the series. */
function extraLines(placing: Placing, tzid: string, isOddClient: boolean): string[] {
  const { periodQuarters, quarters } = placing
  const dates = inOrder(extraDates(placing), isOddClient)
  if (dates.length === 0) return []
  const arePeriods = hasPeriods(placing) && !(isOddClient && periodQuarters === quarters)
  const line = momentsLine('RDATE', dates, placing, tzid)
  if (!arePeriods) return [line]
  const [name, values] = [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]
  const period = (value: string): string =>
    `${value}/PT${isOddClient ? `${periodQuarters! * 900}S` : `${periodQuarters! * 15}M`}`
  return [`${name.replace('RDATE', 'RDATE;VALUE=PERIOD')}:${values.split(',').map(period).join(',')}`]
}

function lengthLines({ allDay, quarters: usual }: Placing, start: LocalMs, longerBy = 0): string[] {
  const quarters = usual + longerBy
  if (!allDay) return quarters === 0 ? [] : [`DURATION:PT${quarters * 15}M`]
  return [`DTEND;VALUE=DATE:${formatBasicDate(dayOf(start) + 1 + (quarters % 3))}`]
}

/** In one line, or as an unusual client writes it: a line each, the last first, and one of them twice. */
function exclusionLines(placing: Placing, tzid: string, keys: readonly LocalMs[], isOddClient: boolean): string[] {
  if (keys.length === 0) return []
  if (!isOddClient) return [momentsLine('EXDATE', keys, placing, tzid)]
  return [...keys.toReversed(), keys[0]!].map((key) => momentsLine('EXDATE', [key], placing, tzid))
}

function edit(
  placing: Placing,
  tzid: string,
  key: LocalMs,
  byQuarters: number,
  status: string,
  longerBy = 0,
): string[] {
  const start = key + (placing.allDay ? Math.trunc(byQuarters / 40) * DAY_MS : byQuarters * 15 * MINUTE_MS)
  return [
    momentsLine('RECURRENCE-ID', [key], placing, tzid),
    momentsLine('DTSTART', [start], placing, tzid),
    ...lengthLines(placing, start, longerBy),
    `STATUS:${status}`,
  ]
}

function momentsLine(name: string, walls: readonly LocalMs[], { allDay, zone }: Placing, tzid: string): string {
  if (allDay) return `${name};VALUE=DATE:${walls.map((wall) => formatBasicDate(dayOf(wall))).join(',')}`
  const readings = walls.map(formatBasicLocal)
  if (zone === 'UTC') return `${name}:${readings.map((reading) => `${reading}Z`).join(',')}`
  return `${name}${tzid === FLOATING ? '' : `;TZID=${tzid}`}:${readings.join(',')}`
}
