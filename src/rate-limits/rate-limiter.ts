// Rate limiter: account limits count in the database, limits for every request in memory.
import type { Context } from '../context.ts'
import { hasRoom, msUntilRoom, weightMs } from '../domain/limits/sliding-window.ts'
import type { Instant } from '../domain/time/instant.ts'
import { LruMap } from '../lru-map.ts'
import { type Interval, startInterval } from '../scheduling/interval.ts'
import { inTransaction } from '../storage/engine/transaction.ts'
import { countHit, readTally, uncountHit } from '../storage/operations/rate-limits.ts'
import { createMemoryRateLimiter, type MemoryRateLimiter } from './memory-rate-limiter.ts'
import { type Denied, type Hit, nameOf, type RateLimitPolicy } from './rate-limit-policy.ts'

export interface RateLimiter {
  /** Counts one hit; at the limit it counts nothing and returns when there is room. */
  consume(policy: RateLimitPolicy, key: string): Promise<Denied | undefined>
  /** Counts one hit of each in one transaction, or none if one is at its limit. The order is the same everywhere. */
  consumeAll(hits: readonly Hit[]): Promise<Denied | undefined>
  refund(policy: RateLimitPolicy, key: string): Promise<void>
  refundAll(hits: readonly Hit[]): Promise<void>
  isExhausted(policy: RateLimitPolicy, key: string): Promise<boolean>
  /** The current count of the sliding window. */
  usage(policy: RateLimitPolicy, key: string): Promise<number>
  /** Synchronous; for policies counted in memory only. */
  consumeAllNow(hits: readonly Hit[]): Denied | undefined
  refundAllNow(hits: readonly Hit[]): void
  /** Adds units whether there is room or not; for policies counted in memory. */
  charge(policy: RateLimitPolicy, key: string, units: number): void
  /** Called by a timer about once a second. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

const EXCHANGE_MS = 1_000

export function createRateLimiter(ctx: Context): RateLimiter {
  const memory = createMemoryRateLimiter(ctx)
  const consumeStored = createConsumer(ctx)
  const sharing = ctx.storage.engine === 'postgres' ? startExchange(ctx, memory) : undefined
  const refundAllNow = (hits: readonly Hit[]): void => {
    for (const { policy, key } of hits) memory.refund(policy, key)
  }
  const consumeAllNow = (hits: readonly Hit[]): Denied | undefined => {
    for (let i = 0; i < hits.length; i++) {
      const refusal = memory.consume(hits[i]!.policy, hits[i]!.key)
      if (!refusal) continue
      refundAllNow(hits.slice(0, i))
      return refusal
    }
    return undefined
  }
  const refundAll = async (hits: readonly Hit[]): Promise<void> => {
    refundAllNow(hits.filter(({ policy }) => policy.isHot))
    const names = hits.filter(({ policy }) => !policy.isHot).map(({ policy, key }) => nameOf(ctx, policy, key))
    if (names.length === 0) return
    await inTransaction(ctx.storage, async (db) => {
      for (const name of names) await uncountHit(db, name)
    })
    for (const name of names) consumeStored.forget(name)
  }
  const consumeAll = async (hits: readonly Hit[]): Promise<Denied | undefined> => {
    const hotHits = hits.filter(({ policy }) => policy.isHot)
    const guarded = hits.filter(({ policy }) => !policy.isHot)
    const refusal = consumeAllNow(hotHits) ?? (guarded.length > 0 ? await consumeStored(guarded) : undefined)
    if (refusal && !refusal.policy.isHot) refundAllNow(hotHits)
    return refusal
  }
  return {
    consume: (policy, key) => consumeAll([{ policy, key }]),
    consumeAll,
    refund: (policy, key) => refundAll([{ policy, key }]),
    refundAll,
    async isExhausted(policy, key) {
      if (policy.isHot) return memory.isFull(policy, key)
      const now = ctx.clock()
      return !hasRoom(await readTally(ctx.storage.reads, nameOf(ctx, policy, key), policy.windowMs, now), now, policy)
    },
    async usage(policy, key) {
      const now = ctx.clock()
      const tally = await readTally(ctx.storage.reads, nameOf(ctx, policy, key), policy.windowMs, now)
      return tally.hits + (tally.hitsBefore * weightMs(tally.startedAt, now, policy.windowMs)) / policy.windowMs
    },
    consumeAllNow,
    refundAllNow,
    charge: (policy, key, units) => memory.charge(policy, key, units),
    exchange: () => memory.exchange(),
    stop: async () => sharing?.stop(),
  }
}

/** In a flood of refused requests, the database is queried at most once per key in this time. */
const REFUSED_MS = 1_000
const MAX_REFUSED = 10_000

interface StoredConsumer {
  (hits: readonly Hit[]): Promise<Denied | undefined>
  forget(name: string): void
}

/** Thrown to roll back the hits counted before the policy that has no room. */
class LimitReached extends Error {
  readonly refusal: Denied
  constructor(refusal: Denied) {
    super('no room')
    this.refusal = refusal
  }
}

function createConsumer(ctx: Context): StoredConsumer {
  const refused = new LruMap<string, { at: Instant; roomAt: Instant; limit: number }>(MAX_REFUSED)
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
  const cacheDenied = (name: string, { policy, roomInMs }: Denied, now: Instant): void => {
    refused.set(name, { at: now, roomAt: now + roomInMs, limit: policy.limit })
  }
  const consumeStored = async (hits: readonly Hit[]): Promise<Denied | undefined> => {
    const now = ctx.clock()
    const named = hits.map(({ policy, key }) => ({ policy, name: nameOf(ctx, policy, key) }))
    const known = findRefused(named, now)
    if (known) return known
    try {
      await inTransaction(ctx.storage, async (db) => {
        // Another request may have been refused while this one waited for a connection; then it need not wait for the
        // row.
        const since = findRefused(named, now)
        if (since) throw new LimitReached(since)
        for (const { policy, name } of named) {
          if (await countHit(db, name, policy, now)) continue
          const roomInMs = msUntilRoom(await readTally(db, name, policy.windowMs, now), now, policy)
          cacheDenied(name, { policy, roomInMs }, now)
          throw new LimitReached({ policy, roomInMs })
        }
      })
      return undefined
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error
      return error.refusal
    }
  }
  return Object.assign(consumeStored, { forget: (name: string) => void refused.delete(name) })
}

/** Logs the first failure of several in a row. */
function startExchange(ctx: Context, memory: MemoryRateLimiter): Interval {
  let hasFailed = false
  return startInterval(
    EXCHANGE_MS,
    async () => {
      await memory.exchange()
      hasFailed = false
    },
    () => {
      if (!hasFailed) ctx.log.warn('request counts are not shared with other nodes just now')
      hasFailed = true
    },
  )
}
