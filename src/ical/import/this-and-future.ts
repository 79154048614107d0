// RANGE=THISANDFUTURE: an override of all later occurrences as single overrides. RFC 5545 §3.2.13.
import type { Timing } from '../../domain/calendar/event.ts'
import { listNominalWalls, patternOf } from '../../domain/recurrence/occurrences.ts'
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS, type LocalMs } from '../../domain/time/instant.ts'
import { readingsOf, requireZone, toInstant, toWall, type Zone } from '../../domain/time/zone.ts'
import { decodeSeries, decodeTiming, editsByKey, isDecodeProblem, overrideKey, ZONE_PROPERTY } from '../decode.ts'
import { encodeTiming } from '../encode.ts'
import { printCalendar } from '../text/print.ts'
import {
  type Component,
  component,
  findProperty,
  isComponent,
  paramOf,
  upperCaseAscii,
  withProperties,
} from '../text/tree.ts'
import { lineZoneOf, momentLine } from '../times.ts'
import type { SeriesComponents } from './periods.ts'

/**
 * Dates of the series that are looked at, from the first override with a range on. A fixed number: it must not depend on
 * the texts, or the times that the public sees of a private series would tell how long they are.
 */
const MAX_DATES = 1_000

/** Of the copies together; if they are longer, they have fewer lines. Every word of a copy is in the search index. */
const MAX_WHOLE_COPIES = 256 * 1_024
/** With all copies the object must still fit into a PUT. */
const MAX_COPIES = 896 * 1_024

/**
 * All zones must be resolved. An override of one occurrence takes precedence, then the latest override with a range. In
 * a series with more than MAX_DATES later dates, those after them stay unchanged. `seriesZone` is given if the times of
 * the series are in UTC in place of a zone of its own.
 */
export function* spreadRanges(
  { main, edits }: SeriesComponents,
  ownZone: Zone,
  seriesZone?: Zone,
): Steps<SeriesComponents | 'too_large'> {
  if (!edits.some(hasRange)) return { main, edits }
  const plain = edits.map(withoutRange)
  const series = decodeSeries(component('VCALENDAR', [main]), ownZone.name)
  if (isDecodeProblem(series)) return { main, edits: plain }
  const keys = edits.map((edit) => overrideKey(edit, series.timing))
  const ranges = listRanges(edits, series.timing).map(([key, edit]) => ({ key, edit: withoutRange(edit) }))
  yield
  const all = listNominalWalls(patternOf(series), ranges[0]?.key ?? 0, Number.MAX_SAFE_INTEGER, MAX_DATES)
  const others = new Set([...keys, ...series.exclusions])
  const changed = all.flatMap((key) => {
    const range = others.has(key) ? undefined : ranges.findLast((one) => one.key <= key)
    return range ? [{ key, range }] : []
  })
  yield
  const lengths = new Map(ranges.map(({ edit }) => [edit, printCalendar(edit).length]))
  const isWhole = changed.reduce((sum, { range }) => sum + lengths.get(range.edit)!, 0) <= MAX_WHOLE_COPIES
  const copied = new Map(ranges.map(({ edit }) => [edit, isWhole ? edit : withShortLines(edit)]))
  const zone = seriesZone ?? requireZone(series.timing.zone)
  const wallOf = (key: LocalMs): LocalMs => (seriesZone ? nominalWall(key, series.timing, seriesZone) : key)
  const spread: Component[] = []
  let left = MAX_COPIES
  for (const { key, range } of changed) {
    const shift = wallOf(key) - wallOf(range.key)
    const copy = copyTo(copied.get(range.edit)!, key, { zone, shift }, series.timing)
    if (!copy) break
    left -= printCalendar(copy).length
    if (left < 0) return 'too_large'
    spread.push(copy)
    yield
  }
  return { main, edits: [...plain, ...spread] }
}

/** Overrides with a range by the key they begin at, ascending; of several with one key the newest version. */
export const listRanges = (edits: readonly Component[], main: Timing): [LocalMs, Component][] =>
  [...editsByKey(edits.filter(hasRange), main)].sort(([a], [b]) => a - b)

/** Without its description, alarms, guests and unknown lines: only what a list shows. */
const withShortLines = (event: Component): Component => ({
  ...event,
  children: event.children.filter((node) => !isComponent(node) && SHORT_LINES.includes(node.name)),
})

const SHORT_LINES: readonly string[] = [
  ...['UID', 'DTSTAMP', 'RECURRENCE-ID', 'DTSTART', 'DTEND', 'DURATION', ZONE_PROPERTY],
  ...['SUMMARY', 'LOCATION', 'CATEGORIES', 'STATUS', 'TRANSP', 'CLASS', 'SEQUENCE'],
]

/** THISANDPRIOR, of RFC 2445, has no use and is refused. */
export const hasUnknownRange = (event: Component): boolean => !['', 'THISANDFUTURE'].includes(rangeOf(event))

export const hasRange = (event: Component): boolean => rangeOf(event) === 'THISANDFUTURE'

function rangeOf(event: Component): string {
  const line = findProperty(event, 'RECURRENCE-ID')
  return upperCaseAscii((line && paramOf(line, 'RANGE')) ?? '').trim()
}

function withoutRange(event: Component): Component {
  if (!hasRange(event)) return event
  const { name, params, value } = findProperty(event, 'RECURRENCE-ID')!
  return withProperties(event, 'RECURRENCE-ID', [{ name, params: params.filter((one) => one.name !== 'RANGE'), value }])
}

/** The wall time of an occurrence in the zone of the series; just after a gap the skipped one, if the start has it. */
function nominalWall(key: LocalMs, { zone, startAt }: Timing, seriesZone: Zone): LocalMs {
  const start = toWall(seriesZone, startAt)
  const readings = readingsOf(seriesZone, toInstant(requireZone(zone), key))
  return readings.find((wall) => (wall - start) % DAY_MS === 0) ?? readings[0]!
}

/** How far a copy is moved on the clocks of a zone. */
interface ClockShift {
  zone: Zone
  shift: number
}

/** The same override for a later occurrence: moved by as much in the zone of the series, of the same length. */
function copyTo(edit: Component, key: LocalMs, by: ClockShift, main: Timing): Component | undefined {
  const timing = decodeTiming(edit, main.zone)
  if (!timing) return undefined
  const moved = encodeTiming(edit, timing.allDay ? { ...timing, ...movedDay(timing, by.shift) } : movedTime(timing, by))
  return withProperties(moved, 'RECURRENCE-ID', [momentLine('RECURRENCE-ID', key, main.allDay, lineZoneOf(main))])
}

const movedDay = ({ startWall }: Timing, shift: number): Pick<Timing, 'startWall' | 'startAt'> => ({
  startWall: startWall + shift,
  startAt: startWall + shift,
})

function movedTime(timing: Timing, { zone, shift }: ClockShift): Timing {
  const startAt = toInstant(zone, toWall(zone, timing.startAt) + shift)
  return { ...timing, startAt, startWall: toWall(requireZone(timing.zone), startAt) }
}
