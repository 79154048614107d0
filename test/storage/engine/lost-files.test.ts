// F42: the files of a SQLite database are deleted, moved, cut or replaced while the service runs.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { loadConfig } from '../../../src/config.ts'
import { openStorage } from '../../../src/storage/engine/open.ts'
import { openSqlite } from '../../../src/storage/engine/sqlite.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { createStorageHealth } from '../../../src/storage/health/storage-health.ts'
import { insertTraces } from '../../../src/storage/operations/traces.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { type CapturedLog, captureLog } from '../../support/measure/captured-log.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { makePlace } from '../../support/storage/engines.ts'
import { openWorld, type World } from '../../support/world.ts'

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

interface LostFileWorld {
  world: World
  data: string
  database: string
  log: CapturedLog
}

/** A service on a new data folder whose files the test may change. */
async function withOpenFiles(story: (scene: LostFileWorld) => Promise<void>): Promise<void> {
  const place = await makePlace('sqlite')
  const log = captureLog()
  const world = await openWorld('sqlite', place, { settings: { DAYBOOK_LOG_LEVEL: 'info' } })
  const data = place.settings.DAYBOOK_DATA_DIR!
  try {
    await story({ world, data, database: join(data, 'daybook.db'), log })
  } finally {
    await world.app.close()
    log.stop()
    await place.remove()
  }
}

const readyz = ({ anonymous }: World): Promise<ApiResponse> => anonymous.send({ method: 'GET', url: '/readyz' })

async function assertRefused({ world, log }: LostFileWorld, file: string, happened: RegExp): Promise<void> {
  const answer = await world.writer.post('/events', event)
  assert.equal(answer.status, 503, 'a write is not acknowledged')
  assert.equal(answer.body.error.code, 'storage_unavailable')
  await waitFor('readiness says why', async () => {
    const { status, body } = await readyz(world)
    return status === 503 && body.error.details.checks.writes.reason === 'data_missing'
  })
  const line = log
    .text()
    .split('\n')
    .find((text) => text.includes('"reason":"data_missing"'))
  assert.ok(line?.includes(file), `the log names ${file}: ${log.text()}`)
  assert.match(line!, happened)
}

const countEvents = (path: string): number => {
  const database = new DatabaseSync(path)
  try {
    const { count } = database.prepare('select count(*) as count from events').get() as { count: number }
    return count
  } finally {
    database.close()
  }
}

test('F42: a deleted database file is noticed at the next write', async () => {
  await withOpenFiles(async (scene) => {
    await scene.world.writer.creates(event)
    unlinkSync(scene.database)
    await assertRefused(scene, 'daybook.db', /deleted or moved/)
    assert.equal((await scene.world.writer.get('/events')).status, 200, 'reading goes on')
    assert.ok(!existsSync(scene.database), 'no empty database is begun in its place')
  })
})

test('F42: a moved data folder makes the node not ready without a write, and moved back it is used again', async () => {
  await withOpenFiles(async (scene) => {
    const { world, data, database } = scene
    const elsewhere = `${data}-elsewhere`
    renameSync(data, elsewhere)
    await waitFor('readiness turns', async () => (await readyz(world)).status === 503)
    await assertRefused(scene, 'daybook.db', /deleted or moved/)
    renameSync(elsewhere, data)
    assert.equal((await world.writer.post('/events', event)).status, 201)
    assert.equal((await readyz(world)).status, 200)
    assert.match(scene.log.text(), /writing works again/)
    assert.equal(countEvents(database), 1)
    assert.ok(!existsSync(`${data}.missing`))
  })
})

