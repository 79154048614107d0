// A calendar whose feed is longer than the buffers at both ends of a connection: about 18 MB.
import { type EmptyDatabase, type Engine, makeReadyPlace } from './storage/engines.ts'
import { copySeries } from './storage/many-events.ts'
import { openWorld, type World } from './world.ts'

const EVENTS = 1_800

export async function fillLongFeed(world: World): Promise<void> {
  // Without words, which are costly to index and do not matter here.
  const description = '-'.repeat(9_900)
  const times = { start: '2026-07-14T09:00:00Z', end: '2026-07-14T10:00:00Z', timezone: 'UTC' }
  const { id } = await world.writer.creates({ title: '-', ...times, visibility: 'public', description })
  await copySeries(world, id, EVENTS - 1, 1)
}

/** A database with that calendar, for several services one after the other. */
export async function makeLongFeed(engine: Engine): Promise<EmptyDatabase> {
  const place = await makeReadyPlace(engine)
  const world = await openWorld(engine, place)
  await fillLongFeed(world)
  await world.app.close()
  return place
}
