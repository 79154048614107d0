// The trash: lists deleted events, restores one with the text it had, and empties it.
import type { Context } from '../../context.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { type Actor, actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import { AppError, fail } from '../../errors.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inLongTransaction, inTransaction } from '../../storage/engine/transaction.ts'
import type { IndexSpan } from '../../storage/events/calendar.ts'
import { insertEvent, keyOfId } from '../../storage/events/events.ts'
import { findObjectHead, lockEventHead } from '../../storage/events/objects.ts'
import { deleteEvent } from '../../storage/history/delete-event.ts'
import { isFull, purgeTrash } from '../../storage/history/purge-history.ts'
import {
  deleteTrash,
  findLiveIdByUid,
  findTrash,
  findTrashByUid,
  type ListedTrash,
  listTrash,
  listTrashByUid,
  type TrashFilters,
} from '../../storage/history/trash.ts'
import { insertVersionFromTrash } from '../../storage/history/versions.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import type { Db, EventRow, TrashRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { settleRequest } from '../access/idempotency.ts'
import { runCostlyRead } from '../access/reader-guard.ts'
import {
  failOutdated,
  isCostlyText,
  requireSpan,
  retryOutdated,
  runYielding,
  withWritePermit,
} from '../costly-work/costly-writes.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import { viewWritten } from '../events/change-event.ts'
import { openText, type Texts, textsInSteps, withStoredVisibility } from '../events/event-texts.ts'
import { readCurrentSpan } from '../events/index-span.ts'
import { epochAfter } from '../events/public-text.ts'
import type { PageRequest } from '../lists/list-request.ts'
import { type ChangeSource, sourceOf } from './change-source.ts'
import { deletionBy } from './deletion.ts'

export type { ListedTrash }

/** Which deleted events to list or to restore: all that fulfil every condition. */
export type TrashSelection = Omit<TrashFilters, 'since' | 'after'> & { since?: Instant | undefined }

export const filtersOf = (ctx: Context, selection: TrashSelection): TrashFilters => ({
  ...selection,
  since: Math.max(oldestOf(ctx), selection.since ?? 0),
})

/** Entries from before are due to be purged, and not shown. */
export const oldestOf = (ctx: Context): Instant => ctx.clock() - ctx.config.trashDays * DAY_MS

export interface TrashPage {
  entries: ListedTrash[]
  total: number
}

export function readTrash(
  ctx: Context,
  viewer: Viewer,
  selection: TrashSelection,
  { page, perPage }: PageRequest,
  caller: Caller = SERVICE_CALLER,
): Promise<TrashPage> {
  requireAccess(viewer, 'write', 'read_full')
  const range = { offset: (page - 1) * perPage, limit: perPage }
  return runCostlyRead(ctx, viewer, caller, (db) => listTrash(db, filtersOf(ctx, selection), range))
}

export interface RestoreOneOptions {
  caller?: Caller
  /** Puts the event that has the UID by now in the trash. */
  replaces?: boolean
  /** The request that holds the idempotency key. */
  keyHolder?: string | undefined
}

/** Stores the event again: the same id, UID, name and texts, as its next version. */
export async function restoreFromTrash(
  ctx: Context,
  viewer: Viewer,
  id: string,
  { caller = SERVICE_CALLER, replaces = false, keyHolder }: RestoreOneOptions = {},
): Promise<ShownEvent | undefined> {
  requireAccess(viewer, 'write', 'read_full')
  const found = await findKept(ctx, ctx.storage.reads, id, false)
  const attempt = async (): Promise<ShownEvent | undefined> => {
    const kept = await findKept(ctx, ctx.storage.reads, id, false)
    const span = await readCurrentSpan(ctx)
    const updatedAt = Math.max(ctx.clock(), kept.updated_at)
    const texts = await runYielding(keptInSteps(ctx, kept, kept, span, updatedAt))
    // Its rows may be many, and it is too rare to share a commit.
    return inLongTransaction(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer, 'write', 'read_full')
      await settleRequest(db, viewer, keyHolder)
      const current = await findKept(ctx, db, id, true)
      // Restored and deleted again meanwhile.
      if (current.version !== kept.version) fail('service_unavailable')
      if (replaces) await deleteSuccessor(ctx, db, viewer, kept.uid)
      const source = sourceOf(ctx, viewer, 'restore')
      const written = await insertKept(ctx, db, kept, { source, updatedAt, texts, span, sent: kept.sent_ical })
      return viewWritten(ctx, db, viewer, written)
    })
  }
  const restore = (): Promise<ShownEvent | undefined> => retryOutdated(attempt)
  // An event with very many rows may have to be deleted.
  const isCostly = replaces || isCostlyText(found.ical)
  try {
    return await (isCostly ? withWritePermit(ctx, caller, restore) : restore())
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'uid_conflict') throw error
    const event_id = await findLiveIdByUid(ctx.storage.reads, found.uid)
    throw event_id === undefined ? error : new AppError('uid_conflict', { details: { event_id } })
  }
}

