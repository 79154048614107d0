// Waits for a fact by polling; the one deadline only ends a hung test, with a message of what it waited for.
import { setTimeout as delay } from 'node:timers/promises'

/** Far beyond what a slow and busy machine needs: reaching it means that the fact never comes. */
export const DEADLINE_MS = 240_000

/** Polls until `find` returns something other than undefined or false, and returns that. */
export async function waitFor<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  { everyMs = 20, deadlineMs = DEADLINE_MS }: { everyMs?: number; deadlineMs?: number } = {},
): Promise<T> {
  const begunAt = performance.now()
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (performance.now() - begunAt > deadlineMs) throw new DeadlineError(what, deadlineMs)
    await delay(everyMs)
  }
}

/** The same for work already in progress. */
export async function withDeadline<T>(what: string, work: Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(what, deadlineMs)), deadlineMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

class DeadlineError extends Error {
  constructor(what: string, deadlineMs: number) {
    super(`waited ${Math.round(deadlineMs / 1_000)} s in vain: ${what}`)
  }
}
