// What stands in a window: range scans of the occurrence index, and the series whose occurrences there are not rows.
import { sql } from 'kysely'
import type { Sight } from '../domain/privacy/viewer.ts'
import type { Instant, Wall } from '../domain/time/instant.ts'
import type { Range } from '../domain/time/window.ts'
import { inList, runText } from './dialect.ts'
import { type Filters, filterEvents, filterOccurrences, filterParameters, filterSeries, shapeOf } from './filters.ts'
import { earliestStart, isAllDayLane, LANES } from './lanes.ts'
import { type Db, type Flag, TIME_COLUMNS, type TimeColumns } from './tables.ts'

/** A window on both clocks: instants for timed events, dates (midnights as if in UTC) for all-day ones. */
export interface Window {
  timed: Range
  dates: Range
}

/** Times and keys, no words: enough to sort, count and page by. */
export interface Placed {
  lane: number
  start_at: Instant
  end_at: Instant
  event_key: number
  local_at: Wall
  is_overridden: Flag
}

/**
 * Each lane's occurrences in the window, in order, `limit` of each at the most: whoever merges the lanes has the first
 * `limit` of all, and no more than that was read. `since` leaves out what starts earlier, on either clock.
 */
export const listPlaced = (
  db: Db,
  sight: Sight,
  window: Window,
  filters: Filters,
  limit: number,
  since?: { at: Instant; date: Wall },
): Promise<Placed[]> =>
  runText<Placed>(db, laneText(sight, filters, 'rows'), [
    ...windowParameters(window, since),
    ...filterParameters(sight, filters),
    limit,
  ])

/** The events that have an occurrence in the window, each once. */
export async function listPlacedEvents(db: Db, sight: Sight, window: Window, filters: Filters): Promise<number[]> {
  const parameters = [...windowParameters(window), ...filterParameters(sight, filters)]
  const rows = await runText<{ event_key: number }>(db, laneText(sight, filters, 'events'), parameters)
  return rows.map(({ event_key }) => event_key)
}

/** How many occurrences of a lane start on a day, days counted in UTC from 1970. */
export interface DayCount {
  lane: number
  day: number
  total: number
}

export const countByDay = (db: Db, sight: Sight, window: Window, filters: Filters): Promise<DayCount[]> =>
  runText(db, laneText(sight, filters, 'count'), [...windowParameters(window), ...filterParameters(sight, filters)])

/** ?1 … ?4 are the window, then each lane's earliest start, then the filters, then the limit. */
const windowParameters = ({ timed, dates }: Window, since?: { at: Instant; date: Wall }): number[] => [
  timed.from,
  timed.to,
  dates.from,
  dates.to,
  ...LANES.map((lane) => {
    const [from, first] = isAllDayLane(lane) ? [dates.from, since?.date] : [timed.from, since?.at]
    return Math.max(earliestStart(lane, from), first === undefined ? Number.NEGATIVE_INFINITY : first - 1)
  }),
]

const FIRST_FILTER = 5 + LANES.length

type What = 'rows' | 'count' | 'events'

const texts = new Map<string, string>()

function laneText(sight: Sight, filters: Filters, what: What): string {
  const name = [sight, shapeOf(filters), what].join()
  const known = texts.get(name)
  if (known) return known
  const text = LANES.map((lane) => oneLane(lane, sight, filters, what)).join(' union all ')
  texts.set(name, text)
  return text
}

function oneLane(lane: number, sight: Sight, filters: Filters, what: What): string {
  const [from, to] = isAllDayLane(lane) ? ['?3', '?4'] : ['?1', '?2']
  const filtered = filterOccurrences(sight, filters, FIRST_FILTER)
  const conditions = [
    `o.lane = ${lane} and o.start_at > ?${5 + lane} and o.start_at < ${to}`,
    `(o.end_at > ${from} or o.start_at >= ${from})`,
    ...(sight === 'public' ? ['o.is_hidden = 0'] : []),
    ...filtered.conditions,
  ].join(' and ')
  const source = `occurrences o${filtered.joins}`
  if (what === 'events') return `select distinct o.event_key from ${source} where ${conditions}`
  if (what === 'count') {
    return `select ${lane} as lane, ${UTC_DAY} as day, count(*) as total from ${source} where ${conditions} group by ${UTC_DAY}`
  }
  return `select * from (select o.lane, o.start_at, o.end_at, o.event_key, o.local_at, o.is_overridden from ${source}
    where ${conditions} order by o.start_at, o.end_at, o.event_key, o.local_at limit ?${FIRST_FILTER + filterParameters(sight, filters).length}) lane${lane}`
}

