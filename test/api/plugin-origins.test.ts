// CORS of the API: pages of the origins in `api_origins` may call it with a token, never with a cookie or a password.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, loadConfig } from '../../src/config.ts'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { ask, basicOf, type World, withWorld } from '../support/world.ts'

const PLUGIN = 'https://plugin.example.net'
const LOCAL = 'http://localhost:5173'
const SETTINGS = {
  DAYBOOK_PUBLIC_URL: 'https://calendar.example.org',
  DAYBOOK_API_ORIGINS: `${PLUGIN}, ${LOCAL}`,
}
const EVENT = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'private' }

const corsOf = ({ headers }: ApiResponse): string[] =>
  Object.keys(headers).filter((name) => /^access-control-/.test(name))

const variesByOrigin = ({ headers }: ApiResponse): boolean => String(headers.vary).split(', ').includes('Origin')

/** As a browser sends a request of a page of another origin. */
const pageOf = (origin: string, more: Record<string, string> = {}) => ({
  origin,
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'cors',
  ...more,
})

async function tokenOf({ signIn }: World): Promise<string> {
  const browser = await signIn('writer@example.org')
  const made = await browser.post('/auth/tokens', { name: 'Plugin', scopes: ['events:read', 'events:write'] })
  assert.equal(made.status, 201, made.text)
  return `Bearer ${made.body.data.token}`
}

forEachEngine('a page of a listed origin reads and writes with a token, and can read every header it needs', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { anonymous } = world
      const headers = pageOf(PLUGIN, { authorization: await tokenOf(world) })
      const made = await anonymous.post('/events', EVENT, headers)
      assert.equal(made.status, 201)
      const path = `/events/${made.body.data.id}`
      const read = await anonymous.get(path, headers)
      const known = await anonymous.get(path, { ...headers, 'if-none-match': String(read.headers.etag) })
      const changed = await anonymous.patch(path, { title: 'B' }, { ...headers, 'if-match': String(made.headers.etag) })
      const stale = await anonymous.patch(path, { title: 'C' }, { ...headers, 'if-match': String(made.headers.etag) })
      const answers: [ApiResponse, number][] = [
        [made, 201],
        [read, 200],
        [known, 304],
        [changed, 200],
        [stale, 412],
        [await anonymous.get('/events?view=month', headers), 200],
        [await anonymous.head('/events?view=month', headers), 200],
        [await anonymous.get('/events?nothing=1', headers), 400],
        [await anonymous.get('/admin/users', headers), 403],
        [await anonymous.get('/nothing-here', headers), 404],
        [await anonymous.get('/events', { ...headers, authorization: `Bearer calpat_${'x'.repeat(43)}` }), 401],
        [await anonymous.put(path, '{', headers), 400],
        [await anonymous.put('/events', EVENT, headers), 405],
        [await anonymous.delete(path, headers), 204],
        [await anonymous.get(path, headers), 404],
      ]
      for (const [answer, status] of answers) {
        assert.equal(answer.status, status, answer.text)
        assert.deepEqual(corsOf(answer), ['access-control-allow-origin', 'access-control-expose-headers'])
        assert.equal(answer.headers['access-control-allow-origin'], PLUGIN)
        assert.ok(variesByOrigin(answer), String(answer.headers.vary))
      }
      const exposed = String(made.headers['access-control-expose-headers']).split(', ')
      for (const name of ['ETag', 'Location', 'Link', 'Retry-After', 'X-Request-Id', 'Idempotency-Replayed'])
        assert.ok(exposed.includes(name), name)
      assert.equal(read.headers.vary, 'Origin, Authorization, Cookie')
    },
    { settings: SETTINGS },
  ),
)

