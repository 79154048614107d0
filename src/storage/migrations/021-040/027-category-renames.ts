// Further values of CATEGORIES, so that a rename finds them, and the administrator of a rename that is under way.
import { sql } from 'kysely'
import { isPostgres } from '../../dialect.ts'
import type { Migration } from '../../migrate.ts'

export const categoryRenames: Migration = {
  name: '027-category-renames',
  async up(db) {
    for (const statement of statements(isPostgres(db))) await sql.raw(statement).execute(db)
  },
}

const statements = (onPostgres: boolean): string[] => [
  'alter table events add column more_categories text',
  // PostgreSQL limits the size of an index entry; SQLite reads the column behind a long text through all its pages.
  `create index events_more_categories on events (key${onPostgres ? '' : ', more_categories'})
    where more_categories is not null`,
  'alter table categories add column renamed_by text',
  // Personal feeds of several categories: a JSON list, or null for all.
  'alter table feed_links add column categories text',
  `update feed_links set categories = ${onPostgres ? 'json_build_array(category)::text' : 'json_array(category)'}
    where category is not null`,
  'alter table feed_links drop column category',
]