/** Whole numbers divide towards zero, so the sum is made positive first and moved back after. */
const UTC_DAY = '((o.start_at + 8640000000000000) / 86400000 - 100000000)'

/**
 * Series that may have plain occurrences in the window outside their part of the index: few, found by two small indexes.
 * Ordered by the key alone, SQLite would rather walk every event.
 */
export function listSeriesBeyondIndex(db: Db, sight: Sight, window: Window, filters: Filters): Promise<TimeColumns[]> {
  const latest = Math.max(window.timed.to, window.dates.to)
  const earliest = Math.min(window.timed.from, window.dates.from)
  const table = sight === 'public' ? 'public_events' : 'events'
  return runText<TimeColumns>(
    db,
    `select ${TIME_COLUMNS.map((column) => `e.${column}`).join(', ')} from ${table} e
      where (e.indexed_to < ?1 or (e.indexed_from is not null and e.indexed_from + e.duration_ms > ?2))
      and e.start_at < ?1
      ${filterSeries(sight, filters, 3)
        .map((condition) => `and ${condition}`)
        .join(' ')} order by e.start_at, e.key`,
    [latest, earliest, ...filterParameters(sight, filters)],
  )
}

/** The keys that a series has taken out or edited, which its pattern must pass over. */
export async function listExceptionKeys(db: Db, eventKeys: readonly number[]): Promise<Map<number, Set<Wall>>> {
  const rows = await db
    .selectFrom('exceptions')
    .select(['event_key', 'local_at'])
    .where(inList(db, 'event_key', eventKeys, 'bigint'))
    .execute()
  const keys = new Map<number, Set<Wall>>()
  for (const { event_key, local_at } of rows) keys.set(event_key, (keys.get(event_key) ?? new Set()).add(local_at))
  return keys
}

/** An event where it starts, whatever it repeats. */
const storedColumns = (
  lane: string,
): string => `select ${lane} as lane, e.start_at, e.start_at + e.duration_ms as end_at,
  e.key as event_key, e.start_local as local_at, 0 as is_overridden`

const ALL_DAY_LANE = LANES.find(isAllDayLane)!

/** Every event once, as stored: the first `limit` timed and the first `limit` all-day ones, by start. */
export function listStored(db: Db, sight: Sight, filters: Filters, limit: number): Promise<Placed[]> {
  const table = sight === 'public' ? 'public_events' : 'events'
  const conditions = filterEvents(sight, filters, 2).map((condition) => `and ${condition}`)
  // Where words choose the events, the order of their starts must not: the sign keeps its index out of the plan.
  const allDayColumn = filters.words ? '+e.all_day' : 'e.all_day'
  const part = (allDay: Flag, lane: number): string => `select * from (
    ${storedColumns(`${lane}`)} from ${table} e where ${allDayColumn} = ${allDay} ${conditions.join(' ')}
    order by e.start_at, e.duration_ms, e.key limit ?1) kind${allDay}`
  return runText(db, `${part(0, 0)} union all ${part(1, ALL_DAY_LANE)}`, [limit, ...filterParameters(sight, filters)])
}

/** These events once, as stored. */
export async function listStoredAt(db: Db, sight: Sight, keys: readonly number[]): Promise<Placed[]> {
  const table = sql.raw(sight === 'public' ? 'public_events' : 'events')
  const columns = sql.raw(storedColumns(`case when e.all_day = 1 then ${ALL_DAY_LANE} else 0 end`))
  return (await sql<Placed>`${columns} from ${table} e where ${inList(db, 'e.key', keys, 'bigint')}`.execute(db)).rows
}

export async function countStored(db: Db, sight: Sight, filters: Filters): Promise<number> {
  const table = sight === 'public' ? 'public_events' : 'events'
  const conditions = filterEvents(sight, filters, 1)
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const [row] = await runText<{ total: number }>(
    db,
    `select count(*) as total from ${table} e ${where}`,
    filterParameters(sight, filters),
  )
  return row!.total
}
