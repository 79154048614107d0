// An account requested more than once loses its first password when an administrator approves or vouches for it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { grantAdministration } from '../../../src/actions/accounts/change-account.ts'
import { AppError } from '../../../src/errors.ts'
import { PASSWORD_COST, setPasswordCost, verifyPassword } from '../../../src/secrets.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { mintToken } from '../../support/tokens.ts'
import { type World, withWorld } from '../../support/world.ts'

const EMAIL = 'ann@example.org'
const FIRST = 'gravel under the bridge'
const SECOND = 'a quite different sentence'
const CHOSEN = 'chosen by the owner alone'
const UNPROVEN = { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off' }

const story = (name: string, tell: (world: World) => Promise<void>, settings: Record<string, string> = {}) =>
  forEachEngine(name, (engine) => withWorld(engine, tell, { settings }))

const request = ({ anonymous }: World, password: string, display_name: string): Promise<ApiResponse> =>
  anonymous.post('/users/register', { email: EMAIL, password, display_name, message: `I am ${display_name}` })

const personOf = async ({ admin }: World): Promise<Json> => (await admin.get(`/admin/users?q=${EMAIL}`)).body.data[0]

const decide = async (world: World, change: object): Promise<ApiResponse> => {
  const { id } = await personOf(world)
  return world.admin.patch(`/admin/users/${id}`, change)
}

/** The answer to signing in: `ok`, or the code of the refusal. */
const signIn = async ({ anonymous }: World, password: string): Promise<string> => {
  const answer = await anonymous.post('/auth/login', { email: EMAIL, password })
  return answer.status === 200 ? 'ok' : answer.body.error.code
}

/** The kinds and texts of the mails that were sent, oldest first; without a mail server they are files. */
async function sentMails({ app }: World): Promise<{ kinds: string[]; texts: string[] }> {
  await app.deliverMail()
  const rows = await app.ctx.storage.reads
    .selectFrom('outbox')
    .select('kind')
    .where('status', '=', 'sent')
    .where('kind', '<>', 'access_requested')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const folder = join(app.ctx.config.dataDir, 'mail')
  const texts = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return { kinds: rows.map(({ kind }) => kind), texts }
}

const linkIn = (texts: string[]): string => {
  const [token] = texts.flatMap((text) => /reset-password#t=([\w-]{43})/.exec(text)?.slice(1) ?? [])
  return token ?? assert.fail('no mail holds a link to choose a password')
}

const choose = ({ anonymous }: World, token: string): Promise<ApiResponse> =>
  anonymous.post('/users/reset-password', { token, password: CHOSEN })

const auditedAbout = async (world: World, id: string): Promise<string[]> =>
  (await world.admin.get(`/admin/audit?user_id=${id}`)).body.data.map(({ action }: Json) => action)

story(
  'approving an account that two people requested ends the first password and mails a link',
  async (world) => {
    const once = await request(world, FIRST, 'Mallory')
    const before = await personOf(world)
    assert.deepEqual(
      [before.request_count, before.last_requested_at, before.password_state],
      [1, '2026-07-10T12:00:00Z', 'set'],
    )
    world.clock.at += 60_000
    const again = await request(world, SECOND, 'Ann')
    assert.equal(again.text, once.text)
    assert.deepEqual(await personOf(world), {
      ...before,
      request_count: 2,
      last_requested_at: '2026-07-10T12:01:00Z',
      password_state: 'disputed',
    })
    const approved = await decide(world, { approval_state: 'approved', notify: true })
    assert.equal(approved.status, 200, approved.text)
    assert.equal(approved.body.meta.password_link, 'file')
    assert.deepEqual([approved.body.data.request_count, approved.body.data.password_state], [2, 'none'])
    for (const password of [FIRST, SECOND]) assert.equal(await signIn(world, password), 'invalid_credentials')
    assert.ok((await auditedAbout(world, before.id)).includes('password_invalidated'))
    const { kinds, texts } = await sentMails(world)
    assert.deepEqual(kinds.toSorted(), ['already_registered', 'set_password', 'verification'])
    assert.equal((await choose(world, linkIn(texts))).status, 200)
    assert.equal(await signIn(world, CHOSEN), 'ok')
    const after = await personOf(world)
    assert.deepEqual([after.password_state, after.email_verified], ['set', true], 'the link proves the address')
    await request(world, FIRST, 'Mallory')
    assert.equal((await personOf(world)).request_count, 2, 'a proven, approved account counts no more requests')
  },
  UNPROVEN,
)

story(
  'an account requested once keeps its password',
  async (world) => {
    await request(world, FIRST, 'Ann')
    const approved = await decide(world, { approval_state: 'approved' })
    assert.deepEqual([approved.body.meta, approved.body.data.password_state], [{ version: 2 }, 'set'])
    assert.equal(await signIn(world, FIRST), 'ok')
    const made = (await world.admin.get('/admin/users?q=admin')).body.data[0]
    assert.deepEqual([made.request_count, made.last_requested_at], [0, null], 'nor was an administrator’s requested')
  },
  UNPROVEN,
)

story(
  'a higher role ends a disputed password as approval does; a lower one does not',
  async (world) => {
    await request(world, FIRST, 'Mallory')
    await decide(world, { approval_state: 'approved' })
    await request(world, SECOND, 'Ann')
    const lowered = await decide(world, { role: 'reader' })
    assert.deepEqual([lowered.body.data.password_state, lowered.body.meta.password_link], ['disputed', undefined])
    const raised = await decide(world, { role: 'admin' })
    assert.deepEqual([raised.body.data.password_state, raised.body.meta.password_link], ['none', 'file'])
    assert.equal(await signIn(world, FIRST), 'invalid_credentials')
  },
  UNPROVEN,
)

story('a refusal is mailed also where the same change ends a disputed password', async (world) => {
  await request(world, FIRST, 'Mallory')
  await request(world, SECOND, 'Ann')
  const rejected = await decide(world, { approval_state: 'rejected', email_verified: true, notify: true })
  assert.equal(rejected.body.data.password_state, 'none')
  assert.ok((await sentMails(world)).kinds.includes('rejected'))
})

story('vouching for the address ends the password too; approving it later sends a fresh link', async (world) => {
  await request(world, FIRST, 'Mallory')
  await request(world, SECOND, 'Ann')
  const attested = await decide(world, { email_verified: true })
  assert.deepEqual([attested.body.meta.password_link, attested.body.data.password_state], ['file', 'none'])
  const before = (await sentMails(world)).texts
  world.clock.at += 25 * 3_600_000
  const approved = await decide(world, { approval_state: 'approved', notify: true })
  assert.equal(approved.body.meta.password_link, 'file')
  assert.equal(await signIn(world, FIRST), 'invalid_credentials')
  const { kinds, texts } = await sentMails(world)
  assert.deepEqual(
    kinds.filter((kind) => kind === 'approved'),
    [],
    'one mail says both',
  )
  assert.equal((await choose(world, linkIn(texts.filter((text) => !before.includes(text))))).status, 200)
  assert.equal(await signIn(world, CHOSEN), 'ok')
})

story('approving and vouching at once, and after a rejection, has the same effect', async (world) => {
  await request(world, FIRST, 'Mallory')
  await decide(world, { approval_state: 'rejected' })
  await request(world, SECOND, 'Ann')
  await decide(world, { approval_state: 'pending_approval' })
  assert.equal((await personOf(world)).password_state, 'disputed', 'reopening decides nothing about the password')
  const { id } = await personOf(world)
  await world.app.ctx.storage.writes
    .insertInto('sessions')
    .values({
      id: 's',
      hash: 's',
      user_id: id,
      is_remembered: 0,
      created_at: 0,
      last_seen_at: 0,
      client_net: '',
      user_agent: '',
    })
    .execute()
  const answer = await decide(world, { approval_state: 'approved', email_verified: true })
  assert.deepEqual([answer.body.meta.password_link, answer.body.data.password_state], ['file', 'none'])
  assert.equal(await signIn(world, FIRST), 'invalid_credentials')
  const sessions = await world.app.ctx.storage.reads
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', id)
    .execute()
  assert.deepEqual(sessions, [])
})

story('an address that was verified before the second request is treated alike', async (world) => {
  await request(world, FIRST, 'Mallory')
  const { id } = await personOf(world)
  // The owner follows the link of a request that another person made.
  await world.anonymous.post('/users/verify', { token: await mintToken(world, 'verify', id) })
  await request(world, SECOND, 'Ann')
  assert.equal((await personOf(world)).password_state, 'disputed')
  assert.equal((await decide(world, { approval_state: 'approved' })).body.data.password_state, 'none')
  assert.equal(await signIn(world, FIRST), 'invalid_credentials')
})

story('the owner who verifies the address after two requests chooses the password, and keeps it', async (world) => {
  await request(world, FIRST, 'Mallory')
  await request(world, SECOND, 'Ann')
  const { id } = await personOf(world)
  const verified = await world.anonymous.post('/users/verify', { token: await mintToken(world, 'verify', id) })
  assert.equal(verified.body.data.password_needed, true)
  assert.equal((await personOf(world)).password_state, 'none')
  assert.equal((await choose(world, linkIn((await sentMails(world)).texts))).status, 200)
  const approved = await decide(world, { approval_state: 'approved' })
  assert.deepEqual([approved.body.data.password_state, approved.body.meta.password_link], ['set', undefined])
  assert.equal(await signIn(world, FIRST), 'invalid_credentials')
  assert.equal(await signIn(world, CHOSEN), 'ok')
})

story('a password chosen by a mailed link before the decision is no longer disputed', async (world) => {
  const id = await world.addPerson(EMAIL, 'writer', 'pending_approval')
  await request(world, SECOND, 'Mallory')
  assert.equal((await personOf(world)).password_state, 'disputed')
  assert.equal((await choose(world, await mintToken(world, 'reset', id))).status, 200)
  const approved = await decide(world, { approval_state: 'approved' })
  assert.equal(approved.body.data.password_state, 'set')
  assert.equal(await signIn(world, CHOSEN), 'ok')
})

story(
  'an expired link is sent again to the address of an account without a password',
  async (world) => {
    await request(world, FIRST, 'Mallory')
    await request(world, SECOND, 'Ann')
    await decide(world, { approval_state: 'approved' })
    const { texts } = await sentMails(world)
    world.clock.at += 24 * 3_600_000
    assert.equal((await choose(world, linkIn(texts))).body.error.code, 'token_invalid_or_expired')
    await world.anonymous.post('/users/forgot-password', { email: EMAIL })
    const later = (await sentMails(world)).texts.filter((text) => !texts.includes(text))
    assert.equal((await choose(world, linkIn(later))).status, 200)
    assert.equal(await signIn(world, CHOSEN), 'ok')
  },
  UNPROVEN,
)

for (const isApprovedFirst of [false, true])
  story(
    `forgot-password lets the mailbox owner replace a stranger’s password, ${isApprovedFirst ? 'after' : 'before'} approval`,
    async (world) => {
      await request(world, FIRST, 'Mallory')
      if (isApprovedFirst) await decide(world, { approval_state: 'approved', notify: true })
      const before = (await sentMails(world)).texts
      await world.anonymous.post('/users/forgot-password', { email: EMAIL })
      const later = (await sentMails(world)).texts.filter((text) => !before.includes(text))
      assert.doesNotMatch(later.join(), /\/verify#t=/, 'a link that only verifies would keep the first password')
      assert.equal((await choose(world, linkIn(later))).status, 200)
      const person = await personOf(world)
      assert.deepEqual([person.email_verified, person.password_state], [true, 'set'])
      if (!isApprovedFirst) {
        const notices = await world.app.ctx.storage.reads
          .selectFrom('outbox')
          .select('id')
          .where('kind', '=', 'access_requested')
          .execute()
        assert.equal(notices.length, 1, 'administrators are notified as after verifying')
        await decide(world, { approval_state: 'approved' })
      }
      assert.equal(await signIn(world, FIRST), 'invalid_credentials')
      assert.equal(await signIn(world, CHOSEN), 'ok')
    },
  )

story('the command that makes an administrator asks for a new password where one is disputed', async (world) => {
  const { ctx } = world.app
  await world.addPerson(EMAIL, 'writer', 'pending_approval')
  await request(world, SECOND, 'Mallory')
  await assert.rejects(
    grantAdministration(ctx, EMAIL, undefined),
    (error) => error instanceof AppError && error.code === 'validation_failed',
  )
  await grantAdministration(ctx, EMAIL, CHOSEN)
  assert.equal((await personOf(world)).password_state, 'set')
  assert.equal(await signIn(world, CHOSEN), 'ok')
  assert.ok(!(await sentMails(world)).kinds.includes('set_password'), 'no link once there is a password')
})

test('an account without a password costs a guess the same work as any other', async () => {
  // Tests before it in this process may have set a cost so low that only chance differs.
  setPasswordCost(PASSWORD_COST)
  const cpuMs = async (stored: string | undefined): Promise<number> => {
    const before = process.cpuUsage()
    for (let i = 0; i < 3; i++) assert.equal(await verifyPassword(`guess ${i}`, stored), false)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  await cpuMs(undefined)
  const [unknown, ended] = [await cpuMs(undefined), await cpuMs('')]
  assert.ok(ended > unknown / 3, `${ended} ms against ${unknown} ms`)
})
