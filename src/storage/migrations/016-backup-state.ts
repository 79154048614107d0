// The result of the last scheduled backup, which all nodes and every start know.
import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

export const backupState: Migration = {
  name: '016-backup-state',
  async up(db) {
    await sql`create table backup_state (
      id smallint primary key, attempted_at bigint, succeeded_at bigint, problem text, notified_at bigint)`.execute(db)
    await sql`insert into backup_state (id) values (1)`.execute(db)
  },
}
