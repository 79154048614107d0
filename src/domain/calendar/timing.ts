// Parses start, end and zone of an event into its timing.

import type { Problems } from '../problems.ts'
import { DAY_MS, type Day, dayOf, type Instant, type LocalMs, wallOfDay } from '../time/instant.ts'
import { isWithinYears, parseTimeText, type TimeText } from '../time/text.ts'
import { findZone, requireZone, startOfDay, toInstant, toWall, type Zone } from '../time/zone.ts'
import type { Timing } from './event.ts'

const LONGEST_SPAN_MS = 366 * DAY_MS

export interface TimingFields {
  start: string
  end: string
  allDay: boolean
  zone: string
}

/**
 * The timing of a new or replaced event. With `current`, a start that names the instant it already has keeps its wall
 * time: an event shown at 02:30 because 01:30 was skipped is not moved by being saved again. A floating time stays
 * floating in the zone that it is shown in: JSON does not tell one from the other, so that zone is sent back with it.
 */
export function readTiming(fields: TimingFields, problems: Problems, current?: Timing): Timing | undefined {
  const zone = findZone(fields.zone)
  if (!zone) return problems.add('/timezone', 'timezone_unknown')
  const start = readMoment('/start', fields.start, problems)
  const end = readMoment('/end', fields.end, problems)
  if (!start || !end) return undefined
  return fields.allDay ? allDayTiming(start, end, zone, problems) : timedTiming(start, end, zone, problems, current)
}

export function readMoment(field: string, text: string, problems: Problems): TimeText | undefined {
  return parseTimeText(text) ?? problems.add(field, 'invalid_format')
}

function allDayTiming(start: TimeText, end: TimeText, zone: Zone, problems: Problems): Timing | undefined {
  const startWall = wallOfDay(dayOf(dateWall(start, zone)))
  const endWall = wallOfDay(endDay(end, zone))
  const timing = { allDay: true, zone: zone.name, startWall, startAt: startWall, durationMs: endWall - startWall }
  if (endWall === startWall) return problems.add('/end', 'end_before_start')
  return checked(timing, problems)
}

/** An end within a day includes that day; a date, or the first instant of a day, is the day after the last one. */
const endDay = (end: TimeText, zone: Zone): Day => Math.ceil(dateWall(end, zone) / DAY_MS)

/**
 * The wall time that an all-day event means. The first instant of a day in its own zone is that day. Any other instant
 * written as a midnight comes from a response in another zone, which shows all-day events at its midnights: the date
 * stays.
 */
function dateWall(text: TimeText, zone: Zone): LocalMs {
  const wall = wallOf(text, zone)
  if (text.kind !== 'instant') return wall
  const day = dayOf(wall)
  if (text.instant === startOfDay(zone, day)) return wallOfDay(day)
  return text.written === wallOfDay(dayOf(text.written)) ? text.written : wall
}

function timedTiming(
  start: TimeText,
  end: TimeText,
  zone: Zone,
  problems: Problems,
  current?: Timing,
): Timing | undefined {
  const startAt = instantOf(start, zone)
  const isUnmoved = current && !current.allDay && current.zone === zone.name && current.startAt === startAt
  const startWall = isUnmoved && start.kind === 'instant' ? current.startWall : wallOf(start, zone)
  const floating = current?.floating && current.zone === zone.name ? { floating: current.floating } : {}
  const durationMs = instantOf(end, zone) - startAt
  return checked({ allDay: false, zone: zone.name, startWall, startAt, durationMs, ...floating }, problems)
}

/**
 * The timing after a new start: the event keeps its length, in days or in local time. An event from 22:00 to 6:00 still
 * ends at 6:00 in a night in which the clocks change.
 */
export function movedTiming(
  { start, allDay, zone: zoneName }: Omit<TimingFields, 'end'>,
  problems: Problems,
  current: Timing,
): Timing | undefined {
  const zone = findZone(zoneName)
  if (!zone) return problems.add('/timezone', 'timezone_unknown')
  const text = readMoment('/start', start, problems)
  if (!text) return undefined
  if (allDay) {
    const startWall = wallOfDay(dayOf(dateWall(text, zone)))
    const timing = { allDay, zone: zone.name, startWall, startAt: startWall, durationMs: daysOf(current) * DAY_MS }
    return checked(timing, problems)
  }
  const startAt = instantOf(text, zone)
  const isSameKind = !current.allDay && current.zone === zone.name
  const isUnmoved = isSameKind && startAt === current.startAt
  const startWall = isUnmoved && text.kind === 'instant' ? current.startWall : wallOf(text, zone)
  const durationMs = isUnmoved ? current.durationMs : keptDuration(current, startAt, zone)
  const floating = current.floating && current.zone === zone.name ? { floating: current.floating } : {}
  return checked({ allDay, zone: zone.name, startWall, startAt, durationMs, ...floating }, problems)
}

