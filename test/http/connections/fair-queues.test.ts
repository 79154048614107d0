// Fair queues for storage: waiting clients are served in turn, however many requests each of them has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPublicFeed } from '../../../src/actions/feeds/feeds.ts'
import { shareQuery } from '../../../src/actions/maintenance/revision-reader.ts'
import { currentClient, runForClient } from '../../../src/scheduling/current-client.ts'
import { listen } from '../../support/http/socket.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { holdReads, logConnections } from '../../support/storage/hold-storage.ts'
import { basicOf, withWorld } from '../../support/world.ts'

const SETTINGS = { settings: { DAYBOOK_TRUST_PROXY: '127.0.0.1' } }
const BASE = '/api-root/calendar/v1'
const EVENT = { title: 'One', visibility: 'public', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

/** Networks of one /48. */
const FLOOD = Array.from({ length: 40 }, (_, i) => `2001:db8:9:${(i + 1).toString(16)}::1`)
const OTHER = '198.51.100.7'

const forwardedFor = (address: string): Record<string, string> => ({
  'x-forwarded-for': address,
  'x-forwarded-proto': 'https',
})

forEachEngine('database connections are given to clients in turn', (engine) =>
  withWorld(engine, async ({ app }) => {
    const { reads, writes } = app.ctx.storage
    for (const db of [reads, writes]) {
      const log = logConnections(db)
      const released = Promise.withResolvers<void>()
      const ask = (...path: string[]): Promise<unknown> =>
        runForClient({ path }, () => db.transaction().execute(() => released.promise))
      const all = FLOOD.map((network) => ask('a', network))
      all.push(ask('b', 'network'))
      await waitFor('all have asked', () => log.asked.length === all.length)
      released.resolve()
      await Promise.all(all)
      const before = log.granted.indexOf('b network')
      assert.ok(before <= CONNECTIONS + 1, `${before} were served before it`)
    }
  }),
)

test('a shared query does not run on behalf of the client that asked first', async () => {
  const query = shareQuery(async () => currentClient())
  assert.equal(await runForClient({ path: ['a'] }, query), undefined)
})

forEachEngine('the build of the whole feed does not run on behalf of the client that asked first', (engine) =>
  withWorld(engine, async ({ app }) => {
    const served: (readonly string[] | undefined)[] = []
    const reserve = (): void => void served.push(currentClient()?.path)
    const caller = { key: 'network', charge: () => {} }
    for (const categories of [undefined, ['Music']])
      await runForClient({ path: ['a'] }, () =>
        createPublicFeed(app.ctx, { categories, from: undefined }, caller, { reserve, maxKeptBytes: 1_000_000 }),
      )
    assert.deepEqual(served, [undefined, ['a']])
  }),
)

/** The most readers, and the most writers, there are. */
const CONNECTIONS = 6

forEachEngine('work for a request is attributed to its client: networks, and the account once it is known', (engine) =>
  withWorld(
    engine,
    async ({ app }) => {
      const { reads, writes } = app.ctx.storage
      const port = await listen(app)
      const send = async (method: string, path: string, email: string | undefined, type: string, body?: string) => {
        const read = logConnections(reads)
        const written = logConnections(writes)
        const authorization = email && { authorization: basicOf(email) }
        const headers = { 'content-type': type, depth: '1', ...forwardedFor(OTHER), ...authorization }
        // Over a socket: code after a body does not run in the context of the request by itself.
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
        await response.arrayBuffer()
        assert.ok(response.ok, `${response.status}`)
        return { read: read.asked, written: written.asked }
      }
      const network = `198.51.100.0/24 ${OTHER}`
      const anonymous = await send('GET', `${BASE}/public/events?from=2026-07-01&to=2026-08-01`, undefined, '')
      assert.ok(anonymous.read.length > 0)
      assert.deepEqual([...new Set(anonymous.read)], [network])
      const posted = await send(
        'POST',
        `${BASE}/events`,
        'writer@example.org',
        'application/json',
        JSON.stringify(EVENT),
      )
      const account = posted.written[0] ?? ''
      assert.ok(account.startsWith(`${network} `), account)
      assert.deepEqual([...new Set(posted.written)], [account])
      const reported = await send('REPORT', '/caldav/calendars/main/', 'writer@example.org', 'application/xml', SYNC)
      assert.ok(reported.read.length > 0)
      assert.deepEqual([...new Set(reported.read)], [account])
    },
    SETTINGS,
  ),
)

const SYNC =
  '<D:sync-collection xmlns:D="DAV:"><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>'

test('F32: reads of one client in forty networks do not go before the read of another', () =>
  withWorld(
    'sqlite',
    async (world) => {
      await world.writer.creates(EVENT)
      const order: string[] = []
      const read = async (address: string, i: number): Promise<void> => {
        const path = `/public/events?from=2026-07-01T00:00:${10 + i}&to=2026-08-01`
        assert.equal((await world.with(forwardedFor(address)).get(path)).status, 200)
        order.push(address)
      }
      const held = await holdReads(world)
      const flood = FLOOD.map(read)
      let other: Promise<void>
      try {
        await waitFor('all wait', async () => (await held.waiting()) === FLOOD.length)
        other = read(OTHER, FLOOD.length)
        await waitFor('the other waits', async () => (await held.waiting()) === FLOOD.length + 1)
      } finally {
        await held.release()
      }
      await Promise.all([...flood, other])
      assert.ok(order.indexOf(OTHER) <= 3, `${order.indexOf(OTHER)} went before it`)
    },
    SETTINGS,
  ))
