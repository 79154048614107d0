// F54: another process holds SQLite's write lock: waiting writers are bounded, refused and reported by readiness.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { AppError } from '../../../src/errors.ts'
import { openSqlite } from '../../../src/storage/engine/sqlite.ts'
import type { Storage } from '../../../src/storage/engine/storage.ts'
import { checkWrites } from '../../../src/storage/health/check-writes.ts'
import { classifyFailure } from '../../../src/storage/health/failure.ts'
import { createStorageHealth } from '../../../src/storage/health/storage-health.ts'
import { captureLog } from '../../support/measure/captured-log.ts'
import { waitFor, withDeadline } from '../../support/measure/wait-for.ts'
import { makePlace } from '../../support/storage/engines.ts'
import { openWorld } from '../../support/world.ts'

/** As many as any of these tests queues at once. */
const MOST_WRITERS = 10

interface LockScenario {
  storage: Storage
  clock: { at: number }
  recoveries(): number
  /** Settles when the storage has tried to begin a transaction again, at the time that the clock has now. */
  looked(): Promise<unknown>
  /** Another connection takes the write lock; the returned function releases it. */
  holdLock(): () => void
}

async function withStorage(maxWaiting: number, story: (scenario: LockScenario) => Promise<void>): Promise<void> {
  const place = await makePlace('sqlite')
  const path = join(place.folder, 'daybook.db')
  const clock = { at: 0 }
  let recoveries = 0
  let looks = 0
  const readClock = (): number => {
    looks += 1
    return clock.at
  }
  const looked = () => {
    const before = looks
    // Each writer that queues reads the clock once, and each attempt to begin reads it twice.
    return waitFor('an attempt to begin', () => looks >= before + MOST_WRITERS + 2)
  }
  const health = createStorageHealth({ onRecovery: () => (recoveries += 1) }, () => clock.at)
  const storage = openSqlite(path, { maxWaitMs: 1_000, maxWaiting, health, clock: readClock })
  const other = new DatabaseSync(path)
  const holdLock = () => {
    other.exec('begin immediate')
    return () => other.exec('rollback')
  }
  try {
    await story({ storage, clock, recoveries: () => recoveries, looked, holdLock })
  } finally {
    other.close()
    await storage.close()
    await place.remove()
  }
}

const write = ({ writes }: Storage): Promise<string> =>
  writes
    .transaction()
    .execute(async () => 'written')
    .catch((error: AppError) => `${error.code} ${classifyFailure(error.cause)?.reason}`)

test('F54: writers that wait for the lock are refused by their total waiting time', () =>
  withStorage(10, async ({ storage, clock, looked, holdLock, recoveries }) => {
    const letGo = holdLock()
    const early = Array.from({ length: 5 }, () => write(storage))
    await looked()
    clock.at = 900
    const late = [write(storage), write(storage)]
    await looked()
    clock.at = 1_000
    assert.deepEqual(
      new Set(await withDeadline('all that waited for a second are refused', Promise.all(early))),
      new Set(['storage_unavailable locked']),
    )
    assert.equal(storage.health.failure(), 'locked')
    letGo()
    assert.deepEqual(await Promise.all(late), ['written', 'written'], 'these still had time')
    assert.equal(storage.health.failure(), undefined, 'a transaction that began proves that the lock is free')
    assert.equal(recoveries(), 1)
  }))

test('F54: a lock that is held briefly does not make the node not ready', () =>
  withStorage(10, async ({ storage, clock, looked, holdLock }) => {
    const { promise: ownWork, resolve } = Promise.withResolvers<void>()
    const holder = storage.writes.connection().execute(() => ownWork)
    const waiting = write(storage)
    await new Promise(setImmediate)
    // A transaction of its own process delays it for most of its time.
    clock.at = 950
    const letGo = holdLock()
    resolve()
    await holder
    await looked()
    clock.at = 1_100
    assert.equal(await waiting, 'storage_unavailable busy')
    assert.equal(storage.health.failure(), undefined)
    // Much later it meets a transaction of another process for the first time.
    clock.at = 60_000
    const next = write(storage)
    await looked()
    clock.at = 60_400
    await looked()
    letGo()
    assert.equal(await next, 'written')
    assert.equal(storage.health.failure(), undefined)
  }))

test('F54: one transaction too many is refused at once', () =>
  withStorage(3, async ({ storage, looked, holdLock }) => {
    const letGo = holdLock()
    const taken = Array.from({ length: 4 }, () => write(storage))
    await looked()
    assert.equal(await withDeadline('refused at once', write(storage)), 'storage_unavailable busy')
    assert.equal(await checkWrites(storage), undefined, 'a full queue is no failure of the database')
    letGo()
    assert.deepEqual(await Promise.all(taken), Array(4).fill('written'))
    assert.equal(await write(storage), 'written')
  }))

test('F54: readiness reports that another process holds the lock, requests end with 503, and both recover', async () => {
  const place = await makePlace('sqlite')
  const log = captureLog()
  const settings = { DAYBOOK_LOG_LEVEL: 'info' }
  const world = await openWorld('sqlite', place, { settings, storageLimits: { writeWaitMs: 5_000 } })
  const other = new DatabaseSync(join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db'))
  const { token } = (await world.writer.post('/auth/tokens', { name: 'a', scopes: ['events:read'] })).body.data
  const device = (await world.writer.post('/auth/app-passwords', { name: 'a' })).body.data.password
  const link = (await world.writer.post('/auth/feeds', { name: 'a' })).body.data.url
  const browser = await world.signIn('writer@example.org')
  // Long enough that the use of the session is recorded again.
  world.clock.at += 120_000
  const event = { title: 'zqtitle', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
  const readReason = async (): Promise<string> => {
    const { body } = await world.anonymous.send({ method: 'GET', url: '/readyz' })
    return body.error?.details.reason ?? body.data.status
  }
  try {
    other.exec('begin immediate')
    const refused = Promise.all(Array.from({ length: 5 }, () => world.writer.post('/events', event)))
    const reads = [
      world.anonymous.get('/events', { authorization: `Bearer ${token}` }),
      world.as('writer@example.org', device).get('/events'),
      browser.get('/events'),
      world.anonymous.send({ method: 'GET', url: new URL(link).pathname }),
    ]
    const statuses = Promise.all(reads).then((answers) => answers.map(({ status }) => status))
    assert.deepEqual(await Promise.race([statuses, refused]), [200, 200, 200, 200], 'reads wait for no write')
    await waitFor('not ready', async () => (await readReason()) === 'locked')
    for (const { status, body, headers } of await refused) {
      assert.deepEqual([status, body.error.code], [503, 'storage_unavailable'])
      assert.ok(Number(headers['retry-after']) >= 1)
    }
    assert.equal((await world.anonymous.get('/events')).status, 200, 'reading goes on')
    assert.match(log.text(), /another process holds the write lock/)
    assert.match(log.text(), /"reason":"locked","sqlite_code":5,"sqlite_message":"database is locked"/)
    other.exec('rollback')
    await waitFor('ready', async () => (await readReason()) === 'ready')
    assert.equal((await world.writer.post('/events', event)).status, 201)
  } finally {
    other.close()
    await world.app.close()
    log.stop()
    await place.remove()
  }
})
