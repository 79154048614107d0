// The row with the result of the last scheduled backup.
import type { Instant } from '../../domain/time/instant.ts'
import { forUpdate } from '../dialect.ts'
import type { Db } from '../tables.ts'
import type { BackupStateRow } from '../work-tables.ts'

const NONE: BackupStateRow = { id: 1, attempted_at: null, succeeded_at: null, problem: null, notified_at: null }

/** Where the row is missing, no backup was tried yet: calendars restored by earlier versions began without it. */
export const readBackupState = async (db: Db): Promise<BackupStateRow> =>
  (await db.selectFrom('backup_state').selectAll().executeTakeFirst()) ?? NONE

export const setBackupSuccess = (db: Db, at: Instant): Promise<void> =>
  setBackupState(db, { attempted_at: at, succeeded_at: at, problem: null, notified_at: null })

/** Returns whether administrators are to be notified: at most once in `quietMs`. */
export async function setBackupFailure(db: Db, at: Instant, problem: string, quietMs: number): Promise<boolean> {
  const known = await forUpdate(db, db.selectFrom('backup_state').select('notified_at')).executeTakeFirst()
  const notifiedAt = known?.notified_at ?? null
  const isDue = notifiedAt === null || at - notifiedAt >= quietMs
  await setBackupState(db, { attempted_at: at, problem, ...(isDue ? { notified_at: at } : {}) })
  return isDue
}

async function setBackupState(db: Db, state: Partial<BackupStateRow>): Promise<void> {
  await db
    .insertInto('backup_state')
    .values({ ...NONE, ...state })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(state))
    .execute()
}
