// A new event with the UID of a deleted one: each side names the other, and either can be the current one.
import assert from 'node:assert/strict'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type World, withWorld } from '../../support/world.ts'
import { changesSince, syncToken } from './shared.ts'

const UID = 'concert@example.org'
const PATH = `${MAIN}concert.ics`

const trash = async ({ writer }: World) => (await writer.get('/trash')).body.data

/** Deletes an event over CalDAV and uploads another with its UID; returns both ids. */
async function replaced(world: World): Promise<{ old: string; live: string }> {
  const dav = davOf(world.writer)
  assert.equal((await dav.put(PATH, eventText(UID, 'LOCATION:Hall'))).status, 201)
  assert.equal((await dav.delete(PATH)).status, 204)
  world.clock.at += 60_000
  assert.equal((await dav.put(PATH, eventText(UID, 'LOCATION:Garden'))).status, 201)
  const [entry] = await trash(world)
  return { old: entry.id, live: entry.continued_by }
}

forEachEngine('an object uploaded again continues the deleted one, and either can be the current one', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, clock } = world
    const dav = davOf(writer)
    const { old, live } = await replaced(world)
    assert.notEqual(old, live)
    assert.equal((await writer.get(`/events/${live}`)).body.data.location, 'Garden')
    const refused = await writer.post(`/trash/${old}/restore`, undefined)
    assert.equal(refused.status, 409)
    assert.deepEqual(refused.body.error.details, { event_id: live })

    clock.at += 60_000
    const token = await syncToken(world)
    const swapped = await writer.post(`/trash/${old}/restore?replace=true`, undefined)
    assert.equal(swapped.status, 200, swapped.text)
    assert.equal(swapped.body.data.location, 'Hall')
    assert.match((await dav.get(PATH)).text, /LOCATION:Hall/)
    assert.deepEqual(await changesSince(world, token), [[PATH, 200]])
    assert.equal((await writer.get(`/events/${live}`)).status, 404)
    const [entry, ...others] = await trash(world)
    assert.deepEqual(others, [])
    assert.deepEqual([entry.id, entry.continued_by, entry.continues], [live, old, null])

    assert.equal((await writer.post(`/trash/${live}/restore?replace=true`, undefined)).body.data.location, 'Garden')
    assert.match((await dav.get(PATH)).text, /LOCATION:Garden/)
    assert.deepEqual(
      (await trash(world)).map(({ id, continued_by }: Record<string, string>) => [id, continued_by]),
      [[old, live]],
    )
    // Without one in its place, `replace` changes nothing.
    clock.at += 60_000
    await writer.delete(`/events/${live}`)
    const both = await trash(world)
    assert.deepEqual(
      both.map(({ id, continues, continued_by }: Record<string, string>) => [id, continues, continued_by]),
      [
        [live, old, null],
        [old, null, null],
      ],
    )
    assert.equal((await writer.post(`/trash/${live}/restore?replace=true`, undefined)).status, 200)
    assert.equal((await trash(world)).length, 1)
  }),
)

forEachEngine('the events of an import and of the API say which deleted event they continue', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, clock } = world
    const { id } = await writer.creates({ title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', uid: UID })
    await writer.delete(`/events/${id}`)
    clock.at += 60_000
    const file = eventText(UID)
    const send = (query = '') =>
      admin.send({
        method: 'POST',
        url: `${world.app.site.base}/admin/import${query}`,
        payload: file,
        headers: { 'content-type': 'text/calendar' },
      })
    const foreseen = (await send('?dry_run=true')).body.data
    assert.deepEqual([foreseen.created, foreseen.events[0].continues], [1, id])
    const done = (await send()).body.data
    assert.deepEqual([done.created, done.events[0].continues], [1, id])
    assert.equal('continues' in (await send()).body.data.events[0], false)

    const [{ continued_by: imported }] = await trash(world)
    await writer.delete(`/events/${imported}`)
    const made = await writer.post('/events', {
      ...{ title: 'B', start: '2026-07-14T09:00', end: '2026-07-14T10:00', uid: UID },
    })
    assert.equal(made.body.meta.continues, imported)
    const fresh = await writer.post('/events', { title: 'C', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    assert.equal('continues' in fresh.body.meta, false)
    // What can no longer be restored is not continued.
    await writer.delete(`/events/${made.body.data.id}`)
    clock.at += 181 * 86_400_000
    const later = await writer.post('/events', {
      ...{ title: 'D', start: '2026-07-14T09:00', end: '2026-07-14T10:00', uid: UID },
    })
    assert.equal('continues' in later.body.meta, false)
  }),
)

forEachEngine('of two replacements at once both end well, and every text is live or in the trash', (engine) =>
  withWorld(engine, async (world) => {
    const { writer } = world
    const { old, live } = await replaced(world)
    const answers = await Promise.all([
      writer.post(`/trash/${old}/restore?replace=true`, undefined),
      writer.post(`/trash/${old}/restore?replace=true`, undefined),
      writer.patch(`/events/${live}`, { title: 'Changed', version: 1 }),
    ])
    const statuses = answers.map(({ status }) => status)
    assert.ok(statuses.slice(0, 2).includes(200), statuses.join())
    for (const status of statuses) assert.ok([200, 404, 503].includes(status), statuses.join())
    const [entry, ...others] = await trash(world)
    assert.deepEqual([entry.id, entry.continued_by, others.length], [live, old, 0])
    assert.equal(entry.title, statuses[2] === 200 ? 'Changed' : entry.title)
  }),
)
