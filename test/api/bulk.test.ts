// Bulk changes: each operation by itself or all or none, with preconditions, limits and keys, on both engines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type Client, withTwoNodes, withWorld } from '../support/world.ts'

const meeting = { title: 'Parish council', start: '2026-07-14T19:30', end: '2026-07-14T21:00', visibility: 'public' }

const create = (title: string, more: object = {}) => ({ op: 'create', event: { ...meeting, title, ...more } })

const bulk = (client: Client, operations: object[], more: object = {}, headers: Record<string, string> = {}) =>
  client.post('/events/bulk', { operations, ...more }, headers)

const outcomes = (results: Json[]): (string | number)[] =>
  results.map(({ status, error }) => (error ? `${status} ${error.code}` : status))

const titles = async (client: Client): Promise<string[]> =>
  (await client.get('/events?per_page=200')).body.data.map(({ title }: Json) => title).sort()

forEachEngine('each operation has its own precondition and the result that it would have alone', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const [a, b, c] = [await writer.creates(meeting), await writer.creates(meeting), await writer.creates(meeting)]
    const asRead = (await writer.get(`/events/${c.id}`)).body.data
    const answer = await bulk(writer, [
      create('New', { rrule: 'FREQ=DAILY;COUNT=3', exdates: ['20260720T193000'] }),
      { op: 'update', id: a.id, version: 1, event: { title: 'Changed' } },
      { op: 'update', id: b.id, version: 7, event: { title: 'Changed' } },
      { op: 'update', id: b.id, event: { title: 'Changed' } },
      { op: 'update', id: b.id, etag: b.etag, event: { title: '' } },
      { op: 'update', id: c.id, event: { ...asRead, location: 'Hall' } },
      { op: 'update', id: c.id, version: 2, event: { uid: 'other' } },
      { op: 'update', id: 'nowhere', version: 1, event: {} },
      { op: 'delete', id: b.id, etag: '"e-9-00000000"' },
      { op: 'delete', id: b.id, version: 1 },
      { op: 'delete', id: b.id },
      create('Taken', { uid: a.uid }),
      { op: 'create', event: { title: 'No time', rruule: 'x' } },
    ])
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(outcomes(answer.body.data), [
      ...[201, 200, '412 version_mismatch', '400 precondition_required', '422 validation_failed', 200],
      ...['422 validation_failed', '404 event_not_found', '412 version_mismatch', 204, '404 event_not_found'],
      ...['409 uid_conflict', '422 validation_failed'],
    ])
    const results: Json[] = answer.body.data
    assert.deepEqual(results[0]!.data, (await writer.get(`/events/${results[0]!.data.id}`)).body.data)
    assert.deepEqual(results[0]!.meta.dropped, [{ occurrence_key: '20260720T193000', type: 'excluded' }])
    assert.deepEqual(results[1]!.data, (await writer.get(`/events/${a.id}`)).body.data)
    assert.equal(results[1]!.meta.version, 2)
    assert.equal(results[2]!.error.details.current_version, 1)
    assert.equal(results[5]!.data.location, 'Hall')
    assert.deepEqual(results[12]!.error.details.fields.map(({ field }: Json) => field).sort(), [
      '/end',
      '/rruule',
      '/start',
    ])
    assert.deepEqual(answer.body.meta.counts, { succeeded: 4, failed: 9 })
    const trash = (await writer.get('/trash')).body.data
    assert.deepEqual(
      trash.map(({ id }: Json) => id),
      [b.id],
    )
    assert.equal((await writer.post(`/trash/${b.id}/restore`, undefined)).status, 200)
  }),
)

