// From the tree to the domain: what a calendar object says about its event, its exclusions and its edited occurrences.
import type { Details, Override, Series, Status, Timing, Transparency, Visibility } from '../domain/calendar/event.ts'
import { sortedUnique } from '../domain/calendar/repeat.ts'
import { lastWallOf } from '../domain/calendar/timing.ts'
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

/** Where an event's zone is kept when its DTSTART cannot carry one: all-day events, and readings written in UTC. */
export const ZONE_PROPERTY = 'X-DAYBOOK-TIMEZONE'

/** Reads a VCALENDAR that holds one event: its main VEVENT and the VEVENTs that edit single occurrences. */
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
  // Beyond our years nothing takes place that could be taken out.
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
    // The start is an occurrence anyway; many programs name it among the extra dates too.
    rdates: decodeKeys(main, 'RDATE', timing).filter((wall) => wall > timing.startWall && isWithinYears(wall)),
    exclusions: [...excluded],
    overrides: overrides.filter(({ key }) => !excluded.has(key)).sort((a, b) => a.key - b.key),
  }
}

/** The VEVENT that is the series itself; one that is alone is, even where it is an occurrence of a series elsewhere. */
export function findMain(calendar: Component): Component | undefined {
  const events = listComponents(calendar, 'VEVENT')
  return events.find((event) => !findProperty(event, 'RECURRENCE-ID')) ?? (events.length === 1 ? events[0] : undefined)
}

const editsOne = (event: Component, uid: string): boolean =>
  findProperty(event, 'RECURRENCE-ID') !== undefined && (findProperty(event, 'UID')?.value.trim() ?? uid) === uid

/** The edit of each occurrence. Of several the one changed most often is meant, then the latest, then the last. */
export function editsByKey(edits: readonly Component[], main: Timing): Map<LocalMs, Component> {
  const chosen = new Map<LocalMs, Component>()
  for (const edit of edits) {
    const key = overrideKey(edit, main)
    const other = key === undefined ? undefined : chosen.get(key)
    if (key !== undefined && !(other && isLater(other, edit))) chosen.set(key, edit)
  }
  return chosen
}

/** Whether one version of a component comes after another (RFC 5546 §2.1.5). */
function isLater(one: Component, other: Component): boolean {
  const [a, b] = [sequenceOf(one) ?? 0, sequenceOf(other) ?? 0]
  return a === b ? stampOf(one) > stampOf(other) : a > b
}

/** In UTC, where the later is the greater text. */
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
    category: categories ? unescapeText(firstOfList(categories.value)) || null : null,
    url: decodeUrl(findProperty(event, 'URL')?.value.trim() ?? ''),
    status: status === 'tentative' || status === 'cancelled' ? (status as Status) : 'confirmed',
  }
}

/** Other schemes, and what cannot stand in an address, stay in the text, where only their own client meets them. */
function decodeUrl(text: string): string | null {
  const url = text.replaceAll(' ', '%20')
  const isPlain = /^https?:\/\//i.test(url) && !/[\s\p{Cc}]/u.test(url)
  return isPlain && URL.canParse(url) ? url : null
}

/**
 * Only the exact word publishes: CONFIDENTIAL and anything unknown are private (RFC 5545 §3.8.1.3). The strictest word
 * in the object holds for all of it, so no edited occurrence is more visible than its series or lets the others be.
 */
export function decodeVisibility(main: Component, others: readonly Component[] = []): Visibility {
  const isPublic = (line: Property): boolean => upperCaseAscii(line.value.trim()) === 'PUBLIC'
  const classes = [main, ...others].flatMap((event) => listProperties(event, 'CLASS'))
  return findProperty(main, 'CLASS') && classes.every(isPublic) ? 'public' : 'private'
}

/** What says nothing takes up time (RFC 5545 §3.8.2.7). */
export const transparencyOf = (event: Component): Transparency =>
  upperCaseAscii(findProperty(event, 'TRANSP')?.value.trim() ?? '') === 'TRANSPARENT' ? 'transparent' : 'opaque'

/** How often an event was changed, as its own line counts. */
export function sequenceOf(event: Component): number | undefined {
  const text = findProperty(event, 'SEQUENCE')?.value.trim() ?? ''
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_SEQUENCE) : undefined
}

/** The largest INTEGER of RFC 5545 §3.3.8. */
export const MAX_SEQUENCE = 2_147_483_647

export function decodeTiming(event: Component, fallbackZone: string): Timing | undefined {
  const line = findProperty(event, 'DTSTART')
  // Programs keep lines they do not know: ours says nothing any more of a start that was given a zone of its own.
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
  const timing = { allDay, zone: zone.name, startWall, startAt: start.at, durationMs }
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

/** Days are days of the clock, also in a night it changes; hours are hours (RFC 5545 §3.3.6). */
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

/** The nominal starts a list of dates names, each once. */
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
 * The nominal start a line names, in whatever form and zone its client wrote it: matched by instant, and by day where
 * one is a date and the other is not.
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

/** An edit may be written in any zone; its instant is what counts, and the series' zone is where it is read. */
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

/** Which occurrence of the main event a VEVENT edits; its RECURRENCE-ID may be written in any zone. */
export function overrideKey(event: Component, main: Timing): LocalMs | undefined {
  const zone = requireZone(main.zone)
  const line = findProperty(event, 'RECURRENCE-ID')
  const replaced = line && readMomentLine(line, zone)
  return replaced && keyOf(replaced, main, zone)
}
