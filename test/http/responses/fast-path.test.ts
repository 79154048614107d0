// Fast path: repeated identical requests are answered without Fastify, with the same response under the same rules.
import assert from 'node:assert/strict'
import diagnosticsChannel from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Response } from 'light-my-request'
import { loadConfig } from '../../../src/config.ts'
import { createFastPath, type FastPathOptions } from '../../../src/http/responses/fast-path.ts'
import { type CachedResponse, createResponseCache } from '../../../src/http/responses/response-cache.ts'
import { RouteSeries } from '../../../src/ops/request-metrics.ts'
import { event, file } from '../../ical/files.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { ask, basicOf, type World, withTwoNodes, withWorld } from '../../support/world.ts'

const REMOTE = { remoteAddress: '192.0.2.7' }
const PATHS = [
  '/public/events?view=month&from=2026-07-01',
  '/public/sidebar-events',
  '/public/categories',
  '/public/calendar.ics',
]

/** Traced requests pass Fastify; a hundred each second are traced. */
async function flood({ app }: World): Promise<void> {
  // All at once: one after the other they can take longer than a second on a busy machine.
  const urls = Array.from({ length: 101 }, (_, i) => `${app.site.base}/public/categories?n=${i}`)
  await Promise.all(urls.map((url) => ask(app, { url })))
}

const get = ({ app }: World, path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  ask(app, { method, url: app.site.base + path, headers })

const contentOf = ({ statusCode, headers: { date: _, 'x-request-id': id, ...headers }, rawPayload }: Response) => {
  assert.match(String(id), /^[0-9a-v]{26}$/)
  return { statusCode, headers, body: rawPayload.toString('latin1') }
}

/** How many of the requests during `work` reached Fastify's routes. */
async function handledDuring(work: () => Promise<void>): Promise<number> {
  let handled = 0
  const count = (): void => {
    handled += 1
  }
  diagnosticsChannel.subscribe('tracing:fastify.request.handler:start', count)
  await work()
  diagnosticsChannel.unsubscribe('tracing:fastify.request.handler:start', count)
  return handled
}

const party = { title: 'Fête', start: '2026-07-12T10:00', end: '2026-07-12T12:00', visibility: 'public' }

async function fill({ writer }: World): Promise<string> {
  for (let i = 1; i <= 9; i++) await writer.creates({ ...party, title: `Market ${i}`, category: 'Market' })
  return (await writer.creates(party)).id
}

forEachEngine('the fast path sends what Fastify sent, in every encoding', (engine) =>
  withWorld(engine, async (world) => {
    const id = await fill(world)
    const paths = [...PATHS, `/public/events/${id}`, `/public/events/${id}/event.ics`]
    for (const path of paths) {
      const { etag } = (await get(world, path)).headers
      const questions: [Record<string, string>, 'GET' | 'HEAD'][] = [
        [{}, 'GET'],
        [{}, 'HEAD'],
        [{ 'accept-encoding': 'gzip' }, 'GET'],
        [{ 'accept-encoding': 'br;q=0.5, gzip' }, 'HEAD'],
        [{ 'accept-encoding': 'br' }, 'GET'],
        [{ 'if-none-match': String(etag) }, 'GET'],
        [{ 'if-none-match': `"other", ${etag}`, 'accept-encoding': 'br' }, 'GET'],
        [{ 'if-none-match': '*' }, 'HEAD'],
        [{ 'if-none-match': '"other"' }, 'GET'],
        [{ origin: 'https://example.net', cookie: 'a=b', authorization: 'Basic eDp5' }, 'GET'],
      ]
      await world.app.flushTraces()
      const long: object[] = []
      const seen = await handledDuring(async () => {
        for (const [headers, method] of questions) long.push(contentOf(await get(world, path, headers, method)))
      })
      assert.equal(seen, questions.length)
      const again = async (): Promise<void> => {
        for (const [i, [headers, method]] of questions.entries())
          assert.deepEqual(
            contentOf(await get(world, path, headers, method)),
            long[i],
            `${path} ${JSON.stringify(headers)}`,
          )
      }
      // A new second may begin in between, in which the first hundred are traced again.
      let handled = -1
      for (let tries = 0; tries < 10 && handled !== 0; tries++) {
        await flood(world)
        handled = await handledDuring(again)
      }
      assert.equal(handled, 0)
    }
  }),
)

forEachEngine('a change is visible to the next request, on every node', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const id = await fill(one)
    const path = `/public/events/${id}`
    for (const world of [one, two]) await get(world, path)
    for (const world of [one, two]) await flood(world)
    for (let version = 1; version <= 6; version++) {
      const [writer, reader] = version % 2 ? [one, two] : [two, one]
      const isOpen = version % 2 === 0
      const visibility = isOpen ? 'public' : 'private'
      const answer = await writer.writer.patch(`/events/${id}`, { visibility, version })
      assert.equal(answer.status, 200)
      for (const world of [reader, writer]) {
        const now = await get(world, isOpen ? path : PATHS[0]!)
        assert.equal(now.body.includes('Fête'), isOpen)
        assert.equal((await get(world, path)).body, (await get(world, path)).body)
      }
    }
  }),
)

