// A dry run of a rewind and the rewind itself agree: random histories, and events that cannot be brought back.
import assert from 'node:assert/strict'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { createRandom, type SeededRandom } from '../../simulator/random.ts'
import { type Dav, davOf } from '../../support/http/dav.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, type World, withWorld } from '../../support/world.ts'

const PEOPLE = ['writer@example.org', 'admin@example.org'] as const

const UIDS = ['a', 'b'].map((name) => `${name}@example.org`)

interface Author {
  client: Client
  dav: Dav
}

const authorsOf = ({ writer, admin }: World): Author[] =>
  [writer, admin].map((client) => ({ client, dav: davOf(client) }))

const eventsOf = ({ app }: World) =>
  app.ctx.storage.reads
    .selectFrom('events')
    .select(['id', 'version', 'ical', 'sent_ical'])
    .orderBy('created_at')
    .execute()

const textsOf = async (world: World): Promise<unknown[]> =>
  (await eventsOf(world)).map(({ id, ical, sent_ical }) => ({ id, ical, sent_ical }))

const trashOf = ({ app }: World) =>
  app.ctx.storage.reads.selectFrom('trash').select('event_id').orderBy('created_at').execute()

const WEIGHTS = { create: 1, patch: 2, visibility: 1, delete: 6, restore: 1, replace: 1, put: 9, remove: 3, move: 1 }

/** One request of one author; some of them are refused. */
async function act(world: World, authors: readonly Author[], random: SeededRandom): Promise<void> {
  const { client, dav } = random.pick(authors)
  const [events, trash] = [await eventsOf(world), await trashOf(world)]
  const path = () => `${MAIN}${random.pick(['1', '2', '3'])}.ics`
  const event = events.length > 0 ? random.pick(events) : undefined
  const deleted = trash.length > 0 ? random.pick(trash).event_id : undefined
  const patch = async (change: object) =>
    event && (await client.patch(`/events/${event.id}`, { ...change, version: event.version }))
  world.clock.at += 1_000
  switch (random.choose(WEIGHTS)) {
    case 'create':
      return void (await client.creates({ title: 'New', start: '2026-07-20', end: '2026-07-21', all_day: true }))
    case 'patch':
      return void (await patch({ title: `Title ${random.below(3)}` }))
    case 'visibility':
      return void (await patch({ visibility: random.pick(['public', 'private']) }))
    case 'delete':
      return void (event && (await client.delete(`/events/${event.id}`)))
    case 'restore':
      return void (deleted && (await client.post(`/trash/${deleted}/restore`, undefined)))
    case 'replace':
      return void (deleted && (await client.post(`/trash/${deleted}/restore?replace=true`, undefined)))
    case 'put':
      return void (await dav.put(path(), eventText(random.pick(UIDS), `SUMMARY:Object ${random.below(3)}`)))
    case 'remove':
      return void (await dav.delete(path()))
    case 'move':
      return void (await dav.send('MOVE', path(), undefined, { destination: path(), overwrite: 'F' }))
  }
}

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1)

forEachEngine('after any history, a dry run says what the rewind then does', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, clock } = world
    const authors = authorsOf(world)
    const reasons = new Set<string>()
    for (let seed = 1; seed <= byRunLength(10, 200); seed++) {
      const random = createRandom(seed)
      const states = new Map<number, unknown[]>()
      for (let step = 0; step < 25; step++) {
        await act(world, authors, random)
        states.set(clock.at, await textsOf(world))
      }
      const at = random.pick([...states.keys()].slice(0, 15))
      const by = random.isHit(0.7) ? { by: random.pick(PEOPLE) } : {}
      clock.at += 1_000
      const body = { to: new Date(at).toISOString(), ...by }
      const dry = (await admin.post('/admin/rewind', { ...body, dry_run: true })).body.data
      const run = (await admin.post('/admin/rewind', body)).body.data
      const name = `seed ${seed}: ${JSON.stringify(body)}`
      const { dry_run: _, undo_to: __, ...planned } = dry
      const { dry_run: ___, undo_to: ____, ...done } = run
      assert.deepEqual(
        { ...done, events: done.events.sort(byId) },
        { ...planned, events: planned.events.sort(byId) },
        name,
      )
      for (const { reason } of run.events) if (reason) reasons.add(reason)
      if (!by.by && run.skipped === 0) assert.deepEqual(await textsOf(world), states.get(at), name)
      clock.at += 1_000
    }
    assert.deepEqual([...reasons].sort(), ['changed_later', 'uid_conflict'])
  }),
)

