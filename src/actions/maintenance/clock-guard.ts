// Stops purging while the clock is implausible against the last time stored in the database.
import type { Context } from '../../context.ts'
import { type ClockVerdict, isTrustedByUptime, judgeClock } from '../../domain/time/clock-jump.ts'
import { DAY_MS, HOUR_MS, type Instant } from '../../domain/time/instant.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { acceptClock, readClockSeenAt, recordClock } from '../../storage/operations/instance.ts'

export interface ClockGuard {
  /** False while the clock waits for confirmation; nothing may be purged then. */
  isPlausible(): Promise<boolean>
}

/** `uptime` is a monotonic clock, in milliseconds. */
export function createClockGuard(ctx: Context, uptime: () => number = () => performance.now()): ClockGuard {
  let doubted: { since: number; at: Instant } | undefined
  return {
    async isPlausible() {
      const now = ctx.clock()
      const seenAt = await readClockSeenAt(ctx.storage.reads)
      const verdict = judgeClock(seenAt, now)
      if (verdict === 'plausible') {
        doubted = undefined
        await inTransaction(ctx.storage, (db) => recordClock(db, now))
        return true
      }
      const elapsed = doubted ? uptime() - doubted.since : 0
      // If the clock was set meanwhile, the waiting time starts again.
      if (!doubted || Math.abs(now - doubted.at - elapsed) > HOUR_MS) {
        doubted = { since: uptime(), at: now }
        warn(ctx, verdict, seenAt, now)
        return false
      }
      if (!isTrustedByUptime(seenAt, now, elapsed)) return false
      await confirmClock(ctx)
      return true
    },
  }
}

function warn({ log }: Context, verdict: ClockVerdict, seenAt: Instant, now: Instant): void {
  const days = Math.round(Math.abs(now - seenAt) / DAY_MS)
  log.warn(
    `the clock is ${verdict === 'ahead' ? 'ahead of' : 'behind'} the last time this calendar was in use: nothing is purged and the index stays until \`daybook reindex --accept-clock\` confirms it`,
    { days, last_use: new Date(seenAt).toISOString() },
  )
}

/** Accepts the clock as right from now on, whatever time the database has. */
export const confirmClock = (ctx: Context): Promise<void> =>
  inTransaction(ctx.storage, (db) => acceptClock(db, ctx.clock()))

export const readClockVerdict = async (ctx: Context): Promise<ClockVerdict> =>
  judgeClock(await readClockSeenAt(ctx.storage.reads), ctx.clock())
