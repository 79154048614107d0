// Search: resolves matching events and edited occurrences once, instead of testing each occurrence.
import { wordsOf } from '../../domain/calendar/words.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import { isPostgres, rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { WHOLE_SERIES } from './derive.ts'
import {
  AFTER_ALL,
  type EventFilters,
  type EventQuery,
  filterParameters,
  isUnfiltered,
  listParameters,
  listValueFilters,
  type MatchedEvents,
} from './filters.ts'

/** Leaves out `found` if more than `most` positions match, or would have to be scanned. */
export async function resolveMatches(
  db: Db,
  sight: Sight,
  filters: EventFilters,
  most = Number.POSITIVE_INFINITY,
  fewPlaces = FEW_PLACES,
): Promise<EventQuery> {
  if (isUnfiltered(filters)) return { sight, filters }
  if (filters.words?.length === 0) return { sight, filters, found: NOTHING }
  const find = sight === 'public' ? findPublic : findFull
  return { sight, filters, found: await find(db, filters, most, fewPlaces) }
}

const NOTHING: MatchedEvents = { keys: '[]', keyCount: 0, edited: '[]', editedCount: 0 }

/** With more matches, their list would take megabytes, and testing each occurrence takes no longer. */
const MAX_MATCHES = 200_000

/** A range of the word index. */
interface WordRange {
  from: string
  to: string
}

/** The words of a single category are among those of its event; one or two leave few events to test. */
const MAX_CATEGORY_WORDS = 4

/** Sorts before every letter and digit: only the word itself lies between it and the word with this suffix. */
const AFTER_WORD = ' '

/** With up to this many hits of the rarest word, other words are tested at each; above it, ranges are intersected. */
const FEW_PLACES = 1_000

async function findPublic(
  db: Db,
  { words = [], categories = [] }: EventFilters,
  most: number,
  fewPlaces: number,
): Promise<MatchedEvents | undefined> {
  const spans = [
    ...words.map((word) => ({ from: word, to: word + AFTER_ALL })),
    ...wordsOf(categories.length === 1 ? categories[0]! : '')
      .slice(0, MAX_CATEGORY_WORDS)
      .map((word) => ({ from: word, to: word + AFTER_WORD })),
  ]
  if (spans.length === 0) return findPublicCategories(db, categories, most)
  const limit = Math.max(fewPlaces, Math.min(most, MAX_COUNTED))
  const counted = await Promise.all(spans.map(async (span) => ({ span, total: await countWords(db, span, limit) })))
  counted.sort((a, b) => a.total - b.total)
  const rarest = counted[0]!.total
  if (rarest === 0) return NOTHING
  if (rarest > most) return undefined
  const sorted = counted.map(({ span }) => span)
  const textOf = rarest > fewPlaces ? intersectionText : placesText
  const parameters = [...sorted.flatMap(({ from, to }) => [from, to]), ...categories]
  return collectMatches(db, textOf(sorted.length, categories.length), parameters, most)
}

/** Counting further would only decide which of several frequent words comes first. */
const MAX_COUNTED = 10_000

async function countWords(db: Db, { from, to }: WordRange, limit: number): Promise<number> {
  const [row] = await rawQuery<{ total: number }>(
    db,
    'select count(*) as total from (select 1 from public_words w where w.word >= ?1 and w.word < ?2 limit ?3) t',
    [from, to, limit + 1],
  )
  return row!.total
}

/** The first span, the rarest, gives the positions; the others are looked up there. */
function placesText(spans: number, categories: number): string {
  const others = Array.from(
    { length: spans - 1 },
    (_, i) => ` and exists (select 1 from public_words v where v.event_key = w.event_key and v.local_at = w.local_at
      and v.word >= ?${3 + 2 * i} and v.word < ?${4 + 2 * i})`,
  )
  return `select distinct w.event_key, w.local_at from public_words w where w.word >= ?1 and w.word < ?2${others.join('')}${
    categories > 0 ? ` and ${isOfCategory(spans, categories)}` : ''
  }`
}

/** Reads each span once, whatever the number of positions: for words that are nearly everywhere. */
function intersectionText(spans: number, categories: number): string {
  const parts = Array.from(
    { length: spans },
    (_, i) => `select event_key, local_at from public_words where word >= ?${2 * i + 1} and word < ?${2 * i + 2}`,
  )
  // A single span would return a row for each of its words.
  const places = spans === 1 ? parts[0]!.replace('select', 'select distinct') : parts.join(' intersect ')
  return categories > 0
    ? `select w.event_key, w.local_at from (${places}) w where ${isOfCategory(spans, categories)}`
    : places
}

