// The trash: a deleted event is gone for readers and clients, and comes back as it was.
import assert from 'node:assert/strict'
import type { TrashRow } from '../../../src/storage/tables.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withTwoNodes, withWorld } from '../../support/world.ts'
import { changesSince, choir, storedRow, syncToken } from './shared.ts'

const DAY_MS = 86_400_000

const storedTrash = ({ app }: World): Promise<TrashRow[]> =>
  app.ctx.storage.reads.selectFrom('trash').selectAll().execute()

forEachEngine('a deleted series is restored with its id, text and exceptions, as the next version', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader, anonymous, clock } = world
    const { id, uid } = await writer.creates(choir)
    await writer.delete(`/events/${id}/occurrences/20260714T190000`)
    await writer.patch(`/events/${id}/occurrences/20260721T190000`, { title: 'Concert', version: 2 })
    const before = (await writer.get(`/events/${id}`)).body.data
    const stored = (await storedRow(world, id))!
    clock.at += 60_000
    assert.equal((await writer.delete(`/events/${id}`)).status, 204)

    assert.equal((await writer.get(`/events/${id}`)).body.error.code, 'event_not_found')
    assert.deepEqual((await reader.get('/events?view=month')).body.data, [])
    assert.deepEqual((await anonymous.get('/public/events?view=month')).body.data, [])
    const { body } = await writer.get('/trash')
    assert.deepEqual(body.meta.pagination, { page: 1, per_page: 50, total: 1, total_pages: 1 })
    assert.deepEqual(body.data, [
      {
        id,
        title: 'Choir',
        start: '2026-07-07T19:00:00+01:00',
        end: '2026-07-07T21:00:00+01:00',
        all_day: false,
        timezone: 'Europe/London',
        uid,
        visibility: 'public',
        recurring: true,
        version: 3,
        deleted_at: '2026-07-10T12:01:00Z',
        deleted_by: before.created_by,
        deleted_by_name: 'writer',
        deleted_with: 'password',
        credential_id: null,
        credential_name: null,
        continues: null,
        continued_by: null,
        purged_at: '2027-01-06T12:01:00Z',
      },
    ])

    clock.at += 60_000
    const restored = await writer.post(`/trash/${id}/restore`, undefined)
    assert.equal(restored.status, 200, restored.text)
    const { data } = restored.body
    const changed = { version: 4, updated_at: '2026-07-10T12:02:00Z', etag: data.etag }
    assert.deepEqual(data, { ...before, ...changed })
    assert.notEqual(data.etag, before.etag)
    const again = (await storedRow(world, id))!
    assert.equal(again.ical, stored.ical)
    assert.deepEqual((await writer.get(`/events/${id}`)).body.data, data)
    assert.deepEqual((await writer.get('/trash')).body.data, [])
    for (const unknown of [id, 'x', '0'.repeat(26)])
      assert.equal((await writer.post(`/trash/${unknown}/restore`, undefined)).body.error.code, 'event_not_found')
    assert.equal((await anonymous.get('/public/events?view=month')).body.data.length, 3)
  }),
)

forEachEngine(
  'an object deleted by a calendar program comes back byte for byte, and clients synchronise it',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, signIn, as } = world
      const browser = await signIn('writer@example.org')
      const made = await browser.post('/auth/app-passwords', { name: 'Phone' })
      const dav = davOf(as('writer@example.org', made.body.data.password))
      const path = `${MAIN}concert.ics`
      const text = eventText('concert@example.org', 'X-COLOUR:red')
      assert.equal((await dav.put(path, text)).status, 201)
      const first = await dav.get(path)
      const token = await syncToken(world)
      assert.equal((await dav.delete(path)).status, 204)
      assert.equal((await dav.get(path)).status, 404)
      const [entry] = (await writer.get('/trash')).body.data
      assert.equal(entry.deleted_with, 'app_password')
      assert.equal(entry.credential_name, 'Phone')
      const gone = await syncToken(world)

      assert.equal((await writer.post(`/trash/${entry.id}/restore`, undefined)).status, 200)
      const back = await dav.get(path)
      assert.equal(back.text, text)
      assert.equal(back.text, first.text)
      assert.notEqual(back.headers.etag, first.headers.etag)
      for (const from of [token, gone]) {
        const found = await changesSince(world, from)
        assert.deepEqual(found, [[path, 200]], 'changed, and not deleted')
      }
    }),
)

