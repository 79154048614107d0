// Sliding-window rate limit: hits of this window plus a weighted share of the previous window.
import { type Instant, MINUTE_MS } from '../time/instant.ts'

export interface Limit {
  limit: number
  windowMs: number
}

/** Windows are aligned to the clock, so that every node uses the same ones. */
export interface WindowTally {
  startedAt: Instant
  hits: number
  hitsBefore: number
}

/** How much the clocks of two nodes may differ and still share a window. */
export const toleranceMs = (windowMs: number): number => Math.min(MINUTE_MS, windowMs / 4)

export const windowStart = (now: Instant, windowMs: number): Instant => Math.floor(now / windowMs) * windowMs

/**
 * Age of a stored window. One that begins further ahead than clocks differ was counted before a clock was set back; it
 * is discarded, because waiting for that time could take days.
 */
export function standingOf(startedAt: Instant, now: Instant, windowMs: number): 'running' | 'passed' | 'over' {
  const start = windowStart(now, windowMs)
  if (startedAt >= start) return startedAt <= now + toleranceMs(windowMs) ? 'running' : 'over'
  return startedAt >= start - windowMs ? 'passed' : 'over'
}

export function tallyAt(tally: WindowTally | undefined, now: Instant, windowMs: number): WindowTally {
  const startedAt = windowStart(now, windowMs)
  const standing = tally ? standingOf(tally.startedAt, now, windowMs) : 'over'
  if (standing === 'running') return tally!
  return { startedAt, hits: 0, hitsBefore: standing === 'passed' ? tally!.hits : 0 }
}

/** Remaining weight of the previous window, in milliseconds of its length: integers, as the database computes it. */
export const weightMs = (startedAt: Instant, now: Instant, windowMs: number): number =>
  Math.min(windowMs, startedAt + windowMs - now)

/** Whether one more hit fits at this moment. */
export const hasRoom = (
  { startedAt, hits, hitsBefore }: WindowTally,
  now: Instant,
  { limit, windowMs }: Limit,
): boolean => (hits + 1) * windowMs + hitsBefore * weightMs(startedAt, now, windowMs) <= limit * windowMs

/** How many more hits fit at this moment. */
export const roomAt = (
  { startedAt, hits, hitsBefore }: WindowTally,
  now: Instant,
  { limit, windowMs }: Limit,
): number => Math.max(0, Math.floor(limit - hits - (hitsBefore * weightMs(startedAt, now, windowMs)) / windowMs))

/** How long until one more hit fits, if no other comes in between. */
export function msUntilRoom(tally: WindowTally, now: Instant, { limit, windowMs }: Limit): number {
  const { startedAt, hits, hitsBefore } = tally
  const roomAt =
    hits < limit
      ? startedAt + fadingMs(hitsBefore, limit - 1 - hits, windowMs)
      : startedAt + windowMs + fadingMs(hits, limit - 1, windowMs)
  return Math.max(0, roomAt - now)
}

/** How far into a window the hits of the previous one have decayed to the remaining room. */
const fadingMs = (hits: number, room: number, windowMs: number): number =>
  hits <= room ? 0 : windowMs - Math.floor((room * windowMs) / hits)
