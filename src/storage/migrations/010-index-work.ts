// Progress of index rebuilds, a mark on events whose text cannot be read, and the last time known to be right.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import type { Db } from '../tables.ts'

export const indexWork: Migration = {
  name: '010-index-work',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
    await sql`update instance set clock_seen_at = ${await lastWriteAt(db)}`.execute(db)
  },
}

function statements(onPostgres: boolean): string[] {
  return [
    `create table index_work (
      name text primary key, target text not null, cursor_key bigint not null, done bigint not null,
      total bigint not null, is_finished smallint not null)`,
    'alter table events add column is_unreadable smallint not null default 0',
    'create index events_unreadable on events (key) where is_unreadable = 1',
    'alter table instance add column clock_seen_at bigint not null default 0',
    // The extension walks by (indexed_to, key); SQLite has the key in every index already.
    ...(onPostgres
      ? [
          'drop index events_indexed_to',
          'create index events_indexed_to on events (indexed_to, key) where indexed_to is not null',
        ]
      : []),
  ]
}

/** Zero in a new database: its first start decides. */
async function lastWriteAt(db: Db): Promise<number> {
  const { rows } = await sql<{ at: number | null }>`select max(updated_at) as at from events
    union all select max(at) from audit union all select max(last_seen_at) from sessions`.execute(db)
  return Math.max(0, ...rows.map(({ at }) => at ?? 0))
}
