// Pages of the web app as served: the same for every client, under a strict CSP, each at one address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSetupCheck } from '../../src/actions/accounts/accounts.ts'
import type { Context } from '../../src/context.ts'
import { PAGES } from '../../src/contract/site.ts'
import type { Db } from '../../src/storage/tables.ts'
import { listen, sendRaw } from '../support/http/socket.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'

test('each page is self-contained, and its CSP allows this site only', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    for (const url of PAGES) {
      const { status, headers, text } = await anonymous.send({ method: 'GET', url })
      assert.equal(status, 200, url)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['set-cookie'], undefined)
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; script-src 'self' 'sha256-[^']+'; style-src 'self'; /,
      )
      assert.match(text, /<html lang="en-GB">/)
      assert.match(text, /<noscript>/)
      assert.doesNotMatch(text, / style="| on\w+="|<script>/)
      const again = await anonymous.send({ method: 'GET', url, headers: { 'if-none-match': String(headers.etag) } })
      assert.equal(again.status, 304)
    }
  }))

test('a site name cannot become markup', () =>
  withWorld(
    'sqlite',
    async ({ anonymous }) => {
      const { text } = await anonymous.send({ method: 'GET', url: '/town/verify' })
      assert.ok(text.includes('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;'))
      assert.ok(!text.includes('<script>'))
      assert.ok(text.includes('"api":"/town/api-root/calendar/v1"'))
      assert.equal((await anonymous.send({ method: 'GET', url: '/verify' })).status, 404, 'one address each')
    },
    { settings: { DAYBOOK_SITE_NAME: '<script>alert(1)</script> & "Co"', DAYBOOK_URL_SLUG: 'town' } },
  ))

test('a page requested over plain http is redirected to https', () =>
  withWorld(
    'sqlite',
    async ({ anonymous }) => {
      const headers = { host: 'calendar.example.org' }
      const answer = await anonymous.send({ method: 'GET', url: '/verify', headers })
      assert.equal(answer.status, 308)
      assert.equal(answer.headers.location, 'https://calendar.example.org/verify')
    },
    { settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' } },
  ))

test('files of the pages are served under the names in the page, cached for good, and nothing else is', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    const { text } = await anonymous.send({ method: 'GET', url: '/' })
    const [, script] = /<script type="module" src="([^"]+)"/.exec(text)!
    const { status, headers } = await anonymous.send({ method: 'GET', url: script! })
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    for (const name of ['nothing.js', '..%2fmanifest.json', 'app.js.br', '__proto__']) {
      const answer = await anonymous.send({ method: 'GET', url: `/assets/${name}` })
      assert.equal(answer.status, 404, name)
      assert.equal(answer.headers['cache-control'], 'no-store', name)
    }
  }))

const withoutNoscript = (page: string): string => page.replace(/<noscript>.*<\/noscript>/s, '')

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('an unknown address is answered to a browser with a page, and to programs with JSON', () =>
  withWorld(
    'sqlite',
    async ({ anonymous, writer }) => {
      const plain = await anonymous.send({ method: 'GET', url: '/town/verify' })
      for (const url of ['/town/nowhere', '/town/account/nowhere?q=1', '/town/ver%69fy', '/town/event'])
        for (const method of ['GET', 'HEAD'] as const) {
          const { status, headers, text } = await anonymous.send({ method, url, headers: BROWSER })
          assert.equal(status, 404, url)
          if (method === 'GET') assert.equal(withoutNoscript(text), withoutNoscript(plain.text), url)
          if (method === 'GET')
            assert.match(text, /<noscript>.*<h1>Page not found<\/h1>.*href="\/town\/">Go to the calendar/s)
          assert.equal(headers['content-type'], 'text/html; charset=utf-8')
          assert.equal(headers['content-security-policy'], plain.headers['content-security-policy'])
          assert.equal(headers['cache-control'], 'no-store')
          assert.equal(headers['x-robots-tag'], 'noindex')
          assert.equal(headers.etag, undefined)
        }
      const assertJsonNotFound = async (
        method: 'GET' | 'POST',
        url: string,
        headers: Record<string, string>,
      ): Promise<void> => {
        const answer = await writer.send({ method, url, headers })
        assert.equal(answer.status, 404, url)
        assert.match(String(answer.headers['content-type']), /^application\/(?:json|xml); charset=utf-8$/, url)
        assert.match(answer.text, /route_not_found/, url)
        assert.equal(answer.headers['x-robots-tag'], undefined)
      }
      for (const accept of ['*/*', 'application/json', 'application/json, text/html'])
        await assertJsonNotFound('GET', '/town/nowhere', { accept })
      await assertJsonNotFound('POST', '/town/nowhere', BROWSER)
      for (const path of [
        '/api-root',
        '/api-root/nowhere',
        '/api-root/calendar/v1/nowhere',
        '/caldav/nowhere',
        '/assets',
        '/assets/x.js',
      ])
        await assertJsonNotFound('GET', `/town${path}`, BROWSER)
      for (const url of ['/nowhere', '/townhall', '/town.ics']) await assertJsonNotFound('GET', url, BROWSER)
      const gone = await anonymous.send({ method: 'GET', url: '/town/api-root/calendar/v1/events/x', headers: BROWSER })
      assert.equal(gone.body.error.code, 'event_not_found')
    },
    { settings: { DAYBOOK_URL_SLUG: 'town' } },
  ))

