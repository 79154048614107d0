// Deletes rows in bounded batches, so that SQLite blocks the event loop for milliseconds only.
import { sql } from 'kysely'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { isPostgres } from '../dialect.ts'
import type { Db, Tables } from '../tables.ts'

/** The maximum of rows that one statement of a purge deletes. */
export const PURGE_ROWS = 500

/**
 * Deletes up to `PURGE_ROWS` rows that match `condition`, and returns how many. A row that changes meanwhile is
 * skipped: on PostgreSQL its new version has another ctid.
 */
export async function deleteBatch(db: Db, table: keyof Tables, condition: ReturnType<typeof sql>): Promise<number> {
  const from = sql`from ${sql.table(table)} where ${condition} limit ${sql.lit(PURGE_ROWS)}`
  const isInBatch = isPostgres(db) ? sql`ctid = any(array(select ctid ${from}))` : sql`rowid in (select rowid ${from})`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${isInBatch}`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes all matching rows in batches, and yields to the event loop between them. */
export async function deleteInBatches(db: Db, table: keyof Tables, condition: ReturnType<typeof sql>): Promise<void> {
  while ((await deleteBatch(db, table, condition)) === PURGE_ROWS) await yieldToEventLoop()
}
