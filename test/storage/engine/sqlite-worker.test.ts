// SQLite in a worker thread: statements run beside the event loop, in one snapshot, and the thread ends when idle.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { rawQuery } from '../../../src/storage/dialect.ts'
import { openSqlite } from '../../../src/storage/engine/sqlite.ts'
import { createSqliteWorkerPool, type SqliteWorkerPool } from '../../../src/storage/engine/sqlite-worker.ts'
import { openSnapshot } from '../../../src/storage/engine/transaction.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { waitFor } from '../../support/measure/wait-for.ts'

const COUNT_TO =
  'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1) select count(*) as total from n'

async function withPool(
  options: { idleMs: number; threadUrl?: URL },
  tell: (pool: SqliteWorkerPool, database: DatabaseSync, path: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const path = join(folder, 'some.db')
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = wal; create table t (n integer); insert into t values (1)')
  const pool = createSqliteWorkerPool(path, { ...options, wrapError: (error) => error, pageCacheKib: 4_096 })
  try {
    await tell(pool, database, path)
  } finally {
    await pool.close()
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of an event loop that is kept awake. */
function countTurns(): { stop(): number } {
  let count = 0
  let turn = setImmediate(next)
  function next(): void {
    count += 1
    turn = setImmediate(next)
  }
  return {
    stop() {
      clearImmediate(turn)
      return count
    },
  }
}

test('a long statement does not block the event loop; the thread starts with the first and ends when idle', () =>
  withPool({ idleMs: 1 }, async (pool) => {
    assert.equal(pool.isRunning(), false)
    const { db, close } = pool.openReader()
    assert.equal(pool.isRunning(), false)
    await rawQuery(db, COUNT_TO, [1])
    const turns = countTurns()
    const result = await rawQuery(db, COUNT_TO, [300_000])
    assert.deepEqual(result, [{ total: 300_000 }])
    const count = turns.stop()
    assert.ok(count > 20, `${count}`)
    await close()
    await waitFor('the idle thread has ended', () => !pool.isRunning())
    const again = pool.openReader()
    assert.deepEqual(await rawQuery(again.db, 'select n from t', []), [{ n: 1 }], 'and starts again')
    await again.close()
  }))

test('a long result arrives in parts, so that no turn of the event loop is long', () =>
  withPool({ idleMs: 1 }, async (pool) => {
    const { db, close } = pool.openReader()
    const numbers = COUNT_TO.replace('count(*) as total', 'i, i * 2 as a, i * 3 as b, i * 5 as c')
    const { result } = await assertShortTurns('the result', { ms: 40 }, () =>
      rawQuery<{ i: number }>(db, numbers, [200_000]),
    )
    assert.equal(result.length, 200_000)
    assert.ok(result.every(({ i }, at) => i === at + 1))
    // Two at once on one connection.
    const [long, short] = await Promise.all([rawQuery(db, numbers, [5_001]), rawQuery(db, numbers, [2_000])])
    assert.deepEqual(
      [long.length, short.length, long.at(-1)],
      [5_001, 2_000, { i: 5_001, a: 10_002, b: 15_003, c: 25_005 }],
    )
    await close()
  }))

test('closing two readers at once leaves one idle timer, which ends no thread in use', () =>
  withPool({ idleMs: 30 }, async (pool) => {
    const readers = [pool.openReader(), pool.openReader()]
    for (const { db } of readers) await rawQuery(db, 'select 1', [])
    await Promise.all(readers.map(({ close }) => close()))
    const { db, close } = pool.openReader()
    // Several times the idle time, on any machine.
    for (let begun = performance.now(); performance.now() - begun < 150; ) await rawQuery(db, COUNT_TO, [100_000])
    await close()
  }))

test('a reader has one snapshot and is read-only; errors have the codes of SQLite', () =>
  withPool({ idleMs: 60_000 }, async (pool, database) => {
    const { db, close } = pool.openReader()
    const transaction = await db.startTransaction().execute()
    assert.deepEqual(await rawQuery(transaction, 'select n from t', []), [{ n: 1 }])
    database.exec('insert into t values (2)')
    const other = pool.openReader()
    assert.equal((await rawQuery(other.db, 'select n from t', [])).length, 2)
    assert.equal((await rawQuery(transaction, 'select n from t', [])).length, 1)
    await assert.rejects(rawQuery(other.db, 'insert into t values (3)', []), { errcode: 8 })
    await assert.rejects(rawQuery(other.db, 'select nothing', []), /nothing/)
    await transaction.rollback().execute()
    await Promise.all([close(), other.close()])
  }))

test('closing fails the statement that runs in the thread, and those that come after', () =>
  withPool({ idleMs: 60_000 }, async (pool) => {
    const { db, close } = pool.openReader()
    await rawQuery(db, 'select 1', [])
    const pending = assert.rejects(rawQuery(db, COUNT_TO, [2_000_000]), { code: 'storage_unavailable' })
    // The statement is sent in this turn of the event loop.
    await new Promise(setImmediate)
    await pool.close()
    await pending
    await assert.rejects(rawQuery(db, 'select 1', []), { code: 'storage_unavailable' })
    await close()
  }))

/** The thread of the service, which this statement ends as a fault in it would. */
const FAULT = 'select 1 as fault'
const faultyThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    const { on } = parentPort
    parentPort.on = (name, handle) =>
      on.call(parentPort, name, (request) => (request.sql === '${FAULT}' ? process.exit(1) : handle(request)))
    await import('${new URL('../../../src/storage/engine/sqlite-worker-thread.ts', import.meta.url)}')`)}`,
)

test('a thread that ends by a fault fails its statements; its snapshots do not continue in the next thread', () =>
  withPool({ idleMs: 60_000, threadUrl: faultyThread }, async (pool, database) => {
    const { db, close } = pool.openReader()
    const transaction = await db.startTransaction().execute()
    assert.deepEqual(await rawQuery(transaction, 'select n from t', []), [{ n: 1 }])
    const other = pool.openReader()
    await assert.rejects(rawQuery(other.db, FAULT, []), { code: 'storage_unavailable' })
    database.exec('insert into t values (2)')
    const next = pool.openReader()
    assert.equal((await rawQuery(next.db, 'select n from t', [])).length, 2)
    await assert.rejects(rawQuery(transaction, 'select n from t', []), { code: 'storage_unavailable' })
    await Promise.all([close(), other.close(), next.close()])
  }))

test('a thread that was not closed does not keep the process alive, and its results are not lost', () =>
  withPool({ idleMs: 60_000 }, async (_pool, _database, path) => {
    const module = (name: string): string =>
      JSON.stringify(new URL(`../../../src/storage/${name}`, import.meta.url).href)
    const script = `
      const { createSqliteWorkerPool } = await import(${module('engine/sqlite-worker.ts')})
      const { rawQuery } = await import(${module('dialect.ts')})
      const { db } = createSqliteWorkerPool(${JSON.stringify(path)}, { wrapError: (error) => error, pageCacheKib: 4_096 }).openReader()
      console.log((await rawQuery(db, 'select n from t', []))[0].n)`
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    assert.equal(stdout, '1\n')
    assert.equal(status, 0)
  }))

test('a journal that grew during a snapshot is truncated when it restarts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const path = join(folder, 'some.db')
  const storage = openSqlite(path)
  const sizeOfJournal = (): number => statSync(`${path}-wal`).size
  const write = async (bytes: number): Promise<void> =>
    void (await sql`insert into t values (zeroblob(${bytes}))`.execute(storage.writes))
  try {
    await sql`create table t (b blob)`.execute(storage.writes)
    const { db, close } = await openSnapshot(storage)
    await sql`select count(*) from t`.execute(db)
    for (let i = 0; i < 10; i++) await write(4_000_000)
    await close()
    assert.ok(sizeOfJournal() > 40_000_000)
    // The first is checkpointed with everything before it, the second restarts the journal.
    for (let i = 0; i < 2; i++) await write(5_000_000)
    assert.ok(sizeOfJournal() <= 16 * 1_024 * 1_024, `${sizeOfJournal()} bytes`)
  } finally {
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
