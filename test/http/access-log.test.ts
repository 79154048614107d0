// Access log: one line for each request at level info, with its route and nothing that a client sent.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventText } from '../caldav/support/events.ts'
import { countConnections, getRaw, listen, sendRaw } from '../support/http/socket.ts'
import { captureLog } from '../support/measure/captured-log.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { makeNose, planted } from '../support/privacy/planted-words.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { ask, basicOf, type World, type WorldOptions, withWorld } from '../support/world.ts'

interface Line {
  level: string
  message: string
  request_id: string
  route: string
  method: string
  status: number
  duration_ms: number
  code?: string
}

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' }

async function withLog(
  engine: 'sqlite' | 'postgres',
  story: (world: World, lines: () => Line[], text: () => string) => Promise<void>,
  settings: Record<string, string> = { DAYBOOK_LOG_LEVEL: 'info' },
  patience: WorldOptions['patience'] = {},
): Promise<void> {
  const log = captureLog()
  const lines = (): Line[] =>
    log
      .text()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  try {
    await withWorld(engine, (world) => story(world, lines, log.text), { settings, patience })
  } finally {
    log.stop()
  }
}

const ofRequests = (lines: Line[]): Line[] => lines.filter(({ message }) => message === 'request')

forEachEngine('each request has one line with route, method, status, time and id', (engine) =>
  withLog(engine, async ({ app, writer, anonymous }, lines) => {
    const { id } = await writer.creates(event)
    await anonymous.get(`/public/events/${id}?timezone=Europe/Paris`)
    await anonymous.get('/public/events/nothing')
    await anonymous.get('/nowhere')
    await ask(app, { method: 'DELETE', url: `${app.site.base}/public/categories` })
    const last = await anonymous.get('/public/categories')
    const found = ofRequests(lines())
    assert.deepEqual(
      found.map(({ route, method, status, code }) => [route, method, status, code]),
      [
        ['/events', 'POST', 201, undefined],
        ['/public/events/{event_id}', 'GET', 200, undefined],
        ['/public/events/{event_id}', 'GET', 404, 'event_not_found'],
        ['unmatched', 'GET', 404, 'route_not_found'],
        ['/public/categories', 'DELETE', 405, 'method_not_allowed'],
        ['/public/categories', 'GET', 200, undefined],
      ],
    )
    assert.equal(found.at(-1)!.request_id, last.headers['x-request-id'])
    for (const line of found) {
      const { code: _, ...always } = line
      const names = ['at', 'duration_ms', 'level', 'message', 'method', 'request_id', 'route', 'status']
      assert.deepEqual(Object.keys(always).sort(), names)
    }
  }),
)

test('over a socket the time is that from the arrival of the request', () =>
  withLog('sqlite', async ({ app }, lines) => {
    const port = await listen(app)
    assert.equal((await getRaw(port, `${app.site.base}/public/events`)).status, 200)
    await waitFor('the line', () => ofRequests(lines()).length === 1)
    assert.ok(ofRequests(lines())[0]!.duration_ms > 0)
  }))

test('requests on the fast path have a line each', () =>
  withLog('sqlite', async ({ app }, lines) => {
    const url = `${app.site.base}/public/categories`
    await ask(app, { url })
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask(app, { url })))
    const ids = new Set(ofRequests(lines()).map(({ request_id }) => request_id))
    assert.equal(ids.size, 301)
    for (const { headers } of answers) assert.ok(ids.has(String(headers['x-request-id'])))
  }))

test('health checks have a line only when they fail', () =>
  withLog('sqlite', async ({ app }, lines) => {
    for (const url of ['/healthz', '/readyz']) assert.equal((await ask(app, { url })).statusCode, 200)
    app.drain()
    assert.equal((await ask(app, { url: '/readyz' })).statusCode, 503)
    assert.deepEqual(
      ofRequests(lines()).map(({ route, status }) => [route, status]),
      [['/readyz', 503]],
    )
  }))

for (const level of ['warn', 'error', 'silent'])
  test(`at level ${level} requests have no line`, () =>
    withLog(
      'sqlite',
      async ({ anonymous }, lines) => {
        await anonymous.get('/public/events')
        await anonymous.get('/nowhere')
        assert.deepEqual(ofRequests(lines()), [])
      },
      { DAYBOOK_LOG_LEVEL: level },
    ))

