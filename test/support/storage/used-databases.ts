// PostgreSQL databases that earlier tests have used, emptied for the next one: far less work than creating another.
import type pg from 'pg'

/** The state of an unused database. */
export interface Pristine {
  tables: readonly string[]
  /** Initial rows, by table. */
  rows: ReadonlyMap<string, readonly Record<string, unknown>[]>
  shape: string
}

export async function readPristine(client: pg.Client): Promise<Pristine> {
  const { rows: found } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const tables = found.map(({ name }) => name)
  const rows = new Map<string, Record<string, unknown>[]>()
  for (const table of tables) {
    const { rows: own } = await client.query(`select * from ${table}`)
    if (own.length > 0) rows.set(table, own)
  }
  return { tables, rows, shape: await readShape(client) }
}

/** Returns whether it is as new; one whose tables were changed, or that another connection uses, is not reset. */
export async function makePristine(client: pg.Client, { tables, rows, shape }: Pristine): Promise<boolean> {
  await client.query(`set lock_timeout = '2s'`)
  if ((await readShape(client)) !== shape) return false
  // Rows and not tables: a test leaves few of them, and new files for all tables would cost as much as a new database.
  await client.query(
    ['set session_replication_role = replica', ...tables.map((table) => `delete from ${table}`)].join('; '),
  )
  for (const [table, own] of rows)
    for (const row of own) {
      const names = Object.keys(row)
      const places = names.map((_, i) => `$${i + 1}`)
      const statement = `insert into ${table} (${names.join(', ')}) overriding system value values (${places.join(', ')})`
      await client.query(statement, Object.values(row))
    }
  return true
}

/** Counts everything that a test might have added or removed. */
async function readShape(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select (select count(*) from pg_class where relnamespace = 'public'::regnamespace) as relations,
            (select count(*) from pg_constraint where connamespace = 'public'::regnamespace) as constraints,
            (select count(*) from pg_trigger) as triggers,
            (select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid
              where c.relnamespace = 'public'::regnamespace and not a.attisdropped) as columns,
            (select count(*) from pg_db_role_setting) as settings`,
  )
  return JSON.stringify(rows[0])
}
