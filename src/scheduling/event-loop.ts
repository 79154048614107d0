// Yields to the event loop during long work: one queue of the process, clients in turn, a bounded time per turn.
import { currentPath } from './current-client.ts'
import { createFairQueue } from './fair-queue.ts'

/** A slice of long work yields after about this long. */
export const SLICE_MS = 8

/** Slices that begin in one turn, in requests that have just arrived say, end when the turn has lasted this long. */
const MAX_TURN_MS = 2 * SLICE_MS

const waiting = createFairQueue<() => void>()

/** When long work began in this turn; undefined where there was none. */
let turnBegunAt: number | undefined

/** Resolves in a later turn: the next, unless slices of other clients, or older ones of the same, fill it. */
export function yieldToEventLoop(): Promise<void> {
  beginTurn()
  return new Promise((resolve) => {
    waiting.push(currentPath(), resolve)
  })
}

/** Called where long work begins or goes on; whether work in this turn has lasted long enough for all to yield. */
export const isTurnOver = (): boolean => performance.now() - beginTurn() >= MAX_TURN_MS

function beginTurn(): number {
  if (turnBegunAt === undefined) {
    turnBegunAt = performance.now()
    setImmediate(runTurn)
  }
  return turnBegunAt
}

function runTurn(): void {
  if (waiting.size() === 0) {
    turnBegunAt = undefined
    return
  }
  turnBegunAt = performance.now()
  setImmediate(runTurn)
  resumeNext(waiting.size())
}

/** Resumes one, and once its slice has ended the next, while there is time for a whole slice. */
function resumeNext(count: number): void {
  waiting.shift()?.()
  if (count === 1) return
  // The slice that was resumed is one of them.
  afterMicrotasks(() => {
    if (performance.now() - beginTurn() < MAX_TURN_MS - SLICE_MS) resumeNext(count - 1)
  })
}

/** Runs when all microtasks have, those included that they queue, in the same turn. */
export const afterMicrotasks = (run: () => void): void =>
  // A tick that is queued by a microtask runs when the queue of microtasks is empty.
  queueMicrotask(() => process.nextTick(run))