async function deleteSuccessor(ctx: Context, db: Db, author: Actor, uid: string): Promise<void> {
  const id = await findLiveIdByUid(db, uid)
  const row = id === undefined ? undefined : await lockEventHead(db, id)
  const now = ctx.clock()
  if (row) await deleteEvent(db, row, now, deletionBy(ctx, author, now))
}

async function findKept(ctx: Context, db: Db, id: string, isHeld: boolean): Promise<TrashRow> {
  // PostgreSQL cannot search for every character.
  if (keyOfId(id) === undefined) fail('event_not_found')
  const row = await findTrash(db, id, isHeld)
  return row && row.deleted_at >= oldestOf(ctx) ? row : fail('event_not_found')
}

/** The texts of a deleted event when it is restored as the given version, which may be an earlier one. */
export function* keptInSteps(
  ctx: Context,
  kept: TrashRow,
  version: Pick<TrashRow, 'ical' | 'visibility'>,
  span: IndexSpan,
  updatedAt: Instant,
): Steps<Texts> {
  const opened = withStoredVisibility(yield* openText(version.ical, ctx.config.timezone), version)
  yield
  const epoch = epochAfter(kept, opened.series.visibility)
  const known = { id: kept.event_id, updated_at: updatedAt, mask_epoch: epoch }
  return yield* textsInSteps(ctx, version.ical, opened, span, known)
}

interface Restoring {
  source: ChangeSource
  updatedAt: Instant
  texts: Texts
  span: IndexSpan
  /** The text that a calendar program sent. */
  sent: string | null
}

/** Moves a deleted event out of the trash, as its next version. */
export async function insertKept(ctx: Context, db: Db, kept: TrashRow, restoring: Restoring): Promise<EventRow> {
  const { source, updatedAt, texts, span, sent } = restoring
  const { derived, ...columns } = texts
  const id = kept.event_id
  const record = {
    id,
    created_at: kept.created_at,
    updated_at: updatedAt,
    created_by: kept.created_by,
    updated_by: source.by,
    ...source.means,
    version: kept.version + 1,
    ...columns,
    dav_name: await findFreeName(ctx, db, kept),
    sent_ical: sent,
  }
  const key = keyOfId(id)!
  if (source.keepsBefore) await insertVersionFromTrash(db, key, kept)
  const { revision, span: current } = await insertEvent(db, record, derived).catch(failIfNamed)
  requireSpan(current, span)
  await deleteTrash(db, id)
  return { key, ...derived.columns, ...record, revision }
}

/** Its own, unless another event has taken it: a client may have uploaded one there. Clients find this one by its UID. */
async function findFreeName({ newId }: Context, db: Db, { dav_name: own, event_id: id }: TrashRow): Promise<string> {
  for (const name of [own, `${id}.ics`]) if (!(await findObjectHead(db, name))) return name
  return `${newId()}.ics`
}

/** An upload in another transaction took the name after it was found to be free. */
const failIfNamed = (error: unknown): never => {
  if (error instanceof AppError && error.code === 'version_mismatch') failOutdated()
  throw error
}

/** Deletes for good, in batches; returns how many. */
export async function emptyTrash(ctx: Context, viewer: Viewer, requestId: string): Promise<number> {
  requireAccess(viewer, 'administer', 'write')
  const until = ctx.clock() + 1
  let count = 0
  for (;;) {
    const purged = await inLongTransaction(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer, 'administer', 'write')
      return purgeTrash(db, until)
    })
    count += purged.events
    if (!isFull(purged)) break
    await yieldToEventLoop()
  }
  const entry = { action: 'trash_emptied', actorId: actorIdOf(viewer), subjectId: null, requestId } as const
  await inTransaction(ctx.storage, (db) => insertAudit(db, { ...entry, detail: { count } }, ctx.clock()))
  return count
}

/** The event in the trash that had this UID last; the new event that has it continues that one. */
export const findContinued = (ctx: Context, db: Db, uid: string): Promise<string | undefined> =>
  findTrashByUid(db, uid, oldestOf(ctx))

/** The same for many UIDs. */
export async function listContinued(ctx: Context, db: Db, uids: readonly string[]): Promise<Map<string, string>> {
  const rows = await listTrashByUid(db, uids, oldestOf(ctx))
  return new Map(rows.map(({ uid, event_id }) => [uid, event_id]))
}
