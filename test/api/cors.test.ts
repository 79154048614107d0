// P39, CORS: pages of other sites may read public responses only, and never with credentials.
import assert from 'node:assert/strict'
import type { ApiResponse } from '../support/http/api-response.ts'
import { getRaw, listen, type SocketResponse } from '../support/http/socket.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { basicOf, withWorld } from '../support/world.ts'

const ORIGINS = [
  'https://elsewhere.example',
  'null',
  'http://localhost:8080',
  'https://calendar.example.org.evil.example',
  'https://calendar.example.org',
  'file://',
]

const OPEN = [
  '/public/events?view=month',
  '/public/sidebar-events',
  '/public/categories',
  '/public/calendar.ics',
  '/public/events/00000000000000000000000000',
  '/public/events?page=x',
  '/public/nothing-here',
]

const CLOSED = [
  '/events?view=month',
  '/events/00000000000000000000000000',
  '/feeds/0000000000000000000000000000000000000000000.ics',
  '/auth/session',
  '/auth/feeds',
  '/admin/users',
  '/openapi.json',
  '/docs',
  '/nothing-here',
  '/publications',
]

const corsOf = ({ headers }: ApiResponse): string[] =>
  Object.keys(headers).filter((name) => /^access-control-/.test(name))

forEachEngine('P39: any origin may read public responses; no other response names an origin', (engine) =>
  withWorld(
    engine,
    async ({ anonymous, writer, signIn }) => {
      await writer.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' })
      const { cookie } = await signIn('admin@example.org')
      const credentials = [{}, { cookie }, { authorization: basicOf('admin@example.org') }]
      for (const origin of [undefined, ...ORIGINS])
        for (const more of credentials) {
          const headers = { ...(origin ? { origin } : {}), ...more } as Record<string, string>
          for (const path of OPEN) {
            const answer = await anonymous.get(path, headers)
            assert.equal(answer.headers['access-control-allow-origin'], '*', path)
            assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
            assert.deepEqual(corsOf(answer), ['access-control-allow-origin', 'access-control-expose-headers'], path)
          }
          for (const path of CLOSED) {
            const answer = await anonymous.get(path, headers)
            assert.deepEqual(corsOf(answer), [], path)
            assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin')
            assert.ok(!origin || !JSON.stringify(answer.headers).includes(origin) || path === '/docs', path)
          }
        }
    },
    { settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' } },
  ),
)

forEachEngine('P39: a preflight allows reading, without credentials, and only on public paths', (engine) =>
  withWorld(engine, async ({ anonymous, app }) => {
    const ask = (path: string) =>
      anonymous.send({
        method: 'OPTIONS',
        url: app.site.base + path,
        headers: {
          origin: 'https://elsewhere.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'if-none-match',
        },
      })
    for (const path of ['/public/events', '/public/calendar.ics', '/public/events/00000000000000000000000000']) {
      const { status, headers } = await ask(path)
      assert.equal(status, 204)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-methods'], 'GET, HEAD')
      assert.equal(headers['access-control-allow-headers'], '*')
      assert.equal(headers['access-control-allow-credentials'], undefined)
      assert.equal(headers['access-control-max-age'], '7200')
    }
    for (const path of ['/events', '/auth/feeds', '/auth/login']) assert.deepEqual(corsOf(await ask(path)), [], path)
  }),
)

forEachEngine(
  'with a slug, the redirect from the bare address allows any origin too; over plain http it is refused',
  (engine) =>
    withWorld(
      engine,
      async ({ anonymous, app }) => {
        const bare = (path: string) => anonymous.send({ method: 'GET', url: `${app.site.bareBase}${path}` })
        const redirect = await bare('/public/events?view=month')
        assert.equal(redirect.status, 308)
        assert.equal(redirect.headers['access-control-allow-origin'], '*')
        assert.deepEqual(corsOf(await bare('/events')), [])
        const refused = await anonymous.get('/public/events', { host: 'calendar.example.org' })
        assert.equal(refused.body.error.code, 'https_required')
        assert.equal(refused.headers['access-control-allow-origin'], '*')
      },
      { settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org', DAYBOOK_URL_SLUG: 'town' } },
    ),
)

forEachEngine(
  'an absolute-form request target means its path: the same response with the same CORS headers',
  (engine) =>
    withWorld(
      engine,
      async ({ app }) => {
        const port = await listen(app)
        const without = ({ head, body }: SocketResponse) => [head.replace(/^(?:x-request-id|date):.*\r\n/gim, ''), body]
        for (const path of [
          `${app.site.base}/public/categories`,
          `${app.site.base}/public/events?view=month`,
          `${app.site.base}/public/nothing-here`,
          `${app.site.bareBase}/public/categories`,
          `${app.site.base}/events`,
          '/?a',
        ]) {
          const plain = without(await getRaw(port, path))
          for (const target of [`http://localhost${path}`, `HTTPS://LOCALHOST${path}`, `http://localhost${path}`])
            assert.deepEqual(without(await getRaw(port, target)), plain, target)
        }
        assert.match(
          (await getRaw(port, `http://localhost${app.site.base}/public/categories`)).head,
          /allow-origin: \*/,
        )
        assert.match((await getRaw(port, 'http://localhost')).head, /302[\s\S]*location: \/town\//i)
        assert.match((await getRaw(port, 'http://localhost?a')).head, /302[\s\S]*location: \/town\//i)
      },
      { settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org', DAYBOOK_URL_SLUG: 'town' } },
    ),
)

forEachEngine('where only plain http is configured, public reads ignore credentials that a browser sends', (engine) =>
  withWorld(
    engine,
    async ({ anonymous }) => {
      const away = { host: 'calendar.example.org', authorization: basicOf('admin@example.org'), cookie: 'a=b' }
      assert.equal((await anonymous.get('/public/events', away)).status, 200)
      assert.equal((await anonymous.get('/events', away)).body.error.code, 'https_required')
      const feed = await anonymous.get('/feeds/0000000000000000000000000000000000000000000.ics', away)
      assert.equal(feed.body.error.code, 'https_required', 'a secret address does not travel in clear')
    },
    { settings: { DAYBOOK_PUBLIC_URL: 'http://calendar.example.org' } },
  ),
)

forEachEngine(
  'a page of another site cannot use up the limit of its visitor, nor measure what is left of it',
  (engine) =>
    withWorld(
      engine,
      async ({ anonymous }) => {
        const readAs = async (headers: Record<string, string>): Promise<number> =>
          (await anonymous.get('/public/categories', headers)).status
        const pages: Record<string, string>[] = [
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
          { origin: 'https://elsewhere.example' },
        ]
        for (let i = 0; i < 600; i++) assert.equal(await readAs(pages[i % 3]!), 200)
        for (const page of pages) assert.equal(await readAs(page), 429)
        for (const site of ['same-origin', 'none']) assert.equal(await readAs({ 'sec-fetch-site': site }), 200)
        assert.equal(await readAs({ origin: 'http://localhost:80', host: 'localhost:80' }), 200)
        assert.equal(await readAs({}), 200)
      },
      { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
    ),
)
