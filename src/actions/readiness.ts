// Readiness: whether this node can serve, as named checks, each with a reason when it fails.
import type { Context } from '../context.ts'
import type { FailureReason } from '../storage/health/failure.ts'
import { checkWrites } from '../storage/health/storage-health.ts'
import { isMigrated } from '../storage/migrate.ts'
import { type IndexProgress, readMaintenance } from './maintenance.ts'

export type ReadinessReason = 'stopping' | 'schema_outdated' | FailureReason

/** Other states may be added for work in progress; only `failing` makes the node not ready. */
export interface ReadinessCheck {
  status: 'ok' | 'failing' | 'rebuilding' | 'degraded'
  reason?: ReadinessReason
  /** Of index work in progress, in percent: how many events there are is not for everyone. */
  work?: IndexProgress['work']
  done?: number
  total?: number
  /** Stored events whose text cannot be read. */
  unreadable_events?: number
  /** Housekeeping waits until the clock is confirmed. */
  clock?: 'ahead' | 'behind'
}

export interface Readiness {
  status: 'ready' | 'not_ready'
  /** The reason of the first failing check. */
  reason?: ReadinessReason
  checks: Record<string, ReadinessCheck>
}

const OK: ReadinessCheck = { status: 'ok' }

const failing = (reason: ReadinessReason): ReadinessCheck => ({ status: 'failing', reason })

export async function checkReadiness(ctx: Context, isStopping: boolean): Promise<Readiness> {
  const checks = { process: isStopping ? failing('stopping') : OK, ...(await shareChecks(ctx)) }
  const reason = Object.values(checks).find(({ status }) => status === 'failing')?.reason
  return { status: reason ? 'not_ready' : 'ready', ...(reason && { reason }), checks }
}

const running = new WeakMap<Context, Promise<Readiness['checks']>>()

/** Callers that come while the database is asked share the answer: polling costs one connection at most. */
function shareChecks(ctx: Context): Promise<Readiness['checks']> {
  const known = running.get(ctx)
  if (known) return known
  const checks = checkStorage(ctx).finally(() => running.delete(ctx))
  running.set(ctx, checks)
  return checks
}

async function checkStorage(ctx: Context): Promise<Readiness['checks']> {
  const database = await checkDatabase(ctx)
  return {
    database,
    writes: await checkWriting(ctx),
    ...(database.status === 'ok' ? await checkMaintenance(ctx) : {}),
  }
}

/** The database answers and has the schema this program was written for. */
async function checkDatabase(ctx: Context): Promise<ReadinessCheck> {
  try {
    return (await isMigrated(ctx.storage.reads)) ? OK : failing('schema_outdated')
  } catch {
    return failing(ctx.storage.health.failure() ?? 'database_unreachable')
  }
}

/** Writing is tried at most once a second, however often readiness is asked for. */
async function checkWriting(ctx: Context): Promise<ReadinessCheck> {
  const reason = await checkWrites(ctx.storage)
  return reason ? failing(reason) : OK
}

/** A node serves meanwhile as it did before; none of this makes it not ready. */
async function checkMaintenance(ctx: Context): Promise<Readiness['checks']> {
  try {
    const { index, unreadableEvents, clock } = await readMaintenance(ctx)
    return {
      index: index ? { status: 'rebuilding', work: index.work, ...percentOf(index) } : OK,
      events: unreadableEvents > 0 ? { status: 'degraded', unreadable_events: unreadableEvents } : OK,
      clock: clock === 'plausible' ? OK : { status: 'degraded', clock },
    }
  } catch {
    return { database: failing(ctx.storage.health.failure() ?? 'database_unreachable') }
  }
}

const percentOf = ({ done, total }: IndexProgress) => ({
  done: total === 0 ? 0 : Math.floor((100 * done) / total),
  total: 100,
})
