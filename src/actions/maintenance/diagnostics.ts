// What requests leave behind for diagnosis: taken note of in passing, written in batches, and dropped rather than waited for.
import type { Context } from '../../context.ts'
import type { NewAuditEntry } from '../../domain/account/audit.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import type { ErrorCode } from '../../errors.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { hasAuditSince, insertAudit } from '../../storage/operations/audit.ts'
import { insertTraces, listTraces, purgeTraces, type TraceRow } from '../../storage/operations/traces.ts'
import { findTransportProblem, type TransportProblem } from '../access/transport-problem.ts'
import { type Maintenance, readMaintenance } from './maintenance-state.ts'

/** Names, shapes and sizes of one request and its answer. Whoever makes one has already left out what is nobody's business. */
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
  /** Whether one more would be kept in this second; asked before the work of making it. */
  hasRoom(isFailure: boolean): boolean
  trace(trace: RequestTrace, at: Instant): void
  /** Counts one that nobody looked at. */
  skip(): void
  /** For what must neither slow a request nor tell by its time that it was written. */
  audit(entry: NewAuditEntry, at: Instant): void
  /** How many were not kept since this node started. */
  skipped(): number
  /** Writes what is waiting; never fails. */
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
  const room = makeRoom()
  const write = createWriter(ctx)
  let batch: Batch = { traces: [], audits: [] }
  let skipped = 0
  let writing: Promise<void> = Promise.resolve()

  const writeBatch = async (): Promise<void> => {
    const { traces, audits } = batch
    batch = { traces: [], audits: [] }
    if (traces.length + audits.length === 0 || (await write({ traces, audits }))) return
    skipped += traces.length
    // What belongs to the audit trail waits for the database to come back, as far as memory allows.
    batch.audits = [...audits, ...batch.audits].slice(0, MAX_WAITING)
  }
  const flush = (): Promise<void> => {
    room.renew()
    // One batch that cannot be written must not stop those after it.
    writing = writing.then(writeBatch).catch(() => {})
    return writing
  }
  const stopTimer = every(FLUSH_MS, room.renew, flush)

  return {
    hasRoom: (isFailure) => batch.traces.length < MAX_WAITING && room.has(isFailure),
    trace(trace, at) {
      room.take(trace.response.status >= 400)
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
      stopTimer()
      await flush()
    },
  }
}

/** Per second. Failures tell more: they have room left when successes have none. */
const MAX_SUCCESSES = 100
const MAX_TRACES = 200

function makeRoom() {
  let [all, successes] = [0, 0]
  return {
    has: (isFailure: boolean): boolean => all < MAX_TRACES && (isFailure || successes < MAX_SUCCESSES),
    take(isFailure: boolean): void {
      all += 1
      if (!isFailure) successes += 1
    },
    renew(): void {
      all = 0
      successes = 0
    },
  }
}

/** Fewer than one purge deletes. */
const PURGE_AFTER = 250

/** Tells whether it was written; says once in the log that it is not. */
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

/** The second begins anew whether or not the last one is written yet; only one is written at a time. */
function every(ms: number, begin: () => void, flush: () => Promise<void>): () => void {
  let isFlushing = false
  const timer = setInterval(() => {
    begin()
    if (isFlushing) return
    isFlushing = true
    const settle = (): void => {
      isFlushing = false
    }
    flush().then(settle, settle)
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
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
  | TransportProblem['code']

/** What just happened here is in it; what just happened on another node is within a second. */
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
  const isExposed = await hasAuditSince(reads, 'credentials_in_clear', ctx.clock() - WARNED_MS)
  const maintenance = await readMaintenance(ctx)
  const warnings: [DiagnosticsWarning, boolean][] = [
    ['credentials_in_clear', isExposed],
    ['index_rebuilding', maintenance.index !== undefined],
    ['unreadable_events', maintenance.unreadableEvents > 0],
    ['clock_in_doubt', maintenance.clock !== 'plausible'],
  ]
  return {
    traces: entries.map((entry) => JSON.parse(entry)),
    skipped: recorder.skipped(),
    warnings: [...warnings.filter(([, isDue]) => isDue).map(([name]) => name), ...(problem ? [problem.code] : [])],
    maintenance,
  }
}