forEachEngine('a dry run names the events whose earlier text cannot be read', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, clock, app } = world
    const times = { start: '2026-07-20T10:00', end: '2026-07-20T11:00' }
    const changed = await writer.creates({ title: 'Choir', ...times })
    const deleted = await writer.creates({ title: 'Market', ...times })
    const to = new Date(clock.at).toISOString()
    clock.at += 60_000
    await writer.patch(`/events/${changed.id}`, { title: 'Band', version: 1 })
    await writer.delete(`/events/${deleted.id}`)
    const { writes } = app.ctx.storage
    await writes.updateTable('event_versions').set({ ical: 'BEGIN:VTODO' }).execute()
    await writes.updateTable('trash').set({ ical: 'BEGIN:VTODO' }).execute()
    clock.at += 60_000
    const dry = (await admin.post('/admin/rewind', { to, dry_run: true })).body.data
    const results = dry.events.map(({ title, result, reason }: Record<string, string>) => [title, result, reason])
    assert.deepEqual(results, [
      ['Band', 'skipped', 'not_stored'],
      ['Market', 'skipped', 'not_stored'],
    ])
    const run = (await admin.post('/admin/rewind', { to })).body.data
    assert.deepEqual(run.events, dry.events)
  }),
)

forEachEngine('the UID of an event that the rewind itself deletes is free for the one before it', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, clock } = world
    const dav = davOf(writer)
    const put = () => dav.put(`${MAIN}1.ics`, eventText(UIDS[0]!))
    await put()
    const [first] = await textsOf(world)
    const to = new Date(clock.at).toISOString()
    clock.at += 60_000
    await dav.delete(`${MAIN}1.ics`)
    await put()
    await dav.delete(`${MAIN}1.ics`)
    await put()
    clock.at += 60_000
    const dry = (await admin.post('/admin/rewind', { to, by: PEOPLE[0], dry_run: true })).body.data
    assert.deepEqual([dry.deleted, dry.restored, dry.skipped], [1, 1, 0])
    const run = (await admin.post('/admin/rewind', { to, by: PEOPLE[0] })).body.data
    assert.deepEqual(run.events, dry.events)
    assert.deepEqual(await textsOf(world), [first])
  }),
)

forEachEngine(
  'of two deleted events with one UID, the one deleted last comes back, and the dry run says so',
  (engine) =>
    withWorld(engine, async (world) => {
      const { admin, writer, clock } = world
      const [dav, other] = [davOf(writer), davOf(admin)]
      const text = (title: string): string => eventText(UIDS[0]!, `SUMMARY:${title}`)
      await other.put(`${MAIN}1.ics`, text('First'))
      const to = new Date(clock.at).toISOString()
      clock.at += 60_000
      await dav.delete(`${MAIN}1.ics`)
      clock.at += 60_000
      await other.put(`${MAIN}2.ics`, text('Second'))
      await dav.delete(`${MAIN}2.ics`)
      clock.at += 60_000
      for (const dry_run of [true, false]) {
        const { data } = (await admin.post('/admin/rewind', { to, by: PEOPLE[0], dry_run })).body
        const results = data.events.map(({ title, result, reason }: Record<string, string>) => [title, result, reason])
        assert.deepEqual(results.sort(), [
          ['First', 'skipped', 'uid_conflict'],
          ['Second', 'restored', undefined],
        ])
      }
    }),
)

forEachEngine('an event that a program renamed keeps its new address in a rewind', (engine) =>
  withWorld(engine, async (world) => {
    const { admin, writer, clock } = world
    const dav = davOf(writer)
    await dav.put(`${MAIN}1.ics`, eventText(UIDS[0]!))
    const to = new Date(clock.at).toISOString()
    clock.at += 60_000
    assert.equal((await dav.send('MOVE', `${MAIN}1.ics`, undefined, { destination: `${MAIN}2.ics` })).status, 201)
    clock.at += 60_000
    const run = (await admin.post('/admin/rewind', { to })).body.data
    assert.deepEqual([run.changed, run.events], [0, []])
    assert.equal((await dav.get(`${MAIN}2.ics`)).status, 200)
  }),
)
