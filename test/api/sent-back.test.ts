// Events and occurrences as read are accepted by an update; a changed read-only field is refused.
import assert from 'node:assert/strict'
import { eventText, MAIN } from '../caldav/support/events.ts'
import type { Json } from '../support/http/api-response.ts'
import { davOf } from '../support/http/dav.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const choir = {
  title: 'Choir',
  start: '2026-03-08T01:30',
  end: '2026-03-08T02:15',
  rrule: 'FREQ=WEEKLY;COUNT=6',
  location: 'Hall',
  visibility: 'public',
}

const fair = { title: 'Fair', all_day: true, start: '2026-03-09', end: '2026-03-11', rrule: 'FREQ=WEEKLY;COUNT=4' }

const WINDOW = 'from=2026-03-01&to=2026-04-30'

/** Also in the hour that the clocks skip, moved, in another zone, and as a calendar program sent it. */
async function plant({ writer }: World): Promise<string[]> {
  const { id } = await writer.creates(choir)
  const edited = { title: 'Concert', start: '2026-03-16T20:00', end: '2026-03-16T22:00', version: 1 }
  assert.equal((await writer.patch(`/events/${id}/occurrences/20260315T013000`, edited)).status, 200)
  const days = await writer.creates(fair)
  const later = { start: '2026-03-17', version: 1 }
  assert.equal((await writer.patch(`/events/${days.id}/occurrences/20260316`, later)).status, 200)
  const tokyo = await writer.creates({
    ...choir,
    timezone: 'Asia/Tokyo',
    start: '2026-03-08T09:00',
    end: '2026-03-08T10:00',
  })
  const lines = [
    'RRULE:FREQ=DAILY;COUNT=3',
    `LOCATION:${'x'.repeat(600)}`,
    `CATEGORIES:${'y'.repeat(80)}`,
    'URL:mailto:a@example.org',
  ]
  const sent = eventText('sent', 'DTSTART:20260308T090000', 'DTEND:20260308T100000', ...lines)
  assert.equal((await davOf(writer).put(`${MAIN}sent.ics`, sent)).status, 201)
  const all = (await writer.get('/events')).body.data.map((event: Json) => event.id)
  assert.ok([id, days.id, tokyo.id].every((known) => all.includes(known)))
  return all
}

forEachEngine('an occurrence as any list or read shows it can be sent back, and makes no exception', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const ids = await plant(world)
    const before = (await writer.get('/events')).body.data
    const lists = [
      `/events?${WINDOW}`,
      `/events?${WINDOW}&timezone=America/New_York`,
      `/events?${WINDOW}&page=1&per_page=200`,
    ]
    for (const id of ids) lists.push(`/events/${id}/occurrences?${WINDOW}&timezone=Asia/Tokyo`)
    for (const list of lists) {
      const occurrences = (await writer.get(list)).body.data
      assert.ok(occurrences.length >= 3, list)
      for (const item of occurrences) {
        const path = `/events/${item.id}/occurrences/${item.occurrence_key}`
        const one = (await writer.get(`${path}?timezone=Pacific/Apia`)).body.data
        for (const body of [item, one]) {
          const answer = await writer.patch(path, body)
          assert.equal(answer.status, 200, `${list} ${JSON.stringify(body)} ${answer.text}`)
          assert.deepEqual(answer.body.data, (await writer.get(path)).body.data)
        }
      }
    }
    assert.deepEqual((await writer.get('/events')).body.data, before)
  }),
)

forEachEngine('an edited occurrence as read changes what was edited, and nothing else', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id } = await writer.creates(choir)
    const [, second] = (await writer.get(`/events?${WINDOW}`)).body.data
    const path = `/events/${id}/occurrences/${second.occurrence_key}`
    const answer = await writer.patch(path, { ...second, title: 'Concert' })
    assert.equal(answer.body.data.title, 'Concert')
    const { exceptions } = (await writer.get(`/events/${id}`)).body.data
    assert.deepEqual(Object.keys(exceptions[0]).sort(), ['created_at', 'created_by', 'occurrence_key', 'title', 'type'])
  }),
)

