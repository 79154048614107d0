// `daybook restore`: makes a calendar from a backup file, in an empty database of either engine.
import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig } from '../config.ts'
import { COMMAND } from '../installation.ts'
import { type BackupContents, checkBackup } from '../storage/backup/backup-file.ts'
import { requireEmptyServer } from '../storage/backup/empty-database.ts'
import { restoreIntoPostgres, restoreIntoSqlite } from '../storage/backup/restore-backup.ts'
import type { RestoreOptions } from '../storage/backup/stage-backup.ts'
import { withCleanup } from '../storage/backup/unfinished-file.ts'
import { openStorage } from '../storage/engine/open.ts'
import { describeContents } from './backup.ts'
import { type Command, UsageError, writeLine } from './command.ts'
import { explain, explainOpening, explainWriting } from './explain.ts'
import { describeDatabase, isServerUrl } from './output/database-name.ts'
import { describeFileError } from './output/file-error.ts'
import { makeTemporaryFolder } from './output/temporary-folder.ts'

export const restoreCommand: Command = {
  usage: `Usage: daybook restore FILE [--into postgres://…] [--keep-credentials] [--dry-run]

Makes a calendar from a file that "daybook backup" wrote, in the configured database or in
the one named by --into, which must be empty: also the way from SQLite to PostgreSQL and
back. Stop the service first. Events keep their ids and addresses, accounts their passwords.
Everyone has to sign in again, and calendar programs sync from the beginning.

--keep-credentials  for a move: leaves app passwords, API tokens and feed links valid, and
                    versions as they are. Without it credentials are removed, because the
                    backup cannot know which were revoked since.
--dry-run           checks the file, says what it holds and which database a restore would
                    write to, and changes nothing.`,
  options: {
    into: { type: 'string' },
    'keep-credentials': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  takesName: true,
  async act(flags, name) {
    if (!name) throw new UsageError('name the backup file')
    requireReadable(name)
    const into = flags.into as string | undefined
    if (into !== undefined && !isServerUrl(into)) throw new UsageError('--into takes a postgres:// URL')
    const contents = checkBackup(name)
    const loaded = loadConfig()
    const config = into === undefined ? loaded : { ...loaded, databaseUrl: into }
    const target = describeDatabase(config)
    if (flags['dry-run']) return describe(name, contents, target)
    const options = { restoredAt: Date.now(), keepsCredentials: flags['keep-credentials'] === true }
    await (config.databaseUrl ? intoServer(name, config, options) : intoFile(name, config, options))
    writeLine(`${describeContents(contents)} are restored into ${target}.`)
    for (const line of consequences(options, contents)) writeLine(line)
  },
}

function requireReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (code === 'ENOENT') throw new Error(`there is no file ${path}`)
    throw new Error(`${path} cannot be read: ${describeFileError(code) ?? code}`)
  }
}

async function intoFile(backup: string, { dataDir }: Config, options: RestoreOptions): Promise<void> {
  const path = join(dataDir, 'daybook.db')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    // SQLite says no more of a file that this user may not use than that it cannot be opened.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK)
    await restoreIntoSqlite(backup, path, options)
  } catch (error) {
    throw explainFailure(dataDir, error)
  }
}

async function intoServer(backup: string, config: Config, options: RestoreOptions): Promise<void> {
  const storage = await openStorage(config, {}, { requireUsable: requireEmptyServer }).catch((error) =>
    Promise.reject(explainOpening(error, config)),
  )
  try {
    const folder = makeTemporaryFolder('daybook-restore-')
    await withCleanup(
      () => rmSync(folder, { recursive: true, force: true }),
      () => restoreIntoPostgres(backup, storage, join(folder, 'daybook.db'), options),
    )
  } catch (error) {
    throw explainFailure(tmpdir(), error)
  } finally {
    await storage.close()
  }
}

/** `folder` is where the copy is made. An error with a sentence of its own says what to do. */
function explainFailure(folder: string, error: unknown): unknown {
  const reason = explain(explainWriting(folder, error))
  return reason.endsWith('.') ? error : new Error(`${reason}. Nothing is half restored: run the command again.`)
}

function describe(name: string, contents: BackupContents, target: string): void {
  const { madeAt, program, engine, rows, hasSecrets } = contents
  writeLine(`${name}: a backup of ${new Date(madeAt).toISOString()}, by Daybook ${program} from ${ENGINES[engine]}.`)
  for (const [table, count] of rows) writeLine(`${String(count).padStart(10)}  ${table}`)
  if (!hasSecrets) writeLine('It was made without passwords, credentials and other secrets.')
  writeLine('The file is complete and undamaged. Nothing was changed.')
  writeLine(`Without --dry-run it would be restored into ${target}.`)
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function consequences({ keepsCredentials }: RestoreOptions, { hasSecrets }: BackupContents): string[] {
  const all = 'Everyone has to sign in again; calendar programs sync from the beginning.'
  if (!hasSecrets)
    return [
      all,
      'The backup was made without secrets: everyone needs a new password, by "forgotten password" on the sign-in page.',
      `The first administrator gets one on this machine: ${COMMAND} admin grant --email you@example.org`,
      'App passwords, API tokens, feed links and the password of the mail server have to be made or entered again.',
    ]
  return [
    all,
    keepsCredentials
      ? 'App passwords, API tokens and feed links are as they were, also those revoked since the backup.'
      : 'App passwords, API tokens and feed links of the backup are removed; people make new ones.',
    'Passwords, roles and suspensions are those of the backup: check the accounts that were changed since.',
  ]
}
