// The four public account endpoints: their responses, their refusals, and what they leave unchanged.
import assert from 'node:assert/strict'
import { noiseAt, SAMPLE_MS } from '../../../src/actions/accounts/waiting-estimate.ts'
import { newKey } from '../../../src/secrets.ts'
import type { ApiResponse } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { mintToken } from '../../support/tokens.ts'
import { PASSWORD, type World, withWorld } from '../../support/world.ts'

const someone = {
  email: 'Ann@Example.org',
  password: 'gravel under the bridge',
  display_name: 'Ann',
  message: 'I look after the hall.\nAnd the garden.',
}

const users = (world: World) => world.app.ctx.storage.reads.selectFrom('users').selectAll().orderBy('email_key')
/** Sorted, each with its recipient as far as known: the mail worker, which runs by itself, fills it in. */
const mails = async (world: World): Promise<string[]> => {
  const rows = await world.app.ctx.storage.reads
    .selectFrom('outbox')
    .leftJoin('users', 'users.id', 'outbox.user_id')
    .select(['kind', 'outbox.email_key as asked', 'users.email_key as found'])
    .execute()
  return rows.map(({ kind, asked, found }) => `${kind} ${asked ?? found}`).sort()
}
const kindsOfMail = async (world: World): Promise<string[]> => (await mails(world)).map((mail) => mail.split(' ')[0]!)
/** What was done; refusals are recorded in batches, some time after. */
const audited = async (world: World): Promise<string[]> =>
  (await world.app.ctx.storage.reads.selectFrom('audit').selectAll().orderBy('seq').execute())
    .map(({ action }) => action)
    .filter((action) => action !== 'token_refused')
const fieldsOf = ({ body }: ApiResponse): string[] =>
  body.error.details.fields.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)

const story = (name: string, tell: (world: World) => Promise<void>, settings: Record<string, string> = {}) =>
  forEachEngine(name, (engine) => withWorld(engine, tell, { settings }))

story('a registered account waits for approval, and a verification mail waits in the outbox', async (world) => {
  const answer = await world.anonymous.post('/users/register', someone)
  assert.equal(answer.status, 202, answer.text)
  assert.deepEqual(answer.body, { data: { approval_state: 'pending_approval', email_verification: 'sent' } })
  const row = await users(world).where('email_key', '=', 'ann@example.org').executeTakeFirstOrThrow()
  assert.equal(row.email, 'Ann@example.org')
  assert.equal(row.display_name, 'Ann')
  assert.equal(row.role, 'writer')
  assert.equal(row.approval_state, 'pending_approval')
  assert.equal(row.email_verified_at, null)
  assert.equal(row.request_message, someone.message)
  assert.match(row.password_hash, /^\$argon2id\$v=19\$/)
  assert.deepEqual(await mails(world), ['verification ann@example.org'])
  assert.deepEqual(await audited(world), ['user_registered'])
  const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
  const refused = await world.as('ann@example.org', someone.password).post('/events', event)
  assert.equal(refused.body.error.code, 'invalid_credentials', 'until the address is verified its owner is unknown')
})

story('an address that has an account gets the same response, and its account stays unchanged', async (world) => {
  const fresh = await world.anonymous.post('/users/register', { ...someone, email: 'new@example.org' })
  for (const email of ['writer@example.org', 'WRITER@example.org', ' Writer@EXAMPLE.org ', 'writer@ｅxample.org']) {
    const before = await users(world).execute()
    const again = await world.anonymous.post('/users/register', { ...someone, email, display_name: 'Not You' })
    assert.equal(again.status, fresh.status)
    assert.equal(again.text, fresh.text)
    assert.deepEqual(await users(world).execute(), before)
  }
  assert.deepEqual(await mails(world), [
    ...Array(4).fill('already_registered writer@example.org'),
    'verification new@example.org',
  ])
  const audit = await world.app.ctx.storage.reads.selectFrom('audit').selectAll().orderBy('seq').execute()
  assert.deepEqual(
    audit.map(({ subject_id }) => subject_id === null),
    [false, true, true, true, true],
  )
})

