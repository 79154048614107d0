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
}

const MIB = 1_024 * 1_024
const ANSWERS: Budget = { maxBytes: 16 * MIB, maxAnswerBytes: 4 * MIB }

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

export function makeAnswerCache({ maxBytes, maxAnswerBytes }: Budget = ANSWERS): AnswerCache {
  const answers = new Map<string, Answer>()
  const making = new Map<string, Promise<Answer>>()
  let bytes = 0
  let current = -1
  const clear = (): void => {
    answers.clear()
    bytes = 0
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
    const answer = answers.get(key)
    if (!answer || isOver(answer, now)) return undefined
    answers.delete(key)
    answers.set(key, answer)
    return answer
  }
  const keep: AnswerCache['keep'] = (revision, key, answer) => {
    if (!turnTo(revision) || answer.body.length > maxAnswerBytes) return
    const outdated = answers.get(key)
    if (outdated) bytes -= sizeOf(key, outdated)
    answers.set(key, answer)
    bytes += sizeOf(key, answer)
    for (const [oldest, old] of answers) {
      if (bytes <= maxBytes) break
      answers.delete(oldest)
      bytes -= sizeOf(oldest, old)
    }
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
