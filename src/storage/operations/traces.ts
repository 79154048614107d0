// Request traces for diagnostics: a bounded table from which the oldest rows are deleted.
import { sql } from 'kysely'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import { isPostgres } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { deleteBatch, PURGE_ROWS } from './purge.ts'

export interface TraceRow {
  at: Instant
  /** JSON. */
  entry: string
}

/** One statement for any number of rows, in the order given. */
export async function insertTraces(db: Db, rows: readonly TraceRow[]): Promise<void> {
  if (isPostgres(db)) {
    await sql`insert into traces (at, entry) select at, entry
      from unnest(${rows.map(({ at }) => at)}::bigint[], ${rows.map(({ entry }) => entry)}::text[])
      with ordinality as added (at, entry, place) order by place`.execute(db)
  } else {
    await sql`insert into traces (at, entry) select value->>0, value->>1
      from json_each(${JSON.stringify(rows.map(({ at, entry }) => [at, entry]))}) order by key`.execute(db)
  }
}

/** Newest first, in the order of insertion: clocks may differ or be set back. */
export async function listTraces(db: Db, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('traces').select('entry').orderBy('seq', 'desc').limit(limit).execute()
  return rows.map(({ entry }) => entry)
}

const MAX_ROWS = 10_000
const KEPT_MS = 7 * DAY_MS

/** Deletes those that are too old and, once few of them are left, those beyond the maximum number. */
export async function purgeTraces(db: Db, now: Instant): Promise<number> {
  const old = await deleteBatch(db, 'traces', sql`at < ${now - KEPT_MS}`)
  if (old >= PURGE_ROWS) return old
  const first = sql`select seq from traces order by seq desc limit 1 offset ${sql.lit(MAX_ROWS)}`
  return deleteBatch(db, 'traces', sql`seq <= (${first})`)
}
