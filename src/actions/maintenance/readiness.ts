// Readiness: whether this node can serve, as named checks, each with a reason when it fails.
import type { Context } from '../../context.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { isMigrated } from '../../storage/engine/migrate.ts'
import { checkWrites } from '../../storage/health/check-writes.ts'
import { classifyFailure, type FailureReason } from '../../storage/health/failure.ts'
import { withinCheckTime } from '../../storage/health/storage-health.ts'
import { type IndexProgress, readMaintenance } from './maintenance-state.ts'

export type ReadinessReason = 'stopping' | 'schema_outdated' | FailureReason

/** More states may be added for work in progress; only `failing` makes the node not ready. */
export interface ReadinessCheck {
  status: 'ok' | 'failing' | 'rebuilding' | 'degraded'
  reason?: ReadinessReason
  /** Index work in progress, in percent: the number of events is not public. */
  work?: IndexProgress['work']
  done?: number
  total?: number
  /** Stored events whose text cannot be read. */
  unreadable_events?: number
  /** Housekeeping waits until the clock is confirmed. */
  clock?: 'ahead' | 'behind'
  /** The last scheduled backup failed. */
  backup?: 'failing'
}

export interface Readiness {
  status: 'ready' | 'not_ready'
  /** The reason of the first failing check. */
  reason?: ReadinessReason
  checks: Record<string, ReadinessCheck>
}

const OK: ReadinessCheck = { status: 'ok' }

/** Every connection is in use, as under load. The database works, and a restart would not help. */
const BUSY: ReadinessCheck = { status: 'degraded', reason: 'busy' }

const failing = (reason: ReadinessReason): ReadinessCheck => ({ status: 'failing', reason })

export async function checkReadiness(ctx: Context, isStopping: boolean): Promise<Readiness> {
  const checks = { process: isStopping ? failing('stopping') : OK, ...(await checkStorage(ctx)) }
  const reason = Object.values(checks).find(({ status }) => status === 'failing')?.reason
  return { status: reason ? 'not_ready' : 'ready', ...(reason && { reason }), checks }
}

const running = new WeakMap<Context, Promise<Readiness['checks']>>()

async function checkStorage(ctx: Context): Promise<Readiness['checks']> {
  const [reading, writes] = await Promise.all([withinCheckTime(shareReadChecks(ctx)), checkWriting(ctx)])
  const { database, ...maintenance } = reading ?? { database: checkOfFailure(ctx) ?? BUSY }
  return { database: database!, writes, ...maintenance }
}

/** Concurrent callers share one check, so polling takes one connection at most. */
function shareReadChecks(ctx: Context): Promise<Readiness['checks']> {
  const known = running.get(ctx)
  if (known) return known
  const checks = runForService(() => checkReading(ctx)).finally(() => running.delete(ctx))
  running.set(ctx, checks)
  return checks
}

async function checkReading(ctx: Context): Promise<Readiness['checks']> {
  const database = await checkDatabase(ctx)
  return { database, ...(database.status === 'ok' ? await checkMaintenance(ctx) : {}) }
}

const checkOfFailure = (ctx: Context): ReadinessCheck | undefined => {
  const reason = ctx.storage.health.failure()
  return reason && failing(reason)
}

function checkOfError(ctx: Context, error: unknown): ReadinessCheck {
  const isBusy = classifyFailure((error as Error).cause)?.reason === 'busy'
  return checkOfFailure(ctx) ?? (isBusy ? BUSY : failing('database_unreachable'))
}

/** The database answers and has the schema that this version needs. */
async function checkDatabase(ctx: Context): Promise<ReadinessCheck> {
  try {
    return (await isMigrated(ctx.storage.reads)) ? OK : failing('schema_outdated')
  } catch (error) {
    return checkOfError(ctx, error)
  }
}

/**
 * Whether the database answers a read and has the schema of this version, however writing fares. A supervisor that
 * restarted a node for failing writes would end its reads too.
 */
export async function canRead(ctx: Context): Promise<boolean> {
  try {
    return await runForService(() => isMigrated(ctx.storage.reads))
  } catch (error) {
    return classifyFailure((error as Error).cause)?.reason === 'busy'
  }
}

/** Writing is tested at most once a second, however often readiness is requested. */
async function checkWriting(ctx: Context): Promise<ReadinessCheck> {
  const reason = await checkWrites(ctx.storage)
  return reason ? failing(reason) : OK
}

/** The node serves as usual meanwhile; none of this makes it not ready. */
async function checkMaintenance(ctx: Context): Promise<Readiness['checks']> {
  try {
    const { index, unreadableEvents, clock, backup: lastBackup } = await readMaintenance(ctx)
    const backup = lastBackup.status
    return {
      index: index ? { status: 'rebuilding', work: index.work, ...percentOf(index) } : OK,
      events: unreadableEvents > 0 ? { status: 'degraded', unreadable_events: unreadableEvents } : OK,
      clock: clock === 'plausible' ? OK : { status: 'degraded', clock },
      ...(backup !== 'off' && { backup: backup === 'failing' ? { status: 'degraded', backup } : OK }),
    }
  } catch (error) {
    return { database: checkOfError(ctx, error) }
  }
}

const percentOf = ({ done, total }: IndexProgress) => ({
  done: total === 0 ? 0 : Math.floor((100 * done) / total),
  total: 100,
})
