// What a link into the calendar says: a view around a day, within the years people are led through.
import { type Day, dateFromDay, dayFromDate, daysInMonth } from '../domain/time/instant.ts'
import { parseTimeText } from '../domain/time/text.ts'
import { type View, viewDays } from '../domain/time/window.ts'

/**
 * Whole years around this one. A robot that follows "next" comes to an end, and people find what is written down: minutes
 * and accounts look back a few years, long leases and jubilees ahead a few more. Anything else is there by search and API.
 */
export const YEARS_BACK = 5
export const YEARS_AHEAD = 10

export const CALENDAR_VIEWS = ['month', 'week', 'day', 'list', 'year'] as const satisfies readonly View[]

export interface CalendarLink {
  /** Undefined leaves it to the page: it knows how wide it is. */
  view: View | undefined
  /** Undefined is today. */
  day: Day | undefined
}

/** Undefined for what no link of ours says. */
export function readCalendarLink(asked: { view?: unknown; date?: unknown }, today: Day): CalendarLink | undefined {
  const { view, date } = asked
  const isView = view === undefined || CALENDAR_VIEWS.some((known) => known === view)
  if (!isView) return undefined
  if (date === undefined) return { view: view as View | undefined, day: undefined }
  const day = typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) ? dayOfText(date) : undefined
  return day !== undefined && isWithinBounds(day, today) ? { view: view as View | undefined, day } : undefined
}

const dayOfText = (text: string): Day | undefined => {
  const parsed = parseTimeText(text)
  return parsed?.kind === 'date' ? parsed.day : undefined
}

/** The first day and the last. */
export function boundsAround(today: Day): [Day, Day] {
  const { year } = dateFromDay(today)
  return [dayFromDate(year - YEARS_BACK, 1, 1), dayFromDate(year + YEARS_AHEAD, 12, 31)]
}

export function isWithinBounds(day: Day, today: Day): boolean {
  const [first, last] = boundsAround(today)
  return day >= first && day <= last
}

/** What the view shows, the second day exclusive. A list goes on from its day for a month. */
export const periodOf = (view: View, day: Day, weekStart: number): [Day, Day] =>
  view === 'list' ? [day, addMonths(day, 1)] : viewDays(view, day, weekStart)

/** The day the next period is asked for by, or with -1 the one before. */
export function stepFrom(view: View, day: Day, by: 1 | -1): Day {
  if (view === 'day') return day + by
  if (view === 'week') return day + 7 * by
  return addMonths(day, (view === 'year' ? 12 : 1) * by)
}

/** The same day of another month, or its last where it is shorter. */
export function addMonths(day: Day, months: number): Day {
  const date = dateFromDay(day)
  const count = date.year * 12 + date.month - 1 + months
  const year = Math.floor(count / 12)
  const month = (count % 12) + 1
  return dayFromDate(year, month, Math.min(date.day, daysInMonth(year, month)))
}
