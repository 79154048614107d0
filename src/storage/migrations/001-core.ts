// The first schema: the calendar, its occurrence index, people, and what keeps requests safe to repeat.
import { sql } from 'kysely'
import { newKey } from '../../secrets.ts'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import type { Db } from '../tables.ts'

export const core: Migration = {
  name: '001-core',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
    await insertFirstRows(db)
  },
}

async function insertFirstRows(db: Db): Promise<void> {
  const calendar = { id: 1, revision: 0, accounts_revision: 0, index_from: 0, index_to: 0 } as const
  await db.insertInto('calendar').values(calendar).execute()
  const instance = { id: 1, secret: newKey(), setup_code_hash: null, tz_version: '', created_at: Date.now() } as const
  await db.insertInto('instance').values(instance).execute()
}

/** Words that the public may see only of public events. */
const WORDS = ['description', 'location', 'category', 'url'] as const

const TIMES =
  'key, id, visibility, all_day, timezone, start_local, start_at, duration_ms, rrule, rdates, last_local, is_recurring, indexed_from, indexed_to'

function statements(onPostgres: boolean): string[] {
  // Ids are compared byte by byte on both engines, so that lists have one order whatever the locale.
  const id = onPostgres ? 'text collate "C"' : 'text'
  const compact = onPostgres ? '' : ' without rowid'
  return [
    `create table calendar (
      id integer primary key check (id = 1), revision bigint not null, accounts_revision bigint not null,
      index_from bigint not null, index_to bigint not null)`,
    `create table instance (
      id integer primary key check (id = 1), secret text not null, setup_code_hash text, tz_version text not null,
      created_at bigint not null)`,
    `create table users (
      id ${id} primary key, email text not null, email_key text not null unique, display_name text not null,
      password_hash text not null, role text not null, approval_state text not null, email_verified_at bigint,
      request_message text, created_at bigint not null, decided_at bigint, decided_by text, last_login_at bigint,
      version bigint not null)`,
    `create table events (
      key ${onPostgres ? 'bigint' : 'integer'} primary key, id ${id} not null unique, uid ${id} not null unique,
      visibility text not null, all_day smallint not null, timezone text not null, start_local bigint not null,
      start_at bigint not null, duration_ms bigint not null, rrule text, rdates text not null, last_local bigint,
      is_recurring smallint not null, indexed_from bigint, indexed_to bigint, title text not null, description text,
      location text, category text, url text, status text not null, transparency text not null,
      search_text text not null, created_at bigint not null, updated_at bigint not null, created_by text,
      updated_by text, version bigint not null, revision bigint not null, ical text not null)`,
    'create index events_by_start on events (all_day, start_at, duration_ms, key)',
    'create index events_indexed_to on events (indexed_to) where indexed_to is not null',
    'create index events_indexed_from on events ((indexed_from + duration_ms)) where indexed_from is not null',
    'create index events_by_revision on events (revision)',
    `create table exceptions (
      event_key bigint not null references events (key) on delete cascade, local_at bigint not null,
      kind text not null, title text, description text, location text, category text, url text, status text,
      start_local bigint, start_at bigint, duration_ms bigint, search_text text, created_at bigint not null,
      created_by text, primary key (event_key, local_at))${compact}`,
    `create table occurrences (
      event_key bigint not null references events (key) on delete cascade, local_at bigint not null,
      lane smallint not null, start_at bigint not null, end_at bigint not null, is_overridden smallint not null,
      is_hidden smallint not null, primary key (event_key, local_at))${compact}`,
    `create index occurrences_by_time on occurrences
      (lane, start_at, end_at, event_key, local_at, is_overridden, is_hidden)`,
    `create table tombstones (
      event_id ${id} primary key, uid text not null, revision bigint not null, deleted_at bigint not null)`,
    'create index tombstones_by_revision on tombstones (revision)',
    `create table idempotency_keys (
      user_id text not null, key text not null, body_hash text not null, event_id text not null,
      created_at bigint not null, primary key (user_id, key))`,
    'create index idempotency_keys_by_age on idempotency_keys (created_at)',
    'create table leases (name text primary key, holder text not null, expires_at bigint not null)',
    publicEvents,
    publicExceptions,
  ]
}

const whenPublic = (column: string, of: string): string => `case when ${of}.visibility = 'public' then ${column} end`

/** Private words end here: this view is all that a public read may ask. A cancelled private event is not even there. */
const publicEvents = `create view public_events as select ${TIMES},
  case when e.visibility = 'public' then e.title else 'Private Event' end as title,
  ${WORDS.map((word) => `${whenPublic(`e.${word}`, 'e')} as ${word}`).join(', ')},
  case when e.visibility = 'public' then e.status else 'confirmed' end as status,
  case when e.visibility = 'public' then e.search_text else 'private event' end as search_text
  from events e where e.visibility = 'public' or e.status <> 'cancelled'`

const publicExceptions = `create view public_exceptions as select x.event_key, x.local_at,
  case when e.visibility = 'private' and x.status = 'cancelled' then 'excluded' else x.kind end as kind,
  ${['title', ...WORDS, 'status', 'search_text'].map((word) => `${whenPublic(`x.${word}`, 'e')} as ${word}`).join(', ')},
  x.start_local, x.start_at, x.duration_ms, 0 as created_at, null as created_by
  from exceptions x join events e on e.key = x.event_key`
