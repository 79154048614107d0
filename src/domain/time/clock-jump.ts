// Decides whether the clock is plausible, given the last time the database was in use.
import { DAY_MS, type Instant } from './instant.ts'

/** Nodes record the time every quarter of an hour; a machine that was off for a weekend is not unusual. */
const MAX_GAP_MS = 3 * DAY_MS
/** A machine that was off for longer is rarer than a wrong clock, and needs a confirmation. */
const MAX_UNCONFIRMED_GAP_MS = 400 * DAY_MS
/** A clock that is set by a time server at startup is right within minutes. */
const TRUSTED_AFTER_MS = DAY_MS

export type ClockVerdict = 'plausible' | 'ahead' | 'behind'

/** `seenAt` is 0 if no time is recorded yet. */
export function judgeClock(seenAt: Instant, now: Instant): ClockVerdict {
  if (seenAt === 0 || Math.abs(now - seenAt) <= MAX_GAP_MS) return 'plausible'
  return now > seenAt ? 'ahead' : 'behind'
}

/** Whether a process that ran with this clock for that long may go on without a confirmation. */
export const isTrustedByUptime = (seenAt: Instant, now: Instant, uptimeMs: number): boolean =>
  uptimeMs >= TRUSTED_AFTER_MS && now - seenAt <= MAX_UNCONFIRMED_GAP_MS
