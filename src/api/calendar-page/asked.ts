// Parses the query of the calendar page, and writes the addresses of its periods.
import {
  type CalendarLink,
  cutSearchText,
  isWithinBounds,
  MAX_Q,
  periodOf,
  readCalendarLink,
  stepFrom,
} from '../../contract/calendar-link.ts'
import { MAX_TEXT_CHARS } from '../../domain/calendar/fields.ts'
import type { Language } from '../../domain/languages.ts'
import type { Day } from '../../domain/time/instant.ts'
import { formatDate } from '../../domain/time/text.ts'
import type { View } from '../../domain/time/window.ts'
import { languageChosenBy } from '../page-language.ts'

/** Besides `lang`. */
export const PARAMETERS = ['view', 'date', 'q', 'category', 'found', 'page']

export type FoundDirection = 'ahead' | 'past'

export interface AskedPage extends CalendarLink {
  q: string
  category: string
  /** Direction of a search; without a text, everything of the category is found. Undefined where nothing is searched. */
  found: FoundDirection | undefined
  /** Of the results of a search, from 1. */
  page: number
  /** By the address; undefined if the reader’s browser or the calendar decides. */
  language: Language | undefined
  /** A view or a date that the calendar does not show, or a parameter sent twice: today is shown instead. */
  isOdd: boolean
}

/** Pages of search results; a text with more of them is too common. */
export const MAX_FOUND_PAGES = 40

export function readAsked(query: Record<string, unknown>, today: Day): AskedPage {
  const isRepeated = PARAMETERS.some((name) => Array.isArray(query[name]))
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  const link = isRepeated ? undefined : readCalendarLink({ view: query.view, date: query.date }, today)
  const q = cutSearchText(text('q'), MAX_Q)
  const category = cutSearchText(text('category'), MAX_TEXT_CHARS.category)
  const direction = text('found') === 'past' ? 'past' : text('found') === 'ahead' ? 'ahead' : undefined
  const page = /^\d{1,2}$/.test(text('page')) ? Number(text('page')) : 1
  return {
    ...(link ?? { view: undefined, day: undefined }),
    q,
    category,
    found: direction ?? (q === '' ? undefined : 'ahead'),
    page: Math.min(Math.max(page, 1), MAX_FOUND_PAGES),
    language: languageChosenBy(query),
    isOdd: !link,
  }
}

/** The first day of the period, so that each period has one address. */
const firstDayOf = (view: View, day: Day, weekStart: number): Day =>
  view === 'list' ? day : periodOf(view, day, weekStart)[0]

export interface PeriodAddress {
  view: View | undefined
  /** Undefined is today. */
  day: Day | undefined
}

/** Under the root; the texts of a search are part of it only if they are given. */
export function addressOf(root: string, { view, day }: PeriodAddress, texts: Record<string, string> = {}): string {
  const given = Object.entries({ view, date: day === undefined ? '' : formatDate(day), ...texts })
  const query = new URLSearchParams(given.filter((entry): entry is [string, string] => Boolean(entry[1])))
  return query.size > 0 ? `${root}/?${query}` : `${root}/`
}

/** Undefined beyond the years that pages lead to: a robot that follows “next” ends there. */
export function neighbourOf(
  view: View,
  day: Day,
  by: 1 | -1,
  { today, weekStart }: { today: Day; weekStart: number },
): PeriodAddress | undefined {
  const to = firstDayOf(view, stepFrom(view, day, by), weekStart)
  return isWithinBounds(to, today) ? { view, day: to } : undefined
}

/** The address that search engines keep: without a date for today’s period without a view. */
export function canonicalOf({ view, day }: AskedPage, weekStart: number): PeriodAddress {
  if (day === undefined) return { view, day }
  const shown = view ?? 'month'
  return { view: shown, day: firstDayOf(shown, day, weekStart) }
}