forEachEngine('an atomic request changes all or nothing, and names the operation that failed', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const [a, b] = [await writer.creates(meeting), await writer.creates(meeting)]
    const before = (await writer.get('/events')).text
    const operations = [
      create('One'),
      { op: 'update', id: a.id, version: 1, event: { title: 'Changed' } },
      { op: 'delete', id: b.id },
    ]
    for (const [failing, code] of [
      [{ op: 'update', id: a.id, version: 1, event: { title: 'Twice' } }, 'version_mismatch'],
      [{ op: 'update', id: b.id, version: 1, event: { title: 'Deleted' } }, 'event_not_found'],
      [create('Taken', { uid: a.uid }), 'uid_conflict'],
      [create(''), 'validation_failed'],
      [create('Late', { end: '2026-07-14T19:00' }), 'validation_failed'],
      [{ op: 'update', id: a.id, event: {} }, 'precondition_required'],
    ] as const) {
      const answer = await bulk(writer, [...operations, failing, create('Last')], { atomic: true })
      assert.deepEqual([answer.body.error?.code, answer.body.error?.details.index], [code, 3], answer.text)
      assert.equal((await writer.get('/events')).text, before)
      assert.deepEqual((await writer.get('/trash')).body.data, [])
    }
    const answer = await bulk(
      writer,
      [...operations, { op: 'update', id: a.id, version: 2, event: { location: 'Hall' } }, create('Last')],
      { atomic: true },
    )
    assert.deepEqual(outcomes(answer.body.data), [201, 200, 204, 200, 201], answer.text)
    assert.deepEqual(await titles(writer), ['Changed', 'Last', 'One'])
    assert.equal((await writer.get(`/events/${a.id}`)).body.data.version, 3)
    assert.equal((await writer.get('/trash')).body.data.length, 1)
    const [, changed] = (await writer.get('/events?from=2026-07-14&to=2026-07-14&q=changed')).body.data
    assert.equal(changed, undefined)
  }),
)

forEachEngine('a malformed request, 501 operations and a body that is too long are refused whole', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    const refused = async (operations: object[], more: object = {}) => {
      const { status, body } = await bulk(writer, operations, more)
      return [status, ...(body.error.details?.fields ?? []).map(({ field, code }: Json) => `${field} ${code}`)]
    }
    assert.deepEqual(await refused(Array.from({ length: 501 }, () => create('x'))), [422, '/operations too_long'])
    assert.deepEqual((await refused([]))[0], 422)
    assert.deepEqual(await refused([{ op: 'move' }]), [422, '/operations/0/op not_allowed'])
    assert.deepEqual(await refused([{ op: 'delete', id: 'x', href: 'y' }]), [422, '/operations/0/href unknown_field'])
    assert.deepEqual(await refused([create('x')], { atomic: 'yes' }), [422, '/atomic invalid_type'])
    const { status } = await bulk(
      writer,
      Array.from({ length: 300 }, () => create('x', { description: 'y'.repeat(9_000) })),
    )
    assert.equal(status, 413)
    const single = await bulk(writer, [
      { op: 'delete' },
      { op: 'create' },
      { op: 'update', id: 'x' },
      { op: 'create', id: 'x', event: meeting },
    ])
    assert.deepEqual(outcomes(single.body.data), Array(4).fill('422 validation_failed'))
    assert.deepEqual(await titles(writer), [])
    assert.equal((await bulk(reader, [create('x')])).status, 403)
    assert.equal((await bulk(anonymous, [create('x')])).status, 401)
    assert.equal((await writer.get('/events/bulk')).status, 404)
  }),
)

forEachEngine('500 events are created, changed and deleted, at once or one by one', (engine) =>
  withWorld(engine, async ({ writer }) => {
    for (const atomic of [false, true]) {
      const made = await bulk(
        writer,
        Array.from({ length: atomic ? 100 : 500 }, (_, i) => create(`Event ${i}`)),
        { atomic },
      )
      assert.equal(made.status, 200, made.text.slice(0, 300))
      assert.deepEqual(made.body.meta.counts, { succeeded: atomic ? 100 : 500, failed: 0 })
      const events: Json[] = made.body.data.map(({ data }: Json) => data)
      const changed = await bulk(
        writer,
        events.map((event) => ({ op: 'update', id: event.id, event: { ...event, location: 'Hall' } })),
        { atomic },
      )
      assert.deepEqual(
        changed.body.meta?.counts,
        { succeeded: atomic ? 100 : 500, failed: 0 },
        changed.text.slice(0, 300),
      )
      const removed = await bulk(
        writer,
        events.map(({ id }) => ({ op: 'delete', id, version: 2 })),
        { atomic },
      )
      assert.deepEqual(removed.body.meta.counts, { succeeded: atomic ? 100 : 500, failed: 0 })
    }
    assert.equal((await writer.get('/trash')).body.meta.pagination.total, 600)
  }),
)

