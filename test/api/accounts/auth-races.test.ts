// Races with the end of access: nothing that was started with a credential outlives it, and nothing fails.
import assert from 'node:assert/strict'
import { createAppPassword, createToken } from '../../../src/actions/accounts/credentials.ts'
import { logIn } from '../../../src/actions/accounts/sessions.ts'
import { createFeedLink } from '../../../src/actions/feeds/feed-links.ts'
import { createAccountViewer } from '../../../src/domain/privacy/viewer.ts'
import { AppError } from '../../../src/errors.ts'
import { findAccountByEmailKey, resetCredentials } from '../../../src/storage/accounts/accounts.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { FREE_ATTEMPT } from '../../support/free-attempt.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { mintToken } from '../../support/tokens.ts'
import { PASSWORD, type World, withTwoNodes, withWorld } from '../../support/world.ts'

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }
const ownerOf = async ({ app }: World) => (await findAccountByEmailKey(app.ctx.storage.reads, 'writer@example.org'))!

const reset = async (world: World): Promise<void> => {
  const { account } = await ownerOf(world)
  await inTransaction(world.app.ctx.storage, (db) => resetCredentials(db, account.id, 'another hash').then(() => {}))
}

forEachEngine('a password that is reset during a sign-in with it gives no session', (engine) =>
  withWorld(engine, async (world) => {
    const wish = { email: 'writer@example.org', password: PASSWORD, isRemembered: false, requestId: 'r' }
    const browser = { network: '', userAgent: '' }
    const session = await logIn(
      world.app.ctx,
      { ...wish, browser, before: undefined },
      { ...FREE_ATTEMPT, refund: () => reset(world) },
    )
    assert.equal(session, undefined)
    assert.deepEqual(await world.app.ctx.storage.reads.selectFrom('sessions').selectAll().execute(), [])
  }),
)

forEachEngine('sign-ins at the same time all succeed, although the first replaces an outdated hash', (engine) =>
  withWorld(
    engine,
    async ({ anonymous }) => {
      const shown = { email: 'writer@example.org', password: PASSWORD }
      const answers = await Promise.all(Array.from({ length: 4 }, () => anonymous.post('/auth/login', shown)))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      )
    },
    { realPasswordCost: true },
  ),
)

forEachEngine('nothing is created with a session or a password that has just ended', (engine) =>
  withWorld(engine, async (world) => {
    const { signIn, app } = world
    await signIn('writer@example.org')
    const { account, passwordHash } = await ownerOf(world)
    const [row] = await app.ctx.storage.reads.selectFrom('sessions').select('id').execute()
    const bySession = createAccountViewer(account, true, { proof: 'session', credentialId: row!.id })
    const byPassword = createAccountViewer(account, true, { proof: 'password', passwordHash })
    await createAppPassword(app.ctx, bySession, { name: 'x' }, 'r')
    await createToken(app.ctx, byPassword, { name: 'x', scopes: ['events:read'] }, 'r')
    await reset(world)
    const isRefused = (error: unknown) => error instanceof AppError && error.status === 401
    for (const person of [bySession, byPassword]) {
      await assert.rejects(createAppPassword(app.ctx, person, { name: 'x' }, 'r'), isRefused)
      await assert.rejects(createToken(app.ctx, person, { name: 'x', scopes: ['events:read'] }, 'r'), isRefused)
      await assert.rejects(createFeedLink(app.ctx, person, { name: 'x' }, 'r'), isRefused)
    }
    assert.deepEqual(await app.ctx.storage.reads.selectFrom('app_passwords').selectAll().execute(), [])
  }),
)

forEachEngine('an account deleted in the middle of a request is refused, and is the author of nothing', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    for (let round = 0; round < 5; round++) {
      const email = `p${round}@example.org`
      const id = await one.addPerson(email, 'writer')
      assert.equal((await two.as(email).get('/events')).status, 200)
      const person = two.as(email)
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () => person.post('/events', event, { 'idempotency-key': `k${round}` })),
        ...Array.from({ length: 3 }, () => person.post('/auth/tokens', { name: 'x', scopes: ['events:read'] })),
        ...Array.from({ length: 2 }, () => two.anonymous.post('/auth/login', { email, password: PASSWORD })),
        one.admin.delete(`/admin/users/${id}`),
      ])
      for (const { status, text } of answers) assert.ok([200, 201, 204, 401].includes(status), `${status} ${text}`)
      const { reads } = one.app.ctx.storage
      const events = await reads.selectFrom('events').select('key').where('created_by', '=', id).execute()
      const keys = await reads.selectFrom('idempotency_keys').select('key').where('user_id', '=', id).execute()
      assert.deepEqual([events.length, keys.length], [0, 0])
    }
  }),
)

