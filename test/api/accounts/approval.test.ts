// Decisions about accounts: the table of states, approval and verification, what a decision ends, and what it leaves.
import assert from 'node:assert/strict'
import { APPROVAL_STATES, STATE_TRANSITIONS } from '../../../src/domain/account/account.ts'
import { hashSecret, newId, newKey } from '../../../src/secrets.ts'
import { insertApiToken, insertAppPassword } from '../../../src/storage/accounts/credentials.ts'
import { insertSession } from '../../../src/storage/accounts/sessions.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import type { Json } from '../../support/http/api-response.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { copySeries } from '../../support/storage/many-events.ts'
import { type World, withWorld } from '../../support/world.ts'

const story = (name: string, tell: (world: World) => Promise<void>, settings: Record<string, string> = {}) =>
  forEachEngine(name, (engine) => withWorld(engine, tell, { settings }))

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

const rowsOf = (world: World, table: 'sessions' | 'outbox' | 'tokens' | 'app_passwords' | 'api_tokens') =>
  world.app.ctx.storage.reads.selectFrom(table).selectAll().execute() as Promise<Json[]>

const auditOf = async (world: World): Promise<Json[]> => {
  const rows = await world.app.ctx.storage.reads.selectFrom('audit').selectAll().orderBy('seq').execute()
  return rows
    .filter(({ action }) => action.startsWith('user_'))
    .map(({ action, actor_id, subject_id, request_id, detail }) => ({
      action,
      actor_id,
      subject_id,
      hasRequest: request_id !== null,
      detail: JSON.parse(detail),
    }))
}

const idOf = async (world: World, email: string): Promise<string> =>
  (await world.admin.get(`/admin/users?q=${encodeURIComponent(email)}`)).body.data[0].id

function addSession({ app }: World, userId: string): Promise<void> {
  const now = app.ctx.clock()
  return inTransaction(app.ctx.storage, (db) =>
    insertSession(db, {
      id: newId(),
      hash: hashSecret(newId()),
      user_id: userId,
      is_remembered: 0,
      created_at: now,
      last_seen_at: now,
      client_net: '192.0.2.0/24',
      user_agent: 'a browser',
    }),
  )
}

story('all sixteen changes of approval state', async (world) => {
  const { admin, addPerson } = world
  const adminId = await idOf(world, 'admin@example.org')
  for (const from of APPROVAL_STATES)
    for (const to of APPROVAL_STATES) {
      const id = await addPerson(`${from}-${to}@example.org`, 'writer', from)
      const answer = await admin.patch(`/admin/users/${id}`, { approval_state: to })
      if (STATE_TRANSITIONS[from].includes(to)) {
        assert.equal(answer.status, 200, `${from} → ${to}`)
        const { data } = answer.body
        assert.deepEqual([data.approval_state, data.decided_by, data.version], [to, adminId, 2])
        assert.equal(data.decided_at, '2026-07-10T12:00:00Z')
      } else {
        assert.equal(answer.status, 409, `${from} → ${to}`)
        assert.equal(answer.body.error.code, 'invalid_state_transition')
        assert.deepEqual(answer.body.error.details, { from, to, allowed: STATE_TRANSITIONS[from] })
        assert.equal((await admin.get(`/admin/users/${id}`)).body.data.version, 1)
      }
    }
  const steps = (await auditOf(world)).map(({ detail }) => [detail.approval_state_from, detail.approval_state_to])
  assert.deepEqual(steps, [
    ['pending_approval', 'approved'],
    ['pending_approval', 'rejected'],
    ['approved', 'suspended'],
    ['rejected', 'pending_approval'],
    ['rejected', 'approved'],
    ['suspended', 'approved'],
  ])
})

