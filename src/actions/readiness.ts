// Readiness: whether this node can serve, as named checks, each with a reason when it fails.
import type { Context } from '../context.ts'
import type { FailureReason } from '../storage/health/failure.ts'
import { checkWrites } from '../storage/health/storage-health.ts'
import { isMigrated } from '../storage/migrate.ts'

export type ReadinessReason = 'stopping' | 'schema_outdated' | FailureReason

/** Other states may be added for work in progress; only `failing` makes the node not ready. */
export interface ReadinessCheck {
  status: 'ok' | 'failing'
  reason?: ReadinessReason
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
  const checks: Readiness['checks'] = {
    process: isStopping ? failing('stopping') : OK,
    database: await checkDatabase(ctx),
    writes: await checkWriting(ctx),
  }
  const reason = Object.values(checks).find(({ status }) => status === 'failing')?.reason
  return { status: reason ? 'not_ready' : 'ready', ...(reason && { reason }), checks }
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
