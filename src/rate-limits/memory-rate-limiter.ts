// In-memory rate limiter for every request; nodes exchange counts in the background every second.
import type { Context } from '../context.ts'
import {
  hasRoom,
  msUntilRoom,
  roomAt,
  standingOf,
  type WindowTally,
  windowStart,
} from '../domain/limits/sliding-window.ts'
import type { Instant } from '../domain/time/instant.ts'
import { LruMap } from '../lru-map.ts'
import { inTransaction } from '../storage/engine/transaction.ts'
import { addHits, type Increment, type NamedTally } from '../storage/operations/rate-limits.ts'
import type { Remaining } from './rate-limit-headers.ts'
import { type Denied, nameOf, type RateLimitPolicy } from './rate-limit-policy.ts'

export interface MemoryRateLimiter {
  consume(policy: RateLimitPolicy, key: string): Denied | undefined
  refund(policy: RateLimitPolicy, key: string): void
  /** Adds units, even past the limit. */
  charge(policy: RateLimitPolicy, key: string, units: number): void
  isExhausted(policy: RateLimitPolicy, key: string): boolean
  /** What is left now: until the window ends; where nothing is left, how long until one more hit fits. */
  remaining(policy: RateLimitPolicy, key: string): Remaining
  /** Writes the counts of this node to the database and reads the totals of all nodes. */
  exchange(): Promise<void>
}

/** `shared` is the total of all nodes at the last exchange; the rest was counted here since. */
interface Count {
  shared: number
  sending: number
  unsent: number
}

/** Counts of one policy by key. A whole window is dropped at once, so expired keys need no search. */
interface WindowCounts {
  policy: RateLimitPolicy
  startedAt: Instant
  hits: LruMap<string, Count>
  before: LruMap<string, Count>
  changed: Set<string>
}

/** Per window. */
const MAX_KEYS = 25_000
const KEYS_AT_ONCE = 1_000

export function createMemoryRateLimiter(ctx: Context): MemoryRateLimiter {
  const windows = new Map<string, WindowCounts>()
  const isShared = ctx.storage.engine === 'postgres'
  const open = (policy: RateLimitPolicy, now: Instant): WindowCounts => {
    const window = windows.get(policy.name) ?? createWindow(policy, now)
    windows.set(policy.name, window)
    rollWindow(window, now)
    return window
  }
  const add = (window: WindowCounts, key: string, change: number): void => {
    countOf(window, key).unsent += change
    if (isShared) window.changed.add(key)
  }
  return {
    consume(policy, key) {
      const now = ctx.clock()
      const window = open(policy, now)
      const tally = tallyOf(window, key)
      if (!hasRoom(tally, now, policy)) return { policy, roomInMs: msUntilRoom(tally, now, policy) }
      add(window, key, 1)
      return undefined
    },
    refund(policy, key) {
      const window = open(policy, ctx.clock())
      if (total(window.hits.peek(key)) > 0) add(window, key, -1)
    },
    charge(policy, key, units) {
      if (units > 0) add(open(policy, ctx.clock()), key, units)
    },
    isExhausted(policy, key) {
      const now = ctx.clock()
      return !hasRoom(tallyOf(open(policy, now), key), now, policy)
    },
    remaining(policy, key) {
      const now = ctx.clock()
      const tally = tallyOf(open(policy, now), key)
      const hits = roomAt(tally, now, policy)
      const waitMs = hits === 0 ? msUntilRoom(tally, now, policy) : tally.startedAt + policy.windowMs - now
      return { policy, hits, seconds: Math.max(1, Math.ceil(waitMs / 1_000)) }
    },
    async exchange() {
      for (const window of windows.values()) await exchangeWindow(ctx, window)
    },
  }
}

const createWindow = (policy: RateLimitPolicy, now: Instant): WindowCounts => ({
  policy,
  startedAt: windowStart(now, policy.windowMs),
  hits: new LruMap(MAX_KEYS),
  before: new LruMap(MAX_KEYS),
  changed: new Set(),
})

