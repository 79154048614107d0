// Random public requests: endpoint, window, filter, and headers.
import fc from 'fast-check'
import { LANGUAGES } from '../../../src/domain/languages.ts'
import { formatOccurrenceKey } from '../../../src/domain/recurrence/occurrence-key.ts'
import { DAY_MS, dayOf } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import type { Site } from '../../../src/http/site.ts'
import { basicOf } from '../world.ts'
import { keysOf } from './twin-files.ts'
import { idOf, PENDING } from './twin-worlds.ts'
import { INDEX_EDGES, INTERNAL, type TwinEvent } from './twins.ts'

const VIEWS = ['stored', 'list', 'day', 'week', 'month', 'year', 'window', 'from', 'to'] as const
const PAGE_VIEWS = ['stored', 'list', 'day', 'week', 'month', 'year', 'when weekend', 'when week'] as const
const LIST_FILTERS = ['none', 'q', 'category', 'q and category'] as const
const FEED_FILTERS = ['none', 'category', 'from', 'category and from'] as const
type QuestionView = (typeof VIEWS)[number] | (typeof PAGE_VIEWS)[number]
type QuestionFilter = (typeof LIST_FILTERS)[number] | (typeof FEED_FILTERS)[number]

interface Door {
  views: readonly QuestionView[]
  filters: readonly QuestionFilter[]
  isPaged: boolean
  /** Whether order and fields can be chosen. */
  isChosen?: boolean
}

const plain = { views: ['stored'], filters: ['none'], isPaged: false } as const
const list = { views: VIEWS, filters: LIST_FILTERS, isPaged: true, isChosen: true }

export const DOORS: Record<string, Door> = {
  '/public/events': list,
  '/events': list,
  '/public/calendar.ics': { ...plain, filters: FEED_FILTERS },
  '/public/events/{event_id}': plain,
  '/public/events/{event_id}/event.ics': plain,
  '/public/events/{event_id}/occurrences/{occurrence_key}/event.ics': plain,
  '/public/freebusy': { ...plain, views: ['window'] },
  '/public/sidebar-events': plain,
  '/public/categories': plain,
  '/public/changes': plain,
  '/events/changes': plain,
  '/events/{event_id}': plain,
  '/events/{event_id}/occurrences': { ...plain, views: VIEWS, isPaged: true },
  '/events/{event_id}/occurrences/{occurrence_key}': plain,
  'page /': { ...plain, views: PAGE_VIEWS, filters: LIST_FILTERS },
  'page /feed.json': plain,
  'page /feed.xml': plain,
  'page /sitemap.xml': plain,
  'page /events/{event_id}': plain,
  'page /events/{event_id}/{occurrence_key}': plain,
  'page /events/{event_id}/card': plain,
  'page /events/{event_id}/{occurrence_key}/card': plain,
  'page /events/{event_id}/preview.png': plain,
  'page /events/{event_id}/{occurrence_key}/preview.png': plain,
  'page /preview.png': plain,
  'page /oembed': plain,
}

/** Half of the requests go to the endpoints with the most parameters. */
const DOOR_NAMES = [...Object.keys(DOORS), ...Array(4).fill('/public/events'), ...Array(4).fill('/events')]

const MANNERS = {
  page: ['whole', 'first', 'third'],
  expand: ['true', 'false'],
  order: ['none', '-start', '-updated'],
  fields: ['all', 'some'],
  method: ['GET', 'HEAD'],
  tag: ['none', 'known', 'any', 'the keepers’'],
  encoding: ['none', 'gzip', 'br, gzip'],
  caller: ['anonymous', 'pending', 'keeper', 'bad cookie'],
  /** By the browser, by the address, and by neither. */
  language: ['none', ...LANGUAGES.map((tag) => `browser ${tag}`), 'address de', 'address cy'],
} as const
type Manners = { [Name in keyof typeof MANNERS]: (typeof MANNERS)[Name][number] }