test('F42: a missing file and its return are noticed each second without a request', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const place = await makePlace('sqlite')
  const path = join(place.folder, 'daybook.db')
  const health = createStorageHealth()
  const storage = openSqlite(path, { health })
  const failureAfterSecond = async () => {
    t.mock.timers.tick(1_000)
    // The next check begins when this one has ended.
    await new Promise((resolve) => setImmediate(resolve))
    return health.failure()
  }
  try {
    assert.equal(await failureAfterSecond(), undefined)
    renameSync(path, `${path}-elsewhere`)
    assert.equal(await failureAfterSecond(), 'data_missing')
    renameSync(`${path}-elsewhere`, path)
    assert.equal(await failureAfterSecond(), undefined)
  } finally {
    await storage.close()
    await place.remove()
  }
})

test('F42: a start creates no empty calendar where the folder vanished while the service ran', async () => {
  await withOpenFiles(async (scene) => {
    const { world, data } = scene
    rmSync(data, { recursive: true })
    await assertRefused(scene, 'daybook.db', /deleted or moved/)
    const config = loadConfig(world.place.settings, world.place.folder)
    await assert.rejects(openStorage(config), /disappeared while the service was running.*to start an empty calendar/)
    assert.ok(!existsSync(data))
    rmSync(`${data}.missing`)
    await (await openStorage(config)).close()
  })
})

test('F42: a start refuses where only the journals of a database are left', async () => {
  const place = await makePlace('sqlite')
  try {
    const data = place.settings.DAYBOOK_DATA_DIR!
    mkdirSync(data)
    writeFileSync(join(data, 'daybook.db-wal'), 'frames')
    await assert.rejects(
      openStorage(loadConfig(place.settings, place.folder)),
      /is missing or empty, but \S+daybook\.db-wal may hold .*Move it to the folder/,
    )
    assert.ok(!existsSync(join(data, 'daybook.db')))
  } finally {
    await place.remove()
  }
})

test('F42: with the -wal or -shm deleted nothing acknowledged is lost, and writes are refused until a restart', async () => {
  for (const suffix of ['-wal', '-shm']) {
    await withOpenFiles(async (scene) => {
      const { world, database } = scene
      for (let i = 0; i < 5; i++) await world.writer.creates(event)
      unlinkSync(database + suffix)
      await assertRefused(scene, `daybook.db${suffix}`, /deleted or moved.*restart/)
      const copy = join(world.place.folder, 'copy.db')
      copyFileSync(database, copy)
      assert.equal(countEvents(copy), 5, 'the database file itself holds every acknowledged event')
      // Another process creates new journals; they are not those of this service.
      const other = new DatabaseSync(join(scene.data, 'daybook.db'))
      other.close()
      writeFileSync(database + suffix, '')
      await assertRefused(scene, `daybook.db${suffix}`, /deleted or moved|replaced/)
    })
  }
})

test('F42: a database replaced by another file is neither written nor damaged', async () => {
  await withOpenFiles(async (scene) => {
    const { world, data, database } = scene
    await world.writer.creates(event)
    const backup = join(data, 'backup.db')
    const source = new DatabaseSync(database)
    source.exec(`vacuum into '${backup}'`)
    source.close()
    await world.writer.creates(event)
    renameSync(backup, database)
    await assertRefused(scene, 'daybook.db', /replaced.*Stop the service, remove the files ending in -wal and -shm/)
    await world.app.close()
    world.app.close = async () => {}
    const reopen = () => openStorage(loadConfig({ DAYBOOK_DATA_DIR: data, DAYBOOK_LOG_LEVEL: 'silent' }, data))
    await assert.rejects(reopen(), /daybook\.db-wal belongs to the file before it/)
    await assert.rejects(reopen(), /daybook\.db-wal belongs to the file before it/, 'and the next start too')
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true })
    assert.equal(countEvents(database), 1, 'the restored backup is as it was')
    await (await reopen()).close()
  })
})

