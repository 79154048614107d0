// PostgreSQL databases that earlier tests have used, emptied for the next one: far less work than creating another.
import type pg from 'pg'

/** The state of an unused database. */
export interface Pristine {
  /** Empties all tables and writes their initial rows: one message, since 25 would take four times as long. */
  reset: string
  shape: string
}

export async function readPristine(client: pg.Client): Promise<Pristine> {
  const { rows: found } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const tables = found.map(({ name }) => name)
  const inserts: string[] = []
  for (const table of tables) {
    const { rows } = await client.query<{ json: string | null }>(`select json_agg(t)::text as json from ${table} t`)
    const json = rows[0]!.json
    if (json !== null)
      inserts.push(
        `insert into ${table} overriding system value
          select * from json_populate_recordset(null::${table}, ${client.escapeLiteral(json)})`,
      )
  }
  // Rows and not tables: a test leaves few of them, and new files for all tables would cost as much as a new database.
  const deletes = tables.map((table) => `delete from ${table}`)
  const settings = [`set lock_timeout = '2s'`, 'set session_replication_role = replica']
  return { reset: [...settings, ...deletes, ...inserts].join('; '), shape: await readShape(client) }
}

/** Returns whether it is as new; one whose tables were changed, or that another connection uses, is not reset. */
export async function makePristine(client: pg.Client, { reset, shape }: Pristine): Promise<boolean> {
  await client.query(reset)
  return (await readShape(client)) === shape
}

/** Counts everything that a test might have added or removed. Objects of PostgreSQL itself have lower numbers. */
async function readShape(client: pg.Client): Promise<string> {
  const { rows } = await client.query(
    `select (select count(*) from pg_class where oid >= 16384) as relations,
            (select count(*) from pg_constraint where oid >= 16384) as constraints,
            (select count(*) from pg_trigger where oid >= 16384) as triggers,
            (select count(*) from pg_attribute where attrelid >= 16384 and not attisdropped) as columns,
            (select count(*) from pg_db_role_setting) as settings`,
  )
  return JSON.stringify(rows[0])
}
