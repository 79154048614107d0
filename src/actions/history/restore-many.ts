// Restores many deleted events of the trash at once, each in its own transaction, and audits it.
import type { Context } from '../../context.ts'
import { type Actor, actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { formatUtc } from '../../domain/time/text.ts'
import { AppError, describeKind } from '../../errors.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { type SelectedTrash, selectTrash, type TrashPosition } from '../../storage/history/trash.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { runCostlyRead } from '../access/reader-guard.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import { filtersOf, type RestoreOneOptions, restoreFromTrash, type TrashSelection } from './trash.ts'

export type { TrashPosition }

export interface RestoreManyOptions {
  isDryRun: boolean
  /** The entry that an earlier request ended with. */
  after?: TrashPosition | undefined
  /** How many events at most. */
  limit: number
  requestId: string
  /** The same, where it holds an idempotency key. */
  keyHolder?: string | undefined
  caller?: Caller
  /** Ends the restoration before the next event; what was restored stays, and is audited. */
  signal?: AbortSignal
}

export type RestoreResult = 'restored' | 'uid_conflict' | 'not_found' | 'not_stored'

export interface RestoredEvent extends Pick<SelectedTrash, 'event_id' | 'uid' | 'title'> {
  result: RestoreResult
}

export interface RestoreSummary {
  selected: number
  events: RestoredEvent[]
  /** Where the next request goes on; undefined at the end. */
  next: TrashPosition | undefined
}

/** The last deleted first: of two with the same UID, the later one is restored. */
export async function restoreMany(
  ctx: Context,
  viewer: Viewer,
  selection: TrashSelection,
  { isDryRun, after, limit, requestId, keyHolder, caller = SERVICE_CALLER, signal }: RestoreManyOptions,
): Promise<RestoreSummary> {
  requireAccess(viewer, 'write', 'read_full')
  const filters = { ...filtersOf(ctx, selection), after }
  const { entries, total } = await runCostlyRead(ctx, viewer, caller, (db) => selectTrash(db, filters, limit))
  const last = entries.at(-1)
  const summary: RestoreSummary = { selected: total, events: [], next: total > entries.length ? last : undefined }
  if (isDryRun) {
    summary.events = foresee(entries)
    return summary
  }
  const timer = createSliceTimer()
  try {
    for (const { event_id, uid, title } of entries) {
      signal?.throwIfAborted()
      const result = await restoreOne(ctx, viewer, event_id, { caller, keyHolder })
      summary.events.push({ event_id, uid, title, result })
      await timer.pause()
    }
  } finally {
    caller.charge(Math.min(timer.workedMs(), MAX_CHARGED_MS))
    if (summary.events.length > 0) await recordRestoration(ctx, viewer, selection, summary.events, requestId)
  }
  return summary
}

/** A restoration of many may need several requests, and other requests follow it: charged in part only. */
const MAX_CHARGED_MS = 300

function foresee(entries: readonly SelectedTrash[]): RestoredEvent[] {
  const uids = new Set<string>()
  return entries.map(({ event_id, uid, title, is_taken }) => {
    const isTaken = is_taken === 1 || uids.has(uid)
    uids.add(uid)
    return { event_id, uid, title, result: isTaken ? 'uid_conflict' : 'restored' }
  })
}

/** An error of one event is its result; an error of the whole request ends it. */
async function restoreOne(ctx: Context, viewer: Actor, id: string, options: RestoreOneOptions): Promise<RestoreResult> {
  try {
    await restoreFromTrash(ctx, viewer, id, options)
    return 'restored'
  } catch (error) {
    if (!(error instanceof AppError)) {
      // Such as a text that cannot be read: the others are restored all the same.
      ctx.log.error('a deleted event could not be restored', { event_id: id, ...describeKind(error) })
      return 'not_stored'
    }
    if (error.code === 'uid_conflict') return 'uid_conflict'
    if (error.code === 'event_not_found') return 'not_found'
    if (error.code === 'service_unavailable' || error.code === 'version_mismatch') return 'not_stored'
    throw error
  }
}

export function countResults(events: readonly RestoredEvent[]): Record<RestoreResult, number> {
  const counts = { restored: 0, uid_conflict: 0, not_found: 0, not_stored: 0 }
  for (const { result } of events) counts[result] += 1
  return counts
}

async function recordRestoration(
  ctx: Context,
  author: Actor,
  { by, with: proof, credentialId, since, until, ids }: TrashSelection,
  events: readonly RestoredEvent[],
  requestId: string,
): Promise<void> {
  const detail = {
    ...countResults(events),
    ...(proof === undefined ? {} : { deleted_with: proof }),
    ...(credentialId === undefined ? {} : { credential_id: credentialId }),
    ...(since === undefined ? {} : { since: formatUtc(since) }),
    ...(until === undefined ? {} : { until: formatUtc(until) }),
    ...(ids === undefined ? {} : { event_ids: ids.length }),
  }
  const entry = {
    action: 'trash_restored',
    actorId: actorIdOf(author),
    subjectId: by ?? null,
    requestId,
    detail,
  } as const
  await inTransaction(ctx.storage, (db) => insertAudit(db, entry, ctx.clock()))
}
