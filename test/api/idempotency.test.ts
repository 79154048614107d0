// Idempotency-Key on every POST of an account: one effect, the same answer, and no secret stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { claimIdempotencyKey, storeIdempotentAnswer } from '../../src/storage/operations/idempotency.ts'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type Client, type World, withTwoNodes, withWorld } from '../support/world.ts'

const meeting = { title: 'Parish council', start: '2026-07-14T19:30', end: '2026-07-14T21:00' }

const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key })

const outcomeOf = ({ status, body, headers }: ApiResponse): string =>
  [status, body?.error?.code, headers['idempotency-replayed'] && 'replayed'].filter(Boolean).join(' ')

const storedKeys = ({ app }: World) => app.ctx.storage.reads.selectFrom('idempotency_keys').selectAll().execute()

forEachEngine('each POST of an account takes effect once under one key, and gets the same answer again', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, admin, anonymous } = world
    const { id } = await writer.creates(meeting)
    await writer.delete(`/events/${id}`)
    const waiting = await world.addPerson('waiting@example.org', 'writer', 'pending_approval')
    const calls: [string, (headers: Record<string, string>) => Promise<ApiResponse>][] = [
      ['restore', (headers) => writer.post(`/trash/${id}/restore`, undefined, headers)],
      ['reject', (headers) => admin.post('/admin/users/reject', { ids: [waiting] }, headers)],
      ['import', (headers) => importFile(admin, headers)],
      ['test mail', (headers) => admin.post('/admin/settings/test-mail', undefined, headers)],
      ['create', (headers) => writer.post('/events', meeting, headers)],
    ]
    for (const [name, call] of calls) {
      const first = await call(keyed('k'))
      assert.ok(first.status < 300, `${name}: ${first.text}`)
      const again = await call(keyed('k'))
      assert.deepEqual([again.status, again.text], [first.status, first.text], name)
      assert.equal(outcomeOf(again), `${first.status} replayed`)
      for (const header of ['etag', 'location', 'content-type', 'cache-control'])
        assert.equal(again.headers[header], first.headers[header], `${name} ${header}`)
    }
    assert.equal((await writer.post(`/trash/${id}/restore`, undefined)).status, 404)
    assert.equal(
      outcomeOf(await writer.post(`/trash/${waiting}/restore`, undefined, keyed('k'))),
      '422 idempotency_key_reuse',
    )
    assert.equal((await storedKeys(world)).length, calls.length)
    assert.equal((await anonymous.post('/events', meeting, keyed('k'))).status, 401)
    const registered = { email: 'new@example.org', password: 'seven quiet herons', display_name: 'New' }
    assert.equal((await anonymous.post('/users/register', registered, keyed('k'))).status, 202, 'ignored')
    assert.equal((await storedKeys(world)).length, calls.length)
  }),
)

