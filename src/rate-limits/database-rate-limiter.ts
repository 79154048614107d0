// Database rate limiter: exact across nodes and restarts; several policies in one transaction.
import type { Context } from '../context.ts'
import { hasRoom, msUntilRoom, type WindowTally, weightMs } from '../domain/limits/sliding-window.ts'
import type { Instant } from '../domain/time/instant.ts'
import { LruMap } from '../lru-map.ts'
import { inTransaction } from '../storage/engine/transaction.ts'
import { countHit, readTally, uncountHit } from '../storage/operations/rate-limits.ts'
import { type Denied, type Hit, nameOf, type RateLimitPolicy } from './rate-limit-policy.ts'

export interface DatabaseRateLimiter {
  /** Counts one hit of each, or none if one is at its limit. */
  consumeAll(hits: readonly Hit[]): Promise<Denied | undefined>
  refundAll(hits: readonly Hit[]): Promise<void>
  isExhausted(hit: Hit): Promise<boolean>
  usage(hit: Hit): Promise<number>
}

/** In a flood of refused requests, the database is queried at most once per key in this time. */
const REFUSED_MS = 1_000
const MAX_REFUSED = 10_000

/** Thrown to roll back the hits counted before the policy that has no room. */
class LimitReached extends Error {
  readonly refusal: Denied
  constructor(refusal: Denied) {
    super('no room')
    this.refusal = refusal
  }
}

interface NamedHit {
  policy: RateLimitPolicy
  name: string
}

interface KnownRefusal {
  at: Instant
  roomAt: Instant
  limit: number
}

export function createDatabaseRateLimiter(ctx: Context): DatabaseRateLimiter {
  const refused = new LruMap<string, KnownRefusal>(MAX_REFUSED)
  const findRefused = (named: readonly NamedHit[], now: Instant): Denied | undefined => {
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
  const tallyOf = ({ policy, key }: Hit, now: Instant): Promise<WindowTally> =>
    readTally(ctx.storage.reads, nameOf(ctx, policy, key), policy.windowMs, now)
  return {
    async consumeAll(hits) {
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
            refused.set(name, { at: now, roomAt: now + roomInMs, limit: policy.limit })
            throw new LimitReached({ policy, roomInMs })
          }
        })
        return undefined
      } catch (error) {
        if (!(error instanceof LimitReached)) throw error
        return error.refusal
      }
    },
    async refundAll(hits) {
      const names = hits.map(({ policy, key }) => nameOf(ctx, policy, key))
      if (names.length === 0) return
      await inTransaction(ctx.storage, async (db) => {
        for (const name of names) await uncountHit(db, name)
      })
      for (const name of names) refused.delete(name)
    },
    async isExhausted(hit) {
      const now = ctx.clock()
      return !hasRoom(await tallyOf(hit, now), now, hit.policy)
    },
    async usage(hit) {
      const now = ctx.clock()
      const { windowMs } = hit.policy
      const tally = await tallyOf(hit, now)
      return tally.hits + (tally.hitsBefore * weightMs(tally.startedAt, now, windowMs)) / windowMs
    },
  }
}
