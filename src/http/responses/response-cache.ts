// LRU cache of response bytes, bounded by size; a new revision of the calendar clears it.
import type { AccountViewer } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { AppError } from '../../errors.ts'
import { ByteLruMap, LruMap } from '../../lru-map.ts'
import type { CacheBudget } from '../../memory-budget.ts'
import { newCacheCounts, type WatchedCache } from '../../ops/metrics.ts'
import { currentPath } from '../../scheduling/current-client.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import type { Validator } from './negotiate.ts'

export interface CachedResponse {
  body: Buffer
  etag: string
  headers: Record<string, string>
  /** Sent with 304 too: a browser replaces the headers of its stored page by them. */
  policyHeaders?: Record<string, string>
  /** A response about today expires at the end of the day. */
  until?: Instant
  /** Whether the fast path may send it to this account too; absent: to all of the same sight. */
  mayRepeat?: (viewer: AccountViewer) => boolean
}

const LONG_BYTES = 1_024 * 1_024

/** Keys are URLs as clients sent them, so they count too. Bytes stored beside a response later are charged to it. */
const sizeOf = (key: string, { body, headers, policyHeaders = {} }: CachedResponse): number =>
  body.length +
  2 * key.length +
  2 *
    Object.entries({ ...headers, ...policyHeaders })
      .flat()
      .join('').length +
  500

/** Tags of long responses stay cached after their bytes are evicted: a 304 needs only the tag. */
const MAX_VALIDATORS = 100
const MAX_VALIDATOR_KEY = 1_000

/** Refused builds that a request joins before it builds the response by itself. */
const MAX_JOINED = 3

/** A request that has waited this long for a build of another customer starts its own. */
const BUILD_TOO_AFTER_MS = 100

/** Customers for which one response is built at the same time. */
const MAX_CONCURRENT_BUILDS = 3

/** The caller of the build had no queue slot left or waited too long; other callers have slots of their own. */
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.status === 503

const isOver = ({ until }: Pick<CachedResponse, 'until'>, now: Instant): boolean => until !== undefined && now >= until

/** What remains of a long response, enough for a 304. */
type KeptValidator = Validator & Pick<CachedResponse, 'until' | 'policyHeaders'>

export interface ResponseCache extends WatchedCache {
  /** A longer response is not cached. */
  maxAnswerBytes: number
  find(revision: number, key: string, now: Instant): CachedResponse | undefined
  keep(revision: number, key: string, answer: CachedResponse): void
  /** Counts bytes that are stored beside a response and freed with it; false when the response is not cached. */
  charge(key: string, answer: CachedResponse, bytes: number): boolean
  /** The tag of a long response, even if its bytes were too many to cache or were evicted. */
  findValidator(revision: number, key: string, now: Instant): KeptValidator | undefined
  /**
   * The cached response, or a new one, built once for all concurrent requests. If that build is refused, the others
   * build it again, once for all that are left. If it takes long because it waits behind other work of the customer
   * that asked first, a few of the others build it too, and the first result is used for all.
   */
  take(revision: number, key: string, now: Instant, make: () => Promise<CachedResponse>): Promise<CachedResponse>
  clear(): void
}

