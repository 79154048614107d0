// Scheduled backups: when one is due, which files are kept, and what administrators learn.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { backupNameAt } from '../../domain/backup-schedule.ts'
import { DAY_MS, type Instant, MINUTE_MS } from '../../domain/time/instant.ts'
import { removeLeftovers } from '../../storage/backup/unfinished-file.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import {
  readBackupState,
  setBackupFailure,
  setBackupNotified,
  setBackupSuccess,
} from '../../storage/operations/backup-state.ts'
import { notifyAdministrators } from '../../storage/operations/outbox.ts'
import { readClockVerdict } from './clock-guard.ts'
import { deleteExpiredBackups } from './expired-backups.ts'

/** A backup that failed is tried again. */
const RETRY_MS = 15 * MINUTE_MS
/** Administrators get one mail a day while backups fail. */
const NOTIFY_MS = DAY_MS

/** Writes a backup to the path given, in another process, since it blocks; has ended when it settles. */
export type BackupRunner = (path: string, signal: AbortSignal) => Promise<void>

export interface BackupHealth {
  status: 'off' | 'ok' | 'waiting' | 'failing'
  succeededAt: Instant | undefined
  problem: string | undefined
}

/** `waiting` until the first one is made. */
export async function readBackupHealth(ctx: Context): Promise<BackupHealth> {
  const { succeeded_at, problem } = await readBackupState(ctx.storage.reads)
  const known = { succeededAt: succeeded_at ?? undefined, problem: problem ?? undefined }
  if (ctx.config.backupDir === '') return { status: 'off', ...known }
  return { status: problem !== null ? 'failing' : succeeded_at === null ? 'waiting' : 'ok', ...known }
}

/**
 * Makes a backup if one is due, and deletes those that are no longer kept, unless the clock is in doubt. `isStart`
 * repeats a failed one at once, since a restart often follows the correction of what made it fail.
 */
export async function backUpIfDue(
  ctx: Context,
  run: BackupRunner,
  signal: AbortSignal,
  isStart = false,
): Promise<void> {
  const { backupDir, backupEveryMs, backupKeep } = ctx.config
  const { attempted_at, succeeded_at, problem } = await readBackupState(ctx.storage.reads)
  const now = ctx.clock()
  // A time ahead of the clock was written before the clock was set back.
  const isOlder = (at: Instant | null, age: number): boolean => at === null || at > now || now - at >= age
  if (!isOlder(succeeded_at, backupEveryMs)) return
  if (problem !== null && !isStart && !isOlder(attempted_at, RETRY_MS)) return
  const written = backupNameAt(now)
  const path = join(backupDir, written)
  try {
    mkdirSync(backupDir, { recursive: true, mode: 0o700 })
    await run(path, signal)
    // With a wrong clock the wrong ones would be deleted.
    if ((await readClockVerdict(ctx)) === 'plausible')
      deleteExpiredBackups({ folder: backupDir, keep: backupKeep, written, now: ctx.clock() }, ctx.log)
    if (!existsSync(path)) throw new Error(`${path} is not there after it was made`)
    await inTransaction(ctx.storage, (db) => setBackupSuccess(db, now))
    ctx.log.info('a backup was made')
  } catch (error) {
    // A process that was killed could not remove its own.
    removeLeftovers(path)
    if (signal.aborted) return
    await recordFailure(ctx, now, (error as Error).message)
  }
}

async function recordFailure(ctx: Context, now: Instant, problem: string): Promise<void> {
  ctx.log.error('the scheduled backup failed', { problem })
  await inTransaction(ctx.storage, async (db) => {
    const isDue = await setBackupFailure(db, now, problem, NOTIFY_MS)
    if (isDue && (await notifyAdministrators(db, 'backup_failed', ctx.newId, now))) await setBackupNotified(db, now)
  })
}
