// Bounded fair queue for database connections: few in use, clients take turns, excess is refused.
import { AppError } from '../../errors.ts'
import type { Histogram } from '../../ops/histogram.ts'
import { currentClient, currentPath } from '../../scheduling/current-client.ts'
import { createFairQueue } from '../../scheduling/fair-queue.ts'
import type { PoolUsage } from './pool-metrics.ts'

/** Transactions that may wait to write: some seconds of writing. */
export const MAX_WAITING_WRITES = 500

/** Limit for one subscriber of a provider, who may hold a whole /48 or /24: the other slots are for others. */
export const MAX_WAITING_OF_CUSTOMER = { reads: 500, writes: 125 }

export interface ConnectionQueueOptions {
  atOnce: number
  /** How many may wait; one more is refused. */
  maxWaiting: number
  /** The same for each of the widest networks. */
  maxWaitingOfCustomer?: number
  /** How long each may wait; without it there is no limit. */
  maxWaitMs?: number
  /** A monotonic clock, in milliseconds. */
  clock?: () => number
  /** Receives the time that each waited. */
  waits?: Histogram
}

export interface ConnectionQueue {
  /** Resolves with the time of the call once a connection is free; fails with `storage_unavailable`. */
  acquire(): Promise<number>
  /** Call it once for each acquired connection. */
  release(): void
  usage(): PoolUsage
}

/** Cause of a refusal by the queue: the database works, but is in use by others. */
export class QueueRefusedError extends Error {}

export function createConnectionQueue(options: ConnectionQueueOptions): ConnectionQueue {
  const { atOnce, maxWaiting, maxWaitingOfCustomer = maxWaiting, maxWaitMs, clock = () => performance.now() } = options
  const { waits } = options
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
        waits?.observeMs(0)
        return queuedAt
      }
      const client = currentClient()
      const isFull = waiting.size() >= maxWaiting || (client && waiting.sizeOf(client.path[0]!) >= maxWaitingOfCustomer)
      if (isFull) throw refusal('too many wait for a connection')
      await waitForTurn(currentPath())
      waits?.observeMs(clock() - queuedAt)
      return queuedAt
    },
    release() {
      const next = waiting.shift()
      // The connection is handed on, so that no later caller can take it in between.
      if (next) next()
      else inUse -= 1
    },
    usage: () => ({ inUse, waiting: waiting.size() }),
  }
}

const refusal = (reason: string): AppError =>
  new AppError('storage_unavailable', { cause: new QueueRefusedError(reason) })
