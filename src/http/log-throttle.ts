// What happens again and again is told once an hour, by whatever it is recognised.
import { HOUR_MS, type Instant } from '../domain/time/instant.ts'

const QUIET_MS = HOUR_MS
const MAX_KNOWN = 1_000

/** True the first time in an hour. */
export function createLogThrottle(clock: () => Instant): (name: string) => boolean {
  const toldAt = new Map<string, Instant>()
  return (name) => {
    const now = clock()
    const age = now - (toldAt.get(name) ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < QUIET_MS) return false
    toldAt.delete(name)
    if (toldAt.size >= MAX_KNOWN) toldAt.delete(toldAt.keys().next().value!)
    toldAt.set(name, now)
    return true
  }
}