forEachEngine('signing in to another account ends the session the browser had', (engine) =>
  withWorld(engine, async ({ signIn, anonymous }) => {
    const before = await signIn('writer@example.org')
    const other = { email: 'reader@example.org', password: PASSWORD }
    assert.equal((await anonymous.post('/auth/login', other, { cookie: before.cookie })).status, 200)
    assert.equal((await before.get('/auth/session')).status, 401)
  }),
)

forEachEngine('a secret verified as one kind of credential is not accepted as another kind', (engine) =>
  withWorld(engine, async ({ signIn, writer, with: withHeaders }) => {
    const browser = await signIn('writer@example.org')
    await browser.get('/events')
    const [name, secret] = browser.cookie.split('=') as [string, string]
    const asHeader = withHeaders({ authorization: secret, 'x-csrf-token': 'a.b' })
    assert.equal((await asHeader.get('/auth/session')).status, 401)
    assert.equal((await asHeader.post('/events', event)).status, 401)
    await writer.get('/events')
    const basic = `Basic ${Buffer.from(`writer@example.org:${PASSWORD}`).toString('base64')}`
    const asCookie = withHeaders({ cookie: `${name}=${basic}`, 'sec-fetch-site': 'same-origin' })
    assert.equal((await asCookie.post('/events', event)).status, 401)
  }),
)

forEachEngine('malformed addresses match no account, on either engine', (engine) =>
  withWorld(engine, async ({ anonymous }) => {
    for (const email of ['a\0b@example.org', '\ud800@example.org', `${'a'.repeat(300)}@example.org`.slice(0, 254)]) {
      const answer = await anonymous.post('/auth/login', { email, password: PASSWORD })
      assert.equal(answer.status, 401, JSON.stringify(email))
      const basic = `Basic ${Buffer.from(`${email}:x`).toString('base64')}`
      assert.equal((await anonymous.get('/events', { authorization: basic })).status, 401)
    }
  }),
)

forEachEngine('a token refused while the clock was ahead is accepted after the clock is corrected', (engine) =>
  withWorld(engine, async ({ writer, with: withHeaders, clock }) => {
    const made = await writer.post('/auth/tokens', { name: 'x', scopes: ['events:read'], expires_in_days: 1 })
    const program = withHeaders({ authorization: `Bearer ${made.body.data.token}` })
    const begin = clock.at
    clock.at = begin + 2 * 86_400_000
    assert.equal((await program.get('/events')).status, 401)
    clock.at = begin + 60_000
    assert.equal((await program.get('/events')).status, 200)
  }),
)

forEachEngine('registering and then signing in does not reveal whether an address has an account', (engine) =>
  withWorld(engine, async ({ anonymous, as, addPerson }) => {
    await addPerson('known@example.org', 'writer')
    const password = 'seven quiet herons'
    const answers = []
    for (const email of ['known@example.org', 'unknown@example.org']) {
      await anonymous.post('/users/register', { email, password, display_name: 'A' })
      const login = await anonymous.post('/auth/login', { email, password })
      const basic = await as(email, password).get('/events?view=month')
      answers.push([login.status, login.text, basic.status, basic.text])
    }
    assert.deepEqual(answers[0], answers[1])
    assert.equal(answers[0]![0], 401)
  }),
)

forEachEngine('an address registered by a stranger first belongs to its owner once they verify it', (engine) =>
  withWorld(engine, async (world) => {
    const { anonymous, admin, app } = world
    const email = 'owner@example.org'
    const register = (password: string) => anonymous.post('/users/register', { email, password, display_name: 'A' })
    await register('the strangers own words')
    await app.deliverMail()
    await register('the owners own words')
    const [user] = (await admin.get(`/admin/users?q=${email}`)).body.data
    const verified = await anonymous.post('/users/verify', { token: await mintToken(world, 'verify', user.id) })
    assert.deepEqual(verified.body.data, {
      email_verified: true,
      approval_state: 'pending_approval',
      password_needed: true,
    })
    await admin.patch(`/admin/users/${user.id}`, { approval_state: 'approved' })
    for (const password of ['the strangers own words', 'the owners own words'])
      assert.equal((await anonymous.post('/auth/login', { email, password })).status, 401)
    await app.deliverMail()
    const mails = await app.ctx.storage.reads.selectFrom('outbox').select(['kind', 'status']).execute()
    assert.ok(mails.some(({ kind, status }) => kind === 'set_password' && status === 'sent'))
    const token = await mintToken(world, 'reset', user.id)
    assert.equal(
      (await anonymous.post('/users/reset-password', { token, password: 'words of my own now' })).status,
      200,
    )
    assert.equal((await anonymous.post('/auth/login', { email, password: 'words of my own now' })).status, 200)
  }),
)
