// The pages of the web app as they leave the server: the same for everyone, under a strict policy, each at one address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGES } from '../../src/contract/site.ts'
import { withWorld } from '../support/world.ts'

test('each page is whole in itself, and its policy allows this site and no other', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    for (const url of PAGES) {
      const { status, headers, text } = await anonymous.send({ method: 'GET', url })
      assert.equal(status, 200, url)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['set-cookie'], undefined)
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; script-src 'self'; style-src 'self'; /,
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

test('a page asked for over plain http is sent on to https', () =>
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

test('files of the pages are there by the names the page says, to be kept for good, and nothing else is', () =>
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
