// Revision counters: a database that went back to an earlier state revives no cached response and no cached credential.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRevisionReader } from '../../../src/actions/maintenance/revision-reader.ts'
import { raiseRevision } from '../../../src/storage/events/calendar.ts'
import { forEachEngine, makePlace } from '../../support/storage/engines.ts'
import { startPostgres } from '../../support/storage/postgres-server.ts'
import { openWorld, type World, withWorld } from '../../support/world.ts'

const event = { title: 'Surgery of Ann', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' }
const LIST = '/public/events?from=2026-07-01&to=2026-08-01'

const setCounters = async ({ app }: World, counters: { revision?: number; accounts_revision?: number }) =>
  void (await app.ctx.storage.writes.updateTable('calendar').set(counters).execute())

const countersOf = ({ app }: World) =>
  app.ctx.storage.reads.selectFrom('calendar').select(['revision', 'accounts_revision']).executeTakeFirstOrThrow()

forEachEngine('an event made private after the last write was lost is private in cached lists too', (engine) =>
  withWorld(engine, async (world) => {
    const { writer, anonymous } = world
    const { id } = (await writer.post('/events', event)).body.data
    const { revision } = await countersOf(world)
    assert.match((await anonymous.get(LIST)).text, /Surgery of Ann/)
    await setCounters(world, { revision: revision - 1 })
    assert.match((await anonymous.get(LIST)).text, /Surgery of Ann/)
    const { etag } = (await writer.get(`/events/${id}`)).headers
    const patched = await writer.patch(`/events/${id}`, { visibility: 'private' }, { 'if-match': `${etag}` })
    assert.equal(patched.status, 200)
    assert.equal((await countersOf(world)).revision, revision, 'the counter has the same value again')
    assert.doesNotMatch((await anonymous.get(LIST)).text, /Surgery of Ann/)
  }),
)

forEachEngine('an account suspended after the last write was lost reads no private event', (engine) =>
  withWorld(engine, async (world) => {
    const { app, reader, writer, anonymous } = world
    await writer.creates({ ...event, visibility: 'private' })
    const list = '/events?from=2026-07-01&to=2026-08-01'
    assert.match((await reader.get(list)).text, /Surgery of Ann/)
    const { accounts_revision: counter } = await countersOf(world)
    await setCounters(world, { accounts_revision: counter - 1 })
    assert.equal((await anonymous.get(LIST)).status, 200)
    const { writes } = app.ctx.storage
    await writes.updateTable('users').set({ approval_state: 'suspended' }).where('role', '=', 'reader').execute()
    await setCounters(world, { accounts_revision: counter })
    assert.doesNotMatch((await reader.get(list)).text, /Surgery of Ann/)
  }),
)

test('a restarted PostgreSQL server invalidates cached revisions, even if its counters are equal', async () => {
  const server = await startPostgres()
  const place = await makePlace('sqlite')
  const world = await openWorld('postgres', { ...place, settings: { DAYBOOK_DATABASE_URL: server.url } })
  try {
    const { ctx } = world.app
    const readState = createRevisionReader(ctx)
    const first = await readState()
    assert.deepEqual(await readState(), first)
    await raiseRevision(ctx.storage.writes)
    const second = await readState()
    const stored = { ...first.stored, revision: first.stored.revision + 1 }
    assert.deepEqual(second, { ...first, revision: first.revision + 1, stored })
    await server.restart()
    const third = await readState()
    assert.ok(third.revision > second.revision && third.accountsRevision > second.accountsRevision)
    assert.deepEqual(await readState(), third)
  } finally {
    await world.app.close()
    await place.remove()
    await server.stop()
  }
})
