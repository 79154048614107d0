// A SQLite database is backed up before a newer version changes its schema.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { loadConfig } from '../../../src/config.ts'
import { checkBackup } from '../../../src/storage/backup/backup-file.ts'
import { restoreIntoPostgres, restoreIntoSqlite } from '../../../src/storage/backup/restore-backup.ts'
import { unfinishedNameOf } from '../../../src/storage/backup/unfinished-file.ts'
import { migrate, migrations } from '../../../src/storage/engine/migrate.ts'
import { openStorage } from '../../../src/storage/engine/open.ts'
import { openSqlite } from '../../../src/storage/engine/sqlite.ts'
import { type EmptyDatabase, ENGINES, makePlace } from '../../support/storage/engines.ts'
import { openWorld } from '../../support/world.ts'

/** A calendar of an earlier version, with one account. */
async function makeOld(place: EmptyDatabase, count: number): Promise<string> {
  const data = place.settings.DAYBOOK_DATA_DIR!
  mkdirSync(data, { mode: 0o700 })
  const storage = openSqlite(join(data, 'daybook.db'))
  try {
    await migrate(storage, { steps: migrations.slice(0, count) })
    await sql`insert into users (id, email, email_key, display_name, password_hash, role, approval_state, created_at, version)
      values ('old', 'old@example.org', 'old@example.org', 'old', '', 'admin', 'approved', 0, 1)`.execute(
      storage.writes,
    )
  } finally {
    await storage.close()
  }
  return data
}

const isBackup = (name: string): boolean => name.endsWith('.backup')

for (const count of [1, 2, 3, 4, 5, 9, migrations.length - 1])
  test(`a database with ${count} migrations is backed up, migrated, and can be restored from that backup`, async () => {
    const place = await makePlace('sqlite')
    const data = await makeOld(place, count)
    const world = await openWorld('sqlite', place, { place })
    await world.app.close()
    const name = `daybook-at-${migrations[count - 1]!.name}.backup`
    assert.deepEqual(readdirSync(data).filter(isBackup), [name])
    const backup = join(data, name)
    assert.equal(statSync(backup).mode & 0o777, 0o600)
    assert.equal(checkBackup(backup).migrations.length, count)
    for (const engine of ENGINES) {
      const target = await makePlace(engine)
      const options = { restoredAt: Date.now(), keepsCredentials: true }
      const config = loadConfig({ ...target.settings, DAYBOOK_LOG_LEVEL: 'silent' }, target.folder)
      if (engine === 'sqlite') mkdirSync(config.dataDir)
      if (engine === 'sqlite') await restoreIntoSqlite(backup, join(config.dataDir, 'daybook.db'), options)
      const storage = await openStorage(config)
      if (engine === 'postgres') await restoreIntoPostgres(backup, storage, join(target.folder, 'staged.db'), options)
      assert.equal((await storage.reads.selectFrom('users').select('id').execute()).length, 1)
      await storage.close()
      await target.remove()
    }
    await place.remove()
  })

test('a database that is up to date, or new, is not backed up; one that cannot be is not migrated', async () => {
  const place = await makePlace('sqlite')
  const data = place.settings.DAYBOOK_DATA_DIR!
  await (await openWorld('sqlite', place)).app.close()
  await (await openWorld('sqlite', place, { place })).app.close()
  assert.deepEqual(readdirSync(data).filter(isBackup), [])
  await place.remove()
  const full = await makePlace('sqlite')
  const old = await makeOld(full, 9)
  const path = unfinishedNameOf(join(old, `daybook-at-${migrations[8]!.name}.backup`))
  mkdirSync(path)
  await assert.rejects(openWorld('sqlite', full, { place: full }), /the backup before the change of the schema cannot/)
  const storage = openSqlite(join(old, 'daybook.db'))
  assert.equal((await storage.reads.selectFrom('migrations').select('name').execute()).length, 9)
  await storage.close()
  await full.remove()
})