forEachEngine('a changed read-only field of an occurrence is refused by name', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const { id } = await writer.creates(choir)
    const [, item] = (await writer.get(`/events?${WINDOW}`)).body.data
    const path = `/events/${id}/occurrences/${item.occurrence_key}`
    const changes = {
      id: 'x',
      uid: 'other',
      occurrence_key: '20260308T013000',
      recurring: false,
      all_day: true,
      start_date: '2026-03-15',
      end_date: null,
      timezone: 'Asia/Tokyo',
      visibility: 'private',
      rrule: 'FREQ=DAILY',
      transparency: 'transparent',
      created_at: null,
      updated_at: '2020-01-01T00:00:00Z',
      created_by: null,
      updated_by: 'x',
      etag: '"e-1-00000000"',
    }
    for (const [field, value] of Object.entries(changes)) {
      const { status, body } = await writer.patch(path, { ...item, [field]: value })
      assert.deepEqual([status, body.error.code], [422, 'validation_failed'], field)
      assert.deepEqual(
        body.error.details.fields.map(({ field, code }: Json) => [field, code]),
        [[`/${field}`, 'not_allowed']],
      )
    }
    assert.equal((await writer.patch(path, { ...item, version: 7, uid: 'x' })).status, 412)
    assert.equal((await writer.get(`/events/${id}`)).body.data.version, 1)
  }),
)

forEachEngine(
  'an event as read in any zone can be sent back by PATCH and PUT; changed read-only fields are refused',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer } = world
      for (const id of await plant(world)) {
        const path = `/events/${id}`
        for (const zone of ['', '?timezone=America/New_York', '?timezone=Pacific/Apia']) {
          const { data } = (await writer.get(`${path}${zone}`)).body
          for (const answer of [await writer.patch(path, data), await writer.put(path, data)])
            assert.deepEqual([answer.status, answer.body.meta?.version], [200, data.version], answer.text)
        }
        const { data } = (await writer.get(path)).body
        const other = {
          exceptions: [...data.exceptions, { occurrence_key: '20260308', type: 'excluded' }],
          recurring: false,
          last_listed: '20260308',
          start_date: '2026-03-01',
          end_date: '2026-03-01',
          updated_at: '2020-01-01T00:00:00Z',
          updated_by: null,
          etag: '"e-1-00000000"',
        }
        for (const [field, value] of Object.entries(other))
          for (const answer of [
            await writer.patch(path, { [field]: value, version: data.version }),
            await writer.put(path, { ...data, [field]: value }),
          ]) {
            assert.equal(answer.status, 422, field)
            assert.deepEqual(answer.body.error.details.fields[0].field, `/${field}`)
          }
      }
    }),
)

forEachEngine('a token that may only write can send back what it sees, and compares nothing else', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { token } = (await writer.post('/auth/tokens', { name: 'script', scopes: ['events:write'] })).body.data
    const client = world.with({ authorization: `Bearer ${token}` })
    const open = await writer.creates(choir)
    const hidden = await writer.creates({ ...choir, visibility: 'private', title: 'Secret' })
    for (const { id } of [open, hidden]) {
      const path = `/events/${id}/occurrences/20260315T013000`
      const { data } = (await client.get(path)).body
      assert.equal((await client.patch(path, { ...data, version: 1 })).status, 200)
      const whole = (await writer.get(path)).body.data
      for (const field of ['uid', 'etag', 'created_at', 'updated_by', 'transparency'])
        for (const value of [whole[field], 'guess']) {
          const { status, body } = await client.patch(path, { [field]: value, version: 2 })
          assert.deepEqual([status, body.error.details.fields[0].field], [422, `/${field}`])
        }
    }
  }),
)
