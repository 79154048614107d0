// Writes planned rewinds in transactions; texts are prepared before, and it yields between events.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { AppError, describeKind } from '../../errors.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inLongTransaction } from '../../storage/engine/transaction.ts'
import type { IndexSpan } from '../../storage/events/calendar.ts'
import { findWholeEventRow } from '../../storage/events/events.ts'
import { lockEventHead } from '../../storage/events/objects.ts'
import { deleteEvent } from '../../storage/history/delete-event.ts'
import { findTrash } from '../../storage/history/trash.ts'
import { findVersion } from '../../storage/history/versions.ts'
import type { Db, EventRow, TrashRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { settleRequest } from '../access/idempotency.ts'
import { OUTDATED, retryOutdated, runYielding, unlessOutdated } from '../costly-work/costly-writes.ts'
import type { Texts } from '../events/event-texts.ts'
import { readCurrentSpan } from '../events/index-span.ts'
import { sourceOf } from './change-source.ts'
import { deletionBy } from './deletion.ts'
import type { PlannedRewind, RewindReason } from './plan-rewind.ts'
import { restoredInSteps, writeRestored } from './restore-version.ts'
import { insertKept, keptInSteps } from './trash.ts'

export interface RewindJob {
  ctx: Context
  author: Actor
  /** Everything is written as after this, so that rewinding to it undoes all of it. */
  startedAt: Instant
  pause: () => Promise<void> | undefined
  /** Called when the result of an event is certain. */
  note: (entry: PlannedRewind, reason: RewindReason | undefined) => void
  /** The request that holds the idempotency key. */
  keyHolder: string | undefined
}

/** Rows besides events that are written in one transaction, so that other writers do not wait long for it. */
const MAX_ROWS = 5_000

/** Deleting an event may delete as many. */
const DELETED_ROWS = 250

export async function applyRewind(job: RewindJob, batch: readonly PlannedRewind[]): Promise<void> {
  const span = await readCurrentSpan(job.ctx)
  let group: PreparedRewind[] = []
  let rows = 0
  for (const entry of batch) {
    const prepared = await prepare(job, entry, span)
    group.push(prepared)
    rows += prepared.rows
    await job.pause()
    if (rows <= MAX_ROWS) continue
    await writeGroup(job, group)
    group = []
    rows = 0
  }
  await writeGroup(job, group)
}

/** Prepares as the rewind does and writes nothing: says which events the rewind would skip. */
export async function foreseeRewind(job: RewindJob, batch: readonly PlannedRewind[]): Promise<void> {
  const span = await readCurrentSpan(job.ctx)
  for (const entry of batch) {
    job.note(entry, (await prepare(job, entry, span)).reason)
    await job.pause()
  }
}

interface PreparedRewind {
  entry: PlannedRewind
  rows: number
  /** Why it cannot be written. */
  reason?: RewindReason
  /** Whether the event is as it was when this was prepared. */
  isCurrent?: (found: FoundEvent) => boolean
  write?: (db: Db, found: FoundEvent) => Promise<unknown>
}

/** The event as the transaction has locked it. */
type FoundEvent = Pick<EventRow, 'key' | 'dav_name' | 'version' | 'revision'> | undefined

/** All in one transaction; if that fails, each in its own. */
async function writeGroup(job: RewindJob, group: readonly PreparedRewind[]): Promise<void> {
  const reasons = group.length === 0 ? [] : await tryTogether(job, group)
  for (const [i, { entry }] of group.entries())
    job.note(entry, reasons === undefined ? await writeAlone(job, entry) : reasons[i])
}

/** Undefined where one of them cannot be written. */
async function tryTogether(
  job: RewindJob,
  group: readonly PreparedRewind[],
): Promise<(RewindReason | undefined)[] | undefined> {
  try {
    const reasons = await unlessOutdated(() => writeTogether(job, group))
    return reasons === OUTDATED ? undefined : reasons
  } catch (error) {
    if (endsRewind(error)) throw error
    return undefined
  }
}

/** Errors of the whole rewind: the database is unavailable, or its author may not write any more. */
const endsRewind = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'storage_unavailable' || error.status === 401 || error.status === 403)

async function writeAlone(job: RewindJob, entry: PlannedRewind): Promise<RewindReason | undefined> {
  try {
    return await retryOutdated(async () => {
      const prepared = await prepare(job, entry, await readCurrentSpan(job.ctx))
      const [reason] = await writeTogether(job, [prepared])
      return reason
    })
  } catch (error) {
    if (endsRewind(error)) throw error
    if (error instanceof AppError && error.code === 'uid_conflict') return 'uid_conflict'
    job.ctx.log.error('an event could not be rewound', { event_id: entry.id, ...describeKind(error) })
    return 'not_stored'
  }
}

