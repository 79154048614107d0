// Storage failures: refused with a clear error, nothing lost, and recovery without a restart.
import assert from 'node:assert/strict'
import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { loadConfig } from '../../../src/config.ts'
import { migrate, migrations } from '../../../src/storage/engine/migrate.ts'
import { openStorage } from '../../../src/storage/engine/open.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { raiseRevision } from '../../../src/storage/events/calendar.ts'
import type { Db } from '../../../src/storage/tables.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { startPostgres } from '../../support/storage/postgres-server.ts'
import { openWorld, PASSWORD, withWorld } from '../../support/world.ts'

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

test('F6: PostgreSQL restarting under load never ends the service, and it recovers by itself', async () => {
  const server = await startPostgres()
  const place = await makePlace('sqlite')
  const world = await openWorld('postgres', { ...place, settings: { DAYBOOK_DATABASE_URL: server.url } })
  try {
    const acknowledged: string[] = []
    const seen = new Set<number>()
    let isOver = false
    const client = async (): Promise<void> => {
      while (!isOver) {
        const answer = await world.writer.post('/events', event)
        seen.add(answer.status)
        if (answer.status === 201) acknowledged.push(answer.body.data.id)
        else await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const clients = Array.from({ length: 4 }, client)
    for (let i = 0; i < 4; i++) {
      const before = acknowledged.length
      await waitFor('events are written', () => acknowledged.length > before + 4)
      await server.restart()
    }
    const before = acknowledged.length
    await waitFor('events are written again', () => acknowledged.length > before)
    isOver = true
    await Promise.all(clients)
    assert.ok(
      [...seen].every((status) => status === 201 || status === 503),
      [...seen].join(),
    )
    assert.equal((await world.writer.post('/events', event)).status, 201)
    const stored = new Set(
      (await world.app.ctx.storage.reads.selectFrom('events').select('id').execute()).map(({ id }) => id),
    )
    assert.ok(acknowledged.length > 0)
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
      'nothing acknowledged is lost',
    )
  } finally {
    await world.app.close()
    await place.remove()
    await server.stop()
  }
})

test('F8: with every connection taken a request waits a little, then gets Retry-After', async () => {
  await withWorld(
    'postgres',
    async ({ app, writer }) => {
      const held = Promise.withResolvers<void>()
      const holding = app.ctx.storage.writes.transaction().execute(() => held.promise)
      const answers = await Promise.all(Array.from({ length: 4 }, () => writer.post('/events', event)))
      for (const { status, headers } of answers) {
        assert.equal(status, 503)
        assert.ok(Number(headers['retry-after']) >= 1)
      }
      held.resolve()
      await holding
      assert.equal((await writer.post('/events', event)).status, 201)
    },
    { settings: { DAYBOOK_DATABASE_POOL_SIZE: '1' }, storageLimits: { writeWaitMs: 1_000 } },
  )
})

test('F36: a node goes on after another one has added a column to its tables', () =>
  withWorld('postgres', async ({ app, writer, admin, anonymous }) => {
    const { id } = (await writer.post('/events', event)).body.data
    const requests = [
      () => writer.post('/events', event),
      () => writer.get(`/events/${id}`),
      () => writer.get('/events?view=year'),
      () => writer.patch(`/events/${id}`, { title: 'B', version: 1 }),
      () => anonymous.get('/public/events'),
      () => admin.get('/admin/users'),
      () => admin.get('/admin/export.ics'),
      () => anonymous.post('/auth/login', { email: 'writer@example.org', password: PASSWORD }),
    ]
    const sendAll = () => Promise.all(requests.flatMap((send) => [send(), send()]))
    await sendAll()
    for (const table of ['events', 'users', 'calendar', 'audit', 'sessions', 'occurrences'])
      await sql`alter table ${sql.table(table)} add column added_later integer`.execute(app.ctx.storage.writes)
    // Each connection may refuse one request of each kind, and which of them serves a request depends on the load.
    await waitFor('a round without a refusal', async () => {
      const statuses = (await sendAll()).map(({ status }) => status)
      for (const status of statuses) assert.ok(status < 500 || status === 503, `${status}`)
      return statuses.every((status) => status < 500)
    })
  }))

test('F8: the locks of a node that stops inside a transaction are freed for the others', async () => {
  const place = await makePlace('postgres')
  const url = place.settings.DAYBOOK_DATABASE_URL!
  const own = await openStorage(loadConfig(place.settings, place.folder))
  const frozen = openPostgres({ url, poolSize: 2, onLost: () => {}, limits: { idleTransactionMs: 200 } })
  try {
    const { rows } = await sql<{ limit: string }>`
      select current_setting('idle_in_transaction_session_timeout') as limit`.execute(own.writes)
    assert.equal(rows[0]?.limit, '15s')
    const held = Promise.withResolvers<void>()
    const isLocked = Promise.withResolvers<void>()
    const stopped = frozen.writes.transaction().execute(async (db) => {
      await raiseRevision(db)
      isLocked.resolve()
      await held.promise
      await raiseRevision(db)
    })
    stopped.catch(() => {})
    await isLocked.promise
    await inTransaction(own, raiseRevision)
    held.resolve()
    await assert.rejects(stopped, 'what it had written is not kept')
    await inTransaction(frozen, raiseRevision)
  } finally {
    await frozen.close()
    await own.close()
    await place.remove()
  }
})

test('the start waits for a PostgreSQL that is slow to answer', async () => {
  const place = await makePlace('postgres')
  const real = new URL(place.settings.DAYBOOK_DATABASE_URL!)
  let connections = 0
  // Sends nothing to the first client, as an overloaded server does.
  const slow = createServer((socket) => {
    connections += 1
    socket.on('error', () => {})
    if (connections === 1) return void socket.resume()
    const server = connect(Number(real.port || 5432), real.hostname)
    server.on('error', () => socket.destroy())
    socket.pipe(server).pipe(socket)
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const url = new URL(real)
  url.hostname = '127.0.0.1'
  url.port = `${(slow.address() as AddressInfo).port}`
  try {
    const storage = await openStorage(loadConfig({ ...place.settings, DAYBOOK_DATABASE_URL: `${url}` }, place.folder))
    assert.ok(connections > 1)
    await storage.close()
  } finally {
    slow.close()
    await place.remove()
  }
})

test('F3: a full disk refuses writes, serves reads, and recovers without a restart', async () => {
  await withWorld('sqlite', async ({ app, writer, anonymous }) => {
    const { id } = await writer.creates(event)
    const { sql } = await import('kysely')
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(app.ctx.storage.writes)
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(app.ctx.storage.writes)
    const statuses: number[] = []
    for (let i = 0; i < 30; i++)
      statuses.push((await writer.post('/events', { ...event, description: 'x'.repeat(9_000) })).status)
    assert.equal(statuses.at(-1), 503)
    assert.equal(
      (await writer.post('/events', { ...event, description: 'x'.repeat(9_000) })).body.error.code,
      'storage_unavailable',
    )
    assert.equal((await anonymous.get(`/events/${id}`)).status, 200)
    await sql.raw('pragma max_page_count = 1000000').execute(app.ctx.storage.writes)
    assert.equal((await writer.post('/events', event)).status, 201)
    const { rows: check } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(
      app.ctx.storage.writes,
    )
    assert.equal(check[0]!.integrity_check, 'ok')
    const total = (await writer.get('/events')).body.meta.pagination.total
    assert.equal(total, 2 + statuses.filter((status) => status === 201).length, 'every acknowledged event is there')
  })
})

test('F5: a calendar whose file is missing or damaged is not silently replaced by an empty one', async () => {
  const place = await makePlace('sqlite')
  const config = loadConfig(place.settings, place.folder)
  const path = join(config.dataDir, 'daybook.db')
  try {
    await (await openStorage(config)).close()
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    writeFileSync(path, Buffer.alloc(8_192, 7))
    await assert.rejects(openStorage(config), /not a database/)
    truncateSync(path, 100)
    await assert.rejects(openStorage(config))
    truncateSync(path, 0)
    await assert.rejects(openStorage(config), /is missing or empty/)
    rmSync(path)
    await assert.rejects(openStorage(config), /is missing or empty, but a calendar was stored there/)
    assert.ok(!existsSync(path), 'no empty calendar was put in its place')
  } finally {
    await place.remove()
  }
})

forEachEngine(
  'F36: nodes that start together migrate once; an older program refuses a newer database',
  async (engine) => {
    const place = await makePlace(engine)
    try {
      const config = loadConfig(place.settings, place.folder)
      const first = await openStorage(config)
      const others = await Promise.all(Array.from({ length: 3 }, () => openStorage(config)))
      const applied = await first.reads.selectFrom('migrations').selectAll().execute()
      assert.deepEqual(
        applied.map(({ name }) => name),
        migrations.map(({ name }) => name),
      )
      await first.writes.insertInto('migrations').values({ name: '999-from-the-future', applied_at: 0 }).execute()
      await assert.rejects(migrate(first), /newer version of Daybook/)
      for (const storage of [first, ...others]) await storage.close()
    } finally {
      await place.remove()
    }
  },
)

test('F2: a PostgreSQL without synchronous commits is refused, unless a setting allows it', async () => {
  const place = await makePlace('postgres')
  try {
    const url = new URL(place.settings.DAYBOOK_DATABASE_URL!)
    url.searchParams.set('options', '-c synchronous_commit=off')
    const settings = { ...place.settings, DAYBOOK_DATABASE_URL: url.href }
    await assert.rejects(openStorage(loadConfig(settings, place.folder)), /synchronous_commit off and may lose/)
    const storage = await openStorage(loadConfig({ ...settings, DAYBOOK_DURABLE_COMMITS: 'off' }, place.folder))
    await storage.close()
  } finally {
    await place.remove()
  }
})

test('F2: SQLite acknowledges only what is on the disk', async () => {
  await withWorld('sqlite', async ({ app }) => {
    const { sql } = await import('kysely')
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(app.ctx.storage.writes)
    assert.equal(rows[0]!.synchronous, 2)
    const { rows: journal } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(app.ctx.storage.writes)
    assert.equal(journal[0]!.journal_mode, 'wal')
  })
})

forEachEngine('a database from before accounts is migrated with its users', async (engine) => {
  const place = await makePlace(engine)
  try {
    const config = loadConfig(place.settings, place.folder)
    const before = await openStorage(config)
    await takeAccountsAway(before.writes)
    await before.close()
    const after = await openStorage(config)
    const people = await after.reads
      .selectFrom('users')
      .select(['name_key', 'request_count', 'last_requested_at'])
      .execute()
    assert.deepEqual(
      people.map((person) => ({ ...person })),
      [{ name_key: 'zoe', request_count: 1, last_requested_at: 0 }],
    )
    assert.deepEqual(await after.reads.selectFrom('sessions').selectAll().execute(), [])
    await after.close()
  } finally {
    await place.remove()
  }
})

/** As the first release left it, with one account in it. */
async function takeAccountsAway(db: Db): Promise<void> {
  const tables = ['sessions', 'tokens', 'app_passwords', 'api_tokens', 'outbox']
  const others = ['rate_limits', 'traces', 'audit', 'spent_proofs']
  for (const table of [...tables, ...others]) await sql.raw(`drop table ${table}`).execute(db)
  await sql.raw('drop index users_by_state').execute(db)
  for (const column of ['name_key', 'was_asked_again', 'request_count', 'last_requested_at'])
    await sql.raw(`alter table users drop column ${column}`).execute(db)
  await sql
    .raw(
      `insert into users (id, email, email_key, display_name, password_hash, role, approval_state, created_at, version)
        values ('a', 'a@example.org', 'a@example.org', 'Zoë', 'x', 'writer', 'approved', 0, 1)`,
    )
    .execute(db)
  await db.deleteFrom('migrations').where('name', 'in', ['002-accounts', '008-request-counts']).execute()
}

test('a PostgreSQL database in another encoding than UTF8 is refused at the start', async () => {
  const place = await makePlace('postgres')
  const url = new URL(place.settings.DAYBOOK_DATABASE_URL!)
  const name = `${url.pathname.slice(1)}_latin1`
  const server = await openStorage(loadConfig(place.settings, place.folder))
  try {
    await sql`create database ${sql.id(name)} encoding 'LATIN1' locale 'C' template template0`.execute(server.writes)
    url.pathname = `/${name}`
    const settings = { ...place.settings, DAYBOOK_DATABASE_URL: url.href }
    await assert.rejects(openStorage(loadConfig(settings, place.folder)), /has the encoding LATIN1; create one with/)
    await sql`drop database ${sql.id(name)}`.execute(server.writes)
  } finally {
    await server.close()
    await place.remove()
  }
})
