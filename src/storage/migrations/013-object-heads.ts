// Covering indexes for the names and tags of objects, which a sync then reads without passing their texts.
import { sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import type { Migration } from '../migrate.ts'

export const objectHeads: Migration = {
  name: '013-object-heads',
  async up(db) {
    for (const statement of isPostgres(db) ? POSTGRES : SQLITE) await sql.raw(statement).execute(db)
  },
}

const HEAD = ['key', 'id', 'dav_name', 'version', 'revision', 'created_at', 'updated_at']
const from = (table: string): string => HEAD.map((column) => `${table}.${column}`).join(', ')

/** Long texts are kept outside the rows here, so that an index of heads would save nothing. */
const POSTGRES = [
  'drop index events_by_revision',
  'create index events_by_change on events (revision, dav_name)',
  `create view object_heads as select ${from('e')}, octet_length(e.ical) as octets,
    octet_length(e.sent_ical) as sent_octets from events e`,
]

/** Lengths of texts are in the header of the row, which has its first page; they are joined by its key. */
const SQLITE = [
  'drop index events_by_revision',
  'create index events_by_change on events (revision, dav_name, id, version, created_at, updated_at)',
  `create index events_heads on events (${HEAD.join(', ')})`,
  `create view object_heads as select ${from('h')}, octet_length(e.ical) as octets,
    octet_length(e.sent_ical) as sent_octets
    from events h indexed by events_heads cross join events e where e.key = h.key`,
]
