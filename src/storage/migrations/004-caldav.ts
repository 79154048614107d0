// What programs that sync need: each event's name in their calendar, its text as they sent it, and what has gone since.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const calDav: Migration = {
  name: '004-caldav',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

function statements(onPostgres: boolean): string[] {
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  return [
    `alter table events add column dav_name ${bytes} not null default ''`,
    'alter table events add column sent_ical text',
    `update events set dav_name = id || '.ics'`,
    'create unique index events_dav_name_key on events (dav_name)',
    // A name can go more than once, and an event can go by more than one: the last of each name is what counts.
    `create table gone_names (dav_name ${bytes} primary key, revision bigint not null, gone_at bigint not null)`,
    `insert into gone_names select event_id || '.ics', revision, deleted_at from tombstones`,
    'drop table tombstones',
    'create index gone_names_by_revision on gone_names (revision)',
    // What went up to here is forgotten: a token from before cannot be answered any more.
    'alter table calendar add column sync_floor bigint not null default 0',
    // The next housekeeping derives every event again.
    `update instance set tz_version = ''`,
    `create table dav_properties (
      user_id ${bytes} not null references users (id) on delete cascade, name ${bytes} not null, value text not null,
      primary key (user_id, name))`,
  ]
}