story('an address that only looks like another is a different account', async (world) => {
  const lookalikes = ['wr\u0456ter@example.org', 'writer@ex\u0430mple.org']
  for (const email of lookalikes)
    assert.equal((await world.anonymous.post('/users/register', { ...someone, email })).status, 202, email)
  const hidden = await world.anonymous.post('/users/register', { ...someone, email: 'w\u200briter@example.org' })
  assert.equal(hidden.status, 422)
  assert.deepEqual(await kindsOfMail(world), ['verification', 'verification'])
  assert.ok(!(await mails(world)).includes('verification writer@example.org'))
})

story('all invalid fields are reported at once, and nothing is stored', async (world) => {
  const before = await users(world).execute()
  const wrong: [object, string[]][] = [
    [{ email: 'nobody' }, ['/email invalid_format']],
    [{ email: 'a@b.org\r\nbcc: c@d.org' }, ['/email invalid_format']],
    [{ email: 'a'.repeat(255) }, ['/email too_long']],
    [{ display_name: '' }, ['/display_name too_short']],
    [{ display_name: '   ' }, ['/display_name too_short']],
    [{ display_name: 'two\nlines' }, ['/display_name invalid_format']],
    [{ display_name: 'a\u2028b' }, ['/display_name invalid_format']],
    [{ display_name: 'x'.repeat(101) }, ['/display_name too_long']],
    [{ message: 'x'.repeat(501) }, ['/message too_long']],
    [{ message: 'bell\u0007' }, ['/message invalid_format']],
    [{ password: 'short' }, ['/password too_short']],
    [{ password: 'gravel under the bridge '.repeat(6) }, ['/password too_long']],
    [{ password: 'Password1234' }, ['/password password_common']],
    [{ password: 'passwordpassword' }, ['/password password_common']],
    [{ password: 'daybook-2026' }, ['/password password_common']],
    [{ email: 'gravel.bridge@example.org', password: 'gravelbridge99' }, ['/password password_common']],
    [{ display_name: 'Gravel Bridge', password: 'gravelbridge99' }, ['/password password_common']],
    [
      { email: 'x', display_name: '\t', message: '\0', password: 'x' },
      ['/email invalid_format', '/display_name too_short', '/message invalid_format', '/password too_short'],
    ],
    [{ role: 'admin' }, ['/role unknown_field']],
    [{ approval_state: 'approved' }, ['/approval_state unknown_field']],
    [
      { email: 7, password: null, display_name: [] },
      ['/email', '/password', '/display_name'].map((f) => `${f} invalid_type`),
    ],
  ]
  for (const [change, expected] of wrong) {
    const answer = await world.anonymous.post('/users/register', { ...someone, ...change })
    assert.equal(answer.status, 422, JSON.stringify(change))
    assert.deepEqual(fieldsOf(answer).sort(), expected.toSorted())
  }
  const empty = await world.anonymous.post('/users/register', {})
  assert.deepEqual(fieldsOf(empty).sort(), ['/display_name required', '/email required', '/password required'])
  assert.deepEqual(await users(world).execute(), before)
  assert.deepEqual(await mails(world), [])
})

story('a field problem is the same for known and unknown addresses', async ({ anonymous }) => {
  const [known, unknown] = await Promise.all(
    ['writer@example.org', 'nobody@example.org'].map((email) =>
      anonymous.post('/users/register', { ...someone, email, password: 'short' }),
    ),
  )
  assert.equal(known!.text, unknown!.text)
})

story('a request that fills in the honeypot field gets the same response and is dropped', async (world) => {
  const before = await users(world).execute()
  const answer = await world.anonymous.post('/users/register', { ...someone, website: 'https://example.com' })
  assert.equal(answer.status, 202)
  assert.deepEqual(answer.body, { data: { approval_state: 'pending_approval', email_verification: 'sent' } })
  assert.deepEqual(await users(world).execute(), before)
  assert.deepEqual(await mails(world), [])
  assert.deepEqual(await audited(world), [])
  assert.equal((await world.anonymous.post('/users/register', { ...someone, website: '' })).status, 202)
  assert.deepEqual(await mails(world), ['verification ann@example.org'])
})