forEachEngine('a preflight of a listed origin names the methods of the path; others are answered as before', (engine) =>
  withWorld(
    engine,
    async ({ anonymous, app }) => {
      const ask = (path: string, origin: string) =>
        anonymous.send({
          method: 'OPTIONS',
          url: app.site.base + path,
          headers: pageOf(origin, {
            'access-control-request-method': 'PATCH',
            'access-control-request-headers': 'authorization,content-type,if-match',
          }),
        })
      const id = '00000000000000000000000000'
      for (const origin of [PLUGIN, LOCAL]) {
        const { status, headers } = await ask(`/events/${id}`, origin)
        assert.equal(status, 204)
        assert.equal(headers['access-control-allow-origin'], origin)
        assert.equal(headers['access-control-allow-methods'], 'DELETE, GET, HEAD, PATCH, PUT')
        assert.equal(
          headers['access-control-allow-headers'],
          'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID',
        )
        assert.equal(headers['access-control-max-age'], '7200')
        assert.equal(headers['access-control-allow-credentials'], undefined)
        assert.equal(headers.vary, 'Origin')
      }
      assert.equal((await ask('/events', PLUGIN)).headers['access-control-allow-methods'], 'GET, HEAD, POST')
      for (const origin of [
        'https://elsewhere.example',
        'http://plugin.example.net',
        'https://plugin.example.net:8443',
        'https://sub.plugin.example.net',
        'https://plugin.example.net.evil.example',
        'https://PLUGIN.example.net',
        'https://calendar.example.org',
        'http://localhost:5174',
        'null',
        '*',
      ]) {
        const answer = await ask(`/events/${id}`, origin)
        assert.equal(answer.status, 204)
        assert.deepEqual(corsOf(answer), [], origin)
        assert.equal(answer.headers.vary, 'Origin', 'a cache must not give this answer to a listed origin')
      }
    },
    { settings: SETTINGS },
  ),
)

forEachEngine('P39: a cookie sent by a page of a listed origin is not used, and a password is refused', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { anonymous, writer, signIn } = world
      const { id } = await writer.creates(EVENT)
      const { cookie, csrf } = await signIn('writer@example.org')
      for (const more of [{}, { 'sec-fetch-site': 'same-site' }] as Record<string, string>[]) {
        const asPage = pageOf(PLUGIN, { cookie, 'x-csrf-token': csrf, ...more })
        const read = await anonymous.get(`/events/${id}`, asPage)
        assert.equal(read.status, 200)
        assert.equal(read.body.data.title, 'Private Event')
        assert.deepEqual(read.body, (await anonymous.get(`/events/${id}`)).body)
        for (const answer of [
          await anonymous.post('/events', EVENT, asPage),
          await anonymous.delete(`/events/${id}`, asPage),
          await anonymous.get('/auth/session', asPage),
          await anonymous.get('/auth/tokens', asPage),
        ])
          assert.equal(answer.body.error.code, 'authentication_required')
        for (const answer of [
          await anonymous.post('/auth/logout', undefined as never, asPage),
          await anonymous.post('/auth/login', { email: 'writer@example.org', password: 'x' }, asPage),
          await anonymous.get('/events', { ...asPage, authorization: basicOf('writer@example.org') }),
        ]) {
          assert.equal(answer.status, 403)
          assert.equal(answer.body.error.code, 'origin_not_allowed')
          assert.equal(answer.headers['access-control-allow-origin'], PLUGIN)
        }
      }
      // A token beside a cookie is used, and the cookie is not.
      const authorization = await tokenOf(world)
      const session = await anonymous.get('/auth/session', pageOf(PLUGIN, { cookie, authorization }))
      assert.equal(session.body.data.auth, 'token', session.text)
      // The service's own page keeps its session, whatever is listed.
      const own = { cookie, origin: 'https://calendar.example.org', 'sec-fetch-site': 'same-origin' }
      assert.equal((await anonymous.get(`/events/${id}`, own)).body.data.title, 'A')
      assert.deepEqual(corsOf(await anonymous.get(`/events/${id}`, own)), [])
      // A page of any other origin is refused as before.
      const other = pageOf('https://elsewhere.example', { cookie })
      assert.equal((await anonymous.get('/events', other)).body.error.code, 'origin_not_allowed')
    },
    { settings: { ...SETTINGS, DAYBOOK_API_ORIGINS: `${PLUGIN},https://calendar.example.org` } },
  ),
)

