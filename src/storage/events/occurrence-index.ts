// Range scans of the occurrence index in a window, and the series that are not fully indexed there.
import { sql } from 'kysely'
import type { Sight } from '../../domain/privacy/viewer.ts'
import type { Instant, LocalMs } from '../../domain/time/instant.ts'
import { inList, rawQuery } from '../dialect.ts'
import { type Db, type Flag, TIME_COLUMNS, type TimeColumns } from '../tables.ts'
import { BUCKETS, isAllDayBucket } from './duration-buckets.ts'
import {
  type EventFilters,
  type EventQuery,
  filterChosenEvents,
  filterEvents,
  filterParameters,
  isNothing,
  type MatchedEvents,
  soughtParameters,
} from './filters.ts'
import {
  countOfEventsText,
  countParameters,
  countText,
  occurrenceText,
  planOf,
  windowParameters,
} from './occurrence-queries.ts'
import { sliceWindow, type Window, type WindowStart } from './window-slices.ts'

/** Times and keys, no text: enough to sort, count and page. */
export interface OccurrenceRef {
  lane: number
  start_at: Instant
  end_at: Instant
  event_key: number
  local_at: LocalMs
  is_overridden: Flag
}

/**
 * The first occurrences of the window, at least `limit` of them if there are as many, unsorted: after sorting, the
 * first `limit` are the first of all. `since` leaves out earlier starts.
 */
export async function listOccurrenceRefs(
  db: Db,
  query: EventQuery,
  window: Window,
  limit: number,
  since?: WindowStart,
): Promise<OccurrenceRef[]> {
  if (isNothing(query)) return []
  const placed: OccurrenceRef[] = []
  const plan = planOf(query, window, 'rows')
  const text = occurrenceText(db, query, plan, 'rows')
  for await (const stride of sliceWindow(db, window, { since, isWhole: plan === 'by-event' })) {
    const before = placed.length
    const parameters = [...windowParameters(stride), ...soughtParameters(query), limit]
    for (const place of await rawQuery<OccurrenceRef>(db, text, parameters)) placed.push(place)
    // One slice more than needed: dates and instants are offset, so an all-day event may sort before what was read.
    if (before >= limit) break
  }
  return placed
}

/** The events that have an occurrence in the window, each once. */
export async function listEventKeysInWindow(db: Db, query: EventQuery, window: Window): Promise<number[]> {
  if (isNothing(query)) return []
  const keys = new Set<number>()
  const plan = planOf(query, window, 'events')
  const text = occurrenceText(db, query, plan, 'events')
  for await (const stride of sliceWindow(db, window, { isWhole: plan === 'by-event' })) {
    const parameters = [...windowParameters(stride), ...soughtParameters(query)]
    const rows = await rawQuery<{ event_key: number }>(db, text, parameters)
    for (const { event_key } of rows) keys.add(event_key)
  }
  return [...keys]
}

/** How many occurrences of a lane start on a day, counted in UTC days from 1970. */
export interface DayCount {
  lane: number
  day: number
  total: number
}

/** A day may be in two entries. */
export async function countByDay(db: Db, query: EventQuery, window: Window): Promise<DayCount[]> {
  if (isNothing(query)) return []
  const counts: DayCount[] = []
  const plan = planOf(query, window, 'count')
  const text = occurrenceText(db, query, plan, 'count')
  for await (const stride of sliceWindow(db, window, { isWhole: plan === 'by-event' })) {
    const parameters = [...windowParameters(stride), ...soughtParameters(query)]
    for (const count of await rawQuery<DayCount>(db, text, parameters)) counts.push(count)
  }
  return counts
}

/** Whether the window has more than `most` index rows; counts no further. */
export async function hasMoreRows(db: Db, sight: Sight, window: Window, most: number): Promise<boolean> {
  const [row] = await rawQuery<{ total: number }>(db, countText(sight, most + 1), countParameters(window))
  return row!.total > most
}

/** The same for the rows of the matching events. */
export async function hasMoreRowsOf(
  db: Db,
  sight: Sight,
  { keys, editedCount }: MatchedEvents,
  most: number,
): Promise<boolean> {
  if (editedCount > most) return true
  const [row] = await rawQuery<{ total: number }>(db, countOfEventsText(db, sight, most + 1), [keys])
  return row!.total > most
}

