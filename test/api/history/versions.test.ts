// The history of an event: every change keeps what was before it, and any version comes back byte for byte.
import assert from 'node:assert/strict'
import { packVersions } from '../../../src/actions/history/pack-versions.ts'
import { purgeExpired } from '../../../src/actions/maintenance/housekeeping.ts'
import type { EventVersionRow } from '../../../src/storage/tables.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'
import { choir, storedRow } from './shared.ts'

const DAY_MS = 86_400_000

const storedVersions = ({ app }: World): Promise<EventVersionRow[]> =>
  app.ctx.storage.reads.selectFrom('event_versions').selectAll().orderBy('version').execute()

const historyOf = async (client: Client, id: string, query = '') =>
  (await client.get(`/events/${id}/history${query}`)).body

forEachEngine('each change is listed with who made it and what it changed, the current version first', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, admin, clock } = world
    const { id, created_by: writerId } = await writer.creates(choir)
    clock.at += 60_000
    await writer.patch(`/events/${id}`, {
      title: 'Concert',
      start: '2026-07-09T19:00',
      end: '2026-07-09T21:00',
      version: 1,
    })
    clock.at += 60_000
    await writer.patch(`/events/${id}/occurrences/20260716T190000`, { title: 'Rehearsal', version: 2 })
    clock.at += 60_000
    await admin.delete(`/events/${id}/occurrences/20260723T190000`)
    clock.at += 60_000
    const event = (await admin.get(`/events/${id}`)).body.data
    await admin.put(`/events/${id}`, { ...choir, title: 'Concert', visibility: 'private', version: event.version })

    const { data, meta } = await historyOf(writer, id)
    assert.deepEqual(meta.pagination, { page: 1, per_page: 20, total: 5, total_pages: 1 })
    assert.deepEqual(
      data.map(({ version, current, by_name, with: means, at }: Record<string, unknown>) => [
        ...[version, current, by_name, means, at],
      ]),
      [
        [5, true, 'admin', 'password', '2026-07-10T12:04:00Z'],
        [4, false, 'admin', 'password', '2026-07-10T12:03:00Z'],
        [3, false, 'writer', 'password', '2026-07-10T12:02:00Z'],
        [2, false, 'writer', 'password', '2026-07-10T12:01:00Z'],
        [1, false, 'writer', 'password', '2026-07-10T12:00:00Z'],
      ],
    )
    assert.equal(data[4].by, writerId)
    assert.equal(data[4].changes, null)
    assert.deepEqual(data[3].changes, [
      { field: 'title', before: 'Choir', after: 'Concert' },
      { field: 'start', before: '2026-07-07T19:00:00+01:00', after: '2026-07-09T19:00:00+01:00' },
      { field: 'end', before: '2026-07-07T21:00:00+01:00', after: '2026-07-09T21:00:00+01:00' },
    ])
    assert.deepEqual(data[2].changes, [
      {
        field: 'occurrence',
        occurrence_key: '20260716T190000',
        change: 'edited',
        before: 'series',
        after: 'edited',
        fields: [{ field: 'title', after: 'Rehearsal' }],
      },
    ])
    assert.deepEqual(data[1].changes, [
      { field: 'occurrence', occurrence_key: '20260723T190000', change: 'deleted', before: 'series', after: 'deleted' },
    ])
    const fields = data[0].changes.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields, ['start', 'end', 'visibility'], 'exceptions moved with their series')
    const second = await historyOf(writer, id, '?page=2&per_page=2')
    assert.deepEqual(second.data, data.slice(2, 4))
    assert.equal(second.meta.pagination.total_pages, 3)
    assert.deepEqual((await historyOf(writer, id, '?page=9')).data, [])
  }),
)

