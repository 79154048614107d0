// Earlier versions of events are kept, with who made each of them and by what means.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const eventVersions: Migration = {
  name: '019-event-versions',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

function statements(onPostgres: boolean): string[] {
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  const added = (table: string, columns: readonly string[]): string[] =>
    columns.map((column) => `alter table ${table} add column ${column}`)
  const means = ['updated_with text', `updated_credential_id ${bytes}`, 'updated_through text']
  return [
    ...added('events', means),
    ...added('trash', [`updated_by ${bytes}`, ...means]),
    // The texts come last, so that SQLite reads the other columns without them.
    `create table event_versions (
      event_key bigint not null, version bigint not null, changed_at bigint not null, changed_by ${bytes},
      changed_with text, credential_id ${bytes}, changed_through text, visibility text not null,
      ended_at bigint not null, deleted_by ${bytes}, deleted_with text, octets bigint not null,
      packing smallint not null, same_version bigint, ical text, sent_ical text, packed text,
      primary key (event_key, version))`,
    'create index event_versions_by_end on event_versions (packing, ended_at)',
  ]
}
