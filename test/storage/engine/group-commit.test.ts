// Group commit on SQLite: one COMMIT for several writes, none acknowledged before it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges, StatementSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { AppError } from '../../../src/errors.ts'
import { runForClient, runForService } from '../../../src/scheduling/current-client.ts'
import { rawChange, rawQuery } from '../../../src/storage/dialect.ts'
import { GroupRolledBackError } from '../../../src/storage/engine/group-commit.ts'
import { openSqlite } from '../../../src/storage/engine/sqlite.ts'
import type { Storage } from '../../../src/storage/engine/storage.ts'
import { inLongTransaction, inTransaction } from '../../../src/storage/engine/transaction.ts'
import { classifyFailure } from '../../../src/storage/health/failure.ts'
import type { Db } from '../../../src/storage/tables.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { makePlace } from '../../support/storage/engines.ts'
import { holdWritesOf } from '../../support/storage/held-writes.ts'
import { type World, withWorld } from '../../support/world.ts'

interface Scenario {
  storage: Storage
  /** The names of the rows that another connection sees at each COMMIT, before it. */
  commits: string[][]
  /** The names that are acknowledged, in order. */
  acknowledged: string[]
  /** Stores a row in a transaction of its own. */
  store(name: string): Promise<void>
  stored(): string[]
}

const insert = (db: Db, name: string): Promise<unknown> => sql`insert into t (name) values (${name})`.execute(db)

const commitHooks = new Set<() => void>()
const run: (...values: SQLInputValue[]) => StatementResultingChanges = StatementSync.prototype.run
StatementSync.prototype.run = function (this: StatementSync, ...values: never[]) {
  if (this.sourceSQL === 'commit') for (const hook of commitHooks) hook()
  return run.apply(this, values)
}

/** Calls `before` each time that a COMMIT is executed in this test; it may throw in its place. */
function interceptCommits(t: TestContext, before: () => void): void {
  commitHooks.add(before)
  t.after(() => commitHooks.delete(before))
}

/** Groups and turns of the event loop end by time too, and a slow machine would end them early. */
async function freezeClock(t: TestContext): Promise<() => void> {
  // A new turn begins.
  for (let i = 0; i < 3; i++) await new Promise(setImmediate)
  const now = performance.now()
  const { mock } = t.mock.method(performance, 'now', () => now)
  return () => mock.restore()
}

async function withStorage(t: TestContext, story: (scenario: Scenario) => Promise<void>): Promise<void> {
  const place = await makePlace('sqlite')
  const path = join(place.folder, 'daybook.db')
  const storage = openSqlite(path)
  await sql`create table t (name text primary key)`.execute(storage.writes)
  const other = new DatabaseSync(path)
  const stored = () =>
    other
      .prepare('select name from t order by rowid')
      .all()
      .map(({ name }) => name as string)
  const commits: string[][] = []
  const acknowledged: string[] = []
  const store = async (name: string): Promise<void> => {
    await inTransaction(storage, (db) => insert(db, name))
    acknowledged.push(name)
  }
  interceptCommits(t, () => {
    assert.deepEqual(acknowledged, stored(), 'what is acknowledged is what others see')
    commits.push(stored())
  })
  const restoreClock = await freezeClock(t)
  try {
    await runForClient({ path: ['client'] }, () => story({ storage, commits, acknowledged, store, stored }))
  } finally {
    restoreClock()
    other.close()
    await storage.close()
    await place.remove()
  }
}

const failure = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => assert.fail('acknowledged'),
    (error) => error,
  )

test('transactions of one turn share a COMMIT and are acknowledged after it, in their order', (t) =>
  withStorage(t, async ({ commits, acknowledged, store, stored }) => {
    const names = Array.from({ length: 12 }, (_, i) => `n${i}`)
    await Promise.all(names.map(store))
    assert.deepEqual(commits, [[]])
    assert.deepEqual(acknowledged, names)
    assert.deepEqual(stored(), names)
  }))

