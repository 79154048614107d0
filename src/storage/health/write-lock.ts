// Tracks how long another process has held SQLite's write lock, over all transactions that tried.

/** Another process has held the write lock for longer than an ordinary transaction takes. */
export class WriteLockedError extends Error {
  readonly errcode: number
  readonly errstr: string

  constructor({ errcode, errstr }: { errcode: number; errstr: string }) {
    super('another process holds the write lock')
    this.errcode = errcode
    this.errstr = errstr
  }
}

export interface WriteLock {
  noteFree(): void
  /** Call it each time the lock was found held; true when it has been held for long. */
  noteHeld(): boolean
}

export function createWriteLock(maxWaitMs: number, clock: () => number): WriteLock {
  // A transaction also waits for others of its own process, so it waits for the lock only part of that time.
  const longMs = maxWaitMs / 2
  let heldSince: number | undefined
  let seenAt = Number.NEGATIVE_INFINITY
  return {
    noteFree() {
      heldSince = undefined
    },
    noteHeld() {
      const now = clock()
      // The lock may have been free since the last attempt.
      if (heldSince === undefined || now - seenAt > maxWaitMs) heldSince = now
      seenAt = now
      return now - heldSince >= longMs
    },
  }
}
