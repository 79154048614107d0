// Reads the settings that administrators have changed and applies them on this node.
import { withStoredSettings } from '../../config.ts'
import type { Context } from '../../context.ts'
import { MINUTE_MS } from '../../domain/time/instant.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { raiseAccountsRevision, raiseRevision } from '../../storage/events/calendar.ts'
import { readSettings } from '../../storage/operations/settings.ts'
import { followZoneData, reindexChangedSince } from '../maintenance/reindex.ts'

const running = new WeakMap<Context, Promise<unknown>>()

/** Applies settings that were changed here or on another node, one call after the other; returns their version. */
export function refreshSettings(ctx: Context): Promise<number> {
  const next = Promise.resolve(running.get(ctx)).then(() => applyStored(ctx))
  running.set(
    ctx,
    next.catch(() => {}),
  )
  return next
}

async function applyStored(ctx: Context): Promise<number> {
  const { version, settings } = await readSettings(ctx.storage.reads)
  const before = ctx.config
  const config = withStoredSettings(before, settings)
  if (config === before) return version
  ctx.config = config
  try {
    await inTransaction(ctx.storage, async (db) => {
      // Responses that this node has built with the old settings are no longer current, here and in other caches.
      if (config.requireVerifiedEmail !== before.requireVerifiedEmail) await raiseAccountsRevision(db)
      await raiseRevision(db)
    })
  } catch (error) {
    ctx.config = before
    throw error
  }
  return version
}

/** How long a request may wait; housekeeping does the rest. */
const MAX_WAIT_MS = 2_000

/** Also derives again what depends on the calendar's time zone. If either step fails, a job repeats it soon. */
export async function applySettings(ctx: Context): Promise<void> {
  try {
    await refreshSettings(ctx)
    await followZoneData(ctx, process.versions.tz ?? '', { signal: AbortSignal.timeout(MAX_WAIT_MS) })
  } catch {
    ctx.log.warn('settings were stored but not applied; it is tried again soon')
  }
}

/** Longer than a node takes to notice a change. */
const UNNOTICED_MS = MINUTE_MS

/**
 * For changes made on another node. Until this node has noticed another time zone, it derived events that it wrote for
 * the old one, perhaps after the other node had derived all of them again.
 */
export function createSettingsFollower(ctx: Context): () => Promise<void> {
  let { timezone } = ctx.config
  return async () => {
    await refreshSettings(ctx)
    const current = ctx.config.timezone
    if (current === timezone) return
    await reindexChangedSince(ctx, ctx.clock() - UNNOTICED_MS)
    timezone = current
  }
}
