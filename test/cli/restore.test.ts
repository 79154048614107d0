// `daybook restore` as a command: which database it writes to, and what it says when it cannot.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { checkBackup } from '../../src/storage/backup/backup-file.ts'
import { makeOldPlace } from '../storage/upgrades/old-calendar.ts'
import { runLoadedCommand } from '../support/processes/loaded-command.ts'
import {
  type EmptyDatabase,
  type Engine,
  forEachEngine,
  makePlace,
  makeReadyPlace,
} from '../support/storage/engines.ts'
import { onDatabase } from '../support/storage/template.ts'

/** A backup of a calendar without events, in a folder of its own. */
async function withBackup(story: (backup: string) => Promise<void>): Promise<void> {
  const source = await makeReadyPlace('sqlite')
  try {
    assert.equal((await runLoadedCommand(['backup', 'whole'], source.folder, source.settings)).code, 0)
    await story(join(source.folder, 'whole'))
  } finally {
    await source.remove()
  }
}

const MIGRATIONS = 'select name from migrations order by name'

async function listMigrations(engine: Engine, { settings }: EmptyDatabase): Promise<unknown[]> {
  if (engine === 'postgres')
    return onDatabase(settings.DAYBOOK_DATABASE_URL!, async (client) => (await client.query(MIGRATIONS)).rows)
  const db = new DatabaseSync(join(settings.DAYBOOK_DATA_DIR!, 'daybook.db'), { readOnly: true })
  try {
    return db.prepare(MIGRATIONS).all()
  } finally {
    db.close()
  }
}

/** Every file of the data folder with its content. */
function readData({ settings }: EmptyDatabase): [name: string, content: string][] {
  const data = settings.DAYBOOK_DATA_DIR!
  return readdirSync(data).map((name) => [name, readFileSync(join(data, name)).toString('base64')])
}

for (const schema of [1, 2, 3, 4, 5])
  forEachEngine(`a backup of a calendar of schema ${schema} leaves its schema, and can be restored`, async (engine) => {
    const place = await makeOldPlace(engine, schema)
    const target = await makePlace(engine)
    try {
      const before = await listMigrations(engine, place)
      for (const flags of [['--without-secrets'], []]) {
        const made = await runLoadedCommand(['backup', 'old', ...flags], place.folder, place.settings)
        assert.deepEqual([made.code, made.stderr], [0, ''])
      }
      assert.deepEqual(await listMigrations(engine, place), before)
      const backup = join(place.folder, 'old')
      const { migrations, rows } = checkBackup(backup)
      assert.equal(migrations.length, schema)
      assert.ok(rows.get('events')! > 10)
      const restored = await runLoadedCommand(['restore', backup], target.folder, target.settings)
      assert.deepEqual([restored.code, restored.stderr], [0, ''])
    } finally {
      await target.remove()
      await place.remove()
    }
  })

forEachEngine('a calendar of an older version is unchanged after a restore into it was refused', (engine) =>
  withBackup(async (backup) => {
    const place = await makeOldPlace(engine, 3)
    try {
      const before = [readData(place), await listMigrations(engine, place)]
      const { code, stderr } = await runLoadedCommand(['restore', backup], place.folder, place.settings)
      assert.match(stderr, /the database is not empty/)
      assert.equal(code, 1)
      assert.deepEqual([readData(place), await listMigrations(engine, place)], before)
    } finally {
      await place.remove()
    }
  }),
)
