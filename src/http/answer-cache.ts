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
const MAX_BYTES = 16 * 1_024 * 1_024
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024

/** Keys are addresses as people sent them, so they count too: a flood of long ones must not fill the memory. */
const sizeOf = (key: string, { body }: Answer): number => body.length + 2 * key.length + 500

export interface AnswerCache {
  find(revision: number, key: string, now: Instant): Answer | undefined
  keep(revision: number, key: string, answer: Answer): void
  clear(): void
}

export function makeAnswerCache(): AnswerCache {
  const answers = new Map<string, Answer>()
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
  return {
    clear,
    find(revision, key, now) {
      if (!turnTo(revision)) return undefined
      const answer = answers.get(key)
      if (!answer || (answer.until !== undefined && now >= answer.until)) return undefined
      answers.delete(key)
      answers.set(key, answer)
      return answer
    },
    keep(revision, key, answer) {
      if (!turnTo(revision) || answer.body.length > MAX_ANSWER_BYTES) return
      const outdated = answers.get(key)
      if (outdated) bytes -= sizeOf(key, outdated)
      answers.set(key, answer)
      bytes += sizeOf(key, answer)
      for (const [oldest, old] of answers) {
        if (bytes <= MAX_BYTES) break
        answers.delete(oldest)
        bytes -= sizeOf(oldest, old)
      }
    },
  }
}
