// Leases: short, and renewed while the work runs; a killed process blocks other nodes for seconds only.
import assert from 'node:assert/strict'
import type { Context } from '../../src/context.ts'
import { runWithLease } from '../../src/jobs/lease.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'

const NAME = 'test'

const findLease = ({ storage }: Context) =>
  storage.reads.selectFrom('leases').selectAll().where('name', '=', NAME).executeTakeFirst()

const otherNode = (ctx: Context): Context => ({ ...ctx, nodeId: 'another node' })

const aborted = (signal: AbortSignal): Promise<boolean> => waitFor('the work is stopped', () => signal.aborted)

forEachEngine('F50: a lease is renewed while its work runs, and no second node gets it', (engine) =>
  withWorld(engine, async ({ app: { ctx }, clock }) => {
    const other = (): Promise<boolean> => runWithLease(otherNode(ctx), { name: NAME }, async () => {})
    const ran = await runWithLease(ctx, { name: NAME, renewMs: 20 }, async (signal) => {
      for (let i = 0; i < 3; i++) {
        assert.equal(await other(), false)
        clock.at += 8_000
        await waitFor('the lease is renewed', async () => (await findLease(ctx))?.expires_at === clock.at + 10_000)
      }
      assert.equal(signal.aborted, false)
    })
    assert.equal(ran, true)
    assert.equal(await findLease(ctx), undefined, 'let go of at once')
    assert.equal(await other(), true)
  }),
)

forEachEngine('F50: the lease of a killed process is taken over after ten seconds', (engine) =>
  withWorld(engine, async ({ app: { ctx }, clock }) => {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    // As a process leaves it that is killed before its first renewal.
    const killed = runWithLease(otherNode(ctx), { name: NAME, renewMs: 1e9 }, () => {
      started.resolve()
      return end
    })
    await started.promise
    clock.at += 9_999
    assert.equal(await runWithLease(ctx, { name: NAME }, async () => {}), false)
    clock.at += 1
    assert.equal(await runWithLease(ctx, { name: NAME }, async () => {}), true)
    resolve()
    await killed
  }),
)

forEachEngine('F50: work whose lease another node has stops, and leaves that lease alone', (engine) =>
  withWorld(engine, async ({ app: { ctx }, clock }) => {
    const ran = await runWithLease(ctx, { name: NAME, renewMs: 20 }, async (signal) => {
      await ctx.storage.writes
        .updateTable('leases')
        .set({ holder: 'another node', expires_at: clock.at + 10_000 })
        .where('name', '=', NAME)
        .execute()
      await aborted(signal)
    })
    assert.equal(ran, false)
    assert.equal((await findLease(ctx))?.holder, 'another node')
  }),
)

forEachEngine('F50: work whose lease cannot be renewed for its whole term stops', (engine) =>
  withWorld(engine, async ({ app: { ctx } }) => {
    const { storage } = ctx
    let isReachable = true
    const transaction = () => {
      if (!isReachable) throw new Error('the database cannot be reached')
      return storage.writes.transaction()
    }
    const writes = new Proxy(storage.writes, {
      get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
    })
    const cut = { ...ctx, storage: { ...storage, writes } }
    const ran = await runWithLease(cut, { name: NAME, renewMs: 20, termMs: 200 }, async (signal) => {
      isReachable = false
      await aborted(signal)
      isReachable = true
    })
    assert.equal(ran, false)
  }),
)
