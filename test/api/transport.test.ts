// Transport: HTTPS, proxies, the slug, and rate limits.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request as requestOverHttp } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { findTransportProblem } from '../../src/actions/access/transport-problem.ts'
import { loadConfig } from '../../src/config.ts'
import { cookieNameOf } from '../../src/http/guard/cookie.ts'
import type { Json } from '../support/http/api-response.ts'
import { makeCertificate } from '../support/http/certificate.ts'
import { getRaw, listen } from '../support/http/socket.ts'
import { captureLog } from '../support/measure/captured-log.ts'
import { forEachEngine, makePlace } from '../support/storage/engines.ts'
import { openWorld, PASSWORD, type World, withWorld } from '../support/world.ts'

const BASE = '/api-root/calendar/v1'
const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

const story = (name: string, settings: Record<string, string>, tell: (world: World) => Promise<void>) =>
  test(name, () => withWorld('sqlite', tell, { settings }))

const HTTPS = { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' }

story(
  'behind an https address plain http is refused, with or without credentials, and never redirected',
  HTTPS,
  async ({ writer, anonymous }) => {
    const away = { host: 'calendar.example.org' }
    for (const client of [writer, anonymous]) {
      for (const answer of [
        await client.get('/events', away),
        await client.post('/events', event, away),
        await client.get('/openapi.json', away),
      ]) {
        assert.equal(answer.status, 403)
        assert.equal(answer.body.error.code, 'https_required')
        assert.equal(answer.headers.location, undefined)
      }
    }
    assert.equal((await anonymous.send({ method: 'GET', url: '/healthz', headers: away })).status, 200)
    const page = await anonymous.get('/docs', away)
    assert.equal(page.status, 308, 'a page people open is sent on')
    assert.equal(page.headers.location, 'https://calendar.example.org/api-root/calendar/v1/docs')
    const { headers } = await anonymous.get('/events')
    assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains')
  },
)

for (const scheme of ['http', 'https'])
  story(
    `no page is redirected to its own address, behind a proxy with an ${scheme} public_url`,
    { DAYBOOK_PUBLIC_URL: `${scheme}://calendar.example.org`, DAYBOOK_URL_SLUG: 'town' },
    async ({ anonymous, app }) => {
      const cookie = `${cookieNameOf(app.ctx.secret)}=0; __Host-${cookieNameOf(app.ctx.secret)}=0`
      const forwarded = [
        {},
        { 'x-forwarded-proto': scheme, 'x-forwarded-for': '192.0.2.1' },
        { forwarded: `for=192.0.2.1;proto=${scheme}` },
      ]
      for (const path of ['/', '/town', '/town/', '/town/sign-in', '/town/none', `/town${BASE}/docs`, `${BASE}/docs`])
        for (const credentials of [{}, { cookie }, { authorization: 'Basic eDp5' }])
          for (const hop of forwarded) {
            const headers = { host: 'calendar.example.org', accept: 'text/html', ...credentials, ...hop }
            const { status, headers: answered } = await anonymous.send({ method: 'GET', url: path, headers })
            const what = `${path} ${JSON.stringify(headers)}: ${status}`
            const used = Object.keys(hop).length > 0 ? scheme : 'http'
            const address = `${used}://calendar.example.org${path}`
            const next = answered.location && new URL(String(answered.location), address).href
            assert.notEqual(next, address, what)
            if (scheme === 'http' && path === '/town/sign-in') assert.equal(status, 200, what)
          }
    },
  )

/** As nginx does with plain `proxy_pass`: its own Host, and no header with the address of the client. */
async function withBareProxy(port: number, use: (proxyPort: number) => Promise<void>): Promise<void> {
  const proxy = createServer((incoming, outgoing) => {
    const { host: _, ...headers } = incoming.headers
    const { method, url: path } = incoming
    const onward = requestOverHttp({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  try {
    await use((proxy.address() as AddressInfo).port)
  } finally {
    proxy.closeAllConnections()
    proxy.close()
  }
}

test('a proxy that forwards neither scheme nor address does not turn HTTPS off', async () => {
  const log = captureLog()
  try {
    const settings = { ...HTTPS, DAYBOOK_ALLOW_LOOPBACK_HTTP: 'off', DAYBOOK_LOG_LEVEL: 'warn' }
    await withWorld(
      'sqlite',
      async ({ app }) => {
        const port = await listen(app)
        await withBareProxy(port, async (proxyPort) => {
          for (const at of [proxyPort, port]) {
            const send = (path: string, body?: object): Promise<Response> =>
              fetch(`http://127.0.0.1:${at}${path}`, {
                redirect: 'manual',
                ...(body
                  ? { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
                  : {}),
              })
            const login = await send(`${BASE}/auth/login`, { email: 'writer@example.org', password: PASSWORD })
            for (const answer of [await send(`${BASE}/events`), await send(`${BASE}/public/events`), login]) {
              assert.equal(answer.status, 403)
              assert.equal(((await answer.json()) as Json).error.code, 'https_required')
              assert.equal(answer.headers.get('set-cookie'), null)
            }
            assert.equal((await send(`${BASE}/docs`)).status, 308)
            assert.equal((await send('/healthz')).status, 200)
            assert.equal((await send('/readyz')).status, 200)
          }
        })
        assert.equal(log.text().match(/trust_proxy/g)?.length, 1, log.text())
      },
      { settings },
    )
  } finally {
    log.stop()
  }
})

test('settings under which every request would be refused are reported', () => {
  const problemOf = (settings: Record<string, string>) =>
    findTransportProblem(loadConfig(settings, '/nowhere'))?.message
  assert.equal(problemOf({}), undefined)
  assert.equal(problemOf({ DAYBOOK_PUBLIC_URL: 'https://localhost' }), undefined)
  assert.equal(problemOf({ DAYBOOK_PUBLIC_URL: 'http://calendar.example.org' }), undefined)
  assert.match(problemOf(HTTPS) ?? '', /https_required.*trust_proxy/)
  assert.equal(problemOf({ ...HTTPS, DAYBOOK_TRUST_PROXY: '127.0.0.1' }), undefined)
  assert.match(problemOf({ ...HTTPS, DAYBOOK_ALLOW_LOOPBACK_HTTP: 'on' }) ?? '', /allow_loopback_http/)
})

story(
  'diagnostics report settings under which visitors are refused or treated as this machine',
  HTTPS,
  async ({ admin }) =>
    assert.deepEqual((await admin.get('/admin/diagnostics')).body.meta.warnings, ['loopback_http_allowed']),
)

story(
  'the exemption for this machine needs a loopback peer, a loopback name and no proxy',
  HTTPS,
  async ({ writer }) => {
    const status = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
      (await writer.send({ method: 'GET', url: `${BASE}/events`, headers, remoteAddress })).status
    assert.equal(await status({ host: 'localhost:8080' }), 200)
    assert.equal(await status({ host: '127.0.0.1' }), 200)
    assert.equal(await status({ host: '[::1]:80' }, '::1'), 200)
    assert.equal(await status({ host: 'localhost' }, '10.0.0.7'), 403)
    assert.equal(await status({ host: 'calendar.example.org' }), 403)
    for (const header of ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'via']) {
      assert.equal(
        await status({ host: 'localhost', [header]: 'https' }),
        403,
        `${header} shows that a proxy is in between`,
      )
    }
  },
)

story(
  'only listed proxies may set the scheme, in the one header they are configured for',
  { ...HTTPS, DAYBOOK_TRUST_PROXY: '10.0.0.0/8, fd00::/8' },
  async ({ writer }) => {
    const status = async (headers: Record<string, string>, remoteAddress: string) =>
      (
        await writer.send({
          method: 'GET',
          url: `${BASE}/events`,
          headers: { host: 'calendar.example.org', ...headers },
          remoteAddress,
        })
      ).status
    const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
    assert.equal(await status(https, '10.1.2.3'), 200)
    assert.equal(await status(https, '::ffff:10.1.2.3'), 200)
    assert.equal(await status(https, 'fd00::1'), 200)
    assert.equal(await status(https, '192.0.2.1'), 403, 'a stranger says so')
    assert.equal(await status({ ...https, 'x-forwarded-proto': 'http' }, '10.1.2.3'), 403)
    assert.equal(
      await status({ forwarded: 'for=203.0.113.9;proto=https' }, '10.1.2.3'),
      403,
      'the other family of headers may come from the client',
    )
  },
)

story(
  'where only plain http is configured, public reads work and remote credentials are refused',
  { DAYBOOK_PUBLIC_URL: 'http://calendar.example.org' },
  async ({ writer, anonymous }) => {
    const away = { host: 'calendar.example.org' }
    assert.equal((await anonymous.get('/events', away)).status, 200)
    assert.equal((await writer.get('/events', away)).body.error.code, 'https_required')
    assert.equal(
      (await anonymous.post('/setup', { code: 'x', email: 'a@example.org', password: 'x' }, away)).body.error.code,
      'https_required',
    )
    assert.equal((await anonymous.post('/events', event, away)).body.error.code, 'https_required')
  },
)

test('the service serves HTTPS itself from a certificate and key', async () => {
  const { key, certificate } = makeCertificate('localhost')
  const place = await makePlace('sqlite')
  const files = {
    DAYBOOK_TLS_CERTIFICATE: join(place.folder, 'cert.pem'),
    DAYBOOK_TLS_KEY: join(place.folder, 'key.pem'),
  }
  writeFileSync(files.DAYBOOK_TLS_CERTIFICATE, certificate)
  writeFileSync(files.DAYBOOK_TLS_KEY, key)
  const world = await openWorld('sqlite', place, { settings: { ...files, DAYBOOK_PUBLIC_URL: 'https://localhost' } })
  try {
    const port = await listen(world.app)
    const headers = {
      host: 'calendar.example.org',
      authorization: `Basic ${Buffer.from('reader@example.org:correct horse battery').toString('base64')}`,
    }
    const status = await new Promise<number>((resolve, reject) => {
      request(
        { host: '127.0.0.1', port, path: `${BASE}/events`, servername: 'localhost', ca: certificate, headers },
        (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        },
      )
        .on('error', reject)
        .end()
    })
    assert.equal(status, 200)
  } finally {
    await world.app.close()
    await place.remove()
  }
})

story(
  'with a slug everything is under it, and the bare path redirects there',
  { DAYBOOK_URL_SLUG: 'town' },
  async ({ writer, app, anonymous }) => {
    assert.equal(app.site.base, '/town/api-root/calendar/v1')
    const made = await writer.post('/events', event)
    assert.equal(made.headers.location, `/town/api-root/calendar/v1/events/${made.body.data.id}`)
    const { headers } = await writer.get('/events')
    assert.match(String(headers.link), /<\/town\/api-root\/calendar\/v1\/events\?/)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'] as const) {
      const bare = await writer.send({ method, url: `${BASE}/events/x?view=day` })
      assert.equal(bare.status, 308, method)
      assert.equal(bare.headers.location, '/town/api-root/calendar/v1/events/x?view=day')
      assert.equal(bare.headers['cache-control'], 'no-store')
    }
    for (const path of [
      '/village/api-root/calendar/v1/events',
      '/Town/api-root/calendar/v1/events',
      '/town/town/api-root/calendar/v1/events',
    ]) {
      assert.equal((await anonymous.send({ method: 'GET', url: path })).status, 404, path)
    }
    assert.equal((await anonymous.send({ method: 'GET', url: '/' })).headers.location, '/town/')
    assert.equal((await anonymous.send({ method: 'GET', url: '/town/' })).status, 200)
    const document = (await anonymous.get('/openapi.json')).body
    assert.equal(document.servers[0].url, '/town/api-root/calendar/v1')
  },
)

story('without a slug the first segment is not guessed', {}, async ({ anonymous, app }) => {
  assert.equal((await anonymous.send({ method: 'GET', url: `/town${BASE}/events` })).status, 404)
  const port = await listen(app)
  assert.match((await getRaw(port, '/')).head, /^HTTP\/1\.1 200/)
})

story(
  'limits count and send Retry-After; they affect no other network',
  { ...HTTPS, DAYBOOK_RATE_LIMITS: 'on', DAYBOOK_TRUST_PROXY: '127.0.0.1' },
  async ({ anonymous, as, reader }) => {
    let guess = 0
    const from = (address: string, client = as('reader@example.org', `not the password ${guess++}`)) =>
      client.send({
        method: 'GET',
        url: `${BASE}/events`,
        headers: { 'x-forwarded-for': `6.6.6.6, ${address}`, 'x-forwarded-proto': 'https' },
      })
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        from('198.51.100.9', as('reader@example.org', i === 39 ? undefined : `guess ${i}`)),
      ),
    )
    assert.equal(guesses.filter(({ status }) => status === 401).length, 10, 'many at once are no way round')
    assert.equal(guesses.filter(({ status }) => status === 200).length, 0)
    for (let i = 0; i < 10; i++) assert.equal((await from('198.51.100.1')).status, 401)
    const refused = await from('198.51.100.1')
    assert.equal(refused.status, 429)
    assert.equal(refused.body.error.code, 'rate_limited')
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal(refused.headers['ratelimit-policy'], '"login-pair";q=10;w=900')
    assert.match(String(refused.headers.ratelimit), /^"login-pair";r=0;t=\d+$/)
    assert.equal((await from('198.51.100.2')).status, 401, 'another network')
    assert.equal((await from('198.51.100.3', reader)).status, 200, 'the person herself, from elsewhere')
    assert.equal(
      (await from('198.51.100.1', as('writer@example.org'))).status,
      200,
      'another account from the same network',
    )
    for (let i = 0; i < 10; i++) await from(`2001:db8:1:2::${i}`)
    assert.equal((await from('2001:db8:1:2:ffff::1')).status, 429, 'an IPv6 customer has a whole /64')
    assert.equal((await from('2001:db8:1:3::1')).status, 401)
    const visit = () => from('203.0.113.5', anonymous)
    for (let i = 0; i < 600; i++) assert.equal((await visit()).status, 200)
    assert.equal((await visit()).headers['ratelimit-policy'], '"public-ip";q=600;w=300')
  },
)

story(
  'a client that repeats an old password does not lock its owner out',
  { ...HTTPS, DAYBOOK_RATE_LIMITS: 'on', DAYBOOK_TRUST_PROXY: '127.0.0.1' },
  async ({ as, anonymous }) => {
    const home = { 'x-forwarded-for': '198.51.100.9', 'x-forwarded-proto': 'https' }
    const phone = as('reader@example.org', 'the password of last year')
    for (let i = 0; i < 100; i++) assert.equal((await phone.get('/events', home)).status, 401)
    assert.equal((await as('reader@example.org').get('/events', home)).status, 200)
    const login = await anonymous.post('/auth/login', { email: 'reader@example.org', password: PASSWORD }, home)
    assert.equal(login.status, 200)
  },
)

story(
  'guesses from one device stop at its own account and affect no other account',
  { ...HTTPS, DAYBOOK_RATE_LIMITS: 'on', DAYBOOK_TRUST_PROXY: '127.0.0.1' },
  async ({ as, anonymous, addPerson, with: withHeaders }) => {
    const home = { 'x-forwarded-for': '198.51.100.9', 'x-forwarded-proto': 'https' }
    for (let i = 0; i < 60; i++) await as('reader@example.org', `wrong ${i}`).get('/events', home)
    assert.equal((await as('writer@example.org').get('/events', home)).status, 200, 'the network is not used up')
    const stale = as('admin@example.org', 'the password of last year')
    for (let i = 0; i < 60; i++) {
      await addPerson(`p${i}@example.org`, 'reader')
      assert.equal((await stale.get('/events', home)).status, 401)
    }
    assert.equal((await as('admin@example.org').get('/events', home)).status, 200, 'the same text is one guess')
    const junk = withHeaders({ authorization: 'Bearer of-old' })
    for (let i = 0; i < 60; i++) assert.equal((await junk.get('/events', home)).status, 401)
    const login = { email: 'writer@example.org', password: PASSWORD }
    assert.equal((await anonymous.post('/auth/login', login, home)).status, 200)
  },
)

story(
  'no header bypasses the limit, and refused requests count too',
  { ...HTTPS, DAYBOOK_RATE_LIMITS: 'on', DAYBOOK_TRUST_PROXY: '127.0.0.1' },
  async ({ anonymous, reader, as, addPerson }) => {
    const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })
    const out = await anonymous.post('/auth/logout', {}, from('203.0.113.1'))
    const name = String(out.headers['set-cookie']).split('=')[0]!
    for (const cookie of [`x${name}=1`, `${name.replace('__Host-', '')}=1`]) {
      const address = `203.0.113.${cookie.length % 250}`
      const statuses = new Set<number>()
      for (let i = 0; i < 620; i++) statuses.add((await anonymous.get('/events', { cookie, ...from(address) })).status)
      assert.deepEqual([...statuses], [200, 429], cookie)
    }
    const denied = new Set<number>()
    for (let i = 0; i < 620; i++) denied.add((await reader.get('/admin/audit', from('203.0.113.9'))).status)
    assert.deepEqual([...denied], [403, 429])
    await addPerson('waiting@example.org', 'writer', 'pending_approval')
    const pending = new Set<number>()
    for (let i = 0; i < 620; i++)
      pending.add((await as('waiting@example.org').post('/events', event, from('203.0.113.10'))).status)
    assert.deepEqual([...pending], [403, 429])
  },
)

