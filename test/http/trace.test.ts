// Traces: the kind of request and response, and nothing that a client put into it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactBody, redactQuery, redactRequestHeaders, redactResponseHeaders } from '../../src/http/trace-redaction.ts'
import { eventText } from '../caldav/support/events.ts'
import type { Json } from '../support/http/api-response.ts'
import { getRaw, listen, sendRaw } from '../support/http/socket.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { ask, PASSWORD, type World, withWorld } from '../support/world.ts'

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

const tracesOf = async ({ app }: World): Promise<Json[]> => {
  await app.flushTraces()
  const rows = await app.ctx.storage.reads.selectFrom('traces').select('entry').orderBy('seq').execute()
  return rows.map(({ entry }) => JSON.parse(entry))
}

const headerTable: [name: string, sent: string, shown: string][] = [
  ['user-agent', 'curl/8.5.0', 'curl/8.5.0'],
  [
    'user-agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36',
    'Mozilla/5.0 AppleWebKit/537.36 Chrome/126.0 Safari/537.36',
  ],
  ['user-agent', 'iOS/17.5.1 (21F90) dataaccessd/1.0', 'iOS/17.5.1 dataaccessd/1.0'],
  ['user-agent', 'DAVx5/4.4 (my phone; okhttp/4.12.0) Android/14', 'DAVx5/4.4 Android/14'],
  ['user-agent', 'hunter2hunter2', '[other]'],
  ['user-agent', 'hunter2hunter2/1 user@example.org/1 a/b/1', '[other]'],
  ['user-agent', 'Gecko/1.0 '.repeat(50), 'Gecko/1.0 '.repeat(12)],
  ['user-agent', 'Hunter/2.0 curl/8.1.2', 'curl/8.1.2'],
  ['accept', 'text/html, application/json;q=0.9, */*;q=0.8', 'text/html, application/json, */*'],
  ['accept', 'application/hunter2, application/json', '[other], application/json'],
  ['content-type', 'application/json; charset=utf-8', 'application/json; charset=utf-8'],
  ['content-type', 'application/json; charset=hunter2', 'application/json; [other]'],
  ['content-type', 'hunter2', '[other]'],
  ['if-match', '"e-12-0123abcd"', '"e-12-0123abcd"'],
  ['if-match', '"hunter2"', '[other]'],
  ['if-none-match', 'W/"Ma-nRAB_cwTEQoajBWgJk7OQIMj", "x"', '[tag], [other]'],
  ['if-none-match', '*', '*'],
  ['origin', 'https://calendar.example.org', '[same]'],
  ['origin', 'https://hunter2.example.org', '[other]'],
  ['sec-fetch-site', 'cross-site', 'cross-site'],
  ['sec-fetch-site', 'hunter2', '[other]'],
  ['depth', 'infinity', 'infinity'],
  ['depth', '12345678', '[other]'],
  ['prefer', 'return=minimal, hunter2', 'return=minimal, [other]'],
  ['authorization', 'Basic aHVudGVyMg==', '[redacted]'],
  ['cookie', 'a=hunter2', '[redacted]'],
  ['x-csrf-token', 'hunter2', '[redacted]'],
]

test('a header is shown if it is on the list and has the expected form', () => {
  for (const [name, sent, shown] of headerTable)
    assert.deepEqual(redactRequestHeaders({ [name]: sent }, 'https://calendar.example.org'), { [name]: shown }, sent)
  const others = { host: 'hunter2', 'x-forwarded-for': 'hunter2', referer: 'hunter2', 'x-hunter2': 'y', forwarded: 'z' }
  assert.deepEqual(redactRequestHeaders(others, ''), {})
})

test('of a query only times, zones, pages and views are shown', () => {
  const known = ['from', 'q', 'category']
  const query = {
    from: '2026-07-01',
    to: '2026-07-31T00:00:00+01:00',
    view: 'month',
    timezone: 'europe/paris',
    page: 2,
  }
  assert.deepEqual(redactQuery(query, known), { ...query, page: '2', timezone: 'Europe/Paris' })
  assert.deepEqual(redactQuery({ q: 'hunter2', category: 'x', hunter2: 'y', __proto: 'z' }, known), {
    q: '[redacted]',
    category: '[redacted]',
    '?': '[redacted]',
  })
  const odd = {
    from: 'hunter2',
    to: '4111111111111111',
    view: 'hunter2',
    timezone: 'Europe/Hunter2',
    page: '123456',
    per_page: ['1', 'hunter2'],
    limit: '-1',
    expand: 'yes',
  }
  assert.deepEqual(new Set(Object.values(redactQuery(odd, []))), new Set(['[other]']))
  assert.deepEqual(redactQuery(undefined, []), {})
})

