// Says when the last backup was made, as far as that is known.
import { type Finding, finding } from '../finding.ts'

/** Backups that are made by hand or by another program leave no trace here. */
export const checkBackup = (): Finding[] => [
  finding('backup_unknown', 'Daybook does not know of a backup', {
    advice: 'Run npx daybook backup regularly and keep the files on another machine.',
  }),
]