test('a statement after the end of its transaction fails, and is no part of the next one', (t) =>
  withStorage(t, async ({ storage, stored }) => {
    const ended = await inTransaction(storage, async (db) => db)
    await inTransaction(storage, async (db) => {
      const late = [
        () => insert(ended, 'built'),
        () => rawQuery(ended, "insert into t (name) values ('raw')", []),
        () => rawChange(ended, "insert into t (name) values ('change')", []),
      ]
      for (const write of late) await assert.rejects(write, /has ended/)
      await insert(db, 'next')
    })
    assert.deepEqual(stored(), ['next'])
  }))

test('a group is bounded, and a single transaction is committed at the end of its turn', (t) =>
  withStorage(t, async ({ commits, acknowledged, store }) => {
    await Promise.all(Array.from({ length: 100 }, (_, i) => store(`n${i}`)))
    const sizes = commits.map((before, i) => (commits[i + 1]?.length ?? 100) - before.length)
    assert.ok(Math.max(...sizes) <= 64, `${sizes}`)
    let hasTurned = false
    const alone = store('alone').then(() => hasTurned)
    for (let i = 0; i < 2; i++) await new Promise(setImmediate)
    hasTurned = true
    assert.equal(await alone, false)
    assert.equal(acknowledged.length, 101)
  }))

test('a transaction that fails leaves the others of its group', (t) =>
  withStorage(t, async ({ storage, commits, acknowledged, store, stored }) => {
    const failing = (message: string, seen: string[]) =>
      inTransaction(storage, async (db) => {
        await insert(db, 'lost')
        const { rows } = await sql<{ name: string }>`select name from t order by rowid`.execute(db)
        assert.deepEqual(
          rows.map(({ name }) => name),
          [...seen, 'lost'],
        )
        throw new Error(message)
      })
    await Promise.all([
      assert.rejects(failing('as the first', []), /as the first/),
      store('a'),
      assert.rejects(failing('between others', ['a']), /between others/),
      store('b'),
    ])
    assert.deepEqual(stored(), ['a', 'b'])
    assert.deepEqual(acknowledged, ['a', 'b'])
    assert.equal(commits.length, 1)
  }))

test('F3: a COMMIT that fails refuses every transaction of its group, also one that had failed', async (t) => {
  await withStorage(t, async ({ storage, store, stored, acknowledged }) => {
    await store('before')
    let isFull = true
    interceptCommits(t, () => {
      if (isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13, errstr: 'full' })
    })
    // It may have failed because of what the first has written, which is never stored.
    const failing = inTransaction(storage, async (db) => {
      if ((await sql`select name from t where name = 'a'`.execute(db)).rows.length > 0) throw new Error('a is there')
    })
    const errors = await Promise.all([store('a'), failing, store('b')].map(failure))
    assert.deepEqual(
      errors.map(({ code }) => code),
      Array(3).fill('storage_unavailable'),
    )
    assert.equal(storage.health.failure(), 'disk_full')
    assert.deepEqual(stored(), ['before'])
    isFull = false
    await store('after')
    assert.deepEqual(stored(), ['before', 'after'])
    assert.deepEqual(acknowledged, ['before', 'after'])
  })
})

test('an error that ends the whole transaction fails one request; those before it are written again', (t) =>
  withStorage(t, async ({ storage, store, stored }) => {
    const breaking = () =>
      inTransaction(storage, (db) => sql`insert or rollback into t (name) values ('a')`.execute(db))
    await Promise.all([store('a'), assert.rejects(breaking(), /UNIQUE/), store('b')])
    assert.deepEqual(stored().sort(), ['a', 'b'])
    // One that catches such an error would write the rest without a transaction.
    const careless = () =>
      inTransaction(storage, async (db) => {
        await sql`insert or rollback into t (name) values ('a')`.execute(db).catch(() => {})
      })
    await Promise.all([store('c'), assert.rejects(careless()), store('d')])
    assert.deepEqual(stored().sort(), ['a', 'b', 'c', 'd'])
  }))

