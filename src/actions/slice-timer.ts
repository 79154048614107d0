// Times the work of one slice of a long job and yields to the event loop in between.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A request waits for at most about this much of a job at a time. */
const MAX_STRETCH_MS = 8

export interface SliceTimer {
  /** Awaited after each small step; yields when the work since the last yield was long enough. */
  pause(): Promise<void> | undefined
  /** Milliseconds worked, without the time given to others. */
  workedMs(): number
}

export function createSliceTimer(): SliceTimer {
  let since = performance.now()
  let worked = 0
  return {
    pause() {
      const stretch = performance.now() - since
      if (stretch < MAX_STRETCH_MS) return undefined
      worked += stretch
      return nextTurn().then(() => {
        since = performance.now()
      })
    },
    workedMs: () => worked + performance.now() - since,
  }
}
