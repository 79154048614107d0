// Records request traces and audit entries in background batches; traces are dropped under load.

import type { Context } from '../../context.ts'
import type { NewAuditEntry } from '../../domain/account/audit.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import type { ErrorCode } from '../../errors.ts'
import { startInterval } from '../../scheduling/interval.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { hasRecentAudit, insertAudit } from '../../storage/operations/audit.ts'
import { insertTraces, listTraces, purgeTraces, type TraceRow } from '../../storage/operations/traces.ts'
import { findTransportProblem, type TransportProblem } from '../access/transport-problem.ts'
import { type Maintenance, readMaintenance } from './maintenance-state.ts'

/** Names, shapes and sizes of one request and its response. Its creator has already left out private values. */
export interface RequestTrace {
  id: string
  at: string
  request_id: string
  node: string
  duration_ms: number
  auth: 'anonymous' | 'session' | 'basic' | 'token'
  user_id: string | null
  client_net: string | null
  request: {
    method: string
    route: string | null
    query: Record<string, string>
    headers: Record<string, string>
    body: Record<string, string> | null
    bytes: number | null
  }
  response: { status: number; error_code: ErrorCode | null; headers: Record<string, string>; bytes: number | null }
  rate_policy: string | null
}

export interface Recorder {
  /** Whether one more trace fits into this second; asked before the work of building it. */
  hasRoom(isFailure: boolean): boolean
  /**
   * Whether a request that the fast path could answer goes through Fastify to be traced, which takes about ten times as
   * long; counts it.
   */
  takesRepeat(): boolean
  trace(trace: RequestTrace, at: Instant): void
  /** Counts a request that was not traced. */
  skip(): void
  /** For entries that must neither slow a request nor reveal by its duration that they were written. */
  audit(entry: NewAuditEntry, at: Instant): void
  /** How many traces were dropped since this node started. */
  skipped(): number
  /** Writes the pending batch; never fails. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const FLUSH_MS = 1_000
const MAX_WAITING = 1_000

interface Batch {
  traces: TraceRow[]
  audits: { entry: NewAuditEntry; at: Instant }[]
}

export function createRecorder(ctx: Context): Recorder {
  const quota = createTraceQuota()
  const write = createWriter(ctx)
  let batch: Batch = { traces: [], audits: [] }
  let skipped = 0
  let writing: Promise<void> = Promise.resolve()

  const writeBatch = async (): Promise<void> => {
    const { traces, audits } = batch
    batch = { traces: [], audits: [] }
    if (traces.length + audits.length === 0 || (await write({ traces, audits }))) return
    skipped += traces.length
    // Audit entries wait until the database is back, as far as memory allows.
    batch.audits = [...audits, ...batch.audits].slice(0, MAX_WAITING)
  }
  const flush = (): Promise<void> => {
    quota.renew()
    // A batch that cannot be written must not stop those after it.
    writing = writing.then(writeBatch).catch(() => {})
    return writing
  }
  const hasRoom = (isFailure: boolean): boolean => batch.traces.length < MAX_WAITING && quota.has(isFailure)
  // The quota is renewed even while the last flush runs.
  const timers = [startInterval(FLUSH_MS, quota.renew), startInterval(FLUSH_MS, flush)]

  return {
    hasRoom,
    takesRepeat: () => hasRoom(false) && quota.takeRepeat(),
    trace(trace, at) {
      quota.take(trace.response.status >= 400)
      batch.traces.push({ at, entry: JSON.stringify(trace) })
    },
    skip() {
      skipped += 1
    },
    audit(entry, at) {
      if (batch.audits.length < MAX_WAITING) batch.audits.push({ entry, at })
      else ctx.log.error('an audit entry was lost', { action: entry.action })
    },
    skipped: () => skipped,
    flush,
    async stop() {
      await Promise.all(timers.map((timer) => timer.stop()))
      await flush()
    },
  }
}

/** Per second. Failures are more useful, so they have room left when successes have none. */
const MAX_SUCCESSES = 100
/** Of successes. More would tell no more: they are what was sent before, and cost a sixth of all processor time. */
const MAX_REPEATS = 10
const MAX_TRACES = 200

function createTraceQuota() {
  let [all, successes, repeats] = [0, 0, 0]
  return {
    has: (isFailure: boolean): boolean => all < MAX_TRACES && (isFailure || successes < MAX_SUCCESSES),
    takeRepeat(): boolean {
      repeats += 1
      return repeats <= MAX_REPEATS
    },
    take(isFailure: boolean): void {
      all += 1
      if (!isFailure) successes += 1
    },
    renew(): void {
      all = 0
      successes = 0
      repeats = 0
    },
  }
}

/** Lower than the number of rows that one purge deletes. */
const PURGE_AFTER = 250

/** Returns whether the batch was written; logs the first of several failures only. */
function createWriter(ctx: Context): (batch: Batch) => Promise<boolean> {
  let sincePurge = 0
  let hasFailed = false
  return async ({ traces, audits }) => {
    const isTimeToPurge = sincePurge + traces.length >= PURGE_AFTER
    try {
      await inTransaction(ctx.storage, async (db) => {
        for (const { entry, at } of audits) await insertAudit(db, entry, at)
        if (traces.length > 0) await insertTraces(db, traces)
        if (isTimeToPurge) await purgeTraces(db, ctx.clock())
      })
      sincePurge = isTimeToPurge ? 0 : sincePurge + traces.length
      hasFailed = false
    } catch {
      if (!hasFailed) ctx.log.warn('traces of requests cannot be written just now and are dropped')
      hasFailed = true
    }
    return !hasFailed
  }
}

const WARNED_MS = 7 * DAY_MS

export interface Diagnostics {
  traces: RequestTrace[]
  skipped: number
  warnings: DiagnosticsWarning[]
  maintenance: Maintenance
}

export type DiagnosticsWarning =
  | 'credentials_in_clear'
  | 'index_rebuilding'
  | 'unreadable_events'
  | 'clock_in_doubt'
  | 'backup_failing'
  | TransportProblem['code']

/** Includes what just happened on this node; other nodes write theirs within a second. */
export async function readDiagnostics(
  ctx: Context,
  viewer: Viewer,
  recorder: Recorder,
  limit: number,
): Promise<Diagnostics> {
  requireAccess(viewer, 'administer')
  await recorder.flush()
  const { reads } = ctx.storage
  const entries = await listTraces(reads, limit)
  const problem = findTransportProblem(ctx.config)
  const isExposed = await hasRecentAudit(reads, 'credentials_in_clear', { now: ctx.clock(), ageMs: WARNED_MS })
  const maintenance = await readMaintenance(ctx)
  const warnings: [DiagnosticsWarning, boolean][] = [
    ['credentials_in_clear', isExposed],
    ['index_rebuilding', maintenance.index !== undefined],
    ['unreadable_events', maintenance.unreadableEvents > 0],
    ['clock_in_doubt', maintenance.clock !== 'plausible'],
    ['backup_failing', maintenance.backup.status === 'failing'],
  ]
  return {
    traces: entries.map((entry) => JSON.parse(entry)),
    skipped: recorder.skipped(),
    warnings: [...warnings.filter(([, isDue]) => isDue).map(([name]) => name), ...(problem ? [problem.code] : [])],
    maintenance,
  }
}