test('F42: a copy of the folder with the journal of a service that was killed is opened', async () => {
  await withOpenFiles(async ({ world, data, database }) => {
    await world.writer.creates(event)
    const copy = `${data}-copy`
    mkdirSync(copy)
    for (const name of ['daybook.db', 'daybook.db-wal', '.daybook-instance'])
      copyFileSync(join(data, name), join(copy, name))
    const storage = await openStorage(loadConfig({ DAYBOOK_DATA_DIR: copy, DAYBOOK_LOG_LEVEL: 'silent' }, data))
    await storage.close()
    assert.equal(countEvents(join(copy, 'daybook.db')), countEvents(database))
    rmSync(copy, { recursive: true })
  })
})

test('F42: a -wal truncated by another program is noticed, one emptied by a checkpoint is not a fault', async () => {
  await withOpenFiles(async (scene) => {
    const { world, database } = scene
    await world.writer.creates(event)
    const other = new DatabaseSync(database)
    other.exec('pragma wal_checkpoint(truncate)')
    other.close()
    assert.equal((await world.writer.post('/events', event)).status, 201)
    assert.equal((await readyz(world)).status, 200)
    truncateSync(`${database}-wal`, 0)
    await assertRefused(scene, 'daybook.db-wal', /cut/)
  })
})

test('F42: a database file truncated by another program is noticed, one made shorter by VACUUM is not a fault', async () => {
  await withOpenFiles(async (scene) => {
    const { world, database } = scene
    for (let i = 0; i < 20; i++) await world.writer.creates({ ...event, description: 'x'.repeat(9_000) })
    const other = new DatabaseSync(database)
    other.exec('pragma busy_timeout = 5000; pragma wal_checkpoint(truncate)')
    const before = statSync(database).size
    other.exec('pragma wal_autocheckpoint = 0; delete from events; vacuum')
    const { storage } = world.app.ctx
    await inTransaction(storage, async (db) => {
      other.exec('pragma wal_checkpoint(passive)')
      assert.ok(statSync(database).size < before)
      // New pages, which are in the -wal only.
      await insertTraces(db, [{ at: 0, entry: 'x'.repeat(100_000) }])
    })
    other.close()
    assert.equal((await world.writer.post('/events', event)).status, 201)
    assert.equal((await readyz(world)).status, 200)
    truncateSync(database, statSync(database).size / 2)
    await assertRefused(scene, 'daybook.db', /cut/)
  })
})

test('F42: a write whose file vanishes between COMMIT and the response is not acknowledged', async () => {
  const place = await makePlace('sqlite')
  const database = join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db')
  const { prepare } = DatabaseSync.prototype
  let isArmed = false
  // The COMMIT itself removes the file, as another program would just after it.
  DatabaseSync.prototype.prepare = function (...args) {
    const statement = prepare.apply(this, args)
    if (args[0] !== 'commit') return statement
    const run = statement.run.bind(statement) as () => ReturnType<typeof statement.run>
    statement.run = () => {
      const result = run()
      if (isArmed) renameSync(database, `${database}-elsewhere`)
      isArmed = false
      return result
    }
    return statement
  }
  const world = await openWorld('sqlite', place)
  try {
    await world.writer.creates(event)
    isArmed = true
    const answer = await world.writer.post('/events', event)
    assert.equal(isArmed, false, 'it was committed')
    assert.equal(answer.status, 503)
  } finally {
    DatabaseSync.prototype.prepare = prepare
    await world.app.close()
    await place.remove()
  }
})

test('F42: a data folder behind a symbolic link is monitored through the link', async () => {
  const place = await makePlace('sqlite')
  const [real, link] = [join(place.folder, 'real'), place.settings.DAYBOOK_DATA_DIR!]
  mkdirSync(real)
  symlinkSync(real, link)
  const world = await openWorld('sqlite', place)
  try {
    await world.writer.creates(event)
    renameSync(real, `${real}-moved`)
    assert.equal((await world.writer.post('/events', event)).status, 503)
    // The operator points the link to the folder's new place: the same files are back.
    unlinkSync(link)
    symlinkSync(`${real}-moved`, link)
    assert.equal((await world.writer.post('/events', event)).status, 201)
  } finally {
    await world.app.close()
    await place.remove()
  }
})