story(
  'at most five hundred accounts wait unverified; new and known addresses count alike until the next sample',
  async (world) => {
    const { app, anonymous, clock } = world
    const [template] = await users(world).where('email_key', '=', 'reader@example.org').execute()
    const rows = Array.from({ length: 500 - 2 - noiseAt(app.ctx.secret, clock.at) }, (_, i) => ({
      ...template!,
      id: `${i}`.padStart(26, '0'),
      email: `p${i}@example.org`,
      email_key: `p${i}@example.org`,
      approval_state: 'pending_approval' as const,
      email_verified_at: null,
    }))
    await app.ctx.storage.writes.insertInto('users').values(rows).execute()
    const register = (email: string) => anonymous.post('/users/register', { ...someone, email })
    assert.equal((await register(someone.email)).status, 202)
    assert.equal((await register('writer@example.org')).status, 202)
    const full = await register('late@example.org')
    assert.equal(full.status, 429, 'the known address has taken a place as a new one does')
    assert.equal(full.body.error.code, 'rate_limited')
    assert.equal(full.headers['retry-after'], '3600')
    const known = await register('writer@example.org')
    assert.equal(known.text, full.text)
    assert.equal(known.headers['retry-after'], '3600')
    assert.deepEqual((await mails(world)).toSorted(), [
      'already_registered writer@example.org',
      'verification ann@example.org',
    ])
    await app.ctx.storage.writes
      .updateTable('users')
      .set({ email_verified_at: 1 })
      .where('approval_state', '=', 'pending_approval')
      .execute()
    assert.equal((await register('late@example.org')).status, 429, 'room is seen with the next sample')
    clock.at += SAMPLE_MS
    assert.equal((await register('late@example.org')).status, 202)
  },
  { DAYBOOK_PROOF_OF_WORK: 'off' },
)

story('each public account endpoint accepts JSON only', async ({ app, anonymous }) => {
  for (const path of ['register', 'verify', 'forgot-password', 'reset-password']) {
    const url = `${app.site.base}/users/${path}`
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', undefined]) {
      const headers = type ? { 'content-type': type } : {}
      const answer = await anonymous.send({ method: 'POST', url, headers, payload: 'email=a@example.org' })
      assert.equal(answer.status, 415, `${path} ${type}`)
    }
    assert.equal((await anonymous.post(`/users/${path}`, '[]')).body.error.code, 'invalid_body')
    assert.equal((await anonymous.post(`/users/${path}`, '{')).body.error.code, 'invalid_json')
    assert.equal((await anonymous.get(`/users/${path}`)).status, 405)
  }
})

story('a page of another site cannot use the public account endpoints', async ({ anonymous }) => {
  for (const path of ['register', 'verify', 'forgot-password', 'reset-password']) {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.example' }] as Record<
      string,
      string
    >[]) {
      const answer = await anonymous.post(`/users/${path}`, someone, headers)
      assert.equal(answer.body?.error?.code, 'origin_not_allowed', `${path} ${JSON.stringify(headers)}`)
    }
  }
})

story('a token verifies the address, in any state, and approves nothing', async (world) => {
  for (const state of ['pending_approval', 'approved', 'rejected', 'suspended'] as const) {
    const id = await world.addPerson(`${state}@example.org`, 'writer', state, false)
    const [token, spare] = [await mintToken(world, 'verify', id), await mintToken(world, 'verify', id)]
    const reset = await mintToken(world, 'reset', id)
    const answer = await world.anonymous.post('/users/verify', { token })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { data: { email_verified: true, approval_state: state } })
    const row = await users(world).where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(row.approval_state, state)
    assert.equal(row.email_verified_at, world.clock.at)
    assert.equal(row.version, 2)
    const used = await world.anonymous.post('/users/verify', { token })
    assert.equal(used.status, 422)
    assert.equal(used.body.error.code, 'token_invalid_or_expired')
    const other = await world.anonymous.post('/users/verify', { token: spare })
    assert.equal(other.text, used.text, 'the other link of the same kind is void too')
    const left = await world.app.ctx.storage.reads
      .selectFrom('tokens')
      .selectAll()
      .where('used_at', 'is', null)
      .execute()
    assert.deepEqual(
      left.filter((row) => row.user_id === id).map(({ purpose }) => purpose),
      ['reset'],
    )
    assert.ok(reset)
  }
  assert.deepEqual(await audited(world), Array(4).fill('email_verified'))
})

