// Links into the calendar: view, day and texts, the years that pages lead to, and quick choices.
import { stripControlCharacters } from '../domain/plain-text.ts'
import { type Day, dateFromDay, dayFromDate, daysInMonth, weekdayOf } from '../domain/time/instant.ts'
import { parseTimeText } from '../domain/time/text.ts'
import { type View, viewDays } from '../domain/time/window.ts'

/**
 * Whole years around this one. They bound a robot that follows "next", and cover what people look up: minutes and
 * accounts a few years back, long leases and jubilees a few more ahead. Anything else is found by search and API.
 */
export const YEARS_BACK = 5
export const YEARS_AHEAD = 10

export const CALENDAR_VIEWS = ['month', 'week', 'day', 'list', 'year'] as const satisfies readonly View[]

export interface CalendarLink {
  /** Undefined: the page decides by its width. */
  view: View | undefined
  /** Undefined is today. */
  day: Day | undefined
}

/** Undefined for a link that the calendar does not produce. */
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

/** The days of the view, the second exclusive. A list covers a month from its day. */
export const periodOf = (view: View, day: Day, weekStart: number): [Day, Day] =>
  view === 'list' ? [day, addMonths(day, 1)] : viewDays(view, day, weekStart)

/** The day of the next period, or with -1 of the one before. */
export function stepFrom(view: View, day: Day, by: 1 | -1): Day {
  if (view === 'day') return day + by
  if (view === 'week') return day + 7 * by
  return addMonths(day, (view === 'year' ? 12 : 1) * by)
}

/** The same day of another month, or its last day if that is shorter. */
export function addMonths(day: Day, months: number): Day {
  const date = dateFromDay(day)
  const count = date.year * 12 + date.month - 1 + months
  const year = Math.floor(count / 12)
  const month = (count % 12) + 1
  return dayFromDate(year, month, Math.min(date.day, daysInMonth(year, month)))
}

/** The API’s limit for a search text. */
export const MAX_Q = 100

/** A text of a link, cut to the API’s limit. */
export const cutSearchText = (text: string, longest: number): string =>
  [...stripControlCharacters(text, ' ')].slice(0, longest).join('').trim()

/** Quick choices: what is on today, this weekend, or in the next 7 days. */
export const WHATS_ON = ['today', 'weekend', 'week'] as const

export type WhatsOn = (typeof WHATS_ON)[number]

const SATURDAY = 5
const SUNDAY = 6

/**
 * The days of the choice, the second exclusive, as seen today: a link that is opened later shows other days. What is
 * over is left out, so on a Sunday the weekend is that day alone.
 */
export function daysOfWhatsOn(choice: WhatsOn, today: Day): [Day, Day] {
  if (choice === 'today') return [today, today + 1]
  if (choice === 'week') return [today, today + 7]
  const weekday = weekdayOf(today)
  return weekday === SUNDAY ? [today, today + 1] : [today + SATURDAY - weekday, today + SATURDAY - weekday + 2]
}