function rollWindow(window: WindowCounts, now: Instant): void {
  const standing = standingOf(window.startedAt, now, window.policy.windowMs)
  if (standing === 'running') return
  window.before = standing === 'passed' ? window.hits : new LruMap(MAX_KEYS)
  window.hits = new LruMap(MAX_KEYS)
  window.startedAt = windowStart(now, window.policy.windowMs)
}

const total = (count: Count | undefined): number =>
  count ? Math.max(0, count.shared + count.sending + count.unsent) : 0

const tallyOf = ({ startedAt, hits, before }: WindowCounts, key: string): WindowTally => ({
  startedAt,
  hits: total(hits.peek(key)),
  hitsBefore: total(before.peek(key)),
})

function countOf({ hits }: WindowCounts, key: string): Count {
  const known = hits.get(key)
  if (known) return known
  const count = { shared: 0, sending: 0, unsent: 0 }
  hits.set(key, count)
  return count
}

interface Delta extends Increment {
  key: string
  counts: Count[]
}

async function exchangeWindow(ctx: Context, window: WindowCounts): Promise<void> {
  const now = ctx.clock()
  rollWindow(window, now)
  const deltas = [...window.changed].filter(isCounted(window)).map((key) => takeDelta(ctx, window, key))
  window.changed.clear()
  for (let i = 0; i < deltas.length; i += KEYS_AT_ONCE) {
    const some = deltas.slice(i, i + KEYS_AT_ONCE)
    try {
      const { windowMs } = window.policy
      const tallies = await inTransaction(ctx.storage, (db) => addHits(db, some, windowMs, now))
      applyTallies(window, some, new Map(tallies.map((tally) => [tally.name, tally])), windowStart(now, windowMs))
    } catch (error) {
      for (const delta of deltas.slice(i)) restoreDelta(window, delta)
      throw error
    }
  }
}

/** False for a key that was evicted. */
const isCounted =
  ({ hits, before }: WindowCounts) =>
  (key: string): boolean =>
    hits.has(key) || before.has(key)

function takeDelta(ctx: Context, window: WindowCounts, key: string): Delta {
  const [hits, before] = [window.hits.peek(key), window.before.peek(key)]
  const counts = [hits, before].filter((count) => count !== undefined)
  for (const count of counts) {
    count.sending = count.unsent
    count.unsent = 0
  }
  const name = nameOf(ctx, window.policy, key)
  return { key, name, counts, hits: hits?.sending ?? 0, hitsBefore: before?.sending ?? 0 }
}

/** The write failed: the counts go with the next exchange, unless their window was dropped by then. */
function restoreDelta(window: WindowCounts, { key, counts }: Delta): void {
  for (const count of counts) {
    count.unsent += count.sending
    count.sending = 0
  }
  if (isCounted(window)(key)) window.changed.add(key)
}

/** If a new window began during the query, the totals belong to the window before. */
function applyTallies(window: WindowCounts, deltas: Delta[], tallies: Map<string, NamedTally>, sentIn: Instant): void {
  const [hits, before] =
    window.startedAt === sentIn ? [window.hits, window.before] : [window.before, new LruMap<string, Count>(MAX_KEYS)]
  for (const { key, name, counts } of deltas) {
    for (const count of counts) count.sending = 0
    const tally = tallies.get(name)
    if (!tally) continue
    // A node whose clock is ahead has begun the next window: here, both its windows count as the current one.
    const isAhead = tally.startedAt > sentIn
    setShared(hits, key, isAhead ? tally.hits + tally.hitsBefore : tally.hits)
    if (!isAhead) setShared(before, key, tally.hitsBefore)
  }
}

function setShared(counts: LruMap<string, Count>, key: string, shared: number): void {
  const count = counts.peek(key)
  if (count) count.shared = shared
  else if (shared > 0) counts.set(key, { shared, sending: 0, unsent: 0 })
}
