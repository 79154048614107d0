// What a calendar page shows: events of a period as the public sees them, or results of a search.

import { type ListedCategory, listCategories } from '../../actions/categories/public-categories.ts'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import { writeEventList } from '../../actions/events/list-events.ts'
import type { OccurrenceList } from '../../actions/lists/list-request.ts'
import type { Context } from '../../context.ts'
import { boundsAround, daysOfWhatsOn, periodOf } from '../../contract/calendar-link.ts'
import { toneOf } from '../../domain/calendar/tones.ts'
import type { CategoryShades } from '../../domain/categories/color-rules.ts'
import type { Language } from '../../domain/languages.ts'
import { ANONYMOUS } from '../../domain/privacy/viewer.ts'
import { type Day, dayOf } from '../../domain/time/instant.ts'
import { pageWeekStart } from '../../domain/time/week-start.ts'
import { type View, viewDays } from '../../domain/time/window.ts'
import { requireZone, startOfDay, toWall } from '../../domain/time/zone.ts'
import type { Site } from '../../http/site.ts'
import { daysOf } from '../../words/calendar-times.ts'
import type { PresentedTimes } from '../../words/format-times.ts'
import type { SharedWords } from '../../words/words.ts'
import { presentShades } from '../categories/categories.ts'
import { datePathOf, isCancelled, pagePathOf, type SitePlace } from '../event-page/page-facts.ts'
import { readListQuery } from '../events/list-query.ts'
import { presentPlace } from '../events/present.ts'
import type { AskedPage, FoundDirection, PageAddress } from './asked.ts'

/** More events are too many for a page; the app stops there too. */
const MAX_EVENTS = 2_000
/** A list takes a line for each, on each of its days. */
const MAX_LISTED = 400
const MAX_LINES = 2_000
export const FOUND_PER_PAGE = 50

/** An occurrence as it is written on the page. */
export interface CalendarEntry {
  times: PresentedTimes
  days: [first: Day, last: Day]
  startAt: number
  durationMs: number
  /** As programs get it; pages show other words for a private event. */
  title: string
  location: string | null
  category: string | null
  description: string | null
  tone: string
  isMasked: boolean
  isCancelled: boolean
  /** Undefined for a private event, whose page would say no more. */
  path: string | undefined
}

export interface ShownPeriod {
  view: View
  /** The second exclusive. */
  period: [Day, Day]
  entries: CalendarEntry[]
  /** More than the entries if there are too many to show. */
  total: number
}

export interface SearchPage {
  direction: FoundDirection
  entries: CalendarEntry[]
  total: number
}

export interface CalendarFacts {
  site: SitePlace
  asked: AskedPage
  today: Day
  weekStart: number
  /** The day that is shown; in a quick choice the first one. */
  day: Day
  categories: LegendCategory[]
  /** Without a view in the address two: of a wide screen, and of a narrow one. Empty for a search. */
  periods: ShownPeriod[]
  search: SearchPage | undefined
}

/** The facts with the words of the reader's language. */
export type WrittenCalendar = CalendarFacts & { words: SharedWords }

export interface LegendCategory extends CategoryShades {
  description: string | null
}

/** Writes the address of another page, with the language and categories of this one unless others are given. */
export type AddressWriter = (to: PageAddress) => string

export const todayOf = (ctx: Context): Day => dayOf(toWall(requireZone(ctx.config.timezone), ctx.clock()))

interface PageCaller {
  caller: Caller
  /** That the page is written in. */
  language: Language
}

export async function readCalendarFacts(
  ctx: Context,
  site: Site,
  asked: AskedPage,
  { caller, language: pageLanguage }: PageCaller,
): Promise<CalendarFacts> {
  const { siteName: name, timezone, language } = ctx.config
  const weekStart = pageWeekStart(ctx.config, pageLanguage)
  const today = todayOf(ctx)
  const place: SitePlace = { ...site, name, zone: requireZone(timezone), language }
  const reader = { ctx, place, asked, today, weekStart, caller }
  const listed = asked.when && daysOfWhatsOn(asked.when, today)
  const day = listed?.[0] ?? asked.day ?? today
  const periods: ShownPeriod[] = []
  if (listed) periods.push(await readPeriod(reader, 'list', listed))
  else if (!asked.found)
    for (const view of asked.view ? [asked.view] : (['month', 'list'] as const))
      periods.push(await readPeriod(reader, view, periodOf(view, day, weekStart)))
  return {
    site: place,
    asked,
    today,
    weekStart,
    day,
    categories: (await listCategories(ctx, caller)).map(legendOf),
    periods,
    search: asked.found && (await search(reader, asked.found)),
  }
}

