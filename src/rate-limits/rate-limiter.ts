// Rate limiter: account limits count in the database, limits for every request in memory.
import type { Context } from '../context.ts'
import { type Interval, startInterval } from '../scheduling/interval.ts'
import { createDatabaseRateLimiter } from './database-rate-limiter.ts'
import { createMemoryRateLimiter, type MemoryRateLimiter } from './memory-rate-limiter.ts'
import type { Remaining } from './rate-limit-headers.ts'
import type { Denied, Hit, RateLimitPolicy } from './rate-limit-policy.ts'

export interface RateLimiter {
  /** Counts one hit; at the limit it counts nothing and returns when there is room. */
  consume(policy: RateLimitPolicy, key: string): Promise<Denied | undefined>
  /** Counts one hit of each in one transaction, or none if one is at its limit. The order is the same everywhere. */
  consumeAll(hits: readonly Hit[]): Promise<Denied | undefined>
  refund(policy: RateLimitPolicy, key: string): Promise<void>
  refundAll(hits: readonly Hit[]): Promise<void>
  isExhausted(policy: RateLimitPolicy, key: string): Promise<boolean>
  /** For policies counted in memory. */
  remaining(policy: RateLimitPolicy, key: string): Remaining
  /** The current count of the sliding window; for policies counted in the database. */
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
  const database = createDatabaseRateLimiter(ctx)
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
    refundAllNow(hits.filter(isHot))
    await database.refundAll(hits.filter(isStored))
  }
  const consumeAll = async (hits: readonly Hit[]): Promise<Denied | undefined> => {
    const [hot, stored] = [hits.filter(isHot), hits.filter(isStored)]
    const refusal = consumeAllNow(hot) ?? (stored.length > 0 ? await database.consumeAll(stored) : undefined)
    if (refusal && !refusal.policy.isHot) refundAllNow(hot)
    return refusal
  }
  return {
    consume: (policy, key) => consumeAll([{ policy, key }]),
    consumeAll,
    refund: (policy, key) => refundAll([{ policy, key }]),
    refundAll,
    isExhausted: async (policy, key) =>
      policy.isHot ? memory.isExhausted(policy, key) : database.isExhausted({ policy, key }),
    remaining: (policy, key) => memory.remaining(policy, key),
    usage: (policy, key) => database.usage({ policy, key }),
    consumeAllNow,
    refundAllNow,
    charge: (policy, key, units) => memory.charge(policy, key, units),
    exchange: () => memory.exchange(),
    stop: async () => sharing?.stop(),
  }
}

const isHot = ({ policy }: Hit): boolean => policy.isHot
const isStored = ({ policy }: Hit): boolean => !policy.isHot

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
      if (!hasFailed) ctx.log.warn('request counts cannot be exchanged with other nodes at the moment')
      hasFailed = true
    },
  )
}
