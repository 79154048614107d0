// Small chores that keep the database tidy, and the lease that lets one node do them.
import type { Context } from '../context.ts'
import { DAY_MS, type Instant } from '../domain/time/instant.ts'
import { purgeUnprovenRequests } from '../storage/accounts.ts'
import { insertAudit, purgeAudit } from '../storage/audit.ts'
import { forgetGoneNames } from '../storage/gone-names.ts'
import { KEPT_MS, purgeIdempotencyKeys } from '../storage/idempotency.ts'
import { releaseLease, takeLease } from '../storage/leases.ts'
import { purgeMail } from '../storage/outbox.ts'
import { purgeSpentProofs } from '../storage/proofs.ts'
import { purgeRateLimits } from '../storage/rate-limits.ts'
import { purgeSessions } from '../storage/sessions.ts'
import type { Db } from '../storage/tables.ts'
import { purgeTokens } from '../storage/tokens.ts'
import { purgeTraces } from '../storage/traces.ts'
import { inTransaction } from '../storage/transaction.ts'

/** True when this process holds the name for the given time. */
export function holdLease(ctx: Context, name: string, forMs: number): Promise<boolean> {
  const now = ctx.clock()
  return inTransaction(ctx.storage, (db) => takeLease(db, name, ctx.nodeId, now, now + forMs))
}

/** Lets the next node have it at once, and not when the time is up. */
export const letGoOfLease = (ctx: Context, name: string): Promise<void> =>
  inTransaction(ctx.storage, (db) => releaseLease(db, name, ctx.nodeId))

/** Mails that are done with, tokens nobody can use, and requests for access whose address was never proven. */
const WEEK_MS = 7 * DAY_MS
const MONTH_MS = 30 * DAY_MS
/** A device that was off for longer starts over. */
const HALF_A_YEAR_MS = 183 * DAY_MS

const CHORES: ((db: Db, now: Instant, ctx: Context) => Promise<void>)[] = [
  (db, now) => purgeIdempotencyKeys(db, now - KEPT_MS),
  (db, now) => purgeMail(db, now - WEEK_MS),
  (db, now) => purgeTokens(db, now - WEEK_MS),
  removeUnproven,
  purgeSessions,
  purgeRateLimits,
  purgeSpentProofs,
  purgeTraces,
  purgeAudit,
  (db, now) => forgetGoneNames(db, now - HALF_A_YEAR_MS),
]

/** Each in a transaction of its own: nothing waits for the whole. */
export async function forgetWhatIsOver(ctx: Context): Promise<void> {
  for (const chore of CHORES) await inTransaction(ctx.storage, (db) => chore(db, ctx.clock(), ctx))
}

/** Where addresses need no proof, nobody is asked for one, and a request waits longer for its answer. */
async function removeUnproven(db: Db, now: Instant, { config }: Context): Promise<void> {
  const removed = await purgeUnprovenRequests(db, now - (config.requireVerifiedEmail ? WEEK_MS : MONTH_MS))
  if (removed === 0) return
  const nobody = { actorId: null, subjectId: null, requestId: null }
  await insertAudit(db, { action: 'unproven_users_removed', ...nobody, detail: { count: removed } }, now)
}