const importFile = (admin: Client, headers: Record<string, string>): Promise<ApiResponse> =>
  admin.send({
    method: 'POST',
    url: '/api-root/calendar/v1/admin/import?dry_run=false',
    headers: { ...headers, 'content-type': 'text/calendar' },
    payload: [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//x//EN',
      'BEGIN:VEVENT',
      'UID:imported',
      'DTSTAMP:20260701T000000Z',
      'DTSTART:20260714T090000Z',
      'SUMMARY:Sent',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  })

forEachEngine('bodies that mean the same are the same request, and others are refused', (engine) =>
  withWorld(engine, async ({ writer, admin }) => {
    const first = await writer.post('/events', meeting, keyed('k'))
    const { title, start, end } = meeting
    for (const same of [
      JSON.stringify({ end, start, title }, null, 4),
      JSON.stringify({ ...meeting, description: null, location: '', rrule: '', rdates: [], exdates: null }),
      JSON.stringify({ ...meeting, status: 'confirmed', transparency: 'opaque', all_day: false }),
      JSON.stringify({ ...meeting, visibility: 'private', timezone: 'Europe/London' }),
    ]) {
      const headers = { ...keyed('k'), 'content-type': 'application/json' }
      const answer = await writer.send({ method: 'POST', url: '/api-root/calendar/v1/events', headers, payload: same })
      assert.deepEqual([answer.status, answer.text], [201, first.text], same)
    }
    for (const other of [
      { visibility: 'public' },
      { timezone: 'Asia/Tokyo' },
      { all_day: true },
      { location: 'Hall' },
      { uid: 'x' },
    ])
      assert.equal(
        outcomeOf(await writer.post('/events', { ...meeting, ...other }, keyed('k'))),
        '422 idempotency_key_reuse',
      )
    // A default that was changed in between makes an unchanged request no other one.
    const { version } = (await admin.get('/admin/settings')).body.meta
    const changed = await admin.patch('/admin/settings', { default_visibility: 'public', version })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(outcomeOf(await writer.post('/events', meeting, keyed('k'))), '201 replayed')
    assert.equal((await writer.get('/events')).body.meta.pagination.total, 1)
  }),
)

forEachEngine('a request with another precondition is another one, in a header as in the body', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id, etag } = await writer.creates(meeting)
    const changed = await writer.patch(`/events/${id}`, { title: 'Changed', version: 1 })
    const restore = (ifMatch: string, key: string) =>
      writer.post(`/events/${id}/history/1/restore`, {}, { ...keyed(key), 'if-match': ifMatch })
    const tag = String(changed.headers.etag)
    assert.equal(outcomeOf(await restore(etag, 'k')), '412 version_mismatch')
    assert.equal(outcomeOf(await restore(tag, 'k')), '200')
    assert.equal(outcomeOf(await restore(tag, 'k')), '200 replayed')
    const later = await writer.patch(`/events/${id}`, { title: 'Again', version: 3 })
    assert.equal(outcomeOf(await restore(String(later.headers.etag), 'k')), '422 idempotency_key_reuse')
    assert.equal((await writer.get(`/events/${id}`)).body.data.title, 'Again')
    const inBody = (version: number) => writer.post(`/events/${id}/history/1/restore`, { version }, keyed('b'))
    assert.equal(outcomeOf(await inBody(4)), '200')
    assert.equal(outcomeOf(await inBody(5)), '422 idempotency_key_reuse')
  }),
)

forEachEngine('the answer stays the same when the event has changed, and belongs to its person', (engine) =>
  withWorld(engine, async ({ writer, admin }) => {
    const first = await writer.post('/events', meeting, keyed('k'))
    const { id } = first.body.data
    assert.equal((await writer.patch(`/events/${id}`, { title: 'Changed', version: 1 })).status, 200)
    const again = await writer.post('/events', meeting, keyed('k'))
    assert.deepEqual([again.text, again.headers.etag], [first.text, first.headers.etag])
    const other = await admin.post('/events', meeting, keyed('k'))
    assert.deepEqual([outcomeOf(other), other.body.data.id === id], ['201', false])
  }),
)

forEachEngine('a credential that may not read gets no stored answer with the whole event', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { token } = (await writer.post('/auth/tokens', { name: 'x', scopes: ['events:write'] })).body.data
    const writeOnly = world.with({ authorization: `Bearer ${token}` })
    assert.equal((await writer.post('/events', meeting, keyed('k'))).status, 201)
    const refused = await writeOnly.post('/events', meeting, keyed('k'))
    assert.equal(outcomeOf(refused), '403 token_scope_insufficient')
    const own = await writeOnly.post('/events', meeting, keyed('own'))
    const again = await writer.post('/events', meeting, keyed('own'))
    assert.deepEqual([again.text, outcomeOf(again)], [own.text, '201 replayed'])
    assert.equal(own.body.data.title, 'Private Event')
  }),
)

forEachEngine('a person who lost the right to act gets no stored answer', (engine) =>
  withWorld(engine, async ({ writer, admin }) => {
    assert.equal((await writer.post('/events', meeting, keyed('k'))).status, 201)
    const { data } = (await admin.get('/admin/users?q=writer')).body
    const change = (fields: object) => admin.patch(`/admin/users/${data[0].id}`, fields)
    assert.equal((await change({ role: 'reader' })).status, 200)
    assert.equal(outcomeOf(await writer.post('/events', meeting, keyed('k'))), '403 insufficient_capability')
    assert.equal((await change({ approval_state: 'suspended' })).status, 200)
    assert.equal(outcomeOf(await writer.post('/events', meeting, keyed('k'))), '403 account_suspended')
  }),
)