forEachEngine('upcoming events are recomputed when one has passed', (engine) =>
  withWorld(engine, async (world) => {
    await world.writer.creates({ ...party, start: '2026-07-10T12:00', end: '2026-07-10T14:00' })
    const next = async () => JSON.parse((await get(world, '/public/sidebar-events')).body).data.length
    assert.equal(await next(), 1)
    await flood(world)
    assert.equal(await next(), 1)
    world.clock.at = Date.parse('2026-07-10T13:00:01Z')
    assert.equal(await next(), 0)
  }),
)

forEachEngine('requests on the fast path are counted and refused like all others', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { app } = world
      const statuses: number[] = []
      for (let i = 0; i < 610; i++)
        statuses.push((await ask(app, { url: `${app.site.base}/public/categories`, ...REMOTE })).statusCode)
      assert.equal(statuses.filter((status) => status === 200).length, 600)
      assert.deepEqual(new Set(statuses.slice(600)), new Set([429]))
      const another = await ask(app, { url: `${app.site.base}/public/categories`, remoteAddress: '192.0.2.8' })
      assert.equal(another.statusCode, 200)
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)

forEachEngine('the fast path bypasses no other rule', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { app } = world
      const url = `${app.site.base}/public/categories`
      assert.equal((await ask(app, { url })).statusCode, 200)
      await flood(world)
      const plain = await ask(app, { url, headers: { host: 'calendar.example.org' }, ...REMOTE })
      assert.equal(JSON.parse(plain.body).error.code, 'https_required')
      const large = await ask(app, { url, headers: { 'content-length': '99999999' } })
      assert.equal(large.statusCode, 413)
      assert.equal((await ask(app, { method: 'POST', url })).statusCode, 405)
      app.drain()
      assert.equal((await ask(app, { url })).headers.connection, 'close')
    },
    { settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' } },
  ),
)

/** Counts requests that pass Fastify's hooks; must be called before the first request. */
function countFastify({ app }: World): () => number {
  let passed = 0
  app.server.addHook('onRequest', (_request, _reply, done) => {
    passed += 1
    done()
  })
  return () => passed
}

/** Repeats the work, each time after a flood, until no request of it passed Fastify: a new second is traced again. */
async function untilFast(world: World, passed: () => number, work: () => Promise<void>): Promise<void> {
  let during = -1
  for (let tries = 0; tries < 10 && during !== 0; tries++) {
    await flood(world)
    const before = passed()
    await work()
    during = passed() - before
  }
  assert.equal(during, 0)
}

const SECRET = { ...party, title: 'Treatment', visibility: 'private' }

