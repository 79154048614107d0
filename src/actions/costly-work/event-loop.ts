// Yields to the event loop during long loops, so that no request waits for all of another.
import { createSliceTimer } from '../maintenance/slice-timer.ts'

export type Yielder = () => Promise<void> | undefined

/** Awaited after each small step; nearly always there is nothing to wait for. */
export const createYielder = (): Yielder => createSliceTimer().pause
