// The audit trail: every entry, newest first, in pages; only old sign-ins are purged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { purgeExpired } from '../../../src/actions/maintenance/housekeeping.ts'
import type { AuditAction, NewAuditEntry } from '../../../src/domain/account/audit.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { insertAudit, purgeAudit } from '../../../src/storage/operations/audit.ts'
import type { Json } from '../../support/http/api-response.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { PASSWORD, type World, withWorld } from '../../support/world.ts'

const entryOf = (action: AuditAction, actorId: string | null, subjectId: string | null = null): NewAuditEntry => ({
  action,
  actorId,
  subjectId,
  requestId: 'r',
  detail: { from: 'reader', to: 'writer' },
})

const write = ({ app, clock }: World, ...entries: NewAuditEntry[]): Promise<void> =>
  inTransaction(app.ctx.storage, async (db) => {
    for (const entry of entries) await insertAudit(db, entry, clock.at)
  })

const actions = ({ body }: { body: Json }): string[] => body.data.map((entry: Json) => entry.action)

forEachEngine('entries come newest first, with actor, action and account', (engine) =>
  withWorld(engine, async (world) => {
    await write(world, entryOf('user_registered', null, 'u1'))
    world.clock.at += 60_000
    await write(world, entryOf('user_changed', 'a1', 'u1'))
    const answer = await world.admin.get('/admin/audit')
    assert.equal(answer.status, 200)
    assert.deepEqual(actions(answer), ['user_changed', 'user_registered'])
    assert.deepEqual(
      { ...answer.body.data[0], id: '' },
      {
        id: '',
        at: '2026-07-10T12:01:00Z',
        action: 'user_changed',
        actor_id: 'a1',
        actor_name: null,
        subject_id: 'u1',
        subject_name: null,
        request_id: 'r',
        detail: { from: 'reader', to: 'writer' },
      },
    )
    assert.deepEqual(answer.body.meta.pagination, { page: 1, per_page: 50, total: 2, total_pages: 1 })
  }),
)

forEachEngine('accounts have their current names in the trail, for as long as they exist', (engine) =>
  withWorld(engine, async (world) => {
    const id = await world.addPerson('choir@example.org', 'reader')
    await write(world, entryOf('user_changed', id, null), entryOf('user_changed', 'a1', id))
    const names = async () =>
      (await world.admin.get('/admin/audit?action=user_changed')).body.data.map((entry: Json) => [
        entry.actor_name,
        entry.subject_name,
      ])
    assert.deepEqual(await names(), [
      [null, 'choir'],
      ['choir', null],
    ])
    await world.app.ctx.storage.writes.deleteFrom('users').where('id', '=', id).execute()
    assert.deepEqual(await names(), [
      [null, null],
      [null, null],
    ])
  }),
)

forEachEngine('entries can be filtered by action and by account', (engine) =>
  withWorld(engine, async (world) => {
    await write(
      world,
      entryOf('user_registered', null, 'u1'),
      entryOf('user_changed', 'a1', 'u1'),
      entryOf('user_changed', 'a1', 'u2'),
      entryOf('password_changed', 'u1', 'u1'),
    )
    const list = async (query: string) => actions(await world.admin.get(`/admin/audit?${query}`))
    assert.deepEqual(await list('user_id=u1'), ['password_changed', 'user_changed', 'user_registered'])
    assert.deepEqual(await list('user_id=a1'), ['user_changed', 'user_changed'])
    assert.deepEqual(await list('user_id=u1&action=user_changed'), ['user_changed'])
    assert.deepEqual(await list("user_id=u1' or 1=1 --"), [])
    assert.deepEqual(await list('user_id=%25'), [])
    for (const [query, status, code] of [
      ['action=anything', 422, 'validation_failed'],
      ['user_id=', 422, 'validation_failed'],
      [`user_id=${'x'.repeat(65)}`, 422, 'validation_failed'],
      ['user_id=%00', 400, 'invalid_parameter'],
      ['page=0', 422, 'validation_failed'],
      ['per_page=201', 422, 'validation_failed'],
      ['page=x', 400, 'invalid_parameter'],
    ] as const) {
      const answer = await world.admin.get(`/admin/audit?${query}`)
      assert.equal(answer.status, status, query)
      assert.equal(answer.body.error.code, code, query)
    }
  }),
)

