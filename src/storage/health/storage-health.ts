// Tracks whether the database can be written to: by reported failures and by probing writes.
import { AppError } from '../../errors.ts'
import { classifyFailure, classifyProbeFailure, type FailureReason, type StorageFailure } from './failure.ts'

export interface StorageHealthEvents {
  /** Called at most once a minute for each reason. */
  onFailure?(failure: StorageFailure): void
  onRecovery?(): void
}

export interface StorageHealth {
  /** Records why a statement or commit failed; errors of the statement itself and temporary ones are ignored. */
  report(error: unknown): void
  /** Ends a failure of this reason, which was detected by other means than a write. */
  clear(reason: FailureReason): void
  failure(): FailureReason | undefined
  /** The failure after a probing write, if one is due; concurrent callers share one write. */
  check(tryWrite: (bytes: number) => Promise<void>): Promise<FailureReason | undefined>
}

/** The minimum interval of probes: while healthy, and after a failure. */
const PROBE_EVERY_MS = 5_000
const PROBE_FAILING_EVERY_MS = 1_000

/** How long readiness waits for a queued read or write: supervisors give it a few seconds at most. */
const LONGEST_CHECK_MS = 1_000

const LOG_EVERY_MS = 60_000

/** A small changed row shows that writing works; after a full disk the probe must be as large as a large event. */
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
    // Damage and missing files are not overwritten by the failures that follow from them.
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

/** A failure of the database is reported and becomes `storage_unavailable`; an error of the statement is returned. */
export function wrapFailure(error: unknown, health: StorageHealth): unknown {
  if (!classifyFailure(error)) return error
  health.report(error)
  return new AppError('storage_unavailable', { cause: error })
}

/** A later write does not disprove these: other pages may be read next, and an unlinked file still accepts writes. */
const isLasting = (reason: FailureReason | undefined): boolean => reason === 'corrupt' || reason === 'data_missing'

/** The result of the work, or undefined where it takes longer than readiness waits; the work continues then. */
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