story('an address verified before keeps its date', async (world) => {
  const id = await world.addPerson('ann@example.org', 'writer', 'approved', true)
  const token = await mintToken(world, 'verify', id)
  const verifiedAt = world.clock.at
  world.clock.at += 60_000
  assert.equal((await world.anonymous.post('/users/verify', { token })).status, 200)
  assert.equal((await users(world).where('id', '=', id).executeTakeFirstOrThrow()).email_verified_at, verifiedAt)
})

story('verifying admits an approved account at once, and notifies administrators of a pending one', async (world) => {
  const approved = await world.addPerson('ann@example.org', 'writer', 'approved', false)
  const ann = world.as('ann@example.org')
  const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
  assert.equal((await ann.post('/events', event)).body.error.code, 'email_not_verified')
  await world.anonymous.post('/users/verify', { token: await mintToken(world, 'verify', approved) })
  assert.equal((await ann.post('/events', event)).status, 201)
  assert.deepEqual(await mails(world), [])
  const pending = await world.addPerson('bob@example.org', 'writer', 'pending_approval', false)
  await world.anonymous.post('/users/verify', { token: await mintToken(world, 'verify', pending) })
  assert.deepEqual(await mails(world), ['access_requested admin@example.org'])
})

story(
  'without a mail server and without verification, administrators are notified when a request is made',
  async (world) => {
    const sent = async () => {
      await world.app.deliverMail()
      const rows = await world.app.ctx.storage.reads
        .selectFrom('outbox')
        .select('kind')
        .where('status', '=', 'sent')
        .execute()
      return rows.map(({ kind }) => kind).sort()
    }
    await world.anonymous.post('/users/register', { ...someone, email: 'writer@example.org' })
    assert.deepEqual(await sent(), ['already_registered'], 'no request waits')
    await world.anonymous.post('/users/register', someone)
    assert.deepEqual(await sent(), ['access_requested', 'already_registered', 'verification'])
  },
  { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off' },
)

story(
  'with a mail server administrators are notified once the address is verified, and signing in says that it is not',
  async (world) => {
    await world.anonymous.post('/users/register', someone)
    assert.deepEqual(await mails(world), ['verification ann@example.org'])
    const signIn = () => world.anonymous.post('/auth/login', { email: someone.email, password: someone.password })
    const refused = await signIn()
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'account_pending'])
    assert.deepEqual(refused.body.error.details, { email_verified: false })
    const { data } = (await world.admin.get('/admin/users?approval_state=pending_approval')).body
    await world.anonymous.post('/users/verify', { token: await mintToken(world, 'verify', data[0].id) })
    assert.deepEqual(await mails(world), ['access_requested admin@example.org', 'verification ann@example.org'])
    assert.equal((await signIn()).body.error.details?.email_verified, undefined)
  },
  // The server is not reached: nothing is delivered here.
  { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off', DAYBOOK_SMTP_URL: 'smtp://127.0.0.1:9' },
)