test('behind an https address no page is sent over plain http, not even a 404', () =>
  withWorld(
    'sqlite',
    async ({ anonymous }) => {
      const ask = (remoteAddress: string) =>
        anonymous.send({ method: 'GET', url: '/nowhere', headers: BROWSER, remoteAddress })
      assert.equal((await ask('203.0.113.7')).body.error.code, 'route_not_found')
      assert.match((await ask('127.0.0.1')).text, /<!doctype html>/)
    },
    { settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' } },
  ))

/** The same context; counts the queries that are started. */
function countQueries(ctx: Context): { ctx: Context; count: () => number } {
  let count = 0
  const reads = new Proxy(ctx.storage.reads, {
    get(target, name) {
      if (name === 'selectFrom') count += 1
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as Db
  return { ctx: { ...ctx, storage: { ...ctx.storage, reads } }, count: () => count }
}

forEachEngine('whether there is an administrator is read once, and by few queries while there is none', (engine) =>
  withWorld(engine, async ({ app }) => {
    const { ctx, count } = countQueries(app.ctx)
    const isSetUp = createSetupCheck(ctx)
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 50 }, isSetUp))), new Set([true]))
    assert.ok(count() <= 2, `${count()} queries at once`)
    const before = count()
    for (let i = 0; i < 5; i++) assert.equal(await isSetUp(), true)
    assert.equal(count(), before, 'it is remembered')
    await app.ctx.storage.writes.deleteFrom('users').execute()
    const fresh = countQueries(app.ctx)
    const isFreshSetUp = createSetupCheck(fresh.ctx)
    assert.equal(await isFreshSetUp(), false)
    assert.equal(await isFreshSetUp(), false)
    assert.equal(fresh.count(), 2, 'no is not remembered')
  }),
)

test('pages and files of one network are counted together; health checks and the API continue', () =>
  withWorld(
    'sqlite',
    async ({ app, anonymous }) => {
      const port = await listen(app)
      const one = 'GET /robots.txt HTTP/1.1\r\nhost: localhost\r\n'
      for (let round = 0; round < 100; round++)
        await sendRaw(port, `${`${one}\r\n`.repeat(29)}${one}connection: close\r\n\r\n`)
      const paths = ['/robots.txt', '/', '/setup', '/frame', '/.well-known/caldav']
      const described = ['/api-root/calendar/v1/docs', '/api-root/calendar/v1/openapi.json']
      const gets = [...paths, ...described].map((url) => ['GET', url] as const)
      for (const [method, url] of [...gets, ['OPTIONS', '/caldav/'], ['OPTIONS', '/']] as const) {
        const { status, headers } = await anonymous.send({ method, url })
        assert.deepEqual([status, headers['ratelimit-policy']], [429, '"page-ip";q=3000;w=300'], url)
      }
      for (const url of ['/healthz', '/readyz', '/api-root/calendar/v1/public/categories'])
        assert.equal((await anonymous.send({ method: 'GET', url })).status, 200, url)
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))
