// Marks exceptions that change what the public sees, and gives public reads an index of those alone.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const publicExceptionMarks: Migration = {
  name: '011-public-exceptions',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

/** Words that the public may see only of public events. */
const WORDS = ['title', 'description', 'location', 'category', 'url', 'status']

// Until an event is derived again each of its exceptions is marked, and readers leave out those without an effect.
const statements = (onPostgres: boolean): string[] => [
  'alter table exceptions add column has_public_effect smallint not null default 1',
  'create index exceptions_with_effect on exceptions (event_key, has_public_effect, local_at)',
  'drop view public_exceptions',
  // SQLite would walk through all exceptions of a series, as their rows are in the order of the primary key.
  `create view public_exceptions as select x.event_key, x.local_at,
    case when e.visibility = 'private' and x.status = 'cancelled' then 'excluded' else x.kind end as kind,
    ${WORDS.map((word) => `case when e.visibility = 'public' then x.${word} end as ${word}`).join(', ')},
    x.start_local, x.start_at, x.duration_ms, 0 as created_at, null as created_by
    from exceptions x ${onPostgres ? '' : 'indexed by exceptions_with_effect'} join events e on e.key = x.event_key
    where x.has_public_effect = 1`,
]
