// Which events of a list are meant: by the words they hold and by their category, as far as the one who asks may see.
import type { Sight } from '../domain/privacy/viewer.ts'
import { WHOLE_SERIES } from './derive.ts'

export interface Filters {
  /** Folded words; each must begin a word of what is shown. With none in the list nothing can match. */
  words?: readonly string[] | undefined
  category?: string | undefined
}

/** What a statement's text depends on; its parameters hold the rest. */
export const shapeOf = ({ words, category }: Filters): string => `${words?.length} ${category !== undefined}`

/** In the order the conditions name them. */
export const filterParameters = (sight: Sight, { words = [], category }: Filters): string[] => [
  ...words.flatMap((word) => (sight === 'public' ? [word, word + AFTER_ALL] : [`% ${word}%`])),
  ...(category === undefined ? [] : [category]),
]

/** No word holds this sign, and every other comes before it: what begins with a word lies between the word and it. */
const AFTER_ALL = '\u{10ffff}'

interface Filtered {
  joins: string
  conditions: string[]
}

/** For occurrences as `o`. An edited one is matched by its own words. */
export function filterOccurrences(sight: Sight, filters: Filters, first: number): Filtered {
  const { words, category } = filters
  const isPublic = sight === 'public'
  const place = `case when o.is_overridden = 1 then o.local_at else ${WHOLE_SERIES} end`
  const matchWord = (from: number): string =>
    isPublic
      ? `exists (select 1 from public_words w where w.event_key = o.event_key and w.local_at = ${place} and ${begins(from)})`
      : `coalesce(x.search_text, e.search_text) like ?${from}`
  const matchCategory = (at: number): string =>
    `case when x.event_key is null then e.category else x.category end = ?${at}`
  const needsRows = category !== undefined || (words !== undefined && !isPublic)
  return {
    joins: needsRows ? joinsOf(sight) : '',
    conditions: conditionsOf(sight, filters, first, matchWord, matchCategory),
  }
}

/** For events as `e` of whose occurrences some are of the category: the series' own, or that of an edited one. */
export const filterEvents = (sight: Sight, filters: Filters, first: number): string[] =>
  conditionsOf(sight, filters, first, wordInEvent(sight), (at) => hasCategory(sight, 'e', `?${at}`))

export function hasCategory(sight: Sight, event: string, parameter: string): string {
  const exceptions = sight === 'public' ? 'public_exceptions' : 'exceptions'
  return `(${event}.category = ${parameter}
    or ${event}.key in (select x.event_key from ${exceptions} x where x.category = ${parameter}))`
}

/** For series as `e` whose plain occurrences are meant. */
export const filterSeries = (sight: Sight, filters: Filters, first: number): string[] =>
  conditionsOf(sight, filters, first, wordInEvent(sight), (at) => `e.category = ?${at}`)

/** The public's words are looked up first and the events by them: nobody's events are walked through to see whether they match. */
const wordInEvent =
  (sight: Sight) =>
  (from: number): string =>
    sight === 'public'
      ? `e.key in (select w.event_key from public_words w where ${begins(from)} and w.local_at = ${WHOLE_SERIES})`
      : `e.search_text like ?${from}`

function conditionsOf(
  sight: Sight,
  { words, category }: Filters,
  first: number,
  matchWord: (from: number) => string,
  matchCategory: (at: number) => string,
): string[] {
  const perWord = sight === 'public' ? 2 : 1
  return [
    ...(words?.length === 0 ? ['1 = 0'] : []),
    ...(words ?? []).map((_, i) => matchWord(first + i * perWord)),
    ...(category === undefined ? [] : [matchCategory(first + (words ?? []).length * perWord)]),
  ]
}

const begins = (from: number): string => `w.word >= ?${from} and w.word < ?${from + 1}`

/** The public is asked for through the public's own views: what is not shown is not matched. */
const joinsOf = (sight: Sight): string => {
  const [events, exceptions] = sight === 'public' ? ['public_events', 'public_exceptions'] : ['events', 'exceptions']
  return ` join ${events} e on e.key = o.event_key left join ${exceptions} x
    on o.is_overridden = 1 and x.event_key = o.event_key and x.local_at = o.local_at`
}
