// Answers kept as bytes for as long as nothing has changed; a new revision forgets them all.
import type { Instant } from '../domain/time/instant.ts'

export interface Answer {
  body: Buffer
  etag: string
  headers: Record<string, string>
  /** An answer about today is no answer tomorrow. */
  until?: Instant
}

/** Bounded by bytes: the least recently asked answers go first. */
export interface Budget {
  maxBytes: number
  maxAnswerBytes: number
  /** Besides `maxBytes`, for long answers alone: a few of them cannot push out the many that are short. */
  maxLongBytes?: number
}

const MIB = 1_024 * 1_024

/** Ten thousand occurrences, the longest list there is, are 4 to 8 MiB where nobody writes novels. */
const ANSWERS: Budget = { maxBytes: 12 * MIB, maxAnswerBytes: 12 * MIB, maxLongBytes: 20 * MIB }
const LONG_BYTES = MIB

/**
 * Keys are addresses as people sent them, so they count too: a flood of long ones must not fill the memory. Compressed
 * forms come on top; of such text, both together are less than half of it.
 */
const sizeOf = (key: string, { body }: Answer): number => body.length * 1.5 + 2 * key.length + 500

const isOver = ({ until }: Answer, now: Instant): boolean => until !== undefined && now >= until

export interface AnswerCache {
  find(revision: number, key: string, now: Instant): Answer | undefined
  keep(revision: number, key: string, answer: Answer): void
  /** What is kept, or else made: once, however many ask at the same time. */
  take(revision: number, key: string, now: Instant, make: () => Promise<Answer>): Promise<Answer>
  clear(): void
}

export function makeAnswerCache(budget: Budget = ANSWERS): AnswerCache {
  const { maxBytes, maxAnswerBytes, maxLongBytes } = budget
  const short = makeShelf(maxBytes)
  const long = maxLongBytes === undefined ? short : makeShelf(maxLongBytes)
  const making = new Map<string, Promise<Answer>>()
  let current = -1
  const clear = (): void => {
    short.clear()
    long.clear()
  }
  const turnTo = (revision: number): boolean => {
    if (revision > current) {
      clear()
      current = revision
    }
    return revision === current
  }
  const find: AnswerCache['find'] = (revision, key, now) => {
    if (!turnTo(revision)) return undefined
    const answer = short.find(key) ?? long.find(key)
    return answer && !isOver(answer, now) ? answer : undefined
  }
  const keep: AnswerCache['keep'] = (revision, key, answer) => {
    if (!turnTo(revision) || answer.body.length > maxAnswerBytes) return
    short.remove(key)
    long.remove(key)
    const shelf = answer.body.length > LONG_BYTES ? long : short
    shelf.keep(key, answer)
  }
  return {
    clear,
    find,
    keep,
    take(revision, key, now, make) {
      const kept = find(revision, key, now)
      if (kept) return Promise.resolve(kept)
      // Begun after somebody read this very revision, so it is old to nobody who read the same.
      const name = `${revision} ${key}`
      const known = making.get(name)
      if (known) return known.then((answer) => (isOver(answer, now) ? make() : answer))
      const answer = make()
        .then((made) => {
          keep(revision, key, made)
          return made
        })
        .finally(() => making.delete(name))
      making.set(name, answer)
      return answer
    },
  }
}

interface Shelf {
  find(key: string): Answer | undefined
  keep(key: string, answer: Answer): void
  remove(key: string): void
  clear(): void
}

function makeShelf(maxBytes: number): Shelf {
  const answers = new Map<string, Answer>()
  let bytes = 0
  const remove = (key: string): void => {
    const answer = answers.get(key)
    if (!answer) return
    answers.delete(key)
    bytes -= sizeOf(key, answer)
  }
  return {
    find(key) {
      const answer = answers.get(key)
      if (!answer) return undefined
      answers.delete(key)
      answers.set(key, answer)
      return answer
    },
    keep(key, answer) {
      answers.set(key, answer)
      bytes += sizeOf(key, answer)
      for (const oldest of answers.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    remove,
    clear() {
      answers.clear()
      bytes = 0
    },
  }
}
