// HTTP: methods, media types, sizes, malformed requests, paths and JSON. One engine is enough: no storage is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { parseJsonBody } from '../../src/http/body.ts'
import { getRaw, listen, sendRaw } from '../support/http/socket.ts'
import { leastWork, startWork } from '../support/measure/effort.ts'
import { type World, withWorld } from '../support/world.ts'

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
const BASE = '/api-root/calendar/v1'

const story = (name: string, tell: (world: World) => Promise<void>, settings: Record<string, string> = {}) =>
  test(name, () => withWorld('sqlite', tell, { settings }))

story('a method that an address does not support is 405 with Allow', async ({ writer, anonymous, app }) => {
  for (const [method, path, allow] of [
    ['DELETE', '/events', 'GET, HEAD, OPTIONS, POST'],
    ['TRACE', '/events', 'GET, HEAD, OPTIONS, POST'],
    ['POST', '/events/00000000000000000000000000', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['GET', '/setup', 'OPTIONS, POST'],
  ] as const) {
    const answer = await writer.send({ method: method as 'GET', url: BASE + path })
    assert.equal(answer.status, 405)
    assert.equal(answer.body.error.code, 'method_not_allowed')
    assert.equal(answer.headers.allow, allow)
  }
  const port = await listen(app)
  for (const method of ['QUERY', 'PROPFIND', 'REPORT', 'PURGE', 'LOCK']) {
    const answer = await sendRaw(
      port,
      `${method} ${BASE}/events HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    )
    assert.equal(answer.status, 405, method)
    assert.match(answer.head, /allow: GET, HEAD, OPTIONS, POST/i, method)
  }
  const options = await anonymous.send({ method: 'OPTIONS', url: `${BASE}/events` })
  assert.equal(options.status, 204)
  assert.equal(options.headers.allow, 'GET, HEAD, OPTIONS, POST')
})

story('a body is JSON in UTF-8, not compressed, or 415', async ({ writer }) => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=latin1',
    'application/jsonp',
    'text/json',
  ]
  for (const type of types) {
    const answer = await writer.post('/events', event, { 'content-type': type })
    assert.equal(answer.status, 415, type)
    assert.equal(answer.headers.accept, 'application/json')
  }
  const { id, version } = await writer.creates(event)
  const patched = await writer.patch(`/events/${id}`, { title: 'B', version }, { 'content-type': 'text/calendar' })
  assert.equal(patched.headers['accept-patch'], 'application/json, application/merge-patch+json')
  // A merge patch describes a change; nothing is merged into a new event, nor where one is replaced (D180).
  const patch = { 'content-type': 'application/merge-patch+json' }
  for (const answer of [await writer.post('/events', event, patch), await writer.put(`/events/${id}`, event, patch)]) {
    assert.deepEqual([answer.status, answer.body.error.code], [415, 'unsupported_media_type'])
    assert.deepEqual(answer.body.error.details, { allowed: ['application/json'] })
    assert.deepEqual([answer.headers.accept, answer.headers['accept-patch']], ['application/json', undefined])
  }
  assert.equal((await writer.patch(`/events/${id}`, { title: 'B', version }, patch)).status, 200)
  const text = { 'content-type': 'text/plain', 'content-length': '4' }
  const url = `${BASE}/events/${id}`
  const useless = await writer.send({ method: 'DELETE', url, headers: text, payload: 'text' })
  assert.deepEqual([useless.status, useless.headers.accept], [415, 'application/json'])
  const absent = await writer.send({
    method: 'POST',
    url: `${BASE}/events`,
    payload: JSON.stringify(event),
    headers: { 'content-type': '' },
  })
  assert.equal(absent.status, 415)
  assert.ok(absent.headers.accept)
  const zipped = await writer.post('/events', event, { 'content-encoding': 'gzip' })
  assert.deepEqual([zipped.status, zipped.headers['accept-encoding']], [415, 'identity'])
  assert.equal((await writer.post('/events', event, { 'content-encoding': 'identity' })).status, 415)
  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/JSON;charset="UTF-8"']) {
    assert.equal((await writer.post('/events', event, { 'content-type': type })).status, 201, type)
  }
})

/** Refusals that say nothing about the body. */
const REFUSED_OTHERWISE = ['invalid_occurrence_key', 'precondition_required']

story('where no body is expected, an empty one may have any type', async ({ writer, admin, app }) => {
  const { id } = await writer.creates(event)
  const json = { 'content-type': 'application/json' }
  assert.equal((await writer.delete(`/events/${id}`, json)).status, 204)
  const { paths } = app.openApi() as { paths: Record<string, Record<string, { requestBody?: object }>> }
  const bodiless = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, { requestBody }]) => ['delete', 'post'].includes(method) && requestBody === undefined)
      .map(([method]) => [method.toUpperCase(), path.replace(/\{\w+\}/g, '20260101')] as const),
  )
  assert.ok(bodiless.length > 8, JSON.stringify(bodiless))
  for (const [method, path] of bodiless)
    for (const type of ['application/json', 'application/merge-patch+json', 'text/calendar', 'text/plain']) {
      const headers = { 'content-type': type, origin: app.site.origin }
      const answer = await admin.send({ method: method as 'POST', url: BASE + path, headers })
      assert.ok(
        ![400, 415].includes(answer.status) || REFUSED_OTHERWISE.includes(answer.body.error.code),
        `${method} ${path} ${type}: ${answer.text}`,
      )
    }
  assert.equal((await writer.post('/events', '', json)).body.error.code, 'invalid_json', 'where one is wanted')
})

const MANY_ARRAYS = `{"title":[${'[],'.repeat(87_000)}[]]}`

/** CPU time of parsing a body several times. */
function workOfParsing(body: string): number {
  const bytes = Buffer.from(body)
  return leastWork(() => {
    for (let i = 0; i < 10; i++)
      try {
        parseJsonBody(bytes)
      } catch (error) {
        assert.ok(error instanceof AppError)
      }
  })
}

test('a JSON body of very many values costs no more than one long text, and all dates of a series fit', () => {
  const long = JSON.stringify({ title: 'x'.repeat(MANY_ARRAYS.length) })
  const [many, one] = [workOfParsing(MANY_ARRAYS), workOfParsing(long)]
  assert.ok(many < 3 * one, `${many} ms for many values, ${one} ms for one`)
  const dates = Array.from({ length: 10_000 }, () => '20260714')
  assert.equal(
    (parseJsonBody(Buffer.from(JSON.stringify({ rdates: dates, exdates: dates }))).rdates as []).length,
    10_000,
  )
})

story('a route that takes no body reads none', async ({ anonymous, writer }) => {
  const { id } = await writer.creates(event)
  const json = { 'content-type': 'application/json' }
  assert.equal((await anonymous.post('/auth/logout', MANY_ARRAYS, json)).status, 204)
  assert.equal((await anonymous.post('/auth/logout', '{', json)).status, 204)
  const url = `${BASE}/events/${id}`
  assert.equal((await writer.send({ method: 'DELETE', url, payload: '{"a":', headers: json })).status, 204)
})

story('F21, F22: hostile JSON is refused quickly and changes nothing', async ({ writer }) => {
  const before = Object.keys(Object.prototype).length
  const cases: [string | Buffer, number, string][] = [
    ['', 400, 'invalid_json'],
    ['{', 400, 'invalid_json'],
    ['{"title":"a",}', 400, 'invalid_json'],
    ['null', 400, 'invalid_body'],
    ['[]', 400, 'invalid_body'],
    ['"text"', 400, 'invalid_body'],
    ['7', 400, 'invalid_body'],
    ['['.repeat(100_000), 400, 'invalid_json'],
    [`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 400, 'invalid_json'],
    [`{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`, 400, 'invalid_body'],
    [MANY_ARRAYS, 400, 'too_many_values'],
    [`{"rdates":[${'{},'.repeat(1_000)}{}]}`, 400, 'too_many_values'],
    [`{"rdates":[${'1,'.repeat(25_000)}1]}`, 400, 'too_many_values'],
    [`{"title":${'9'.repeat(200_000)}}`, 422, 'validation_failed'],
    ['{"__proto__":{"polluted":true}}', 400, 'invalid_body'],
    ['{"constructor":{"prototype":{"polluted":true}}}', 400, 'invalid_body'],
    ['{"title":"a","rdates":[{"__proto__":1}]}', 400, 'invalid_body'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 400, 'invalid_encoding'],
  ]
  for (const [payload, status, code] of cases) {
    const workedMs = startWork()
    const answer = await writer.send({
      method: 'POST',
      url: `${BASE}/events`,
      payload,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(answer.status, status, String(payload).slice(0, 40))
    assert.equal(answer.body.error.code, code, String(payload).slice(0, 40))
    assert.ok(workedMs() < 1_000, `${workedMs()} ms of CPU`)
  }
  for (const query of ['__proto__=1', 'constructor=1', '__proto__[polluted]=1', 'toString=x'])
    for (const [path, status] of [
      ['/events', 400],
      ['/public/events', 200],
    ] as const)
      assert.equal((await writer.get(`${path}?${query}`)).status, status)
  assert.equal(Object.keys(Object.prototype).length, before)
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  assert.equal((await writer.get('/events')).body.meta.pagination.total, 0)
})

story(
  'F20: a body over 256 KiB is 413 and the connection closes, declared or not',
  async ({ writer, anonymous, app }) => {
    const long = JSON.stringify({ ...event, description: 'x'.repeat(300_000) })
    const declared = await writer.post('/events', long)
    assert.equal(declared.status, 413)
    assert.equal(declared.headers.connection, 'close')
    const port = await listen(app)
    const authorization = `authorization: Basic ${Buffer.from('writer@example.org:correct horse battery').toString('base64')}`
    const head = `POST ${BASE}/events HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\ncontent-type: application/json\r\n`
    const lying = await sendRaw(port, `${head}content-length: 9999999999\r\n\r\n{}`)
    assert.equal(lying.status, 413)
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const chunked = await sendRaw(port, `${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(8)}`)
    assert.equal(chunked.status, 413)
    assert.match(chunked.head, /connection: close/i)
    assert.match(chunked.body, /body_too_large/)
    assert.equal((await writer.get('/events')).status, 200, 'the service lives')
    const short = JSON.stringify({ email: 'a@example.org', password: 'x'.repeat(17_000) })
    for (const path of [
      '/auth/login',
      '/users/register',
      '/users/verify',
      '/users/forgot-password',
      '/users/reset-password',
    ]) {
      const { status, body } = await anonymous.post(path, short, { origin: 'http://localhost' })
      assert.deepEqual([status, body.error?.code], [413, 'body_too_large'], path)
    }
  },
)

const NO_HOSTS = [
  'a b',
  'a,b c',
  'a/b',
  'a?b',
  'a#b',
  'u@a',
  'a:b',
  'a:1:2',
  '::1',
  '[::1',
  'a\\b',
  '<a>',
  'a"b',
  'é',
  'a%zz',
]

story('F31: malformed HTTP requests are refused and the connection closed', async ({ app }) => {
  const port = await listen(app)
  const path = `${BASE}/events`
  for (const [name, text] of [
    [
      'both lengths',
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nabcd`],
    ['bad chunk', `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n`],
    [
      'another coding before chunked',
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunked twice',
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['folded header', `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-a: b\r\n c\r\n\r\n`],
    ['junk', 'hello there\r\n\r\n'],
    ['another host', `GET http://elsewhere${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    ['no host of its own', `GET http://u@localhost${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    ['two hosts', `GET ${path} HTTP/1.1\r\nhost: localhost\r\nhost: elsewhere\r\n\r\n`],
    ['no host', `GET ${path} HTTP/1.1\r\n\r\n`],
    ['no host at an unknown address', 'GET /x HTTP/1.1\r\n\r\n'],
    ['two equal hosts', `GET ${path} HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n`],
    ['two hosts in HTTP/1.0', `GET ${path} HTTP/1.0\r\nhost: a\r\nhost: b\r\nconnection: keep-alive\r\n\r\n`],
    ...NO_HOSTS.map((host) => [`host ${host}`, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`] as const),
    ['a body with no host', `POST ${path} HTTP/1.1\r\nhost: a b\r\ncontent-length: 90000\r\n\r\n${'x'.repeat(90_000)}`],
  ] as const) {
    const answer = await sendRaw(port, text)
    assert.equal(answer.status, 400, name)
    assert.match(answer.body, /"code":"/, name)
    assert.match(answer.head, /^connection: close\r?$/im, name)
  }
  const large = await sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-a: ${'b'.repeat(20_000)}\r\n\r\n`)
  assert.equal(large.status, 431)
  assert.match(large.body, /headers_too_large/)
  for (const host of [
    'localhost',
    'LOCALHOST:8080',
    '127.0.0.1',
    '[::1]:80',
    '[fe80::1%25eth0]',
    'a_b.example.',
    'a%2D.b',
    'a:',
    '',
  ])
    assert.equal(
      (await sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).status,
      200,
      host,
    )
  assert.equal((await sendRaw(port, `GET ${path} HTTP/1.0\r\n\r\n`)).status, 200)
  assert.equal((await getRaw(port, path)).status, 200)
})

story('P26, F28: an address with a suffix or with dot segments is not found', async ({ writer, app }) => {
  const { id } = await writer.creates(event)
  const port = await listen(app)
  const authorization = `Basic ${Buffer.from('reader@example.org:correct horse battery').toString('base64')}`
  const tricks = [
    '.css',
    '.js',
    ';.js',
    ';a.css',
    '%2e',
    '%00',
    '/x.css',
    '/..',
    '/../events',
    '//',
    '/.',
    '%2f',
    '%2Fx',
    '/x',
    '%3f',
    '%23',
    '.json',
    '.ics',
    '.png',
    '~',
    '/%2e%2e/events',
    '..%5c',
    '%c0%ae%c0%ae',
    '/../../../../etc/passwd',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '\\',
    '\\..\\',
    '%zz',
    '%',
    '%u002e',
  ]
  for (const trick of tricks) {
    for (const path of [`${BASE}/events/${id}${trick}`, `${BASE}/events${trick}`]) {
      const answer = await getRaw(port, path, { authorization })
      assert.ok(answer.status === 404 || answer.status === 400, `${path} answered ${answer.status}`)
      assert.match(answer.head, /cache-control: no-store/i, path)
      assert.ok(!answer.body.includes(id), path)
    }
  }
  for (const path of [
    `${BASE.replace('calendar', '%63alendar')}/events`,
    '/api-root/calendar//v1/events',
    '/API-ROOT/calendar/v1/events',
    '/api-root/calendar/v2/events',
    '/package.json',
    '/.git/config',
    '/../package.json',
  ]) {
    assert.equal((await getRaw(port, path)).status, 404, path)
  }
  assert.equal((await getRaw(port, `${BASE}/events/`)).status, 200, 'one slash at the end is allowed')
})

story('F30: characters with a meaning in SQL or a shell are ordinary text', async ({ writer }) => {
  for (const word of [
    `'";--%_\\`,
    '__proto__',
    '{{7*7}}',
    '<script>alert(1)</script>',
    '‮gpj.x',
    "Robert'); drop table events;--",
    'a,b;c\\n:d',
  ]) {
    const made = await writer.creates({
      ...event,
      title: word,
      location: word,
      description: `${word}\n${word}`,
      category: word.slice(0, 64),
    })
    const read = (await writer.get(`/events/${made.id}`)).body.data
    assert.deepEqual(
      [read.title, read.location, read.description, read.category],
      [word, word, `${word}\n${word}`, word],
    )
    const found = await writer.get(`/events?q=${encodeURIComponent(word)}`)
    assert.equal(found.body.meta.pagination.total, /[\p{L}\p{N}]/u.test(word) ? 1 : 0, word)
    assert.equal((await writer.get(`/events?category=${encodeURIComponent(word)}`)).body.meta.pagination.total, 1, word)
    assert.equal((await writer.get(`/events/${encodeURIComponent(word)}`)).status, 404)
  }
})

story('F23: hostile rules are answered with a code, and the service continues', async ({ writer }) => {
  const rules: [string, string][] = [
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'rrule_no_occurrences'],
    ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', 'rrule_no_occurrences'],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'rrule_no_occurrences'],
    ['FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30', 'rrule_unsupported'],
    ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', 'rrule_unsupported'],
    ['FREQ=DAILY;INTERVAL=1000000000', 'rrule_unsupported'],
    ['FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6', 'rrule_no_occurrences'],
    ['FREQ=SECONDLY;COUNT=1000000000;BYMONTH=12', 'rrule_unsupported'],
    ['FREQ=SECONDLY', 'rrule_unsupported'],
    ['FREQ=DAILY;COUNT=1000000000', 'rrule_unsupported'],
    ['FREQ=MONTHLY;BYDAY=MO;BYSETPOS=366', 'rrule_no_occurrences'],
    [`FREQ=DAILY;BYSECOND=${Array.from({ length: 200 }, (_, i) => i % 60).join()}`, 'too_long'],
    ['FREQ=DAILY;BYHOUR=25', 'rrule_invalid'],
    ['FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,5,10,15,20,25,30', 'rrule_unsupported'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'rrule_invalid'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'rrule_invalid'],
    ['', 'none'],
    ['FREQ=YEARLY;BYDAY=-53MO', 'none'],
    ['FREQ=DAILY;UNTIL=99991231', 'none'],
  ]
  for (const [rrule, code] of rules) {
    const answer = await writer.post('/events', { ...event, rrule })
    if (code === 'none') assert.equal(answer.status, 201, rrule)
    else
      assert.ok(
        answer.body.error?.details.fields.some((field: { code: string }) => field.code === code),
        `${rrule}: ${answer.text}`,
      )
  }
  assert.equal((await writer.get('/events?view=year')).status, 200)
})

story('every response has the security headers for browsers', async ({ anonymous }) => {
  for (const path of ['/events', '/nope', '/docs']) {
    const { headers } = await anonymous.get(path)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
    assert.equal(headers['strict-transport-security'], undefined, 'not on a plain http address')
    assert.equal(headers['access-control-allow-origin'], undefined)
  }
})

story('health: live always, ready while the database answers', async ({ anonymous, app }) => {
  assert.equal((await anonymous.send({ method: 'GET', url: '/healthz' })).body.data.status, 'alive')
  const ready = await anonymous.send({ method: 'GET', url: '/readyz' })
  assert.equal(ready.body.data.status, 'ready')
  assert.deepEqual(ready.body.data.checks.database, { status: 'ok' })
  await app.ctx.storage.writes.deleteFrom('migrations').execute()
  const unready = await anonymous.send({ method: 'GET', url: '/readyz' })
  assert.equal(unready.status, 503)
  assert.equal(unready.headers['retry-after'], '5')
  assert.equal(unready.body.error.code, 'service_unavailable')
  assert.equal(unready.body.error.details.reason, 'schema_outdated')
  assert.deepEqual(unready.body.error.details.checks.database, { status: 'failing', reason: 'schema_outdated' })
  app.drain()
  const stopping = await anonymous.send({ method: 'GET', url: '/readyz' })
  assert.equal(stopping.body.error.details.reason, 'stopping')
})

story('F39: an unexpected error is a 500 that contains nothing but the request id', async ({ writer, app }) => {
  const { id } = await writer.creates({ ...event, title: 'zqsecret' })
  await app.ctx.storage.writes.updateTable('events').set({ ical: 'BEGIN:zqsecret' }).where('id', '=', id).execute()
  const answer = await writer.patch(`/events/${id}`, { title: 'B', version: 1 })
  assert.equal(answer.status, 500)
  assert.deepEqual(answer.body, {
    error: {
      code: 'internal_error',
      message: 'Something went wrong on our side.',
      details: { request_id: answer.headers['x-request-id'] },
    },
  })
  assert.equal((await writer.post('/events', event)).status, 201, 'the transaction was given back')
})
