// The rate limiter: exact under concurrency and across nodes, sliding windows, clock changes, hashed keys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openContext } from '../../src/boot.ts'
import { loadConfig } from '../../src/config.ts'
import type { Context } from '../../src/context.ts'
import { hasRoom, tallyAt, type WindowTally } from '../../src/domain/limits/sliding-window.ts'
import { nameOf, type RateLimitPolicy } from '../../src/rate-limits/rate-limit-policy.ts'
import { createRateLimiter, type RateLimiter } from '../../src/rate-limits/rate-limiter.ts'
import { inTransaction } from '../../src/storage/engine/transaction.ts'
import { countHit, purgeRateLimits, readTally } from '../../src/storage/operations/rate-limits.ts'
import { type Engine, forEachEngine, makePlace } from '../support/storage/engines.ts'

const MINUTE = 60_000
const guarded: RateLimitPolicy = { name: 'guarded', limit: 10, windowMs: 15 * MINUTE, isHot: false }
const hot: RateLimitPolicy = { name: 'hot', limit: 10, windowMs: 15 * MINUTE, isHot: true }

interface Node {
  ctx: Context
  counts: RateLimiter
}

interface Nodes {
  one: Node
  two: Node
  clock: { at: number }
}

/** Two nodes on one database, and the clock they share. */
async function withNodes(engine: Engine, tell: (nodes: Nodes) => Promise<void>): Promise<void> {
  const place = await makePlace(engine)
  const clock = { at: Date.parse('2026-07-10T12:00:00Z') }
  const open = async (): Promise<Node> => {
    const config = loadConfig({ DAYBOOK_LOG_LEVEL: 'silent', ...place.settings }, place.folder)
    const ctx = await openContext(config, { clock: () => clock.at })
    return { ctx, counts: createRateLimiter(ctx) }
  }
  const [one, two] = [await open(), await open()]
  try {
    await tell({ one, two, clock })
  } finally {
    for (const { ctx, counts } of [two, one]) {
      await counts.stop()
      await ctx.storage.close()
    }
    await place.remove()
  }
}

/** How many of so many concurrent attempts were let through. */
async function tries(count: number, take: (i: number) => ReturnType<RateLimiter['consume']>): Promise<number> {
  const refusals = await Promise.all(Array.from({ length: count }, (_, i) => take(i)))
  return refusals.filter((refusal) => refusal === undefined).length
}