export interface PublicQuestion extends Manners {
  door: string
  view: QuestionView
  filter: QuestionFilter
  zone: string
  /** Which of the existing events, words and dates to use. */
  pick: number
}

export const anyQuestion: fc.Arbitrary<PublicQuestion> = fc.constantFrom(...DOOR_NAMES).chain((door) =>
  fc.record({
    door: fc.constant(door),
    view: fc.constantFrom(...DOORS[door]!.views),
    filter: fc.constantFrom(...DOORS[door]!.filters),
    page: fc.constantFrom(...MANNERS.page.slice(0, DOORS[door]!.isPaged ? 3 : 1)),
    expand: fc.constantFrom(...MANNERS.expand),
    order: fc.constantFrom(...MANNERS.order.slice(0, DOORS[door]!.isChosen ? 3 : 1)),
    fields: fc.constantFrom(...MANNERS.fields.slice(0, DOORS[door]!.isChosen ? 2 : 1)),
    method: fc.constantFrom(...MANNERS.method),
    tag: fc.constantFrom(...MANNERS.tag),
    encoding: fc.constantFrom(...MANNERS.encoding),
    caller: fc.constantFrom(...MANNERS.caller.filter((caller) => caller !== 'keeper' || ignoresCredentials(door))),
    language: fc.constantFrom(...languagesOf(door)),
    zone: fc.constantFrom('', 'Asia/Tokyo', 'America/New_York'),
    pick: fc.nat(10_000),
  }),
)

/** The API writes no language. */
const languagesOf = (door: string): readonly Manners['language'][] => (isPage(door) ? MANNERS.language : ['none'])

/** On other endpoints a full reader sees everything, as intended. */
const ignoresCredentials = (door: string): boolean => door.startsWith('/public/') || isPage(door)

/** A page for people, outside the API. */
const isPage = (door: string): boolean => door.startsWith('page ')

/** Names for what a request covers, and all such names. */
export const coveredBy = ({ door, view, filter, ...manners }: PublicQuestion): string[] => [
  `${door} ${view} ${filter}`,
  ...(Object.keys(MANNERS) as (keyof Manners)[]).map((name) => `${door} ${name} ${manners[name]}`),
]

export const everythingToCover = (): string[] =>
  Object.entries(DOORS).flatMap(([door, { views, filters, isPaged, isChosen = false }]) => [
    ...views.flatMap((view) => filters.map((filter) => `${door} ${view} ${filter}`)),
    ...Object.entries(MANNERS).flatMap(([name, values]) =>
      values
        .filter(
          (value) =>
            (name !== 'page' || isPaged || value === 'whole') &&
            (isChosen || !['-start', '-updated', 'some'].includes(value)) &&
            (value !== 'keeper' || ignoresCredentials(door)) &&
            (name !== 'language' || languagesOf(door).includes(value as Manners['language'])),
        )
        .map((value) => `${door} ${name} ${value}`),
    ),
  ])

export function headersOf({ encoding, caller, language }: PublicQuestion, cookieName: string): Record<string, string> {
  return {
    ...(encoding === 'none' ? {} : { 'accept-encoding': encoding }),
    ...(caller === 'pending' ? { authorization: basicOf(PENDING) } : {}),
    ...(caller === 'keeper' ? { authorization: basicOf('admin@example.org') } : {}),
    ...(language.startsWith('browser ') ? { 'accept-language': language.slice('browser '.length) } : {}),
    ...(caller === 'bad cookie' ? { cookie: `${cookieName}=nobodys` } : {}),
  }
}

export function addressOf(question: PublicQuestion, events: readonly TwinEvent[], site: Site): string {
  const { root, base, origin } = site
  const { door, pick } = question
  const index = pick % (events.length + 1)
  const keys = index < events.length ? keysOf(events[index]!) : []
  const key = keys[pick % Math.max(1, keys.length)] ?? Date.UTC(2026, 6, 10)
  const path = (isPage(door) ? door.replace('page ', root) : base + door)
    .replace('{event_id}', idOf(index))
    .replace('{occurrence_key}', formatOccurrenceKey(key, events[index]?.placing.allDay ?? false))
  const query = queryOf(question, events)
  if (door === 'page /oembed') {
    const page = pick % 2 === 0 ? 'page /events/{event_id}' : 'page /events/{event_id}/{occurrence_key}'
    query.set('url', origin + addressOf({ ...question, door: page }, events, site))
    query.set('format', pick % 3 === 0 ? 'xml' : 'json')
  }
  return query.size > 0 ? `${path}?${query}` : path
}

