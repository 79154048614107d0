// The pages behind mail links: opening one uses nothing up, its button does, and nothing comes from elsewhere.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { inTransaction } from '../../src/storage/transaction.ts'
import { forEachEngine } from '../support/engines.ts'
import { openPage } from '../support/page.ts'
import { mintToken } from '../support/tokens.ts'
import { withWorld } from '../support/world.ts'

const PAGES = ['/verify', '/reset-password', '/forgot-password']

test('each page is whole in itself, and its policy allows its own script and style and no others', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    for (const url of PAGES) {
      const { status, headers, text } = await anonymous.send({ method: 'GET', url })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['set-cookie'], undefined)
      const hash = (tag: string): string => {
        const parts = [...text.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]
        assert.equal(parts.length, 1)
        return `sha256-${createHash('sha256').update(parts[0]![1]!).digest('base64')}`
      }
      assert.equal(
        headers['content-security-policy'],
        `default-src 'none'; script-src '${hash('script')}'; style-src '${hash('style')}'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      assert.doesNotMatch(text, /reload/i, 'which would lose the link')
      assert.doesNotMatch(text, /https?:\/\/| style="| on\w+="|innerHTML|\beval\b/)
      assert.match(text, /<html lang="en-GB">/)
      assert.match(text, /<noscript>/)
      assert.match(text, /role="status"/)
      assert.match(text, /<form method="post" /, 'should the script not run, nothing typed ends in an address')
      for (const [, id] of text.matchAll(/<input id="(\w+)"/g)) assert.match(text, new RegExp(`<label for="${id}">`))
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
      assert.equal(text.split('<script>').length, 2)
      assert.ok(text.includes('data-api="/town/api-root/calendar/v1"'))
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

forEachEngine(
  'the verification page takes the token out of the address, and uses it when the button is pressed',
  (engine) =>
    withWorld(engine, async (world) => {
      const id = await world.addPerson('ann@example.org', 'writer', 'pending_approval', false)
      const token = await mintToken(world, 'verify', id)
      const page = await openPage(world, '/verify', `#t=${token}`)
      assert.equal(page.address(), '/verify')
      assert.deepEqual(page.sent, [])
      assert.equal(page.said(), '')
      await page.press()
      assert.equal(page.sent.length, 1)
      assert.match(page.said(), /^Your email address is verified\. An administrator/)
      assert.equal(page.isFormShown(), false)
      const again = await openPage(world, '/verify', `#t=${token}`)
      await again.press()
      assert.equal(again.said(), 'This link was used before, or is too old.')
      const approved = await world.addPerson('bob@example.org', 'writer', 'approved', false)
      const known = await openPage(world, '/verify', `#t=${await mintToken(world, 'verify', approved)}`)
      await known.press()
      assert.equal(known.said(), 'Your email address is verified.')
    }),
)

forEachEngine('a second link in the same tab begins anew, and leaves the address bar like the first', (engine) =>
  withWorld(engine, async (world) => {
    const id = await world.addPerson('ann@example.org', 'writer')
    const page = await openPage(world, '/reset-password', '#t=spent')
    await page.press('gravel under the bridge')
    assert.equal(page.said(), 'This link was used before, or is too old.')
    assert.equal(page.isFormShown(), false)
    assert.equal(page.isLinkOffered(), true)
    await page.follow(`#t=${await mintToken(world, 'reset', id)}`)
    assert.equal(page.address(), '/reset-password')
    assert.equal(page.said(), '')
    assert.equal(page.isFormShown(), true)
    assert.equal(page.field!.value, '')
    await page.press('gravel under the bridge')
    assert.equal(page.said(), 'Your password is changed. Sign in with the new one.')
    assert.equal(page.isLinkOffered(), false, 'nobody needs another link now')
    await page.follow('#t=')
    assert.equal(page.said(), 'This link is not complete. Open it from the mail again.')
    assert.equal(page.isLinkOffered(), true)
  }),
)

forEachEngine('who proves an address that was asked for twice hears that a mail follows', (engine) =>
  withWorld(engine, async (world) => {
    const id = await world.addPerson('ann@example.org', 'writer', 'pending_approval', false)
    await inTransaction(world.app.ctx.storage, async (db) => {
      await db.updateTable('users').set({ was_asked_again: 1 }).where('id', '=', id).execute()
    })
    const page = await openPage(world, '/verify', `#t=${await mintToken(world, 'verify', id)}`)
    await page.press()
    assert.match(page.said(), /^Your email address is verified\. .* another mail .* choose your password/)
  }),
)

forEachEngine('a link without its token says so instead of asking', (engine) =>
  withWorld(engine, async (world) => {
    for (const [path, fragment] of [
      ['/verify', ''],
      ['/verify', '#x=1'],
      ['/reset-password', '#t='],
    ] as const) {
      const page = await openPage(world, path, fragment)
      assert.equal(page.said(), 'This link is not complete. Open it from the mail again.')
      assert.equal(page.isFormShown(), false)
    }
  }),
)

forEachEngine(
  'the reset page says what is wrong with a password, keeps the token for the next try, and can show it',
  (engine) =>
    withWorld(engine, async (world) => {
      const id = await world.addPerson('ann@example.org', 'writer')
      const page = await openPage(world, '/reset-password', `#t=${await mintToken(world, 'reset', id)}`)
      await page.press('short')
      assert.match(page.said(), /too short/)
      assert.equal(page.field!.attributes.get('aria-invalid'), 'true')
      assert.ok(page.field!.hasFocus)
      await page.press('passwordpassword')
      assert.match(page.said(), /easy to guess/)
      await page.pressShow()
      assert.equal(page.field!.type, 'text')
      await page.pressShow()
      assert.equal(page.field!.type, 'password')
      await page.press('gravel under the bridge')
      assert.equal(page.said(), 'Your password is changed. Sign in with the new one.')
      assert.equal(page.isFormShown(), false)
      const ann = world.as('ann@example.org', 'gravel under the bridge')
      assert.equal((await ann.get('/events?from=2026-07-01&to=2026-07-02')).status, 200)
    }),
)

for (const proofOfWork of ['off', 'on'])
  forEachEngine(`the page for forgotten passwords asks for the mail, proof of work ${proofOfWork}`, (engine) =>
    withWorld(
      engine,
      async (world) => {
        const page = await openPage(world, '/forgot-password')
        await page.press('no address')
        assert.equal(page.said(), 'This does not look like an email address.')
        await page.press('writer@example.org')
        assert.match(page.said(), /^If this address belongs to an account/)
        const mails = await world.app.ctx.storage.reads.selectFrom('outbox').selectAll().execute()
        assert.deepEqual(
          mails.map(({ kind }) => kind),
          ['reset'],
        )
      },
      { settings: { DAYBOOK_PROOF_OF_WORK: proofOfWork } },
    ),
  )