forEachEngine('a repeated request under one key changes nothing, and gets the same results', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    for (const atomic of [false, true]) {
      const { id } = await one.writer.creates(meeting)
      const operations = [create('One'), { op: 'update', id, version: 1, event: { title: 'Two' } }, create('')]
      if (atomic) operations.pop()
      const headers = { 'idempotency-key': `k${atomic}` }
      const answers = await Promise.all(
        [one, two, one, two].map(({ writer }) => bulk(writer, operations, { atomic }, headers)),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
        answers[0]!.text,
      )
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      assert.deepEqual(outcomes(answers[0]!.body.data), [201, 200, '422 validation_failed'].slice(0, operations.length))
      assert.equal(answers.filter((answer) => answer.headers['idempotency-replayed']).length, 3)
      const other = await bulk(one.writer, [create('Other')], { atomic }, headers)
      assert.equal(other.body.error.code, 'idempotency_key_reuse')
    }
    assert.deepEqual(await titles(one.writer), ['One', 'One', 'Two', 'Two'])
  }),
)

forEachEngine(
  'a request that stopped in the middle is finished by its repetition, and makes no event twice',
  (engine) =>
    withWorld(engine, async ({ writer, app, clock }) => {
      const { id } = await writer.creates(meeting)
      const operations = [create('One'), { op: 'update', id, version: 1, event: { title: 'Two' } }, create('Three')]
      const headers = { 'idempotency-key': 'k' }
      const first = await bulk(writer, operations, {}, headers)
      // As if the service had stopped before the third operation and the answer.
      const { writes } = app.ctx.storage
      await writer.delete(`/events/${first.body.data[2].data.id}`)
      const keys = await writes.selectFrom('idempotency_keys').selectAll().execute()
      assert.equal(keys.length, 3)
      for (const { key, event_id } of keys) {
        if (event_id === first.body.data[2].data.id)
          await writes.deleteFrom('idempotency_keys').where('key', '=', key).execute()
        if (event_id === null)
          await writes
            .updateTable('idempotency_keys')
            .set({ holder: 'gone', held_until: clock.at - 1, answer: null })
            .where('key', '=', key)
            .execute()
      }
      const again = await bulk(writer, operations, {}, headers)
      assert.deepEqual(outcomes(again.body.data), [201, '412 version_mismatch', 201])
      assert.equal(again.body.data[0].data.id, first.body.data[0].data.id)
      assert.deepEqual(await titles(writer), ['One', 'Three', 'Two'])
    }),
)

forEachEngine('concurrent bulk requests on the same events lose no change and do not block each other', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const made = (
      await bulk(
        writer,
        Array.from({ length: 20 }, (_, i) => create(`Event ${i}`)),
      )
    ).body.data
    const ids: string[] = made.map(({ data }: Json) => data.id)
    const updates = (list: string[], title: string) =>
      list.map((id) => ({ op: 'update', id, version: 1, event: { title } }))
    const answers = await Promise.all([
      bulk(writer, updates(ids, 'A'), { atomic: true }),
      bulk(writer, updates([...ids].reverse(), 'B'), { atomic: true }),
      bulk(writer, updates(ids, 'C')),
      ...ids.map((id) => writer.patch(`/events/${id}`, { title: 'D', version: 1 })),
    ])
    for (const { status } of answers) assert.ok([200, 412].includes(status), `${status}`)
    const events: Json[] = (await writer.get('/events')).body.data
    assert.ok(events.every(({ version }) => version === 2))
    const atomics = answers.slice(0, 2).filter(({ status }) => status === 200).length
    if (atomics > 0) assert.equal(new Set(events.map(({ title }) => title)).size, 1)
  }),
)

