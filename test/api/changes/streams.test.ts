// Change streams: told of changes within a moment and of nothing else, limited, and ended when they must be.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createOpenStreams, STREAM_LIMITS } from '../../../src/api/streams/open-streams.ts'
import { ANONYMOUS } from '../../../src/domain/privacy/viewer.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { raiseRevision } from '../../../src/storage/events/calendar.ts'
import { type EventStreamClient, openEventStream } from '../../support/http/event-stream.ts'
import { listen } from '../../support/http/socket.ts'
import { waitFor, withDeadline } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { basicOf, type World, withTwoNodes, withWorld } from '../../support/world.ts'

const choir = { title: 'Choir', start: '2026-07-07T19:00', end: '2026-07-07T21:00', visibility: 'public' }
const secret = { ...choir, title: 'Surgery', visibility: 'private' }
const WRITER = { authorization: basicOf('writer@example.org') }

const fullToken = async ({ writer }: World): Promise<string> => (await writer.get('/events')).body.meta.sync_token
const publicToken = async ({ anonymous }: World): Promise<string> =>
  (await anonymous.get('/public/events')).body.meta.sync_token

forEachEngine('P48: a stream says that something changed, with the token, and the public only what it sees', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const port = await listen(world.app)
    const full = await openEventStream(port, '/events/stream', WRITER)
    const open = await openEventStream(port, '/public/stream')
    const anonymous = await openEventStream(port, '/events/stream')
    for (const { status, headers } of [full, open, anonymous]) {
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-store, no-transform')
      assert.equal(headers['x-accel-buffering'], 'no')
      assert.equal(headers['content-encoding'], undefined)
    }
    assert.equal(open.headers['access-control-allow-origin'], '*')
    await waitFor('the first blocks', () => full.text() !== '' && open.text() !== '' && anonymous.text() !== '')
    assert.equal(full.firstId(), await fullToken(world))
    assert.equal(open.firstId(), await publicToken(world))
    const { id } = await writer.creates(choir)
    const tokens = [await fullToken(world), await publicToken(world), await publicToken(world)]
    for (const [i, stream] of [full, open, anonymous].entries()) assert.deepEqual(await stream.changes(1), [tokens[i]])

    const hidden = await writer.creates(secret)
    await open.changes(2)
    for (let version = 1; version <= 3; version++) {
      await writer.patch(`/events/${hidden.id}`, { title: `Surgery ${version}`, version })
      const token = await fullToken(world)
      await waitFor('the change', () => full.ids().at(-1) === token)
    }
    assert.deepEqual([open.ids().length, anonymous.ids().length], [2, 2], 'nothing of what is hidden')
    assert.doesNotMatch(full.text(), /Surgery|Choir/)
    await writer.delete(`/events/${id}`)
    await open.changes(3)
    assert.match(open.text(), /^retry: 5000\nid: \S+\n\n(?:event: changed\nid: \S+\ndata: \{\}\n\n){3}$/)
  }),
)

forEachEngine('a change between a list and the stream, or while it was closed, is reported at once', (engine) =>
  withWorld(engine, async (world) => {
    const port = await listen(world.app)
    const since = await fullToken(world)
    const publicSince = await publicToken(world)
    await world.writer.creates(choir)
    const token = await fullToken(world)
    for (const stream of [
      await openEventStream(port, `/events/stream?since=${since}`, WRITER),
      await openEventStream(port, '/events/stream', { ...WRITER, 'last-event-id': since }),
      await openEventStream(port, `/events/stream?since=${token}`, { ...WRITER, 'last-event-id': since }),
      await openEventStream(port, '/events/stream', { ...WRITER, 'last-event-id': 'of another kind' }),
    ])
      assert.deepEqual(await stream.changes(1), [token])
    assert.deepEqual(await (await openEventStream(port, `/public/stream?since=${publicSince}`)).changes(1), [
      await publicToken(world),
    ])
    const current = await openEventStream(port, `/events/stream?since=${token}`, WRITER)
    await world.writer.creates(choir)
    assert.deepEqual(await current.changes(1), [await fullToken(world)], 'and nothing before')
  }),
)