test('refusals that come before anything else have the same headers', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    for (const url of ['/%zz', `${BASE}/events/%E0%A4%A`, `${BASE}/events/${'a'.repeat(300)}`]) {
      const { status, headers } = await anonymous.send({ method: 'GET', url })
      assert.ok(status === 400 || status === 404, url)
      assert.equal(headers['x-content-type-options'], 'nosniff', url)
      assert.ok(headers['content-security-policy'], url)
    }
  }))

story(
  'an account under distributed guessing answers slowly, and still answers',
  { ...HTTPS, DAYBOOK_RATE_LIMITS: 'on', DAYBOOK_TRUST_PROXY: '127.0.0.1' },
  async ({ as, app }) => {
    const from = (i: number) => ({ 'x-forwarded-for': `198.51.${i}.9`, 'x-forwarded-proto': 'https' })
    for (let i = 0; i < 100; i++)
      assert.equal((await as('reader@example.org', `guess ${i}`).get('/events', from(i))).status, 401)
    const before = performance.now()
    assert.equal((await as('reader@example.org').get('/events', from(200))).status, 200)
    assert.ok(performance.now() - before >= 2_000)
    await app.flushTraces()
    const trail = await app.ctx.storage.reads.selectFrom('audit').select('action').execute()
    assert.equal(trail.filter(({ action }) => action === 'login_failed').length, 100)
  },
)

