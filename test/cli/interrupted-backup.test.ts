// Backups and restores that a signal ends: nothing is half done, and no file is left behind.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { loadConfig } from '../../src/config.ts'
import { unfinishedNameOf } from '../../src/storage/backup/unfinished-file.ts'
import { openStorage } from '../../src/storage/engine/open.ts'
import type { Storage } from '../../src/storage/engine/storage.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { MAIN, makeEnvironment, runCommandBeside, startService } from '../support/processes/process.ts'
import { fillLongTable } from '../support/storage/backups.ts'
import { type EmptyDatabase, forEachEngine, makePlace } from '../support/storage/engines.ts'

async function withStorage<T>({ settings, folder }: EmptyDatabase, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(loadConfig({ ...settings, DAYBOOK_LOG_LEVEL: 'silent' }, folder))
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** Enough rows for a copy to take a while, and one account. */
async function fill(place: EmptyDatabase): Promise<void> {
  await fillLongTable(place, 150_000)
  await withStorage(place, ({ writes }) =>
    sql`insert into users (id, email, email_key, display_name, password_hash, role, approval_state, created_at, version)
      values ('one', 'one@example.org', 'one@example.org', 'one', '', 'admin', 'approved', 0, 1)`.execute(writes),
  )
}

/** Runs a command, and ends it by this signal once `isBegun`. */
async function interrupt(
  args: string[],
  { folder, settings }: EmptyDatabase,
  signal: NodeJS.Signals,
  isBegun: () => boolean | Promise<boolean>,
): Promise<NodeJS.Signals | number | null> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: makeEnvironment(settings),
    stdio: 'ignore',
  })
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    child.once('exit', (code, by) => resolve(by ?? code)),
  )
  await waitFor(`${args[0]} has begun`, async () => child.exitCode !== null || (await isBegun()), { everyMs: 2 })
  child.kill(signal)
  return ended
}

const unfinishedIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /\.new(?:-|$)/.test(name)) : []

forEachEngine('F58: a backup that a signal ends leaves no file, nor does the service when it stops', async (engine) => {
  const place = await makePlace(engine)
  try {
    await fill(place)
    const isBegun = (): boolean => unfinishedIn(place.folder).length > 0
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      assert.equal(await interrupt(['backup', 'a.backup'], place, signal, isBegun), signal)
      assert.deepEqual(unfinishedIn(place.folder), [], signal)
      assert.equal(existsSync(join(place.folder, 'a.backup')), false)
    }
    const backups = join(place.folder, 'backups')
    const service = await startService(place.folder, { ...place.settings, DAYBOOK_BACKUP_DIR: backups })
    await waitFor('a scheduled backup has begun', () => unfinishedIn(backups).length > 0, { everyMs: 2 })
    assert.equal(await service.kill('SIGTERM'), 0)
    assert.deepEqual(readdirSync(backups), [])
  } finally {
    await place.remove()
  }
})

test('F58: a backup removes what killed ones left in its folder, and nothing else', async () => {
  const place = await makePlace('sqlite')
  try {
    await fill(place)
    const isBegun = (): boolean => unfinishedIn(place.folder).length > 0
    assert.equal(await interrupt(['backup', 'a.backup'], place, 'SIGKILL', isBegun), 'SIGKILL')
    assert.ok(unfinishedIn(place.folder).length > 0)
    const dead = /\.([0-9a-f]{8}-\d+)\.new/.exec(unfinishedIn(place.folder)[0]!)![1]!
    const kept = [unfinishedNameOf('b.backup'), `notes.${dead}.new`, 'c.backup.new']
    for (const name of [...kept, `d.backup.${dead}.new-journal`, `own.${dead}.new`])
      writeFileSync(join(place.folder, name), '')
    assert.equal((await runCommandBeside(['backup', 'own'], place.folder, place.settings)).code, 0)
    assert.deepEqual(unfinishedIn(place.folder).sort(), kept.sort())
  } finally {
    await place.remove()
  }
})

forEachEngine(
  'F58: a restore that is killed in the middle leaves an empty database, and the next one works',
  async (engine) => {
    const source = await makePlace('sqlite')
    const place = await makePlace(engine)
    try {
      await fill(source)
      const backup = join(source.folder, 'a.backup')
      assert.equal((await runCommandBeside(['backup', backup], source.folder, source.settings)).code, 0)
      const data = place.settings.DAYBOOK_DATA_DIR!
      const temporary = join(place.folder, 'temporary')
      mkdirSync(temporary)
      const settings = { ...place.settings, TMPDIR: temporary }
      const isEmpty = (): Promise<boolean> =>
        withStorage(place, async ({ reads }) => (await reads.selectFrom('users').selectAll().execute()).length === 0)
      if (engine === 'postgres') {
        // Killed inside its transaction: the rows that it has inserted are not committed.
        await withStorage(place, async ({ reads }) => {
          const isInserting = async (): Promise<boolean> => {
            const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
            and pid <> pg_backend_pid() and query like 'insert into gone_names%'`.execute(reads)
            return rows.length > 0
          }
          assert.equal(await interrupt(['restore', backup], { ...place, settings }, 'SIGKILL', isInserting), 'SIGKILL')
        })
        assert.equal(await isEmpty(), true)
      } else {
        for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
          const isStaging = (): boolean => unfinishedIn(data).some((name) => !/\.new-/.test(name))
          assert.equal(await interrupt(['restore', backup], place, signal, isStaging), signal)
          assert.equal(existsSync(join(data, 'daybook.db')), false)
        }
      }
      const { code, stderr } = await runCommandBeside(['restore', backup], place.folder, settings)
      assert.equal(code, 0, stderr)
      assert.deepEqual(unfinishedIn(data), [])
      assert.equal(await isEmpty(), false)
    } finally {
      await place.remove()
      await source.remove()
    }
  },
)