test('a request whose body does not arrive has one line, with the status that its client got', () =>
  withLog(
    'sqlite',
    async ({ app }, lines) => {
      const port = await listen(app)
      const head = `POST ${app.site.base}/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`
      const { status, head: answered } = await sendRaw(port, `${head}content-length: 100\r\n\r\n{`)
      assert.equal(status, 408)
      await waitFor('the end of the connection', async () => (await countConnections(app)) === 0)
      const id = /x-request-id: (\w+)/i.exec(answered)![1]
      assert.deepEqual(
        ofRequests(lines()).map((line) => [line.route, line.method, line.status, line.request_id]),
        [['/auth/login', 'POST', 408, id]],
      )
    },
    { DAYBOOK_LOG_LEVEL: 'info' },
    { bodyStallMs: 200, lingerMs: 100, checkEveryMs: 50 },
  ))

test('a client that goes away before its response counts as 499', () =>
  withLog('sqlite', async ({ app }, lines) => {
    const port = await listen(app)
    const arrived = once(app.server.server, 'request')
    const socket = connect(port, '127.0.0.1')
    const head = `POST ${app.site.base}/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`
    socket.write(`${head}content-length: 100\r\n\r\n{`)
    await arrived
    socket.resetAndDestroy()
    await waitFor('the line', () => ofRequests(lines()).length > 0)
    assert.deepEqual(
      ofRequests(lines()).map(({ route, status }) => [route, status]),
      [['/auth/login', 499]],
    )
  }))

test('nothing that a client sent is in the log, whatever it sent', () =>
  withLog('sqlite', async (world, lines, text) => {
    const { app, writer, addPerson } = world
    const email = `${planted('person')}@example.org`
    const id = await addPerson(email, 'writer')
    const made = await writer.creates({ ...event, title: planted('title'), category: planted('category') })
    const port = await listen(app)
    const sent = [
      `GET /${planted('path')}?${planted('name')}=${planted('value')} HTTP/1.1\r\nhost: ${planted('host')}\r\n`,
      `GET ${app.site.base}/events?q=${planted('query')} HTTP/1.1\r\nhost: localhost\r\nreferer: ${planted('referer')}\r\n`,
      `GET ${app.site.base}/feeds/${planted('feed')}.ics HTTP/1.1\r\nhost: localhost\r\ncookie: a=${planted('cookie')}\r\n`,
      `BREW /${planted('tea')} HTTP/1.1\r\nhost: localhost\r\n`,
      `GET /a b ${planted('broken')} HTTP/1.1\r\nhost: localhost\r\n`,
      `GET /caldav/principals/${planted('principal')} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.99\r\n`,
    ]
    for (const head of sent)
      await sendRaw(port, `${head}user-agent: ${planted('agent')}/1.0\r\nconnection: close\r\n\r\n`)
    await ask(app, {
      method: 'PUT',
      url: `/caldav/calendars/main/${planted('object')}.ics`,
      headers: { authorization: basicOf(email), 'content-type': 'text/calendar' },
      payload: eventText(planted('uid'), `SUMMARY:${planted('summary')}`),
      remoteAddress: '203.0.113.7',
    })
    const login = { email, password: planted('password'), remember: false }
    await ask(app, { method: 'POST', url: `${app.site.base}/auth/login`, payload: login })
    await waitFor('a line for each', () => ofRequests(lines()).length === sent.length + 3)
    const words = [...sent, planted('agent'), planted('title'), planted('category'), planted('object'), email].join(' ')
    assert.deepEqual(makeNose(`${words} ${planted('uid')} ${planted('summary')} ${login.password}`).find(text()), [])
    assert.doesNotMatch(text(), /203\.0\.113|127\.0\.0\.1|example\.org/)
    for (const secret of [id, made.id]) assert.ok(!text().includes(secret))
  }))

test('the line of a database failure names the request that met it', () =>
  withLog('sqlite', async ({ app, writer }, lines) => {
    const { writes } = app.ctx.storage
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(writes)
    await sql.raw(`pragma max_page_count = ${rows[0]!.page_count}`).execute(writes)
    const large = { ...event, description: 'text '.repeat(1_300) }
    let refused = ''
    await waitFor('a write is refused', async () => {
      const { status, headers } = await writer.post('/events', large)
      if (status === 503) refused = String(headers['x-request-id'])
      return status === 503
    })
    const failures = lines().filter((line) => 'sqlite_code' in line)
    assert.deepEqual(
      failures.map(({ request_id }) => request_id),
      [refused],
    )
    await sql.raw('pragma max_page_count = 1000000').execute(writes)
    await waitFor('writing works', async () => (await ask(app, { url: '/readyz' })).statusCode === 200)
  }))