/** The days that an event touches. */
function daysOf({ allDay, zone, startAt, durationMs }: Timing): number {
  if (allDay) return durationMs / DAY_MS
  const wallAt = (at: Instant): LocalMs => toWall(requireZone(zone), at)
  const [first, end] = [wallAt(startAt), wallAt(startAt + durationMs)]
  return Math.max(1, Math.ceil(end / DAY_MS) - dayOf(first))
}

/**
 * The duration from a new start for the same length in local time. Within an hour that the clocks repeat, that length
 * may be zero or less, or name an end before the start: the length then counts as it passes.
 */
function keptDuration(current: Timing, startAt: Instant, zone: Zone): number {
  const wallLength = current.allDay ? current.durationMs : wallLengthOf(current)
  if (wallLength <= 0) return current.durationMs
  const endAt = toInstant(zone, toWall(zone, startAt) + wallLength)
  return endAt > startAt ? endAt - startAt : wallLength
}

/** From the local time at which it is shown to start, which differs from `startWall` in an hour that the clocks skip. */
function wallLengthOf(timing: Timing): number {
  const zone = requireZone(timing.zone)
  return toWall(zone, endAtOf(timing)) - toWall(zone, timing.startAt)
}

export function checked(timing: Timing, problems: Problems): Timing | undefined {
  if (!isWithinYears(timing.startWall)) return problems.add('/start', 'out_of_range')
  if (timing.durationMs < 0) return problems.add('/end', 'end_before_start')
  if (localSpanOf(timing) > LONGEST_SPAN_MS) return problems.add('/end', 'range_too_large')
  if (!isWithinYears(lastWallOf(timing))) return problems.add('/end', 'out_of_range')
  return timing
}

/** Length in wall time: 366 days are 366 days, even with an extra hour in autumn. */
function localSpanOf(timing: Timing): number {
  if (timing.allDay) return timing.durationMs
  return toWall(requireZone(timing.zone), endAtOf(timing)) - timing.startWall
}

/** The last wall time of an event: its end is exclusive. */
export const lastWallOf = ({ startWall, durationMs }: Timing): LocalMs => startWall + Math.max(0, durationMs - 1)

export const wallOf = (text: TimeText, zone: Zone): LocalMs => {
  if (text.kind === 'date') return wallOfDay(text.day)
  return text.kind === 'local' ? text.wall : toWall(zone, text.instant)
}

export const instantOf = (text: TimeText, zone: Zone): Instant =>
  text.kind === 'instant' ? text.instant : toInstant(zone, wallOf(text, zone))

/** True for the second pass of a repeated hour when clocks go back, which wall time alone cannot express. */
export const isSecondReading = (timing: Timing): boolean =>
  !timing.allDay && toInstant(requireZone(timing.zone), timing.startWall) !== timing.startAt

export const endAtOf = (timing: Timing): Instant => timing.startAt + timing.durationMs

/** A key of a series after its start has moved: shifted by the same amount. */
export const movedKey = (key: LocalMs, before: Timing, after: Timing): LocalMs =>
  after.allDay
    ? wallOfDay(dayOf(key) + dayOf(after.startWall) - dayOf(before.startWall))
    : key + after.startWall - before.startWall

/** The same wall times in another zone, no longer floating. */
export function inZone(timing: Timing, zoneName: string): Timing {
  if (timing.zone === zoneName) return timing
  if (timing.allDay) return { ...timing, zone: zoneName }
  const [before, after] = [requireZone(timing.zone), requireZone(zoneName)]
  const startAt = toInstant(after, timing.startWall)
  const endAt = toInstant(after, toWall(before, endAtOf(timing)))
  const { floating: _, ...zoned } = timing
  return { ...zoned, zone: after.name, startAt, durationMs: Math.max(0, endAt - startAt) }
}
