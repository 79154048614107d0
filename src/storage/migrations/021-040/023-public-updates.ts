// A view of when public events were last changed, for sitemaps and news feeds; private events are not in it.
import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

export const publicUpdates: Migration = {
  name: '023-public-updates',
  async up(db) {
    await sql
      .raw("create view public_updates as select e.key, e.id, e.updated_at from events e where e.visibility = 'public'")
      .execute(db)
  },
}
