// Rate limit counters shared by all nodes: one row per policy and key, one conditional upsert.
import { sql } from 'kysely'
import {
  type Limit,
  tallyAt,
  toleranceMs,
  type WindowTally,
  weightMs,
  windowStart,
} from '../../domain/limits/sliding-window.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { deleteBatch } from './purge.ts'

/** `tallyAt` in SQL. ?2 is the start of this window, ?3 of the one before, ?4 the latest that counts as running. */
const IS_RUNNING = 'rate_limits.started_at between ?2 and ?4'
const STARTED_AT = `case when ${IS_RUNNING} then rate_limits.started_at else ?2 end`
const HITS = `case when ${IS_RUNNING} then rate_limits.hits else 0 end`
const HITS_BEFORE = `case when ${IS_RUNNING} then rate_limits.hits_before
  when rate_limits.started_at between ?3 and ?2 then rate_limits.hits else 0 end`

const COUNT = `insert into rate_limits (name, started_at, hits, hits_before, expires_at) values (?1, ?2, 1, 0, ?5)
  on conflict (name) do update set started_at = ${STARTED_AT}, hits = ${HITS} + 1, hits_before = ${HITS_BEFORE},
    expires_at = ${STARTED_AT} + 2 * cast(?6 as bigint)
  where (${HITS} + 1) * cast(?6 as bigint)
    + (${HITS_BEFORE}) * (case when rate_limits.started_at > ?2 and ${IS_RUNNING} then cast(?6 as bigint) else cast(?7 as bigint) end)
    <= cast(?8 as bigint)
  returning hits`

/** Counts one hit if there is room for it; false, without counting, if there is none. */
export async function countHit(db: Db, name: string, { limit, windowMs }: Limit, now: Instant): Promise<boolean> {
  if (limit < 1) return false
  const start = windowStart(now, windowMs)
  const rows = await rawQuery(db, COUNT, [
    name,
    start,
    start - windowMs,
    now + toleranceMs(windowMs),
    start + 2 * windowMs,
    windowMs,
    weightMs(start, now, windowMs),
    limit * windowMs,
  ])
  return rows.length > 0
}

/** From the current window, or from the one before if the current one has no hits. */
export async function uncountHit(db: Db, name: string): Promise<void> {
  await rawQuery(
    db,
    `update rate_limits set hits = case when hits > 0 then hits - 1 else 0 end,
      hits_before = case when hits = 0 and hits_before > 0 then hits_before - 1 else hits_before end where name = ?1`,
    [name],
  )
}

export async function readTally(db: Db, name: string, windowMs: number, now: Instant): Promise<WindowTally> {
  const [row] = await rawQuery<WindowTally>(
    db,
    'select started_at as "startedAt", hits, hits_before as "hitsBefore" from rate_limits where name = ?1',
    [name],
  )
  return tallyAt(row, now, windowMs)
}

/** What a node has counted since its last exchange. */
export interface Increment {
  name: string
  hits: number
  hitsBefore: number
}

export type NamedTally = WindowTally & { name: string }

/**
 * Adds what one node has counted in this window and the one before, and returns the totals of all nodes. Only
 * PostgreSQL has several nodes. Rows are sorted, so that two nodes lock them in the same order and cannot deadlock.
 */
export async function addHits(
  db: Db,
  increments: readonly Increment[],
  windowMs: number,
  now: Instant,
): Promise<NamedTally[]> {
  const start = windowStart(now, windowMs)
  const sorted = increments.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const [startAt, span] = [sql`${start}::bigint`, sql`${windowMs}::bigint`]
  const isRunning = sql`rate_limits.started_at between ${startAt} and ${now + toleranceMs(windowMs)}::bigint`
  const startedAt = sql`case when ${isRunning} then rate_limits.started_at else ${startAt} end`
  const { rows } = await sql<NamedTally>`
    insert into rate_limits (name, started_at, hits, hits_before, expires_at)
    select name, ${startAt}, hits, hits_before, ${startAt} + 2 * ${span}
    from unnest(${sorted.map(({ name }) => name)}::text[], ${sorted.map(({ hits }) => hits)}::integer[],
      ${sorted.map(({ hitsBefore }) => hitsBefore)}::integer[]) as added (name, hits, hits_before)
    on conflict (name) do update set started_at = ${startedAt},
      hits = greatest(0, excluded.hits + case when ${isRunning} then rate_limits.hits else 0 end),
      hits_before = greatest(0, excluded.hits_before + case when ${isRunning} then rate_limits.hits_before
        when rate_limits.started_at between ${start - windowMs}::bigint and ${startAt} then rate_limits.hits else 0 end),
      expires_at = ${startedAt} + 2 * ${span}
    returning name, started_at as "startedAt", hits, hits_before as "hitsBefore"`.execute(db)
  return rows
}

export const purgeRateLimits = (db: Db, now: Instant): Promise<number> =>
  deleteBatch(db, 'rate_limits', sql`expires_at < ${now}`)
