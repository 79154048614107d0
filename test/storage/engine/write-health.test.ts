// F43: readiness reports whether writing works, and why not; the engine's own code is logged.
import assert from 'node:assert/strict'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { checkReadiness } from '../../../src/actions/maintenance/readiness.ts'
import { AppError } from '../../../src/errors.ts'
import { classifyFailure } from '../../../src/storage/health/failure.ts'
import { createStorageHealth } from '../../../src/storage/health/storage-health.ts'
import { captureLog } from '../../support/measure/captured-log.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { runCommand } from '../../support/processes/process.ts'
import { makePlace } from '../../support/storage/engines.ts'
import { onDatabase } from '../../support/storage/template.ts'
import { openWorld, type World } from '../../support/world.ts'

const event = { title: 'zqtitle', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
const large = { ...event, description: 'zqtext '.repeat(1_300) }

const readReason = async ({ anonymous }: World): Promise<string | undefined> => {
  const { status, body } = await anonymous.send({ method: 'GET', url: '/readyz' })
  assert.equal(status, body.data ? 200 : 503)
  return body.error?.details.reason
}

async function withLoggingWorld(
  engine: 'sqlite' | 'postgres',
  story: (world: World, log: () => string) => Promise<void>,
): Promise<void> {
  const place = await makePlace(engine)
  const log = captureLog()
  const world = await openWorld(engine, place, { settings: { DAYBOOK_LOG_LEVEL: 'info' } })
  try {
    await story(world, log.text)
    assert.doesNotMatch(log.text(), /zqt/, 'nothing of an event is in the log')
  } finally {
    await world.app.close()
    log.stop()
    await place.remove()
  }
}

test('F43: a full disk makes the node not ready until a write of ordinary size works again', async () => {
  await withLoggingWorld('sqlite', async (world, log) => {
    const { writes } = world.app.ctx.storage
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(writes)
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(writes)
    assert.equal(await readReason(world), undefined, 'a small change still fits')
    await waitFor('a write is refused', async () => (await world.writer.post('/events', large)).status === 503)
    // Small rows may still fit; that does not make the node ready, however often it is checked.
    for (let i = 0; i < 50; i++) assert.equal(await readReason(world), 'disk_full')
    await world.app.ctx.storage.writes.transaction().execute(async () => {})
    assert.equal(await readReason(world), 'disk_full', 'a transaction that writes nothing proves nothing')
    await sql.raw('pragma max_page_count = 1000000').execute(writes)
    await waitFor('ready again', async () => (await readReason(world)) === undefined)
    assert.equal((await world.writer.post('/events', large)).status, 201)
    assert.match(log(), /"reason":"disk_full","sqlite_code":13,"sqlite_message":"database or disk is full"/)
    assert.match(
      log(),
      /"request_id":"\w+","error":"Error ERR_SQLITE_ERROR 13 /,
      'the line of the request has the code too',
    )
    assert.equal(log().split('"reason":"disk_full"').length, 2, 'said once a minute')
    assert.match(log(), /writing works again/)
  })
})

test('F43: a SQLite database that became read-only is noticed without a write', async () => {
  await withLoggingWorld('sqlite', async (world, log) => {
    const { writes } = world.app.ctx.storage
    await sql.raw('pragma query_only = on').execute(writes)
    await waitFor('not ready', async () => (await readReason(world)) === 'read_only')
    const refused = await world.writer.post('/events', event)
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'storage_unavailable'])
    assert.equal((await world.writer.get('/events')).status, 200, 'reading goes on')
    assert.match(log(), /"reason":"read_only","sqlite_code":8,/)
    await sql.raw('pragma query_only = off').execute(writes)
    await waitFor('ready again', async () => (await readReason(world)) === undefined)
  })
})

