// Log throttle: at most one error line of a kind per minute, so that no client can fill the log.
import type { Log, LogFields } from './log.ts'

const QUIET_MS = 60_000
const MAX_KINDS = 1_000

interface ThrottledKind {
  loggedAt: number
  suppressed: number
}

/**
 * Lines are of one kind when they differ only in their request id; the next line has the number of suppressed ones.
 * Warnings and information are not throttled: no request can cause them repeatedly.
 */
export function throttleErrors(log: Log, now: () => number = () => performance.now()): Log {
  const kinds = new Map<string, ThrottledKind>()
  return {
    ...log,
    error(message, fields = {}) {
      const name = kindOf(message, fields)
      const known = kinds.get(name)
      if (known && now() - known.loggedAt < QUIET_MS) {
        known.suppressed += 1
        return
      }
      kinds.delete(name)
      if (kinds.size >= MAX_KINDS) kinds.delete(kinds.keys().next().value!)
      kinds.set(name, { loggedAt: now(), suppressed: 0 })
      log.error(message, known?.suppressed ? { ...fields, suppressed: known.suppressed } : fields)
    },
  }
}

function kindOf(message: string, { request_id: _, ...fields }: LogFields): string {
  return JSON.stringify([message, fields])
}