story(
  'approval admits no account with an unverified address, and an administrator may vouch for the address',
  async (world) => {
    const { admin, addPerson, as } = world
    const id = await addPerson('new@example.org', 'writer', 'pending_approval', false)
    const tries = async () => (await as('new@example.org').post('/events', event)).body.error?.code ?? 'done'
    assert.equal(await tries(), 'invalid_credentials', 'not verified yet')
    const approved = await admin.patch(`/admin/users/${id}`, { approval_state: 'approved' })
    assert.deepEqual([approved.status, approved.body.data.email_verified], [200, false])
    assert.equal(await tries(), 'email_not_verified')
    const vouched = await admin.patch(`/admin/users/${id}`, { email_verified: true })
    assert.equal(vouched.body.data.email_verified_at, '2026-07-10T12:00:00Z')
    assert.equal(await tries(), 'done')
    const again = await admin.patch(`/admin/users/${id}`, { email_verified: true })
    assert.equal(again.body.data.version, vouched.body.data.version, 'what is so already changes nothing')
    await admin.patch(`/admin/users/${id}`, { email_verified: false })
    assert.equal(await tries(), 'email_not_verified')
    const atOnce = await addPerson('both@example.org', 'writer', 'pending_approval', false)
    assert.equal(
      (await admin.patch(`/admin/users/${atOnce}`, { approval_state: 'approved', email_verified: true })).status,
      200,
    )
    assert.equal((await as('both@example.org').post('/events', event)).status, 201)
  },
)

