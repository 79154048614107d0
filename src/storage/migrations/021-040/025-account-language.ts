// The language of mails to an account; null means the calendar's.
import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

export const accountLanguage: Migration = {
  name: '025-account-language',
  async up(db) {
    await sql.raw('alter table users add column language text').execute(db)
  },
}