const exposed = { host: 'calendar.example.org' }

story('credentials sent in clear are refused, recorded and reported', HTTPS, async (world) => {
  const { writer, admin, anonymous, app, clock } = world
  for (let i = 0; i < 3; i++) assert.equal((await writer.get('/events', exposed)).status, 403)
  await anonymous.get('/events', exposed)
  const trail = async () => (await admin.get('/admin/audit?action=credentials_in_clear')).body.data
  await app.flushTraces()
  assert.equal((await trail()).length, 1, 'once an hour')
  assert.deepEqual((await trail())[0].detail, { by: 'authorization' })
  assert.deepEqual((await admin.get('/admin/diagnostics')).body.meta.warnings, [
    'credentials_in_clear',
    'loopback_http_allowed',
  ])
  clock.at += 3_600_000
  await writer.get('/events', exposed)
  await app.flushTraces()
  assert.equal((await trail()).length, 2)
  assert.equal((await writer.get('/events')).status, 200, 'nothing is revoked unless the operator says so')
})

story(
  'where the operator chose so, credentials sent in clear are revoked',
  { ...HTTPS, DAYBOOK_REVOKE_EXPOSED_CREDENTIALS: 'on' },
  async ({ writer, as, with: withHeaders, signIn }) => {
    const browser = await signIn('writer@example.org')
    const { password } = (await browser.post('/auth/app-passwords', { name: 'Phone' })).body.data
    const { token } = (await browser.post('/auth/tokens', { name: 'x', scopes: ['events:read'] })).body.data
    const phone = as('writer@example.org', password)
    const program = withHeaders({ authorization: `Bearer ${token}` })
    for (const client of [browser, phone, program]) {
      assert.equal((await client.get('/events')).status, 200)
      assert.equal((await client.get('/events', exposed)).status, 403)
      assert.equal((await client.get('/events')).status, 401)
    }
    assert.equal((await writer.get('/events', exposed)).status, 403)
    assert.equal((await writer.get('/events')).status, 200, 'a password is its owner’s to change')
  },
)

