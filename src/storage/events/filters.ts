// SQL filters for event lists by words and category, on the columns that the reader may see.
import type { Status, Visibility } from '../../domain/calendar/event.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import { listedNumbers, listedPairs } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { WHOLE_SERIES } from './derive.ts'

export interface EventFilters {
  /** Normalised words; each must be the prefix of a word that is shown. An empty list matches nothing. */
  words?: readonly string[] | undefined
  /** Any of these. */
  categories?: readonly string[] | undefined
  /** At full sight only, as those below. */
  uid?: string | undefined
  status?: Status | undefined
  visibility?: Visibility | undefined
}

/** The filters that compare a value, in the order of their parameters. */
const VALUES = ['categories', 'uid', 'status', 'visibility'] as const
type ValueFilter = (typeof VALUES)[number]

/**
 * Events and edited occurrences that match. The lists are JSON texts, from the database and for it: parsing and
 * printing 100,000 matches would block the event loop for a quarter of a second.
 */
export interface MatchedEvents {
  /** Keys of events. */
  keys: string
  keyCount: number
  /** Pairs of event key and nominal start. */
  edited: string
  editedCount: number
}

/** What a list selects. Without `found`, each occurrence is tested against the filters. */
export interface EventQuery {
  sight: Sight
  filters: EventFilters
  found?: MatchedEvents | undefined
}

export const isUnfiltered = (filters: EventFilters): boolean =>
  filters.words === undefined && listValueFilters(filters).length === 0

/** The public must not select events by what it does not see of them. */
export function listValueFilters(filters: EventFilters, sight: Sight = 'full'): ValueFilter[] {
  const given = VALUES.filter((name) => filters[name] !== undefined)
  if (sight === 'public' && given.some((name) => name !== 'categories')) throw new Error('a filter needs full sight')
  return given
}

export const isNothing = ({ found }: EventQuery): boolean => found?.keyCount === 0 && found.editedCount === 0

/** What the SQL text depends on; everything else is a parameter. */
export const shapeOf = ({ sight, filters, found }: EventQuery): string =>
  found
    ? `${sight} found`
    : `${sight} ${filters.words?.length} ${filters.categories?.length} ${listValueFilters(filters, sight)}`

/** In the order in which the conditions use them. */
export const soughtParameters = ({ sight, filters, found }: EventQuery): string[] =>
  found ? [found.keys, found.edited] : filterParameters(sight, filters)

export const filterParameters = (sight: Sight, filters: EventFilters): string[] => [
  ...(filters.words ?? []).flatMap((word) => (sight === 'public' ? [word, word + AFTER_ALL] : [`% ${word}%`])),
  ...listValueFilters(filters, sight).flatMap((name) => filters[name]!),
]

/** No word contains this character and all others sort before it: it ends the index range of a prefix. */
export const AFTER_ALL = '\u{10ffff}'

/** For occurrences as `o`. An edited one is matched by its own text. */
export function filterOccurrences(db: Db, { sight, filters, found }: EventQuery, first: number): string[] {
  if (found) return [isAmongFound(db, sight, first)]
  const place = `case when ${hasOwnWords(sight)} then o.local_at else ${WHOLE_SERIES} end`
  const matchWord = (from: number): string =>
    sight === 'public'
      ? `exists (select 1 from public_words w where w.event_key = o.event_key and w.local_at = ${place} and ${begins(from)})`
      : `${ownColumn(sight, 'search_text')} like ?${from}`
  return conditionsOf(sight, filters, first, matchWord, {
    categories: (at, count) => `${ownColumn(sight, 'category')} in (${listParameters(at, count)})`,
    uid: (at) => `o.event_key = (select u.key from events u where u.uid = ?${at})`,
    status: (at) => `${ownColumn(sight, 'status')} = ?${at}`,
    visibility: (at) => `(select v.visibility from events v where v.key = o.event_key) = ?${at}`,
  })
}

/** For occurrences as `o`: edited, and for the public of a public event; in a private one the series has all words. */
export const hasOwnWords = (sight: Sight): string =>
  sight === 'public'
    ? `(o.is_overridden = 1 and (select e.visibility from public_events e where e.key = o.event_key) = 'public')`
    : 'o.is_overridden = 1'