forEachEngine('a version is the event as it was, compared with the one before, after or now', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, clock } = world
    const { id } = await writer.creates(choir)
    await writer.delete(`/events/${id}/occurrences/20260714T190000`)
    const before = (await writer.get(`/events/${id}`)).body.data
    clock.at += 60_000
    await writer.patch(`/events/${id}`, { location: 'Hall', version: 2 })
    await writer.patch(`/events/${id}`, { location: 'Church', version: 3 })

    const { data } = (await writer.get(`/events/${id}/history/2`)).body
    const { etag: _, ...known } = before
    assert.deepEqual(data.event, known)
    assert.equal(data.against, 1)
    assert.deepEqual(data.changes, [
      { field: 'occurrence', occurrence_key: '20260714T190000', change: 'deleted', before: 'series', after: 'deleted' },
    ])
    const compared = async (against: string) =>
      (await writer.get(`/events/${id}/history/2?against=${against}`)).body.data
    const next = await compared('next')
    assert.deepEqual([next.against, next.changes], [3, [{ field: 'location', before: null, after: 'Hall' }]])
    const current = await compared('current')
    assert.deepEqual([current.against, current.changes], [4, [{ field: 'location', before: 'Church', after: null }]])
    const latest = (await writer.get(`/events/${id}/history/4`)).body.data
    assert.equal(latest.event.location, 'Church')
    const first = (await writer.get(`/events/${id}/history/1`)).body.data
    assert.deepEqual([first.against, first.changes], [null, null])
    for (const unknown of ['9', '0', '-1', 'x', '1.5', '99999999999999999999'])
      assert.equal((await writer.get(`/events/${id}/history/${unknown}`)).body.error.code, 'version_not_found')
    for (const unknown of ['x', '0'.repeat(26)])
      for (const path of ['history', 'history/1'])
        assert.equal((await writer.get(`/events/${unknown}/${path}`)).body.error.code, 'event_not_found')
  }),
)

forEachEngine('a version is restored byte for byte as the next one, with the precondition of other writes', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, clock } = world
    const { id } = await writer.creates(choir)
    await writer.patch(`/events/${id}/occurrences/20260714T190000`, { title: 'Concert', version: 1 })
    const stored = (await storedRow(world, id))!
    clock.at += 60_000
    await writer.patch(`/events/${id}`, { title: 'Wrong', rrule: null, version: 2 })
    const path = `/events/${id}/history/2/restore`
    assert.equal((await writer.post(path, {})).body.error.code, 'precondition_required')
    assert.equal((await writer.post(path, { version: 2 })).body.error.code, 'version_mismatch')
    assert.equal((await writer.post(path, { version: 2 })).status, 412)

    const restored = await writer.post(path, { version: 3 })
    assert.equal(restored.status, 200, restored.text)
    assert.equal(restored.body.meta.version, 4)
    const again = (await storedRow(world, id))!
    assert.equal(again.ical, stored.ical)
    assert.deepEqual([again.title, again.is_recurring], ['Choir', 1])
    assert.deepEqual((await writer.get(`/events/${id}`)).body.data, restored.body.data)
    const { data } = await historyOf(writer, id)
    assert.deepEqual([data[0].version, data[0].through], [4, 'restore'])
    // What is there already needs no new version; with If-Match.
    const etag = restored.headers.etag!
    const same = await writer.post(path, {}, { 'if-match': etag })
    assert.deepEqual([same.status, same.body.meta.version, same.headers.etag], [200, 4, etag])
  }),
)

forEachEngine('of a restoration and changes at the same version one is made, and the others are 412', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { id } = await writer.creates(choir)
    await writer.patch(`/events/${id}`, { title: 'Concert', version: 1 })
    for (let version = 2; version < 8; version++) {
      const answers = await Promise.all([
        writer.post(`/events/${id}/history/1/restore`, { version }),
        writer.patch(`/events/${id}`, { title: `Title ${version}`, version }),
        writer.patch(`/events/${id}`, { location: `Hall ${version}`, version }),
      ])
      const statuses = answers.map(({ status }) => status).sort()
      const current = (await storedRow(world, id))!.version
      // Restoring what is there already changes nothing.
      assert.equal(current, version + 1, JSON.stringify(statuses))
      assert.ok(statuses.filter((status) => status === 200).length <= 2 && statuses.includes(412), `${statuses}`)
    }
    const versions = (await storedVersions(world)).map(({ version }) => version)
    assert.deepEqual(versions, [1, 2, 3, 4, 5, 6, 7])
  }),
)

forEachEngine(
  'a version whose text cannot be read is neither shown nor restored, and does not hide the others',
  (engine) =>
    withWorld(engine, async (world) => {
      const { writer, app } = world
      const { id } = await writer.creates(choir)
      await writer.patch(`/events/${id}`, { title: 'Concert', version: 1 })
      await writer.patch(`/events/${id}`, { title: 'Last', version: 2 })
      await app.ctx.storage.writes
        .updateTable('event_versions')
        .set({ ical: 'broken' })
        .where('version', '=', 1)
        .execute()
      const { data } = await historyOf(writer, id)
      assert.deepEqual(
        data.map(({ changes }: { changes: unknown }) => changes !== null),
        [true, false, false],
      )
      assert.equal((await writer.get(`/events/${id}/history/1`)).body.error.code, 'version_not_found')
      const refused = await writer.post(`/events/${id}/history/1/restore`, { version: 3 })
      assert.equal(refused.body.error.code, 'version_not_found')
    }),
)