test('of a body the known fields are shown with their types and lengths', () => {
  const known = ['title', 'n', 'flag', 'list', 'thing', 'nothing', 'password', 'token', 'code', 'proof']
  const body = { title: 'hunter2', n: 5, flag: true, list: [1, 2], thing: { hunter2: 1 }, nothing: null }
  assert.deepEqual(redactBody(body, known), {
    title: 'string(7)',
    n: 'number',
    flag: 'boolean',
    list: 'array(2)',
    thing: 'object(1)',
    nothing: 'null',
  })
  const secrets = { password: 'hunter2', token: 'hunter2', code: 'hunter2', proof: 'hunter2' }
  assert.deepEqual(new Set(Object.values(redactBody(secrets, known)!)), new Set(['[redacted]']))
  assert.deepEqual(redactBody({ hunter2: 1, another: 2 }, known), { '?': 'fields(2)' })
  for (const none of [undefined, null, 'hunter2', 5]) assert.equal(redactBody(none, known), null)
})

test('a Location is shown as the route it leads to', () => {
  const headers: Record<string, string> = {
    location: '/events/hunter2',
    'set-cookie': 'hunter2',
    etag: '"hunter2"',
    'content-type': 'application/json',
    'x-other': 'hunter2',
  }
  assert.deepEqual(
    redactResponseHeaders(
      (name) => headers[name],
      () => '/events/{event_id}',
    ),
    {
      'content-type': 'application/json',
      etag: '[other]',
      location: '/events/{event_id}',
      'set-cookie': '[redacted]',
    },
  )
})

forEachEngine('an entry has the route, the account and credential kind, and the result', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, app, addPerson, as } = world
    const id = await addPerson('someone@example.org', 'writer')
    const made = await as('someone@example.org').post('/events', event)
    await anonymous.get(`/events/${made.body.data.id}?timezone=Europe/Paris`)
    await anonymous.get('/nowhere/at/all')
    await anonymous.post('/events', event)
    await writer.send({ method: 'POST', url: `${app.site.base}/events/${made.body.data.id}` })
    await anonymous.send({ method: 'GET', url: '/' })
    const [created, read, nowhere, refused, wrong, home] = await tracesOf(world)
    assert.deepEqual(
      { ...created, id: '', duration_ms: 0 },
      {
        id: '',
        at: '2026-07-10T12:00:00Z',
        request_id: made.headers['x-request-id'],
        node: app.ctx.nodeId,
        duration_ms: 0,
        auth: 'basic',
        user_id: id,
        client_net: '127.0.0.0/24',
        request: {
          method: 'POST',
          route: '/events',
          query: {},
          headers: { 'user-agent': '[other]', 'content-type': 'application/json', authorization: '[redacted]' },
          body: { title: 'string(1)', start: 'string(16)', end: 'string(16)' },
          bytes: JSON.stringify(event).length,
        },
        response: {
          status: 201,
          error_code: null,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            etag: made.headers.etag,
            location: '/events/{event_id}',
          },
          bytes: made.text.length,
        },
        rate_policy: null,
      },
    )
    assert.equal(read.request.route, '/events/{event_id}')
    assert.deepEqual(read.request.query, { timezone: 'Europe/Paris' })
    assert.deepEqual([read.auth, read.user_id], ['anonymous', null])
    assert.deepEqual([nowhere.request.route, nowhere.response.error_code], [null, 'route_not_found'])
    assert.deepEqual([refused.response.status, refused.response.error_code], [401, 'authentication_required'])
    assert.deepEqual([wrong.request.route, wrong.response.error_code], ['/events/{event_id}', 'method_not_allowed'])
    assert.deepEqual([home.request.route, home.response.status], ['/', 200])
  }),
)