forEachEngine('what is taken meanwhile decides: the UID refuses, the name does not', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, eventText('one@example.org'))
    await dav.delete(`${MAIN}a.ics`)
    await dav.put(`${MAIN}b.ics`, eventText('two@example.org'))
    await dav.delete(`${MAIN}b.ics`)
    // A client may create the same event anew, and another one under a name that was used.
    assert.equal((await dav.put(`${MAIN}again.ics`, eventText('one@example.org'))).status, 201)
    assert.equal((await dav.put(`${MAIN}b.ics`, eventText('three@example.org'))).status, 201)
    const entries = (await writer.get('/trash')).body.data as { id: string; uid: string }[]
    const idOf = (uid: string): string => entries.find((entry) => entry.uid === uid)!.id
    const refused = await writer.post(`/trash/${idOf('one@example.org')}/restore`, undefined)
    assert.equal(refused.body.error.code, 'uid_conflict')
    const restored = await writer.post(`/trash/${idOf('two@example.org')}/restore`, undefined)
    assert.equal(restored.status, 200)
    assert.equal((await storedRow(world, restored.body.data.id))!.dav_name, `${restored.body.data.id}.ics`)
    assert.match((await dav.get(`${MAIN}b.ics`)).text, /three@example\.org/)
    assert.deepEqual(
      (await writer.get('/trash')).body.data.map(({ uid }: { uid: string }) => uid),
      ['one@example.org'],
    )
  }),
)

forEachEngine('a private event stays private in the trash and after it, under the same masked name', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous } = world
    const { id } = await writer.creates({ ...choir, title: 'Surgery', visibility: 'private' })
    const shown = (await anonymous.get('/public/events?view=month')).body.data
    const feed = (await anonymous.get('/public/calendar.ics')).text
    await writer.delete(`/events/${id}`)
    for (const path of ['/public/events?view=month', '/public/calendar.ics', '/public/categories', `/events/${id}`])
      assert.doesNotMatch((await anonymous.get(path)).text, /Surgery|Private Event/, path)
    assert.equal((await anonymous.get('/trash')).body.error.code, 'authentication_required')
    await writer.post(`/trash/${id}/restore`, undefined)
    assert.deepEqual((await anonymous.get('/public/events?view=month')).body.data, shown)
    const withoutTimes = (text: string): string => text.replace(/^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE|CREATED):.*$/gm, '')
    assert.equal(withoutTimes((await anonymous.get('/public/calendar.ics')).text), withoutTimes(feed))
  }),
)

forEachEngine('P45: only those who may read and write see the trash, and only administrators empty it', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader, admin, anonymous } = world
    const { id } = await writer.creates(choir)
    await writer.delete(`/events/${id}`)
    const browser = await world.signIn('writer@example.org')
    const made = await browser.post('/auth/tokens', { name: 'Robot', scopes: ['events:write'] })
    const blind = world.with({ authorization: `Bearer ${made.body.data.token}` })
    for (const [client, code] of [
      [anonymous, 'authentication_required'],
      [reader, 'insufficient_capability'],
      [blind, 'token_scope_insufficient'],
    ] as const) {
      assert.equal((await client.get('/trash')).body.error.code, code)
      assert.equal((await client.post(`/trash/${id}/restore`, undefined)).body.error.code, code)
      if (client !== blind) assert.notEqual((await client.delete('/trash')).status, 204)
    }
    assert.equal((await writer.delete('/trash')).body.error.code, 'admin_required')
    const own = await (await world.signIn('admin@example.org')).post('/auth/tokens', { name: 'x', scopes: ['admin'] })
    const accounts = world.with({ authorization: `Bearer ${own.body.data.token}` })
    assert.equal((await accounts.delete('/trash')).body.error.code, 'token_scope_insufficient')
    assert.equal((await storedTrash(world)).length, 1)
    assert.equal((await admin.delete('/trash')).status, 204)
    assert.deepEqual(await storedTrash(world), [])
    const [entry] = (await admin.get('/admin/audit?action=trash_emptied')).body.data
    assert.deepEqual(entry.detail, { count: 1 })
    assert.equal(entry.actor_name, 'admin')
  }),
)

