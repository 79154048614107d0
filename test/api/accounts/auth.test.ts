// Sign-in: sessions and their cookies, app passwords, tokens, changed passwords, and accounts that are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIN } from '../../caldav/support/events.ts'
import { patiently } from '../../support/connection-limits.ts'
import { davOf } from '../../support/http/dav.ts'
import { listen, sendRaw } from '../../support/http/socket.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { basicOf, PASSWORD, type World, withTwoNodes, withWorld } from '../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'private' }
const NEW_PASSWORD = 'seven quiet herons'

const story = (name: string, tell: (world: World) => Promise<void>, settings: Record<string, string> = {}) =>
  forEachEngine(name, (engine) => withWorld(engine, tell, { settings }))

story('signing in sets an HttpOnly cookie and returns a CSRF token', async ({ anonymous, signIn }) => {
  const answer = await anonymous.post('/auth/login', { email: 'writer@example.org', password: PASSWORD })
  assert.equal(answer.status, 200)
  const { user, auth, csrf_token, expires_at } = answer.body.data
  assert.deepEqual([user.email, user.role, auth], ['writer@example.org', 'writer', 'session'])
  assert.equal(expires_at, '2026-07-11T00:00:00Z')
  assert.match(csrf_token, /^[\w-]{43}\.[\w-]{22}$/)
  assert.match(
    String(answer.headers['set-cookie']),
    /^cal_[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    'on this machine, without TLS',
  )
  assert.equal(answer.headers['cache-control'], 'no-store')
  const browser = await signIn('writer@example.org')
  const { id } = await browser.creates(event)
  assert.equal((await browser.get(`/events/${id}`)).body.data.title, 'A')
  assert.equal((await browser.delete(`/events/${id}`)).status, 204)
})

story(
  'over TLS the cookie is Secure with a __Host- name, and the plain name is ignored',
  async ({ anonymous, with: withHeaders }) => {
    const tls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7', host: 'calendar.example.org' }
    const credentials = { email: 'writer@example.org', password: PASSWORD, remember: true }
    const answer = await anonymous.post('/auth/login', credentials, tls)
    const cookie = String(answer.headers['set-cookie'])
    assert.match(cookie, /^__Host-cal_[0-9a-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/)
    const pair = cookie.split(';')[0]!
    assert.equal((await withHeaders({ ...tls, cookie: pair }).get('/auth/session')).status, 200)
    const plain = pair.replace('__Host-', '')
    assert.equal((await withHeaders({ ...tls, cookie: plain }).get('/auth/session')).status, 401)
  },
  { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org', DAYBOOK_TRUST_PROXY: '127.0.0.1' },
)

story('an account that may not act gets the reason only after the right password, and no session', async (world) => {
  const { anonymous, addPerson } = world
  for (const state of ['pending_approval', 'rejected', 'suspended'] as const)
    await addPerson(`${state}@example.org`, 'writer', state)
  await addPerson('unverified@example.org', 'writer', 'approved', false)
  const codes: [string, string][] = [
    ['pending_approval', 'account_pending'],
    ['rejected', 'account_rejected'],
    ['suspended', 'account_suspended'],
    ['unverified', 'email_not_verified'],
  ]
  for (const [name, code] of codes) {
    const email = `${name}@example.org`
    const right = await anonymous.post('/auth/login', { email, password: PASSWORD })
    assert.deepEqual([right.status, right.body.error.code], [403, code])
    assert.equal(right.headers['set-cookie'], undefined)
    const wrong = await anonymous.post('/auth/login', { email, password: 'not the password' })
    assert.deepEqual([wrong.status, wrong.body.error.code], [401, 'invalid_credentials'])
  }
  const unknown = await anonymous.post('/auth/login', { email: 'nobody@example.org', password: PASSWORD })
  assert.equal(unknown.body.error.code, 'invalid_credentials')
  assert.equal(unknown.headers['www-authenticate'], 'Bearer realm="calendar"')
  for (const body of [{}, { email: 7, password: PASSWORD }, { email: 'a@b.org', password: PASSWORD, admin: true }])
    assert.equal((await anonymous.post('/auth/login', body)).status, 422)
})

story('an unverified request is answered like an unknown address, also once it is rejected', async (world) => {
  const { anonymous, addPerson, as } = world
  const unknown = await anonymous.post('/auth/login', { email: 'nobody@example.org', password: PASSWORD })
  for (const state of ['pending_approval', 'rejected'] as const) {
    const email = `${state}@example.org`
    await addPerson(email, 'writer', state, false)
    const answer = await anonymous.post('/auth/login', { email, password: PASSWORD })
    assert.deepEqual([answer.status, answer.body.error.code], [401, unknown.body.error.code], state)
    assert.equal((await as(email).get('/events')).status, 401, `${state}, Basic`)
  }
})

story('writes under a cookie need its CSRF token and the same origin', async ({ signIn, with: withHeaders }) => {
  const browser = await signIn('writer@example.org')
  const other = await signIn('writer@example.org')
  const bare = withHeaders({ cookie: browser.cookie })
  const code = async (headers: Record<string, string>) =>
    (await bare.post('/events', event, headers)).body.error?.code ?? 'made'
  assert.equal(await code({}), 'csrf_token_missing')
  assert.equal(await code({ 'x-csrf-token': 'junk' }), 'csrf_token_invalid')
  assert.equal(await code({ 'x-csrf-token': other.csrf }), 'csrf_token_invalid', 'that of another session')
  const flipped = `${browser.csrf.startsWith('A') ? 'B' : 'A'}${browser.csrf.slice(1)}`
  assert.equal(await code({ 'x-csrf-token': flipped }), 'csrf_token_invalid')
  const token = { 'x-csrf-token': browser.csrf }
  assert.equal(await code(token), 'made')
  for (const site of ['cross-site', 'same-site', 'junk'])
    assert.equal(await code({ ...token, 'sec-fetch-site': site }), 'origin_not_allowed')
  for (const site of ['same-origin', 'none']) assert.equal(await code({ ...token, 'sec-fetch-site': site }), 'made')
  assert.equal(await code({ ...token, origin: 'https://evil.example' }), 'origin_not_allowed')
  assert.equal(await code({ ...token, origin: 'null' }), 'origin_not_allowed')
  assert.equal(await code({ ...token, origin: 'http://localhost:8080' }), 'made')
  const foreign = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
  const basic = withHeaders({ authorization: basicOf('writer@example.org'), ...foreign })
  assert.equal((await basic.post('/events', event)).status, 201, 'a program sets Basic or a token itself')
})

story(
  'a search under a cookie is refused to other sites, which could measure its time',
  async ({ signIn, with: withHeaders }) => {
    const browser = await signIn('writer@example.org')
    const bare = withHeaders({ cookie: browser.cookie })
    for (const mode of ['cors', 'no-cors', 'navigate', 'websocket']) {
      const read = (site: string) => bare.get('/events?q=merger', { 'sec-fetch-site': site, 'sec-fetch-mode': mode })
      for (const site of ['cross-site', 'same-site', 'junk']) {
        const { status, body } = await read(site)
        assert.deepEqual([status, body.error?.code], [403, 'origin_not_allowed'], `${site} ${mode}`)
      }
      for (const site of ['same-origin', 'none']) assert.equal((await read(site)).status, 200, `${site} ${mode}`)
    }
    for (const path of ['/events', '/events?q=merger', '/auth/session', '/admin/users', '/events/nowhere'])
      for (const site of ['cross-site', 'same-site']) {
        const signedOut = await withHeaders({}).get(path, { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' })
        const code = signedOut.body.error?.code
        assert.deepEqual([signedOut.status, code], [403, 'origin_not_allowed'], `${path} ${site}, signed out`)
      }
    const old = await bare.get('/events', { origin: 'https://elsewhere.example' })
    assert.equal(old.body.error?.code, 'origin_not_allowed', 'a browser that sends Origin alone')
    assert.equal((await bare.get('/events')).headers['cross-origin-opener-policy'], 'same-origin')
  },
)

story('credentials in links of another site do not count as guesses and are not asked for', async (world) => {
  const { admin, with: withHeaders } = world
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const bare = davOf(withHeaders(link))
  const asked = await bare.send('GET', `${MAIN}x.ics`)
  assert.deepEqual([asked.status, asked.headers['www-authenticate']], [403, undefined])
  for (let guess = 0; guess < 12; guess++) {
    const linked = withHeaders({ authorization: basicOf('writer@example.org', `guess ${guess}`), ...link })
    assert.equal((await davOf(linked).send('GET', `${MAIN}x.ics`)).status, 403)
    assert.equal((await linked.get('/events')).body.error.code, 'origin_not_allowed')
  }
  const audit = (await admin.get('/admin/audit?action=login_failed')).body.data
  assert.deepEqual(audit, [])
  const socket = { upgrade: 'WebSocket', connection: 'Upgrade', origin: 'https://elsewhere.example' }
  for (const foreign of [socket, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }]) {
    const challenged = await davOf(withHeaders(foreign)).send('GET', `${MAIN}x.ics`)
    assert.deepEqual([challenged.status, challenged.headers['www-authenticate']], [403, undefined])
  }
  const basic = { authorization: basicOf('writer@example.org') }
  assert.equal((await davOf(withHeaders(basic)).propfind(MAIN, '0')).status, 207)
  const program = withHeaders({ ...basic, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' })
  assert.equal((await davOf(program).propfind(MAIN, '0')).status, 207, 'a program that sets the header itself')
  assert.equal((await program.get('/events')).status, 200)
})

story('a page of another site can neither sign a visitor in nor register one', async ({ anonymous }) => {
  const operations: [string, object][] = [
    ['/auth/login', { email: 'writer@example.org', password: PASSWORD }],
    ['/auth/logout', {}],
    ['/users/register', {}],
    ['/users/verify', {}],
    ['/users/forgot-password', {}],
    ['/users/reset-password', {}],
  ]
  for (const [path, body] of operations) {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<
      string,
      string
    >[])
      assert.equal((await anonymous.post(path, body, headers)).body.error.code, 'origin_not_allowed', path)
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await anonymous.post('/auth/login', 'email=a', form)).status, 415)
})

story('wrong credentials are never treated as anonymous, and Authorization wins over the cookie', async (world) => {
  const { signIn, with: withHeaders, clock } = world
  const browser = await signIn('writer@example.org')
  const name = browser.cookie.split('=')[0]!
  for (const cookie of [`${name}=nonsense`, `${name}=`, `${name}=${'A'.repeat(43)}`, `x=1; ${name}=gone`]) {
    const answer = await withHeaders({ cookie }).get('/events')
    assert.deepEqual([answer.status, answer.body.error.code], [401, 'session_expired'], cookie)
    assert.equal(answer.headers['set-cookie'], undefined, 'the page must see the refusal before the cookie is cleared')
  }
  assert.equal((await withHeaders({ cookie: 'theme=dark' }).get('/events')).status, 200, 'other cookies are not ours')
  const both = { cookie: browser.cookie, authorization: basicOf('reader@example.org') }
  assert.equal((await withHeaders(both).get('/auth/session')).body.data.user.role, 'reader')
  const failing = { cookie: browser.cookie, authorization: 'Bearer calpat_junk' }
  assert.equal((await withHeaders(failing).get('/events')).body.error.code, 'invalid_credentials')
  clock.at += 8 * DAY
  assert.equal((await browser.get('/events')).body.error.code, 'session_expired')
})

story('sessions end after twelve unused hours or seven days in all; remembered sessions later', async (world) => {
  const { signIn, clock } = world
  const begin = clock.at
  const status = async (browser: { get: World['anonymous']['get'] }) => (await browser.get('/auth/sessions')).status
  const plain = await signIn('writer@example.org')
  const kept = await signIn('reader@example.org', PASSWORD, true)
  const admin = await signIn('admin@example.org', PASSWORD, true)
  clock.at = begin + 2 * HOUR - 1
  assert.deepEqual([await status(plain), await status(admin)], [200, 200])
  clock.at += 2 * HOUR
  assert.equal(await status(admin), 401, 'an administrator’s ends after two hours')
  for (let at = begin + 12 * HOUR; at < begin + 7 * DAY; at += 11 * HOUR) {
    clock.at = at
    assert.equal(await status(plain), 200)
  }
  clock.at = begin + 7 * DAY
  assert.equal(await status(plain), 401, 'used all the time, and over all the same')
  assert.equal(await status(kept), 200)
  clock.at += 14 * DAY
  assert.equal(await status(kept), 401)
  const { body } = await (await signIn('reader@example.org')).get('/auth/sessions')
  assert.equal(body.data.length, 1, 'one that has ended is not listed')
})

story('an account lists its sessions and ends one or all', async ({ signIn, as, clock }) => {
  const first = await signIn('writer@example.org')
  clock.at += 1_000
  const second = await signIn('writer@example.org')
  const stranger = await signIn('reader@example.org')
  const list = (await second.get('/auth/sessions')).body.data
  assert.deepEqual(
    list.map(({ current }: { current: boolean }) => current),
    [true, false],
  )
  assert.deepEqual(Object.keys(list[0]).sort(), [
    'client_net',
    'created_at',
    'current',
    'expires_at',
    'id',
    'last_seen_at',
    'remembered',
    'user_agent',
  ])
  const [, { id }] = list
  assert.equal((await stranger.delete(`/auth/sessions/${id}`)).body.error.code, 'credential_not_found')
  assert.equal((await second.delete(`/auth/sessions/${id}`)).status, 204)
  assert.equal((await first.get('/auth/session')).body.error.code, 'session_expired')
  assert.equal((await second.delete(`/auth/sessions/${id}`)).status, 404)
  assert.equal((await as('writer@example.org').delete('/auth/sessions')).status, 204)
  assert.equal((await second.get('/auth/session')).status, 401)
  assert.equal((await stranger.get('/auth/session')).status, 200)
})

story(
  'an account has at most twenty sessions; a new one ends the one unused for longest',
  async ({ signIn, clock }) => {
    const browsers = []
    for (let i = 0; i < 21; i++) {
      clock.at += 1_000
      browsers.push(await signIn('writer@example.org'))
    }
    assert.equal((await browsers[20]!.get('/auth/sessions')).body.data.length, 20)
    assert.equal((await browsers[0]!.get('/auth/session')).status, 401)
    assert.equal((await browsers[1]!.get('/auth/session')).status, 200)
  },
)

story(
  'signing out ends the session and clears the cookie and the data of the browser',
  async ({ signIn, with: withHeaders }) => {
    const browser = await signIn('writer@example.org')
    const bare = withHeaders({ cookie: browser.cookie })
    assert.equal((await bare.post('/auth/logout', {})).body.error.code, 'csrf_token_missing')
    assert.equal((await browser.get('/auth/session')).status, 200)
    const out = await browser.post('/auth/logout', {})
    assert.equal(out.status, 204)
    assert.match(String(out.headers['set-cookie']), /^cal_[0-9a-f]{8}=; .*Max-Age=0$/)
    assert.equal(out.headers['clear-site-data'], '"cache", "storage"')
    assert.equal((await browser.get('/auth/session')).status, 401)
    assert.equal((await bare.post('/auth/logout', {})).status, 204, 'the cookie is cleared without a session too')
  },
)

test('signing out without a session counts as an anonymous request; with one it counts for the account', () =>
  withWorld(
    'sqlite',
    async ({ app, anonymous, signIn, with: withHeaders }) => {
      const browser = await signIn('writer@example.org')
      const port = await listen(app)
      const one = 'POST /api-root/calendar/v1/auth/logout HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n'
      for (let round = 0; round < 20; round++)
        await sendRaw(port, `${`${one}\r\n`.repeat(29)}${one}connection: close\r\n\r\n`)
      const unknown = withHeaders({ cookie: browser.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) })
      for (const answer of [await anonymous.post('/auth/logout', {}), await unknown.post('/auth/logout', {})])
        assert.deepEqual([answer.status, answer.headers['ratelimit-policy']], [429, '"public-ip";q=600;w=300'])
      assert.equal((await browser.post('/auth/logout', {})).status, 204, 'a session can always be ended')
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))

story('signing out everywhere also clears the cookie and the data of the browser', async ({ signIn, writer }) => {
  const out = await (await signIn('writer@example.org')).delete('/auth/sessions')
  assert.match(String(out.headers['set-cookie']), /^cal_[0-9a-f]{8}=; .*Max-Age=0$/)
  assert.equal(out.headers['clear-site-data'], '"cache", "storage"')
  const byPassword = await writer.delete('/auth/sessions')
  assert.deepEqual([byPassword.status, byPassword.headers['clear-site-data']], [204, undefined])
})

story('signing in again ends the session the browser had', async ({ signIn, anonymous }) => {
  const before = await signIn('writer@example.org')
  const credentials = { email: 'writer@example.org', password: PASSWORD }
  const after = await anonymous.post('/auth/login', credentials, { cookie: before.cookie })
  assert.notEqual(String(after.headers['set-cookie']).split(';')[0], before.cookie)
  assert.equal((await before.get('/auth/session')).status, 401)
})

story('a changed password ends the other sessions, and this one continues under a new cookie', async (world) => {
  const { signIn, as, anonymous, with: withHeaders, app } = world
  const here = await signIn('writer@example.org', PASSWORD, true)
  const there = await signIn('writer@example.org')
  const device = (await here.post('/auth/app-passwords', { name: 'Phone' })).body.data.password
  const change = { current_password: PASSWORD, password: NEW_PASSWORD }
  const wrong = await here.post('/auth/change-password', { ...change, current_password: 'not the password' })
  assert.equal(wrong.status, 422)
  assert.equal(wrong.body.error.details.fields[0].field, '/current_password')
  const weak = await here.post('/auth/change-password', { ...change, password: 'password1234' })
  assert.equal(weak.body.error.details.fields[0].code, 'password_common')
  const done = await here.post('/auth/change-password', change)
  assert.equal(done.status, 200)
  assert.match(String(done.headers['set-cookie']), /Max-Age=2592000/, 'it stays of its kind')
  const cookie = String(done.headers['set-cookie']).split(';')[0]!
  const csrf = done.body.data.csrf_token
  assert.equal((await withHeaders({ cookie, 'x-csrf-token': csrf }).post('/events', event)).status, 201)
  assert.equal((await here.get('/auth/session')).status, 401)
  assert.equal((await there.get('/auth/session')).status, 401)
  assert.equal((await as('writer@example.org').get('/events')).status, 401)
  assert.equal((await as('writer@example.org', NEW_PASSWORD).get('/events')).status, 200)
  assert.equal((await as('writer@example.org', device).get('/events')).status, 200, 'devices stay')
  assert.equal((await anonymous.post('/auth/login', { email: 'writer@example.org', password: PASSWORD })).status, 401)
  const mails = await app.ctx.storage.reads.selectFrom('outbox').select('kind').execute()
  assert.ok(mails.some(({ kind }) => kind === 'password_changed'))
})

story('an app password is shown once, works with Basic, has a last use, and ends when revoked', async (world) => {
  const { writer, as, clock, app } = world
  const made = (await writer.post('/auth/app-passwords', { name: ' Phone ' })).body.data
  assert.match(made.password, /^(?:[0-9a-v]{4}-){5}[0-9a-v]{4}$/)
  assert.equal(made.name, 'Phone')
  const [listed] = (await writer.get('/auth/app-passwords')).body.data
  assert.deepEqual([listed.password, listed.last_used_at], [undefined, null])
  const variants = [made.password, made.password.toUpperCase(), made.password.replaceAll('-', ' ')]
  for (const password of variants) {
    const { id } = await as('writer@example.org', password).creates(event)
    assert.equal((await as('writer@example.org', password).get(`/events/${id}`)).body.data.title, 'A')
  }
  assert.equal((await as('reader@example.org', made.password).get('/events')).status, 401, 'with its owner’s address')
  clock.at += HOUR
  await as('writer@example.org', made.password).get('/events')
  const lastUsedAt = async () => (await writer.get('/auth/app-passwords')).body.data[0].last_used_at
  await waitFor('the use is written', async () => (await lastUsedAt()) === '2026-07-10T13:00:00Z')
  const device = as('writer@example.org', made.password)
  assert.equal((await device.get('/auth/session')).body.data.auth, 'basic')
  assert.equal((await device.get('/auth/app-passwords')).body.error.code, 'insufficient_capability')
  assert.equal((await device.post('/auth/tokens', { name: 'x', scopes: ['events:read'] })).status, 403)
  const rows = await app.ctx.storage.reads.selectFrom('app_passwords').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(made.password.replaceAll('-', '')))
  assert.equal((await writer.delete(`/auth/app-passwords/${made.id}`)).status, 204)
  assert.equal((await device.get('/events')).status, 401)
  assert.equal((await writer.delete(`/auth/app-passwords/${made.id}`)).body.error.code, 'credential_not_found')
  for (const name of ['', '   ', 'a\nb', 'x'.repeat(101)])
    assert.equal((await writer.post('/auth/app-passwords', { name })).status, 422)
})

story('at most 25 of each kind, also when requested all at once', async ({ writer }) => {
  const asked = await Promise.all(
    Array.from({ length: 40 }, (_, i) => patiently(() => writer.post('/auth/app-passwords', { name: `device ${i}` }))),
  )
  assert.equal(asked.filter(({ status }) => status === 201).length, 25)
  assert.equal(asked.find(({ status }) => status !== 201)!.body.error.code, 'too_many_credentials')
})

story('a token has the rights of its scopes and its owner, until it expires', async (world) => {
  const { writer, admin, reader, with: withHeaders, clock, app } = world
  const make = async (client: typeof writer, body: object) => (await client.post('/auth/tokens', body)).body.data
  const by = (token: string) => withHeaders({ authorization: `Bearer ${token}` })
  const read = await make(writer, { name: 'Website', scopes: ['events:read'] })
  assert.match(read.token, /^calpat_[\w-]{43}$/)
  assert.deepEqual([read.last_four, read.expires_at], [read.token.slice(-4), '2027-07-10T12:00:00Z'])
  await writer.creates(event)
  assert.equal((await by(read.token).get('/events')).body.data[0].title, 'A')
  assert.equal((await by(read.token).post('/events', event)).body.error.code, 'token_scope_insufficient')
  assert.deepEqual((await by(read.token).get('/auth/session')).body.data.scopes, ['events:read'])
  const write = await make(writer, { name: 'Bot', scopes: ['events:write'], expires_in_days: 1 })
  assert.equal((await by(write.token).post('/events', event)).status, 201)
  assert.equal((await by(write.token).get('/events')).body.data[0].title, 'Private Event')
  assert.equal((await by(write.token).get('/auth/tokens')).body.error.code, 'token_scope_insufficient')
  const tooFar = await writer.post('/auth/tokens', { name: 'x', scopes: ['admin'] })
  assert.equal(tooFar.body.error.details.fields[0].field, '/scopes')
  assert.equal((await reader.post('/auth/tokens', { name: 'x', scopes: ['events:write'] })).status, 422)
  assert.equal((await make(admin, { name: 'x', scopes: ['admin'] })).scopes[0], 'admin')
  for (const body of [
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['all'] },
    { name: 'x', scopes: ['events:read'], expires_in_days: 731 },
  ])
    assert.equal((await writer.post('/auth/tokens', body)).status, 422)
  const stored = JSON.stringify(await app.ctx.storage.reads.selectFrom('api_tokens').selectAll().execute())
  assert.ok(!stored.includes(read.token))
  clock.at += DAY
  assert.equal((await by(write.token).post('/events', event)).body.error.code, 'invalid_credentials')
  assert.equal((await writer.delete(`/auth/tokens/${read.id}`)).status, 204)
  assert.equal((await by(read.token).get('/events')).status, 401)
  for (const junk of ['calpat_', `calpat_${'A'.repeat(43)}`, read.token.slice(7)])
    assert.equal((await by(junk).get('/events')).status, 401)
})

story(
  'where Basic refuses account passwords, it accepts app passwords',
  async ({ signIn, as }) => {
    const browser = await signIn('writer@example.org')
    assert.equal((await as('writer@example.org').get('/events')).status, 401)
    const { password } = (await browser.post('/auth/app-passwords', { name: 'Phone' })).body.data
    assert.equal((await as('writer@example.org', password).get('/events')).status, 200)
  },
  { DAYBOOK_BASIC_PASSWORDS: 'off' },
)

forEachEngine('a password hash of older costs is replaced when its owner signs in', (engine) =>
  withWorld(
    engine,
    async ({ signIn, app, writer }) => {
      const hash = async () =>
        (
          await app.ctx.storage.reads
            .selectFrom('users')
            .selectAll()
            .where('email', '=', 'writer@example.org')
            .execute()
        )[0]!.password_hash
      assert.match(await hash(), /m=8,t=1/)
      await signIn('writer@example.org')
      assert.match(await hash(), /m=19456,t=2,p=1/)
      assert.equal((await writer.get('/events')).status, 200)
    },
    { realPasswordCost: true },
  ),
)

test('a session made on one node works on the other, and ends on both after logout', () =>
  withTwoNodes('postgres', async (one, two) => {
    const browser = await one.signIn('writer@example.org')
    const there = two.with({ cookie: browser.cookie, 'x-csrf-token': browser.csrf })
    assert.equal((await there.post('/events', event)).status, 201)
    assert.equal((await browser.post('/auth/logout', {})).status, 204)
    assert.equal((await there.get('/auth/session')).status, 401)
    assert.equal((await browser.get('/auth/session')).status, 401)
  }))
