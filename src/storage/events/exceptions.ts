// Reads exceptions of series by position, by window or all, in batches that keep statements short.
import type { Sight } from '../../domain/privacy/viewer.ts'
import type { LocalMs } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { listedNumbers, listedPairs, rawQuery } from '../dialect.ts'
import type { Db, PublicExceptionRow } from '../tables.ts'

export type ExceptionTimes = Pick<PublicExceptionRow, 'local_at' | 'kind' | 'start_at' | 'duration_ms'>

/** Selects exceptions of these events whose nominal start lies in the span. */
export interface ExceptionQuery {
  sight: Sight
  keys: readonly number[]
  /** Undefined selects all of them. */
  span?: { from: LocalMs; to: LocalMs } | undefined
}

const tableOf = (sight: Sight): string => (sight === 'public' ? 'public_exceptions' : 'exceptions')

/** Cross join fixes the join order: SQLite would otherwise scan all exceptions and search each in the list. */
const matching = ({ sight }: ExceptionQuery): string =>
  `k cross join ${tableOf(sight)} x where x.event_key = k.key and x.local_at >= ?2 and x.local_at < ?3`

const listedKeys = (db: Db): string => `with k(key) as (${listedNumbers(db, 1)})`

const parametersOf = ({ keys, span }: ExceptionQuery): unknown[] => [
  JSON.stringify(keys),
  span?.from ?? Number.MIN_SAFE_INTEGER,
  span?.to ?? Number.MAX_SAFE_INTEGER,
]

/** Whether there are more than `most`; counts no further. */
export async function hasMoreExceptions(db: Db, query: ExceptionQuery, most: number): Promise<boolean> {
  if (query.keys.length === 0 || most === Number.POSITIVE_INFINITY) return false
  const text = `${listedKeys(db)} select count(*) as total from (select 1 as one from ${matching(query)} limit ?4) t`
  const [row] = await rawQuery<{ total: number }>(db, text, [...parametersOf(query), most + 1])
  return row!.total > most
}

/** Batch sizes. Rows with text are fewer at a time: each may have 100 KB, as stored. */
const ROWS_AT_ONCE = 500
const WORDS_AT_ONCE = 50
const KEYS_AT_ONCE = 500

/** With text fields; those of one event follow one another, in the order of their nominal starts. */
export const walkExceptions = (db: Db, query: ExceptionQuery): AsyncGenerator<PublicExceptionRow[]> =>
  walkColumns(db, query, 'x.*', WORDS_AT_ONCE)

export const walkExceptionTimes = (
  db: Db,
  query: ExceptionQuery,
): AsyncGenerator<(ExceptionTimes & { event_key: number })[]> => walkColumns(db, query, TIMES, ROWS_AT_ONCE)

const TIMES = 'x.event_key, x.local_at, x.kind, x.start_at, x.duration_ms'

type ExceptionKey = Pick<PublicExceptionRow, 'event_key' | 'local_at'>

async function* walkColumns<Row extends ExceptionKey>(
  db: Db,
  query: ExceptionQuery,
  columns: string,
  atOnce: number,
): AsyncGenerator<Row[]> {
  for (let i = 0; i < query.keys.length; i += KEYS_AT_ONCE) {
    const some = { ...query, keys: query.keys.slice(i, i + KEYS_AT_ONCE) }
    for (const keys of portionsOf(await countByEvent(db, some), atOnce))
      yield* walkPortion(db, { ...some, keys }, columns, atOnce)
  }
}

interface EventCount {
  event_key: number
  total: number
}

const countByEvent = (db: Db, query: ExceptionQuery): Promise<EventCount[]> =>
  rawQuery(
    db,
    `${listedKeys(db)} select k.key as event_key, count(*) as total from ${matching(query)} group by k.key order by k.key`,
    parametersOf(query),
  )

/** Groups events whose exceptions fit into one batch; an event with more is a group of its own. */
function* portionsOf(counts: readonly EventCount[], atOnce: number): Generator<number[]> {
  let keys: number[] = []
  let rows = 0
  for (const { event_key, total } of counts) {
    if (rows + total > atOnce && keys.length > 0) {
      yield keys
      keys = []
      rows = 0
    }
    keys.push(event_key)
    rows += total
  }
  if (keys.length > 0) yield keys
}

async function* walkPortion<Row extends ExceptionKey>(
  db: Db,
  query: ExceptionQuery,
  columns: string,
  atOnce: number,
): AsyncGenerator<Row[]> {
  const [keys, from, to] = parametersOf(query)
  if (query.keys.length > 1) {
    const text = `${listedKeys(db)} select ${columns} from ${matching(query)} order by x.event_key, x.local_at`
    yield await rawQuery<Row>(db, text, [keys, from, to])
    return
  }
  // In index order, so that nothing is sorted: a single event may have many times as many.
  const text = `select ${columns} from ${tableOf(query.sight)} x
    where x.event_key = ?1 and x.local_at >= ?2 and x.local_at < ?3 order by x.local_at limit ?4`
  for (let after = from; ; ) {
    const rows = await rawQuery<Row>(db, text, [query.keys[0], after, to, atOnce])
    yield rows
    if (rows.length < atOnce) return
    after = rows.at(-1)!.local_at + 1
  }
}

/** Those at the given nominal starts, with text fields. */
export async function* walkExceptionsAt(
  db: Db,
  sight: Sight,
  places: readonly (readonly [eventKey: number, localAt: LocalMs])[],
): AsyncGenerator<PublicExceptionRow[]> {
  const text = `with p(key, local_at) as (${listedPairs(db, 1)}) select x.* from p
    cross join ${tableOf(sight)} x where x.event_key = p.key and x.local_at = p.local_at`
  for (let i = 0; i < places.length; i += WORDS_AT_ONCE)
    yield await rawQuery<PublicExceptionRow>(db, text, [JSON.stringify(places.slice(i, i + WORDS_AT_ONCE))])
}

/** Selects exceptions of one series by nominal start, and edited ones also by their current time. */
export interface SeriesWindow {
  walls: { from: LocalMs; to: LocalMs }
  instants?: Range | undefined
}

/** Up to `limit` exceptions of one series that matter in a window, after a nominal start, in order. */
export const listExceptionsInWindow = (
  db: Db,
  sight: Sight,
  key: number,
  { walls, instants = NO_INSTANTS }: SeriesWindow,
  after: LocalMs,
  limit: number,
): Promise<ExceptionTimes[]> =>
  rawQuery(
    db,
    `select ${TIMES} from ${tableOf(sight)} x where x.event_key = ?1 and x.local_at > ?2
      and ((x.local_at >= ?3 and x.local_at < ?4)
        or (x.kind = 'overridden' and x.start_at < ?6 and x.start_at + x.duration_ms >= ?5))
      order by x.local_at limit ?7`,
    [key, after, walls.from, walls.to, instants.from, instants.to, limit],
  )

const NO_INSTANTS: Range = { from: Number.MAX_SAFE_INTEGER, to: Number.MIN_SAFE_INTEGER }
