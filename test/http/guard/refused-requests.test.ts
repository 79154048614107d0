// Refused requests: each has a 4xx code, counts against its network's limit, and fills neither the log nor the traces.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { event, file } from '../../ical/files.ts'
import { readResponses } from '../../support/http/read-responses.ts'
import { countConnections, getRaw, listen, sendRaw } from '../../support/http/socket.ts'
import { captureLog } from '../../support/measure/captured-log.ts'
import { waitFor, withDeadline } from '../../support/measure/wait-for.ts'
import { ask, basicOf, type World, withWorld } from '../../support/world.ts'

const BASE = '/api-root/calendar/v1'

const story = (name: string, tell: (world: World) => Promise<void>, settings: Record<string, string> = {}) =>
  test(name, () => withWorld('sqlite', tell, { settings }))

const codeOf = (text: string): string => JSON.parse(text).error.code

/** Sends a part of the announced body and resets the connection. The server has begun to read: it sent 100. */
async function abort(port: number, path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const headers = 'host: localhost\r\norigin: http://localhost\r\ncontent-type: application/json\r\n'
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}content-length: 99\r\nexpect: 100-continue\r\n\r\n{"title"`)
  await once(socket, 'data')
  socket.resetAndDestroy()
}

story('every method at an unknown address is 404, whatever body is announced', async ({ app }) => {
  const port = await listen(app)
  for (const method of METHODS.filter((name) => name !== 'CONNECT' && name !== 'HEAD'))
    for (const type of ['', 'content-type: application/json\r\n', 'content-type: x\r\n']) {
      const text = `${method} /x HTTP/1.1\r\nhost: localhost\r\n${type}content-length: 1\r\nconnection: close\r\n\r\n{`
      const { status, body } = await sendRaw(port, text)
      assert.deepEqual([status, codeOf(body)], [404, 'route_not_found'], `${method} ${type}`)
    }
})

story('no length of an address shows a page of another site whether its visitor sent a cookie', async ({ app }) => {
  const port = await listen(app)
  // What such a page can observe: whether it was served, and the headers that decide what its browser does with it.
  const observe = async (target: string, cookie: string): Promise<string> => {
    const { status, head } = await sendRaw(
      port,
      `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${cookie}connection: close\r\n\r\n`,
    )
    const policies = [...head.matchAll(/^(?:cross-origin-[a-z-]+|content-security-policy): .*$/gim)]
    return [status < 400, ...policies.map(([line]) => line.toLowerCase()).sort()].join('\n')
  }
  const cookie = `cookie: __Host-daybook=${'a'.repeat(43)}\r\n`
  for (const path of ['/?x=', '/x?', `${BASE}/public/categories?x=`, `${BASE}/events?x=`])
    for (const length of [8_000, 8_130, 8_192, 8_193, 8_260, 12_000, 16_100, 16_200, 16_250, 16_300, 16_350, 17_000]) {
      const target = path.padEnd(length, 'y')
      const [without, sent] = [await observe(target, ''), await observe(target, cookie)]
      assert.equal(sent, without, `${path} with ${length} characters`)
      assert.match(without, /cross-origin-opener-policy/)
      assert.match(without, /content-security-policy/)
    }
  const long = await getRaw(port, '/'.padEnd(8_193, 'y'))
  assert.deepEqual([long.status, codeOf(long.body)], [414, 'target_too_long'])
})

story('requests that Node would answer by itself are answered by the service', async ({ app }) => {
  const port = await listen(app)
  const send = (text: string) => sendRaw(port, `${text}\r\nconnection: close\r\n\r\n`)
  const path = `${BASE}/public/events`
  for (const [text, status] of [
    [`GET ${path} HTTP/1.1\r\nhost: localhost\r\nexpect: something`, 200],
    [`GET ${path} HTTP/1.1\r\nhost: localhost\r\nupgrade: h2c`, 200],
    [`GET ${path} HTTP/1.0`, 200],
    [`GET ${path} HTTP/1.1`, 400],
    ['GET /x HTTP/1.1', 400],
    ['OPTIONS * HTTP/1.1\r\nhost: localhost', 400],
    [`GET http://localhost${path} HTTP/1.1\r\nhost: localhost`, 200],
    ['GET http://localhost HTTP/1.1\r\nhost: localhost', 200],
    ['GET http:// HTTP/1.1\r\nhost: localhost', 400],
    [`GET http://localhost${path}#x HTTP/1.1\r\nhost: localhost`, 400],
  ] as const) {
    const answer = await send(text)
    assert.equal(answer.status, status, text)
    assert.match(answer.head, /x-request-id: /i, text)
    if (status === 400) assert.equal(codeOf(answer.body), 'invalid_header', text)
  }
  const expecting = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n`
  const pipelined = await sendRaw(port, `${`${expecting}\r\n`.repeat(3)}${expecting}connection: close\r\n\r\n`)
  const responses = readResponses(Buffer.from(`${pipelined.head}\r\n\r\n${pipelined.body}`), [])
  // Without the 100 the connection closes after the response, and the client sends the body again.
  assert.ok(responses.length >= 2)
  for (const { status, isComplete } of responses) assert.deepEqual([status, isComplete], [200, true])
  for (const target of ['/%', '/assets/%zz', `${BASE}/events/%c0%ae`]) {
    const answer = await send(`GET ${target} HTTP/1.1\r\nhost: localhost\r\naccept: text/html`)
    assert.deepEqual([answer.status, codeOf(answer.body)], [400, 'invalid_encoding'], target)
  }
  const named = (count: number): string => Array.from({ length: count }, (_, i) => `n${i}=1`).join('&')
  for (const [target, count, status, code] of [
    [path, 101, 400, 'invalid_parameter'],
    ['/x', 101, 400, 'invalid_parameter'],
    ['/x', 100, 404, 'route_not_found'],
  ] as const) {
    const answer = await send(`GET ${target}?${named(count)} HTTP/1.1\r\nhost: localhost`)
    assert.deepEqual([answer.status, codeOf(answer.body)], [status, code], `${target} with ${count} parameters`)
  }
  const dav = await send('GET /caldav/%zz HTTP/1.1\r\nhost: localhost')
  assert.equal(dav.status, 400)
  assert.match(dav.head, /content-type: application\/xml/i)
})

story(
  'an aborted body is not an error of the service: no line in the log, and counted for its network',
  async ({ app }) => {
    const log = captureLog()
    try {
      const port = await listen(app)
      for (const path of ['/auth/login', '/users/register']) await abort(port, BASE + path)
      await waitFor('the end of both connections', async () => (await countConnections(app)) === 0)
      const local = { url: '/nope', remoteAddress: '127.0.0.1' }
      for (let i = 0; i < 598; i++) assert.equal((await ask(app, local)).statusCode, 404)
      assert.equal((await ask(app, local)).statusCode, 429, 'the two were counted')
      assert.equal(log.text(), '')
    } finally {
      log.stop()
    }
  },
  { DAYBOOK_LOG_LEVEL: 'warn', DAYBOOK_RATE_LIMITS: 'on' },
)

test('a response whose client disconnects before it begins is not an error of the service', async (t) => {
  const log = captureLog()
  t.after(log.stop)
  const options = { settings: { DAYBOOK_LOG_LEVEL: 'error' } }
  await withWorld('sqlite', leaveBeforeAnswers, options)

  async function leaveBeforeAnswers({ app, admin }: World): Promise<void> {
    const url = '/caldav/calendars/main/a.ics'
    const times = ['DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z']
    const payload = file(event('a', ...times, ...Array<string>(2_500).fill(`X-LONG:${'a'.repeat(60)}`)))
    const headers = { 'content-type': 'text/calendar' }
    assert.equal((await admin.send({ method: 'PUT', url, headers, payload })).status, 201)
    const port = await listen(app)
    const multiget = `<c:calendar-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><c:calendar-data/></d:prop><d:href>${url}</d:href></c:calendar-multiget>`
    for (const [line, body] of [
      [`GET ${url}`, ''],
      ['REPORT /caldav/calendars/main/', multiget],
      [`GET ${BASE}/admin/export.ics`, ''],
    ] as const) {
      const socket = connect(port, '127.0.0.1')
      const answered = Promise.withResolvers<void>()
      const { from } = Readable
      const mocked = t.mock.method(Readable, 'from', (source: AsyncIterable<unknown>, options: object) => {
        mocked.mock.restore()
        socket.destroy()
        const stream = from(readOnceClosed(app, source), options)
        stream.once('close', () => setImmediate(answered.resolve))
        return stream
      })
      const type = body && `content-type: application/xml\r\ncontent-length: ${body.length}\r\n`
      const fields = `host: localhost\r\nauthorization: ${basicOf('admin@example.org')}\r\n${type}`
      socket.write(`${line} HTTP/1.1\r\n${fields}\r\n${body}`)
      await withDeadline(`the end of ${line}`, answered.promise)
      assert.equal(log.text(), '', line)
    }
  }
})

/** No part of the response exists before the server knows that the client has disconnected. */
async function* readOnceClosed(app: World['app'], source: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  await waitFor('the end of the connection', async () => (await countConnections(app)) === 0)
  yield* source
}

story(
  'every refusal counts for its network: past 600 in five minutes they are 429',
  async ({ app }) => {
    const json = { 'content-type': 'application/json', origin: 'http://localhost' }
    const refusals: [method: string, url: string, headers: Record<string, string>, status: number][] = [
      ['POST', `${BASE}/auth/login`, json, 400],
      ['QUERY', '/x', {}, 404],
      ['GET', '/nope', { accept: 'text/html' }, 404],
      ['GET', '/assets/none.js', {}, 404],
      ['PURGE', `${BASE}/events`, {}, 405],
      ['GET', '/%zz', {}, 400],
      ['PUT', `${BASE}/events`, { 'content-length': '99999999' }, 413],
      ['GET', `${BASE}/events/%61bc`, {}, 404],
      ['GET', `${BASE}/events/${'0'.repeat(26)}`, {}, 404],
    ]
    const send = ([method, url, headers]: (typeof refusals)[number]) =>
      ask(app, { method: method as 'GET', url, headers: { host: 'localhost', ...headers } })
    const foreign: (typeof refusals)[number] = [
      'POST',
      `${BASE}/auth/login`,
      { ...json, origin: 'http://elsewhere' },
      403,
    ]
    for (let i = 0; i < 600; i++) assert.equal((await send(foreign)).statusCode, 403)
    assert.equal((await send(foreign)).statusCode, 429, 'pages of other sites have a limit of their own')
    for (let i = 0; i < 600; i++) {
      const refusal = refusals[i % refusals.length]!
      assert.equal((await send(refusal)).statusCode, refusal[3], `${refusal[0]} ${refusal[1]}, number ${i}`)
    }
    for (const refusal of refusals) {
      const answer = await send(refusal)
      assert.equal(answer.statusCode, 429, `${refusal[0]} ${refusal[1]}`)
      assert.equal(answer.headers['ratelimit-policy'], '"public-ip";q=600;w=300')
      assert.ok(Number(answer.headers['retry-after']) >= 1)
    }
    assert.equal((await ask(app, { url: `${BASE}/public/events` })).statusCode, 429)
    assert.equal((await ask(app, { url: '/healthz' })).statusCode, 200, 'health is never limited')
    assert.equal((await ask(app, { url: '/nope', remoteAddress: '192.0.2.7' })).statusCode, 404, 'another network')
  },
  { DAYBOOK_RATE_LIMITS: 'on' },
)

story(
  'input that is not HTTP counts too: past the limit the connection closes without a response',
  async ({ app }) => {
    const port = await listen(app)
    for (let i = 0; i < 599; i++) await ask(app, { url: '/nope', remoteAddress: '127.0.0.1' })
    assert.equal((await sendRaw(port, 'hello\r\n\r\n')).status, 400)
    assert.equal((await sendRaw(port, 'hello\r\n\r\n')).status, 0)
    assert.equal((await getRaw(port, '/nope')).status, 429)
  },
  { DAYBOOK_RATE_LIMITS: 'on' },
)

story(
  'errors of one kind are logged once a minute',
  async ({ writer, app }) => {
    const { id } = await writer.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    await app.ctx.storage.writes.updateTable('events').set({ ical: 'BEGIN:broken' }).where('id', '=', id).execute()
    const log = captureLog()
    try {
      for (let i = 0; i < 20; i++)
        assert.equal((await writer.patch(`/events/${id}`, { title: 'B', version: 1 })).status, 500)
    } finally {
      log.stop()
    }
    assert.equal(log.text().split('a request failed').length - 1, 1, log.text())
  },
  { DAYBOOK_LOG_LEVEL: 'error' },
)
