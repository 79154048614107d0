// Tracks whether writing to the database works: by reported failures, and by a small write when asked.
import { AppError } from '../../errors.ts'
import { classifyFailure, classifyProbeFailure, type FailureReason, type StorageFailure } from './failure.ts'

export interface StorageHealthEvents {
  /** At most once a minute for each reason. */
  onFailure?(failure: StorageFailure): void
  onRecovery?(): void
}

export interface StorageHealth {
  /** Notes why a statement or a commit failed; what is the statement's own fault or passes by itself is ignored. */
  report(error: unknown): void
  /** Ends a failure of this reason, which was found by other means than a write. */
  clear(reason: FailureReason): void
  failure(): FailureReason | undefined
  /** The failure after a write was tried, where one is due; many callers share one write. */
  check(tryWrite: (bytes: number) => Promise<void>): Promise<FailureReason | undefined>
}

/** How often a write is tried at most: while all is well, and after a failure. */
const PROBE_EVERY_MS = 5_000
const PROBE_FAILING_EVERY_MS = 1_000

/** Readiness does not wait longer for a read or a write behind others: supervisors give it a few seconds at most. */
const LONGEST_CHECK_MS = 1_000

const LOG_EVERY_MS = 60_000

/** A row of another text is enough to see that writing works; a disk that was full must take as much as a large event. */
const PROBE_BYTES = 16
const PROBE_AFTER_FULL_BYTES = 262_144

export function createStorageHealth(
  events: StorageHealthEvents = {},
  clock: () => number = () => performance.now(),
): StorageHealth {
  const loggedAt = new Map<FailureReason, number>()
  let failure: FailureReason | undefined
  let isLogged = false
  let probedAt = Number.NEGATIVE_INFINITY
  let probing: Promise<void> | undefined

  const fail = (found: StorageFailure): void => {
    if (found.reason === 'busy') return
    // Damage and missing files outlast what follows from them.
    if (!isLasting(failure)) failure = found.reason
    const now = clock()
    if (now - (loggedAt.get(found.reason) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return
    loggedAt.set(found.reason, now)
    isLogged = true
    events.onFailure?.(found)
  }

  const clear = (reason: FailureReason): void => {
    if (failure !== reason) return
    failure = undefined
    if (isLogged) events.onRecovery?.()
    isLogged = false
  }

  const probe = async (tryWrite: (bytes: number) => Promise<void>): Promise<void> => {
    const before = failure
    try {
      await tryWrite(before === 'disk_full' ? PROBE_AFTER_FULL_BYTES : PROBE_BYTES)
      if (before && failure === before) clear(before)
    } catch (error) {
      fail(classifyProbeFailure((error as Error).cause ?? error))
    } finally {
      probedAt = clock()
      probing = undefined
    }
  }

  return {
    report(error) {
      const found = classifyFailure(error)
      if (found) fail(found)
    },
    clear,
    failure: () => failure,
    async check(tryWrite) {
      const every = failure ? PROBE_FAILING_EVERY_MS : PROBE_EVERY_MS
      if (isLasting(failure) || (!probing && clock() - probedAt < every)) return failure
      probing ??= probe(tryWrite)
      await withinCheckTime(probing)
      return failure
    },
  }
}

/** A failure of the database is reported and refused by its code; a failure of the statement stays as it is. */
export function wrapFailure(error: unknown, health: StorageHealth): unknown {
  if (!classifyFailure(error)) return error
  health.report(error)
  return new AppError('storage_unavailable', { cause: error })
}

/** A later write proves nothing against these: other pages may be read next, and a file without a name still takes writes. */
const isLasting = (reason: FailureReason | undefined): boolean => reason === 'corrupt' || reason === 'data_missing'

/** What the work returns, or undefined where it takes longer than readiness waits; it goes on then. */
export async function withinCheckTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LONGEST_CHECK_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
