// Puts the calendar of a fixture into a database of its old schema, on either engine.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, sql } from 'kysely'
import { migrate, migrations } from '../../../src/storage/engine/migrate.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import type { Db } from '../../../src/storage/tables.ts'
import { type EmptyDatabase, type Engine, makeEmptyPlace } from '../../support/storage/engines.ts'
import { readFixture } from './fixtures.ts'

export async function makeOldPlace(engine: Engine, schema: number): Promise<EmptyDatabase> {
  const place = await makeEmptyPlace(engine)
  const data = place.settings.DAYBOOK_DATA_DIR!
  mkdirSync(data, { mode: 0o700 })
  const database = join(data, 'daybook.db')
  writeFileSync(database, readFixture(`schema-00${schema}.db`), { mode: 0o600 })
  if (engine === 'postgres') await copyInto(place, database, schema)
  return place
}

/** The rows of the file in a PostgreSQL database of the same schema; both engines store the same values. */
async function copyInto({ settings }: EmptyDatabase, file: string, schema: number): Promise<void> {
  const storage = openPostgres({ url: settings.DAYBOOK_DATABASE_URL!, poolSize: 2, onLost: () => {} })
  const from = new DatabaseSync(file, { readOnly: true })
  try {
    await migrate(storage, { steps: migrations.slice(0, schema) })
    await storage.writes.transaction().execute(async (db) => {
      const tables = from
        .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
        .all()
      for (const { name } of tables.toReversed()) await run(db, `delete from ${name}`)
      for (const { name } of tables) await copyTable(from, db, String(name))
      if (schema > 1) await run(db, `select setval(pg_get_serial_sequence('audit', 'seq'), max(seq)) from audit`)
    })
  } finally {
    from.close()
    await storage.close()
  }
}

async function copyTable(from: DatabaseSync, db: Db, table: string): Promise<void> {
  const rows = from.prepare(`select * from ${table}`).all()
  const columns = from
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
  // The second step had fewer columns when it landed.
  const { rows: known } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}`.execute(db)
  for (const { name } of known) if (!columns.includes(name)) await run(db, `alter table ${table} drop column ${name}`)
  await run(
    db,
    `insert into ${table} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(rows)],
  )
}

const run = (db: Db, text: string, values: unknown[] = []) => db.executeQuery(CompiledQuery.raw(text, values))