forEachEngine('streams of another node, and of another process that writes, are told too', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const streams: EventStreamClient[] = []
    for (const world of [one, two]) {
      const port = await listen(world.app)
      streams.push(await openEventStream(port, '/public/stream'), await openEventStream(port, '/events/stream', WRITER))
    }
    await two.writer.creates(choir)
    for (const stream of streams) assert.equal((await stream.changes(1)).length, 1)
    // Without a commit listener or a notice, as from a command on the machine.
    await two.app.ctx.storage.writes.transaction().execute((db) => raiseRevision(db))
    const token = await fullToken(one)
    for (const stream of [streams[1]!, streams[3]!]) await waitFor('the change', () => stream.ids().at(-1) === token)
    assert.equal(streams[0]!.ids().length, 1)
  }),
)

forEachEngine('a burst of changes is few events, and the last has the last token', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const port = await listen(world.app)
      const stream = await openEventStream(port, '/events/stream', WRITER)
      for (let i = 0; i < 40; i++) await inTransaction(world.app.ctx.storage, raiseRevision)
      const token = await fullToken(world)
      await waitFor('the last', () => stream.ids().at(-1) === token)
      assert.ok(stream.ids().length < 20, `${stream.ids().length}`)
      assert.equal(new Set(stream.ids()).size, stream.ids().length)
    },
    { streams: { pauseMs: 300 } },
  ),
)

forEachEngine('a stream ends with its session, token, account or right', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, signIn, clock, app } = world
    const port = await listen(app)
    const browser = await signIn('writer@example.org')
    const made = await browser.post('/auth/tokens', { name: 'Robot', scopes: ['events:read'] })
    const bearer = { authorization: `Bearer ${made.body.data.token}` }
    const [bySession, byToken, byPassword, others] = await Promise.all([
      openEventStream(port, '/events/stream', { cookie: browser.cookie }),
      openEventStream(port, '/events/stream', bearer),
      openEventStream(port, '/events/stream', WRITER),
      openEventStream(port, '/events/stream', { authorization: basicOf('reader@example.org') }),
    ])
    await browser.delete(`/auth/tokens/${made.body.data.id}`)
    await byToken.ended()
    assert.equal((await openEventStream(port, '/events/stream', bearer)).status, 401)
    assert.ok(!bySession.isEnded() && !byPassword.isEnded())
    await browser.post('/auth/logout', {})
    await bySession.ended()
    const { body } = await admin.get('/admin/users?q=writer')
    await admin.patch(`/admin/users/${body.data[0].id}`, { approval_state: 'suspended', version: body.data[0].version })
    await byPassword.ended()
    const reader = (await admin.get('/admin/users?q=reader')).body.data[0]
    assert.ok(!others.isEnded())
    await admin.delete(`/admin/users/${reader.id}`)
    await others.ended()
    assert.equal(clock.at, Date.parse('2026-07-10T12:00:00Z'))
  }),
)

forEachEngine(
  'a session or token that expires ends its stream at the next heartbeat, and idle streams hear one',
  (engine) =>
    withWorld(
      engine,
      async (world) => {
        const { signIn, clock, app } = world
        const port = await listen(app)
        const browser = await signIn('writer@example.org')
        const made = await browser.post('/auth/tokens', { name: 'Robot', scopes: ['events:read'], expires_in_days: 1 })
        assert.equal(made.status, 201, made.text)
        const bySession = await openEventStream(port, '/events/stream', { cookie: browser.cookie })
        const byToken = await openEventStream(port, '/events/stream', {
          authorization: `Bearer ${made.body.data.token}`,
        })
        const open = await openEventStream(port, '/public/stream')
        await waitFor('three heartbeats', () => (open.text().match(/^:$/gm)?.length ?? 0) >= 3)
        assert.ok(!bySession.isEnded() && !byToken.isEnded())
        clock.at += 400 * 86_400_000
        await bySession.ended()
        await byToken.ended()
        assert.ok(!open.isEnded())
      },
      { streams: { heartbeatMs: 30 } },
    ),
)

forEachEngine('streams are limited for a network and an account, and in all', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const port = await listen(world.app)
      const from = (address: string) => openEventStream(port, '/public/stream', { 'x-forwarded-for': address })
      const first = [await from('192.0.2.1'), await from('192.0.2.1')]
      const refused = await from('192.0.2.1')
      assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '30'])
      assert.equal((await from('198.51.100.7')).status, 200)
      first[0]!.close()
      await waitFor('room', async () => {
        const again = await from('192.0.2.1')
        return again.status === 200
      })
      const own = [
        await openEventStream(port, '/events/stream', WRITER),
        await openEventStream(port, '/events/stream', WRITER),
      ]
      assert.deepEqual(
        own.map(({ status }) => status),
        [200, 200],
      )
      assert.equal((await openEventStream(port, '/events/stream', WRITER)).status, 429)
      const reader = { authorization: basicOf('reader@example.org') }
      assert.equal((await openEventStream(port, '/events/stream', reader)).status, 200)
      assert.equal((await openEventStream(port, '/events/stream', reader)).status, 429, 'all accounts together')
      assert.equal((await from('203.0.113.9')).status, 200)
      assert.equal((await from('203.0.113.10')).status, 429, 'all anonymous readers together')
    },
    {
      settings: { DAYBOOK_TRUST_PROXY: '127.0.0.1' },
      streams: { perNetwork: 2, perAccount: 2, accounts: 3, anonymous: 4 },
    },
  ),
)

