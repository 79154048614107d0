// The row with the result of the last scheduled backup.
import type { Instant } from '../../domain/time/instant.ts'
import { forUpdate } from '../dialect.ts'
import type { Db } from '../tables.ts'
import type { BackupStateRow } from '../work-tables.ts'

export const readBackupState = (db: Db): Promise<BackupStateRow> =>
  db.selectFrom('backup_state').selectAll().executeTakeFirstOrThrow()

export async function setBackupSuccess(db: Db, at: Instant): Promise<void> {
  await db
    .updateTable('backup_state')
    .set({ attempted_at: at, succeeded_at: at, problem: null, notified_at: null })
    .execute()
}

/** Returns whether administrators are to be notified: at most once in `quietMs`. */
export async function setBackupFailure(db: Db, at: Instant, problem: string, quietMs: number): Promise<boolean> {
  const { notified_at } = await forUpdate(
    db,
    db.selectFrom('backup_state').select('notified_at'),
  ).executeTakeFirstOrThrow()
  const isDue = notified_at === null || at - notified_at >= quietMs
  await db
    .updateTable('backup_state')
    .set({ attempted_at: at, problem, ...(isDue ? { notified_at: at } : {}) })
    .execute()
  return isDue
}
