// A plugin in a page of another site calls the API with a token, as a browser enforces CORS.
import assert from 'node:assert/strict'
import { browserTest, withBrowser } from '../support/browser/browser.ts'
import { withOtherSite } from '../support/browser/other-site.ts'

/** What a page sees of a response; `blocked` if the browser keeps it from the page. */
type Seen = { status: number; etag: string | null; left: string | null; code: string | undefined; title: unknown }

browserTest('a page of a listed origin creates, changes and reads with a token; one of another origin does not', () =>
  withOtherSite('', (listed) =>
    withOtherSite('', (other) =>
      withBrowser(
        async ({ world, address, signedIn }) => {
          const browser = await world.signIn('writer@example.org')
          const scopes = ['events:read', 'events:write']
          const made = await browser.post('/auth/tokens', { name: 'Plugin', scopes })
          const authorization = `Bearer ${made.body.data.token}`
          const api = `${address}${world.app.site.base}`
          const page = await signedIn('writer@example.org', { hosts: [listed, other], expected: /CORS|Failed to load/ })
          const send = (path: string, init: object): Promise<Seen | 'blocked'> =>
            page.evaluate(
              async ([url, options]) => {
                try {
                  const { status, headers, ...answer } = await fetch(url, options).then(async (response) => ({
                    status: response.status,
                    headers: response.headers,
                    body: await response.json(),
                  }))
                  const { error, data } = answer.body
                  const left = headers.get('ratelimit')
                  return { status, etag: headers.get('etag'), left, code: error?.code, title: data?.title }
                } catch {
                  return 'blocked' as const
                }
              },
              [`${api}${path}`, init] as const,
            )
          const json = { authorization, 'content-type': 'application/json' }
          const event = { title: 'Choir', start: '2026-07-14T19:00', end: '2026-07-14T21:00', visibility: 'private' }
          const body = JSON.stringify(event)
          await page.goto(listed)
          const created = await send('/events', { method: 'POST', headers: json, body })
          assert.ok(created !== 'blocked')
          assert.deepEqual([created.status, created.title], [201, 'Choir'])
          assert.match(created.left!, /^"api-user";r=\d+;t=\d+, "api-user-writes"/)
          const { id } = (await world.writer.get('/events')).body.data[0]
          const change = { method: 'PATCH', body: '{"title":"Band"}' }
          const changed = await send(`/events/${id}`, { ...change, headers: { ...json, 'if-match': created.etag! } })
          assert.ok(changed !== 'blocked')
          assert.deepEqual([changed.status, changed.title], [200, 'Band'])
          const stale = await send(`/events/${id}`, { ...change, headers: { ...json, 'if-match': created.etag! } })
          assert.ok(stale !== 'blocked')
          assert.deepEqual([stale.status, stale.code], [412, 'version_mismatch'])
          // The browser asks for the response to be readable with cookies, which is never allowed.
          assert.equal(await send(`/events/${id}`, { credentials: 'include' }), 'blocked')
          const masked = await send(`/events/${id}`, {})
          assert.ok(masked !== 'blocked')
          assert.deepEqual([masked.status, masked.title], [200, 'Private Event'])
          // As libraries do that read a stream by fetch and connect again.
          const continued = await page.evaluate(
            async ([url, headers]) => {
              const reader = (await fetch(url, { headers })).body!.pipeThrough(new TextDecoderStream()).getReader()
              let text = ''
              while (!text.includes('data:')) text += (await reader.read()).value
              await reader.cancel()
              return text
            },
            [`${api}/events/stream`, { authorization, 'last-event-id': 'before' }] as const,
          )
          assert.match(continued, /\nevent: changed\nid: f/)
          await page.goto(other)
          for (const init of [{ headers: { authorization } }, {}, { method: 'POST', headers: json, body }])
            assert.equal(await send('/events', init), 'blocked')
          assert.equal((await world.writer.get('/events')).body.meta.pagination.total, 1)
        },
        { settings: { DAYBOOK_API_ORIGINS: listed, DAYBOOK_RATE_LIMITS: 'on' } },
      ),
    ),
  ),
)
