// Limits that every request passes: counted in memory, and between nodes shared about once a second, so that nobody waits for it.
import type { Context } from '../../context.ts'
import { hasRoom, msUntilRoom, standingOf, type WindowTally, windowStart } from '../../domain/limits/sliding-window.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { addHits, type Increment, type NamedTally } from '../../storage/operations/rate-limits.ts'
import { type Denied, nameOf, type RateLimitPolicy } from './rate-limit-policy.ts'

export interface MemoryRateLimiter {
  consume(policy: RateLimitPolicy, key: string): Denied | undefined
  refund(policy: RateLimitPolicy, key: string): void
  /** Adds so many, also past the limit. */
  charge(policy: RateLimitPolicy, key: string, units: number): void
  isFull(policy: RateLimitPolicy, key: string): boolean
  /** Tells the other nodes what was counted here, and learns what they have counted. */
  exchange(): Promise<void>
}

/** `shared` is what all nodes together had at the last exchange; the rest was counted here since. */
interface Count {
  shared: number
  sending: number
  unsent: number
}

/** One policy's keys. A whole window is forgotten at once, so nothing has to be looked for. */
interface WindowCounts {
  policy: RateLimitPolicy
  startedAt: Instant
  hits: Map<string, Count>
  before: Map<string, Count>
  changed: Set<string>
}

/** In one window; past it the key that came first is forgotten. */
const MAX_KEYS = 25_000
const KEYS_AT_ONCE = 1_000

export function createMemoryRateLimiter(ctx: Context): MemoryRateLimiter {
  const books = new Map<string, WindowCounts>()
  const isShared = ctx.storage.engine === 'postgres'
  const open = (policy: RateLimitPolicy, now: Instant): WindowCounts => {
    const book = books.get(policy.name) ?? newBook(policy, now)
    books.set(policy.name, book)
    turn(book, now)
    return book
  }
  const add = (book: WindowCounts, key: string, change: number): void => {
    countOf(book, key).unsent += change
    if (isShared) book.changed.add(key)
  }
  return {
    consume(policy, key) {
      const now = ctx.clock()
      const book = open(policy, now)
      const tally = tallyOf(book, key)
      if (!hasRoom(tally, now, policy)) return { policy, roomInMs: msUntilRoom(tally, now, policy) }
      add(book, key, 1)
      return undefined
    },
    refund(policy, key) {
      const book = open(policy, ctx.clock())
      if (total(book.hits.get(key)) > 0) add(book, key, -1)
    },
    charge(policy, key, units) {
      if (units > 0) add(open(policy, ctx.clock()), key, units)
    },
    isFull(policy, key) {
      const now = ctx.clock()
      return !hasRoom(tallyOf(open(policy, now), key), now, policy)
    },
    async exchange() {
      for (const book of books.values()) await exchangeBook(ctx, book)
    },
  }
}

const newBook = (policy: RateLimitPolicy, now: Instant): WindowCounts => ({
  policy,
  startedAt: windowStart(now, policy.windowMs),
  hits: new Map(),
  before: new Map(),
  changed: new Set(),
})

function turn(book: WindowCounts, now: Instant): void {
  const standing = standingOf(book.startedAt, now, book.policy.windowMs)
  if (standing === 'running') return
  book.before = standing === 'passed' ? book.hits : new Map()
  book.hits = new Map()
  book.startedAt = windowStart(now, book.policy.windowMs)
}

const total = (count: Count | undefined): number =>
  count ? Math.max(0, count.shared + count.sending + count.unsent) : 0

const tallyOf = ({ startedAt, hits, before }: WindowCounts, key: string): WindowTally => ({
  startedAt,
  hits: total(hits.get(key)),
  hitsBefore: total(before.get(key)),
})

function countOf({ hits, changed }: WindowCounts, key: string): Count {
  const known = hits.get(key)
  if (known) return known
  if (hits.size >= MAX_KEYS) {
    const [oldest] = hits.keys()
    hits.delete(oldest!)
    changed.delete(oldest!)
  }
  const count = { shared: 0, sending: 0, unsent: 0 }
  hits.set(key, count)
  return count
}

interface Delta extends Increment {
  key: string
  counts: Count[]
}

async function exchangeBook(ctx: Context, book: WindowCounts): Promise<void> {
  const now = ctx.clock()
  turn(book, now)
  const parcels = [...book.changed].map((key) => packed(ctx, book, key))
  book.changed.clear()
  for (let i = 0; i < parcels.length; i += KEYS_AT_ONCE) {
    const some = parcels.slice(i, i + KEYS_AT_ONCE)
    try {
      const { windowMs } = book.policy
      const tallies = await inTransaction(ctx.storage, (db) => addHits(db, some, windowMs, now))
      learn(book, some, new Map(tallies.map((tally) => [tally.name, tally])), windowStart(now, windowMs))
    } catch (error) {
      for (const parcel of parcels.slice(i)) unpack(book, parcel)
      throw error
    }
  }
}

function packed(ctx: Context, book: WindowCounts, key: string): Delta {
  const [hits, before] = [book.hits.get(key), book.before.get(key)]
  const counts = [hits, before].filter((count) => count !== undefined)
  for (const count of counts) {
    count.sending = count.unsent
    count.unsent = 0
  }
  const name = nameOf(ctx, book.policy, key)
  return { key, name, counts, hits: hits?.sending ?? 0, hitsBefore: before?.sending ?? 0 }
}

/** Nobody was told: it is told next time, unless it is forgotten by then. */
function unpack(book: WindowCounts, { key, counts }: Delta): void {
  for (const count of counts) {
    count.unsent += count.sending
    count.sending = 0
  }
  if (book.hits.has(key) || book.before.has(key)) book.changed.add(key)
}

/** The window may have turned while the database was asked; then the counts of that one are those of the one before. */
function learn(book: WindowCounts, parcels: Delta[], tallies: Map<string, NamedTally>, sentIn: Instant): void {
  const [hits, before] = book.startedAt === sentIn ? [book.hits, book.before] : [book.before, new Map<string, Count>()]
  for (const { key, name, counts } of parcels) {
    for (const count of counts) count.sending = 0
    const tally = tallies.get(name)
    if (!tally) continue
    // A node whose clock is ahead has begun the next window: for this one, both are now.
    const isAhead = tally.startedAt > sentIn
    keepShared(hits, key, isAhead ? tally.hits + tally.hitsBefore : tally.hits)
    if (!isAhead) keepShared(before, key, tally.hitsBefore)
  }
}

function keepShared(counts: Map<string, Count>, key: string, shared: number): void {
  const count = counts.get(key)
  if (count) count.shared = shared
  else if (shared > 0) counts.set(key, { shared, sending: 0, unsent: 0 })
}
