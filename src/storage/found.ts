// Looks up which events and edited occurrences match, where that is less work than to look at every occurrence of a window.
import { wordsOf } from '../domain/calendar/words.ts'
import type { Sight } from '../domain/privacy/viewer.ts'
import { WHOLE_SERIES } from './derive.ts'
import { runText } from './dialect.ts'
import { AFTER_ALL, type Filters, type Found, type Sought } from './filters.ts'
import type { Db } from './tables.ts'

/** So many places, or rows to look through, are cheap to look up; where there are more, occurrences are looked at. */
const MAX_PLACES = 10_000

export async function lookUp(db: Db, sight: Sight, filters: Filters, most = MAX_PLACES): Promise<Sought> {
  const { words, category } = filters
  if (words === undefined && category === undefined) return { sight, filters }
  if (words?.length === 0) return { sight, filters, found: NOTHING }
  const find = sight === 'public' ? findPublic : findFull
  return { sight, filters, found: await find(db, filters, most) }
}

const NOTHING: Found = { keys: [], edited: [] }

/** A range of the index of words. */
interface Span {
  from: string
  to: string
}

/** A category's words are among those of its event; one or two leave few events to look at. */
const MAX_CATEGORY_WORDS = 4

/** Less than every letter and digit: nothing but the word itself lies between it and the word with this. */
const AFTER_WORD = ' '

async function findPublic(db: Db, { words = [], category }: Filters, most: number): Promise<Found | undefined> {
  const spans = [
    ...words.map((word) => ({ from: word, to: word + AFTER_ALL })),
    ...wordsOf(category ?? '')
      .slice(0, MAX_CATEGORY_WORDS)
      .map((word) => ({ from: word, to: word + AFTER_WORD })),
  ]
  if (spans.length === 0) return findPublicCategory(db, category!, most)
  const counted = await Promise.all(spans.map(async (span) => ({ span, total: await countWords(db, span, most) })))
  counted.sort((a, b) => a.total - b.total)
  if (counted[0]!.total === 0) return NOTHING
  if (counted[0]!.total > most) return undefined
  const sorted = counted.map(({ span }) => span)
  const rows = await runText<Place>(db, placesText(sorted.length, category !== undefined), [
    ...sorted.flatMap(({ from, to }) => [from, to]),
    ...(category === undefined ? [] : [category]),
  ])
  return foundOf(rows)
}

async function countWords(db: Db, { from, to }: Span, most: number): Promise<number> {
  const [row] = await runText<{ total: number }>(
    db,
    'select count(*) as total from (select 1 from public_words w where w.word >= ?1 and w.word < ?2 limit ?3) t',
    [from, to, most + 1],
  )
  return row!.total
}

interface Place {
  event_key: number
  local_at: number
}

/** The first span, the rarest, gives the places; the others are looked for there. */
function placesText(spans: number, hasCategory: boolean): string {
  const others = Array.from(
    { length: spans - 1 },
    (_, i) => ` and exists (select 1 from public_words v where v.event_key = w.event_key and v.local_at = w.local_at
      and v.word >= ?${3 + 2 * i} and v.word < ?${4 + 2 * i})`,
  )
  const last = `?${2 * spans + 1}`
  const category = ` and case when w.local_at = ${WHOLE_SERIES}
    then (select e.category from public_events e where e.key = w.event_key)
    else (select x.category from public_exceptions x where x.event_key = w.event_key and x.local_at = w.local_at)
    end = ${last}`
  return `select distinct w.event_key, w.local_at from public_words w where w.word >= ?1 and w.word < ?2${others.join('')}${
    hasCategory ? category : ''
  }`
}

/** A category of signs alone is in no index; where events are few, they are fewer than their occurrences. */
async function findPublicCategory(db: Db, category: string, most: number): Promise<Found | undefined> {
  if (await hasMoreThan(db, most)) return undefined
  return foundOf(
    await runText<Place>(
      db,
      `select e.key as event_key, ${WHOLE_SERIES} as local_at from public_events e where e.category = ?1
        union all select x.event_key, x.local_at from public_exceptions x where x.category = ?1`,
      [category],
    ),
  )
}

/** Those who keep the calendar search in its texts, which are looked through once each. */
async function findFull(db: Db, { words = [], category }: Filters, most: number): Promise<Found | undefined> {
  if (await hasMoreThan(db, most)) return undefined
  const conditions = [
    ...words.map((_, i) => ` and r.search_text like ?${i + 1}`),
    ...(category === undefined ? [] : [` and r.category = ?${words.length + 1}`]),
  ].join('')
  const parameters = [...words.map((word) => `% ${word}%`), ...(category === undefined ? [] : [category])]
  return foundOf(
    await runText<Place>(
      db,
      `select r.key as event_key, ${WHOLE_SERIES} as local_at from events r where 1 = 1${conditions}
        union all select r.event_key, r.local_at from exceptions r where r.kind = 'overridden'${conditions}`,
      parameters,
    ),
  )
}

/** Events and exceptions to look through. */
async function hasMoreThan(db: Db, most: number): Promise<boolean> {
  const [row] = await runText<{ total: number }>(
    db,
    `select count(*) as total from (
      select * from (select 1 as one from events limit ?1) e
      union all select * from (select 1 as one from exceptions limit ?1) x) t`,
    [most + 1],
  )
  return row!.total > most
}

const foundOf = (places: readonly Place[]): Found => ({
  keys: places.filter(({ local_at }) => local_at === WHOLE_SERIES).map(({ event_key }) => event_key),
  edited: places
    .filter(({ local_at }) => local_at !== WHOLE_SERIES)
    .map(({ event_key, local_at }) => [event_key, local_at]),
})