forEachEngine('the kind of credential is shown, and never its value', (engine) =>
  withWorld(engine, async (world) => {
    const { anonymous } = world
    const login = { email: 'reader@example.org', password: PASSWORD }
    const { headers, body } = await anonymous.post('/auth/login', login)
    const cookie = String(headers['set-cookie']).split(';')[0]!
    const csrf = { cookie, 'x-csrf-token': body.data.csrf_token }
    const made = await anonymous.post('/auth/tokens', { name: 'phone', scopes: ['events:read'] }, csrf)
    assert.equal(made.status, 201)
    await anonymous.get('/events', { authorization: `Bearer ${made.body.data.token}` })
    const [signedIn, creating, listing] = await tracesOf(world)
    assert.deepEqual(signedIn.request.body, { email: 'string(18)', password: '[redacted]' })
    assert.equal(signedIn.response.headers['set-cookie'], '[redacted]')
    assert.deepEqual([creating.auth, listing.auth], ['session', 'token'])
    assert.equal(creating.request.headers['x-csrf-token'], '[redacted]')
    assert.equal(listing.user_id, creating.user_id)
    const dump = JSON.stringify([signedIn, creating, listing])
    for (const secret of [PASSWORD, cookie.split('=')[1]!, body.data.csrf_token, made.body.data.token, 'phone'])
      assert.ok(!dump.includes(secret), secret)
  }),
)

test('the limit that refused a request is shown', () =>
  withWorld(
    'sqlite',
    async (world) => {
      for (let i = 0; i < 12; i++) await world.anonymous.post('/setup', { code: 'x', email: 'x', password: 'x' })
      const last = (await tracesOf(world)).at(-1)
      assert.equal(last.response.error_code, 'rate_limited')
      assert.equal(last.rate_policy, 'setup')
      assert.match(last.response.headers['retry-after'], /^\d+$/)
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))

test('responses written straight to the socket are traced too; health checks only when they fail', () =>
  withWorld('sqlite', async (world) => {
    const port = await listen(world.app)
    const path = `${world.app.site.base}/events?view=month&from=2026-07-01`
    const first = await getRaw(port, path)
    const kept = await getRaw(port, path)
    assert.equal(first.body, kept.body)
    await getRaw(port, '/healthz')
    await getRaw(port, '/readyz')
    world.app.drain()
    await getRaw(port, '/readyz')
    const [one, two, health, ...rest] = await tracesOf(world)
    for (const trace of [one, two]) {
      assert.equal(trace.response.status, 200)
      assert.equal(trace.request.route, '/events')
      assert.deepEqual(trace.request.query, { view: 'month', from: '2026-07-01' })
    }
    assert.deepEqual([health.request.route, health.response.error_code], ['/readyz', 'service_unavailable'])
    assert.deepEqual(rest, [])
  }))

/** In the forms that hide text; none of them may be found, nor a part that identifies it. */
const CANARIES = [
  'canaryCanary77',
  'calpat_canaryCanary77canaryCanary77canaryCanary77x',
  'canaryCanary77@example.org',
  'Basic Y2FuYXJ5Q2FuYXJ5Nzc=',
  'https://example.org/canaryCanary77?t=1',
  '"canaryCanary77"',
  'canaryCanary77/1.0 (canaryCanary77)',
  'application/canaryCanary77; boundary=canaryCanary77',
  'Europe/canaryCanary77',
  '2026-07-01TcanaryCanary77',
  'return=canaryCanary77',
]

const HEADERS = [
  'user-agent',
  'accept',
  'accept-language',
  'content-type',
  'depth',
  'if-match',
  'if-none-match',
  'prefer',
  'origin',
  'referer',
  'sec-fetch-site',
  'authorization',
  'cookie',
  'x-csrf-token',
  'idempotency-key',
  'x-forwarded-for',
  'forwarded',
  'x-canaryCanary77',
]

interface TracedOperation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
}

/** Every position of every operation holds the canary at once: path, query, headers, and each field of the body. */
function* hostileRequests({ app }: World, canary: string) {
  const document = app.openApi() as Json
  for (const [path, operations] of Object.entries(document.paths as Record<string, Record<string, TracedOperation>>)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      const query = new URLSearchParams({ canaryCanary77: canary })
      for (const { name, in: place } of parameters) if (place === 'query') query.set(name, canary)
      const url = `${app.site.base}${path.replace(/\{\w+\}/g, 'canaryCanary77')}?${query}`
      const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1)
      const fields = Object.keys((name && document.components.schemas[name]?.properties) || {})
      const body = Object.fromEntries([...fields, 'canaryCanary77'].map((field) => [field, canary]))
      yield { method: method.toUpperCase(), url, body }
    }
  }
}

