// Log throttle: at most one line of a kind per minute or hour, so that no client can fill the log.
import { HOUR_MS, type Instant, MINUTE_MS } from '../domain/time/instant.ts'
import { LruMap } from '../lru-map.ts'
import type { Log, LogFields } from './log.ts'

const QUIET_MS = MINUTE_MS
const MAX_KINDS = 1_000

interface ThrottledKind {
  loggedAt: number
  suppressed: number
}

/**
 * Lines are of one kind when they differ only in their request id; the next line has the number of suppressed ones.
 * Warnings are not throttled, because no request can cause them repeatedly, and neither is information, which has a
 * line for each request.
 */
export function throttleErrors(log: Log, now: () => number = () => performance.now()): Log {
  const kinds = new LruMap<string, ThrottledKind>(MAX_KINDS)
  return {
    ...log,
    error(message, fields = {}) {
      const name = kindOf(message, fields)
      const known = kinds.get(name)
      if (known && now() - known.loggedAt < QUIET_MS) {
        known.suppressed += 1
        return
      }
      kinds.set(name, { loggedAt: now(), suppressed: 0 })
      log.error(message, known?.suppressed ? { ...fields, suppressed: known.suppressed } : fields)
    },
  }
}

function kindOf(message: string, { request_id: _, ...fields }: LogFields): string {
  return JSON.stringify([message, fields])
}

/** The returned function is true for the first message of a name within an hour. */
export function createLogThrottle(clock: () => Instant): (name: string) => boolean {
  const loggedAt = new LruMap<string, Instant>(MAX_KINDS)
  return (name) => {
    const now = clock()
    const age = now - (loggedAt.get(name) ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < HOUR_MS) return false
    loggedAt.set(name, now)
    return true
  }
}
