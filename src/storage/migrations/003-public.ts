// What the public may have, kept ready: its text and its words beside each event, and links to personal feeds.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const publicReads: Migration = {
  name: '003-public',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

function statements(onPostgres: boolean): string[] {
  // Bytes decide on both engines, so that a prefix is a range of the index whatever the locale.
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  const compact = onPostgres ? '' : ' without rowid'
  return [
    `alter table events add column public_ical text not null default ''`,
    'alter table events add column mask_epoch bigint not null default 0',
    `create table public_words (
      event_key bigint not null references events (key) on delete cascade, local_at bigint not null,
      word ${bytes} not null, primary key (event_key, local_at, word))${compact}`,
    'create index public_words_by_word on public_words (word, event_key, local_at)',
    `create table feed_links (
      id ${bytes} primary key, hash text not null unique,
      user_id ${bytes} not null references users (id) on delete cascade, name text not null, detail text not null,
      category text, created_at bigint not null, last_used_at bigint)`,
    'create index feed_links_by_user on feed_links (user_id)',
    'drop view public_events',
    'drop view public_exceptions',
    publicEvents,
    publicExceptions,
    publicFeed,
    // The next housekeeping finds zone data it has not seen, and derives every event again: texts and words with it.
    `update instance set tz_version = ''`,
  ]
}

const TIMES =
  'key, id, visibility, all_day, timezone, start_local, start_at, duration_ms, rrule, rdates, last_local, is_recurring, indexed_from, indexed_to'

/** Words that the public may see only of public events. */
const WORDS = ['description', 'location', 'category', 'url'] as const

const whenPublic = (column: string, of: string): string => `case when ${of}.visibility = 'public' then ${column} end`

/** As before, without the text to search in: the public searches `public_words`. */
const publicEvents = `create view public_events as select ${TIMES},
  case when e.visibility = 'public' then e.title else 'Private Event' end as title,
  ${WORDS.map((word) => `${whenPublic(`e.${word}`, 'e')} as ${word}`).join(', ')},
  case when e.visibility = 'public' then e.status else 'confirmed' end as status
  from events e where e.visibility = 'public' or e.status <> 'cancelled'`

const publicExceptions = `create view public_exceptions as select x.event_key, x.local_at,
  case when e.visibility = 'private' and x.status = 'cancelled' then 'excluded' else x.kind end as kind,
  ${['title', ...WORDS, 'status'].map((word) => `${whenPublic(`x.${word}`, 'e')} as ${word}`).join(', ')},
  x.start_local, x.start_at, x.duration_ms, 0 as created_at, null as created_by
  from exceptions x join events e on e.key = x.event_key`

/** All that a feed for the public may ask: texts that were masked when they were written. */
const publicFeed = `create view public_feed as select e.key, e.id, e.all_day, e.timezone, e.indexed_to,
  ${whenPublic('e.category', 'e')} as category, e.public_ical
  from events e where e.public_ical <> ''`
