// Slows a credential that deletes or changes very many events: at full speed first, then paced.
import { setTimeout as delay } from 'node:timers/promises'
import { changeKeyOf, createBulkChangeReporter } from '../actions/history/bulk-changes.ts'
import type { Context } from '../context.ts'
import { BULK_WINDOW_MS, nextChangeAt, paceMs } from '../domain/limits/bulk-changes.ts'
import type { AccountViewer } from '../domain/privacy/viewer.ts'
import type { Instant } from '../domain/time/instant.ts'
import { LruMap } from '../lru-map.ts'
import type { Denied, RateLimitPolicy } from './rate-limit-policy.ts'
import type { RateLimiter } from './rate-limiter.ts'

export interface BulkChangeLimiter {
  /**
   * Counts one change and waits for its turn, for `maxWaitMs` at most; returns why it is refused where that would take
   * longer.
   */
  admit(viewer: AccountViewer, maxWaitMs?: number): Promise<Denied | undefined>
  /** The request changed nothing that existed. */
  refund(viewer: AccountViewer): void
}

/**
 * The longest wait. Calendar programs send one change after the other and show an error for 429, so a short wait is
 * better for them; many at once are refused, so that they do not hold connections.
 */
const MAX_WAIT_MS = 5_000

const MAX_PACED = 1_000

/** Counted in memory and exchanged between nodes as other limits of every request are: no statement for a change. */
export function createBulkChangeLimiter(ctx: Context, counts: RateLimiter): BulkChangeLimiter {
  const report = createBulkChangeReporter(ctx)
  const plannedAt = new LruMap<string, Instant>(MAX_PACED)
  const policyOf = (limit: number): RateLimitPolicy => ({
    name: 'bulk-changes',
    limit,
    windowMs: BULK_WINDOW_MS,
    isHot: true,
  })
  return {
    async admit(viewer, maxWaitMs = MAX_WAIT_MS) {
      const { bulkChangeLimit: limit } = ctx.config
      if (limit === 0) return undefined
      const [policy, key] = [policyOf(limit), changeKeyOf(viewer)]
      if (!counts.consumeAllNow([{ policy, key }])) return undefined
      await report(viewer)
      const now = ctx.clock()
      const stepMs = paceMs(limit)
      const at = nextChangeAt(plannedAt.get(key), now, stepMs, maxWaitMs)
      if (at > now + maxWaitMs) return { policy, roomInMs: at - now }
      plannedAt.set(key, at)
      counts.charge(policy, key, 1)
      if (at > now) await delay(at - now)
      return undefined
    },
    refund(viewer) {
      const { bulkChangeLimit: limit } = ctx.config
      if (limit > 0) counts.refundAllNow([{ policy: policyOf(limit), key: changeKeyOf(viewer) }])
    },
  }
}
