// Managed categories, and marks of events whose category the public must not see.
import { sql } from 'kysely'
import { isPostgres } from '../../dialect.ts'
import type { Migration } from '../../migrate.ts'

export const managedCategories: Migration = {
  name: '024-categories',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

const TIMES =
  'key, id, visibility, all_day, timezone, start_local, start_at, duration_ms, rrule, rdates, last_local, is_recurring, indexed_from, indexed_to'

/** Words that the public may see only of public events, besides the category. */
const EVENT_WORDS = ['description', 'location', 'url']
const EXCEPTION_WORDS = ['title', 'description', 'location', 'url', 'status']

const whenPublic = (column: string): string => `case when e.visibility = 'public' then ${column} end`

function statements(onPostgres: boolean): string[] {
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  // SQLite has no statistics and would read the rows themselves.
  const by = (index: string): string => (onPostgres ? '' : `indexed by ${index}`)
  // The mark is behind the texts of the row: an index of marked events, which are few, is read instead.
  const isHidden = `exists (select 1 from events h ${by('events_hidden_category')}
    where h.key = e.key and h.hides_category = 1)`
  const category = `case when e.visibility = 'public' and not ${isHidden} then e.category end as category`
  return [
    `create table categories (
      id ${bytes} primary key, name text not null, folded ${bytes} not null unique, former_folded ${bytes},
      color text not null, position bigint not null, description text, visibility text not null,
      version bigint not null, created_at bigint not null, updated_at bigint not null)`,
    `alter table calendar add column internal_categories text not null default '[]'`,
    'alter table events add column hides_category smallint not null default 0',
    'alter table exceptions add column hides_category smallint not null default 0',
    'drop view public_categories',
    'drop view public_events',
    'drop view public_exceptions',
    'drop view public_feed',
    'drop index events_public_categories',
    'drop index exceptions_categories',
    'create index events_hidden_category on events (key, hides_category) where hides_category = 1',
    'create index events_by_category on events (category, key) where category is not null',
    `create index exceptions_by_category on exceptions (category, event_key)
      where kind = 'overridden' and category is not null`,
    `create index events_public_categories on events (is_recurring, category, key, hides_category)
      where visibility = 'public'`,
    `create index exceptions_categories on exceptions (event_key, category, hides_category)
      where kind = 'overridden' and category is not null`,
    `create view public_categories as
      select e.key as event_key, e.category from events e ${by('events_public_categories')}
        where e.visibility = 'public' and e.category is not null and e.hides_category = 0
      union all select x.event_key, x.category from events e ${by('events_public_categories')}
        cross join exceptions x ${by('exceptions_categories')}
        where e.visibility = 'public' and e.is_recurring = 1
        and x.event_key = e.key and x.kind = 'overridden' and x.category is not null and x.hides_category = 0`,
    `create view public_events as select ${TIMES},
      case when e.visibility = 'public' then e.title else 'Private Event' end as title,
      ${EVENT_WORDS.map((word) => `${whenPublic(`e.${word}`)} as ${word}`).join(', ')}, ${category},
      case when e.visibility = 'public' then e.status else 'confirmed' end as status
      from events e where e.visibility = 'public' or e.status <> 'cancelled'`,
    `create view public_exceptions as select x.event_key, x.local_at,
      case when e.visibility = 'private' and x.status = 'cancelled' then 'excluded' else x.kind end as kind,
      ${EXCEPTION_WORDS.map((word) => `${whenPublic(`x.${word}`)} as ${word}`).join(', ')},
      case when e.visibility = 'public' and x.hides_category = 0 then x.category end as category,
      x.start_local, x.start_at, x.duration_ms, 0 as created_at, null as created_by
      from exceptions x ${by('exceptions_public_times')} join events e on e.key = x.event_key
      where x.has_public_effect = 1`,
    `create view public_feed as select e.key, e.id, e.all_day, e.timezone, e.indexed_to, ${category}, e.public_ical
      from events e where e.public_ical <> ''`,
  ]
}
