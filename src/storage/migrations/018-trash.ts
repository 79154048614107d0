// Deleted events are kept with their texts, so that they can be restored.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const trash: Migration = {
  name: '018-trash',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

function statements(onPostgres: boolean): string[] {
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  return [
    `create table trash (
      event_id ${bytes} primary key, uid ${bytes} not null, dav_name ${bytes} not null, visibility text not null,
      title text not null, all_day smallint not null, timezone text not null, start_at bigint not null,
      duration_ms bigint not null, is_recurring smallint not null, ical text not null,
      sent_ical text, mask_epoch bigint not null, version bigint not null, created_at bigint not null,
      updated_at bigint not null, created_by ${bytes}, deleted_at bigint not null, deleted_by ${bytes},
      deleted_with text not null, credential_id ${bytes})`,
    'create index trash_by_time on trash (deleted_at, event_id)',
    'create index trash_by_uid on trash (uid)',
  ]
}
