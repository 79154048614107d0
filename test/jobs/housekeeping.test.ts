// Housekeeping job: a long rebuild of the index says in the log how far it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../src/context.ts'
import { createHousekeeping } from '../../src/jobs/housekeeping.ts'
import { createLog } from '../../src/ops/log.ts'
import type { Json } from '../support/http/api-response.ts'
import { ENGINES } from '../support/storage/engines.ts'
import { type World, withWorld } from '../support/world.ts'

const EVENTS = 8

/** As after an update of the zone data: a rebuild is due, and every row is an hour off. */
async function outdateRows({ storage }: Context): Promise<void> {
  await storage.writes.updateTable('instance').set({ tz_version: 'old' }).execute()
  await storage.writes
    .updateTable('occurrences')
    .set((is) => ({ start_at: is('start_at', '+', 3_600_000), end_at: is('end_at', '+', 3_600_000) }))
    .execute()
}

for (const engine of ENGINES)
  test(`a rebuild of the index logs its progress every ten seconds, and a short one nothing (${engine})`, (t) => {
    // Without this the lease could expire by the clock that this test advances.
    t.mock.timers.enable({ apis: ['setInterval'] })
    return withWorld(engine, async ({ app, clock, writer }: World) => {
      for (let i = 0; i < EVENTS; i++)
        await writer.creates({ title: `${i}`, start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
      let uptimeMs = performance.now()
      const { mock } = t.mock.method(performance, 'now', () => uptimeMs)
      const rebuild = async (msPerEvent: number): Promise<Json[]> => {
        await outdateRows(app.ctx)
        const lines: string[] = []
        // The clock is read for each event that is written.
        const clockOfRebuild = (): number => {
          uptimeMs += msPerEvent
          return clock.at
        }
        const log = createLog('warn', (line) => lines.push(line))
        assert.equal(await createHousekeeping({ ...app.ctx, log, clock: clockOfRebuild }).runOnce(), true)
        return lines.map((line) => JSON.parse(line))
      }
      try {
        assert.deepEqual(await rebuild(0), [])
        const lines = await rebuild(4_000)
        assert.ok(lines.length >= 2, `${lines.length} lines`)
        for (const { message, work, done, total } of lines) {
          assert.deepEqual([message, work, total], ['index work is still in progress', 'rebuild', EVENTS])
          assert.ok(done > 0 && done < EVENTS, `${done}`)
        }
      } finally {
        mock.restore()
      }
    })
  })

test('the first round begins a second after the start, unless the job is stopped before', (t) =>
  withWorld('sqlite', async ({ app: { ctx } }: World) => {
    const countLeases = async (): Promise<number> =>
      (await ctx.storage.reads.selectFrom('leases').selectAll().where('name', '=', 'housekeeping').execute()).length
    t.mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const stopped = createHousekeeping(ctx)
      stopped.start()
      await stopped.stop()
      t.mock.timers.tick(1_000)
      const job = createHousekeeping(ctx)
      job.start()
      t.mock.timers.tick(999)
      for (let turn = 0; turn < 50; turn++) await nextTurn()
      assert.equal(await countLeases(), 0)
      t.mock.timers.tick(1)
      while ((await countLeases()) === 0) await nextTurn()
      await job.stop()
    } finally {
      t.mock.timers.reset()
    }
  }))
