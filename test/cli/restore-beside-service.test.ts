// A restore beside a running or starting service loses no acknowledged write.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { withSoleAccess } from '../../src/storage/backup/replace-database.ts'
import { restoreIntoSqlite } from '../../src/storage/backup/restore-backup.ts'
import { migrate } from '../../src/storage/engine/migrate.ts'
import { openSqlite } from '../../src/storage/engine/sqlite.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { runCommandBeside, startService } from '../support/processes/process.ts'
import { AT, makeBackup } from '../support/storage/backups.ts'
import { makePlace } from '../support/storage/engines.ts'
import { openWorld } from '../support/world.ts'

const OPTIONS = { ...AT, keepsCredentials: false }
const OPEN_ELSEWHERE = /another process has .*daybook\.db open\. Stop the service first.*Nothing was changed\.$/

/** Gives the story a backup with accounts, and the path of a database in a folder of its own. */
async function withBackup(story: (backup: string, path: string) => Promise<void>): Promise<void> {
  const source = await openWorld('sqlite', await makePlace('sqlite'))
  const target = await makePlace('sqlite')
  try {
    const data = target.settings.DAYBOOK_DATA_DIR!
    mkdirSync(data, { recursive: true, mode: 0o700 })
    await story(await makeBackup(source), join(data, 'daybook.db'))
  } finally {
    await source.app.close()
    await source.place.remove()
    await target.remove()
  }
}

const openMigrated = async (path: string) => {
  const storage = openSqlite(path)
  await migrate(storage)
  return storage
}

const insertUser = (db: DatabaseSync): unknown =>
  db.exec(`insert into users (id, email, email_key, display_name, password_hash, role, approval_state, created_at, version)
    values ('new', 'new@example.org', 'new@example.org', 'new', '', 'admin', 'approved', 0, 1)`)

const countUsers = (path: string): unknown => {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return db.prepare('select count(*) as count from users').get()!.count
  } finally {
    db.close()
  }
}

const isStaged = (path: string): boolean => readdirSync(dirname(path)).some((name) => name.endsWith('.new'))

test('F59: a restore beside a running, empty service is refused, and the service goes on', async () => {
  const source = await openWorld('sqlite', await makePlace('sqlite'))
  const place = await makePlace('sqlite')
  const service = await startService(place.folder, place.settings)
  try {
    const backup = await makeBackup(source)
    const path = join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')
    const { ino } = statSync(path)
    const { code, stderr } = await runCommandBeside(['restore', backup], place.folder, place.settings)
    assert.equal(code, 1)
    assert.match(stderr.trimEnd(), OPEN_ELSEWHERE)
    assert.equal(statSync(path).ino, ino)
    assert.equal(isStaged(path), false)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    const create = ['admin', 'create', '--email', 'new@example.org', '--password-stdin']
    const created = await runCommandBeside(create, place.folder, place.settings, 'correct horse battery 1')
    assert.equal(created.code, 0, created.stderr)
  } finally {
    await service.kill()
    await source.app.close()
    await source.place.remove()
    await place.remove()
  }
})

for (const isThere of [true, false])
  test(`F59: what is written while a backup is staged stays, where ${isThere ? 'an empty' : 'no'} database was`, () =>
    withBackup(async (backup, path) => {
      if (isThere) await (await openMigrated(path)).close()
      const restoring = restoreIntoSqlite(backup, path, OPTIONS).then(
        () => undefined,
        (error: Error) => error,
      )
      await waitFor('the backup is being staged', () => isStaged(path), { everyMs: 1 })
      const service = openSqlite(path)
      try {
        assert.match((await restoring)?.message ?? 'it was restored', OPEN_ELSEWHERE)
        await migrate(service)
      } finally {
        await service.close()
      }
      const writer = new DatabaseSync(path)
      insertUser(writer)
      writer.close()
      await assert.rejects(restoreIntoSqlite(backup, path, OPTIONS), / is not empty: /)
      assert.equal(countUsers(path), 1)
    }))

test('F59: a writer that came and went while a backup was staged is noticed', () =>
  withBackup(async (backup, path) => {
    await (await openMigrated(path)).close()
    const restoring = assert.rejects(restoreIntoSqlite(backup, path, OPTIONS), / is not empty: /)
    await waitFor('the backup is being staged', () => isStaged(path), { everyMs: 1 })
    const writer = new DatabaseSync(path)
    insertUser(writer)
    writer.close()
    await restoring
    assert.equal(countUsers(path), 1)
  }))

for (const [journal, isEmptied] of [
  ['-wal', false],
  ['-wal', true],
  ['-journal', false],
] as const)
  test(`a ${journal} of a database that is ${isEmptied ? 'empty' : 'gone'} stays, also if it appears while a backup is staged`, () =>
    withBackup(async (backup, path) => {
      const leave = () => {
        writeFileSync(`${path}${journal}`, 'frames')
        if (isEmptied) writeFileSync(path, '')
      }
      const isRefused = () =>
        assert.rejects(restoreIntoSqlite(backup, path, OPTIONS), (error: Error) =>
          error.message.startsWith(`${path} is missing or empty, but ${path}${journal} `),
        )
      const restoring = isRefused()
      await waitFor('the backup is being staged', () => isStaged(path), { everyMs: 1 })
      leave()
      await restoring
      assert.equal(readFileSync(`${path}${journal}`, 'utf8'), 'frames')
      await isRefused()
      assert.equal(readFileSync(`${path}${journal}`, 'utf8'), 'frames')
    }))

test('F59: while the file is replaced no service can open it, and one that had begun to cannot write afterwards', () =>
  withBackup(async (_, path) => {
    await (await openMigrated(path)).close()
    let late: DatabaseSync | undefined
    withSoleAccess(path, () => {
      assert.throws(() => openSqlite(path), /database is locked/)
      late = new DatabaseSync(path)
      assert.throws(() => late!.exec('begin immediate'), /database is locked/)
      writeFileSync(`${path}.other`, '')
      renameSync(`${path}.other`, path)
    })
    assert.throws(() => late!.exec('pragma journal_mode = wal'), /readonly/)
    assert.throws(() => insertUser(late!), /readonly/)
    late!.close()
    assert.equal(existsSync(`${path}-wal`), false)
  }))

test('an empty database that no process has open is replaced', () =>
  withBackup(async (backup, path) => {
    await (await openMigrated(path)).close()
    await restoreIntoSqlite(backup, path, OPTIONS)
    assert.deepEqual(
      readdirSync(dirname(path)).filter((name) => name.startsWith('daybook.db')),
      ['daybook.db'],
    )
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.ok(Number(countUsers(path)) > 1)
  }))
