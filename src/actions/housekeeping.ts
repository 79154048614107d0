// Small chores that keep the database tidy, and the lease that lets one node do them.
import type { Context } from '../context.ts'
import { KEPT_MS, purgeIdempotencyKeys } from '../storage/idempotency.ts'
import { releaseLease, takeLease } from '../storage/leases.ts'
import { inTransaction } from '../storage/transaction.ts'

/** True when this process holds the name for the given time. */
export function holdLease(ctx: Context, name: string, forMs: number): Promise<boolean> {
  const now = ctx.clock()
  return inTransaction(ctx.storage, (db) => takeLease(db, name, ctx.nodeId, now, now + forMs))
}

/** Lets the next node have it at once, and not when the time is up. */
export const letGoOfLease = (ctx: Context, name: string): Promise<void> =>
  inTransaction(ctx.storage, (db) => releaseLease(db, name, ctx.nodeId))

export const forgetOldRequests = (ctx: Context): Promise<void> =>
  inTransaction(ctx.storage, (db) => purgeIdempotencyKeys(db, ctx.clock() - KEPT_MS))