/** Locks the events first, in the order of their keys, and the counter with the first that is written. */
function writeTogether(
  { ctx, author, keyHolder }: RewindJob,
  group: readonly PreparedRewind[],
): Promise<(RewindReason | undefined)[]> {
  return inLongTransaction(ctx.storage, async (db) => {
    await requireActor(ctx, db, author, 'administer', 'write', 'read_full')
    await settleRequest(db, author, keyHolder)
    const found = new Map<string, FoundEvent>()
    for (const { entry } of group)
      if (entry.action !== 'restore') found.set(entry.id, await lockEventHead(db, entry.id))
    const reasons: (RewindReason | undefined)[] = []
    for (const { entry, reason, isCurrent, write } of group) {
      const head = found.get(entry.id)
      const isSame = entry.action === 'restore' || head?.version === entry.from
      if (reason || !isSame || isCurrent?.(head) === false) reasons.push(reason ?? 'changed_meanwhile')
      else reasons.push((await write?.(db, head)) === false ? 'changed_meanwhile' : undefined)
      // Statements with a long text take some 10 ms each on SQLite.
      await yieldToEventLoop()
    }
    return reasons
  })
}

async function prepare(job: RewindJob, entry: PlannedRewind, span: IndexSpan): Promise<PreparedRewind> {
  try {
    if (entry.action === 'delete') return prepareDeletion(job, entry)
    return await (entry.action === 'change' ? prepareChange(job, entry, span) : prepareRestoration(job, entry, span))
  } catch (error) {
    job.ctx.log.error('an earlier version of an event could not be read', {
      event_id: entry.id,
      ...describeKind(error),
    })
    return { entry, rows: 0, reason: 'not_stored' }
  }
}

function prepareDeletion({ ctx, author, startedAt }: RewindJob, entry: PlannedRewind): PreparedRewind {
  const write = async (db: Db, found: FoundEvent): Promise<void> => {
    const now = Math.max(ctx.clock(), startedAt + 1)
    await deleteEvent(db, found!, now, deletionBy(ctx, author, now))
  }
  return { entry, rows: DELETED_ROWS, write }
}

async function prepareChange(
  { ctx, author, startedAt }: RewindJob,
  entry: PlannedRewind,
  span: IndexSpan,
): Promise<PreparedRewind> {
  const { reads } = ctx.storage
  const row = await findWholeEventRow(reads, entry.id, false)
  if (row?.version !== entry.from) return { entry, rows: 0, reason: 'changed_meanwhile' }
  const found = await findVersion(reads, entry.key, entry.to!)
  if (!found) return { entry, rows: 0, reason: 'not_kept' }
  const restored = await runYielding(restoredInSteps(ctx, row, found, span, startedAt + 1))
  const source = sourceOf(ctx, author, 'rewind')
  return {
    entry,
    rows: restored ? rowsOf(restored.texts) : 0,
    // A name may have been changed without a new version.
    isCurrent: (head) => head?.revision === row.revision,
    write: async (db) => restored && writeRestored(db, row, { ...restored, span, source }),
  }
}

async function prepareRestoration(
  { ctx, author, startedAt }: RewindJob,
  entry: PlannedRewind,
  span: IndexSpan,
): Promise<PreparedRewind> {
  const { reads } = ctx.storage
  const kept = await findTrash(reads, entry.id, false)
  if (kept?.version !== entry.from) return { entry, rows: 0, reason: 'changed_meanwhile' }
  const version = await findKeptVersion(reads, kept, entry)
  if (!version) return { entry, rows: 0, reason: 'not_kept' }
  const updatedAt = Math.max(ctx.clock(), kept.updated_at, startedAt + 1)
  const texts = await runYielding(keptInSteps(ctx, kept, version, span, updatedAt))
  const source = sourceOf(ctx, author, 'rewind')
  return {
    entry,
    rows: rowsOf(texts),
    write: async (db) => {
      const current = await findTrash(db, entry.id, true)
      // Restored meanwhile.
      if (current?.version !== kept.version) return false
      return insertKept(ctx, db, kept, { source, updatedAt, texts, span, sent: version.sent_ical })
    },
  }
}

const findKeptVersion = async (db: Db, kept: TrashRow, { key, to }: PlannedRewind) =>
  to === kept.version ? kept : findVersion(db, key, to!)

const rowsOf = ({ derived }: Texts): number =>
  derived.occurrences.length + derived.exceptions.length + derived.words.length