test('F43: a PostgreSQL that became read-only is noticed without a write, and used again', async () => {
  await withLoggingWorld('postgres', async (world, log) => {
    const url = world.place.settings.DAYBOOK_DATABASE_URL!
    const name = new URL(url).pathname.slice(1)
    const setReadOnly = (value: 'on' | 'off') =>
      onDatabase(url, async (client) => {
        await client.query('set default_transaction_read_only = off')
        await client.query(`alter database ${name} set default_transaction_read_only = ${value}`)
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
          [name],
        )
      })
    await setReadOnly('on')
    await waitFor('not ready', async () => (await readReason(world)) === 'read_only')
    const refused = await world.writer.post('/events', event)
    assert.deepEqual([refused.status, refused.body.error.code], [503, 'storage_unavailable'])
    assert.match(log(), /"reason":"read_only","sqlstate":"25006","severity":"ERROR"/)
    await setReadOnly('off')
    await waitFor('ready again', async () => (await readReason(world)) === undefined)
    await waitFor('writing again', async () => (await world.writer.post('/events', event)).status === 201)
  })
})

test('F43: damaged pages are answered with 503, make the node not ready and are reported by commands', async () => {
  const place = await makePlace('sqlite')
  const before = await openWorld('sqlite', place)
  for (let i = 0; i < 5; i++) await before.writer.creates(event)
  await before.app.close()
  damageTable(join(place.settings.DAYBOOK_DATA_DIR!, 'daybook.db'), 'events')
  const log = captureLog()
  const world = await openWorld('sqlite', place, { place, settings: { DAYBOOK_LOG_LEVEL: 'info' } })
  try {
    for (const answer of [await world.writer.post('/events', event), await world.writer.get('/events')])
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'storage_unavailable'])
    assert.equal(await readReason(world), 'corrupt')
    const elsewhere = await world.reader.post('/auth/feeds', { name: 'Phone' })
    assert.equal(elsewhere.status, 503, 'nothing is acknowledged that a restored backup would lose')
    assert.match(log.text(), /"reason":"corrupt","sqlite_code":\d+,"sqlite_message":"database disk image is malformed"/)
  } finally {
    await world.app.close()
    log.stop()
  }
  try {
    const exported = runCommand(['export', 'calendar.ics'], place.folder, place.settings)
    assert.equal(exported.code, 1)
    assert.match(
      exported.stderr,
      /^daybook export: the database is damaged; restore a backup \(SQLite 11: database disk image is malformed\)$/m,
    )
  } finally {
    await place.remove()
  }
})

/** Overwrites the first page of a table. */
function damageTable(path: string, table: string): void {
  const database = new DatabaseSync(path)
  const { rootpage } = database.prepare('select rootpage from sqlite_schema where name = ?').get(table) as {
    rootpage: number
  }
  const { page_size } = database.prepare('pragma page_size').get() as { page_size: number }
  database.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(page_size, 0xff), 0, page_size, (rootpage - 1) * page_size)
  closeSync(file)
}

test('F43: commands report why a database cannot be opened', async () => {
  const place = await makePlace('sqlite')
  try {
    const data = place.settings.DAYBOOK_DATA_DIR!
    mkdirSync(data)
    writeFileSync(join(data, 'daybook.db'), Buffer.alloc(8_192, 7))
    const { code, stderr } = runCommand(['start'], place.folder, place.settings)
    assert.equal(code, 1)
    assert.equal(
      stderr,
      `daybook start: cannot open the calendar in ${data}: the database is damaged; restore a backup (SQLite 26: file is not a database)\n`,
    )
  } finally {
    await place.remove()
  }
})

