// Dates and times on iCalendar lines: DATE, local with TZID, UTC and floating forms, and durations.
import type { Timing } from '../domain/calendar/event.ts'
import {
  DAY_MS,
  dayOf,
  HOUR_MS,
  type Instant,
  type LocalMs,
  MINUTE_MS,
  SECOND_MS,
  wallOfDay,
} from '../domain/time/instant.ts'
import { formatBasicDate, formatBasicLocal, parseTimeText } from '../domain/time/text.ts'
import { findZone, requireZone, toInstant, toWall, type Zone } from '../domain/time/zone.ts'
import { type Property, paramOf, property } from './text/tree.ts'

/** A moment as written on a line. `zone` is the zone of its wall time; a floating time takes the calendar's own. */
export interface LineMoment {
  isDate: boolean
  zone: Zone
  wall: LocalMs
  at: Instant
}

export function readMomentValue(value: string, tzid: string | undefined, fallback: Zone): LineMoment | undefined {
  const text = parseTimeText(value.trim())
  if (!text) return undefined
  if (text.kind === 'date') {
    const wall = wallOfDay(text.day)
    return { isDate: true, zone: fallback, wall, at: wall }
  }
  if (text.kind === 'instant') {
    const zone = findZone('UTC')!
    return { isDate: false, zone, wall: text.instant, at: text.instant }
  }
  const zone = tzid === undefined ? fallback : findZone(tzid)
  return zone && { isDate: false, zone, wall: text.wall, at: toInstant(zone, text.wall) }
}

export const readMomentLine = (line: Property, fallback: Zone): LineMoment | undefined =>
  readMomentValue(line.value, paramOf(line, 'TZID'), fallback)

/** The zone that lines name; undefined for floating times, which name none. */
export const lineZoneOf = ({ floating, zone }: Pick<Timing, 'floating' | 'zone'>): Zone | undefined =>
  floating ? undefined : requireZone(zone)

/** A list of wall times in the form and zone of the series, as EXDATE and RDATE require. */
export function listLine(
  name: 'EXDATE' | 'RDATE',
  walls: readonly LocalMs[],
  allDay: boolean,
  zone: Zone | undefined,
): Property[] {
  if (walls.length === 0) return []
  if (allDay) return [property(name, walls.map((wall) => formatBasicDate(dayOf(wall))).join(','), { VALUE: 'DATE' })]
  return [readingLine(name, walls.map(formatBasicLocal), zone)]
}

export function momentLine(name: string, wall: LocalMs, allDay: boolean, zone: Zone | undefined): Property {
  if (allDay) return property(name, formatBasicDate(dayOf(wall)), { VALUE: 'DATE' })
  return readingLine(name, [formatBasicLocal(wall)], zone)
}

export const utcLine = (name: string, instant: Instant): Property => property(name, `${formatBasicLocal(instant)}Z`)

const readingLine = (name: string, readings: readonly string[], zone: Zone | undefined): Property =>
  zone?.name === 'UTC'
    ? property(name, readings.map((reading) => `${reading}Z`).join(','))
    : property(name, readings.join(','), zone ? { TZID: zone.name } : {})

/**
 * An instant as wall time in the zone, or in UTC for the second pass of a repeated hour, which a zone cannot express.
 */
export function instantLine(name: string, at: Instant, zone: Zone): Property {
  const wall = toWall(zone, at)
  return toInstant(zone, wall) === at ? momentLine(name, wall, false, zone) : utcLine(name, at)
}

/** DTEND must be after DTSTART (RFC 5545 §3.8.2.2): an event without length has no DTEND. */
export function endLines(timing: Timing): Property[] {
  const { allDay, startWall, startAt, durationMs } = timing
  const zone = requireZone(timing.zone)
  if (durationMs <= 0) return []
  if (allDay) return [momentLine('DTEND', startWall + durationMs, true, zone)]
  // A start in the second pass of a repeated hour is written in UTC, and cannot float.
  if (timing.floating && toInstant(zone, startWall) === startAt) {
    const endWall = toWall(zone, startAt + durationMs)
    // In the second pass of a repeated hour the wall time of the end would mean the first.
    const isClear = toInstant(zone, endWall) === startAt + durationMs
    return [
      isClear ? momentLine('DTEND', endWall, false, undefined) : property('DURATION', `PT${durationMs / SECOND_MS}S`),
    ]
  }
  return [instantLine('DTEND', startAt + durationMs, zone)]
}

const DURATION = /^([+-])?P(?:(\d{1,6})W|(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})S)?)?)$/

/** A duration: calendar days, and the rest in exact time. */
export interface Duration {
  days: number
  restMs: number
}

export function parseDuration(text: string): Duration | undefined {
  const match = DURATION.exec(text.trim())
  // Some clients write `P1DT`.
  if (!match || /^[+-]?PT?$/.test(text.trim())) return undefined
  const [weeks, days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const sign = match[1] === '-' ? -1 : 1
  const restMs = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS
  return { days: sign * (weeks * 7 + days), restMs: sign * restMs }
}

/** In milliseconds, if a day may count as 24 hours. */
export function parseLength(text: string): number | undefined {
  const duration = parseDuration(text)
  return duration && duration.days * DAY_MS + duration.restMs
}
