// Semaphores for costly reads and writes: few at a time, one for each caller, callers in turn; a full queue refuses.
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'

/** A list of more than this, or a feed for a question of its own, is long. */
export const LONG_LIST = 300

/** Exceptions that a read may fetch on the event loop: some milliseconds of work. */
export const LIGHT_EXCEPTIONS = 1_000

/** Writes and the whole feed have queues of their own: no number of readers keeps a writer or a subscriber out. */
const AT_ONCE = { reads: 2, writes: 1, feeds: 1 }
type PermitQueue = keyof typeof AT_ONCE
const MAX_WAITING = 16
/** Of one caller; one more is being made. */
const MAX_WAITING_OF_CALLER = 8

/** For whom work is done: a network or an account. Costly work of one caller is done one after the other. */
export interface Caller {
  key: string
  /** Takes note of how long a costly read or write took. */
  charge(costMs: number): void
}

/** For work that no single caller asked for. */
export const SERVICE_CALLER: Caller = { key: 'service', charge: () => {} }

interface Semaphore {
  atOnce: number
  running: Set<string>
  /** By caller, the one who was served longest ago first. */
  waiting: Map<string, (() => void)[]>
}

/** One for each service. */
const semaphores = new WeakMap<Context, Record<PermitQueue, Semaphore>>()

export interface PermitOptions {
  /** True for the next part of an answer that is being sent already, which can only wait. */
  isContinued?: boolean
  queue?: PermitQueue
}

/** The time of the work is charged to the caller; the time in the queue is not. */
export async function inLine<T>(
  ctx: Context,
  caller: Caller,
  work: () => Promise<T>,
  { isContinued = false, queue = 'reads' }: PermitOptions = {},
): Promise<T> {
  const all = semaphores.get(ctx) ?? {
    reads: createSemaphore(AT_ONCE.reads),
    writes: createSemaphore(AT_ONCE.writes),
    feeds: createSemaphore(AT_ONCE.feeds),
  }
  semaphores.set(ctx, all)
  const semaphore = all[queue]
  await acquire(semaphore, caller.key, isContinued)
  const begun = performance.now()
  try {
    return await work()
  } finally {
    release(semaphore, caller.key)
    caller.charge(performance.now() - begun)
  }
}

const createSemaphore = (atOnce: number): Semaphore => ({ atOnce, running: new Set(), waiting: new Map() })

async function acquire({ atOnce, running, waiting }: Semaphore, key: string, mustWait: boolean): Promise<void> {
  if (running.size < atOnce && !running.has(key)) {
    running.add(key)
    return
  }
  const own = waiting.get(key) ?? []
  const total = waiting.values().reduce((sum, queue) => sum + queue.length, 0)
  const isFull = total >= MAX_WAITING || own.length >= MAX_WAITING_OF_CALLER
  if (isFull && !mustWait) fail('service_unavailable')
  waiting.set(key, own)
  // The permit is handed on by the one that ends, so no other request can take it in between.
  await new Promise<void>((resolve) => own.push(resolve))
}

function release({ running, waiting }: Semaphore, key: string): void {
  running.delete(key)
  for (const [next, queue] of waiting) {
    if (running.has(next)) continue
    waiting.delete(next)
    const start = queue.shift()!
    // At the end of the order, so that every other caller comes first.
    if (queue.length > 0) waiting.set(next, queue)
    running.add(next)
    start()
    return
  }
}
