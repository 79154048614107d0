// Credentials that deleted or changed very many events in a short time, so that one mail is sent for each incident.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const bulkChanges: Migration = {
  name: '020-bulk-changes',
  async up(db) {
    const bytes = isPostgres(db) ? sql`text collate "C"` : sql`text`
    await sql`create table bulk_changes (
      credential ${bytes} primary key, user_id ${bytes} not null references users (id) on delete cascade,
      changed_with text not null, credential_id ${bytes}, began_at bigint not null, last_at bigint not null)`.execute(
      db,
    )
    await sql`create index bulk_changes_by_user on bulk_changes (user_id)`.execute(db)
  },
}
