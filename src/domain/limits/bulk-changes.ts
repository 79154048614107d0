// Pace of a credential that changes very many events: when its next change may run.
import { type Instant, MINUTE_MS } from '../time/instant.ts'

/** The limit of changes is for this time. */
export const BULK_WINDOW_MS = 10 * MINUTE_MS

/** Time between two changes once the limit is used up: as many in the window as before, but evenly. */
export const paceMs = (limit: number): number => Math.ceil(BULK_WINDOW_MS / limit)

/**
 * When the next change may run after the last one that was planned. A plan further ahead than `aheadMs` was made before
 * the clock was set back.
 */
export function nextChangeAt(plannedAt: Instant | undefined, now: Instant, stepMs: number, aheadMs: number): Instant {
  if (plannedAt === undefined || plannedAt > now + aheadMs + stepMs) return now
  return Math.max(now, plannedAt + stepMs)
}
