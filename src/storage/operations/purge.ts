// Deletes rows in bounded batches: one statement of SQLite blocks the event loop for some milliseconds only.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Db, Tables } from '../tables.ts'

/** How many rows one statement of a purge deletes at most. */
export const PURGE_ROWS = 500

/**
 * Deletes up to `PURGE_ROWS` rows that `condition` is true of, and says how many. A row that is changed meanwhile is
 * passed over: on PostgreSQL its new version has another address.
 */
export async function deleteBatch(db: Db, table: keyof Tables, condition: ReturnType<typeof sql>): Promise<number> {
  const from = sql`from ${sql.table(table)} where ${condition} limit ${sql.lit(PURGE_ROWS)}`
  const isInBatch = isPostgres(db) ? sql`ctid = any(array(select ctid ${from}))` : sql`rowid in (select rowid ${from})`
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${isInBatch}`.execute(db)
  return Number(numAffectedRows)
}