/**
 * The occurrence's own column, or else that of its series; for the public, from the public views. With a join, SQLite
 * would start with the events and scan all of them.
 */
const ownColumn = (sight: Sight, column: string): string => {
  const [events, exceptions] = sight === 'public' ? ['public_events', 'public_exceptions'] : ['events', 'exceptions']
  return `case when o.is_overridden = 1
    then (select x.${column} from ${exceptions} x where x.event_key = o.event_key and x.local_at = o.local_at)
    else (select e.${column} from ${events} e where e.key = o.event_key) end`
}

/** The plus sign keeps SQLite in time order: starting from the events, it would have to sort the result. */
const isAmongFound = (db: Db, sight: Sight, first: number): string =>
  `((+o.event_key in (${listedNumbers(db, first)}) and not ${hasOwnWords(sight)})
    or (o.is_overridden = 1 and (o.event_key, o.local_at) in (${listedPairs(db, first + 1)}) and ${hasOwnWords(sight)}))`

/**
 * For events as `e` with some occurrence in one of the categories: that of the series, or of an edited occurrence. The public's
 * words are looked up first, and the events by them, so that no events are scanned to test whether they match.
 */
export function filterEvents(sight: Sight, filters: EventFilters, first: number): string[] {
  const matchWord = (from: number): string =>
    sight === 'public'
      ? `e.key in (select w.event_key from public_words w where ${begins(from)} and w.local_at = ${WHOLE_SERIES})`
      : `e.search_text like ?${from}`
  return conditionsOf(sight, filters, first, matchWord, {
    ...ofEvent,
    categories: (at, count) => hasCategory(sight, 'e', listParameters(at, count)),
    status: (at) =>
      `(e.status = ?${at} or e.key in (select x.event_key from exceptions x where x.kind = 'overridden' and x.status = ?${at}))`,
  })
}

const equals =
  (column: string): ConditionText =>
  (at) =>
    `e.${column} = ?${at}`

const ofEvent: Record<ValueFilter, ConditionText> = {
  categories: (at, count) => `e.category in (${listParameters(at, count)})`,
  uid: equals('uid'),
  status: equals('status'),
  visibility: equals('visibility'),
}

/** `?3, ?4`. */
export const listParameters = (first: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `?${first + i}`).join(', ')

/** `parameters` are those of one or more categories, separated by commas. */
export function hasCategory(sight: Sight, event: string, parameters: string): string {
  const edited = sight === 'public' ? 'public_categories x where' : `exceptions x where x.kind = 'overridden' and`
  return `(${event}.category in (${parameters})
    or ${event}.key in (select x.event_key from ${edited} x.category in (${parameters})))`
}

/** For a few series as `e` that were selected otherwise, matched by their plain occurrences: each is tested. */
export function filterChosenEvents(sight: Sight, filters: EventFilters, first: number): string[] {
  const matchWord = (from: number): string =>
    sight === 'public'
      ? `exists (select 1 from public_words w where w.event_key = e.key and w.local_at = ${WHOLE_SERIES} and ${begins(from)})`
      : `e.search_text like ?${from}`
  return conditionsOf(sight, filters, first, matchWord, ofEvent)
}

/** With the number of its first parameter, and how many it has. */
type ConditionText = (at: number, count: number) => string

function conditionsOf(
  sight: Sight,
  filters: EventFilters,
  first: number,
  matchWord: (at: number) => string,
  matchValue: Record<ValueFilter, ConditionText>,
): string[] {
  const { words = [] } = filters
  const perWord = sight === 'public' ? 2 : 1
  let at = first + words.length * perWord
  const valueConditionOf = (name: ValueFilter): string => {
    const count = [filters[name]!].flat().length
    at += count
    return matchValue[name](at - count, count)
  }
  return [
    ...(filters.words?.length === 0 ? ['1 = 0'] : []),
    ...words.map((_, i) => matchWord(first + i * perWord)),
    ...listValueFilters(filters, sight).map(valueConditionOf),
  ]
}

const begins = (from: number): string => `w.word >= ?${from} and w.word < ?${from + 1}`
