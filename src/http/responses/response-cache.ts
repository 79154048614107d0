// Answers kept as bytes for as long as nothing has changed; a new revision forgets them all.
import type { Instant } from '../../domain/time/instant.ts'
import { AppError } from '../../errors.ts'
import { currentPath } from '../../scheduling/current-client.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import type { Validator } from './negotiate.ts'

export interface CachedResponse {
  body: Buffer
  etag: string
  headers: Record<string, string>
  /** An answer about today is no answer tomorrow. */
  until?: Instant
}

/** Bounded by bytes: the least recently asked answers go first. */
export interface CacheBudget {
  maxBytes: number
  maxAnswerBytes: number
  /** Besides `maxBytes`, for long answers alone: a few of them cannot push out the many that are short. */
  maxLongBytes?: number
}

const MIB = 1_024 * 1_024

/** Ten thousand occurrences, the longest list there is, are 4 to 8 MiB with short texts, and 16 MiB of words at most. */
const ANSWERS: CacheBudget = { maxBytes: 12 * MIB, maxAnswerBytes: 18 * MIB, maxLongBytes: 20 * MIB }
const LONG_BYTES = MIB

/** Keys are addresses as clients sent them, so they count too. What is kept beside an answer later is charged to it. */
const sizeOf = (key: string, { body, headers }: CachedResponse): number =>
  body.length + 2 * key.length + 2 * Object.entries(headers).flat().join('').length + 500

/** Tags of long answers outlive their bytes within a revision: a 304 needs no more than the tag. */
const MAX_VALIDATORS = 100
const MAX_VALIDATOR_KEY = 1_000

/** Refused makings that a request joins before it makes the answer by itself. */
const MAX_JOINED = 3

/** A request that has waited this long for the making of another customer makes the answer too. */
const MAKE_TOO_AFTER_MS = 100

/** Customers for which the answer to one question is made at the same time. */
const MAX_MAKING = 3

/** The caller of the making had no place left to wait, or waited too long; other callers have places of their own. */
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.status === 503

const isOver = ({ until }: Pick<CachedResponse, 'until'>, now: Instant): boolean => until !== undefined && now >= until

export interface ResponseCache {
  find(revision: number, key: string, now: Instant): CachedResponse | undefined
  keep(revision: number, key: string, answer: CachedResponse): void
  /** Counts bytes that are kept beside an answer and freed with it; false when the answer is not kept. */
  charge(key: string, answer: CachedResponse, bytes: number): boolean
  /** The tag of a long answer, also where its bytes are not kept: they were too many, or others pushed them out. */
  findValidator(revision: number, key: string, now: Instant): Validator | undefined
  /** All that is kept, as it is counted. */
  bytes(): number
  /**
   * What is kept, or else made: once, however many ask at the same time. Where that one is refused, the others make it
   * again, once for all that are left. Where it takes long, because it waits behind other work of the customer that
   * asked first, a few of the others make it too, and the first to be made is for all.
   */
  take(revision: number, key: string, now: Instant, make: () => Promise<CachedResponse>): Promise<CachedResponse>
  clear(): void
}

