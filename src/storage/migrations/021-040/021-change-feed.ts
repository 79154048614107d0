// The order of changes for the change feed, counted separately for the public, and deleted events by id.
import { sql } from 'kysely'
import { isPostgres } from '../../dialect.ts'
import type { Migration } from '../../migrate.ts'

export const changeFeed: Migration = {
  name: '021-change-feed',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

function statements(onPostgres: boolean): string[] {
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  const deleted = (table: string): string[] => [
    `create table ${table} (event_id ${bytes} primary key, revision bigint not null, gone_at bigint not null)`,
    `create index ${table}_by_revision on ${table} (revision, event_id)`,
  ]
  return [
    ...['public_revision', 'changes_floor', 'public_floor'].map(
      (column) => `alter table calendar add column ${column} bigint not null default 0`,
    ),
    ...['created_revision', 'public_revision', 'public_created_revision'].map(
      (column) => `alter table events add column ${column} bigint not null default 0`,
    ),
    ...deleted('gone_events'),
    ...deleted('public_gone_events'),
    'create index events_by_public_change on events (public_revision, key, public_created_revision)',
    // A cancelled private event does not exist for the public.
    `create view public_changes as select e.key, e.id, e.public_revision as revision,
      e.public_created_revision as created_revision
      from events e where e.visibility = 'public' or e.status <> 'cancelled'`,
    ...(onPostgres ? [] : COVERING),
  ]
}

/** SQLite keeps later columns behind the texts of a row: with the new column in the index they are not passed. */
const COVERING = [
  'drop index events_by_change',
  `create index events_by_change on events
    (revision, dav_name, id, version, created_at, updated_at, created_revision)`,
]
