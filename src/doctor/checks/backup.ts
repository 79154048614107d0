// Says when the last scheduled backup was made, and whether it is overdue.

import type { Config } from '../../config.ts'
import { HOUR_MS, type Instant } from '../../domain/time/instant.ts'
import { COMMAND } from '../../installation.ts'
import type { Inspection } from '../../storage/engine/inspect.ts'
import { readBackupState } from '../../storage/operations/backup-state.ts'
import { type Finding, finding } from '../finding.ts'

/** A round that is a little late is no cause for a warning. */
const SLACK_MS = 2 * HOUR_MS

/** Backups that are made by hand or by another program leave no trace here. */
export async function checkLastBackup(
  { db }: Inspection,
  { backupDir, backupEveryMs }: Config,
  now: Instant,
): Promise<Finding[]> {
  if (backupDir === '')
    return [
      finding('backup_unknown', 'no backups are scheduled, and Daybook does not know of others', {
        advice: `Set backup_dir, or run ${COMMAND} backup regularly, and keep the files on another machine.`,
      }),
    ]
  const { succeeded_at, problem } = await readBackupState(db)
  const last =
    succeeded_at === null ? 'there is none yet' : `the last one is of ${new Date(succeeded_at).toISOString()}`
  if (problem !== null)
    return [
      finding('backup_failing', `the scheduled backup failed; ${last}`, {
        advice: 'The log of the service says why. Is there room in backup_dir, and may the service write there?',
        path: backupDir,
      }),
    ]
  const isOverdue = succeeded_at === null || now - succeeded_at > backupEveryMs + SLACK_MS
  return [
    isOverdue
      ? finding('backup_overdue', `a scheduled backup is overdue; ${last}`, { advice: 'Is the service running?' })
      : finding('backup_ok', `backups are made as scheduled; ${last}`),
  ]
}
