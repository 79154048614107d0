// A keyed POST whose service stops between its effect and its answer: the repetition does nothing a second time.
import assert from 'node:assert/strict'
import { eventText } from '../caldav/support/events.ts'
import { type FaultInjector, injectFaults } from '../simulator/nodes/faults.ts'
import type { Scheduler } from '../simulator/nodes/scheduler.ts'
import type { ApiResponse } from '../support/http/api-response.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const MINUTE_MS = 60_000

const meeting = { title: 'Meeting', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

const KEYED = { 'idempotency-key': 'k' }

/** Every COMMIT after so many fails, as when the service or its database has stopped there. */
async function stoppingAfter<T>(commits: number, act: () => Promise<T>): Promise<T> {
  let seen = 0
  let faults: FaultInjector | undefined
  const current = () => {
    seen += 1
    // Armed again for the next one.
    queueMicrotask(() => faults!.arm('before'))
    return { isWriting: seen > commits }
  }
  faults = injectFaults({ current } as unknown as Scheduler)
  faults.arm('before')
  try {
    return await act()
  } finally {
    faults.remove()
  }
}

interface KeyedOperation {
  name: string
  /** Returns the keyed request. */
  prepare(world: World): Promise<() => Promise<ApiResponse>>
  /** What the request did is changed by another request, so that doing it again would show. */
  change(world: World): Promise<void>
}

const fileOf = (titles: readonly string[]): string => {
  const entries = titles.map((title) => /BEGIN:VEVENT[\s\S]*END:VEVENT/.exec(eventText(`${title}@example.org`))![0])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...entries, 'END:VCALENDAR', ''].join('\r\n')
}

const eventsOf = ({ app }: World) =>
  app.ctx.storage.reads.selectFrom('events').select(['id', 'title', 'version']).orderBy('id').execute()

const renameAll = async (world: World): Promise<void> => {
  for (const { id, version } of await eventsOf(world)) {
    const { status } = await world.admin.patch(`/events/${id}`, { title: 'Renamed', version })
    assert.equal(status, 200)
  }
}

const deleteAll = async (world: World): Promise<void> => {
  for (const { id } of await eventsOf(world)) assert.equal((await world.admin.delete(`/events/${id}`)).status, 204)
}

const OPERATIONS: KeyedOperation[] = [
  {
    name: 'restoring a deleted event',
    async prepare({ admin }) {
      const { id } = await admin.creates(meeting)
      await admin.delete(`/events/${id}`)
      return () => admin.post(`/trash/${id}/restore`, undefined, KEYED)
    },
    change: deleteAll,
  },
  {
    name: 'restoring many deleted events',
    async prepare({ admin }) {
      for (let i = 0; i < 3; i++) await admin.delete(`/events/${(await admin.creates(meeting)).id}`)
      return () => admin.post('/trash/restore', { since: '2026-07-10' }, KEYED)
    },
    change: deleteAll,
  },
  {
    name: 'restoring a version',
    async prepare({ admin }) {
      const { id } = await admin.creates(meeting)
      await admin.patch(`/events/${id}`, { title: 'Other', version: 1 })
      return () => admin.post(`/events/${id}/history/1/restore`, { version: 2 }, KEYED)
    },
    change: renameAll,
  },
  {
    name: 'a rewind',
    async prepare({ admin, clock }) {
      const made = [await admin.creates(meeting), await admin.creates(meeting)]
      const to = new Date(clock.at).toISOString()
      clock.at += MINUTE_MS
      for (const { id } of made) await admin.patch(`/events/${id}`, { title: 'Other', version: 1 })
      clock.at += MINUTE_MS
      return () => admin.post('/admin/rewind', { to }, KEYED)
    },
    change: renameAll,
  },
  {
    name: 'an import',
    async prepare({ app, admin }) {
      const headers = { 'content-type': 'text/calendar', ...KEYED }
      const url = `${app.site.base}/admin/import`
      return () => admin.send({ method: 'POST', url, payload: fileOf(['one', 'two']), headers })
    },
    change: renameAll,
  },
]

for (const { name, prepare, change } of OPERATIONS) {
  forEachEngine(`${name} is not done again when the service stopped before its answer was stored`, (engine) =>
    withWorld(engine, async (world) => {
      const send = await prepare(world)
      const before = await eventsOf(world)
      // The first COMMIT claims the key, the second has the effect.
      await stoppingAfter(2, send)
      assert.notDeepEqual(await eventsOf(world), before, 'it took effect')
      world.clock.at += 6 * MINUTE_MS
      await change(world)
      const after = await eventsOf(world)
      const again = await send()
      assert.deepEqual(await eventsOf(world), after)
      assert.equal(again.body.error?.code, 'idempotency_done')
    }),
  )

  forEachEngine(`${name} is done once when the service stopped before its effect`, (engine) =>
    withWorld(engine, async (world) => {
      const send = await prepare(world)
      const before = await eventsOf(world)
      await stoppingAfter(1, send)
      assert.deepEqual(await eventsOf(world), before)
      world.clock.at += 6 * MINUTE_MS
      assert.equal((await send()).status, 200)
      assert.notDeepEqual(await eventsOf(world), before)
      await change(world)
      const after = await eventsOf(world)
      const again = await send()
      assert.equal(again.headers['idempotency-replayed'], 'true')
      assert.deepEqual(await eventsOf(world), after)
    }),
  )
}