forEachEngine('the text of a calendar program comes back as it sent it, packed or not', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, signIn, as } = world
    const browser = await signIn('writer@example.org')
    const made = await browser.post('/auth/app-passwords', { name: 'Phone' })
    const dav = davOf(as('writer@example.org', made.body.data.password))
    const path = `${MAIN}concert.ics`
    const sent = ['red', 'green', 'red', 'blue'].map((colour) => eventText('concert@example.org', `X-COLOUR:${colour}`))
    for (const text of sent) {
      const etag = (await dav.get(path)).headers.etag
      assert.ok([201, 204].includes((await dav.put(path, text, etag ? { 'if-match': etag } : {})).status))
    }
    const { id } = (await world.app.ctx.storage.reads.selectFrom('events').select('id').executeTakeFirst())!
    const [entry] = (await historyOf(writer, id)).data
    assert.deepEqual([entry.with, entry.credential_name, entry.through], ['app_password', 'Phone', null])
    assert.deepEqual(entry.changes, [{ field: 'other' }])

    await packVersions(world.app.ctx)
    const rows = await storedVersions(world)
    assert.deepEqual(
      rows.map(({ packing, ical, sent_ical }) => [packing, ical, sent_ical]),
      [2, 1, 1].map((packing) => [packing, null, null]),
    )
    for (const [version, text] of [
      [1, sent[0]],
      [2, sent[1]],
      [5, sent[0]],
    ] as const) {
      const { version: current } = (await storedRow(world, id))!
      assert.equal((await writer.post(`/events/${id}/history/${version}/restore`, { version: current })).status, 200)
      assert.equal((await dav.get(path)).text, text)
    }
  }),
)

forEachEngine('equal texts of an event are stored once, and outlive the older version', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, app } = world
    const { id } = await writer.creates({ ...choir, rrule: null })
    for (let i = 0; i < 3; i++) {
      const { version } = (await storedRow(world, id))!
      await writer.patch(`/events/${id}`, { title: `Title ${i}`, version })
      await writer.post(`/events/${id}/history/1/restore`, { version: version + 1 })
    }
    const { version } = (await storedRow(world, id))!
    await writer.patch(`/events/${id}`, { title: 'Last', version })
    await packVersions(app.ctx)
    const rows = await storedVersions(world)
    const same = rows.filter(({ packing }) => packing === 2)
    assert.deepEqual(
      same.map(({ version, same_version, octets }) => [version, same_version, octets]),
      [1, 3, 5].map((version) => [version, 7, 0]),
    )
    const first = (await writer.get(`/events/${id}/history/1`)).body.data
    assert.equal(first.event.title, 'Choir')
  }),
)

forEachEngine('P46: only those who may read and write see or restore versions', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, reader, anonymous } = world
    const { id } = await writer.creates({ ...choir, title: 'Surgery' })
    await writer.patch(`/events/${id}`, { title: 'Operation', visibility: 'private', version: 1 })
    const browser = await world.signIn('writer@example.org')
    const made = await browser.post('/auth/tokens', { name: 'Robot', scopes: ['events:write'] })
    const blind = world.with({ authorization: `Bearer ${made.body.data.token}` })
    const requests = (client: Client) => [
      client.get(`/events/${id}/history`),
      client.get(`/events/${id}/history/1`),
      client.post(`/events/${id}/history/1/restore`, { version: 2 }),
      client.get(`/events/${'0'.repeat(26)}/history`),
    ]
    for (const [client, code] of [
      [anonymous, 'authentication_required'],
      [reader, 'insufficient_capability'],
      [blind, 'token_scope_insufficient'],
    ] as const)
      for (const { body, text } of await Promise.all(requests(client))) {
        assert.equal(body.error.code, code)
        assert.doesNotMatch(text, /Surgery|Operation/)
      }
    for (const path of ['/public/events?view=month', '/public/calendar.ics', '/public/categories', `/events/${id}`])
      assert.doesNotMatch((await anonymous.get(path)).text, /Surgery|Operation/, path)
  }),
)

