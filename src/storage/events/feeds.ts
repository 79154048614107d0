// Queries for public feeds: texts that were masked when they were written, in key order.
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time/instant.ts'
import { listedInColumn, listedNumbers, rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { keyOfId } from './events.ts'
import { hasCategory } from './filters.ts'

export interface FeedFilters {
  /** Public events with this category, or with an edited occurrence that has it; private events have none. */
  category?: string | undefined
  /** Events that continue after this instant. */
  from?: Instant | undefined
}

export interface FeedText {
  key: number
  text: string
  /** The time zone that the text uses and a feed must define. Dates and UTC times use none. */
  zone: string | null
}

export type FeedTextSize = Omit<FeedText, 'text'> & { octets: number }

/** A page of text sizes after a key. A feed is the concatenation of all texts. */
export const listPublicTextSizes = (
  db: Db,
  filters: FeedFilters,
  afterKey: number,
  limit: number,
): Promise<FeedTextSize[]> => {
  const { conditions, parameters } = conditionsOf(db, filters, 3)
  return rawQuery(
    db,
    `select f.key, octet_length(f.public_ical) as octets, ${ZONE} as zone from public_feed f
      where f.key > ?1${conditions} order by f.key limit ?2`,
    [afterKey, limit, ...parameters],
  )
}

/** In the order of their keys. */
export const listPublicTextsAt = (db: Db, keys: readonly number[]): Promise<FeedText[]> =>
  rawQuery(
    db,
    `select f.key, f.public_ical as text, ${ZONE} as zone from public_feed f
      where f.key in (${listedNumbers(db, 1)}) order by f.key`,
    [JSON.stringify(keys)],
  )

const ZONE = `case when f.all_day = 0 and f.timezone <> 'UTC' then f.timezone end`

/** The public text of one event; undefined where the public cannot see it. */
export async function findPublicText(db: Db, id: string): Promise<FeedText | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  const [row] = await rawQuery<FeedText>(
    db,
    `select f.key, f.public_ical as text, ${ZONE} as zone from public_feed f where f.key = ?1 and f.id = ?2`,
    [key, id],
  )
  return row && { ...row }
}

/** The length of the public text of one event. */
export async function findPublicTextOctets(db: Db, id: string): Promise<number | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  const [row] = await rawQuery<{ octets: number }>(
    db,
    'select octet_length(f.public_ical) as octets from public_feed f where f.key = ?1 and f.id = ?2',
    [key, id],
  )
  return row?.octets
}

/** A date has ended everywhere half a day after it ends in UTC. */
const LAST_ZONE_MS = 12 * HOUR_MS

function conditionsOf(
  db: Db,
  { category, from }: FeedFilters,
  first: number,
): { conditions: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const next = (value: unknown): string => `?${first + parameters.push(value) - 1}`
  let conditions = ''
  if (category !== undefined) conditions += ` and ${hasCategory('public', 'f', next(category))}`
  if (from !== undefined) {
    const after = next(from)
    // A series may continue beyond its index rows until its last start, in any zone. Extra dates that were excluded, or
    // that the public does not see, do not count.
    const extra = `exists (select 1 from (${listedInColumn(db, 'e.rdates')}) r
      where r.value + e.duration_ms + ${DAY_MS} > ${after}
      and not exists (select 1 from public_exceptions x where x.event_key = e.key and x.local_at = r.value
        and x.kind = 'excluded')
      and not exists (select 1 from occurrences h where h.event_key = e.key and h.local_at = r.value
        and h.is_hidden = 1))`
    conditions += ` and (exists (select 1 from occurrences o where o.event_key = f.key
        and o.is_hidden = 0 and o.end_at + f.all_day * ${LAST_ZONE_MS} > ${after})
      or (f.indexed_to is not null and exists (select 1 from public_events e where e.key = f.key
        and (e.last_local is null or e.last_local + e.duration_ms + ${DAY_MS} > ${after} or ${extra}))))`
  }
  return { conditions, parameters }
}
