// What a calendar page shows: events of a period as the public sees them, or results of a search.

import { listCategories } from '../../actions/categories/public-categories.ts'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import { writeEventList } from '../../actions/events/list-events.ts'
import type { OccurrenceList } from '../../actions/lists/list-request.ts'
import type { Context } from '../../context.ts'
import { boundsAround, periodOf } from '../../contract/calendar-link.ts'
import { toneOf } from '../../domain/calendar/tones.ts'
import { ANONYMOUS } from '../../domain/privacy/viewer.ts'
import { type Day, dayOf } from '../../domain/time/instant.ts'
import { type View, viewDays } from '../../domain/time/window.ts'
import { requireZone, startOfDay, toWall } from '../../domain/time/zone.ts'
import type { Site } from '../../http/site.ts'
import { daysOf } from '../../words/calendar-times.ts'
import type { PresentedTimes } from '../../words/format-times.ts'
import type { SharedWords } from '../../words/words.ts'
import { datePathOf, isCancelled, pagePathOf, type SitePlace } from '../event-page/page-facts.ts'
import { readListQuery } from '../events/list-query.ts'
import { presentPlace } from '../events/present.ts'
import type { AskedPage, FoundDirection, PeriodAddress } from './asked.ts'

/** More events are too many for a page; the app stops there too. */
const MAX_EVENTS = 2_000
/** A list takes a line for each. */
const MAX_LISTED = 400
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
  categories: string[]
  /** Without a view in the address two: of a wide screen, and of a narrow one. Empty for a search. */
  periods: ShownPeriod[]
  search: SearchPage | undefined
}

/** The facts with the words of the reader's language. */
export type WrittenCalendar = CalendarFacts & { words: SharedWords }

/** Writes the address of another period, with what is kept of this page. */
export type AddressWriter = (to: PeriodAddress) => string

export const todayOf = (ctx: Context): Day => dayOf(toWall(requireZone(ctx.config.timezone), ctx.clock()))

export async function readCalendarFacts(
  ctx: Context,
  site: Site,
  asked: AskedPage,
  caller: Caller,
): Promise<CalendarFacts> {
  const { siteName: name, timezone, weekStart, language } = ctx.config
  const today = todayOf(ctx)
  const place: SitePlace = { ...site, name, zone: requireZone(timezone), language }
  const reader = { ctx, place, asked, today, caller }
  const views: View[] = asked.found ? [] : asked.view ? [asked.view] : ['month', 'list']
  const periods: ShownPeriod[] = []
  for (const view of views) periods.push(await readPeriod(reader, view, asked.day ?? today))
  return {
    site: place,
    asked,
    today,
    weekStart,
    categories: (await listCategories(ctx, caller)).map((category) => category.name),
    periods,
    search: asked.found && (await search(reader, asked.found)),
  }
}

interface PageReader {
  ctx: Context
  place: SitePlace
  asked: AskedPage
  today: Day
  caller: Caller
}

async function readPeriod(reader: PageReader, view: View, day: Day): Promise<ShownPeriod> {
  const { weekStart } = reader.ctx.config
  const period = periodOf(view, day, weekStart)
  const [first, next] = view === 'month' ? wholeWeeks(period, weekStart) : period
  const perPage = view === 'month' || view === 'year' ? MAX_EVENTS : MAX_LISTED
  return { view, period, ...(await readEntries(reader, [first, next], { perPage, page: 1 })) }
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
  const texts = { ...(asked.q && { q: asked.q }), ...(asked.category && { category: asked.category }) }
  const request = {
    ...readListQuery(texts, ctx.config, ctx.clock(), 'public'),
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
  const category = isMasked ? null : event.details.category
  return {
    times,
    days: daysOf(times),
    startAt: timing.allDay ? startOfDay(site.zone, dayOf(timing.startAt)) : timing.startAt,
    durationMs: timing.durationMs,
    title: isMasked ? event.title : event.details.title,
    location: isMasked ? null : event.details.location,
    tone: toneOf({ visibility: event.visibility, category }),
    isMasked,
    isCancelled: isCancelled(event),
    path: isMasked ? undefined : isRecurring && key !== undefined ? datePathOf(site, item) : pagePathOf(site, event),
  }
}

/** As the grid of the web app orders them: by start, the longest first, whole days before times. */
export const byStart = (a: CalendarEntry, b: CalendarEntry): number =>
  a.startAt - b.startAt ||
  b.durationMs - a.durationMs ||
  Number(b.times.all_day) - Number(a.times.all_day) ||
  a.title.localeCompare(b.title, 'en')