function queryOf(question: PublicQuestion, events: readonly TwinEvent[]): URLSearchParams {
  const { door, view, filter, page, expand, order, fields, language, zone, pick } = question
  const query = new URLSearchParams()
  const start = isPage(door) ? 'date' : 'from'
  if (view !== 'stored') addWindow(query, view, { start, anchor: anchorOf(pick, events) }, pick)
  if (filter.includes('q')) query.set('q', pickOf(soughtWords(events), pick))
  if (filter.includes('category')) query.set('category', pickOf(categoriesOf(events), pick))
  if (filter.includes('category') && pick % 3 === 0) query.append('category', pickOf(categoriesOf(events), pick + 1))
  if (filter.includes('from')) query.set('from', anchorOf(pick, events))
  if (page !== 'whole') query.set('per_page', `${1 + (pick % 5)}`)
  if (page === 'third') query.set('page', '3')
  if (DOORS[door]!.views.length > 1 && expand === 'false' && !door.includes('{')) query.set('expand', 'false')
  if (order !== 'none') query.set('sort', order)
  if (fields === 'some') query.set('fields', pickOf(['title,start', 'id', 'location,visibility', 'uid'], pick))
  if (zone && !door.includes('.ics') && !door.includes('categories')) query.set('timezone', zone)
  if (language.startsWith('address ')) query.set('lang', language.slice('address '.length))
  if (door.includes('sidebar')) query.set('limit', `${1 + (pick % 20)}`)
  return query
}

interface AskedStart {
  /** The parameter with the date of a view. */
  start: 'from' | 'date'
  anchor: string
}

function addWindow(query: URLSearchParams, view: QuestionView, { start, anchor }: AskedStart, pick: number): void {
  if (view === 'window') {
    query.set('from', anchor)
    query.set('to', formatDate(dayOf(Date.parse(anchor) + (pick % 90) * DAY_MS)))
  } else if (view === 'from' || view === 'to') query.set(view, anchor)
  else if (view.startsWith('when ')) query.set('when', view.slice('when '.length))
  else {
    query.set('view', view)
    if (pick % 2 === 0) query.set(start, anchor)
  }
}

const pickOf = <T>(items: readonly T[], pick: number): T => items[pick % items.length]!

/** A date near one of the events, one of its occurrences however far, or an edge of the index. */
function anchorOf(pick: number, events: readonly TwinEvent[]): string {
  const event = pickOf(events, pick)
  const own = Date.UTC(2026, 6, 10) + event.placing.day * DAY_MS
  const near = pick % 3 === 0 ? pickOf([...keysOf(event), ...INDEX_EDGES], Math.floor(pick / 3)) : own
  return formatDate(dayOf(near) + (pick % 5) - 2)
}

const both = (events: readonly TwinEvent[]) => events.flatMap(({ words }) => words)

/** Words of either side, whole and as prefixes, and some common guesses. */
const soughtWords = (events: readonly TwinEvent[]): string[] => [
  'private',
  'Private Event',
  'edited',
  'changed',
  'nothing',
  'aardvark board',
  'council',
  ...both(events).flatMap(({ title, description, location, uid }) => [
    title,
    title.slice(0, 3),
    description || 'x',
    location || 'x',
    uid,
  ]),
]

const categoriesOf = (events: readonly TwinEvent[]): string[] => [
  'nothing',
  ...INTERNAL.flatMap(({ name, spelt }) => [name, spelt]),
  ...both(events)
    .map(({ category }) => category)
    .filter(Boolean),
]
