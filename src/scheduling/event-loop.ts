// Yields to the event loop during long work: one fair queue of clients, a bounded time per turn.
import { performance } from 'node:perf_hooks'
import { currentPath, holdsConnection } from './current-client.ts'
import { createFairQueue } from './fair-queue.ts'

/** A slice of long work yields after about this long. */
export const SLICE_MS = 8

/** Slices that begin in one turn, such as those of requests that just arrived, end once the turn lasts this long. */
const MAX_TURN_MS = 2 * SLICE_MS

/** Node accepts one connection per turn. While connections arrive, up to this many turns in a row do no long work. */
const MAX_ACCEPTING_TURNS = 16

const waiting = createFairQueue<() => void>()

/** Work that holds a storage connection: while it waits here, others wait for that connection. */
const waitingHolders = createFairQueue<() => void>()

/** The two queues alternate, so that neither can block the other. */
let isHolderNext = true

/** When long work began in this turn, while something waits for the next; otherwise undefined. */
let turnBegunAt: number | undefined
/** The same for a turn in which nothing has waited: most requests are answered at once and need no further turn. */
let quietTurn = -1
let quietTurnBegunAt = 0

/** Whether a connection was accepted in this turn, and how many turns in a row were left free to accept others. */
let wasAccepted = false
let acceptingTurns = 0
/** Connections accepted since the process started. */
let accepted = 0

/**
 * Called when a connection is accepted: others may be waiting. If every turn did all the work it may, some sixty
 * connections a second would be accepted, and one client that opens many would delay those of others by seconds.
 */
export function recordAccepted(): void {
  wasAccepted = true
  accepted += 1
  beginTurn()
}

/** Whether this turn does no long work, so that the next connection is accepted soon. */
export const isAccepting = (): boolean => acceptingTurns > 0

const QUIET_TURNS = 3

/** Resolves when no connection waits to be accepted, or after `maxTurns` turns. */
export async function acceptWaiting(maxTurns = 2_000): Promise<void> {
  for (let turn = 0, quiet = 0; turn < maxTurns && quiet < QUIET_TURNS; turn++) {
    const before = accepted
    await new Promise((resolve) => setImmediate(resolve))
    quiet = accepted > before ? 0 : quiet + 1
  }
}

/** Resolves in a later turn: the next, unless slices of other clients, or older ones of the same client, fill it. */
export function yieldToEventLoop(): Promise<void> {
  beginTurn()
  return new Promise((resolve) => {
    const queue = holdsConnection() ? waitingHolders : waiting
    queue.push(currentPath(), resolve)
  })
}

/**
 * The number of this turn, which begins before Node asks the system for what has arrived: whatever is read from sockets
 * in one turn was on its way before anything else of that turn.
 */
export const currentTurn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

/** Call it where long work begins or continues; true if the work in this turn has lasted so long that it must yield. */
export const isTurnOver = (): boolean => performance.now() - findTurnBegin() >= MAX_TURN_MS || isAccepting()

function findTurnBegin(): number {
  if (turnBegunAt !== undefined) return turnBegunAt
  const turn = currentTurn()
  if (turn !== quietTurn) {
    quietTurn = turn
    quietTurnBegunAt = performance.now()
  }
  return quietTurnBegunAt
}

function beginTurn(): number {
  if (turnBegunAt === undefined) {
    turnBegunAt = findTurnBegin()
    setImmediate(runTurn)
  }
  return turnBegunAt
}

function runTurn(): void {
  if (wasAccepted && acceptingTurns < MAX_ACCEPTING_TURNS) {
    wasAccepted = false
    acceptingTurns += 1
    setImmediate(runTurn)
    return
  }
  wasAccepted = false
  acceptingTurns = 0
  if (countWaiting() === 0) {
    turnBegunAt = undefined
    return
  }
  turnBegunAt = performance.now()
  setImmediate(runTurn)
  resumeNext(countWaiting())
}

/** Resumes one waiter and, once its slice has ended, the next, while there is time for a whole slice. */
function resumeNext(count: number): void {
  takeNext()?.()
  if (count === 1) return
  // After the slice that was just resumed.
  afterMicrotasks(() => {
    if (performance.now() - beginTurn() < MAX_TURN_MS - SLICE_MS) resumeNext(count - 1)
  })
}

const countWaiting = (): number => waiting.size() + waitingHolders.size()

function takeNext(): (() => void) | undefined {
  const [first, second] = isHolderNext ? [waitingHolders, waiting] : [waiting, waitingHolders]
  isHolderNext = !isHolderNext
  return first.shift() ?? second.shift()
}

/** Runs after all microtasks, including those they queue, in the same turn. */
export const afterMicrotasks = (run: () => void): void =>
  // A tick queued by a microtask runs when the microtask queue is empty.
  queueMicrotask(() => process.nextTick(run))

/** Times one slice of a long job. */
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

export type Yielder = () => Promise<void> | undefined

/** Await it after each small step; it is undefined, and costs nothing, until the time slice is used up. */
export const createYielder = (): Yielder => createSliceTimer().pause
