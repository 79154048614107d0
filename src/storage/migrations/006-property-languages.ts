// The language of what people set in their programs, which belongs to it (RFC 4918 §4.3).
import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

export const propertyLanguages: Migration = {
  name: '006-property-languages',
  async up(db) {
    await sql`alter table dav_properties add column lang text`.execute(db)
  },
}
