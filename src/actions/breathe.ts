// Turns for others in the middle of long work: nobody has the service to themselves for longer than a moment.
import { setImmediate as nextTurn } from 'node:timers/promises'

const LONGEST_TURN_MS = 10

export type Breather = () => Promise<void> | undefined

/** Awaited after each small step; nearly always there is nothing to wait for. */
export function makeBreather(): Breather {
  let since = performance.now()
  return () => {
    if (performance.now() - since < LONGEST_TURN_MS) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}