/** The same for all events. */
export async function hasMoreEvents(db: Db, sight: Sight, most: number): Promise<boolean> {
  const [row] = await rawQuery<{ total: number }>(
    db,
    `select count(*) as total from (select 1 as one from ${tableOf(sight)} limit ?1) t`,
    [most + 1],
  )
  return row!.total > most
}

/** The same for the series that `listSeriesBeyondIndex` would read. */
export async function hasMoreSeriesBeyondIndex(db: Db, sight: Sight, window: Window, most: number): Promise<boolean> {
  const [row] = await rawQuery<{ total: number }>(
    db,
    `select count(*) as total from (select 1 as one from ${tableOf(sight)} e where ${BEYOND_INDEX} limit ?3) t`,
    [...beyondParameters(window), most + 1],
  )
  return row!.total > most
}

const tableOf = (sight: Sight): 'public_events' | 'events' => (sight === 'public' ? 'public_events' : 'events')

const BEYOND_INDEX = `(e.indexed_to < ?1 or (e.indexed_from is not null and e.indexed_from + e.duration_ms > ?2))
  and e.start_at < ?1`

const beyondParameters = ({ timed, dates }: Window): number[] => [
  Math.max(timed.to, dates.to),
  Math.min(timed.from, dates.from),
]

/**
 * Series that may have plain occurrences in the window outside their indexed part: few, found by two small indexes. If
 * ordered by the key alone, SQLite would scan every event.
 */
export function listSeriesBeyondIndex(
  db: Db,
  sight: Sight,
  window: Window,
  filters: EventFilters,
): Promise<TimeColumns[]> {
  const table = tableOf(sight)
  return rawQuery<TimeColumns>(
    db,
    `select ${TIME_COLUMNS.map((column) => `e.${column}`).join(', ')} from ${table} e
      where ${BEYOND_INDEX}
      ${filterChosenEvents(sight, filters, 3)
        .map((condition) => `and ${condition}`)
        .join(' ')} order by e.start_at, e.key`,
    [...beyondParameters(window), ...filterParameters(sight, filters)],
  )
}

/** An event at its own start, whether it repeats or not. */
const storedColumns = (
  lane: string,
): string => `select ${lane} as lane, e.start_at, e.start_at + e.duration_ms as end_at,
  e.key as event_key, e.start_local as local_at, 0 as is_overridden`

const ALL_DAY_LANE = BUCKETS.find(isAllDayBucket)!

/** Every event once, as stored: the first `limit` timed and the first `limit` all-day ones, by start. */
export function listEventRefs(db: Db, sight: Sight, filters: EventFilters, limit: number): Promise<OccurrenceRef[]> {
  const table = tableOf(sight)
  const conditions = filterEvents(sight, filters, 2).map((condition) => `and ${condition}`)
  // With words, the plus sign keeps the index by start out of SQLite's plan: the words select the events.
  const allDayColumn = filters.words ? '+e.all_day' : 'e.all_day'
  const part = (allDay: Flag, lane: number): string => `select * from (
    ${storedColumns(`${lane}`)} from ${table} e where ${allDayColumn} = ${allDay} ${conditions.join(' ')}
    order by e.start_at, e.duration_ms, e.key limit ?1) kind${allDay}`
  return rawQuery(db, `${part(0, 0)} union all ${part(1, ALL_DAY_LANE)}`, [limit, ...filterParameters(sight, filters)])
}

/** These events once, as stored. */
export async function listEventRefsByKey(db: Db, sight: Sight, keys: readonly number[]): Promise<OccurrenceRef[]> {
  const table = sql.raw(tableOf(sight))
  const columns = sql.raw(storedColumns(`case when e.all_day = 1 then ${ALL_DAY_LANE} else 0 end`))
  return (await sql<OccurrenceRef>`${columns} from ${table} e where ${inList(db, 'e.key', keys, 'bigint')}`.execute(db))
    .rows
}

export async function countStored(db: Db, sight: Sight, filters: EventFilters): Promise<number> {
  const table = tableOf(sight)
  const conditions = filterEvents(sight, filters, 1)
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const [row] = await rawQuery<{ total: number }>(
    db,
    `select count(*) as total from ${table} e ${where}`,
    filterParameters(sight, filters),
  )
  return row!.total
}