export function createResponseCache(budget: CacheBudget = ANSWERS, maxMaking: number = MAX_MAKING): ResponseCache {
  const { maxBytes, maxAnswerBytes, maxLongBytes } = budget
  const short = createLruCache(maxBytes)
  const long = maxLongBytes === undefined ? short : createLruCache(maxLongBytes)
  const validators = new Map<string, Validator & Pick<CachedResponse, 'until'>>()
  const makings = new Map<string, Making>()
  let current = -1
  const clear = (): void => {
    short.clear()
    long.clear()
    validators.clear()
  }
  const turnTo = (revision: number): boolean => {
    if (revision > current) {
      clear()
      current = revision
    }
    return revision === current
  }
  const find: ResponseCache['find'] = (revision, key, now) => {
    if (!turnTo(revision)) return undefined
    const answer = short.find(key) ?? long.find(key)
    return answer && !isOver(answer, now) ? answer : undefined
  }
  const keepValidator = (key: string, { body, etag, until }: CachedResponse): void => {
    validators.delete(key)
    if (key.length > MAX_VALIDATOR_KEY) return
    if (validators.size >= MAX_VALIDATORS) validators.delete(validators.keys().next().value!)
    validators.set(key, { etag, bytes: body.length, ...(until === undefined ? {} : { until }) })
  }
  const keep: ResponseCache['keep'] = (revision, key, answer) => {
    if (!turnTo(revision)) return
    if (answer.body.length > Math.min(LONG_BYTES, maxAnswerBytes)) keepValidator(key, answer)
    else validators.delete(key)
    if (answer.body.length > maxAnswerBytes) return
    short.remove(key)
    long.remove(key)
    const shelf = answer.body.length > LONG_BYTES ? long : short
    shelf.keep(key, answer)
  }
  return {
    clear,
    find,
    keep,
    charge: (key, answer, bytes) => short.charge(key, answer, bytes) || long.charge(key, answer, bytes),
    findValidator(revision, key, now) {
      const known = turnTo(revision) ? validators.get(key) : undefined
      return known && !isOver(known, now) ? known : undefined
    },
    bytes: () => short.bytes() + (long === short ? 0 : long.bytes()),
    async take(revision, key, now, make) {
      const makeKept = async (): Promise<CachedResponse> => {
        const made = await make()
        keep(revision, key, made)
        return made
      }
      // Begun after somebody read this very revision, so it is old to nobody who read the same.
      const name = `${revision} ${key}`
      const [customer] = currentPath()
      for (let joined = 0; joined < MAX_JOINED; joined++) {
        const kept = find(revision, key, now)
        if (kept) return kept
        const known = makings.get(name)
        if (!known) {
          const own = createMaking(maxMaking, () => makings.delete(name))
          makings.set(name, own)
          own.begin(customer!, makeKept)
          return own.answer
        }
        const timer = setTimeout(() => known.begin(customer!, makeKept), MAKE_TOO_AFTER_MS)
        try {
          const shared = await known.answer
          // Hundreds may have waited, and to send a long answer takes a millisecond: each sends it in a slice of its own.
          await yieldToEventLoop()
          if (!isOver(shared, now)) return shared
        } catch (error) {
          if (!isRefusal(error)) throw error
        } finally {
          clearTimeout(timer)
        }
      }
      return makeKept()
    },
  }
}

/** One question whose answer is being made, for one customer or several, each in its own places of the queues. */
interface Making {
  /** The first that is made; fails where none is. */
  answer: Promise<CachedResponse>
  /** Does nothing where the answer is being made for this customer, or for enough others. */
  begin(customer: string, make: () => Promise<CachedResponse>): void
}

function createMaking(maxCustomers: number, onSettled: () => void): Making {
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

interface LruCache {
  find(key: string): CachedResponse | undefined
  keep(key: string, answer: CachedResponse): void
  charge(key: string, answer: CachedResponse, bytes: number): boolean
  bytes(): number
  remove(key: string): void
  clear(): void
}

function createLruCache(maxBytes: number): LruCache {
  const answers = new Map<string, { answer: CachedResponse; bytes: number }>()
  let total = 0
  const remove = (key: string): void => {
    total -= answers.get(key)?.bytes ?? 0
    answers.delete(key)
  }
  const evict = (): void => {
    for (const oldest of answers.keys()) {
      if (total <= maxBytes) break
      remove(oldest)
    }
  }
  return {
    find(key) {
      const entry = answers.get(key)
      if (!entry) return undefined
      answers.delete(key)
      answers.set(key, entry)
      return entry.answer
    },
    keep(key, answer) {
      const bytes = sizeOf(key, answer)
      answers.set(key, { answer, bytes })
      total += bytes
      evict()
    },
    charge(key, answer, bytes) {
      const entry = answers.get(key)
      if (entry?.answer !== answer) return false
      entry.bytes += bytes
      total += bytes
      evict()
      return answers.has(key)
    },
    bytes: () => total,
    remove,
    clear() {
      answers.clear()
      total = 0
    },
  }
}