forEachEngine('other requests are answered while 500 long series are created', (engine) =>
  withWorld(engine, async ({ writer, reader }) => {
    const series = Array.from({ length: 500 }, (_, i) =>
      create(`Series ${i}`, { rrule: 'FREQ=DAILY', description: `word${i} `.repeat(50) }),
    )
    let isDone = false
    const running = bulk(writer, series).then((answer) => {
      isDone = true
      return answer
    })
    let reads = 0
    while (!isDone) {
      assert.equal((await reader.get('/public/sidebar-events')).status, 200)
      reads += 1
    }
    const answer = await running
    assert.deepEqual(answer.body.meta.counts, { succeeded: 500, failed: 0 })
    assert.ok(reads > 100, `${reads} reads`)
  }),
)

test('an atomic request that takes too long is undone, and says so', () =>
  withWorld('sqlite', async ({ writer }) => {
    // Some 60 ms for each in one transaction.
    const series = Array.from({ length: 500 }, (_, i) =>
      create(`Series ${i}`, {
        rrule: 'FREQ=DAILY',
        description: Array.from({ length: 900 }, (_, n) => `w${i}x${n}`)
          .join(' ')
          .slice(0, 3_900),
      }),
    )
    const answer = await bulk(writer, series, { atomic: true })
    assert.equal(answer.body.error?.code, 'bulk_too_long', answer.text.slice(0, 200))
    assert.deepEqual(await titles(writer), [])
  }))

forEachEngine('a token that may only write gets the public form of each result', (engine) =>
  withWorld(engine, async (world) => {
    const { token } = (await world.writer.post('/auth/tokens', { name: 'x', scopes: ['events:write'] })).body.data
    const client = world.with({ authorization: `Bearer ${token}` })
    const hidden = await world.writer.creates({ ...meeting, title: 'Secret', visibility: 'private', location: 'Vault' })
    for (const atomic of [false, true]) {
      const version = atomic ? 2 : 1
      const answer = await bulk(
        client,
        [create('Mine', { visibility: 'private' }), { op: 'update', id: hidden.id, version, event: { category: 'x' } }],
        { atomic },
      )
      assert.deepEqual(outcomes(answer.body.data), [201, 200], answer.text)
      assert.deepEqual(
        answer.body.data.map(({ data }: Json) => data.title),
        ['Private Event', 'Private Event'],
      )
      assert.doesNotMatch(answer.text, /Secret|Vault|version|etag/)
      const stale = await bulk(client, [{ op: 'update', id: hidden.id, version: 9, event: {} }], { atomic })
      assert.doesNotMatch(stale.text, /current_version/)
    }
  }),
)

test('operations count as writes, ten for one', () =>
  withWorld(
    'sqlite',
    async ({ writer }) => {
      const answers = []
      for (let i = 0; i < 3; i++)
        answers.push(
          await bulk(
            writer,
            Array.from({ length: 500 }, () => ({ op: 'delete', id: 'x' })),
          ),
        )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 429],
      )
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))

forEachEngine('results of long events are whole up to 8 MiB, and name the event and its version beyond', (engine) =>
  withWorld(
    engine,
    async ({ writer }) => {
      // Three octets each, and no word of the search index.
      const long = { description: '€'.repeat(10_000) }
      const made: Json[] = []
      for (let i = 0; i < 5; i++) {
        const operations = Array.from({ length: 60 }, (_, n) => create(`Event ${i} ${n}`, long))
        made.push(...(await bulk(writer, operations)).body.data)
      }
      const answer = await bulk(
        writer,
        made.map(({ data: { id } }) => ({ op: 'update', id, version: 1, event: { location: 'Hall' } })),
      )
      assert.deepEqual(answer.body.meta.counts, { succeeded: 300, failed: 0 }, answer.text.slice(0, 200))
      assert.ok(Buffer.byteLength(answer.text) < 8.1 * 1_024 * 1_024)
      const whole = answer.body.data.filter(({ data }: Json) => data.location === 'Hall').length
      assert.ok(whole > 200 && whole < 300, `${whole} whole events`)
      assert.deepEqual(
        answer.body.data.slice(whole),
        made.slice(whole).map(({ data: { id } }) => ({ status: 200, data: { id }, meta: { version: 2 } })),
      )
      const last = (await writer.get(`/events/${made.at(-1)!.data.id}`)).body.data
      assert.deepEqual([last.location, last.version], ['Hall', 2])
    },
    { settings: { DAYBOOK_BULK_CHANGE_LIMIT: '0' } },
  ),
)