forEachEngine('a canary in every position of every endpoint is found in no trace', (engine) =>
  withWorld(engine, async (world) => {
    const { app } = world
    let sent = 0
    for (const canary of CANARIES) {
      for (const { method, url, body } of hostileRequests(world, canary)) {
        const credentials = `Basic ${Buffer.from(`admin@example.org:${canary}`).toString('base64')}`
        const plain = Object.fromEntries(HEADERS.map((name) => [name, canary]))
        const json = { 'content-type': 'application/json' }
        for (const headers of [plain, { ...plain, ...json, authorization: credentials }, json]) {
          const payload = method === 'GET' ? {} : { payload: JSON.stringify(body) }
          await ask(app, { method: method as 'GET', url, headers, ...payload })
          // A stream that its client leaves has no trace.
          if (!url.includes('/stream?')) sent += 1
        }
        await app.flushTraces()
      }
    }
    const port = await listen(app)
    await sendRaw(port, `GET /${'%zz'}canaryCanary77 HTTP/1.1\r\nhost: canaryCanary77\r\nconnection: close\r\n\r\n`)
    await sendRaw(port, 'canaryCanary77 / HTTP/1.1\r\n\r\n')
    const traces = await tracesOf(world)
    assert.ok(traces.length >= sent, `${traces.length} traces of ${sent} requests`)
    const dump = JSON.stringify(traces)
    assert.doesNotMatch(dump, /canary|Y2FuYXJ5/i)
    const limits = await app.ctx.storage.reads.selectFrom('rate_limits').selectAll().execute()
    const audit = await app.ctx.storage.reads.selectFrom('audit').selectAll().execute()
    assert.doesNotMatch(JSON.stringify([limits, audit]), /canary|Y2FuYXJ5/i)
  }),
)

forEachEngine('text that an authorised account writes is in no trace either', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, admin } = world
    const words = {
      title: 'canaryTitle77',
      description: 'canaryText77',
      location: 'canaryPlace77',
      category: 'canaryKind77',
    }
    const made = await writer.post('/events', { ...event, ...words, uid: 'canaryUid77@example.org' })
    assert.equal(made.status, 201)
    const path = `/events/${made.body.data.id}`
    await writer.patch(path, { title: 'canaryTitle78', version: 1 })
    await writer.get(`/events?q=canaryTitle78&category=canaryKind77`)
    await writer.delete(`${path}/occurrences/canaryKey77`)
    await admin.get('/admin/diagnostics')
    await admin.get('/admin/audit?user_id=canaryUser77')
    const traces = await tracesOf(world)
    assert.ok(traces.length >= 6)
    assert.doesNotMatch(JSON.stringify(traces), /canary/i)
  }),
)

forEachEngine('of CalDAV requests a trace keeps the kind of address and no name, body or destination', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const main = '/caldav/calendars/main/'
    const text = eventText('canaryUid77', 'SUMMARY:canaryTitle77')
    const send = (method: string, url: string, payload: string, headers: Record<string, string> = {}) =>
      writer.send({ method: method as 'GET', url, headers, ...(payload ? { payload } : {}) })
    const href = '<D:href>/caldav/calendars/main/canaryName77.ics</D:href>'
    const statuses = [
      await send('PUT', `${main}canaryName77.ics`, text, { 'content-type': 'text/calendar' }),
      await send('PUT', `${main}canary%20Name78.ics`, 'canaryText77', { 'content-type': 'text/canary77' }),
      await send('MOVE', `${main}canaryName77.ics`, '', {
        destination: `${main}canaryName79.ics`,
        overwrite: 'canary',
      }),
      await send('PROPFIND', `${main}?canary77=canary77`, '<canary77/>', { depth: 'canary77' }),
      await send(
        'PROPPATCH',
        main,
        '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><canary77/></D:prop></D:set></D:propertyupdate>',
      ),
      await send(
        'REPORT',
        main,
        `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${href}</C:calendar-multiget>`,
      ),
      await send('MKCOL', '/caldav/calendars/canaryName77/', ''),
      await send('GET', '/caldav/canaryName77', ''),
      await send('DELETE', `${main}canaryName77.ics`, '', { 'if-match': '"canary77"' }),
    ].map(({ status }) => status)
    assert.deepEqual(statuses, [201, 403, 400, 400, 207, 207, 403, 404, 412])
    const traces = await tracesOf(world)
    assert.doesNotMatch(JSON.stringify(traces), /canary/i)
    assert.deepEqual(
      traces.map(({ request }) => request.route?.replace('/caldav/calendars', '')),
      [
        '/main/{name}',
        '/main/{name}',
        '/main/{name}',
        '/main',
        '/main',
        '/main',
        '/{calendar}',
        undefined,
        '/main/{name}',
      ],
    )
    assert.deepEqual(new Set(traces.map(({ request }) => request.body)), new Set([null]))
    assert.equal(traces[1].response.error_code, 'data_type_unsupported')
    assert.equal(traces[0].response.headers.location, '/caldav/calendars/main/{name}')
  }),
)
