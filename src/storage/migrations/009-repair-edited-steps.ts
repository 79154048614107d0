// Repairs databases made before migrations 001 and 002 were edited in place: a missing column, an index of another form.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import type { Db } from '../tables.ts'

export const repairEditedSteps: Migration = {
  name: '009-repair-edited-steps',
  async up(db) {
    if (!(await hasAskedAgain(db)))
      await sql`alter table users add column was_asked_again smallint not null default 0`.execute(db)
    if (await hasPresentIndex(db)) return
    await sql`drop index if exists events_indexed_from`.execute(db)
    await sql.raw(PRESENT_INDEX).execute(db)
  },
}

const PRESENT_INDEX =
  'create index events_indexed_from on events ((indexed_from + duration_ms)) where indexed_from is not null'

async function hasAskedAgain(db: Db): Promise<boolean> {
  const query = isPostgres(db)
    ? sql`select 1 from information_schema.columns where table_schema = current_schema()
        and table_name = 'users' and column_name = 'was_asked_again'`
    : sql`select 1 from pragma_table_info('users') where name = 'was_asked_again'`
  return (await query.execute(db)).rows.length > 0
}

async function hasPresentIndex(db: Db): Promise<boolean> {
  const query = isPostgres(db)
    ? sql`select 1 from pg_indexes where schemaname = current_schema() and indexname = 'events_indexed_from'
        and indexdef like '%duration_ms%'`
    : sql`select 1 from sqlite_master where name = 'events_indexed_from' and sql like '%duration_ms%'`
  return (await query.execute(db)).rows.length > 0
}
