// Resolves the window of a list request: from, to and view become one range of instants.
import type { FieldCode } from '../../errors.ts'
import { DAY_MS, type Day, dateFromDay, dayFromDate, dayOf, type Instant, weekdayOf } from './instant.ts'
import { isWithinYears, type TimeText } from './text.ts'
import { startOfDay, toInstant, toWall, type Zone } from './zone.ts'

export const VIEWS = ['list', 'day', 'week', 'month', 'year'] as const
export type View = (typeof VIEWS)[number]

export interface Range {
  from: Instant
  /** Exclusive. */
  to: Instant
}

export interface WindowRequest {
  from?: TimeText | undefined
  to?: TimeText | undefined
  view?: View | undefined
  zone: Zone
  /** Monday is 0. */
  weekStart: number
  now: Instant
}

export interface WindowProblem {
  field: 'from' | 'to'
  code: FieldCode
}

/** Length of an open side, and the longest window allowed. */
const OPEN_SIDE_DAYS = 366
const LONGEST_DAYS = 1_830

/** Undefined without any time parameter: then the list has every event once, as stored. */
export function resolveWindow(request: WindowRequest): Range | WindowProblem | undefined {
  const { zone, view } = request
  if (!request.from && !request.to && !view) return undefined
  const from = request.from && startInstantOf(request.from, zone)
  const to = request.to && endOf(request.to, zone)
  if (from !== undefined && !isWithinYears(toWall(zone, from))) return { field: 'from', code: 'out_of_range' }
  if (to !== undefined && !isWithinYears(toWall(zone, to - 1))) return { field: 'to', code: 'out_of_range' }
  const range = openRange(request, from, to)
  if (range.from >= range.to) return { field: 'to', code: 'range_empty' }
  // Measured in wall time: a window of whole local days has the same length in weeks with a clock change.
  if (toWall(zone, range.to) - toWall(zone, range.from) > LONGEST_DAYS * DAY_MS) {
    return { field: 'to', code: 'range_too_large' }
  }
  return range
}

function openRange({ view, zone, weekStart, now }: WindowRequest, from?: Instant, to?: Instant): Range {
  if (from !== undefined && to !== undefined) return { from, to }
  if (view && view !== 'list') {
    const anchor = from ?? (to !== undefined ? to - 1 : now)
    return viewRange(view, dayOf(toWall(zone, anchor)), zone, weekStart)
  }
  if (from !== undefined) return { from, to: addLocalDays(zone, from, OPEN_SIDE_DAYS) }
  if (to !== undefined) return { from: addLocalDays(zone, to, -OPEN_SIDE_DAYS), to }
  const today = dayOf(toWall(zone, now))
  return { from: startOfDay(zone, today), to: startOfDay(zone, today + OPEN_SIDE_DAYS) }
}

function viewRange(view: View, anchor: Day, zone: Zone, weekStart: number): Range {
  const [first, next] = viewDays(view, anchor, weekStart)
  return { from: startOfDay(zone, first), to: startOfDay(zone, next) }
}

/** The days of a view, the second exclusive. */
export function viewDays(view: View, anchor: Day, weekStart: number): [Day, Day] {
  const { year, month } = dateFromDay(anchor)
  switch (view) {
    case 'week': {
      const first = anchor - ((weekdayOf(anchor) - weekStart + 7) % 7)
      return [first, first + 7]
    }
    case 'month':
      return [dayFromDate(year, month, 1), month === 12 ? dayFromDate(year + 1, 1, 1) : dayFromDate(year, month + 1, 1)]
    case 'year':
      return [dayFromDate(year, 1, 1), dayFromDate(year + 1, 1, 1)]
    default:
      return [anchor, anchor + 1]
  }
}

export const startInstantOf = (text: TimeText, zone: Zone): Instant =>
  text.kind === 'date' ? startOfDay(zone, text.day) : exact(text, zone)

/** A date-only `to` includes that whole day: "to 30 November" is meant to show it. */
const endOf = (text: TimeText, zone: Zone): Instant =>
  text.kind === 'date' ? startOfDay(zone, text.day + 1) : exact(text, zone)

const exact = (text: Exclude<TimeText, { kind: 'date' }>, zone: Zone): Instant =>
  text.kind === 'instant' ? text.instant : toInstant(zone, text.wall)

const addLocalDays = (zone: Zone, instant: Instant, days: number): Instant =>
  toInstant(zone, toWall(zone, instant) + days * DAY_MS)
