// A bounded queue for database connections: few in use at once; clients are served in turn, the rest wait or are refused.
import { AppError } from '../../errors.ts'
import { currentClient, currentPath } from '../../scheduling/current-client.ts'
import { createFairQueue } from '../../scheduling/fair-queue.ts'

/** Transactions that may wait to write: some seconds of writing. */
export const MAX_WAITING_WRITES = 500

/** Of one customer, who may have a whole /48 or /24: the other places are for others. */
export const MAX_WAITING_OF_CUSTOMER = { reads: 500, writes: 125 }

/** How long a transaction waits to write before it is refused. */
export const MAX_WRITE_WAIT_MS = 5_000

export interface ConnectionQueueOptions {
  atOnce: number
  /** How many may wait; one more is refused. */
  maxWaiting: number
  /** The same for each of the widest networks. */
  maxWaitingOfCustomer?: number
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
  const { atOnce, maxWaiting, maxWaitingOfCustomer = maxWaiting, maxWaitMs, clock = () => performance.now() } = options
  const waiting = createFairQueue<() => void>()
  let inUse = 0
  const waitForTurn = (path: readonly string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(path, start)
      if (maxWaitMs === undefined) return
      timer = setTimeout(() => {
        waiting.delete(path, start)
        reject(refusal('waited too long for a connection'))
      }, maxWaitMs)
    })
  return {
    async acquire() {
      const queuedAt = clock()
      if (inUse < atOnce) {
        inUse += 1
        return queuedAt
      }
      const client = currentClient()
      const isFull = waiting.size() >= maxWaiting || (client && waiting.sizeOf(client.path[0]!) >= maxWaitingOfCustomer)
      if (isFull) throw refusal('too many wait for a connection')
      await waitForTurn(currentPath())
      return queuedAt
    },
    release() {
      const next = waiting.shift()
      // The place is handed on, so that none that comes later can take it in between.
      if (next) next()
      else inUse -= 1
    },
  }
}

const refusal = (reason: string): AppError =>
  new AppError('storage_unavailable', { cause: new QueueRefusedError(reason) })
