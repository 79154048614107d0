// Says when the last scheduled backup was made, whether it is overdue or gone, and what is ahead.
import { readdirSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { backupNameAt, listAhead } from '../../domain/backup-schedule.ts'
import { HOUR_MS, type Instant, isAhead } from '../../domain/time/instant.ts'
import { COMMAND } from '../../installation.ts'
import type { Inspection } from '../../storage/engine/inspect.ts'
import { readBackupState } from '../../storage/operations/backup-state.ts'
import { type Finding, finding } from '../finding.ts'

/** A round that is a little late is no cause for a warning. */
const SLACK_MS = 2 * HOUR_MS

/** Backups that are made by hand or by another program leave no trace here. */
export async function checkLastBackup({ db }: Inspection, config: Config, now: Instant): Promise<Finding[]> {
  const { backupDir } = config
  if (backupDir === '')
    return [
      finding('backup_unknown', 'no backups are scheduled, and Daybook does not know of others', {
        values: {},
        advice: `Set backup_dir, or run ${COMMAND} backup regularly, and keep the files on another machine.`,
      }),
    ]
  const { succeeded_at, problem } = await readBackupState(db)
  const names = listNames(backupDir)
  return [judgeLast(config, { succeeded_at, problem, names }, now), ...findAhead(backupDir, names, now)]
}

interface BackupRecord {
  succeeded_at: Instant | null
  problem: string | null
  names: readonly string[]
}

function judgeLast(
  { backupDir, backupEveryMs }: Config,
  { succeeded_at, problem, names }: BackupRecord,
  now: Instant,
): Finding {
  const values = { last: succeeded_at === null ? '' : new Date(succeeded_at).toISOString() }
  const last =
    succeeded_at === null ? 'there is none yet' : `the last one is of ${new Date(succeeded_at).toISOString()}`
  if (problem !== null)
    return finding('backup_failing', `the scheduled backup failed; ${last}`, {
      advice: 'The log of the service says why. Is there room in backup_dir, and may the service write there?',
      values,
      path: backupDir,
    })
  if (succeeded_at === null || isAhead(succeeded_at, now) || now - succeeded_at > backupEveryMs + SLACK_MS)
    return finding('backup_overdue', `a scheduled backup is overdue; ${last}`, {
      advice: 'Is the service running?',
      values,
    })
  const name = backupNameAt(succeeded_at)
  if (!names.includes(name))
    return finding('backup_missing', `the last scheduled backup, ${name}, is not in backup_dir`, {
      values: { name },
      advice: 'Was it deleted or moved, or made by another node into a folder of its own?',
      path: backupDir,
    })
  return finding('backup_ok', `backups are made as scheduled; ${last}`, { values })
}

const MAX_NAMED = 3

function findAhead(backupDir: string, names: readonly string[], now: Instant): Finding[] {
  const ahead = listAhead(names, now)
  if (ahead.length === 0) return []
  const named = ahead.slice(0, MAX_NAMED).join(', ')
  const more = ahead.length > MAX_NAMED ? ` and ${ahead.length - MAX_NAMED} more` : ''
  return [
    finding('backup_ahead', `backup_dir has backups that are named after now: ${named}${more}`, {
      values: { names: named, more: Math.max(ahead.length - MAX_NAMED, 0) },
      advice: 'If the clock is right, it was ahead when they were made. They are never deleted: delete or rename them.',
      path: backupDir,
    }),
  ]
}

/** A folder that is missing or cannot be read has none. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