for (const slug of ['', 'town'])
  forEachEngine(`a feed link sent in clear is refused, recorded and reported, ${slug || 'without a slug'}`, (engine) =>
    withWorld(
      engine,
      async ({ reader, admin, anonymous, app }) => {
        const { url } = (await reader.post('/auth/feeds', { name: 'Phone' })).body.data
        const path = new URL(url).pathname
        for (const address of [path, path, `${path}?x=1`, path.replace(/^\/town/, '')]) {
          const answer = await anonymous.send({ method: 'GET', url: address, headers: exposed })
          assert.deepEqual([answer.status, answer.body.error.code], [403, 'https_required'])
        }
        await app.flushTraces()
        const { data } = (await admin.get('/admin/audit?action=credentials_in_clear')).body
        assert.deepEqual(
          data.map(({ detail }: { detail: object }) => detail),
          [{ by: 'feed_link' }],
        )
        assert.deepEqual((await admin.get('/admin/diagnostics')).body.meta.warnings, [
          'credentials_in_clear',
          'loopback_http_allowed',
        ])
        assert.equal((await anonymous.send({ method: 'GET', url: path })).status, 200, 'it lives on')
      },
      { settings: { ...HTTPS, ...(slug && { DAYBOOK_URL_SLUG: slug }) } },
    ),
  )

