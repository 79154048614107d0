// Decodes a calendar object (VCALENDAR tree) into a series with exclusions and overrides.
import type { Details, Override, Series, Status, Timing, Transparency, Visibility } from '../domain/calendar/event.ts'
import { MAX_TEXT_CHARS } from '../domain/calendar/fields.ts'
import { sortedUnique } from '../domain/calendar/repeat.ts'
import { lastWallOf } from '../domain/calendar/timing.ts'
import { cutText, isLonger } from '../domain/plain-text.ts'
import { parseRule, type Rule } from '../domain/recurrence/rule.ts'
import { runSteps, type Steps } from '../domain/steps.ts'
import { DAY_MS, dayOf, type LocalMs, wallOfDay } from '../domain/time/instant.ts'
import { isWithinYears } from '../domain/time/text.ts'
import { findZone, readingsOf, requireZone, toInstant, toWall, type Zone } from '../domain/time/zone.ts'
import {
  type Component,
  findProperty,
  firstOfList,
  listComponents,
  listProperties,
  type Property,
  paramOf,
  splitList,
  unescapeText,
  upperCaseAscii,
} from './text/tree.ts'
import { type LineMoment, parseDuration, readMomentLine, readMomentValue } from './times.ts'

export interface DecodeProblem {
  problem: string
}

/** Stores an event's zone when its DTSTART cannot carry one: all-day events, and times written in UTC. */
export const ZONE_PROPERTY = 'X-DAYBOOK-TIMEZONE'

/** Decodes a VCALENDAR with one event: its main VEVENT and the VEVENTs that override single occurrences. */
export const decodeSeries = (calendar: Component, fallbackZone: string): Series | DecodeProblem =>
  runSteps(decodeInSteps(calendar, fallbackZone))

export function* decodeInSteps(calendar: Component, fallbackZone: string): Steps<Series | DecodeProblem> {
  const events = listComponents(calendar, 'VEVENT')
  const main = findMain(calendar)
  if (!main) return { problem: 'there is no main VEVENT' }
  const uid = findProperty(main, 'UID')?.value.trim()
  if (!uid) return { problem: 'there is no UID' }
  const others = events.filter((event) => event !== main)
  if (others.some((event) => !editsOne(event, uid))) return { problem: 'there is more than one event' }
  const timing = decodeTiming(main, fallbackZone)
  if (!timing) return { problem: 'DTSTART or DTEND cannot be read' }
  const rule = decodeRule(main)
  if (typeof rule === 'string') return { problem: rule }
  // Outside the supported years there are no occurrences to exclude.
  const excluded = new Set(decodeKeys(main, 'EXDATE', timing).filter(isWithinYears))
  yield
  const transparency = transparencyOf(main)
  yield
  const edits = [...editsByKey(others, timing)]
  yield
  const overrides: Override[] = []
  for (const [key, event] of edits) {
    const override = decodeOverride(event, key, timing, transparency)
    if (override) overrides.push(override)
    yield
  }
  return {
    uid,
    visibility: decodeVisibility(main, others),
    transparency,
    details: decodeDetails(main),
    timing,
    rule,
    // The start is an occurrence anyway; many clients list it in RDATE too.
    rdates: decodeKeys(main, 'RDATE', timing).filter((wall) => wall > timing.startWall && isWithinYears(wall)),
    exclusions: [...excluded],
    overrides: overrides.filter(({ key }) => !excluded.has(key)).sort((a, b) => a.key - b.key),
    ...withMoreCategories([main, ...others]),
  }
}

/** The VEVENT of the series itself; a single VEVENT counts as main even if it has a RECURRENCE-ID. */
export function findMain(calendar: Component): Component | undefined {
  const events = listComponents(calendar, 'VEVENT')
  return events.find((event) => !findProperty(event, 'RECURRENCE-ID')) ?? (events.length === 1 ? events[0] : undefined)
}

const editsOne = (event: Component, uid: string): boolean =>
  findProperty(event, 'RECURRENCE-ID') !== undefined && (findProperty(event, 'UID')?.value.trim() ?? uid) === uid

/** The override of each occurrence. Of several the highest SEQUENCE counts, then the latest DTSTAMP, then the last. */
export function editsByKey(edits: readonly Component[], main: Timing): Map<LocalMs, Component> {
  const chosen = new Map<LocalMs, Component>()
  for (const edit of edits) {
    const key = overrideKey(edit, main)
    const other = key === undefined ? undefined : chosen.get(key)
    if (key !== undefined && !(other && isLater(other, edit))) chosen.set(key, edit)
  }
  return chosen
}