story(
  'where no verified address is required, approval is enough',
  async ({ admin, addPerson, as }) => {
    const id = await addPerson('new@example.org', 'writer', 'pending_approval', false)
    assert.equal((await as('new@example.org').post('/events', event)).body.error.code, 'account_pending')
    await admin.patch(`/admin/users/${id}`, { approval_state: 'approved' })
    assert.equal((await as('new@example.org').post('/events', event)).status, 201)
  },
  { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off' },
)

story('leaving approved, or a new role, ends every session of that account and of no other', async (world) => {
  const { admin, addPerson, as, writer } = world
  const id = await addPerson('x@example.org', 'writer')
  const writerId = await idOf(world, 'writer@example.org')
  await addSession(world, writerId)
  const mine = async () => (await rowsOf(world, 'sessions')).filter(({ user_id }) => user_id === id).length
  await addSession(world, id)
  await addSession(world, id)
  await admin.patch(`/admin/users/${id}`, { display_name: 'Still here', email_verified: true, role: 'writer' })
  assert.equal(await mine(), 2, 'a new name ends nothing')
  assert.equal((await as('x@example.org').post('/events', event)).status, 201)
  await admin.patch(`/admin/users/${id}`, { role: 'reader' })
  assert.equal(await mine(), 0)
  assert.equal((await as('x@example.org').post('/events', event)).body.error.code, 'insufficient_capability')
  await addSession(world, id)
  await admin.patch(`/admin/users/${id}`, { approval_state: 'suspended' })
  assert.equal(await mine(), 0)
  assert.equal((await as('x@example.org').post('/events', event)).body.error.code, 'account_suspended')
  assert.equal((await as('x@example.org').get('/events')).status, 200, 'as the public may')
  await admin.patch(`/admin/users/${id}`, { approval_state: 'approved', role: 'writer' })
  assert.equal((await as('x@example.org').post('/events', event)).status, 201)
  assert.equal((await rowsOf(world, 'sessions')).length, 1)
  assert.equal((await writer.post('/events', event)).status, 201)
})

story('tokens and app passwords lose the rights their owner loses, from the next request on', async (world) => {
  const { admin, addPerson, anonymous, app } = world
  const id = await addPerson('x@example.org', 'writer')
  const token = `calpat_${newKey()}`
  const code = 'a'.repeat(24)
  const made = { user_id: id, name: 'a', created_at: app.ctx.clock(), last_used_at: null }
  const expires_at = app.ctx.clock() + 3_600_000
  await inTransaction(app.ctx.storage, async (db) => {
    await insertAppPassword(db, { ...made, id: newId(), hash: hashSecret(code) })
    const scopes = 'events:read events:write'
    await insertApiToken(db, { ...made, id: newId(), hash: hashSecret(token), last_four: 'aaaa', scopes, expires_at })
  })
  const basic = Buffer.from(`x@example.org:${code}`).toString('base64')
  const answers = async (): Promise<string[]> => {
    const results: string[] = []
    for (const authorization of [`Bearer ${token}`, `Basic ${basic}`]) {
      const answer = await anonymous.post('/events', event, { authorization })
      results.push(answer.body.error?.code ?? 'done')
    }
    return results
  }
  assert.deepEqual(await answers(), ['done', 'done'])
  await admin.patch(`/admin/users/${id}`, { role: 'reader' })
  assert.deepEqual(await answers(), ['insufficient_capability', 'insufficient_capability'])
  await admin.patch(`/admin/users/${id}`, { role: 'writer', approval_state: 'suspended' })
  assert.deepEqual(await answers(), ['account_suspended', 'account_suspended'])
  await admin.patch(`/admin/users/${id}`, { approval_state: 'approved' })
  assert.deepEqual(await answers(), ['done', 'done'])
  await admin.patch(`/admin/users/${id}`, { email_verified: false })
  assert.deepEqual(await answers(), ['email_not_verified', 'email_not_verified'])
  await admin.delete(`/admin/users/${id}`)
  assert.deepEqual(await answers(), ['invalid_credentials', 'invalid_credentials'])
})

story('an administrator ends all sessions of an account', async (world) => {
  const { admin, addPerson } = world
  const id = await addPerson('x@example.org', 'writer')
  await addSession(world, id)
  await addSession(world, await idOf(world, 'writer@example.org'))
  assert.equal((await admin.delete(`/admin/users/${id}/sessions`)).status, 204)
  assert.equal((await rowsOf(world, 'sessions')).length, 1)
  assert.equal((await admin.delete(`/admin/users/${id}/sessions`)).status, 204, 'none left is as good')
  assert.equal((await admin.delete('/admin/users/nobody/sessions')).body.error.code, 'user_not_found')
  assert.deepEqual(
    (await auditOf(world)).map(({ action, subject_id }) => [action, subject_id]),
    Array(2).fill(['user_sessions_ended', id]),
  )
})

story(
  'a change based on an old version is refused, and the response has the current version',
  async ({ admin, addPerson }) => {
    const id = await addPerson('x@example.org', 'writer', 'pending_approval')
    const path = `/admin/users/${id}`
    const { etag } = (await admin.get(path)).headers as { etag: string }
    assert.equal((await admin.patch(path, { role: 'reader', version: 1 }, { 'if-match': etag })).status, 200)
    for (const answer of [
      await admin.patch(path, { role: 'writer' }, { 'if-match': etag }),
      await admin.patch(path, { role: 'writer', version: 1 }),
      await admin.patch(path, { role: 'writer', version: 2 }, { 'if-match': etag }),
      // The version is checked before the state, so that a decision on outdated data asks for a reload first.
      await admin.patch(path, { approval_state: 'suspended', version: 1 }),
      await admin.delete(path, { 'if-match': etag }),
    ]) {
      assert.equal(answer.status, 412)
      assert.equal(answer.body.error.code, 'version_mismatch')
      assert.equal(answer.body.error.details.current_version, 2)
      assert.match(answer.body.error.details.current_etag, /^"u-2-[0-9a-f]{8}"$/)
    }
    const current = (await admin.get(path)).headers.etag as string
    assert.equal((await admin.patch(path, { role: 'writer' }, { 'if-match': `W/${current}` })).status, 200)
    assert.equal((await admin.patch(path, { role: 'reader' }, { 'if-match': '*' })).status, 200)
    assert.equal((await admin.patch(path, { role: 'writer' }, { 'if-match': 'u-4' })).body.error.code, 'invalid_header')
    assert.equal((await admin.delete(path, { 'if-match': '"u-3-00000000"' })).status, 412)
    assert.equal((await admin.delete(path)).status, 204)
  },
)

story('empty bodies, unknown fields and wrong values are refused as a whole', async (world) => {
  const { admin, addPerson } = world
  const id = await addPerson('x@example.org', 'writer', 'pending_approval')
  const path = `/admin/users/${id}`
  for (const [body, field, code] of [
    [{}, '', 'required'],
    [{ version: 1 }, '', 'required'],
    [{ notify: true, version: 1 }, '', 'required'],
    [{ role: 'owner' }, '/role', 'not_allowed'],
    [{ approval_state: 'deleted' }, '/approval_state', 'not_allowed'],
    [{ email_verified: 'true' }, '/email_verified', 'invalid_type'],
    [{ email_verified: null }, '/email_verified', 'invalid_type'],
    [{ display_name: '' }, '/display_name', 'too_short'],
    [{ display_name: ' \u00a0 ' }, '/display_name', 'too_short'],
    [{ display_name: 'a'.repeat(101) }, '/display_name', 'too_long'],
    [{ display_name: 'a\nbcc: b' }, '/display_name', 'invalid_format'],
    [{ display_name: 'a\u0000' }, '/display_name', 'invalid_format'],
    [{ role: 'reader', password: 'a new password for them' }, '/password', 'unknown_field'],
    [{ role: 'reader', email: 'other@example.org' }, '/email', 'unknown_field'],
    [{ role: 'reader', notify: 'yes' }, '/notify', 'invalid_type'],
    [{ role: 'reader', version: 0 }, '/version', 'out_of_range'],
  ] as const) {
    const answer = await admin.patch(path, body)
    assert.equal(answer.status, 422, JSON.stringify(body))
    const { fields } = answer.body.error.details
    assert.deepEqual([fields[0].field, fields[0].code], [field, code], JSON.stringify(body))
  }
  assert.equal((await admin.patch('/admin/users/nobody', { role: 'reader' })).body.error.code, 'user_not_found')
  assert.equal((await admin.patch('/admin/users/nobody', {})).status, 422, 'what is wrong in itself comes first')
  assert.equal((await admin.get(path)).body.data.version, 1)
  assert.deepEqual(await auditOf(world), [])
})

story('a decision is mailed when requested, and nothing but a decision', async (world) => {
  const { admin, addPerson } = world
  const decide = async (email: string, state: 'pending_approval' | 'approved' | 'suspended', body: object) => {
    const id = await addPerson(email, 'writer', state)
    return { id, status: (await admin.patch(`/admin/users/${id}`, body)).status }
  }
  const yes = await decide('a@example.org', 'pending_approval', { approval_state: 'approved', notify: true })
  const no = await decide('b@example.org', 'pending_approval', { approval_state: 'rejected', notify: true })
  const back = await decide('c@example.org', 'suspended', { approval_state: 'approved', notify: true })
  const out = await decide('f@example.org', 'approved', { approval_state: 'suspended', notify: true })
  for (const [email, state, body] of [
    ['d@example.org', 'pending_approval', { approval_state: 'approved' }],
    ['e@example.org', 'pending_approval', { approval_state: 'rejected', notify: false }],
    ['f2@example.org', 'approved', { approval_state: 'suspended' }],
    ['g@example.org', 'approved', { role: 'reader', notify: true }],
    ['h@example.org', 'approved', { approval_state: 'approved', notify: true }],
  ] as const)
    await decide(email, state, body)
  const mails = (await rowsOf(world, 'outbox')).map(({ kind, user_id }) => [kind, user_id])
  assert.deepEqual(
    mails.toSorted(),
    [
      ['approved', yes.id],
      ['rejected', no.id],
      ['approved', back.id],
      ['suspended', out.id],
    ].toSorted(),
  )
})

story('the audit trail has the actor, the account and the old and new state, and no personal name', async (world) => {
  const { admin, addPerson } = world
  const actor_id = await idOf(world, 'admin@example.org')
  const id = await addPerson('x@example.org', 'writer', 'pending_approval', false)
  await admin.patch(`/admin/users/${id}`, {
    approval_state: 'approved',
    role: 'reader',
    email_verified: true,
    display_name: 'A secret name',
  })
  await admin.patch(`/admin/users/${id}`, { role: 'reader' })
  await admin.patch(`/admin/users/${id}`, { approval_state: 'rejected' })
  await admin.delete(`/admin/users/${id}`)
  await admin.delete(`/admin/users/${id}`)
  const about = { actor_id, subject_id: id, hasRequest: true }
  assert.deepEqual(await auditOf(world), [
    {
      action: 'user_changed',
      ...about,
      detail: {
        approval_state_from: 'pending_approval',
        approval_state_to: 'approved',
        role_from: 'writer',
        role_to: 'reader',
        email_verified_from: false,
        email_verified_to: true,
        display_name: 'changed',
      },
    },
    { action: 'user_deleted', ...about, detail: { role: 'reader', approval_state: 'approved' } },
  ])
})

story('the last administrator cannot be demoted, suspended, unverified or deleted', async (world) => {
  const { admin, addPerson } = world
  const id = await idOf(world, 'admin@example.org')
  // None of these can act as an administrator, so none of them counts.
  await addPerson('waiting@example.org', 'admin', 'pending_approval')
  await addPerson('unproven@example.org', 'admin', 'approved', false)
  await addPerson('gone@example.org', 'admin', 'suspended')
  const tries = [
    () => admin.patch(`/admin/users/${id}`, { role: 'writer' }),
    () => admin.patch(`/admin/users/${id}`, { approval_state: 'suspended' }),
    () => admin.patch(`/admin/users/${id}`, { email_verified: false }),
    () => admin.delete(`/admin/users/${id}`),
  ]
  for (const attempt of tries) {
    const answer = await attempt()
    assert.deepEqual([answer.status, answer.body.error.code], [409, 'last_admin'])
  }
  assert.equal((await admin.patch(`/admin/users/${id}`, { display_name: 'Chief', role: 'admin' })).status, 200)
  const second = await addPerson('second@example.org', 'admin')
  assert.equal((await admin.patch(`/admin/users/${id}`, { role: 'writer' })).status, 200, 'with another, one may go')
  assert.equal((await admin.get('/admin/users')).body.error.code, 'admin_required', 'at once')
  assert.equal((await world.as('second@example.org').delete(`/admin/users/${second}`)).status, 409)
})

story(
  'where no verified address is required, an unverified administrator counts',
  async (world) => {
    const { admin, addPerson } = world
    await addPerson('unproven@example.org', 'admin', 'approved', false)
    const id = await idOf(world, 'admin@example.org')
    assert.equal((await admin.patch(`/admin/users/${id}`, { email_verified: false })).status, 200)
    assert.equal((await admin.delete(`/admin/users/${id}`)).status, 204)
    assert.equal((await world.as('unproven@example.org').get('/admin/users')).status, 200)
  },
  { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off' },
)

story('a deleted account leaves its events behind without a name, and nothing else', async (world) => {
  const { admin, reader, writer, addPerson, as, app } = world
  const id = await addPerson('x@example.org', 'admin')
  const x = as('x@example.org')
  const single = await x.creates(event)
  const series = await writer.creates({ ...event, rrule: 'FREQ=DAILY;COUNT=5' })
  await x.delete(`/events/${series.id}/occurrences/20260715T090000`)
  const other = await writer.creates(event)
  const decided = await addPerson('y@example.org', 'reader', 'pending_approval')
  await x.patch(`/admin/users/${decided}`, { approval_state: 'approved' })
  await x.post('/events', event, { 'idempotency-key': 'once' })
  await addSession(world, id)
  await keepCredentials(world, id)
  await admin.patch(`/admin/users/${id}`, { display_name: 'Soon gone' })
  const list = '/events?from=2026-07-01&to=2026-07-31'
  const before = await reader.get(list)
  assert.equal(before.body.data.find((item: Json) => item.id === single.id).created_by, id)
  const untouched = await reader.get(`/events/${other.id}`)

  assert.equal((await admin.delete(`/admin/users/${id}`)).status, 204)

  const after = await reader.get(list)
  assert.equal(after.body.data.length, before.body.data.length, 'events stay')
  const kept = after.body.data.find((item: Json) => item.id === single.id)
  assert.deepEqual([kept.created_by, kept.updated_by, kept.version], [null, null, 1])
  assert.ok(!after.text.includes(id))
  const changed = (await reader.get(`/events/${series.id}`)).body.data
  const writerId = await idOf(world, 'writer@example.org')
  assert.deepEqual(
    [changed.created_by, changed.updated_by, changed.exceptions[0].created_by, changed.version],
    [writerId, null, null, 2],
  )
  const seen = await reader.get(`/events/${single.id}`, { 'if-none-match': single.etag })
  assert.equal(seen.status, 200, 'a copy with the name in it is not called fresh')
  assert.equal((await reader.get(`/events/${other.id}`)).text, untouched.text)
  assert.equal((await admin.get(`/admin/users/${decided}`)).body.data.decided_by, null)
  assert.equal((await x.get('/events')).status, 401)
  assert.equal((await admin.get(`/admin/users/${id}`)).body.error.code, 'user_not_found')
  assert.equal((await admin.delete(`/admin/users/${id}`)).body.error.code, 'user_not_found')
  for (const table of ['sessions', 'tokens', 'app_passwords', 'api_tokens', 'outbox'] as const)
    assert.deepEqual(await rowsOf(world, table), [], table)
  assert.deepEqual(await app.ctx.storage.reads.selectFrom('idempotency_keys').selectAll().execute(), [])
})

forEachEngine('the events of a deleted author are changed in parts, in one transaction', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, addPerson, as, app } = world
    const copies = engine === 'sqlite' ? 6_000 : 1_200
    let id = ''
    const fill = async (run: number): Promise<void> => {
      await app.ctx.storage.writes.deleteFrom('events').where('title', '=', 'Own').execute()
      id = await addPerson(`x${run}@example.org`, 'writer')
      const { id: first } = await as(`x${run}@example.org`).creates({ ...event, title: 'Own' })
      await copySeries(world, first, copies, 1)
    }
    const other = await writer.creates({ ...event, title: 'Other' })
    const rows = () => app.ctx.storage.reads.selectFrom('events').select(['id', 'created_by', 'updated_by', 'revision'])
    const unchanged = await rows().where('id', '=', other.id).execute()
    // PostgreSQL works in a process of its own.
    const share = engine === 'sqlite' ? 0.4 : 1
    const { result } = await assertShortTurns('delete', { share }, () => admin.delete(`/admin/users/${id}`), fill)
    assert.equal(result.status, 204)
    const after = await rows().where('id', '<>', other.id).execute()
    assert.equal(after.length, copies + 1)
    const { revision } = await app.ctx.storage.reads.selectFrom('calendar').select('revision').executeTakeFirstOrThrow()
    assert.ok(after.every((row) => row.created_by === null && row.updated_by === null && row.revision === revision))
    assert.deepEqual(await rows().where('id', '=', other.id).execute(), unchanged)
  }),
)

async function keepCredentials({ app }: World, user_id: string): Promise<void> {
  const now = app.ctx.clock()
  const made = { user_id, created_at: now, last_used_at: null }
  await inTransaction(app.ctx.storage, async (db) => {
    await db
      .insertInto('tokens')
      .values({ hash: 'a', purpose: 'reset', user_id, email_key: 'x', created_at: now, expires_at: now, used_at: null })
      .execute()
    await db
      .insertInto('app_passwords')
      .values({ ...made, id: 'a', hash: 'a', name: 'phone' })
      .execute()
    await db
      .insertInto('api_tokens')
      .values({ ...made, id: 'a', hash: 'a', name: 'script', last_four: 'abcd', scopes: 'admin', expires_at: now })
      .execute()
    await db
      .insertInto('outbox')
      .values({
        id: 'a',
        kind: 'approved',
        user_id,
        email_key: null,
        status: 'waiting',
        attempts: 0,
        next_at: now + 3_600_000,
        claimed_by: null,
        claimed_until: 0,
        problem: null,
        created_at: now,
        done_at: null,
      })
      .execute()
  })
}
