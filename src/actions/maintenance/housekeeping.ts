// Housekeeping: purges expired rows in batches, under a lease that lets one node do it.
import type { Context } from '../../context.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import { describeKind } from '../../errors.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { purgeUnverifiedRequests } from '../../storage/accounts/accounts.ts'
import { purgeSpentProofs } from '../../storage/accounts/proofs.ts'
import { purgeServedObjects, purgeServedRevisions } from '../../storage/accounts/served-versions.ts'
import { purgeSessions } from '../../storage/accounts/sessions.ts'
import { purgeTokens } from '../../storage/accounts/tokens.ts'
import { inLongTransaction, inTransaction } from '../../storage/engine/transaction.ts'
import { purgeTombstones } from '../../storage/events/tombstones.ts'
import { purgeBulkChanges } from '../../storage/history/bulk-changes.ts'
import { purgeGoneEvents } from '../../storage/history/gone-events.ts'
import { isFull, purgeTrash, purgeVersions } from '../../storage/history/purge-history.ts'
import { insertAudit, purgeAudit } from '../../storage/operations/audit.ts'
import { KEY_LIFETIME_MS, purgeIdempotencyKeys } from '../../storage/operations/idempotency.ts'
import { acquireLease, releaseLease } from '../../storage/operations/leases.ts'
import { purgeMail } from '../../storage/operations/outbox.ts'
import { PURGE_ROWS } from '../../storage/operations/purge.ts'
import { purgeRateLimits } from '../../storage/operations/rate-limits.ts'
import { purgeTraces } from '../../storage/operations/traces.ts'
import type { Db } from '../../storage/tables.ts'
import { packVersions } from '../history/pack-versions.ts'

/** True when this node now holds the lease for the given time. */
export function holdLease(ctx: Context, name: string, forMs: number): Promise<boolean> {
  const now = ctx.clock()
  return inTransaction(ctx.storage, (db) => acquireLease(db, name, ctx.nodeId, now, now + forMs))
}

/** Releases the lease, so that another node can take it before it expires. */
export const releaseNodeLease = (ctx: Context, name: string): Promise<void> =>
  inTransaction(ctx.storage, (db) => releaseLease(db, name, ctx.nodeId))

/** Retention of finished mail, expired tokens and account requests with an unverified address. */
const WEEK_MS = 7 * DAY_MS
const MONTH_MS = 30 * DAY_MS
/** Retention of tombstones: a device that was offline for longer synchronises from scratch. */
const HALF_A_YEAR_MS = 183 * DAY_MS

/** A name for the log, and the work. */
export type Chore = readonly [name: string, run: (ctx: Context, signal?: AbortSignal) => Promise<void>]

/** Deletes each batch in its own transaction, so no request waits for the whole. `act` returns the rows deleted. */
const purge = (name: string, act: (db: Db, now: Instant, ctx: Context) => Promise<number>): Chore => [
  name,
  async (ctx, signal) => {
    for (;;) {
      const deleted = await inLongTransaction(ctx.storage, (db) => act(db, ctx.clock(), ctx))
      if (deleted < PURGE_ROWS || signal?.aborted) return
      await yieldToEventLoop()
    }
  },
]

export const PURGES: readonly Chore[] = [
  purge('idempotency_keys', (db, now) => purgeIdempotencyKeys(db, now - KEY_LIFETIME_MS)),
  purge('outbox', (db, now) => purgeMail(db, now - WEEK_MS)),
  purge('tokens', (db, now) => purgeTokens(db, now - WEEK_MS)),
  purge('unproven_users', removeUnproven),
  purge('sessions', purgeSessions),
  purge('rate_limits', purgeRateLimits),
  purge('spent_proofs', purgeSpentProofs),
  purge('traces', purgeTraces),
  purge('audit', purgeAudit),
  purge('trash', async (db, now, { config }) => {
    const purged = await purgeTrash(db, now - config.trashDays * DAY_MS)
    return isFull(purged) ? PURGE_ROWS : 0
  }),
  purge('event_versions', (db, now, { config }) => purgeVersions(db, now - config.historyDays * DAY_MS)),
  ['packed_versions', packVersions],
  purge('bulk_changes', (db, now) => purgeBulkChanges(db, now - MONTH_MS)),
  purge('gone_names', (db, now) => purgeTombstones(db, now - HALF_A_YEAR_MS)),
  purge('gone_events', (db, now) => purgeGoneEvents(db, 'gone_events', now - HALF_A_YEAR_MS)),
  purge('public_gone_events', (db, now) => purgeGoneEvents(db, 'public_gone_events', now - HALF_A_YEAR_MS)),
  purge('served_objects', (db, now) => purgeServedObjects(db, now - HALF_A_YEAR_MS)),
  purge('served_revisions', (db, now) => purgeServedRevisions(db, now - HALF_A_YEAR_MS)),
]

export const purgeExpired = (ctx: Context): Promise<void> => runChores(ctx, PURGES)

/** A chore that fails is logged and does not stop the others. */
export async function runChores(ctx: Context, chores: readonly Chore[], signal?: AbortSignal): Promise<void> {
  for (const [name, run] of chores) {
    if (signal?.aborted) return
    try {
      await run(ctx, signal)
    } catch (error) {
      ctx.log.warn('a housekeeping chore failed and is tried again in a quarter of an hour', {
        chore: name,
        ...describeKind(error),
      })
    }
  }
}

/** Without email verification, a request waits longer for its decision: a month instead of a week. */
async function removeUnproven(db: Db, now: Instant, { config }: Context): Promise<number> {
  const removed = await purgeUnverifiedRequests(db, now - (config.requireVerifiedEmail ? WEEK_MS : MONTH_MS))
  if (removed === 0) return 0
  const noIds = { actorId: null, subjectId: null, requestId: null }
  await insertAudit(db, { action: 'unproven_users_removed', ...noIds, detail: { count: removed } }, now)
  return removed
}
