// Settings that administrators change in the browser; those chosen at set-up move there.
import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const CHOSEN = {
  site_name: 'site_name',
  timezone: 'timezone',
  week_start: `case week_start ${WEEKDAYS.map((name, day) => `when ${day} then '${name}'`).join(' ')} end`,
}

export const changedSettings: Migration = {
  name: '017-settings',
  async up(db) {
    await sql`create table settings (
      name text primary key, value text not null, changed_at bigint not null)`.execute(db)
    await sql`alter table instance add column settings_version bigint not null default 1`.execute(db)
    for (const [column, text] of Object.entries(CHOSEN)) {
      await sql
        .raw(
          `insert into settings (name, value, changed_at)
           select '${column}', ${text}, created_at from instance where ${column} is not null`,
        )
        .execute(db)
      await sql.raw(`alter table instance drop column ${column}`).execute(db)
    }
  },
}
