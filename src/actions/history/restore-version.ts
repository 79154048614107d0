// Restores an earlier version of an event: its text becomes the next version, byte for byte.
import type { Context } from '../../context.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import type { Steps } from '../../domain/steps.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { fail } from '../../errors.ts'
import type { OpenObject } from '../../ical/encode.ts'
import { inLongTransaction } from '../../storage/engine/transaction.ts'
import { type IndexSpan, readIndexSpan } from '../../storage/events/calendar.ts'
import { findWholeEventRow } from '../../storage/events/events.ts'
import { lockEventHead } from '../../storage/events/objects.ts'
import { type FoundVersion, findVersion } from '../../storage/history/versions.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { requireActor } from '../access/actor-guard.ts'
import { settleRequest } from '../access/idempotency.ts'
import {
  isCostlyText,
  prepareWrite,
  requireCurrent,
  retryOutdated,
  withWritePermit,
} from '../costly-work/costly-writes.ts'
import { type Caller, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import { requireExpected, viewWritten } from '../events/change-event.ts'
import { openText, type Texts, textsInSteps, withStoredVisibility } from '../events/event-texts.ts'
import { readCurrentSpan } from '../events/index-span.ts'
import { epochAfter } from '../events/public-text.ts'
import { writeEvent } from '../events/write-event.ts'
import { type ChangeSource, sourceOf } from './change-source.ts'
import { oldestOf } from './versions.ts'

export interface RestoreVersionOptions {
  caller?: Caller
  /** The request that holds the idempotency key. */
  keyHolder?: string | undefined
}

export async function restoreVersion(
  ctx: Context,
  viewer: Viewer,
  id: string,
  version: number,
  expected: Precondition,
  { caller = SERVICE_CALLER, keyHolder }: RestoreVersionOptions = {},
): Promise<ShownEvent | undefined> {
  requireAccess(viewer, 'write', 'read_full')
  const { reads } = ctx.storage
  const attempt = async (): Promise<ShownEvent | undefined> => {
    const row = (await findWholeEventRow(reads, id, false)) ?? fail('event_not_found')
    const isCurrent = version === row.version
    const found = isCurrent ? undefined : await requireVersion(ctx, reads, row, version)
    const span = await readCurrentSpan(ctx)
    const prepared = await prepareWrite(row, span, restoredInSteps(ctx, row, found, span))
    return inLongTransaction(ctx.storage, async (db) => {
      await requireActor(ctx, db, viewer, 'write', 'read_full')
      await settleRequest(db, viewer, keyHolder)
      const head = requireExpected(ctx, viewer, await lockEventHead(db, id), expected)
      const restored = requireCurrent(prepared, head, await readIndexSpan(db)).finish()
      const written = restored
        ? await writeRestored(db, row, { ...restored, span, source: sourceOf(ctx, viewer, 'restore') })
        : row
      return viewWritten(ctx, db, viewer, written)
    })
  }
  const row = (await findWholeEventRow(reads, id, false)) ?? fail('event_not_found')
  const isCostly = isCostlyText(row.ical) || isCostlyText((await findVersion(reads, row.key, version))?.ical ?? '')
  return isCostly ? withWritePermit(ctx, caller, () => retryOutdated(attempt)) : retryOutdated(attempt)
}

async function requireVersion(ctx: Context, db: Db, row: EventRow, version: number): Promise<FoundVersion> {
  const found = await findVersion(db, row.key, version)
  return found && found.ended_at >= oldestOf(ctx) ? found : fail('version_not_found')
}

export interface RestoredTexts {
  texts: Texts
  /** The text that a calendar program sent. */
  sent: string | null
  at: Instant
}

/** Undefined where the event already has these texts. */
export function* restoredInSteps(
  ctx: Context,
  row: EventRow,
  found: Pick<FoundVersion, 'ical' | 'sent_ical' | 'visibility'> | undefined,
  span: IndexSpan,
  notBefore: Instant = 0,
): Steps<RestoredTexts | undefined> {
  if (!found) return undefined
  const { ical, sent_ical: sent, visibility } = found
  if (ical === row.ical && sent === row.sent_ical && visibility === row.visibility) return undefined
  const opened = yield* openFound(ctx, found)
  yield
  const at = Math.max(ctx.clock(), row.updated_at, notBefore)
  const known = { id: row.id, updated_at: at, mask_epoch: epochAfter(row, opened.series.visibility) }
  return { texts: yield* textsInSteps(ctx, ical, opened, span, known), sent, at }
}

/** A text that an older version stored may be one that this version cannot read. */
function* openFound(ctx: Context, found: Pick<FoundVersion, 'ical' | 'visibility'>): Steps<OpenObject> {
  try {
    return withStoredVisibility(yield* openText(found.ical, ctx.config.timezone), found)
  } catch {
    return fail('version_not_found')
  }
}

export interface RestoredWrite extends RestoredTexts {
  span: IndexSpan
  source: ChangeSource
}

export function writeRestored(db: Db, before: EventRow, restored: RestoredWrite): Promise<EventRow> {
  const { texts, sent: text, at, span, source } = restored
  const sent = text === null ? undefined : { name: before.dav_name, text }
  return writeEvent(db, { id: before.id, source, at, texts, span, before, sent })
}
