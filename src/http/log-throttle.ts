// Log throttle: lets each kind of message pass once an hour, by name.
import { HOUR_MS, type Instant } from '../domain/time/instant.ts'

const QUIET_MS = HOUR_MS
const MAX_NAMES = 1_000

/** True the first time in an hour. */
export function createLogThrottle(clock: () => Instant): (name: string) => boolean {
  const loggedAt = new Map<string, Instant>()
  return (name) => {
    const now = clock()
    const age = now - (loggedAt.get(name) ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < QUIET_MS) return false
    loggedAt.delete(name)
    if (loggedAt.size >= MAX_NAMES) loggedAt.delete(loggedAt.keys().next().value!)
    loggedAt.set(name, now)
    return true
  }
}