forEachEngine('an import, a deletion and a restoration are in the history', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, clock } = world
    const { id, uid } = await writer.creates({ ...choir, rrule: null })
    clock.at += 60_000
    const file = eventText(uid, 'LOCATION:Hall')
    const imported = await admin.post('/admin/import', file, { 'content-type': 'text/calendar' })
    assert.equal(imported.body.data.updated, 1, imported.text)
    clock.at += 60_000
    await writer.delete(`/events/${id}`)
    assert.equal((await writer.get(`/events/${id}/history`)).body.error.code, 'event_not_found')
    clock.at += 60_000
    await admin.post(`/trash/${id}/restore`, undefined)
    const { data } = await historyOf(writer, id)
    assert.deepEqual(
      data.map(({ version, through, by_name, deleted }: Record<string, unknown>) => [
        version,
        through,
        by_name,
        deleted,
      ]),
      [
        [3, 'restore', 'admin', null],
        [
          ...[2, 'import', 'admin'],
          { at: '2026-07-10T12:02:00Z', by: data[2].by, by_name: 'writer', with: 'password' },
        ],
        [1, null, 'writer', null],
      ],
    )
    assert.deepEqual(data[0].changes, [])
  }),
)

forEachEngine('versions are purged by their age, and with their deleted event', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { writer, clock, app } = world
      const { id } = await writer.creates(choir)
      await writer.patch(`/events/${id}`, { title: 'One', version: 1 })
      clock.at += 2 * DAY_MS
      await writer.patch(`/events/${id}`, { title: 'Two', version: 2 })
      clock.at += 8 * DAY_MS + 1
      assert.deepEqual(
        (await historyOf(writer, id)).data.map(({ version }: { version: number }) => version),
        [3, 2],
      )
      assert.equal((await writer.get(`/events/${id}/history/1`)).body.error.code, 'version_not_found')
      const refused = await writer.post(`/events/${id}/history/1/restore`, { version: 3 })
      assert.equal(refused.body.error.code, 'version_not_found')
      await purgeExpired(app.ctx)
      assert.deepEqual(
        (await storedVersions(world)).map(({ version }) => version),
        [2],
      )
      await writer.delete(`/events/${id}`)
      await purgeExpired(app.ctx)
      assert.equal((await storedVersions(world)).length, 1, 'while the event is in the trash')
      clock.at += 3 * DAY_MS + 1
      await purgeExpired(app.ctx)
      assert.deepEqual(await storedVersions(world), [])
    },
    { settings: { DAYBOOK_HISTORY_DAYS: '10', DAYBOOK_TRASH_DAYS: '3' } },
  ),
)

forEachEngine('emptying the trash deletes the versions too', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, admin } = world
    const { id } = await writer.creates(choir)
    await writer.patch(`/events/${id}`, { title: 'One', version: 1 })
    await writer.delete(`/events/${id}`)
    assert.equal((await storedVersions(world)).length, 1)
    await admin.delete('/trash')
    assert.deepEqual(await storedVersions(world), [])
  }),
)

forEachEngine('where deleted events are not kept, their versions go with them', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await world.writer.creates(choir)
      await world.writer.patch(`/events/${id}`, { title: 'One', version: 1 })
      await world.writer.delete(`/events/${id}`)
      assert.deepEqual(await storedVersions(world), [])
    },
    { settings: { DAYBOOK_TRASH_DAYS: '0' } },
  ),
)

forEachEngine('with history_days at 0 nothing is kept', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await world.writer.creates(choir)
      await world.writer.patch(`/events/${id}`, { title: 'One', version: 1 })
      assert.deepEqual(await storedVersions(world), [])
      const { data } = await historyOf(world.writer, id)
      assert.deepEqual(
        data.map(({ version }: { version: number }) => version),
        [2],
      )
    },
    { settings: { DAYBOOK_HISTORY_DAYS: '0' } },
  ),
)

forEachEngine('a deleted account leaves its versions, without its name', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, as, addPerson, writer } = world
    const leaver = await addPerson('leaver@example.org', 'writer')
    const { id } = await as('leaver@example.org').creates(choir)
    await as('leaver@example.org').patch(`/events/${id}`, { title: 'One', version: 1 })
    await writer.patch(`/events/${id}`, { title: 'Two', version: 2 })
    const gone = await as('leaver@example.org').creates(choir)
    await as('leaver@example.org').patch(`/events/${gone.id}`, { title: 'One', version: 1 })
    await as('leaver@example.org').delete(`/events/${gone.id}`)
    assert.equal((await admin.delete(`/admin/users/${leaver}`)).status, 204)
    assert.ok((await storedVersions(world)).every((row) => row.changed_by === null && row.credential_id === null))
    await admin.post(`/trash/${gone.id}/restore`, undefined)
    const { data } = await historyOf(admin, gone.id)
    assert.deepEqual([data[1].by, data[1].deleted.by, data[1].deleted.by_name], [null, null, null])
    assert.doesNotMatch(JSON.stringify(await storedVersions(world)), new RegExp(leaver))
  }),
)
