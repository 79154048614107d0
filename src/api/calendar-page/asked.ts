// Parses the query of the calendar page, and writes the addresses of its periods.
import {
  type CalendarLink,
  cutSearchText,
  isWithinBounds,
  MAX_Q,
  periodOf,
  readCalendarLink,
  stepFrom,
  WHATS_ON,
  type WhatsOn,
} from '../../contract/calendar-link.ts'
import { MAX_TEXT_CHARS } from '../../domain/calendar/fields.ts'
import { MAX_SOUGHT_CATEGORIES } from '../../domain/categories/category.ts'
import type { Language } from '../../domain/languages.ts'
import type { Day } from '../../domain/time/instant.ts'
import { formatDate } from '../../domain/time/text.ts'
import type { View } from '../../domain/time/window.ts'
import { languageChosenBy } from '../page-language.ts'

/** Besides `lang`. */
export const PARAMETERS = ['view', 'date', 'when', 'q', 'category', 'found', 'page']

export type FoundDirection = 'ahead' | 'past'

export interface AskedPage extends CalendarLink {
  /** A list of these days; view and day are undefined then. */
  when: WhatsOn | undefined
  q: string
  categories: readonly string[]
  /** Direction of a search; without a text, everything of the categories is found. Undefined where nothing is searched. */
  found: FoundDirection | undefined
  /** Of the results of a search, from 1. */
  page: number
  /** By the address; undefined if the reader’s browser or the calendar decides. */
  language: Language | undefined
  /** A view, date or choice that the calendar does not show, or a parameter sent twice: today is shown instead. */
  isOdd: boolean
}

/** Pages of search results; a text with more of them is too common. */
export const MAX_FOUND_PAGES = 40

export function readAsked(query: Record<string, unknown>, today: Day): AskedPage {
  const isRepeated = PARAMETERS.some((name) => name !== 'category' && Array.isArray(query[name]))
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  const link = isRepeated ? undefined : readCalendarLink({ view: query.view, date: query.date }, today)
  const q = cutSearchText(text('q'), MAX_Q)
  const found = FOUND.find((direction) => direction === text('found')) ?? (q === '' ? undefined : 'ahead')
  const when = WHATS_ON.find((choice) => choice === text('when'))
  const page = /^\d{1,2}$/.test(text('page')) ? Number(text('page')) : 1
  return {
    ...(link && !when ? link : { view: undefined, day: undefined }),
    when: found ? undefined : when,
    q,
    categories: readCategories(query.category),
    found,
    page: Math.min(Math.max(page, 1), MAX_FOUND_PAGES),
    language: languageChosenBy(query),
    isOdd: !link || (query.when !== undefined && !when),
  }
}

const FOUND: readonly FoundDirection[] = ['ahead', 'past']

/** Each once, as the web app reads them. */
function readCategories(asked: unknown): string[] {
  const names = [asked].flat().map((name) => (typeof name === 'string' ? name : ''))
  const cut = names.map((name) => cutSearchText(name, MAX_TEXT_CHARS.category))
  return [...new Set(cut.filter(Boolean))].slice(0, MAX_SOUGHT_CATEGORIES)
}

/**
 * The first day of the period, so that each period has one address. Of a week its Monday: it is in the same week of
 * readers whose weeks begin on Saturday or Sunday.
 */
function firstDayOf(view: View, day: Day, weekStart: number): Day {
  if (view === 'list') return day
  const [first] = periodOf(view, day, weekStart)
  return view === 'week' ? first + ((7 - weekStart) % 7) : first
}

export interface PeriodAddress {
  view: View | undefined
  /** Undefined is today. */
  day: Day | undefined
}

/** A page under the root; what is left out or empty is not part of its address. */
export interface PageAddress
  extends Partial<PeriodAddress>,
    Partial<Omit<AskedPage, 'view' | 'day' | 'page' | 'isOdd'>> {
  /** Of the results of a search; the first has no number. */
  page?: number
}

export function addressOf(
  root: string,
  { view, day, when, categories = [], q, found, page, language }: PageAddress,
): string {
  const pairs: [string, string | undefined][] = [
    ['view', view],
    ['date', day === undefined ? undefined : formatDate(day)],
    ['when', when],
    ...categories.map((name): [string, string] => ['category', name]),
    ['q', q],
    ['found', found],
    ['page', page === undefined ? undefined : `${page}`],
    ['lang', language],
  ]
  const query = new URLSearchParams(pairs.filter((pair): pair is [string, string] => Boolean(pair[1])))
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
export function canonicalOf({ view, day, when }: AskedPage, weekStart: number): PageAddress {
  if (when) return { when }
  if (day === undefined) return { view, day }
  const shown = view ?? 'month'
  return { view: shown, day: firstDayOf(shown, day, weekStart) }
}
