// Rechecks access during long reads, so nothing is sent to a reader who lost access meanwhile.
import type { Context } from '../../context.ts'
import type { Verb } from '../../domain/privacy/rights.ts'
import { mayDo, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, fail } from '../../errors.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import { readCalendarState } from '../../storage/events/calendar.ts'
import type { Db } from '../../storage/tables.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'
import { requireReader } from './actor-guard.ts'

/** Call it after each part is read and before it is sent; fails if the reader lost access since the request began. */
export type ReaderGuard = () => Promise<void>

/**
 * Checks after the read, not before: what was read while access held may be sent, and no suspension can fall between
 * the two. The account and its credential are read again only if an account has changed since the last part.
 */
export function createReaderGuard(ctx: Context, viewer: Viewer, ...verbs: Verb[]): ReaderGuard {
  if (viewer.kind !== 'account') return async () => {}
  const { reads } = ctx.storage
  let checkedAt: number | undefined
  return async () => {
    const { accountsRevision } = await readCalendarState(reads)
    if (accountsRevision === checkedAt) return
    await requireReader(ctx, reads, viewer, ...verbs)
    checkedAt = accountsRevision
  }
}

/** Runs a costly read in one snapshot, once a permit is free; the reader may have lost access by then. */
export const runCostlyRead = <T>(
  ctx: Context,
  viewer: Viewer,
  caller: Caller,
  read: (db: Db) => Promise<T>,
): Promise<T> => runCostlyResponse(ctx, viewer, caller, read, async (result) => result)

/** The same for a result that is written as a response; the permit covers the writing too. */
export const runCostlyResponse = <T, Written>(
  ctx: Context,
  viewer: Viewer,
  caller: Caller,
  read: (db: Db) => Promise<T>,
  write: (result: T) => Promise<Written>,
): Promise<Written> =>
  withPermit(ctx, caller, async (begin) => {
    const result = await inOwnSnapshot(ctx.storage, read, begin)
    if (mayDo(viewer, 'read_full')) await createReaderGuard(ctx, viewer, 'read_full')().catch(failAsUnavailable)
    return write(result)
  })

/** A reader who lost access gets service_unavailable here, and the public view with the next request. */
export function failAsUnavailable(error: unknown): never {
  if (error instanceof AppError && error.status === 403) fail('service_unavailable')
  throw error
}