forEachEngine('entries come in pages that link to each other', (engine) =>
  withWorld(engine, async (world) => {
    await write(world, ...Array.from({ length: 5 }, (_, i) => entryOf('user_changed', `a${i}`)))
    await write(world, entryOf('login_failed', null))
    const path = `${world.app.site.base}/admin/audit`
    const actors = async (page: number) => {
      const answer = await world.admin.get(`/admin/audit?action=user_changed&per_page=2&page=${page}`)
      return { answer, ids: answer.body.data.map((entry: Json) => entry.actor_id) }
    }
    const { answer, ids } = await actors(2)
    assert.deepEqual(ids, ['a2', 'a1'])
    assert.deepEqual(answer.body.meta.pagination, { page: 2, per_page: 2, total: 5, total_pages: 3 })
    const link = (page: number, rel: string) => `<${path}?action=user_changed&page=${page}&per_page=2>; rel="${rel}"`
    assert.equal(answer.headers.link, [link(1, 'first'), link(1, 'prev'), link(3, 'next'), link(3, 'last')].join(', '))
    assert.deepEqual((await actors(3)).ids, ['a0'])
    assert.deepEqual((await actors(4)).ids, [])
    assert.deepEqual((await actors(999_999_999_999)).ids, [])
  }),
)

test('a page far back in a long trail is read in short turns of the event loop', () =>
  withWorld('sqlite', async (world) => {
    await sql`insert into audit (at, action, actor_id, subject_id, request_id, detail)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000)
      select i, 'app_password_created', 'u' || (i % 2), null, null, '{}' from n`.execute(world.app.ctx.storage.writes)
    const read = () => world.admin.get('/admin/audit?user_id=u1&per_page=200&page=740')
    const { result } = await assertShortTurns('a page', { ms: 40 }, read)
    assert.equal(result.body.data.length, 200)
  }))

forEachEngine('sign-ins are purged after ninety days, everything else stays', (engine) =>
  withWorld(engine, async (world) => {
    await write(
      world,
      entryOf('login_succeeded', 'u1'),
      entryOf('login_failed', null, 'u1'),
      entryOf('user_changed', 'a1', 'u1'),
      entryOf('password_reset', 'u1', 'u1'),
    )
    const purge = () => inTransaction(world.app.ctx.storage, (db) => purgeAudit(db, world.clock.at))
    world.clock.at += 90 * 86_400_000
    await purge()
    assert.equal((await world.admin.get('/admin/audit')).body.data.length, 4)
    world.clock.at += 1
    await purge()
    assert.deepEqual(actions(await world.admin.get('/admin/audit')), ['password_reset', 'user_changed'])
  }),
)

forEachEngine('refusals are recorded too', (engine) =>
  withWorld(engine, async ({ admin, anonymous, reader, addPerson, app, clock }) => {
    await addPerson('gone@example.org', 'writer', 'suspended')
    await anonymous.post('/auth/login', { email: 'gone@example.org', password: PASSWORD })
    await anonymous.post('/users/verify', { token: 'A'.repeat(43) })
    await anonymous.post('/setup', { code: 'x', email: 'a@example.org', password: 'seven quiet herons' })
    for (let i = 0; i < 3; i++) await reader.get('/admin/users')
    await addPerson('never@example.org', 'writer', 'pending_approval', false)
    clock.at += 8 * 86_400_000
    await purgeExpired(app.ctx)
    await app.flushTraces()
    const count = async (action: string) => (await admin.get(`/admin/audit?action=${action}`)).body.data.length
    assert.equal(await count('login_refused'), 1)
    assert.equal(await count('token_refused'), 2)
    assert.equal(await count('access_denied'), 1, 'once an hour for each door')
    const [removed] = (await admin.get('/admin/audit?action=unproven_users_removed')).body.data
    assert.deepEqual(removed.detail, { count: 1 })
  }),
)
