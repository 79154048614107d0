// Real calendar programs after a restoration: they have the event again, once, with a new ETag.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { davOf } from '../../support/http/dav.ts'
import { makeReadyPlace } from '../../support/storage/engines.ts'
import { openWorld, PASSWORD, type World } from '../../support/world.ts'
import { eventText, MAIN } from '../support/events.ts'
import { SYNC_PROGRAMS, type SyncClient, type SyncedObject, type SyncProgram } from '../support/sync-clients.ts'

const EMAIL = 'writer@example.org'

async function withClient(
  { open }: SyncProgram,
  story: (world: World, client: SyncClient) => Promise<void>,
): Promise<void> {
  const place = await makeReadyPlace('sqlite')
  const world = await openWorld('sqlite', place, { settings: { DAYBOOK_PUBLIC_URL: 'http://localhost' } })
  try {
    await world.app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = world.app.server.server.address() as AddressInfo
    const folder = join(place.folder, 'program')
    mkdirSync(folder)
    const client = await open({ origin: `http://127.0.0.1:${port}`, email: EMAIL, password: PASSWORD, folder })
    try {
      await story(world, client)
    } finally {
      await client.close()
    }
  } finally {
    await world.app.close()
    await place.remove()
  }
}

const uidOf = ({ text }: SyncedObject): string => /^UID:(\S+)/m.exec(text)![1]!
const uidsOf = (objects: readonly SyncedObject[]): string[] => objects.map(uidOf).sort()
const objectOf = (objects: readonly SyncedObject[], uid: string): SyncedObject =>
  objects.find((object) => uidOf(object) === uid)!

const [CONCERT, OTHER] = ['concert@example.org', 'other@example.org']

/** Two objects. */
async function upload({ writer }: World): Promise<void> {
  const dav = davOf(writer)
  for (const uid of [CONCERT, OTHER])
    assert.equal((await dav.put(`${MAIN}${uid}.ics`, eventText(uid, 'X-KEPT:yes', 'LOCATION:Hall'))).status, 201)
}

async function deleteConcert({ writer }: World): Promise<string> {
  const events = (await writer.get('/events')).body.data as { id: string; uid: string }[]
  const { id } = events.find(({ uid }) => uid === CONCERT)!
  assert.equal((await writer.delete(`/events/${id}`)).status, 204)
  return id
}

for (const program of SYNC_PROGRAMS) {
  const skip = program.missing ?? false

  test(`${program.name} has a restored event again, once, with a new ETag`, { skip }, () =>
    withClient(program, async (world, client) => {
      await upload(world)
      const first = await client.sync()
      assert.deepEqual(uidsOf(first), [CONCERT, OTHER])
      await deleteConcert(world)
      assert.deepEqual(uidsOf(await client.sync()), [OTHER])
      const { body } = await world.admin.post('/trash/restore', { since: '2026-07-01' })
      assert.equal(body.data.restored, 1)
      const back = await client.sync()
      assert.deepEqual(uidsOf(back), [CONCERT, OTHER])
      assertRenewed(objectOf(first, CONCERT), objectOf(back, CONCERT))
      assert.equal(objectOf(back, OTHER).etag, objectOf(first, OTHER).etag)
      assert.deepEqual(uidsOf(await client.sync()), [CONCERT, OTHER], 'and keeps it')
      assert.equal((await world.writer.get('/events')).body.data.length, 2, 'the program deleted and added nothing')
    }),
  )

  test(`${program.name} sees a change where an event was deleted and restored in between`, { skip }, () =>
    withClient(program, async (world, client) => {
      await upload(world)
      const first = await client.sync()
      const id = await deleteConcert(world)
      assert.equal((await world.writer.post(`/trash/${id}/restore`, undefined)).status, 200)
      const back = await client.sync()
      assert.deepEqual(uidsOf(back), [CONCERT, OTHER])
      assertRenewed(objectOf(first, CONCERT), objectOf(back, CONCERT))
      assert.equal((await world.writer.get('/events')).body.data.length, 2)
    }),
  )

  test(`${program.name} has the restored event in the place of one that was uploaded again`, { skip }, () =>
    withClient(program, async (world, client) => {
      await upload(world)
      await client.sync()
      const id = await deleteConcert(world)
      const again = eventText(CONCERT, 'LOCATION:Garden')
      // Under another name, as by another program.
      assert.equal((await davOf(world.writer).put(`${MAIN}again.ics`, again)).status, 201)
      assert.match(objectOf(await client.sync(), CONCERT).text, /LOCATION:Garden/)
      assert.equal((await world.writer.post(`/trash/${id}/restore?replace=true`, undefined)).status, 200)
      const back = await client.sync()
      assert.deepEqual(uidsOf(back), [CONCERT, OTHER])
      assert.match(objectOf(back, CONCERT).text, /LOCATION:Hall/)
      assert.deepEqual(uidsOf(await client.sync()), [CONCERT, OTHER])
      assert.equal((await world.writer.get('/events')).body.data.length, 2)
    }),
  )

  test(`${program.name} has an earlier version again, and what a rewind brings back`, { skip }, () =>
    withClient(program, async (world, client) => {
      const { writer, admin, clock } = world
      await upload(world)
      const first = await client.sync()
      const to = new Date(clock.at + 1_000).toISOString()
      clock.at += 60_000
      const events = (await writer.get('/events')).body.data as { id: string; uid: string }[]
      const { id } = events.find(({ uid }) => uid === CONCERT)!
      assert.equal((await writer.patch(`/events/${id}`, { location: 'Garden', version: 1 })).status, 200)
      assert.match(objectOf(await client.sync(), CONCERT).text, /LOCATION:Garden/)
      const restored = await writer.post(`/events/${id}/history/1/restore`, { version: 2 })
      assert.equal(restored.status, 200, restored.text)
      const back = await client.sync()
      assert.deepEqual(uidsOf(back), [CONCERT, OTHER])
      assertRenewed(objectOf(first, CONCERT), objectOf(back, CONCERT))

      await writer.patch(`/events/${id}`, { location: 'Garden', version: 3 })
      const other = events.find(({ uid }) => uid === OTHER)!
      await writer.delete(`/events/${other.id}`)
      await davOf(writer).put(`${MAIN}new.ics`, eventText('new@example.org'))
      assert.deepEqual(uidsOf(await client.sync()), [CONCERT, 'new@example.org'])
      clock.at += 60_000
      const rewound = await admin.post('/admin/rewind', { to })
      assert.equal(rewound.status, 200, rewound.text)
      const again = await client.sync()
      assert.deepEqual(uidsOf(again), [CONCERT, OTHER])
      for (const uid of [CONCERT, OTHER]) assertRenewed(objectOf(first, uid), objectOf(again, uid))
      assert.deepEqual(uidsOf(await client.sync()), [CONCERT, OTHER])
      assert.equal((await writer.get('/events')).body.data.length, 2)
    }),
  )
}

function assertRenewed(before: SyncedObject, after: SyncedObject): void {
  assert.match(after.text, /X-KEPT:yes/)
  assert.equal(after.text.trim(), before.text.trim(), 'as it was sent')
  if (before.etag !== undefined) assert.notEqual(after.etag, before.etag)
}
