// Yields to the event loop during long loops, so that no request waits for all of another.
import { createSliceTimer } from '../maintenance/slice-timer.ts'

export type Breather = () => Promise<void> | undefined

/** Awaited after each small step; nearly always there is nothing to wait for. */
export const makeBreather = (): Breather => createSliceTimer().pause
