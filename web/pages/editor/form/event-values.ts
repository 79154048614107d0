// The values of the event form: read from an API event, and written as an API body or patch.
import { DAY_MS, dayOf, HOUR_MS, type LocalMs, wallOfDay } from '../../../../src/domain/time/instant.ts'
import { formatLocal, parseTimeText } from '../../../../src/domain/time/text.ts'
import { findZone, toInstant, toWall } from '../../../../src/domain/time/zone.ts'
import type { Event, EventPatch, NewEvent, Occurrence, OccurrencePatch } from '../../../api/contract.ts'
import { moveWithStart, noRepeat, type Repeat, repeatOf, ruleOf, shiftDate } from './repeat.ts'

export interface EventValues {
  title: string
  description: string
  location: string
  category: string
  url: string
  status: Event['status']
  transparency: Event['transparency']
  visibility: Event['visibility']
  allDay: boolean
  startDate: string
  startTime: string
  /** The last day, inclusive. */
  endDate: string
  endTime: string
  timezone: string
  repeat: Repeat
  /** Extra dates, as occurrence keys. */
  rdates: readonly string[]
}

/** From a whole event, or from one occurrence. */
export function valuesOf(event: Event | Occurrence): EventValues {
  const startDate = event.start_date ?? event.start.slice(0, 10)
  return {
    title: event.title,
    description: event.description ?? '',
    location: event.location ?? '',
    category: event.category ?? '',
    url: event.url ?? '',
    status: event.status,
    transparency: event.transparency,
    visibility: event.visibility,
    allDay: event.all_day,
    startDate,
    startTime: event.all_day ? '09:00' : timeOf(event.start),
    endDate: event.end_date ? shiftDate(event.end_date, -1) : event.end.slice(0, 10),
    endTime: event.all_day ? '10:00' : timeOf(event.end),
    timezone: event.timezone,
    repeat: repeatOf(event.rrule, startDate, event.timezone),
    rdates: 'rdates' in event ? event.rdates : [],
  }
}

/** Includes the seconds only if they are not zero. */
const timeOf = (moment: string): string => (moment.slice(17, 19) === '00' ? moment.slice(11, 16) : moment.slice(11, 19))

export interface StartingTimes {
  start?: string | null
  end?: string | null
  isAllDay: boolean
  timezone: string
  visibility: Event['visibility']
  now: number
}

const DATE_LENGTH = 'yyyy-mm-dd'.length

/** Values of a new event: at the time clicked on the calendar, or at the next full hour. */
export function newValues({ start, end, isAllDay, timezone, visibility, now }: StartingTimes): EventValues {
  const wall = (text: string | null | undefined) => (text ? wallIn(text, timezone) : undefined)
  const zone = findZone(timezone)
  const nextHour = Math.ceil((zone ? toWall(zone, now) : now) / HOUR_MS) * HOUR_MS
  const isDayAlone = !isAllDay && start?.length === DATE_LENGTH
  const startWall = wall(isDayAlone ? `${start}${formatLocal(nextHour).slice(DATE_LENGTH)}` : start) ?? nextHour
  const given = wall(end)
  const endWall = given !== undefined && given > startWall ? given : startWall + (isAllDay ? DAY_MS : HOUR_MS)
  const [startText, endText] = [formatLocal(startWall), formatLocal(isAllDay ? endWall - DAY_MS : endWall)]
  const startDate = startText.slice(0, 10)
  return {
    ...{ title: '', description: '', location: '', category: '', url: '' },
    ...{ status: 'confirmed', transparency: 'opaque', visibility },
    allDay: isAllDay,
    startDate,
    startTime: isAllDay ? '09:00' : startText.slice(11, 16),
    endDate: endText.slice(0, 10),
    endTime: isAllDay ? '10:00' : endText.slice(11, 16),
    timezone,
    repeat: noRepeat(startDate),
    rdates: [],
  }
}

/** As the address of a new event has it: dates with an exclusive end, or local times. */
export const startOf = (values: EventValues): Record<string, string> => ({
  start: startLocal(values),
  end: values.allDay ? shiftDate(values.endDate, 1) : endLocal(values),
  ...(values.allDay && { all_day: '1' }),
})

/** Parses an API date or time, and converts an instant to wall time in the zone. */
export function wallIn(text: string, zone: string): LocalMs | undefined {
  const read = parseTimeText(text)
  if (read?.kind === 'date') return wallOfDay(read.day)
  if (read?.kind === 'local') return read.wall
  const found = read && findZone(zone)
  return found ? toWall(found, read.instant) : undefined
}

/** Moves the end with the start, and the days of the repetition that depend on the start. */
export function withStart(values: EventValues, start: { startDate?: string; startTime?: string }): EventValues {
  const next = { ...values, ...start }
  const [before, after] = [startWallOf(values), startWallOf(next)]
  if (after === undefined) return next
  const moved = { ...next, ...movedEnd(values, before, after) }
  return before === undefined
    ? moved
    : { ...moved, repeat: moveWithStart(values.repeat, values.startDate, next.startDate) }
}

/** An end that was before the start stays if it is no longer so; its distance from the start means nothing. */
function movedEnd(values: EventValues, before: LocalMs | undefined, after: LocalMs): Partial<EventValues> {
  const { allDay, endDate } = values
  const end = wallIn(endLocal(values), '')
  if (end === undefined)
    return before === undefined ? {} : { endDate: shiftDate(endDate, dayOf(after) - dayOf(before)) }
  const hasLength = before !== undefined && end >= before
  const kept = hasLength ? end + after - before : end
  const text = formatLocal(kept >= after ? kept : after + (allDay ? 0 : HOUR_MS))
  return { endDate: text.slice(0, 10), ...(allDay ? {} : { endTime: timeOf(text) }) }
}

