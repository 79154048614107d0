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

/** Returns whether administrators are to be notified: not within `quietMs` of the last `setBackupNotified`. */
export async function setBackupFailure(db: Db, at: Instant, problem: string, quietMs: number): Promise<boolean> {
  const known = await forUpdate(db, db.selectFrom('backup_state').select('notified_at')).executeTakeFirst()
  const notifiedAt = known?.notified_at ?? null
  await setBackupState(db, { attempted_at: at, problem })
  // A time ahead of this one was written before the clock was set back.
  return notifiedAt === null || notifiedAt > at || at - notifiedAt >= quietMs
}

export const setBackupNotified = (db: Db, at: Instant): Promise<void> => setBackupState(db, { notified_at: at })

async function setBackupState(db: Db, state: Partial<BackupStateRow>): Promise<void> {
  await db
    .insertInto('backup_state')
    .values({ ...NONE, ...state })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(state))
    .execute()
}
