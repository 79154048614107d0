// The account list: filters, search, pages, order and counts, the same on both engines and for administrators only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldText } from '../../../src/domain/plain-text.ts'
import { rawQuery } from '../../../src/storage/dialect.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { copySeries } from '../../support/storage/many-events.ts'
import { type World, withWorld } from '../../support/world.ts'

const emails = ({ body }: ApiResponse): string[] => body.data.map((user: Json) => user.email)
const names = ({ body }: ApiResponse): string[] => body.data.map((user: Json) => user.display_name)

/** Accounts have different creation times, so that lists have an order. */
async function addPeople({ addPerson, clock, app }: World): Promise<void> {
  const rows = [
    ['bea@example.org', 'reader', 'pending_approval', false, 'Béatrice Ångström'],
    ['carl@example.org', 'writer', 'rejected', true, 'Carl_100%'],
    ['dora@example.net', 'writer', 'suspended', true, 'Dora\\Back'],
    ['Emil@Example.org', 'admin', 'approved', false, 'émile'],
    ['fay@example.org', 'writer', 'pending_approval', true, 'CarlX100'],
  ] as const
  for (const [email, role, state, isVerified, name] of rows) {
    clock.at += 1_000
    const id = await addPerson(email, role, state, isVerified)
    await inTransaction(app.ctx.storage, (db) =>
      db
        .updateTable('users')
        .set({ display_name: name, name_key: foldText(name) })
        .where('id', '=', id)
        .execute(),
    )
  }
}

const story = (name: string, tell: (world: World) => Promise<void>) =>
  forEachEngine(name, (engine) =>
    withWorld(engine, async (world) => {
      await addPeople(world)
      await tell(world)
    }),
  )

story('every account is listed with exactly the fields of a user, oldest first', async ({ admin, clock, app }) => {
  const answer = await admin.get('/admin/users')
  assert.equal(answer.status, 200)
  assert.deepEqual(emails(answer).slice(3), [
    'bea@example.org',
    'carl@example.org',
    'dora@example.net',
    'Emil@Example.org',
    'fay@example.org',
  ])
  const last = answer.body.data.at(-1)
  assert.deepEqual(last, {
    id: last.id,
    email: 'fay@example.org',
    display_name: 'CarlX100',
    role: 'writer',
    approval_state: 'pending_approval',
    email_verified: true,
    email_verified_at: new Date(clock.at).toISOString().replace('.000', ''),
    password_state: 'set',
    request_message: null,
    request_count: 0,
    last_requested_at: null,
    created_at: new Date(clock.at).toISOString().replace('.000', ''),
    decided_at: null,
    decided_by: null,
    last_login_at: null,
    version: 1,
  })
  assert.deepEqual(answer.body.meta, {
    pagination: { page: 1, per_page: 50, total: 8, total_pages: 1 },
    counts: { pending_approval: 2, approved: 4, rejected: 1, suspended: 1 },
  })
  const one = await admin.get(`/admin/users/${last.id}`)
  assert.deepEqual(one.body, { data: last, meta: { version: 1 } })
  assert.match(String(one.headers.etag), /^"u-1-[0-9a-f]{8}"$/)
  const hashes = await app.ctx.storage.reads.selectFrom('users').select('password_hash').execute()
  for (const { password_hash } of hashes) assert.ok(!answer.text.includes(password_hash))
  assert.ok(!answer.text.includes('argon2'))
})

story('filters narrow the list, together further, and counts stay those of all accounts', async ({ admin }) => {
  const cases: [string, string[]][] = [
    ['approval_state=pending_approval', ['bea@example.org', 'fay@example.org']],
    ['approval_state=rejected', ['carl@example.org']],
    ['approval_state=suspended', ['dora@example.net']],
    ['role=admin', ['admin@example.org', 'Emil@Example.org']],
    ['email_verified=false', ['bea@example.org', 'Emil@Example.org']],
    ['email_verified=true&role=writer&approval_state=pending_approval', ['fay@example.org']],
    ['role=reader&approval_state=suspended', []],
    ['q=bea@&email_verified=true', []],
  ]
  for (const [query, expected] of cases) {
    const answer = await admin.get(`/admin/users?${query}`)
    assert.deepEqual(emails(answer).toSorted(), expected.toSorted(), query)
    assert.equal(answer.body.meta.pagination.total, expected.length)
    assert.deepEqual(answer.body.meta.counts, { pending_approval: 2, approved: 4, rejected: 1, suspended: 1 })
  }
})

story(
  'search matches the beginning of an address or a name; wildcard characters have no meaning',
  async ({ admin }) => {
    const cases: [string, string[]][] = [
      ['bea', ['Béatrice Ångström']],
      ['BÉA', ['Béatrice Ångström']],
      ['beatrice ang', ['Béatrice Ångström']],
      ['ångström', []],
      ['EMIL@example', ['émile']],
      ['emile', ['émile']],
      ['É', ['émile']],
      ['carl', ['Carl_100%', 'CarlX100']],
      ['carl_', ['Carl_100%']],
      ['carl_100%', ['Carl_100%']],
      ['%', []],
      ['_', []],
      ['dora\\', ['Dora\\Back']],
      ['dora\\b', ['Dora\\Back']],
      ['\\', []],
      ["' or 1=1 --", []],
      ['example.org', []],
    ]
    for (const [text, expected] of cases) {
      const answer = await admin.get(`/admin/users?q=${encodeURIComponent(text)}`)
      assert.deepEqual(names(answer), expected, text)
    }
    assert.equal((await admin.get('/admin/users?q=')).body.meta.pagination.total, 8, 'an empty search lists all')
    const broken = await admin.get('/admin/users?q=a%00b')
    assert.equal(broken.status, 400)
    assert.equal(broken.body.error.code, 'invalid_parameter')
  },
)

