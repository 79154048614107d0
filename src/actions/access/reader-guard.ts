// Checks during long reads that the reader may still read: whatever is read later is not sent to one who may not.
import type { Context } from '../../context.ts'
import { mayDo, type Verb, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, fail } from '../../errors.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import { readCalendarState } from '../../storage/events/calendar.ts'
import type { Db } from '../../storage/tables.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'
import { requireReader } from './author-guard.ts'

/** Called after each part was read and before it is sent; fails where the reader has lost access since the request began. */
export type ReaderGuard = () => Promise<void>

/**
 * After the reading, not before: what was read while access held may be sent, and no suspension falls between the two.
 * The account and its credential are read again only where an account has changed since the last part.
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

/** A costly read in one snapshot, which begins when there is a permit: the reader may have lost access by then. */
export const readCostly = <T>(ctx: Context, viewer: Viewer, caller: Caller, read: (db: Db) => Promise<T>): Promise<T> =>
  writeCostly(ctx, viewer, caller, read, async (result) => result)

/** The same for a result that is written as an answer, which the permit covers too. */
export const writeCostly = <T, Written>(
  ctx: Context,
  viewer: Viewer,
  caller: Caller,
  read: (db: Db) => Promise<T>,
  write: (result: T) => Promise<Written>,
): Promise<Written> =>
  withPermit(ctx, caller, async (begin) => {
    const result = await inOwnSnapshot(ctx.storage, read, begin)
    if (mayDo(viewer, 'read_full')) await createReaderGuard(ctx, viewer, 'read_full')().catch(asUnavailable)
    return write(result)
  })

/** One who may not read any more is answered as the public is, once they ask again. */
export function asUnavailable(error: unknown): never {
  if (error instanceof AppError && error.status === 403) fail('service_unavailable')
  throw error
}