export function createResponseCache(
  budget: CacheBudget,
  maxConcurrentBuilds: number = MAX_CONCURRENT_BUILDS,
): ResponseCache {
  const { maxBytes, maxAnswerBytes, maxLongBytes } = budget
  const short = new ByteLruMap<string, CachedResponse>(maxBytes)
  const long = maxLongBytes === undefined ? short : new ByteLruMap<string, CachedResponse>(maxLongBytes)
  const validators = new LruMap<string, KeptValidator>(MAX_VALIDATORS)
  const pendingBuilds = new Map<string, PendingBuild>()
  const counts = newCacheCounts()
  let current = -1
  const clear = (): void => {
    short.clear()
    long.clear()
    validators.clear()
  }
  const switchToRevision = (revision: number): boolean => {
    if (revision > current) {
      clear()
      current = revision
    }
    return revision === current
  }
  const find: ResponseCache['find'] = (revision, key, now) => {
    if (!switchToRevision(revision)) return undefined
    const answer = short.get(key) ?? long.get(key)
    return answer && !isOver(answer, now) ? answer : undefined
  }
  const keepValidator = (key: string, { body, etag, until, policyHeaders }: CachedResponse): void => {
    if (key.length > MAX_VALIDATOR_KEY) return
    validators.set(key, {
      etag,
      bytes: body.length,
      ...(policyHeaders === undefined ? {} : { policyHeaders }),
      ...(until === undefined ? {} : { until }),
    })
  }
  const keep: ResponseCache['keep'] = (revision, key, answer) => {
    if (!switchToRevision(revision)) return
    if (answer.body.length > Math.min(LONG_BYTES, maxAnswerBytes)) keepValidator(key, answer)
    else validators.delete(key)
    if (answer.body.length > maxAnswerBytes) return
    short.delete(key)
    long.delete(key)
    const lru = answer.body.length > LONG_BYTES ? long : short
    lru.set(key, answer, sizeOf(key, answer))
  }
  return {
    counts,
    maxAnswerBytes,
    clear,
    find,
    keep,
    charge(key, answer, bytes) {
      const lru = [short, long].find((map) => map.peek(key) === answer)
      lru?.addBytes(key, bytes)
      return lru?.has(key) ?? false
    },
    findValidator(revision, key, now) {
      const known = switchToRevision(revision) ? validators.get(key) : undefined
      return known && !isOver(known, now) ? known : undefined
    },
    bytes: () => short.bytes + (long === short ? 0 : long.bytes),
    async take(revision, key, now, make) {
      const buildAndKeep = async (): Promise<CachedResponse> => {
        counts.misses += 1
        const made = await make()
        keep(revision, key, made)
        return made
      }
      // A build starts after this revision was read, so its result is current for every request that read the same one.
      const name = `${revision} ${key}`
      const [customer] = currentPath()
      for (let joined = 0; joined < MAX_JOINED; joined++) {
        const kept = find(revision, key, now)
        if (kept) {
          counts.hits += 1
          return kept
        }
        const known = pendingBuilds.get(name)
        if (!known) {
          const own = createPendingBuild(maxConcurrentBuilds, () => pendingBuilds.delete(name))
          pendingBuilds.set(name, own)
          own.begin(customer!, buildAndKeep)
          return own.answer
        }
        const timer = setTimeout(() => known.begin(customer!, buildAndKeep), BUILD_TOO_AFTER_MS)
        try {
          const shared = await known.answer
          // Hundreds may have waited, and sending a long response takes a millisecond: each sends it in a slice of its
          // own.
          await yieldToEventLoop()
          if (!isOver(shared, now)) {
            counts.hits += 1
            return shared
          }
        } catch (error) {
          if (!isRefusal(error)) throw error
        } finally {
          clearTimeout(timer)
        }
      }
      return buildAndKeep()
    },
  }
}

/** One response that is being built, for one customer or several, each with its own queue slots. */
interface PendingBuild {
  /** The first result; fails if every build fails. */
  answer: Promise<CachedResponse>
  /** Does nothing if the response is already being built for this customer, or for enough others. */
  begin(customer: string, make: () => Promise<CachedResponse>): void
}

function createPendingBuild(maxCustomers: number, onSettled: () => void): PendingBuild {
  const { promise, resolve, reject } = Promise.withResolvers<CachedResponse>()
  promise.then(onSettled, onSettled)
  const customers = new Set<string>()
  let running = 0
  return {
    answer: promise,
    begin(customer, make) {
      if (customers.has(customer) || customers.size >= maxCustomers) return
      customers.add(customer)
      running += 1
      make().then(resolve, (error) => {
        running -= 1
        if (running === 0) reject(error)
      })
    },
  }
}
