// A bounded first-in-first-out queue for database connections: few in use at once, the rest wait or are refused.
import { AppError } from '../errors.ts'

/** Transactions that may wait to write: some seconds of writing. */
export const MAX_WAITING_WRITES = 500

/** How long a transaction waits to write before it is refused. */
export const MAX_WRITE_WAIT_MS = 5_000

export interface ConnectionQueueOptions {
  atOnce: number
  /** How many may wait; one more is refused. */
  maxWaiting: number
  /** How long each may wait; without it, for as long as it takes. */
  maxWaitMs?: number
  /** A clock that is never set, in milliseconds. */
  clock?: () => number
}

export interface ConnectionQueue {
  /** Settles with the time of the call when its turn has come; fails with `storage_unavailable`. */
  acquire(): Promise<number>
  /** To be called once for each that was acquired. */
  release(): void
}

/** The refusal of the queue: others use the database, and it works. */
export class QueueRefusedError extends Error {}

export function createConnectionQueue(options: ConnectionQueueOptions): ConnectionQueue {
  const { atOnce, maxWaiting, maxWaitMs, clock = () => performance.now() } = options
  const waiting = new Set<() => void>()
  let inUse = 0
  const waitForTurn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(start)
      if (maxWaitMs === undefined) return
      timer = setTimeout(() => {
        waiting.delete(start)
        reject(refusal('waited too long for a connection'))
      }, maxWaitMs)
    })
  return {
    async acquire() {
      const queuedAt = clock()
      if (inUse < atOnce) inUse += 1
      else if (waiting.size >= maxWaiting) throw refusal('too many wait for a connection')
      else await waitForTurn()
      return queuedAt
    },
    release() {
      const [next] = waiting
      if (!next) {
        inUse -= 1
        return
      }
      // The place is handed on, so that none that comes later can take it in between.
      waiting.delete(next)
      next()
    },
  }
}

const refusal = (reason: string): AppError =>
  new AppError('storage_unavailable', { cause: new QueueRefusedError(reason) })
