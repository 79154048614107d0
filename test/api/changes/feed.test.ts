// The change feed: pages of created, updated and deleted events since a token, on both engines.
import assert from 'node:assert/strict'
import { purgeExpired } from '../../../src/actions/maintenance/housekeeping.ts'
import { reindex } from '../../../src/actions/maintenance/reindex.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import type { Json } from '../../support/http/api-response.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { openWorld, type World, withTwoNodes, withWorld } from '../../support/world.ts'

const choir = { title: 'Choir', start: '2026-07-07T19:00', end: '2026-07-07T21:00', visibility: 'public' }
const secret = { ...choir, title: 'Surgery', visibility: 'private' }

type EntryParts = [change: string, id: string, title?: string]

const entriesOf = (body: Json): EntryParts[] =>
  body.data.map(({ change, id, event }: Json) => (event ? [change, id, event.title] : [change, id]))

async function changesOf(client: World['writer'], path: string, since: string): Promise<Json> {
  const answer = await client.get(`${path}?since=${since}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const fullToken = async ({ writer }: World): Promise<string> => (await writer.get('/events')).body.meta.sync_token
const publicToken = async ({ anonymous }: World): Promise<string> =>
  (await anonymous.get('/public/events')).body.meta.sync_token

forEachEngine('changes since the token of a list come once each, in their latest state', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, admin } = world
    const kept = await writer.creates(choir)
    const gone = await writer.creates({ ...choir, title: 'Fair' })
    const since = await fullToken(world)
    const nothing = await changesOf(writer, '/events/changes', since)
    assert.deepEqual([nothing.data, nothing.meta.sync_token, nothing.meta.has_more], [[], since, false])

    const made = await writer.creates(secret)
    await writer.patch(`/events/${made.id}`, { title: 'Dentist', version: 1 })
    await writer.patch(`/events/${kept.id}`, { title: 'Choir practice', version: 1 })
    await writer.delete(`/events/${gone.id}`)
    const brief = await writer.creates({ ...choir, title: 'Brief' })
    await writer.delete(`/events/${brief.id}`)
    const { data, meta } = await changesOf(admin, '/events/changes', since)
    assert.deepEqual(entriesOf({ data }), [
      ['created', made.id, 'Dentist'],
      ['updated', kept.id, 'Choir practice'],
      ['deleted', gone.id],
      ['deleted', brief.id],
    ])
    const listed = (await writer.get('/events')).body.data
    assert.deepEqual(
      data[0].event,
      listed.find(({ id }: Json) => id === made.id),
      'as in the list',
    )
    assert.equal(meta.sync_token, await fullToken(world))

    const seen = await changesOf(anonymous, '/events/changes', await publicToken(world))
    assert.deepEqual(seen.data, [])
    assert.equal((await anonymous.get(`/events/changes?since=${since}`)).body.error.code, 'sync_token_expired')
  }),
)

forEachEngine('without a token every event comes, and pages of any size are the whole list', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, admin, anonymous } = world
    const first = await writer.creates(choir)
    const since = await fullToken(world)
    const publicSince = await publicToken(world)
    const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN']
    for (let i = 0; i < 7; i++)
      file.push(
        ...['BEGIN:VEVENT', `UID:e${i}@example.org`, 'DTSTAMP:20260701T000000Z', `DTSTART:2026071${i}T100000Z`],
        ...[`SUMMARY:Imported ${i}`, `CLASS:${i % 2 ? 'PUBLIC' : 'PRIVATE'}`, 'END:VEVENT'],
      )
    file.push('END:VCALENDAR', '')
    const body = file.join('\r\n')
    const imported = await admin.post('/admin/import', body, { 'content-type': 'text/calendar' })
    assert.equal(imported.body.data.created, 7, imported.text)
    await writer.delete(`/events/${first.id}`)

    for (const [client, path, from] of [
      [writer, '/events/changes', since],
      [anonymous, '/public/changes', publicSince],
      [anonymous, '/events/changes', publicSince],
    ] as const) {
      const whole = await changesOf(client, path, from)
      assert.equal(whole.data.length, 8)
      for (const limit of [1, 3, 7, 8]) {
        const paged = await walk(client, path, from, limit)
        assert.deepEqual(paged.data, whole.data)
        assert.equal(paged.token, whole.meta.sync_token)
      }
      const all = await walk(client, path, undefined, 3)
      assert.deepEqual(
        all.data.map(({ change }) => change),
        Array(7).fill('created'),
      )
      assert.equal(all.token, whole.meta.sync_token)
    }
  }),
)

async function walk(client: World['writer'], path: string, since: string | undefined, limit: number) {
  const data: Json[] = []
  for (let token = since; ; ) {
    const { status, body, text } = await client.get(`${path}?limit=${limit}${token ? `&since=${token}` : ''}`)
    assert.equal(status, 200, text)
    data.push(...body.data)
    assert.ok(body.data.length <= limit)
    token = body.meta.sync_token
    if (!body.meta.has_more) return { data, token }
  }
}

forEachEngine('a change between two pages comes after the list, not twice within it', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const since = await fullToken(world)
    const ids: string[] = []
    for (const title of ['A', 'B', 'C', 'D']) ids.push((await writer.creates({ ...choir, title })).id)
    const first = (await writer.get(`/events/changes?since=${since}&limit=2`)).body
    assert.deepEqual(entriesOf(first), [
      ['created', ids[0]!, 'A'],
      ['created', ids[1]!, 'B'],
    ])
    await writer.patch(`/events/${ids[0]}`, { title: 'A2', version: 1 })
    await writer.patch(`/events/${ids[2]}`, { title: 'C2', version: 1 })
    await writer.delete(`/events/${ids[1]}`)
    const second = (await writer.get(`/events/changes?since=${first.meta.sync_token}`)).body
    // The list is complete, and what changed meanwhile comes at once: after the last page a mirror is as the calendar.
    assert.deepEqual([entriesOf(second), second.meta.has_more], [[['created', ids[3]!, 'D']], true])
    const third = await changesOf(writer, '/events/changes', second.meta.sync_token)
    assert.deepEqual(entriesOf(third), [
      ['updated', ids[0]!, 'A2'],
      ['updated', ids[2]!, 'C2'],
      ['deleted', ids[1]!],
    ])
    assert.equal(third.meta.has_more, false)
  }),
)

forEachEngine('a restored or renamed event is a change, and not deleted', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous } = world
    const dav = davOf(writer)
    const path = `${MAIN}concert.ics`
    const since = await fullToken(world)
    const publicSince = await publicToken(world)
    assert.equal((await dav.put(path, eventText('concert@example.org', 'CLASS:PUBLIC'))).status, 201)
    const [{ id }] = (await writer.get('/events')).body.data
    await writer.delete(`/events/${id}`)
    const gone = await fullToken(world)
    assert.deepEqual(entriesOf(await changesOf(writer, '/events/changes', since)), [['deleted', id]])
    await writer.post(`/trash/${id}/restore`, undefined)
    for (const from of [since, gone])
      assert.deepEqual(
        (await changesOf(writer, '/events/changes', from)).data.map(({ change, id }: Json) => [change, id]),
        [['created', id]],
      )
    const seen = await changesOf(anonymous, '/public/changes', publicSince)
    assert.deepEqual(
      seen.data.map(({ change }: Json) => change),
      ['created'],
    )

    const before = await fullToken(world)
    const publicBefore = await publicToken(world)
    const moved = await dav.move(path, `${MAIN}other.ics`)
    assert.equal(moved.status, 201, moved.text)
    assert.deepEqual(
      (await changesOf(writer, '/events/changes', before)).data.map(({ change }: Json) => change),
      ['updated'],
    )
    assert.equal(await publicToken(world), publicBefore, 'the public has no CalDAV names')
  }),
)

forEachEngine('tokens are valid on every node and after a restart', async (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const since = await fullToken(one)
    const publicSince = await publicToken(one)
    const { id } = await two.writer.creates(choir)
    const place = one.place
    const restarted = await openWorld(engine, place, { place })
    try {
      for (const world of [one, two, restarted]) {
        assert.deepEqual(entriesOf(await changesOf(world.writer, '/events/changes', since)), [['created', id, 'Choir']])
        assert.deepEqual(entriesOf(await changesOf(world.anonymous, '/public/changes', publicSince)), [
          ['created', id, 'Choir'],
        ])
      }
    } finally {
      await restarted.app.close()
    }
  }),
)

forEachEngine('malformed tokens are 400, and tokens of another database or reader 410', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous } = world
    await writer.creates(choir)
    const since = await fullToken(world)
    const publicSince = await publicToken(world)
    const prefix = since.slice(0, since.indexOf('-') + 1)
    const publicPrefix = publicSince.slice(0, publicSince.indexOf('-') + 1)
    const malformed = ['', 'x', `${prefix}`, `${prefix}-`, `${prefix}!`, `${prefix}1-1-1-x-eA`, `${prefix}1-1-1-c-`]
    for (const token of [...malformed, `${prefix}zzzzzzzzzzz`])
      for (const [client, path] of [
        [writer, '/events/changes'],
        [anonymous, '/public/changes'],
      ] as const) {
        const { status, body } = await client.get(`${path}?since=${token}`)
        assert.deepEqual(
          [status, body.error?.code, body.error?.details?.parameter],
          [400, 'invalid_parameter', 'since'],
          token,
        )
      }
    assert.equal(
      (await writer.get(`/events/changes?since=${prefix}1-1-1-c-AA`)).status,
      400,
      'no NUL reaches the database',
    )
    const expired = [`${prefix}zz`, `f${'0'.repeat(16)}-1`, publicSince, `${prefix}-zz-1-c-eA`, `${prefix}-1-2-c-eA`]
    for (const token of expired)
      assert.deepEqual(
        (await writer.get(`/events/changes?since=${token}`)).body.error.code,
        'sync_token_expired',
        token,
      )
    for (const token of [`${publicPrefix}zz`, since, `${publicPrefix}-zz-1-d-eA`])
      assert.equal((await anonymous.get(`/public/changes?since=${token}`)).status, 410, token)
    for (const token of [`${publicPrefix}0-1-1-c-eA`, `${publicPrefix}0-1-1-d-eA`, `${publicPrefix}-1-0-c-w6k`])
      assert.equal((await anonymous.get(`/public/changes?since=${token}`)).status, 200, token)
    for (const limit of ['0', '201', 'x', '1.5'])
      assert.ok([400, 422].includes((await writer.get(`/events/changes?limit=${limit}`)).status), limit)
    assert.equal((await writer.get('/events/changes?sinc=x')).body.error.code, 'unknown_parameter')
  }),
)

forEachEngine('tokens from before a purged deletion expire, each sight by its own deletions', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, clock, app } = world
    const open = await writer.creates(choir)
    const cancelled = await writer.creates({ ...secret, status: 'cancelled' })
    const [since, publicSince] = [await fullToken(world), await publicToken(world)]
    await writer.delete(`/events/${cancelled.id}`)
    const later = await fullToken(world)
    clock.at += 184 * 86_400_000
    await purgeExpired(app.ctx)
    assert.equal((await writer.get(`/events/changes?since=${since}`)).status, 410)
    assert.equal((await writer.get(`/events/changes?since=${later}`)).status, 200)
    assert.equal((await anonymous.get(`/public/changes?since=${publicSince}`)).status, 200)
    await writer.delete(`/events/${open.id}`)
    clock.at += 184 * 86_400_000
    await purgeExpired(app.ctx)
    assert.equal((await anonymous.get(`/public/changes?since=${publicSince}`)).status, 410)
    assert.deepEqual((await changesOf(anonymous, '/public/changes', await publicToken(world))).data, [])
  }),
)

forEachEngine('tokens expire when events are derived again with other times, each sight by what it sees', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous, app } = world
    const hidden = await writer.creates({ ...secret, status: 'cancelled' })
    const open = await writer.creates(choir)
    const tokens = async () => [await fullToken(world), await publicToken(world)] as const
    const statuses = async ([since, publicSince]: readonly [string, string]) => [
      (await writer.get(`/events/changes?since=${since}`)).status,
      (await anonymous.get(`/public/changes?since=${publicSince}`)).status,
    ]
    const move = (id: string) =>
      app.ctx.storage.writes.updateTable('events').set({ start_at: 0 }).where('id', '=', id).execute()
    const first = await tokens()
    await move(hidden.id)
    await reindex(app.ctx)
    assert.deepEqual(await statuses(first), [410, 200])
    assert.equal((await tokens())[1], first[1])
    const second = await tokens()
    await move(open.id)
    await reindex(app.ctx)
    assert.deepEqual(await statuses(second), [410, 410])
    assert.deepEqual(await statuses(await tokens()), [200, 200])
    const third = await tokens()
    await app.ctx.storage.writes.deleteFrom('occurrences').execute()
    await reindex(app.ctx)
    assert.deepEqual(await statuses(third), [200, 200], 'the index alone was repaired')
  }),
)