/** An event of whole days may have hours of which the end is earlier: it is then on the next day. */
export function withAllDay(values: EventValues, allDay: boolean): EventValues {
  const { startDate, startTime, endDate, endTime } = values
  const isBefore = !allDay && endDate === startDate && endTime !== '' && endTime < startTime
  return { ...values, allDay, endDate: isBefore ? shiftDate(endDate, 1) : endDate }
}

export const isStartRead = (values: EventValues): boolean => startWallOf(values) !== undefined

const startWallOf = (values: EventValues): LocalMs | undefined => wallIn(startLocal(values), '')

/** Dates for all-day events, otherwise local times without an offset. */
const startLocal = ({ allDay, startDate, startTime }: EventValues): string =>
  allDay ? startDate : `${startDate}T${startTime}`

const endLocal = ({ allDay, endDate, endTime }: EventValues): string => (allDay ? endDate : `${endDate}T${endTime}`)

/** The end as sent: exclusive, so the day after the last for all-day events. */
function endSent(values: EventValues): string {
  if (values.allDay) return shiftDate(values.endDate, 1)
  const moved = timesAfterGap(values)
  return moved ? formatLocal(moved.end) : endLocal(values)
}

/**
 * The wall times that will be stored, if start or end lie in the hour that a clock change skips. A skipped start is
 * read as an hour later (RFC 5545 §3.3.5); the end then follows it, so that the event keeps its length.
 */
export function timesAfterGap(values: EventValues): { start: LocalMs; end: LocalMs } | undefined {
  const zone = values.allDay ? undefined : findZone(values.timezone.trim())
  const [start, end] = [startWallOf(values), wallIn(endLocal(values), '')]
  if (!zone || start === undefined || end === undefined) return undefined
  const startAt = toInstant(zone, start)
  const isMoved = toWall(zone, startAt) !== start
  const endAt = isMoved ? startAt + end - start : toInstant(zone, end)
  if (!isMoved && toWall(zone, endAt) === end) return undefined
  return { start: toWall(zone, startAt), end: toWall(zone, endAt) }
}

export function bodyOf(values: EventValues): NewEvent {
  const { title, visibility, status, transparency, timezone, allDay, rdates } = values
  return {
    title: title.trim(),
    ...textsOf(values),
    ...{ visibility, status, transparency },
    start: startLocal(values),
    end: endSent(values),
    all_day: allDay,
    timezone: timezone.trim(),
    rrule: ruleOf(values.repeat, values.startDate),
    rdates: rdates.map((key) => inShape(key, values)),
  }
}

/** Adapts an occurrence key to an all-day or timed series; a key without a time gets the start time of the event. */
export function inShape(key: string, { allDay, startTime }: EventValues): string {
  if (allDay) return key.slice(0, 8)
  return key.includes('T') ? key : `${key}T${startTime.replaceAll(':', '').padEnd(6, '0')}`
}

const textsOf = ({ description, location, category, url }: EventValues) => ({
  description: description.trim() || null,
  location: location.trim() || null,
  category: category.trim() || null,
  url: url.trim() || null,
})

/** Only the differences are sent, so that what the form cannot show stays unchanged. */
export function patchOf(values: EventValues, base: EventValues): EventPatch {
  const [mine, theirs] = [bodyOf(values), bodyOf(base)]
  const { start, end, ...rest } = differences(mine, theirs)
  const isElsewhere = 'all_day' in rest || 'timezone' in rest
  // A start alone would move the end too.
  const when = isElsewhere || start ? { start: mine.start, end: mine.end } : optional({ end })
  const { rrule: _, ...others } = rest
  return {
    ...others,
    ...when,
    ...(isRuleSent(values, base, Object.keys(when).length > 0) ? { rrule: mine.rrule! } : {}),
  }
}

/** Without the fields that all dates of a series share. */
export function followingPatchOf(values: EventValues, base: EventValues): OccurrencePatch {
  const { rdates: _, visibility: __, all_day: ___, ...patch } = patchOf(values, base)
  return patch as OccurrencePatch
}

/** An end date on screen is meant literally. Without `rrule` in the patch the server would shift it with the start. */
function isRuleSent(values: EventValues, base: EventValues, isMoved: boolean): boolean {
  const { kind, ends } = values.repeat
  const isShown = kind !== 'none' && kind !== 'custom'
  if (isMoved && isShown && ends === 'until') return true
  return ruleOf(values.repeat, values.startDate) !== ruleOf(base.repeat, base.startDate)
}

/** Contains only the fields that one date of a series can override. */
export function occurrencePatchOf(values: EventValues, base: EventValues): OccurrencePatch {
  const mine = bodyOf(values)
  const { title, description, location, category, url, status, start, end } = differences(mine, bodyOf(base))
  const texts = { title, description, location, category, url, status }
  return optional({ ...texts, start, end: start ? mine.end : end }) as OccurrencePatch
}

function differences(mine: NewEvent, theirs: NewEvent): Partial<NewEvent> {
  const names = Object.keys(mine) as (keyof NewEvent)[]
  return Object.fromEntries(names.filter((name) => !isSame(mine[name], theirs[name])).map((name) => [name, mine[name]]))
}

const optional = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