story('pages follow one another without a gap, in each order', async ({ admin, app }) => {
  const all = emails(await admin.get('/admin/users'))
  for (const [sort, order] of [
    ['created_at', all],
    ['-created_at', [...all.slice(3).reverse(), ...all.slice(0, 3)]],
    [
      'email',
      [
        'admin@example.org',
        'bea@example.org',
        'carl@example.org',
        'dora@example.net',
        'Emil@Example.org',
        'fay@example.org',
        'reader@example.org',
        'writer@example.org',
      ],
    ],
  ] as const) {
    const pages = []
    for (let page = 1; page <= 3; page++) {
      const answer = await admin.get(`/admin/users?sort=${sort}&per_page=3&page=${page}`)
      assert.deepEqual(answer.body.meta.pagination, { page, per_page: 3, total: 8, total_pages: 3 })
      pages.push(...emails(answer))
    }
    assert.deepEqual(pages, order, sort)
  }
  const { headers } = await admin.get('/admin/users?q=e&role=admin&per_page=1&page=1')
  const base = `${app.site.base}/admin/users?role=admin&q=e`
  assert.equal(headers.link, `<${base}&page=1&per_page=1>; rel="first", <${base}&page=1&per_page=1>; rel="last"`)
  const beyond = await admin.get('/admin/users?page=999999999999999&per_page=200')
  assert.deepEqual([beyond.status, beyond.body.data, beyond.body.meta.pagination.total], [200, [], 8])
})

story('malformed parameters are 400, values that are not allowed 422', async ({ admin }) => {
  for (const [query, status, code] of [
    ['page=0', 422, 'validation_failed'],
    ['per_page=201', 422, 'validation_failed'],
    ['per_page=0', 422, 'validation_failed'],
    ['approval_state=deleted', 422, 'validation_failed'],
    ['role=owner', 422, 'validation_failed'],
    ['sort=password_hash', 422, 'validation_failed'],
    [`q=${'a'.repeat(255)}`, 422, 'validation_failed'],
    ['page=two', 400, 'invalid_parameter'],
    ['email_verified=maybe', 400, 'invalid_parameter'],
    ['role=admin&role=reader', 400, 'duplicate_parameter'],
  ] as const) {
    const answer = await admin.get(`/admin/users?${query}`)
    assert.deepEqual([answer.status, answer.body.error.code], [status, code], query)
  }
})

story('only administrators see the account list', async ({ anonymous, reader, writer, as, admin }) => {
  const id = (await admin.get('/admin/users?q=fay')).body.data[0].id
  for (const [client, status, code] of [
    [anonymous, 401, 'authentication_required'],
    [reader, 403, 'admin_required'],
    [writer, 403, 'admin_required'],
    [as('fay@example.org'), 403, 'account_pending'],
    [as('Emil@example.org'), 403, 'email_not_verified'],
  ] as const) {
    for (const answer of [
      await client.get('/admin/users'),
      await client.get(`/admin/users/${id}`),
      await client.get('/admin/users/nobody'),
      await client.patch(`/admin/users/${id}`, { role: 'admin' }),
      await client.patch('/admin/users/nobody', { nonsense: 1 }),
      await client.delete(`/admin/users/${id}`),
      await client.delete(`/admin/users/${id}/sessions`),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [status, code])
  }
  assert.equal((await admin.get(`/admin/users/${id}`)).body.data.version, 1, 'nothing was changed')
  assert.equal((await admin.get('/admin/users/nobody')).body.error.code, 'user_not_found')
})

test('deleting an account with very many rows takes short turns', () =>
  withWorld('sqlite', async (world) => {
    const { app, admin, writer } = world
    const { writes } = app.ctx.storage
    const { id: seriesId } = await writer.creates({
      title: 'Class',
      start: '2026-07-01T09:00',
      end: '2026-07-01T10:00',
      rrule: 'FREQ=DAILY;COUNT=60',
    })
    for (let day = 1; day <= 30; day++)
      await writer.delete(`/events/${seriesId}/occurrences/202607${String(day).padStart(2, '0')}T090000`)
    await copySeries(world, seriesId, 1_500, 1_000)
    let id = ''
    const prepare = async (run: number): Promise<void> => {
      id = await world.addPerson(`many${run}@example.org`, 'writer')
      await rawQuery(writes, 'update exceptions set created_by = ?1', [id])
      await rawQuery(
        writes,
        `with recursive c(n) as (select 1 union all select n + 1 from c where n < 60000)
          insert into idempotency_keys (user_id, key, body_hash, event_id, created_at)
          select ?1, 'key' || c.n, 'hash', 'event', 0 from c`,
        [id],
      )
    }
    const remove = async (): Promise<number> => (await admin.delete(`/admin/users/${id}`)).status
    const { result } = await assertShortTurns('DELETE', { ms: 40 }, remove, prepare)
    assert.equal(result, 204)
    const left = await rawQuery<{ total: number }>(
      app.ctx.storage.reads,
      'select count(*) as total from exceptions where created_by is not null',
      [],
    )
    assert.deepEqual(left, [{ total: 0 }])
  }))