for (const policy of [guarded, hot]) {
  forEachEngine(
    `of a hundred concurrent attempts exactly as many as allowed are let through: ${policy.name}`,
    (engine) =>
      withNodes(engine, async ({ one: { counts } }) => {
        assert.equal(await tries(100, () => counts.consume(policy, 'a')), 10)
        assert.equal(await tries(5, () => counts.consume(policy, 'b')), 5, 'another key')
        assert.equal(await tries(5, () => counts.consume({ ...policy, name: 'other' }, 'a')), 5, 'another policy')
      }),
  )

  forEachEngine(`quota used up at the end of a window is not free again at the next: ${policy.name}`, (engine) =>
    withNodes(engine, async ({ one: { counts }, clock }) => {
      clock.at += 14 * MINUTE + 59_000
      assert.equal(await tries(10, () => counts.consume(policy, 'a')), 10)
      clock.at += 2_000
      assert.equal(await tries(10, () => counts.consume(policy, 'a')), 0)
      clock.at += 7 * MINUTE
      const [halfway] = [await tries(10, () => counts.consume(policy, 'a'))]
      assert.ok(halfway >= 4 && halfway <= 5, `${halfway}`)
      clock.at += 30 * MINUTE
      assert.equal(await tries(20, () => counts.consume(policy, 'a')), 10)
    }),
  )

  forEachEngine(`a retry succeeds after the stated wait, and no sooner: ${policy.name}`, (engine) =>
    withNodes(engine, async ({ one: { counts }, clock }) => {
      clock.at += 4 * MINUTE
      await tries(10, () => counts.consume(policy, 'a'))
      const refusal = await counts.consume(policy, 'a')
      clock.at += refusal!.roomInMs - 1
      const still = await counts.consume(policy, 'a')
      assert.equal(still?.roomInMs, 1)
      clock.at += 1
      assert.equal(await counts.consume(policy, 'a'), undefined)
    }),
  )

  forEachEngine(`refunded quota can be used again: ${policy.name}`, (engine) =>
    withNodes(engine, async ({ one: { counts }, clock }) => {
      await tries(20, () => counts.consume(policy, 'a'))
      assert.equal(await counts.isExhausted(policy, 'a'), true)
      await counts.refund(policy, 'a')
      assert.equal(await counts.isExhausted(policy, 'a'), false)
      assert.equal(await tries(5, () => counts.consume(policy, 'a')), 1)
      for (let i = 0; i < 30; i++) await counts.refund(policy, 'a')
      assert.equal(await tries(20, () => counts.consume(policy, 'a')), 10, 'no more than the quota')
      await counts.refund(policy, 'unknown')
      clock.at += 15 * MINUTE
      assert.equal(await counts.isExhausted(policy, 'a'), true, 'asking counts nothing')
    }),
  )

  forEachEngine(`F16: a clock set back a day locks no one out for more than a window: ${policy.name}`, (engine) =>
    withNodes(engine, async ({ one: { counts }, clock }) => {
      await tries(10, () => counts.consume(policy, 'a'))
      clock.at -= 10_000
      assert.ok(await counts.consume(policy, 'a'), 'clocks that are set right by a little forget nothing')
      clock.at -= 86_400_000
      assert.equal(await tries(20, () => counts.consume(policy, 'a')), 10)
      clock.at += MINUTE
      const refusal = await counts.consume(policy, 'a')
      assert.ok(refusal && refusal.roomInMs <= policy.windowMs, 'and counts on from there')
      clock.at += 2 * 86_400_000
      assert.equal(await tries(20, () => counts.consume(policy, 'a')), 10, 'nor one set forward')
    }),
  )
}

forEachEngine('two nodes on one database let through as many together as one alone', (engine) =>
  withNodes(engine, async ({ one, two, clock }) => {
    assert.equal(await tries(100, (i) => (i % 2 ? one : two).counts.consume(guarded, 'a')), 10)
    clock.at += 1
    assert.ok(await one.counts.consume(guarded, 'a'))
    await one.counts.refund(guarded, 'a')
    clock.at += 1_000
    assert.equal(await tries(20, () => two.counts.consume(guarded, 'a')), 1)
    assert.equal(await two.counts.isExhausted(guarded, 'a'), true)
  }),
)

test('hits counted in memory are known to the other node after one exchange', () =>
  withNodes('postgres', async ({ one, two, clock }) => {
    assert.equal(await tries(6, () => one.counts.consume(hot, 'a')), 6)
    assert.equal(await tries(2, () => two.counts.consume(hot, 'a')), 2, 'no request waits for an exchange')
    await one.counts.exchange()
    await two.counts.exchange()
    assert.equal(await tries(20, () => two.counts.consume(hot, 'a')), 2)
    await two.counts.exchange()
    await one.counts.consume(hot, 'a')
    await one.counts.exchange()
    assert.ok(await one.counts.consume(hot, 'a'))
    clock.at += 15 * MINUTE
    assert.ok(await one.counts.consume(hot, 'a'), 'the next window remembers what both have counted')
    clock.at += 15 * MINUTE
    assert.equal(await tries(20, () => one.counts.consume(hot, 'a')), 10)
  }))

test('hits of the last moment of a window reach the other node in the next', () =>
  withNodes('postgres', async ({ one, two, clock }) => {
    clock.at += 15 * MINUTE - 1
    await tries(8, () => one.counts.consume(hot, 'a'))
    clock.at += 1
    await two.counts.consume(hot, 'a')
    await one.counts.exchange()
    await two.counts.exchange()
    const tally = await readTally(one.ctx.storage.reads, nameOf(one.ctx, hot, 'a'), hot.windowMs, clock.at)
    assert.deepEqual([tally.hits, tally.hitsBefore], [1, 8])
    assert.equal(await tries(20, () => two.counts.consume(hot, 'a')), 1)
  }))

