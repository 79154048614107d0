// Times one slice of a long job and yields to the event loop when the slice is used up.
import { isTurnOver, SLICE_MS, yieldToEventLoop } from '../../scheduling/event-loop.ts'

export interface SliceTimer {
  /** Await it after each small step; yields when the work since the last yield, or in this turn, was long enough. */
  pause(): Promise<void> | undefined
  /** Milliseconds worked, without the time that other work took during yields. */
  workedMs(): number
}

export function createSliceTimer(): SliceTimer {
  let since = performance.now()
  let worked = 0
  return {
    pause() {
      const stretch = performance.now() - since
      if (stretch < SLICE_MS && !isTurnOver()) return undefined
      worked += stretch
      return yieldToEventLoop().then(() => {
        since = performance.now()
      })
    },
    workedMs: () => worked + performance.now() - since,
  }
}
