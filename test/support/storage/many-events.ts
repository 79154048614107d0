// Copies one series as rows: a large calendar in little time.
import { newId } from '../../../src/secrets.ts'
import { isPostgres, rawQuery } from '../../../src/storage/dialect.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { keyOfId } from '../../../src/storage/events/events.ts'
import type { World } from '../world.ts'

const HOUR_MS = 3_600_000

/** The copies begin an hour after one another, for as many hours, and then again. */
export async function copySeries({ app }: World, id: string, copies: number, hours: number): Promise<void> {
  const source = keyOfId(id)!
  const made = Array.from({ length: copies }, (_, i) => {
    const copy = newId()
    return [keyOfId(copy)!, copy, (i % hours) * HOUR_MS]
  })
  // In parts: a statement of a request has a time limit.
  for (let i = 0; i < made.length; i += BATCH) await insertCopies(app, source, made.slice(i, i + BATCH))
  // PostgreSQL analyses by itself within a minute of such a load.
  await rawQuery(app.ctx.storage.writes, 'analyze', [])
}

const BATCH = 150

const insertCopies = (app: World['app'], source: number, made: unknown[][]): Promise<void> =>
  inTransaction(app.ctx.storage, async (db) => {
    const copiesText = isPostgres(db)
      ? `select (value->>0)::bigint as key, value->>1 as id, (value->>2)::bigint as shift from json_array_elements(?2::json)`
      : 'select value->>0 as key, value->>1 as id, value->>2 as shift from json_each(?2)'
    const insert = async (table: string, changed: Record<string, string>): Promise<void> => {
      const [row] = await rawQuery<object>(db, `select * from ${table} limit 1`, [])
      if (!row) return
      const columns = Object.keys(row)
      const values = columns.map((column) => changed[column] ?? `s.${column}`)
      const keyColumn = table === 'events' ? 'key' : 'event_key'
      await rawQuery(
        db,
        `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
          from (${copiesText}) c cross join ${table} s where s.${keyColumn} = ?1`,
        [source, JSON.stringify(made)],
      )
    }
    const shifted = (column: string): Record<string, string> => ({ [column]: `s.${column} + c.shift` })
    await insert('events', {
      key: 'c.key',
      id: 'c.id',
      uid: 'c.id',
      dav_name: 'c.id',
      ...shifted('start_at'),
      ...shifted('start_local'),
    })
    await insert('occurrences', {
      event_key: 'c.key',
      ...shifted('local_at'),
      ...shifted('start_at'),
      ...shifted('end_at'),
    })
    await insert('public_words', { event_key: 'c.key' })
    await insert('exceptions', {
      event_key: 'c.key',
      ...shifted('local_at'),
      ...shifted('start_at'),
      ...shifted('start_local'),
    })
  })