story(
  'administrators who want no mail get none',
  async (world) => {
    await world.anonymous.post('/users/register', someone)
    const id = await world.addPerson('bob@example.org', 'writer', 'pending_approval', false)
    await world.anonymous.post('/users/verify', { token: await mintToken(world, 'verify', id) })
    assert.deepEqual(await mails(world), ['verification ann@example.org'])
  },
  { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off', DAYBOOK_NOTIFY_ADMINS: 'off' },
)

story('unknown, used, expired and mistyped tokens all get the same response', async (world) => {
  const id = await world.addPerson('ann@example.org', 'writer')
  const expired = { verify: await mintToken(world, 'verify', id, 1), reset: await mintToken(world, 'reset', id, 1) }
  world.clock.at += 1
  const swapped = { verify: await mintToken(world, 'reset', id), reset: await mintToken(world, 'verify', id) }
  for (const [path, purpose] of [
    ['verify', 'verify'],
    ['reset-password', 'reset'],
  ] as const) {
    const send = (token: string) =>
      world.anonymous.post(`/users/${path}`, purpose === 'verify' ? { token } : { token, password: someone.password })
    const unknown = await send(newKey())
    assert.equal(unknown.status, 422)
    assert.equal(unknown.body.error.code, 'token_invalid_or_expired')
    for (const token of [expired[purpose], swapped[purpose], 'x', '\0', 'ünïcode', 'a'.repeat(128)])
      assert.equal((await send(token)).text, unknown.text)
    assert.deepEqual(fieldsOf(await send('')), ['/token too_short'])
    assert.deepEqual(fieldsOf(await send('a'.repeat(129))), ['/token too_long'])
  }
})

story('a token sent to a former address of the account is refused', async (world) => {
  const id = await world.addPerson('old@example.org', 'writer')
  const token = await mintToken(world, 'reset', id)
  await world.app.ctx.storage.writes
    .updateTable('users')
    .set({ email: 'new@example.org', email_key: 'new@example.org' })
    .where('id', '=', id)
    .execute()
  const answer = await world.anonymous.post('/users/reset-password', { token, password: someone.password })
  assert.equal(answer.body.error.code, 'token_invalid_or_expired')
})

story('forgot-password is answered before the address is looked up', async (world) => {
  const answers = []
  for (const email of ['writer@example.org', 'nobody@example.org', 'WRITER@EXAMPLE.ORG'])
    answers.push(await world.anonymous.post('/users/forgot-password', { email }))
  for (const { status, text } of answers) {
    assert.equal(status, 202)
    assert.equal(text, '{"data":{"status":"accepted"}}')
  }
  assert.deepEqual(await kindsOfMail(world), ['reset', 'reset', 'reset'])
  assert.deepEqual(fieldsOf(await world.anonymous.post('/users/forgot-password', { email: 'x' })), [
    '/email invalid_format',
  ])
  assert.deepEqual(fieldsOf(await world.anonymous.post('/users/forgot-password', {})), ['/email required'])
  assert.equal((await mails(world)).length, 3)
})

story('a reset sets the password and ends all sessions and credentials', async (world) => {
  const id = await world.addPerson('ann@example.org', 'writer')
  await giveCredentials(world, id)
  const before = world.as('ann@example.org')
  assert.equal((await before.get('/events?from=2026-07-01&to=2026-07-02')).status, 200)
  const [token, spare] = [await mintToken(world, 'reset', id), await mintToken(world, 'reset', id)]
  const verify = await mintToken(world, 'verify', id)
  const answer = await world.anonymous.post('/users/reset-password', { token, password: someone.password })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body, { data: { status: 'password_changed' } })
  assert.equal(answer.headers['set-cookie'], undefined, 'it gives no session')
  assert.equal((await before.get('/events?from=2026-07-01&to=2026-07-02')).status, 401, 'the old one, known or not')
  const after = world.as('ann@example.org', someone.password)
  assert.equal((await after.get('/events?from=2026-07-01&to=2026-07-02')).status, 200)
  for (const table of ['sessions', 'app_passwords', 'api_tokens'] as const) {
    const rows = await world.app.ctx.storage.reads.selectFrom(table).selectAll().where('user_id', '=', id).execute()
    assert.equal(rows.length, 0, table)
  }
  for (const [path, body] of [
    ['reset-password', { token, password: 'another good long one' }],
    ['reset-password', { token: spare, password: 'another good long one' }],
    ['verify', { token: verify }],
  ] as const)
    assert.equal((await world.anonymous.post(`/users/${path}`, body)).body.error.code, 'token_invalid_or_expired')
  assert.deepEqual(await mails(world), ['password_changed ann@example.org'])
  assert.ok((await audited(world)).includes('password_reset'))
  assert.equal((await users(world).where('id', '=', id).executeTakeFirstOrThrow()).version, 2)
})