forEachEngine('P39: cached responses are never sent with the headers of another origin', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { anonymous, app } = world
      const authorization = await tokenOf(world)
      const origins = [undefined, PLUGIN, LOCAL, 'https://elsewhere.example', undefined]
      // Traced requests pass Fastify; a hundred each second are traced.
      const urls = Array.from({ length: 101 }, (_, i) => `${app.site.base}/public/categories?n=${i}`)
      await Promise.all(urls.map((url) => ask(app, { url })))
      for (let round = 0; round < 5; round++)
        for (const origin of origins)
          for (const path of ['/events?view=month', '/public/events?view=month']) {
            const mode = origin ? pageOf(origin) : {}
            const answer = await anonymous.get(path, { ...mode, authorization } as Record<string, string>)
            assert.equal(answer.status, 200)
            const allowed = answer.headers['access-control-allow-origin']
            const isListed = origin === PLUGIN || origin === LOCAL
            assert.equal(allowed, path.startsWith('/public/') ? '*' : isListed ? origin : undefined)
            if (!path.startsWith('/public/')) assert.ok(variesByOrigin(answer))
            else assert.ok(!variesByOrigin(answer))
          }
    },
    { settings: SETTINGS },
  ),
)

forEachEngine('feeds, pages, CalDAV and public reads do not depend on the list', (engine) =>
  withWorld(
    engine,
    async ({ anonymous, app }) => {
      const headers = pageOf(PLUGIN)
      for (const path of ['/public/events', '/public/calendar.ics', '/public/nothing-here'])
        assert.equal((await anonymous.get(path, headers)).headers['access-control-allow-origin'], '*')
      const send = (url: string): Promise<ApiResponse> => anonymous.send({ method: 'GET', url, headers })
      for (const url of [`${app.site.base}/feeds/${'0'.repeat(43)}.ics`, '/', '/caldav/', '/healthz', '/nothing'])
        assert.deepEqual(corsOf(await send(url)), [], url)
    },
    { settings: SETTINGS },
  ),
)

forEachEngine('without the setting no response varies by origin', (engine) =>
  withWorld(engine, async ({ anonymous }) => {
    const answer = await anonymous.get('/events?view=month', pageOf(PLUGIN))
    assert.deepEqual([answer.status, corsOf(answer), answer.headers.vary], [403, [], undefined])
    assert.equal((await anonymous.get('/events?view=month')).headers.vary, 'Authorization, Cookie')
  }),
)

test('api_origins takes exact https origins, and http of this machine only', () => {
  const parse = (text: string) => loadConfig({ DAYBOOK_API_ORIGINS: text }).apiOrigins
  assert.deepEqual(parse(''), [])
  assert.deepEqual(parse('https://a.example:443, https://b.example:8443/,http://localhost:5173,http://[::1]:1,'), [
    'https://a.example',
    'https://b.example:8443',
    'http://localhost:5173',
    'http://[::1]:1',
  ])
  assert.deepEqual(parse('https://Größe.example'), ['https://xn--gre-6ka8i.example'])
  for (const text of [
    '*',
    'null',
    'https://*',
    'https://*.example.org',
    'http://plugin.example.net',
    'http://localhost.example.net',
    'http://10.0.0.1',
    'plugin.example.net',
    'https://a.example/path',
    'https://a.example?x',
    'https://user@a.example',
    'https://:password@a.example',
    'https://a.example b.example',
    'file:///x',
    'https://',
    Array.from({ length: 51 }, (_, i) => `https://a${i}.example`).join(','),
  ])
    assert.throws(() => parse(text), ConfigError, text)
})