forEachEngine('accounts and the public get from the fast path what Fastify sent, each at its own sight', (engine) =>
  withWorld(engine, async (world) => {
    const passed = countFastify(world)
    const { id } = await world.writer.creates(SECRET)
    const token = async (scope: string): Promise<string> => {
      const browser = await world.signIn('writer@example.org')
      const { body } = await browser.post('/auth/tokens', { name: scope, scopes: [scope] })
      return `Bearer ${body.data.token}`
    }
    const full = [basicOf('reader@example.org'), basicOf('writer@example.org'), await token('events:read')]
    const masked = [await token('events:write')]
    for (const path of [`/events/${id}`, `/events/${id}?timezone=Europe/Paris`, '/events?view=month&from=2026-07-01']) {
      const etag = String((await world.writer.get(path)).headers.etag)
      const maskedTag = String((await world.with({ authorization: masked[0]! }).get(path)).headers.etag)
      const credentials = [...full, ...masked].map((authorization) => ({ authorization }))
      const questions = [...credentials, {}].flatMap((sent): [Record<string, string>, 'GET' | 'HEAD'][] => [
        [sent, 'GET'],
        [{ ...sent, 'accept-encoding': 'br' }, 'HEAD'],
        [{ ...sent, 'if-none-match': `"other", ${etag}` }, 'GET'],
        [{ ...sent, 'if-none-match': maskedTag }, 'GET'],
      ])
      await world.app.flushTraces()
      const slow: ReturnType<typeof contentOf>[] = []
      for (const [headers, method] of questions) slow.push(contentOf(await get(world, path, headers, method)))
      await untilFast(world, passed, async () => {
        for (const [i, [headers, method]] of questions.entries())
          assert.deepEqual(contentOf(await get(world, path, headers, method)), slow[i], JSON.stringify(headers))
      })
      for (const [i, [{ authorization = '' }]] of questions.entries()) {
        assert.equal(slow[i]!.body.includes('Treatment'), slow[i]!.body !== '' && full.includes(authorization))
        const cached = slow[i]!.headers['cache-control']
        assert.equal(cached, authorization ? 'private, no-store' : 'private, no-cache')
      }
      // Pages, sessions and invalid credentials are answered by Fastify.
      const { cookie } = await world.signIn('reader@example.org')
      for (const headers of [{ cookie }, { 'sec-fetch-site': 'same-origin' }] as Record<string, string>[]) {
        const before = passed()
        assert.equal((await get(world, path, headers)).body.includes('Treatment'), 'cookie' in headers)
        assert.equal(passed(), before + 1)
      }
      assert.equal((await get(world, path, { origin: 'https://example.net' })).statusCode, 403)
      assert.equal((await get(world, path, { authorization: basicOf('reader@example.org', 'wrong') })).statusCode, 401)
      const linked = { authorization: full[0]!, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
      assert.equal((await get(world, path, linked)).statusCode, 403)
    }
  }),
)

forEachEngine('the fast path sends nothing to an account after its access has ended, on every node', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const counters = [one, two].map(countFastify)
    const { id } = await one.writer.creates(SECRET)
    const path = `/events/${id}`
    const person = await one.addPerson('lee@example.org', 'reader')
    const authorization = basicOf('lee@example.org')
    const readsBy = (world: World) => get(world, path, { authorization })
    for (const [i, world] of [one, two].entries())
      await untilFast(world, counters[i]!, async () => {
        assert.ok((await readsBy(world)).body.includes('Treatment'))
      })
    // A change of another account, after which the credential is checked again once.
    await one.addPerson('sam@example.org', 'reader')
    for (const world of [one, two]) assert.equal((await readsBy(world)).statusCode, 200)
    const suspended = await one.admin.patch(`/admin/users/${person}`, { approval_state: 'suspended' })
    assert.equal(suspended.status, 200)
    for (const world of [one, two]) assert.ok(!(await readsBy(world)).body.includes('Treatment'))
  }),
)

forEachEngine('a calendar object that is new to a client passes Fastify, where that is recorded', (engine) =>
  withWorld(engine, async (world) => {
    const passed = countFastify(world)
    const url = '/caldav/calendars/main/one.ics'
    const text = (title: string): string => file(event('one', 'DTSTART:20260714T090000Z', `SUMMARY:${title}`))
    const put = (email: string, title: string, headers: Record<string, string> = {}) =>
      ask(world.app, {
        method: 'PUT',
        url,
        headers: { authorization: basicOf(email), 'content-type': 'text/calendar', ...headers },
        payload: text(title),
      })
    const read = (email: string, headers: Record<string, string> = {}) =>
      ask(world.app, { url, headers: { authorization: basicOf(email), ...headers } })
    await world.addPerson('kim@example.org', 'writer')
    assert.equal((await put('writer@example.org', 'First', { 'if-none-match': '*' })).statusCode, 201)
    const slow = contentOf(await read('writer@example.org'))
    await read('reader@example.org')
    for (const email of ['writer@example.org', 'reader@example.org'])
      await untilFast(world, passed, async () => assert.deepEqual(contentOf(await read(email)), slow))
    assert.equal((await put('kim@example.org', 'Kim')).statusCode, 412, 'kim has not read it')
    await flood(world)
    const before = passed()
    assert.deepEqual(contentOf(await read('kim@example.org')), slow)
    assert.equal(passed(), before + 1)
    assert.equal((await put('kim@example.org', 'Kim')).statusCode, 204)
    await flood(world)
    assert.match((await read('writer@example.org')).body, /SUMMARY:Kim/)
    assert.equal((await read('writer@example.org', { 'if-none-match': String(slow.headers.etag) })).statusCode, 200)
  }),
)

