// The trash: lists deleted events, restores one with the text it had, and empties it.
import type { Context } from '../../context.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { fail } from '../../errors.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inLongTransaction, inTransaction } from '../../storage/engine/transaction.ts'
import { insertEvent, keyOfId } from '../../storage/events/events.ts'
import { findObjectHead } from '../../storage/events/objects.ts'
import { deleteTrash, findTrash, type ListedTrash, listTrash, purgeTrash } from '../../storage/history/trash.ts'
import { insertAudit } from '../../storage/operations/audit.ts'
import { PURGE_ROWS } from '../../storage/operations/purge.ts'
import type { Db, EventRow, TrashRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { runCostlyRead } from '../access/reader-guard.ts'
import { isCostlyText, requireSpan, retryOutdated, runYielding, withWritePermit } from '../costly-work/costly-writes.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import { viewWritten } from '../events/change-event.ts'
import { openText, type Texts, textsInSteps, withStoredVisibility } from '../events/event-texts.ts'
import { readCurrentSpan } from '../events/index-span.ts'
import type { PageRequest } from '../events/list-events.ts'

export type { ListedTrash }

/** Entries from before are due to be purged, and not shown. */
const oldestOf = (ctx: Context): Instant => ctx.clock() - ctx.config.trashDays * DAY_MS

export interface TrashPage {
  entries: ListedTrash[]
  total: number
}

export function readTrash(
  ctx: Context,
  viewer: Viewer,
  { page, perPage }: PageRequest,
  caller: Caller = SERVICE_CALLER,
): Promise<TrashPage> {
  requireAccess(viewer, 'write')
  requireAccess(viewer, 'read_full')
  const range = { offset: (page - 1) * perPage, limit: perPage }
  return runCostlyRead(ctx, viewer, caller, (db) => listTrash(db, oldestOf(ctx), range))
}

/** Stores the event again: the same id, UID, name and texts, as its next version. */
export async function restoreFromTrash(
  ctx: Context,
  viewer: Viewer,
  id: string,
  caller: Caller = SERVICE_CALLER,
): Promise<ShownEvent | undefined> {
  requireAccess(viewer, 'write')
  requireAccess(viewer, 'read_full')
  const found = await findKept(ctx, ctx.storage.reads, id, false)
  const attempt = async (): Promise<ShownEvent | undefined> => {
    const kept = await findKept(ctx, ctx.storage.reads, id, false)
    const span = await readCurrentSpan(ctx)
    const updatedAt = Math.max(ctx.clock(), kept.updated_at)
    const texts = await runYielding(textsOf(ctx, kept, span, updatedAt))
    // Its rows may be many, and it is too rare to share a commit.
    return inLongTransaction(ctx.storage, async (db) => {
      const by = await requireActor(ctx, db, viewer, 'write', 'read_full')
      const current = await findKept(ctx, db, id, true)
      // Restored and deleted again meanwhile.
      if (current.version !== kept.version) fail('service_unavailable')
      const written = await insertKept(db, kept, { by, updatedAt, texts, span })
      await deleteTrash(db, id)
      return viewWritten(ctx, db, viewer, written)
    })
  }
  return isCostlyText(found.ical) ? withWritePermit(ctx, caller, () => retryOutdated(attempt)) : retryOutdated(attempt)
}

async function findKept(ctx: Context, db: Db, id: string, isHeld: boolean): Promise<TrashRow> {
  // PostgreSQL cannot search for every character.
  if (keyOfId(id) === undefined) fail('event_not_found')
  const row = await findTrash(db, id, isHeld)
  return row && row.deleted_at >= oldestOf(ctx) ? row : fail('event_not_found')
}

function* textsOf(ctx: Context, { event_id: id, ...kept }: TrashRow, span: Range, updatedAt: Instant): Steps<Texts> {
  const opened = withStoredVisibility(yield* openText(kept.ical, ctx.config.timezone), kept)
  yield
  return yield* textsInSteps(ctx, kept.ical, opened, span, { id, updated_at: updatedAt, mask_epoch: kept.mask_epoch })
}

interface Restoring {
  by: string | null
  updatedAt: Instant
  texts: Texts
  span: Range
}

async function insertKept(db: Db, kept: TrashRow, { by, updatedAt, texts, span }: Restoring): Promise<EventRow> {
  const { derived, ...columns } = texts
  const id = kept.event_id
  // Another event may have taken the name; clients find this one by its UID.
  const isFree = !(await findObjectHead(db, kept.dav_name))
  const record = {
    id,
    created_at: kept.created_at,
    updated_at: updatedAt,
    created_by: kept.created_by,
    updated_by: by,
    version: kept.version + 1,
    ...columns,
    dav_name: isFree ? kept.dav_name : `${id}.ics`,
    sent_ical: kept.sent_ical,
  }
  const { revision, span: current } = await insertEvent(db, record, derived)
  requireSpan(current, span)
  return { key: keyOfId(id)!, ...derived.columns, ...record, revision }
}

/** Deletes for good, in batches; returns how many. */
export async function emptyTrash(ctx: Context, viewer: Viewer, requestId: string): Promise<number> {
  requireAccess(viewer, 'administer')
  const until = ctx.clock() + 1
  let count = 0
  for (;;) {
    const deleted = await inLongTransaction(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer, 'administer')
      return purgeTrash(db, until)
    })
    count += deleted
    if (deleted < PURGE_ROWS) break
    await yieldToEventLoop()
  }
  const entry = { action: 'trash_emptied', actorId: actorIdOf(viewer), subjectId: null, requestId } as const
  await inTransaction(ctx.storage, (db) => insertAudit(db, { ...entry, detail: { count } }, ctx.clock()))
  return count
}
