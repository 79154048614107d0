// Semaphores for costly reads and writes with a fair queue of callers; a full queue refuses.
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import { isTurnOver, yieldToEventLoop } from '../../scheduling/event-loop.ts'

/** A list of more occurrences than this is a costly read. */
export const LONG_LIST = 300

/** Exceptions that a read may fetch on the event loop: a few milliseconds of work. */
export const LIGHT_EXCEPTIONS = 1_000

/** Writes, the whole feed, exports and preview pictures have their own queues, so readers cannot block them. */
const AT_ONCE = { reads: 2, writes: 1, feeds: 1, exports: 1, pictures: 1 }
type PermitQueue = keyof typeof AT_ONCE
/** For all networks together, and as many for all accounts, so that neither can block the other. */
const MAX_WAITING = 16
/** For one caller, besides its running task, and for all callers in one wider network: half is left for others. */
const MAX_WAITING_OF_CALLER = 8

/** The network or account that work is done for. Costly work of one caller runs one after the other. */
export interface Caller {
  key: string
  /** True for signed-in accounts. They have their own places in the queue and alternate with networks. */
  isAccount?: boolean
  /** The larger networks around it: a provider gives one customer a /56, a /48 or a /24. */
  widerNetworks?: readonly string[]
  /** Records how long a costly read or write took. */
  charge(costMs: number): void
}

/** For work that belongs to no single caller. */
export const SERVICE_CALLER: Caller = { key: 'service', charge: () => {} }

interface Semaphore {
  atOnce: number
  running: Set<string>
  /** By caller, the least recently served first. */
  waiting: Map<string, WaitingCaller>
  /** Whether the last permit went to an account. */
  servedAccount: boolean
  /** Accumulated work time up to `countedAt`, divided among the tasks that ran at the same time. */
  workMs: number
  countedAt: number
}

interface WaitingCaller {
  isAccount: boolean
  widerNetworks: readonly string[]
  starts: (() => void)[]
}

/** One set per context. */
const semaphores = new WeakMap<Context, Record<PermitQueue, Semaphore>>()

export interface PermitOptions {
  /** True for the next part of a response that is being sent: it waits and is never refused. */
  isContinued?: boolean
  queue?: PermitQueue
}

/**
 * Charges the time of the work to the caller, divided among the tasks that ran at the same time. Time in the queue is
 * not charged, nor time before the work calls `begin`, which it spent waiting for a connection.
 */
export async function withPermit<T>(
  ctx: Context,
  caller: Caller,
  work: (begin: () => void) => Promise<T>,
  { isContinued = false, queue = 'reads' }: PermitOptions = {},
): Promise<T> {
  const all = semaphores.get(ctx) ?? {
    reads: createSemaphore(AT_ONCE.reads),
    writes: createSemaphore(AT_ONCE.writes),
    feeds: createSemaphore(AT_ONCE.feeds),
    exports: createSemaphore(AT_ONCE.exports),
    pictures: createSemaphore(AT_ONCE.pictures),
  }
  semaphores.set(ctx, all)
  const semaphore = all[queue]
  await acquire(semaphore, caller, isContinued)
  // Permits are handed on within one turn of the event loop: a series of short works must not fill it.
  if (isTurnOver()) await yieldToEventLoop()
  let begun = countWork(semaphore)
  const begin = (): void => {
    begun = countWork(semaphore)
  }
  try {
    return await work(begin)
  } finally {
    const ended = countWork(semaphore)
    release(semaphore, caller.key)
    caller.charge(ended - begun)
  }
}

const createSemaphore = (atOnce: number): Semaphore => ({
  atOnce,
  running: new Set(),
  waiting: new Map(),
  servedAccount: false,
  workMs: 0,
  countedAt: 0,
})

/** Called before the set of running works changes: the time since the last change is divided equally among them. */
function countWork(semaphore: Semaphore): number {
  const now = performance.now()
  if (semaphore.running.size > 0) semaphore.workMs += (now - semaphore.countedAt) / semaphore.running.size
  semaphore.countedAt = now
  return semaphore.workMs
}

function start(semaphore: Semaphore, key: string, isAccount: boolean): void {
  countWork(semaphore)
  semaphore.running.add(key)
  semaphore.servedAccount = isAccount
}

async function acquire(semaphore: Semaphore, caller: Caller, mustWait: boolean): Promise<void> {
  const { atOnce, running, waiting } = semaphore
  const { key, isAccount = false, widerNetworks = [] } = caller
  if (running.size < atOnce && !running.has(key)) return start(semaphore, key, isAccount)
  const own = waiting.get(key) ?? { isAccount, widerNetworks, starts: [] }
  const alike = [...waiting.values()].filter((other) => other.isAccount === isAccount)
  const isFull =
    countWaiting(alike) >= MAX_WAITING ||
    own.starts.length >= MAX_WAITING_OF_CALLER ||
    widerNetworks.some((name) => countWaiting(alike.filter(isWithin(name))) >= MAX_WAITING_OF_CALLER)
  if (isFull && !mustWait) fail('service_unavailable')
  waiting.set(key, own)
  // The work that ends hands its permit on, so no other request can take it in between.
  await new Promise<void>((resolve) => own.starts.push(resolve))
}

const countWaiting = (callers: readonly WaitingCaller[]): number =>
  callers.reduce((sum, { starts }) => sum + starts.length, 0)

const isWithin =
  (network: string) =>
  ({ widerNetworks }: WaitingCaller): boolean =>
    widerNetworks.includes(network)

function release(semaphore: Semaphore, key: string): void {
  const { running, waiting, servedAccount } = semaphore
  countWork(semaphore)
  running.delete(key)
  const ready = [...waiting].filter(([next]) => !running.has(next))
  const next = ready.find(([, { isAccount }]) => isAccount !== servedAccount) ?? ready[0]
  if (!next) return
  const [nextKey, caller] = next
  const { isAccount, starts } = caller
  waiting.delete(nextKey)
  const resume = starts.shift()!
  // Moves to the end, so that every other caller is served first.
  if (starts.length > 0) waiting.set(nextKey, caller)
  start(semaphore, nextKey, isAccount)
  resume()
}