/** Whether one version of a component is newer than another (RFC 5546 §2.1.5). */
function isLater(one: Component, other: Component): boolean {
  const [a, b] = [sequenceOf(one) ?? 0, sequenceOf(other) ?? 0]
  return a === b ? stampOf(one) > stampOf(other) : a > b
}

/** In UTC, where the later time is the greater string. */
const stampOf = (event: Component): string => findProperty(event, 'DTSTAMP')?.value.trim() ?? ''

export const isDecodeProblem = (result: Series | DecodeProblem): result is DecodeProblem => 'problem' in result

function decodeDetails(event: Component): Details {
  const text = (name: string): string | null => unescapeText(findProperty(event, name)?.value ?? '') || null
  const categories = findProperty(event, 'CATEGORIES')
  const status = findProperty(event, 'STATUS')?.value.trim().toLowerCase()
  return {
    title: text('SUMMARY') ?? '',
    description: text('DESCRIPTION'),
    location: text('LOCATION'),
    category: categories ? readCategory(firstOfList(categories.value)) || null : null,
    url: decodeUrl(findProperty(event, 'URL')?.value.trim() ?? ''),
    status: status === 'tentative' || status === 'cancelled' ? (status as Status) : 'confirmed',
  }
}

/** One value of `CATEGORIES`, as it is shown. */
export const readCategory = (value: string): string => cutText(unescapeText(value), MAX_TEXT_CHARS.category)

/** Those of one object; a rename leaves further ones. */
const MAX_MORE_CATEGORIES = 64

function withMoreCategories(events: readonly Component[]): Pick<Series, 'moreCategories'> {
  const more = new Set<string>()
  for (const event of events) {
    for (const value of listCategories(event, 1 + MAX_MORE_CATEGORIES).slice(1)) {
      const text = readCategory(value)
      if (text !== '' && more.size < MAX_MORE_CATEGORIES) more.add(text)
    }
  }
  return more.size > 0 ? { moreCategories: [...more].sort() } : {}
}

/** The first values as they are written; a line may have a million commas. */
function listCategories(event: Component, most: number): string[] {
  const values: string[] = []
  for (const { value } of listProperties(event, 'CATEGORIES')) {
    if (values.length >= most) break
    values.push(...splitList(value, most - values.length))
  }
  return values
}

/** Other schemes, invalid and very long URLs stay only in the stored text, for the client that wrote them. */
function decodeUrl(text: string): string | null {
  if (isLonger(text, MAX_TEXT_CHARS.url)) return null
  const url = text.replaceAll(' ', '%20')
  const isPlain = /^https?:\/\//i.test(url) && !/[\s\p{Cc}]/u.test(url)
  return isPlain && URL.canParse(url) ? url : null
}

/**
 * Only PUBLIC publishes: CONFIDENTIAL and unknown values are private (RFC 5545 §3.8.1.3). The strictest CLASS in the
 * object applies to all of it, so that no override is more visible than its series or makes others visible.
 */
export function decodeVisibility(main: Component, others: readonly Component[] = []): Visibility {
  const isPublic = (line: Property): boolean => upperCaseAscii(line.value.trim()) === 'PUBLIC'
  const classes = [main, ...others].flatMap((event) => listProperties(event, 'CLASS'))
  return findProperty(main, 'CLASS') && classes.every(isPublic) ? 'public' : 'private'
}

/** Without TRANSP an event is opaque (RFC 5545 §3.8.2.7). */
export const transparencyOf = (event: Component): Transparency =>
  upperCaseAscii(findProperty(event, 'TRANSP')?.value.trim() ?? '') === 'TRANSPARENT' ? 'transparent' : 'opaque'

/** SEQUENCE of an event, capped. */
export function sequenceOf(event: Component): number | undefined {
  const text = findProperty(event, 'SEQUENCE')?.value.trim() ?? ''
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_SEQUENCE) : undefined
}

/** The largest INTEGER of RFC 5545 §3.3.8. */
export const MAX_SEQUENCE = 2_147_483_647

