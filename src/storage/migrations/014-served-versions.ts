// The versions of CalDAV objects that each credential has received, for PUT requests without If-Match.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const servedVersions: Migration = {
  name: '014-served-versions',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

function statements(onPostgres: boolean): string[] {
  const bytes = onPostgres ? 'text collate "C"' : 'text'
  return [
    `create table served_revisions (
      credential_id ${bytes} primary key, user_id ${bytes} not null references users (id) on delete cascade,
      revision bigint not null, served_at bigint not null)`,
    'create index served_revisions_by_user on served_revisions (user_id)',
    'create index served_revisions_by_age on served_revisions (served_at)',
    `create table served_objects (
      credential_id ${bytes} not null references served_revisions (credential_id) on delete cascade,
      dav_name ${bytes} not null, revision bigint not null, primary key (credential_id, dav_name))`,
    'create index served_objects_by_revision on served_objects (credential_id, revision)',
  ]
}
