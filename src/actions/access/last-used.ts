// Records last use of credentials in the background; no read waits for that write or fails with it.
import type { Context } from '../../context.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { touchCredential } from '../../storage/accounts/credentials.ts'
import { touchFeedLink } from '../../storage/accounts/feed-links.ts'
import { touchSession } from '../../storage/accounts/sessions.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import type { Db } from '../../storage/tables.ts'

export type UsedTable = 'sessions' | 'app_passwords' | 'api_tokens' | 'feed_links'

interface CredentialUse {
  table: UsedTable
  id: string
  at: Instant
}

interface PendingUses {
  /** Keyed by table and id; an entry stays until it is written. */
  uses: Map<string, CredentialUse>
  writing: Promise<void> | undefined
  hasFailed: boolean
}

/** Limit while the database cannot be written: an entry takes a few hundred bytes; further ones are not recorded. */
const MAX_PENDING = 10_000
const MAX_PER_TRANSACTION = 100

const pendingByContext = new WeakMap<Context, PendingUses>()

/** Returns at once. A failed write is retried with the next use and when the service stops. */
export function recordUse(ctx: Context, table: UsedTable, id: string): void {
  const pending = pendingOf(ctx)
  const key = keyOf(table, id)
  if (pending.uses.size >= MAX_PENDING && !pending.uses.has(key)) return
  pending.uses.set(key, { table, id, at: ctx.clock() })
  void startWriting(ctx, pending)
}

/** The time of a use that is recorded but not written yet. */
export const findPendingUse = (ctx: Context, table: UsedTable, id: string): Instant | undefined =>
  pendingByContext.get(ctx)?.uses.get(keyOf(table, id))?.at

/** Tries to write the pending uses; never fails. */
export async function flushUses(ctx: Context): Promise<void> {
  const pending = pendingOf(ctx)
  await pending.writing
  await startWriting(ctx, pending)
}

function pendingOf(ctx: Context): PendingUses {
  const known = pendingByContext.get(ctx)
  if (known) return known
  const pending: PendingUses = { uses: new Map(), writing: undefined, hasFailed: false }
  pendingByContext.set(ctx, pending)
  return pending
}

const keyOf = (table: UsedTable, id: string): string => `${table} ${id}`

function startWriting(ctx: Context, pending: PendingUses): Promise<void> {
  pending.writing ??= runForService(() => writeUses(ctx, pending)).finally(() => {
    pending.writing = undefined
  })
  return pending.writing
}

async function writeUses(ctx: Context, pending: PendingUses): Promise<void> {
  try {
    await writeBatches(ctx, pending.uses)
    pending.hasFailed = false
  } catch {
    if (!pending.hasFailed) ctx.log.warn('the last use of credentials cannot be written just now')
    pending.hasFailed = true
  }
}

async function writeBatches(ctx: Context, uses: PendingUses['uses']): Promise<void> {
  while (uses.size > 0) {
    // Sorted, so that two nodes lock rows in the same order and cannot deadlock.
    const batch = [...uses].slice(0, MAX_PER_TRANSACTION).sort(([a], [b]) => (a < b ? -1 : 1))
    await inTransaction(ctx.storage, async (db) => {
      for (const [, use] of batch) await writeUse(db, use)
    })
    for (const [key, use] of batch) if (uses.get(key) === use) uses.delete(key)
  }
}

const writeUse = (db: Db, { table, id, at }: CredentialUse): Promise<void> => {
  if (table === 'sessions') return touchSession(db, id, at)
  return table === 'feed_links' ? touchFeedLink(db, id, at) : touchCredential(db, table, id, at)
}