test('a database that fails while counts are exchanged fails no request, and no count is lost', () =>
  withNodes('postgres', async ({ one, two }) => {
    const { writes } = one.ctx.storage
    await tries(6, () => one.counts.consume(hot, 'a'))
    one.ctx.storage.writes = { transaction: () => ({ execute: () => Promise.reject(new Error('gone')) }) } as never
    await assert.rejects(one.counts.exchange())
    await assert.rejects(one.counts.consume(guarded, 'a'), 'what guards accounts is not let through uncounted')
    assert.equal(await tries(3, () => one.counts.consume(hot, 'a')), 3)
    one.ctx.storage.writes = writes
    await one.counts.exchange()
    await two.counts.consume(hot, 'a')
    await two.counts.exchange()
    assert.ok(await two.counts.consume(hot, 'a'))
  }))

forEachEngine('memory is bounded: the least recently used key is evicted first', (engine) =>
  withNodes(engine, async ({ one: { counts } }) => {
    const once = { ...hot, limit: 1 }
    for (let i = 0; i < 25_001; i++) await counts.consume(once, `k${i}`)
    assert.ok(await counts.consume(once, 'k1'))
    assert.ok(await counts.consume(once, 'k25000'))
    assert.equal(await counts.consume(once, 'k0'), undefined)
  }),
)

forEachEngine('the table does not reveal whose hits it counts', (engine) =>
  withNodes(engine, async ({ one: { ctx, counts } }) => {
    for (const policy of [guarded, hot]) {
      await counts.consume(policy, '198.51.100.7')
      await counts.consume(policy, 'someone@example.org 198.51.100.7')
    }
    await counts.exchange().catch(() => {})
    const rows = await ctx.storage.reads.selectFrom('rate_limits').selectAll().execute()
    assert.ok(rows.length >= 2)
    assert.doesNotMatch(JSON.stringify(rows), /someone|example|198\.51/)
    for (const { name } of rows) assert.match(name, /^(?:guarded|hot) [0-9a-f]{64}$/)
  }),
)

forEachEngine('rows that no longer count are purged, others stay', (engine) =>
  withNodes(engine, async ({ one: { ctx, counts }, clock }) => {
    await counts.consume(guarded, 'old')
    clock.at += 20 * MINUTE
    await counts.consume(guarded, 'new')
    clock.at += 11 * MINUTE
    await inTransaction(ctx.storage, (db) => purgeRateLimits(db, clock.at))
    const rows = await ctx.storage.reads.selectFrom('rate_limits').select('name').execute()
    assert.deepEqual(
      rows.map(({ name }) => name),
      [nameOf(ctx, guarded, 'new')],
    )
  }),
)

forEachEngine('the SQL statement and the in-memory arithmetic agree, even when the clock jumps', (engine) =>
  withNodes(engine, async ({ one: { ctx } }) => {
    const base = Date.parse('2026-07-10T12:00:00Z')
    let run = 0
    const steps = fc.array(fc.integer({ min: -150_000, max: 150_000 }), { minLength: 5, maxLength: 30 })
    const property = fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (moves, limit) => {
      const rule = { limit, windowMs: MINUTE }
      const name = `steps ${run++}`
      let now = base
      let stored: WindowTally | undefined
      for (const move of moves) {
        now += move
        const tally = tallyAt(stored, now, MINUTE)
        const expected = hasRoom(tally, now, rule)
        assert.equal(await inTransaction(ctx.storage, (db) => countHit(db, name, rule, now)), expected)
        if (expected) stored = { ...tally, hits: tally.hits + 1 }
        const read = await readTally(ctx.storage.reads, name, MINUTE, now)
        assert.deepEqual({ ...read }, tallyAt(stored, now, MINUTE))
      }
    })
    await fc.assert(property, { numRuns: 25 })
  }),
)
