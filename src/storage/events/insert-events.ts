// Bulk insert of new events with occurrences, exceptions and search words; for imports.
import { CompiledQuery, type Insertable } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { ChangeCounters } from '../history/public-change.ts'
import type { Db, EventRecord, Tables } from '../tables.ts'
import type { Derived } from './derive.ts'
import { derivedRows, insertDerivedRows } from './derived-rows.ts'
import { keyOfId } from './events.ts'

export interface EventInsert {
  record: Omit<EventRecord, 'revision'>
  derived: Derived
  /** Columns of the change feed, the same ones of every event. */
  counters: ChangeCounters
}

/** An event has about forty columns, and a statement of PostgreSQL takes a limited number of values. */
const EVENTS_AT_ONCE = 100

/** Inserts all of them or fails. */
export async function insertEvents(db: Db, events: readonly EventInsert[]): Promise<void> {
  for (let i = 0; i < events.length; i += EVENTS_AT_ONCE) {
    const some = events.slice(i, i + EVENTS_AT_ONCE).map((event) => ({ key: keyOfId(event.record.id)!, ...event }))
    const rows = some.map(({ key, record, derived, counters }) => ({
      key,
      ...derived.columns,
      ...record,
      ...counters,
    }))
    await insertEventRows(db, rows)
    const beside = some.map(({ key, record, derived }) =>
      derivedRows(key, derived, record.created_at, record.created_by),
    )
    await insertDerivedRows(db, {
      exceptions: beside.flatMap(({ exceptions }) => exceptions),
      occurrences: beside.flatMap(({ occurrences }) => occurrences),
      words: beside.flatMap(({ words }) => words),
    })
  }
}

type InsertedRow = Insertable<Tables['events']>

/**
 * SQLite saves no round trip with many rows in a statement, and would prepare and cache a long statement for each
 * number of rows: one row at a time takes less time and memory there.
 */
async function insertEventRows(db: Db, rows: readonly InsertedRow[]): Promise<void> {
  if (isPostgres(db)) {
    await db.insertInto('events').values(rows).execute()
    return
  }
  const columns = Object.keys(rows[0]!) as (keyof InsertedRow)[]
  const text = `insert into events (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
  for (const row of rows) {
    const values = columns.map((column) => row[column])
    await db.executeQuery(CompiledQuery.raw(text, values))
  }
}
