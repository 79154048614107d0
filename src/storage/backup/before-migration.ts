// Backs up a SQLite database before a newer version of the program changes its schema.
import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Storage } from '../engine/storage.ts'
import type { BackupHeader } from './backup-file.ts'
import { removeLeftovers, removeUnfinished, unfinishedNameOf } from './unfinished-file.ts'
import { writeBackup } from './write-backup.ts'

/** Beside the database, named after the last migration it has; returns the path. One that is there already is kept. */
export async function backUpBeforeMigration(
  storage: Storage,
  path: string,
  header: Omit<BackupHeader, 'engine'>,
): Promise<string> {
  const rows = await storage.reads.selectFrom('migrations').select('name').execute()
  const last = rows
    .map(({ name }) => name)
    .sort()
    .at(-1)!
  const target = join(dirname(path), `daybook-at-${last}.backup`)
  if (existsSync(target)) return target
  removeLeftovers(target)
  const fresh = unfinishedNameOf(target)
  try {
    await writeBackup(storage, path, fresh, header)
    renameSync(fresh, target)
    return target
  } catch (error) {
    const { code, errcode, message } = error as { code?: string; errcode?: number; message: string }
    const reason = errcode === undefined && code && !code.startsWith('ERR_') ? code : message
    throw new Error(`the backup before the change of the schema cannot be written to ${target}: ${reason}`)
  } finally {
    removeUnfinished(fresh)
  }
}
