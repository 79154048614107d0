// Queries for public feeds: texts that were masked when they were written, in key order.
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time/instant.ts'
import { joinDistinct, listedInColumn, listedNumbers, rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { keyOfId } from './events.ts'
import { hasCategory } from './filters.ts'

export interface FeedFilters {
  /** Public events with one of these categories, or with an edited occurrence that has one; private events have none. */
  categories?: readonly string[] | undefined
  /** Events that continue after this instant. */
  from?: Instant | undefined
}

export interface FeedText {
  text: string
  /** The time zone that the text uses and a feed must define. Dates and UTC times use none. */
  zone: string | null
}

export interface FeedPlan {
  /** In parts that follow one another, each of texts that take milliseconds to read. */
  parts: number[][]
  octets: number
  zones: string[]
}

const MAX_PART_EVENTS = 250
/** Of the longest text as often as a part has events: so long is no part, unless one text is. */
const MAX_PART_OCTETS = 4 * 1_024 * 1_024

interface PlannedFeed {
  keys: string | null
  octets: number | null
  longest: number | null
  zones: string | null
}

/** Where the texts of a feed are and how long it is, by one scan that reads none of them. */
export async function planFeed(db: Db, filters: FeedFilters): Promise<FeedPlan> {
  const { conditions, parameters } = conditionsOf(db, filters, 1)
  const [planned] = await rawQuery<PlannedFeed>(
    db,
    `select string_agg(cast(key as text), ',') as keys, cast(sum(octets) as bigint) as octets,
      max(octets) as longest, ${joinDistinct(db, 'zone')} as zones
      from (select f.key, octet_length(f.public_ical) as octets, ${ZONE} as zone
        from public_feed f where 1 = 1${conditions}) s`,
    parameters,
  )
  const { keys, octets, longest, zones } = planned!
  const ordered = listOf(keys)
    .map(Number)
    .sort((a, b) => a - b)
  const size = Math.max(1, Math.min(MAX_PART_EVENTS, Math.floor(MAX_PART_OCTETS / (longest ?? 1))))
  const parts: number[][] = []
  for (let i = 0; i < ordered.length; i += size) parts.push(ordered.slice(i, i + size))
  return { parts, octets: octets ?? 0, zones: listOf(zones).sort() }
}

const listOf = (joined: string | null): string[] => joined?.split(',') ?? []

/** What every stored text begins and ends with; one that is broken would break those after it. */
const WHOLE_EVENT = 'BEGIN:VEVENT\r\n%\r\nEND:VEVENT\r\n'

/** The texts of these events as one, in the order of their keys, without broken ones; `count` is how many there are. */
export async function joinPublicTexts(db: Db, keys: readonly number[]): Promise<{ text: string; count: number }> {
  const [row] = await rawQuery<{ text: string | null; count: number }>(
    db,
    `select string_agg(s.public_ical, '' order by s.key) as text, count(*) as count
      from (select f.key, f.public_ical from public_feed f
        where f.key in (${listedNumbers(db, 1)}) and f.public_ical like ?2 order by f.key) s`,
    [JSON.stringify(keys), WHOLE_EVENT],
  )
  return { text: row!.text ?? '', count: row!.count }
}

const ZONE = `case when f.all_day = 0 and f.timezone <> 'UTC' then f.timezone end`

/** The public text of one event; undefined where the public cannot see it. */
export async function findPublicText(db: Db, id: string): Promise<FeedText | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  const [row] = await rawQuery<FeedText>(
    db,
    `select f.public_ical as text, ${ZONE} as zone from public_feed f where f.key = ?1 and f.id = ?2`,
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
  { categories, from }: FeedFilters,
  first: number,
): { conditions: string; parameters: unknown[] } {
  const parameters: unknown[] = []
  const next = (value: unknown): string => `?${first + parameters.push(value) - 1}`
  let conditions = ''
  if (categories) conditions += ` and ${hasCategory('public', 'f', categories.map(next).join(', '))}`
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

export interface PublicUpdate {
  id: string
  updated_at: Instant
}

/** The public ones of these events, in the order of their keys. */
export const listPublicUpdates = (db: Db, keys: readonly number[]): Promise<PublicUpdate[]> =>
  rawQuery(db, `select id, updated_at from public_updates where key in (${listedNumbers(db, 1)}) order by key`, [
    JSON.stringify(keys),
  ])

export const listPublicUpdatesOf = (db: Db, ids: readonly string[]): Promise<PublicUpdate[]> =>
  listPublicUpdates(
    db,
    ids.flatMap((id) => keyOfId(id) ?? []),
  )
