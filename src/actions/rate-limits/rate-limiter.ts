// Where hits are counted: in the database for what guards accounts, in memory for what every request passes.
import type { Context } from '../../context.ts'
import { hasRoom, msUntilRoom, weightMs } from '../../domain/limits/sliding-window.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { countHit, readTally, uncountHit } from '../../storage/operations/rate-limits.ts'
import { createMemoryRateLimiter } from './memory-rate-limiter.ts'
import { type Denied, type Hit, nameOf, type RateLimitPolicy } from './rate-limit-policy.ts'

export interface RateLimiter {
  /** Counts one; where there is no room for it nothing is counted, and it tells when there will be. */
  consume(policy: RateLimitPolicy, key: string): Promise<Denied | undefined>
  /** Counts one of each in one transaction; where one has no room, none is counted. In one order everywhere. */
  consumeAll(hits: readonly Hit[]): Promise<Denied | undefined>
  refund(policy: RateLimitPolicy, key: string): Promise<void>
  refundAll(hits: readonly Hit[]): Promise<void>
  isExhausted(policy: RateLimitPolicy, key: string): Promise<boolean>
  /** How many count at this moment. */
  usage(policy: RateLimitPolicy, key: string): Promise<number>
  /** For those counted in memory alone, without waiting. */
  consumeAllNow(hits: readonly Hit[]): Denied | undefined
  refundAllNow(hits: readonly Hit[]): void
  /** Adds so many whether there is room or not; for those counted in memory. */
  charge(policy: RateLimitPolicy, key: string, units: number): void
  /** What the timer does about once a second. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

const EXCHANGE_MS = 1_000

export function createRateLimiter(ctx: Context): RateLimiter {
  const hot = createMemoryRateLimiter(ctx)
  const take = createConsumer(ctx)
  const sharing = ctx.storage.engine === 'postgres' ? every(EXCHANGE_MS, () => hot.exchange(), ctx) : undefined
  const giveBackAllNow = (hits: readonly Hit[]): void => {
    for (const { policy, key } of hits) hot.refund(policy, key)
  }
  const takeAllNow = (hits: readonly Hit[]): Denied | undefined => {
    for (let i = 0; i < hits.length; i++) {
      const refusal = hot.consume(hits[i]!.policy, hits[i]!.key)
      if (!refusal) continue
      giveBackAllNow(hits.slice(0, i))
      return refusal
    }
    return undefined
  }
  const giveBackAll = async (hits: readonly Hit[]): Promise<void> => {
    giveBackAllNow(hits.filter(({ policy }) => policy.isHot))
    const names = hits.filter(({ policy }) => !policy.isHot).map(({ policy, key }) => nameOf(ctx, policy, key))
    if (names.length === 0) return
    await inTransaction(ctx.storage, async (db) => {
      for (const name of names) await uncountHit(db, name)
    })
    for (const name of names) take.forget(name)
  }
  const takeAll = async (hits: readonly Hit[]): Promise<Denied | undefined> => {
    const hotHits = hits.filter(({ policy }) => policy.isHot)
    const guarded = hits.filter(({ policy }) => !policy.isHot)
    const refusal = takeAllNow(hotHits) ?? (guarded.length > 0 ? await take(guarded) : undefined)
    if (refusal && !refusal.policy.isHot) giveBackAllNow(hotHits)
    return refusal
  }
  return {
    consume: (policy, key) => takeAll([{ policy, key }]),
    consumeAll: takeAll,
    refund: (policy, key) => giveBackAll([{ policy, key }]),
    refundAll: giveBackAll,
    async isExhausted(policy, key) {
      if (policy.isHot) return hot.isFull(policy, key)
      const now = ctx.clock()
      return !hasRoom(await readTally(ctx.storage.reads, nameOf(ctx, policy, key), policy.windowMs, now), now, policy)
    },
    async usage(policy, key) {
      const now = ctx.clock()
      const tally = await readTally(ctx.storage.reads, nameOf(ctx, policy, key), policy.windowMs, now)
      return tally.hits + (tally.hitsBefore * weightMs(tally.startedAt, now, policy.windowMs)) / policy.windowMs
    },
    consumeAllNow: takeAllNow,
    refundAllNow: giveBackAllNow,
    charge: (policy, key, units) => hot.charge(policy, key, units),
    exchange: () => hot.exchange(),
    stop: async () => sharing?.(),
  }
}

/** A flood of refused requests asks the database about each key once in this time. */
const REFUSED_MS = 1_000
const MAX_REFUSED = 10_000

interface Taker {
  (hits: readonly Hit[]): Promise<Denied | undefined>
  forget(name: string): void
}

/** Thrown to roll back what was counted before the policy that has no room. */
class NoRoom extends Error {
  readonly refusal: Denied
  constructor(refusal: Denied) {
    super('no room')
    this.refusal = refusal
  }
}

function createConsumer(ctx: Context): Taker {
  const refused = new Map<string, { at: Instant; roomAt: Instant; limit: number }>()
  const findRefused = (
    named: readonly { policy: RateLimitPolicy; name: string }[],
    now: Instant,
  ): Denied | undefined => {
    for (const { policy, name } of named) {
      const known = refused.get(name)
      // Another limit over the same counts may still have room.
      const isKnown = known?.limit === policy.limit && now >= known.at
      if (isKnown && now < Math.min(known.at + REFUSED_MS, known.roomAt))
        return { policy, roomInMs: known.roomAt - now }
      refused.delete(name)
    }
    return undefined
  }
  const remember = (name: string, { policy, roomInMs }: Denied, now: Instant): void => {
    if (refused.size >= MAX_REFUSED) refused.clear()
    refused.set(name, { at: now, roomAt: now + roomInMs, limit: policy.limit })
  }
  const take = async (hits: readonly Hit[]): Promise<Denied | undefined> => {
    const now = ctx.clock()
    const named = hits.map(({ policy, key }) => ({ policy, name: nameOf(ctx, policy, key) }))
    const known = findRefused(named, now)
    if (known) return known
    try {
      await inTransaction(ctx.storage, async (db) => {
        // Others may have been refused while this one waited for a connection; then it need not wait for the row too.
        const since = findRefused(named, now)
        if (since) throw new NoRoom(since)
        for (const { policy, name } of named) {
          if (await countHit(db, name, policy, now)) continue
          const roomInMs = msUntilRoom(await readTally(db, name, policy.windowMs, now), now, policy)
          remember(name, { policy, roomInMs }, now)
          throw new NoRoom({ policy, roomInMs })
        }
      })
      return undefined
    } catch (error) {
      if (!(error instanceof NoRoom)) throw error
      return error.refusal
    }
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