export function decodeTiming(event: Component, fallbackZone: string): Timing | undefined {
  const line = findProperty(event, 'DTSTART')
  // Clients keep unknown properties: after one has given DTSTART a TZID, the stored zone property is obsolete.
  const needsZone = line !== undefined && paramOf(line, 'TZID') === undefined
  const named = needsZone ? findZone(findProperty(event, ZONE_PROPERTY)?.value.trim() ?? '') : undefined
  const fallback = named ?? requireZone(fallbackZone)
  const start = line && readMomentLine(line, fallback)
  if (!start) return undefined
  const length = decodeDuration(event, start)
  if (length === undefined || length < 0) return undefined
  const allDay = start.isDate
  const zone = allDay ? fallback : (named ?? start.zone)
  const startWall = allDay ? start.wall : toWallIn(start, zone)
  const durationMs = allDay ? Math.max(1, Math.ceil(length / DAY_MS)) * DAY_MS : length
  const floating = !allDay && needsZone && !named && !/z\s*$/i.test(line.value)
  const timing = {
    allDay,
    zone: zone.name,
    startWall,
    startAt: start.at,
    durationMs,
    ...(floating ? { floating } : {}),
  }
  return isWithinYears(startWall) && isWithinYears(lastWallOf(timing)) ? timing : undefined
}

const toWallIn = (moment: LineMoment, zone: Zone): LocalMs =>
  moment.zone === zone ? moment.wall : toWall(zone, moment.at)

function decodeDuration(event: Component, start: LineMoment): number | undefined {
  const endLine = findProperty(event, 'DTEND')
  if (endLine) {
    const end = readMomentLine(endLine, start.zone)
    return end && end.isDate === start.isDate ? end.at - start.at : undefined
  }
  const duration = findProperty(event, 'DURATION')
  if (duration) return lengthOf(duration.value, start)
  return start.isDate ? DAY_MS : 0
}

/** Days are calendar days, also across a clock change; hours are exact (RFC 5545 §3.3.6). */
export function lengthOf(text: string, { isDate, zone, wall, at }: LineMoment): number | undefined {
  const length = parseDuration(text)
  if (!length) return undefined
  const { days, restMs } = length
  return isDate || days === 0 ? days * DAY_MS + restMs : toInstant(zone, wall + days * DAY_MS) + restMs - at
}

function decodeRule(event: Component): Rule | undefined | 'RRULE cannot be read' {
  const line = findProperty(event, 'RRULE')
  if (!line) return undefined
  const rule = parseRule(line.value.trim())
  return typeof rule === 'string' ? 'RRULE cannot be read' : rule
}

/** The nominal starts in a list of dates, each once. */
export function decodeKeys(event: Component, name: 'EXDATE' | 'RDATE', timing: Timing): LocalMs[] {
  const zone = requireZone(timing.zone)
  const walls = listProperties(event, name).flatMap((line) =>
    splitList(line.value).flatMap((value) => {
      const moment = readMomentValue(value, paramOf(line, 'TZID'), zone)
      return moment ? [keyOf(moment, timing, zone)] : []
    }),
  )
  return sortedUnique(walls)
}

/**
 * The nominal start that a line names, in any form and zone a client wrote: matched by instant, and by day if one is a
 * date and the other is not.
 */
function keyOf(moment: LineMoment, { allDay, startWall }: Timing, zone: Zone): LocalMs {
  const isAtStartTime = (wall: LocalMs): boolean => (wall - startWall) % DAY_MS === 0
  const isUtc = !moment.isDate && moment.zone.name === 'UTC'
  if (allDay) return wallOfDay(dayOf(isUtc ? toWall(zone, moment.at) : moment.wall))
  if (moment.isDate) return moment.wall + startWall - wallOfDay(dayOf(startWall))
  if (moment.zone === zone) return moment.wall
  const readings = readingsOf(zone, moment.at)
  return readings.find(isAtStartTime) ?? readings[0]!
}

/** An override may be written in any zone; its instant counts, converted to the zone of the series. */
function decodeOverride(event: Component, key: LocalMs, main: Timing, usual: Transparency): Override | undefined {
  const timing = decodeTiming(event, main.zone)
  if (timing?.allDay !== main.allDay) return undefined
  const startWall =
    main.allDay || timing.zone === main.zone ? timing.startWall : toWall(requireZone(main.zone), timing.startAt)
  const transparency = transparencyOf(event)
  return {
    key,
    details: decodeDetails(event),
    timing: { ...timing, zone: main.zone, startWall },
    ...(transparency === usual ? {} : { transparency }),
  }
}

/** The key of the occurrence that a VEVENT overrides; its RECURRENCE-ID may be written in any zone. */
export function overrideKey(event: Component, main: Timing): LocalMs | undefined {
  const zone = requireZone(main.zone)
  const line = findProperty(event, 'RECURRENCE-ID')
  const replaced = line && readMomentLine(line, zone)
  return replaced && keyOf(replaced, main, zone)
}