forEachEngine('streams of accounts that wait for approval count as anonymous ones', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const port = await listen(world.app)
      const open = (email: string) =>
        openEventStream(port, '/events/stream', {
          authorization: basicOf(email),
          'x-forwarded-for': '192.0.2.1',
          'x-forwarded-proto': 'https',
        })
      const waiting = ['a@example.org', 'b@example.org', 'c@example.org']
      for (const email of waiting) await world.addPerson(email, 'reader', 'pending_approval')
      const statuses = []
      for (const email of waiting) statuses.push((await open(email)).status)
      assert.deepEqual(statuses, [200, 200, 429])
      assert.equal((await open('writer@example.org')).status, 200)
    },
    {
      settings: { DAYBOOK_TRUST_PROXY: '127.0.0.1' },
      streams: { perNetwork: 2, perAccount: 2, accounts: 1, anonymous: 4 },
    },
  ),
)

forEachEngine('a stream ends after its time, and at once when the service drains or stops', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const port = await listen(world.app)
      const old = await openEventStream(port, '/public/stream')
      await old.ended()
      const streams = await Promise.all([
        openEventStream(port, '/public/stream'),
        openEventStream(port, '/events/stream', WRITER),
      ])
      world.app.drain()
      for (const stream of streams) await stream.ended()
      assert.equal((await openEventStream(port, '/public/stream')).status, 503)
      await withDeadline('the service closes', world.app.close())
    },
    { streams: { heartbeatMs: 200, lifeMs: 1 } },
  ).catch((error) => {
    // The world closes its service once more.
    if (!/closed|destroyed|not open|ended/i.test(String(error))) throw error
  }),
)

forEachEngine('a client that reads nothing is dropped', (engine) =>
  withWorld(engine, async ({ app }) => {
    const streams = createOpenStreams(app.ctx, { ...STREAM_LIMITS, heartbeatMs: 5 })
    const responseOf = (writableLength: number) => {
      const raw = new PassThrough()
      raw.resume()
      return Object.defineProperty(raw, 'writableLength', { value: writableLength }) as unknown as ServerResponse
    }
    const [reading, deaf] = [responseOf(100), responseOf(STREAM_LIMITS.unreadBytes + 1)]
    for (const response of [reading, deaf]) {
      const opening = { response, viewer: ANONYMOUS, address: undefined }
      streams.admit(opening)
      streams.begin(opening, 'any')
    }
    await waitFor('the end', () => deaf.destroyed)
    assert.equal(reading.destroyed, false)
    await streams.stop()
  }),
)

forEachEngine('HEAD has the headers, and opens nothing', (engine) =>
  withWorld(engine, async (world) => {
    for (const [client, path] of [
      [world.anonymous, '/public/stream'],
      [world.writer, '/events/stream'],
    ] as const) {
      const { status, headers } = await client.head(path)
      assert.deepEqual([status, headers['content-type']], [200, 'text/event-stream; charset=utf-8'])
    }
    assert.deepEqual(world.app.ctx.metrics.streams(), [
      ['public', 0],
      ['full', 0],
    ])
  }),
)

test('a lost connection for notices loses no change, and is opened again', () =>
  withTwoNodes('postgres', async (one, two) => {
    const stream = await openEventStream(await listen(one.app), '/public/stream')
    const { reads } = two.app.ctx.storage
    const findListener = async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and query like 'listen %'`.execute(reads)
      return rows[0]?.pid
    }
    const pid = await waitFor('the connection', findListener)
    await sql`select pg_terminate_backend(${pid})`.execute(reads)
    await two.writer.creates(choir)
    await stream.changes(1)
    await waitFor('another connection', async () => {
      const found = await findListener()
      return found !== undefined && found !== pid
    })
    await two.writer.creates(choir)
    await stream.changes(2)
  }))
