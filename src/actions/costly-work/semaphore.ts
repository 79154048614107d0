// Semaphores for costly reads and writes: few at a time, one for each caller, callers in turn; a full queue refuses.
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import { isTurnOver, yieldToEventLoop } from '../../scheduling/event-loop.ts'

/** A list of more than this, or a feed for a question of its own, is long. */
export const LONG_LIST = 300

/** Exceptions that a read may fetch on the event loop: some milliseconds of work. */
export const LIGHT_EXCEPTIONS = 1_000

/** Writes, the whole feed and exports have queues of their own: no number of readers keeps them out. */
const AT_ONCE = { reads: 2, writes: 1, feeds: 1, exports: 1 }
type PermitQueue = keyof typeof AT_ONCE
/** Of networks, and as many of accounts: neither can keep the other out. */
const MAX_WAITING = 16
/** Of one caller; one more is being made. Also of all callers in one wider network: half of the places are for others. */
const MAX_WAITING_OF_CALLER = 8

/** For whom work is done: a network or an account. Costly work of one caller is done one after the other. */
export interface Caller {
  key: string
  /** True for people who are signed in. They wait in places of their own and are served in turn with networks. */
  isAccount?: boolean
  /** The wider networks around a network: a provider gives one customer a /56, a /48 or a /24. */
  widerNetworks?: readonly string[]
  /** Takes note of how long a costly read or write took. */
  charge(costMs: number): void
}

/** For work that no single caller asked for. */
export const SERVICE_CALLER: Caller = { key: 'service', charge: () => {} }

interface Semaphore {
  atOnce: number
  running: Set<string>
  /** By caller, the one who was served longest ago first. */
  waiting: Map<string, WaitingCaller>
  /** Whether the last permit went to an account. */
  servedAccount: boolean
  /** Time of work, shared by all that run at the same time, up to `countedAt`. */
  workMs: number
  countedAt: number
}

interface WaitingCaller {
  isAccount: boolean
  widerNetworks: readonly string[]
  starts: (() => void)[]
}

/** One for each service. */
const semaphores = new WeakMap<Context, Record<PermitQueue, Semaphore>>()

export interface PermitOptions {
  /** True for the next part of an answer that is being sent already, which can only wait. */
  isContinued?: boolean
  queue?: PermitQueue
}

/**
 * The time of the work is charged to the caller, and shared where other work ran at the same time; the time in the queue
 * is not charged, nor the time before the work says that it has begun, which it spent waiting for a connection.
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
  }
  semaphores.set(ctx, all)
  const semaphore = all[queue]
  await acquire(semaphore, caller, isContinued)
  // Permits are handed on within a turn: short works that follow one another must not fill it.
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

/** Called before what runs changes: the time since the last change belongs in equal parts to all that ran. */
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
  // The permit is handed on by the one that ends, so no other request can take it in between.
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
  // At the end of the order, so that every other caller comes first.
  if (starts.length > 0) waiting.set(nextKey, caller)
  start(semaphore, nextKey, isAccount)
  resume()
}