test('an error of either engine is classified by its cause', () => {
  const sqlite = (errcode: number) => classifyFailure({ errcode, errstr: 'text', code: 'ERR_SQLITE_ERROR' })?.reason
  const expected: [number, string | undefined][] = [
    [1, undefined],
    [3, 'permission_denied'],
    [5, 'busy'],
    [517, 'busy'],
    [6, 'busy'],
    [8, 'read_only'],
    [10, 'io_error'],
    [778, 'io_error'],
    [11, 'corrupt'],
    [13, 'disk_full'],
    [14, 'io_error'],
    [19, undefined],
    [2067, undefined],
    [26, 'corrupt'],
  ]
  for (const [code, reason] of expected) assert.equal(sqlite(code), reason, `${code}`)
  const postgres = (code: string) => classifyFailure({ code, severity: 'ERROR', message: 'secret' })
  for (const [code, reason] of Object.entries({
    '08006': 'database_unreachable',
    '23505': undefined,
    '25006': 'read_only',
    '28P01': 'permission_denied',
    '3D000': 'database_unreachable',
    '42501': 'permission_denied',
    '53100': 'disk_full',
    '40P01': 'busy',
    '53300': 'busy',
    '57014': 'busy',
    '57P03': 'database_unreachable',
    '58030': 'io_error',
    XX001: 'corrupt',
  })) {
    assert.equal(postgres(code)?.reason, reason, code)
    assert.doesNotMatch(JSON.stringify(postgres(code) ?? ''), /secret/)
  }
  for (const severity of ['FATAL', 'PANIC'])
    assert.equal(classifyFailure({ code: 'XX000', severity, message: '' })?.reason, 'database_unreachable')
  assert.equal(classifyFailure({ code: 'XX000', severity: 'ERROR', message: '' }), undefined)
  assert.equal(classifyFailure(Object.assign(new Error(), { code: 'ECONNRESET' }))?.reason, 'database_unreachable')
  assert.equal(classifyFailure(new Error('Connection terminated unexpectedly'))?.reason, 'database_unreachable')
  assert.equal(classifyFailure(new TypeError('ours')), undefined)
})

test('a server that refuses every connection makes a node not ready, a full pool does not', async () => {
  const clock = { at: 0 }
  const health = createStorageHealth({}, () => clock.at)
  const checkWith = (failure: unknown): Promise<string | undefined> => {
    clock.at += 10_000
    return health.check(async () => {
      if (failure) throw failure
    })
  }
  for (const code of ['53300', '53400']) {
    const refused = Object.assign(new Error('refused'), { code, severity: 'FATAL' })
    assert.equal(await checkWith(new AppError('storage_unavailable', { cause: refused })), 'database_unreachable', code)
    assert.equal(await checkWith(undefined), undefined)
  }
  assert.equal(await checkWith(new Error('timeout exceeded when trying to connect')), undefined)
})

test('many readiness checks share one test write per interval', async () => {
  const clock = { at: 0 }
  const health = createStorageHealth({}, () => clock.at)
  let writes = 0
  const tryWrite = async (): Promise<void> => {
    writes += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  const ask = () => Promise.all(Array.from({ length: 100 }, () => health.check(tryWrite)))
  await ask()
  await ask()
  assert.equal(writes, 1)
  clock.at += 5_000
  await ask()
  assert.equal(writes, 2)
  health.report({ errcode: 8, errstr: 'attempt to write a readonly database' })
  assert.equal(await health.check(tryWrite), 'read_only')
  assert.equal(writes, 2, 'a failure does not make it try more than once a second')
  clock.at += 1_000
  assert.equal(await health.check(tryWrite), undefined)
  assert.equal(writes, 3)
})

test('many concurrent readiness checks read the database once', async () => {
  await withLoggingWorld('sqlite', async ({ app }) => {
    const { storage } = app.ctx
    let reads = 0
    const counted = new Proxy(storage.reads, {
      get(target, name) {
        if (name === 'selectFrom') reads += 1
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const ctx = { ...app.ctx, storage: { ...storage, reads: counted } }
    await checkReadiness(ctx, false)
    const readsOfOne = reads
    assert.ok(readsOfOne > 0)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => checkReadiness(ctx, i === 0)))
    assert.equal(reads, 2 * readsOfOne)
    assert.deepEqual(
      answers.slice(0, 2).map(({ status }) => status),
      ['not_ready', 'ready'],
      'stopping is not shared',
    )
  })
})
