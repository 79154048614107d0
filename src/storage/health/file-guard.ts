// Refuses writes to a SQLite database whose files were removed or replaced while it was open.

import type { DatabaseSync } from 'node:sqlite'
import { AppError } from '../../errors.ts'
import { startInterval } from '../../scheduling/interval.ts'
import { watchDatabaseFiles } from './database-files.ts'
import { DataMissingError } from './failure.ts'
import type { StorageHealth } from './storage-health.ts'

export interface FileGuard {
  /** Fails with `storage_unavailable` unless every file is the one that was opened. */
  requireIntact(): void
  /** Call it when a transaction has just begun. */
  begin(): void
  /** Ends the checks; true while the files are intact. */
  stop(): boolean
}

/** So that readiness changes without a write. */
const CHECK_EVERY_MS = 1_000

export function createFileGuard(path: string, writer: DatabaseSync, health: StorageHealth): FileGuard {
  const files = watchDatabaseFiles(path, writer)
  const check = (): DataMissingError | undefined => {
    const loss = files.findLoss()
    if (!loss) {
      health.clear('data_missing')
      return undefined
    }
    if (files.canCheckpoint() && !writer.isTransaction) saveJournal(writer)
    const error = new DataMissingError(loss)
    health.report(error)
    return error
  }
  const timer = startInterval(CHECK_EVERY_MS, check)
  return {
    requireIntact() {
      const error = check()
      if (error) throw new AppError('storage_unavailable', { cause: error })
    },
    begin: files.begin,
    stop() {
      void timer.stop()
      return check() === undefined
    },
  }
}

/** An unlinked -wal is lost when this process ends, so its content is copied into the database file while possible. */
function saveJournal(writer: DatabaseSync): void {
  try {
    writer.prepare('pragma wal_checkpoint(passive)').get()
  } catch {
    // A reader or another process blocks it; the next check tries again.
  }
}