forEachEngine('accounts see a change with the next request, on every node', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const { id } = await one.writer.creates(SECRET)
    const path = `/events/${id}`
    for (let version = 1; version <= 4; version++) {
      for (const world of [one, two]) {
        await get(world, path, { authorization: basicOf('reader@example.org') })
        await flood(world)
      }
      const writer = version % 2 ? one.writer : two.writer
      assert.equal((await writer.patch(path, { location: `Room ${version}`, version })).status, 200)
      for (const world of [one, two]) {
        const { body } = await get(world, path, { authorization: basicOf('reader@example.org') })
        assert.equal(JSON.parse(body).data.location, `Room ${version}`)
      }
    }
  }),
)

forEachEngine('reads without credentials on the fast path count toward the limit of their network', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await world.writer.creates(party)
      const statuses: number[] = []
      for (let i = 0; i < 605; i++)
        statuses.push((await ask(world.app, { url: `${world.app.site.base}/events/${id}`, ...REMOTE })).statusCode)
      assert.equal(statuses.filter((status) => status === 200).length, 600)
      assert.deepEqual(new Set(statuses.slice(600)), new Set([429]))
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)

forEachEngine('reads of an account on the fast path count toward its limit', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await world.writer.creates(SECRET)
      const headers = { authorization: basicOf('reader@example.org') }
      const statuses: number[] = []
      for (let i = 0; i < 605; i++) statuses.push((await get(world, `/events/${id}`, headers)).statusCode)
      assert.equal(statuses.filter((status) => status === 200).length, 600)
      assert.deepEqual(new Set(statuses.slice(600)), new Set([429]))
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)

const MIB = 1_024 * 1_024

function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('everything cached for 2,000 queries in 64 variants each stays within one byte budget', () => {
  const cache = createResponseCache({ maxBytes: 4 * MIB, maxAnswerBytes: MIB })
  const shortWay = createFastPath({
    ctx: { config: loadConfig({}, tmpdir()) },
    serverState: { isDraining: false },
    accessLog: { seriesOf: () => new RouteSeries('/public/events') },
  } as unknown as FastPathOptions)
  const before = usedBytes()
  for (let i = 0; i < 2_000; i++) {
    const key = `events ${i}`
    const answer: CachedResponse = { body: Buffer.from(`{"data":${i}}`.padEnd(300)), etag: `"tag ${i}"`, headers: {} }
    cache.keep(1, key, answer)
    for (let form = 0; form < 64; form++) {
      const tags = [`"${'x'.repeat(400)} ${i} ${form}"`, `"${form}", "tag ${i}"`, undefined]
      const headers = { 'if-none-match': tags[form % 3], 'accept-encoding': `gzip, x-${i}-${form}` }
      const request = { method: form % 2 ? 'HEAD' : 'GET', url: `/public/events?q=${i}`, headers }
      const sent = { 'content-type': 'application/json', etag: `"tag ${i}"`, link: `<${'l'.repeat(300)}${form}>` }
      const place = { cache, key }
      shortWay.remember(request as unknown as IncomingMessage, place, answer, {
        status: 200,
        headers: sent,
        bytes: answer.body,
      })
    }
  }
  const grown = usedBytes() - before
  assert.ok(cache.find(1, 'events 1999', 0), 'the newest is kept')
  assert.ok(cache.bytes() > 3 * MIB && cache.bytes() <= 4 * MIB, `${cache.bytes()} bytes counted`)
  assert.ok(grown < 8 * MIB, `${grown} bytes in memory`)
})