const isOfCategory = (spans: number, categories: number): string => `case when w.local_at = ${WHOLE_SERIES}
    then (select e.category from public_events e where e.key = w.event_key)
    else (select x.category from public_exceptions x where x.event_key = w.event_key and x.local_at = w.local_at)
    end in (${listParameters(2 * spans + 1, categories)})`

/** Several categories, or one without letters or digits, are no word of the index: every event is tested. */
async function findPublicCategories(
  db: Db,
  categories: readonly string[],
  most: number,
): Promise<MatchedEvents | undefined> {
  if (await hasMoreThan(db, 'public', most)) return undefined
  const named = listParameters(1, categories.length)
  const places = `select e.key as event_key, ${WHOLE_SERIES} as local_at from public_events e where e.category in (${named})
    union all select x.event_key, x.local_at from public_exceptions x where x.category in (${named})`
  return collectMatches(db, places, categories, most)
}

/** At full sight, search scans the texts, each once; a UID has an index. */
async function findFull(db: Db, filters: EventFilters, most: number): Promise<MatchedEvents | undefined> {
  if (filters.uid === undefined && (await hasMoreThan(db, 'full', most))) return undefined
  const { words = [] } = filters
  const matchWords = words.map((_, i) => ` and r.search_text like ?${i + 1}`).join('')
  const matchValues = (isSeries: boolean): string => {
    let at = words.length + 1
    return listValueFilters(filters)
      .map((name) => {
        const count = [filters[name]!].flat().length
        at += count
        const column = isSeries ? `r.${name === 'categories' ? 'category' : name}` : EDITED[name]
        return ` and ${column} in (${listParameters(at - count, count)})`
      })
      .join('')
  }
  const places = `select r.key as event_key, ${WHOLE_SERIES} as local_at from events r
    where 1 = 1${matchWords}${matchValues(true)}
    union all select r.event_key, r.local_at from exceptions r
    where r.kind = 'overridden'${matchWords}${matchValues(false)}`
  return collectMatches(db, places, filterParameters('full', filters), most)
}

/** What an edited occurrence is compared by: its own columns, or those of its series. */
const EDITED = {
  categories: 'r.category',
  uid: '(select u.uid from events u where u.key = r.event_key)',
  status: 'r.status',
  visibility: '(select v.visibility from events v where v.key = r.event_key)',
}

/** Whether more than `most` events and exceptions would be scanned; the public must not learn how many are private. */
async function hasMoreThan(db: Db, sight: Sight, most: number): Promise<boolean> {
  if (most === Number.POSITIVE_INFINITY) return false
  const [events, exceptions] =
    sight === 'public'
      ? ['public_events', `exceptions x join events e on e.key = x.event_key and e.visibility = 'public'`]
      : ['events', 'exceptions']
  const [row] = await rawQuery<{ total: number }>(
    db,
    `select count(*) as total from (
      select * from (select 1 as one from ${events} limit ?1) e
      union all select * from (select 1 as one from ${exceptions} limit ?1) x) t`,
    [most + 1],
  )
  return row!.total > most
}

/** Collects the rows (event_key, local_at) of a query into lists; undefined if they are more than `most`. */
async function collectMatches(
  db: Db,
  places: string,
  parameters: readonly string[],
  most: number,
): Promise<MatchedEvents | undefined> {
  const limit = Math.min(most, MAX_MATCHES)
  const [list, pair] = isPostgres(db) ? ['json_agg', 'json_build_array'] : ['json_group_array', 'json_array']
  const asText = (rows: string): string => (isPostgres(db) ? `coalesce((${rows})::text, '[]')` : rows)
  const [ofSeries, ofEdited] = [
    `filter (where m.local_at = ${WHOLE_SERIES})`,
    `filter (where m.local_at <> ${WHOLE_SERIES})`,
  ]
  const [found] = await rawQuery<MatchedEvents>(
    db,
    `select ${asText(`${list}(m.event_key) ${ofSeries}`)} as keys, count(*) ${ofSeries} as "keyCount",
      ${asText(`${list}(${pair}(m.event_key, m.local_at)) ${ofEdited}`)} as edited, count(*) ${ofEdited} as "editedCount"
      from (select p.event_key, p.local_at from (${places}) p limit ?${parameters.length + 1}) m`,
    [...parameters, limit + 1],
  )
  return found!.keyCount + found!.editedCount > limit ? undefined : found
}
