// From the tree to the domain: what a calendar object says about its event, its exclusions and its edited occurrences.
import type { Details, Override, Series, Status, Timing, Visibility } from '../domain/calendar/event.ts'
import { sortedUnique } from '../domain/calendar/repeat.ts'
import { parseRule, type Rule } from '../domain/recurrence/rule.ts'
import { DAY_MS, type Wall } from '../domain/time/instant.ts'
import { findZone, requireZone, toWall } from '../domain/time/zone.ts'
import { type LineMoment, parseDuration, readMomentLine, readMomentValue } from './times.ts'
import {
  type Component,
  findProperty,
  listComponents,
  listProperties,
  paramOf,
  splitList,
  unescapeText,
} from './tree.ts'

export interface DecodeProblem {
  problem: string
}

/** Where an event's zone is kept when its DTSTART cannot carry one: all-day events, and readings written in UTC. */
export const ZONE_PROPERTY = 'X-DAYBOOK-TIMEZONE'

/** Reads a VCALENDAR that holds one event: its main VEVENT and the VEVENTs that edit single occurrences. */
export function decodeSeries(calendar: Component, fallbackZone: string): Series | DecodeProblem {
  const events = listComponents(calendar, 'VEVENT')
  const main = events.find((event) => !findProperty(event, 'RECURRENCE-ID'))
  if (!main) return { problem: 'there is no main VEVENT' }
  const uid = findProperty(main, 'UID')?.value.trim()
  if (!uid) return { problem: 'there is no UID' }
  const timing = decodeTiming(main, fallbackZone)
  if (!timing) return { problem: 'DTSTART or DTEND cannot be read' }
  const rule = decodeRule(main)
  if (typeof rule === 'string') return { problem: rule }
  const exclusions = decodeKeys(main, 'EXDATE', timing)
  const overrides = events.filter((event) => event !== main).map((event) => decodeOverride(event, timing))
  return {
    uid,
    visibility: decodeVisibility(main),
    transparency: findProperty(main, 'TRANSP')?.value.trim().toUpperCase() === 'TRANSPARENT' ? 'transparent' : 'opaque',
    details: decodeDetails(main),
    timing,
    rule,
    rdates: decodeKeys(main, 'RDATE', timing),
    exclusions,
    overrides: overrides.filter((override) => override !== undefined).sort((a, b) => a.key - b.key),
  }
}

export const isDecodeProblem = (result: Series | DecodeProblem): result is DecodeProblem => 'problem' in result

function decodeDetails(event: Component): Details {
  const text = (name: string): string | null => unescapeText(findProperty(event, name)?.value ?? '') || null
  const categories = findProperty(event, 'CATEGORIES')
  const status = findProperty(event, 'STATUS')?.value.trim().toLowerCase()
  return {
    title: text('SUMMARY') ?? '',
    description: text('DESCRIPTION'),
    location: text('LOCATION'),
    category: categories ? unescapeText(splitList(categories.value)[0] ?? '') || null : null,
    url: findProperty(event, 'URL')?.value.trim() || null,
    status: status === 'tentative' || status === 'cancelled' ? (status as Status) : 'confirmed',
  }
}

/** Only the exact word publishes: CONFIDENTIAL and anything unknown are private (RFC 5545 §3.8.1.3). */
const decodeVisibility = (event: Component): Visibility =>
  findProperty(event, 'CLASS')?.value.trim().toUpperCase() === 'PUBLIC' ? 'public' : 'private'

function decodeTiming(event: Component, fallbackZone: string): Timing | undefined {
  const named = findZone(findProperty(event, ZONE_PROPERTY)?.value.trim() ?? '')
  const fallback = named ?? requireZone(fallbackZone)
  const line = findProperty(event, 'DTSTART')
  const start = line && readMomentLine(line, fallback)
  if (!start) return undefined
  const durationMs = decodeDuration(event, start)
  if (durationMs === undefined || durationMs < 0) return undefined
  if (start.isDate) return { allDay: true, zone: fallback.name, startWall: start.wall, startAt: start.at, durationMs }
  const zone = named ?? start.zone
  return { allDay: false, zone: zone.name, startWall: toWallIn(start, zone), startAt: start.at, durationMs }
}

const toWallIn = (moment: LineMoment, zone: LineMoment['zone']): Wall =>
  moment.zone === zone ? moment.wall : toWall(zone, moment.at)

function decodeDuration(event: Component, start: LineMoment): number | undefined {
  const endLine = findProperty(event, 'DTEND')
  if (endLine) {
    const end = readMomentLine(endLine, start.zone)
    return end && end.isDate === start.isDate ? end.at - start.at : undefined
  }
  const duration = findProperty(event, 'DURATION')
  if (duration) return parseDuration(duration.value)
  return start.isDate ? DAY_MS : 0
}

function decodeRule(event: Component): Rule | undefined | 'RRULE cannot be read' {
  const line = findProperty(event, 'RRULE')
  if (!line) return undefined
  const rule = parseRule(line.value.trim())
  return typeof rule === 'string' ? 'RRULE cannot be read' : rule
}

/** Matched by instant where the line's form or zone differs from the start's, so a key written by any client is found. */
function decodeKeys(event: Component, name: 'EXDATE' | 'RDATE', timing: Timing): Wall[] {
  const zone = requireZone(timing.zone)
  const walls = listProperties(event, name).flatMap((line) =>
    splitList(line.value).flatMap((value) => {
      const moment = readMomentValue(value, paramOf(line, 'TZID'), zone)
      if (!moment || moment.isDate !== timing.allDay) return []
      return [timing.allDay ? moment.wall : toWallIn(moment, zone)]
    }),
  )
  return sortedUnique(walls)
}

function decodeOverride(event: Component, main: Timing): Override | undefined {
  const key = overrideKey(event, main)
  const timing = decodeTiming(event, main.zone)
  if (key === undefined || timing?.allDay !== main.allDay) return undefined
  return { key, details: decodeDetails(event), timing }
}

/** Which occurrence of the main event a VEVENT edits; its RECURRENCE-ID may be written in any zone. */
export function overrideKey(event: Component, main: Timing): Wall | undefined {
  const zone = requireZone(main.zone)
  const line = findProperty(event, 'RECURRENCE-ID')
  const replaced = line && readMomentLine(line, zone)
  if (!replaced || replaced.isDate !== main.allDay) return undefined
  return main.allDay ? replaced.wall : toWallIn(replaced, zone)
}
