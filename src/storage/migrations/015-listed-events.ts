// A covering index for counting and ordering events as stored, which then passes no list of extra dates.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const listedEvents: Migration = {
  name: '015-listed-events',
  async up(db) {
    // PostgreSQL keeps long values outside the rows.
    if (isPostgres(db)) return
    for (const statement of SQLITE) await sql.raw(statement).execute(db)
  },
}

const SQLITE = [
  'drop index events_by_start',
  'create index events_by_start on events (all_day, start_at, duration_ms, key, visibility, status, start_local)',
]
