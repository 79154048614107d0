// Yields to the event loop during long loops, so that no request waits for all of another.
import { createSliceTimer } from '../maintenance/slice-timer.ts'

export type Yielder = () => Promise<void> | undefined

/** Await it after each small step; it is undefined, and costs nothing, until the time slice is used up. */
export const createYielder = (): Yielder => createSliceTimer().pause