test('a transaction that was rolled back with its group is no failure of the database', () => {
  assert.equal(classifyFailure(new GroupRolledBackError('another one failed'))?.reason, 'busy')
})

test('a transaction that yields delays no acknowledgement of those before it', (t) =>
  withStorage(t, async ({ storage, acknowledged, store, stored }) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const first = store('first')
    const long = inLongTransaction(storage, async (db) => {
      await insert(db, 'long')
      await promise
    }).then(() => acknowledged.push('long'))
    const last = store('last')
    await first
    assert.deepEqual(stored(), ['first'])
    resolve()
    await Promise.all([long, last])
    assert.deepEqual(stored(), ['first', 'long', 'last'])
  }))

test('a transaction that no client waits for is committed at its end', (t) =>
  withStorage(t, async ({ store, stored }) => {
    let hasTurned = false
    setImmediate(() => (hasTurned = true))
    await runForService(() => store('own'))
    assert.deepEqual([stored(), hasTurned], [['own'], false])
  }))

test('a single statement is no part of a group: it commits what came before it', (t) =>
  withStorage(t, async ({ storage, store, stored }) => {
    const written = store('a')
    await insert(storage.writes, 'b')
    assert.deepEqual(stored(), ['a', 'b'])
    await written
  }))

/** Sends the requests so that their write transactions run in this order in one group, however slow the machine is. */
async function sendTogether<T>(t: TestContext, world: World, requests: (() => Promise<T>)[]): Promise<T[]> {
  const hold = holdWritesOf(world)
  const held = requests.map(hold)
  await Promise.all(held.map(({ reached }) => reached))
  const restoreClock = await freezeClock(t)
  for (const { letGo } of held) letGo()
  const answers = await Promise.all(held.map(({ answer }) => answer))
  restoreClock()
  return answers
}

const statusesOf = (answers: readonly ApiResponse[]): number[] => answers.map(({ status }) => status)

const event = { title: 'One', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

test('two changes of one version in a group: the first is stored, the other learns its version', (t) =>
  withWorld('sqlite', async (world) => {
    const { writer } = world
    const { id } = await writer.creates(event)
    const change = (title: string) => () => writer.patch(`/events/${id}`, { title, version: 1 })
    const answers = await sendTogether(t, world, [change('A'), change('B')])
    assert.deepEqual(statusesOf(answers), [200, 412])
    assert.equal(answers[1]!.body.error.details.current_version, 2)
  }))

test('repeated requests of one key in a group create one event; a failed COMMIT refuses all and stores none', (t) =>
  withWorld('sqlite', async (world) => {
    const { writer } = world
    let isFailing = true
    interceptCommits(t, () => {
      if (isFailing) throw Object.assign(new Error('disk I/O error'), { errcode: 10, errstr: 'disk I/O error' })
    })
    const requests = Array.from({ length: 3 }, () => () => writer.post('/events', event, { 'idempotency-key': 'k-1' }))
    assert.deepEqual(statusesOf(await sendTogether(t, world, requests)), [503, 503, 503])
    isFailing = false
    const answers = await sendTogether(t, world, requests)
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 1)
  }))

test('a suspension ends the writes behind it in its group, and not those before it', (t) =>
  withWorld('sqlite', async (world) => {
    const { writer, admin } = world
    const { data } = (await admin.get('/admin/users')).body
    const { id } = data.find(({ email }: { email: string }) => email === 'writer@example.org')
    const post = () => writer.post('/events', event)
    const suspend = () => admin.patch(`/admin/users/${id}`, { approval_state: 'suspended' })
    const answers = await sendTogether(t, world, [post, post, suspend, post])
    assert.deepEqual(statusesOf(answers), [201, 201, 200, 403])
  }))
