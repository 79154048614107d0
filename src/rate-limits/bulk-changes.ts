// Slows a credential that deletes or changes very many events: at full speed first, then paced.
import { setTimeout as delay } from 'node:timers/promises'
import { changeKeyOf, createBulkChangeReporter } from '../actions/history/bulk-changes.ts'
import type { Context } from '../context.ts'
import { BULK_WINDOW_MS, nextChangeAt, paceMs } from '../domain/limits/bulk-changes.ts'
import type { AccountViewer } from '../domain/privacy/viewer.ts'
import type { Instant } from '../domain/time/instant.ts'
import { LruMap } from '../lru-map.ts'
import type { Remaining } from './rate-limit-headers.ts'
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
  /** Undefined where nothing is limited. */
  remaining(viewer: AccountViewer): Remaining | undefined
  openBatch(viewer: AccountViewer, count: number): ChangeBatch
}

/**
 * Changes of one bulk request. While there is room for one of them all are admitted, and all count: a client that uses
 * up its limit in one request is not stopped in the middle of it.
 */
export interface ChangeBatch {
  /** Called before each change. */
  admit(): Promise<Denied | undefined>
  /** A change that was admitted was not made. */
  refund(): void
  /** Reports a credential that has changed more than the limit allows. */
  end(): Promise<void>
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
  const admit: BulkChangeLimiter['admit'] = async (viewer, maxWaitMs = MAX_WAIT_MS) => {
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
  }
  const refund: BulkChangeLimiter['refund'] = (viewer) => {
    const { bulkChangeLimit: limit } = ctx.config
    if (limit > 0) counts.refundAllNow([{ policy: policyOf(limit), key: changeKeyOf(viewer) }])
  }
  const openBatch: BulkChangeLimiter['openBatch'] = (viewer, count) => {
    const { bulkChangeLimit: limit } = ctx.config
    const [policy, key] = [policyOf(limit), changeKeyOf(viewer)]
    const { hits: room } = counts.remaining(policy, key)
    let [prepaid, made] = [limit === 0 || room > 0 ? count : 0, 0]
    if (limit > 0) counts.charge(policy, key, prepaid)
    return {
      async admit() {
        const denied = prepaid > 0 ? undefined : await admit(viewer, 0)
        if (prepaid > 0) prepaid -= 1
        if (!denied) made += 1
        return denied
      },
      refund() {
        made -= 1
        refund(viewer)
      },
      async end() {
        for (; prepaid > 0; prepaid--) refund(viewer)
        if (limit > 0 && room > 0 && made > room) await report(viewer)
      },
    }
  }
  const remaining: BulkChangeLimiter['remaining'] = (viewer) => {
    const { bulkChangeLimit: limit } = ctx.config
    return limit === 0 ? undefined : counts.remaining(policyOf(limit), changeKeyOf(viewer))
  }
  return { admit, refund, remaining, openBatch }
}
