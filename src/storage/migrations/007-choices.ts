// What whoever sets the calendar up chooses for it: its name, its zone and the first day of its week.
import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

export const choices: Migration = {
  name: '007-choices',
  async up(db) {
    for (const column of ['site_name text', 'timezone text', 'week_start integer'])
      await sql.raw(`alter table instance add column ${column}`).execute(db)
  },
}