function legendOf({ name, managed }: ListedCategory): LegendCategory {
  const { color_light: light, color_dark: dark } = managed ? presentShades(managed) : {}
  return { name, light, dark, description: managed?.description ?? null }
}

interface PageReader {
  ctx: Context
  place: SitePlace
  asked: AskedPage
  today: Day
  weekStart: number
  caller: Caller
}

async function readPeriod(reader: PageReader, view: View, period: [Day, Day]): Promise<ShownPeriod> {
  const { weekStart } = reader
  const [first, next] = view === 'month' ? wholeWeeks(period, weekStart) : period
  const isList = view !== 'month' && view !== 'year'
  const perPage = isList ? MAX_LISTED : MAX_EVENTS
  const { entries, total } = await readEntries(reader, [first, next], { perPage, page: 1 })
  return { view, period, entries: isList ? cutToLines(entries, period) : entries, total }
}

function cutToLines(entries: CalendarEntry[], [first, next]: [Day, Day]): CalendarEntry[] {
  let lines = 0
  const end = entries.findIndex(({ days }) => {
    lines += Math.min(days[1], next - 1) - Math.max(days[0], first) + 1
    return lines > MAX_LINES
  })
  return end < 0 ? entries : entries.slice(0, end)
}

/** The days of the month table: from the first day of a week to the last of one. */
export const wholeWeeks = ([first, next]: [Day, Day], weekStart: number): [Day, Day] => [
  viewDays('week', first, weekStart)[0],
  viewDays('week', next - 1, weekStart)[1],
]

async function search(reader: PageReader, direction: FoundDirection): Promise<SearchPage> {
  const { asked, today } = reader
  const [first, last] = boundsAround(today)
  const days: [Day, Day] = direction === 'past' ? [first, today] : [today, last + 1]
  const page = { perPage: FOUND_PER_PAGE, page: asked.page, isReversed: direction === 'past' }
  return { direction, ...(await readEntries(reader, days, page)) }
}

interface EntryPage {
  page: number
  perPage: number
  /** The latest first. */
  isReversed?: boolean
}

async function readEntries(
  { ctx, place, asked, caller }: PageReader,
  [first, next]: [Day, Day],
  { page, perPage, isReversed = false }: EntryPage,
): Promise<Pick<SearchPage, 'entries' | 'total'>> {
  const { q, categories } = asked
  const request = {
    ...readListQuery({ ...(q && { q }), category: [...categories] }, ctx.config, ctx.clock(), 'public'),
    range: { from: startOfDay(place.zone, first), to: startOfDay(place.zone, next) },
    page: { page, perPage },
    ...(isReversed && { order: '-start' as const }),
  }
  const { items, total = 0 } = await writeEventList(ctx, ANONYMOUS, request, caller, async (listing) => listing)
  return { entries: items.map((item) => entryOf(place, item)), total }
}

function entryOf(site: SitePlace, item: OccurrenceList['items'][number]): CalendarEntry {
  const { event, key } = item
  const { timing, isRecurring } = event
  const times = presentPlace(event, site.zone)
  const isMasked = event.level === 'masked'
  const { location, category, description } = isMasked ? NO_DETAILS : event.details
  return {
    times,
    days: daysOf(times),
    startAt: timing.allDay ? startOfDay(site.zone, dayOf(timing.startAt)) : timing.startAt,
    durationMs: timing.durationMs,
    title: isMasked ? event.title : event.details.title,
    location,
    category,
    description,
    tone: toneOf({ visibility: event.visibility, category }),
    isMasked,
    isCancelled: isCancelled(event),
    path: isMasked ? undefined : isRecurring && key !== undefined ? datePathOf(site, item) : pagePathOf(site, event),
  }
}

const NO_DETAILS = { location: null, category: null, description: null }

/** As the grid of the web app orders them: by start, the longest first, whole days before times. */
export const byStart = (a: CalendarEntry, b: CalendarEntry): number =>
  a.startAt - b.startAt ||
  b.durationMs - a.durationMs ||
  Number(b.times.all_day) - Number(a.times.all_day) ||
  a.title.localeCompare(b.title, 'en')
