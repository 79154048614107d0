// Where hits are counted: in the database for what guards accounts, in memory for what every request passes.
import type { Context } from '../context.ts'
import { hasRoom, msUntilRoom } from '../domain/limits/sliding-window.ts'
import type { Instant } from '../domain/time/instant.ts'
import { countHit, readTally, uncountHit } from '../storage/rate-limits.ts'
import { inTransaction } from '../storage/transaction.ts'
import { makeHotCounts } from './hot-limits.ts'
import { nameOf, type Policy, type Refusal } from './limit-policy.ts'

export interface Counts {
  /** Counts one; where there is no room for it nothing is counted, and it tells when there will be. */
  take(policy: Policy, key: string): Promise<Refusal | undefined>
  giveBack(policy: Policy, key: string): Promise<void>
  isFull(policy: Policy, key: string): Promise<boolean>
  /** For those counted in memory alone, without waiting. */
  takeNow(policy: Policy, key: string): boolean
  giveBackNow(policy: Policy, key: string): void
  /** Adds so many whether there is room or not; for those counted in memory. */
  charge(policy: Policy, key: string, units: number): void
  /** What the timer does about once a second. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

const EXCHANGE_MS = 1_000

export function makeCounts(ctx: Context): Counts {
  const hot = makeHotCounts(ctx)
  const take = makeTaker(ctx)
  const sharing = ctx.storage.engine === 'postgres' ? every(EXCHANGE_MS, () => hot.exchange(), ctx) : undefined
  return {
    async take(policy, key) {
      return policy.isHot ? hot.take(policy, key) : take(policy, nameOf(ctx, policy, key))
    },
    async giveBack(policy, key) {
      if (policy.isHot) return hot.giveBack(policy, key)
      const name = nameOf(ctx, policy, key)
      await inTransaction(ctx.storage, (db) => uncountHit(db, name))
      take.forget(name)
    },
    async isFull(policy, key) {
      if (policy.isHot) return hot.isFull(policy, key)
      const now = ctx.clock()
      return !hasRoom(await readTally(ctx.storage.reads, nameOf(ctx, policy, key), policy.windowMs, now), now, policy)
    },
    takeNow: (policy, key) => hot.take(policy, key) === undefined,
    giveBackNow: (policy, key) => hot.giveBack(policy, key),
    charge: (policy, key, units) => hot.charge(policy, key, units),
    exchange: () => hot.exchange(),
    stop: async () => sharing?.(),
  }
}

/** A flood of refused requests asks the database about each key once in this time. */
const REFUSED_MS = 1_000
const MAX_REFUSED = 10_000

interface Taker {
  (policy: Policy, name: string): Promise<Refusal | undefined>
  forget(name: string): void
}

function makeTaker(ctx: Context): Taker {
  const refused = new Map<string, { at: Instant; roomAt: Instant }>()
  const take = async (policy: Policy, name: string): Promise<Refusal | undefined> => {
    const now = ctx.clock()
    const known = refused.get(name)
    if (known && now >= known.at && now < Math.min(known.at + REFUSED_MS, known.roomAt))
      return { roomInMs: known.roomAt - now }
    refused.delete(name)
    const roomInMs = await inTransaction(ctx.storage, async (db) =>
      (await countHit(db, name, policy, now))
        ? undefined
        : msUntilRoom(await readTally(db, name, policy.windowMs, now), now, policy),
    )
    if (roomInMs === undefined) return undefined
    if (refused.size >= MAX_REFUSED) refused.clear()
    refused.set(name, { at: now, roomAt: now + roomInMs })
    return { roomInMs }
  }
  return Object.assign(take, { forget: (name: string) => void refused.delete(name) })
}

/** Again and again, never twice at once; what fails is tried the next time. The answer ends it. */
function every(ms: number, work: () => Promise<void>, ctx: Context): () => Promise<void> {
  let running: Promise<void> | undefined
  let hasFailed = false
  const run = async (): Promise<void> => {
    try {
      await work()
      hasFailed = false
    } catch {
      if (!hasFailed) ctx.log.warn('request counts are not shared with other nodes just now')
      hasFailed = true
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= run()
  }, ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
