// Range scans of the occurrence index in a window, and the series that are not fully indexed there.
import type { Sight } from '../../domain/privacy/viewer.ts'
import type { Instant, LocalMs } from '../../domain/time/instant.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { isPostgres, listedNumbers, rawQuery } from '../dialect.ts'
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
  utcDay,
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

const KEYS_AT_ONCE = 1_000

/** The events that have an occurrence in the window, each once. */
export async function listEventKeysInWindow(db: Db, query: EventQuery, window: Window): Promise<Set<number>> {
  const keys = new Set<number>()
  if (isNothing(query)) return keys
  const yieldIfDue = createYielder()
  const plan = planOf(query, window, 'events')
  const text = occurrenceText(db, query, plan, 'events')
  for await (const stride of sliceWindow(db, window, { isWhole: plan === 'by-event' })) {
    const parameters = [...windowParameters(stride), ...soughtParameters(query)]
    const rows = await rawQuery<{ event_key: number }>(db, text, parameters)
    for (const [i, { event_key }] of rows.entries()) {
      keys.add(event_key)
      if (i % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) await yieldIfDue()
    }
  }
  return keys
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

/** A hundred extra dates of a series take as long to read as another series. */
const RDATES_OCTETS = 1_400

/** The same for the series that `listSeriesBeyondIndex` would read; their extra dates count too. */
export async function hasMoreSeriesBeyondIndex(db: Db, sight: Sight, window: Window, most: number): Promise<boolean> {
  const [row] = await rawQuery<{ total: number | null }>(
    db,
    `with b as ${materialization(db)} (
      select 1 + octet_length(e.rdates) / ${RDATES_OCTETS} as weight from ${tableOf(sight)} e where ${BEYOND_INDEX})
      select sum(t.weight) as total from (select b.weight from b limit ?3) t`,
    [...beyondParameters(window), most + 1],
  )
  return (row!.total ?? 0) > most
}

/**
 * PostgreSQL plans a materialized subquery for all of its rows, and still reads no more than the limit. If the limit
 * were part of the plan, it would scan every event in the hope of finding enough early. SQLite would read all.
 */
const materialization = (db: Db): string => (isPostgres(db) ? 'materialized' : 'not materialized')

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

/** Events as stored, each once: those that match the filters, or those in a JSON list of keys. */
export type StoredSelection = { filters: EventFilters } | { keys: string }

/** Conditions on events as `e`, with parameters from `first` on. */
const storedConditions = (db: Db, sight: Sight, selection: StoredSelection, first: number): string[] =>
  'keys' in selection ? [`e.key in (${listedNumbers(db, first)})`] : filterEvents(sight, selection.filters, first)

const storedParameters = (sight: Sight, selection: StoredSelection): string[] =>
  'keys' in selection ? [selection.keys] : filterParameters(sight, selection.filters)

/** The first `limit` timed and the first `limit` all-day ones that begin at `since` or later, by start. */
export function listStoredRefs(
  db: Db,
  sight: Sight,
  selection: StoredSelection,
  limit: number,
  since: WindowStart,
): Promise<OccurrenceRef[]> {
  const conditions = storedConditions(db, sight, selection, 4).map((condition) => `and ${condition}`)
  // With words, a UID or keys, the plus sign keeps the index by start out of SQLite's plan: they select the events.
  const isSelective =
    'keys' in selection || selection.filters.words !== undefined || selection.filters.uid !== undefined
  const allDayColumn = isSelective ? '+e.all_day' : 'e.all_day'
  const part = (allDay: Flag, lane: number, first: string): string => `select * from (
    ${storedColumns(`${lane}`)} from ${tableOf(sight)} e
    where ${allDayColumn} = ${allDay} and e.start_at >= ${first} ${conditions.join(' ')}
    order by e.start_at, e.duration_ms, e.key limit ?1) kind${allDay}`
  return rawQuery(db, `${part(0, 0, '?2')} union all ${part(1, ALL_DAY_LANE, '?3')}`, [
    limit,
    since.at,
    since.date,
    ...storedParameters(sight, selection),
  ])
}

/** A part of them in the order of their last changes. The revision shows it: clocks may be set back or differ. */
export function listStoredByChange(
  db: Db,
  selection: StoredSelection,
  { offset, count }: PageSpan,
  isDescending: boolean,
): Promise<Pick<OccurrenceRef, 'event_key'>[]> {
  const conditions = storedConditions(db, 'full', selection, 3)
  const direction = isDescending ? 'desc' : 'asc'
  return rawQuery(
    db,
    `select e.key as event_key from events e ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
      order by e.revision ${direction}, e.dav_name ${direction} limit ?1 offset ?2`,
    [count, offset, ...storedParameters('full', selection)],
  )
}

/** The place of a page among all entries. */
export interface PageSpan {
  offset: number
  count: number
}

/** How many of them begin on each day. */
export function countStoredByDay(db: Db, sight: Sight, selection: StoredSelection): Promise<DayCount[]> {
  const conditions = storedConditions(db, sight, selection, 1)
  return rawQuery(
    db,
    `select d.lane, d.day, count(*) as total from (
      select case when e.all_day = 1 then ${ALL_DAY_LANE} else 0 end as lane, ${utcDay('e')} as day
      from ${tableOf(sight)} e ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}) d
      group by d.lane, d.day`,
    storedParameters(sight, selection),
  )
}

export async function countStored(db: Db, sight: Sight, selection: StoredSelection): Promise<number> {
  const conditions = storedConditions(db, sight, selection, 1)
  const [row] = await rawQuery<{ total: number }>(
    db,
    `select count(*) as total from ${tableOf(sight)} e ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}`,
    storedParameters(sight, selection),
  )
  return row!.total
}
