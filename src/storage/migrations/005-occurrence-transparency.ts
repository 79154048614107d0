// Whether one edited occurrence takes up time, where it is not as the rest of its series.
import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

export const occurrenceTransparency: Migration = {
  name: '005-occurrence-transparency',
  async up(db) {
    await sql`alter table exceptions add column transparency text`.execute(db)
    // The next housekeeping derives every event again.
    await sql`update instance set tz_version = ''`.execute(db)
  },
}