forEachEngine('an answer with a secret is not stored: repeated, it is 409, and nothing is made', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const made: [string, object][] = [
      ['/auth/tokens', { name: 'Website', scopes: ['events:read'] }],
      ['/auth/app-passwords', { name: 'Phone' }],
      ['/auth/feeds', { name: 'Phone', category: null }],
    ]
    for (const [path, body] of made) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => writer.post(path, body, keyed('k'))))
      assert.deepEqual(answers.map(outcomeOf).sort(), ['201', ...Array(4).fill('409 idempotency_done')], path)
      assert.equal((await writer.get(path)).body.data.length, 1)
    }
    const change = { current_password: 'wrong', password: 'seven quiet herons' }
    for (let i = 0; i < 2; i++) {
      const answer = await writer.post('/auth/change-password', change, keyed('k'))
      assert.equal(answer.headers['idempotency-replayed'], undefined, 'ignored')
    }
    const stored = JSON.stringify(await storedKeys(world))
    assert.equal((await storedKeys(world)).length, 3)
    assert.doesNotMatch(stored, /calpat_|"k"/)
    assert.deepEqual(
      (await storedKeys(world)).map(({ answer }) => answer),
      [null, null, null],
    )
  }),
)

forEachEngine('neither the key nor the text of an answer is stored in clear', (engine) =>
  withWorld(engine, async (world) => {
    await world.writer.post('/events', meeting, keyed('my-own-key'))
    const [row] = await storedKeys(world)
    assert.ok(row!.answer!.length > 100)
    assert.doesNotMatch(JSON.stringify(row), /my-own-key|council/i)
  }),
)

forEachEngine('of requests with one key at once on two nodes, one takes effect', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const { id } = await one.writer.creates(meeting)
    await one.writer.delete(`/events/${id}`)
    const send = (path: string, body: unknown) =>
      Promise.all([one, two, one, two, one, two].map(({ writer }) => writer.post(path, body, keyed('k'))))
    const created = await send('/events', meeting)
    assert.deepEqual(created.map(outcomeOf).sort(), ['201', ...Array(5).fill('201 replayed')])
    assert.equal(new Set(created.map(({ text }) => text)).size, 1)
    const restored = await send(`/trash/${id}/restore`, undefined)
    assert.deepEqual(restored.map(outcomeOf).sort(), ['200', ...Array(5).fill('200 replayed')])
    assert.equal(new Set(restored.map(({ text }) => text)).size, 1)
    const tokens = await send('/auth/tokens', { name: 'x', scopes: ['events:read'] })
    assert.deepEqual(tokens.map(outcomeOf).sort(), ['201', ...Array(5).fill('409 idempotency_done')])
  }),
)

forEachEngine('a failed request leaves its key free', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { id } = await writer.creates(meeting)
    const restore = () => writer.post(`/trash/${id}/restore`, undefined, keyed('k'))
    assert.equal((await restore()).status, 404)
    assert.deepEqual(await storedKeys(world), [])
    await writer.delete(`/events/${id}`)
    assert.equal((await restore()).status, 200)
  }),
)

forEachEngine(
  'a repeated request waits for the first one, and takes over when that has ended without an answer',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, app, clock } = world
      const { id } = await writer.creates(meeting)
      await writer.delete(`/events/${id}`)
      const restore = () => writer.post(`/trash/${id}/restore`, undefined, keyed('k'))
      await restore()
      const [row] = await storedKeys(world)
      const { answer } = row!
      await writer.delete(`/events/${id}`)
      // As if the first request still ran.
      const hold = (held_until: number) =>
        app.ctx.storage.writes
          .updateTable('idempotency_keys')
          .set({ holder: 'other', held_until, answer: null })
          .execute()
      await hold(clock.at + 60_000)
      const waiting = restore()
      await inTransaction(app.ctx.storage, (db) => storeIdempotentAnswer(db, { ...row!, holder: 'other' }, answer))
      assert.equal(outcomeOf(await waiting), '200 replayed')
      assert.equal((await writer.get(`/events/${id}`)).status, 404)
      await hold(clock.at - 1)
      assert.equal(outcomeOf(await restore()), '200')
    }),
)

test('a key that another request took over is neither stored nor released by the first', () =>
  withWorld('sqlite', async (world) => {
    const { storage } = world.app.ctx
    const key = { user_id: 'u', key: 'k', body_hash: 'h', event_id: null, held_until: 10, created_at: 5 }
    const claim = (holder: string, now: number) =>
      inTransaction(storage, (db) => claimIdempotencyKey(db, { ...key, holder, held_until: now + 5, created_at: now }))
    assert.equal(await claim('one', 5), undefined)
    assert.equal((await claim('two', 6))?.holder, 'one')
    assert.equal(await claim('two', 11), undefined)
    await inTransaction(storage, (db) => storeIdempotentAnswer(db, { ...key, holder: 'one' }, 'late'))
    assert.deepEqual(
      (await storedKeys(world)).map(({ holder, answer }) => [holder, answer]),
      [['two', null]],
    )
  }))
