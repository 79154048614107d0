// Deletes scheduled backups that are no longer kept; what cannot be deleted is logged.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BackupRetention, type LastBackup, listExpired, timeOfBackup } from '../../domain/backup-schedule.ts'
import { describeKind } from '../../errors.ts'
import type { Log } from '../../ops/log.ts'

export interface Pruning extends LastBackup {
  folder: string
  keep: BackupRetention
}

export function deleteExpiredBackups({ folder, keep, written, now }: Pruning, log: Log): void {
  try {
    for (const name of listExpired(listFiles(folder, log), keep, { written, now })) deleteBackup(folder, name, log)
  } catch (error) {
    log.warn('old backups could not be looked for', { folder, ...describeKind(error) })
  }
}

/** Files and links. */
const listFiles = (folder: string, log: Log): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile() || entry.isSymbolicLink()) return [entry.name]
    if (timeOfBackup(entry.name) !== undefined)
      log.warn('this has the name of a backup and is no file', { path: join(folder, entry.name) })
    return []
  })

function deleteBackup(folder: string, name: string, log: Log): void {
  try {
    rmSync(join(folder, name))
  } catch (error) {
    log.warn('an old backup could not be deleted', { path: join(folder, name), ...describeKind(error) })
  }
}
