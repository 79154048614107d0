// `daybook backup`: copies the whole calendar, accounts and settings into one file.
import { createReadStream, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { VERSION } from '../installation.ts'
import type { BackupContents } from '../storage/backup/backup-file.ts'
import { withCleanup, withUnfinished } from '../storage/backup/unfinished-file.ts'
import { syncFile, writeBackup } from '../storage/backup/write-backup.ts'
import { type Command, writeLine } from './command.ts'
import { explainWriting } from './explain.ts'
import { findTarget } from './output/target-file.ts'
import { makeTemporaryFolder } from './output/temporary-folder.ts'
import { type Source, withSource } from './with-context.ts'

export const backupCommand: Command = {
  usage: `Usage: daybook backup [FILE|-] [--without-secrets]

Writes events, accounts, settings and everything else that is kept into one file, from
which "daybook restore" makes the same calendar again, in SQLite or PostgreSQL. Without a
file name it is called daybook-DATE.backup; "-" writes to standard output. The file is a
SQLite database that any tool can open. It is complete or not there, it is read again and
checked before it gets its name, and only its owner can read it: it holds private events
and password hashes. Works while the service is running, and leaves a calendar of an older
version as it is.

--without-secrets  leaves out passwords, app passwords, API tokens, feed links, the mail
                   password and the instance's secret. Addresses and private events stay.
                   After a restore everyone needs a new password.`,
  options: { 'without-secrets': { type: 'boolean' } },
  takesName: true,
  async act(flags, name) {
    const withoutSecrets = flags['without-secrets'] === true
    await withSource(async (source) => {
      if (name === '-') return writeOut(source, withoutSecrets)
      const path = name ?? `daybook-${new Date(source.now).toISOString().slice(0, 10)}.backup`
      const contents = await writeNamed(source, path, withoutSecrets)
      writeLine(`${describeContents(contents)} are in ${path}${withoutSecrets ? ', without secrets' : ''}.`)
    })
  },
}

/** The file appears under its name when it is complete and checked. */
async function writeNamed(source: Source, path: string, withoutSecrets: boolean): Promise<BackupContents> {
  const target = findTarget(path, source.config)
  try {
    return await withUnfinished(target, async (fresh) => {
      const contents = await writeInto(source, fresh, withoutSecrets)
      renameSync(fresh, target)
      syncFolder(dirname(target))
      return contents
    })
  } catch (error) {
    throw explainWriting(path, error)
  }
}

async function writeOut(source: Source, withoutSecrets: boolean): Promise<void> {
  const folder = makeTemporaryFolder('daybook-backup-')
  await withCleanup(
    () => rmSync(folder, { recursive: true, force: true }),
    async () => {
      const path = join(folder, 'daybook.backup')
      await writeInto(source, path, withoutSecrets).catch((error) => Promise.reject(explainWriting(tmpdir(), error)))
      await pipeline(createReadStream(path), process.stdout)
    },
  )
}

function writeInto({ storage, config, now }: Source, path: string, withoutSecrets: boolean): Promise<BackupContents> {
  const header = { madeAt: now, program: VERSION }
  return writeBackup(storage, join(config.dataDir, 'daybook.db'), path, header, { withoutSecrets })
}

/** After a loss of power the new name is there too. Not every system can open a folder. */
function syncFolder(path: string): void {
  try {
    syncFile(path)
  } catch {
    // The content is on the disk in any case.
  }
}

export function describeContents({ rows }: BackupContents): string {
  const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`
  return `${count(rows.get('events') ?? 0, 'event')} and ${count(rows.get('users') ?? 0, 'account')}`
}
