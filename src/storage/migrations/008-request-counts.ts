// Counts how often an account was requested, so that administrators see requests that were made more than once.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'
import type { Db } from '../tables.ts'

export const requestCounts: Migration = {
  name: '008-request-counts',
  async up(db) {
    await sql`alter table users add column request_count integer not null default 0`.execute(db)
    await sql`alter table users add column last_requested_at bigint`.execute(db)
    // Accounts that an operator made were never requested: they are decided and verified as they are created.
    await sql`update users set request_count = 1, last_requested_at = created_at
      where decided_at is null or email_verified_at is null
      or decided_at <> created_at or email_verified_at <> created_at`.execute(db)
    // When an address was requested again was not recorded before.
    if (await hasAskedAgain(db))
      await sql`update users set request_count = 2, last_requested_at = null where was_asked_again = 1`.execute(db)
  },
}

/** Step 002 as it first landed made no such column; step 009 adds it. */
async function hasAskedAgain(db: Db): Promise<boolean> {
  const query = isPostgres(db)
    ? sql`select 1 from information_schema.columns where table_schema = current_schema()
        and table_name = 'users' and column_name = 'was_asked_again'`
    : sql`select 1 from pragma_table_info('users') where name = 'was_asked_again'`
  return (await query.execute(db)).rows.length > 0
}