forEachEngine('where the operator chose so, a feed link sent in clear is revoked, and no other', (engine) =>
  withWorld(
    engine,
    async ({ reader, admin, anonymous, app }) => {
      const make = async (name: string): Promise<{ id: string; path: string }> => {
        const { id, url } = (await reader.post('/auth/feeds', { name })).body.data
        return { id, path: new URL(url).pathname }
      }
      const [phone, tablet] = [await make('Phone'), await make('Tablet')]
      const status = async (url: string, headers = {}) => (await anonymous.send({ method: 'GET', url, headers })).status
      const log = captureLog()
      assert.equal(await status(phone.path, exposed), 403)
      log.stop()
      assert.match(log.text(), /over plain http/)
      assert.equal(await status(phone.path.replace(/.{4}\.ics$/, 'AAAA.ics'), exposed), 403, 'an unknown link')
      assert.deepEqual([await status(phone.path), await status(tablet.path)], [404, 200])
      const names = (await reader.get('/auth/feeds')).body.data.map(({ name }: { name: string }) => name)
      assert.deepEqual(names, ['Tablet'])
      await app.flushTraces()
      const trail = (await admin.get('/admin/audit')).text + (await admin.get('/admin/diagnostics')).text
      const { data } = (await admin.get('/admin/audit?action=credential_revoked')).body
      assert.deepEqual(
        data.map(({ detail }: { detail: object }) => detail),
        [{ kind: 'feed_link', id: phone.id }],
      )
      const secret = phone.path.slice(-'.ics'.length - 43, -'.ics'.length)
      assert.ok(!trail.includes(secret) && !log.text().includes(secret), 'its secret stands nowhere')
    },
    { settings: { ...HTTPS, DAYBOOK_REVOKE_EXPOSED_CREDENTIALS: 'on', DAYBOOK_LOG_LEVEL: 'warn' } },
  ),
)

story('HSTS can exclude subdomains', { ...HTTPS, DAYBOOK_HSTS_SUBDOMAINS: 'off' }, async (world) => {
  const { headers } = await world.anonymous.get('/events')
  assert.equal(headers['strict-transport-security'], 'max-age=31536000')
})