forEachEngine('an event that is kept too long is neither listed nor restored, and then purged', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { writer, clock } = world
      const { id } = await writer.creates(choir)
      await writer.delete(`/events/${id}`)
      clock.at += 3 * DAY_MS
      assert.equal((await writer.get('/trash')).body.data.length, 1)
      clock.at += 1
      assert.deepEqual((await writer.get('/trash')).body.data, [])
      assert.equal((await writer.post(`/trash/${id}/restore`, undefined)).body.error.code, 'event_not_found')
      const { purgeExpired } = await import('../../../src/actions/maintenance/housekeeping.ts')
      await purgeExpired(world.app.ctx)
      assert.deepEqual(await storedTrash(world), [])
    },
    { settings: { DAYBOOK_TRASH_DAYS: '3' } },
  ),
)

forEachEngine('with trash_days at 0 nothing is kept', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await world.writer.creates(choir)
      await world.writer.delete(`/events/${id}`)
      assert.deepEqual(await storedTrash(world), [])
      assert.deepEqual((await world.writer.get('/trash')).body.data, [])
    },
    { settings: { DAYBOOK_TRASH_DAYS: '0' } },
  ),
)

forEachEngine('a deleted account leaves what it deleted in the trash, without its name', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, as, addPerson } = world
    const leaver = await addPerson('leaver@example.org', 'writer')
    const { id } = await as('leaver@example.org').creates(choir)
    await as('leaver@example.org').delete(`/events/${id}`)
    const removed = await admin.delete(`/admin/users/${leaver}`)
    assert.equal(removed.status, 204, removed.text)
    const [row] = await storedTrash(world)
    assert.equal(row?.event_id, id)
    assert.deepEqual([row?.deleted_by, row?.created_by, row?.credential_id], [null, null, null])
    const [entry] = (await admin.get('/trash')).body.data
    assert.deepEqual([entry.deleted_by, entry.deleted_by_name], [null, null])
    const restored = await admin.post(`/trash/${id}/restore`, undefined)
    assert.equal(restored.body.data.created_by, null)
  }),
)

forEachEngine('an event is restored also where other events have taken its name and that of its id', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, admin, clock } = world
    const dav = davOf(writer)
    const { id, uid } = await writer.creates(choir)
    clock.at += 60_000
    const before = new Date(clock.at - 1_000).toISOString()
    await writer.delete(`/events/${id}`)
    assert.equal((await dav.put(`${MAIN}${id}.ics`, eventText('other'))).status, 201)
    const { status, text } = await writer.post(`/trash/${id}/restore`, undefined)
    assert.equal(status, 200, text)
    const names = async (): Promise<string[]> => {
      const rows = await world.app.ctx.storage.reads.selectFrom('events').select(['uid', 'dav_name']).execute()
      return rows.filter((row) => row.uid === uid).map((row) => row.dav_name)
    }
    const [restored] = await names()
    assert.notEqual(restored, `${id}.ics`)
    assert.match((await dav.get(MAIN + restored!)).text, new RegExp(`UID:${uid}`))

    await writer.delete(`/events/${id}`)
    assert.equal((await dav.put(MAIN + restored!, eventText('third'))).status, 201)
    const rewound = (await admin.post('/admin/rewind', { to: before })).body.data
    assert.deepEqual([rewound.skipped, (await names()).length], [0, 1])
  }),
)

forEachEngine('an upload to the name of a deleted event does not stop its restoration', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    for (let i = 0; i < 10; i++) {
      const { id } = await one.writer.creates(choir)
      await one.writer.delete(`/events/${id}`)
      const [restored, uploaded] = await Promise.all([
        one.writer.post(`/trash/${id}/restore`, undefined),
        davOf(two.writer).put(`${MAIN}${id}.ics`, eventText(`upload-${i}`), { 'if-none-match': '*' }),
      ])
      assert.equal(restored.status, 200, restored.text)
      assert.ok([201, 412].includes(uploaded.status), uploaded.text)
    }
  }),
)