story('a refused password does not use up the token, and does not reveal its account', async (world) => {
  const id = await world.addPerson('gravelbridge@example.org', 'writer')
  const token = await mintToken(world, 'reset', id)
  for (const [password, code] of [
    ['short', 'too_short'],
    ['gravel under the bridge '.repeat(6), 'too_long'],
    ['passwordpassword', 'password_common'],
    ['daybook-2026', 'password_common'],
  ]) {
    const known = await world.anonymous.post('/users/reset-password', { token, password })
    assert.deepEqual(fieldsOf(known), [`/password ${code}`])
    const unknown = await world.anonymous.post('/users/reset-password', { token: newKey(), password })
    assert.equal(unknown.text, known.text)
  }
  // The password is compared with the account's own words only after the token is used; a refusal undoes that use.
  const own = await world.anonymous.post('/users/reset-password', { token, password: 'GravelBridge99' })
  assert.deepEqual(fieldsOf(own), ['/password password_common'])
  assert.equal(
    (await world.as('gravelbridge@example.org', PASSWORD).get('/events?from=2026-07-01&to=2026-07-02')).status,
    200,
  )
  assert.deepEqual(await mails(world), [])
  const good = await world.anonymous.post('/users/reset-password', { token, password: someone.password })
  assert.equal(good.status, 200, good.text)
})

story(
  'each endpoint is limited by network, and by address, known or not',
  async ({ anonymous }) => {
    const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })
    const statuses = async (count: number, send: (i: number) => Promise<ApiResponse>): Promise<number[]> => {
      const answers = []
      for (let i = 0; i < count; i++) answers.push((await send(i)).status)
      return answers
    }
    const wrong = { ...someone, password: 'short' }
    const register = await statuses(6, () => anonymous.post('/users/register', wrong, from('192.0.2.1')))
    assert.deepEqual(register, [...Array(5).fill(422), 429])
    assert.equal((await anonymous.post('/users/register', wrong, from('192.0.2.2'))).status, 422)
    const verify = await statuses(21, () => anonymous.post('/users/verify', { token: 'x' }, from('192.0.2.1')))
    assert.deepEqual(verify, [...Array(20).fill(422), 429])
    const reset = await statuses(11, () =>
      anonymous.post('/users/reset-password', { token: 'x', password: someone.password }, from('192.0.2.1')),
    )
    assert.deepEqual(reset, [...Array(10).fill(422), 429])
    for (const email of ['writer@example.org', 'nobody@example.org']) {
      const spellings = [email, email.toUpperCase(), ` ${email}`]
      const forgot = await statuses(6, (i) =>
        anonymous.post('/users/forgot-password', { email: spellings[i % 3] }, from(`198.51.100.${i}`)),
      )
      assert.deepEqual(forgot, [...Array(5).fill(202), 429], email)
    }
    const malformed = await statuses(21, () =>
      anonymous.post('/users/forgot-password', { email: 'x' }, from('192.0.2.9')),
    )
    assert.deepEqual(malformed, [...Array(20).fill(422), 429])
  },
  {
    DAYBOOK_RATE_LIMITS: 'on',
    DAYBOOK_TRUST_PROXY: '127.0.0.1',
    DAYBOOK_PUBLIC_URL: 'https://calendar.example.org',
  },
)

async function giveCredentials({ app, clock }: World, userId: string): Promise<void> {
  const { writes } = app.ctx.storage
  const own = { id: app.ctx.newId(), hash: newKey(), user_id: userId, created_at: clock.at }
  await writes
    .insertInto('sessions')
    .values({ ...own, is_remembered: 0, last_seen_at: clock.at, client_net: '', user_agent: '' })
    .execute()
  await writes
    .insertInto('app_passwords')
    .values({ ...own, name: 'phone', last_used_at: null })
    .execute()
  const token = { name: 'script', last_used_at: null, last_four: 'abcd', scopes: 'read', expires_at: clock.at + 1e9 }
  await writes
    .insertInto('api_tokens')
    .values({ ...own, ...token })
    .execute()
}
