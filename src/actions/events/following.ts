// Deletes or changes an occurrence and all later ones; the series stays one event.
import type { Context } from '../../context.ts'
import type { Series } from '../../domain/calendar/event.ts'
import { withoutUnchanged } from '../../domain/calendar/following/as-read.ts'
import { deleteFollowing } from '../../domain/calendar/following/delete-following.ts'
import { type FollowingPatch, patchFollowing } from '../../domain/calendar/following/patch-following.ts'
import { checkPatch } from '../../domain/calendar/update.ts'
import type { ShownEvent } from '../../domain/privacy/mask.ts'
import { requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { inOneStep } from '../../domain/steps.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { isCostlyFields } from '../costly-work/costly-writes.ts'
import { changeSeries, type SentBackCheck, type SeriesWriteResult, viewWritten } from './change-event.ts'
import { checkableOf, defaultsOf } from './events.ts'
import type { ShownOccurrence } from './masked-reads.ts'
import { type OccurrenceTarget, readKey, requireOccurrence, showEdited } from './occurrences.ts'

/** The whole event is deleted, into the trash, where no occurrence is left. */
export async function deleteFollowingOccurrences(
  ctx: Context,
  viewer: Viewer,
  { keyText, ...target }: OccurrenceTarget,
): Promise<SeriesWriteResult<ShownEvent | undefined>> {
  const key = readKey(keyText)
  requireAccess(viewer, 'write')
  let isEmpty: boolean | undefined
  const change = (series: Series) =>
    inOneStep(() => {
      const update = deleteFollowing(series, requireOccurrence(series, key))
      isEmpty = update.isEmpty
      return update
    })
  const show = async (db: Db, written: EventRow) => (isEmpty ? undefined : viewWritten(ctx, db, viewer, written))
  return changeSeries(ctx, viewer, { ...target, change, show })
}

export interface SentFollowing {
  patch: FollowingPatch
  /** It is an occurrence as read, of which the client has edited a part. */
  isAsRead: boolean
}

export async function patchFollowingOccurrences(
  ctx: Context,
  viewer: Viewer,
  { keyText, ...target }: OccurrenceTarget,
  { patch, isAsRead }: SentFollowing,
  checkSentBack?: SentBackCheck<ShownOccurrence>,
): Promise<SeriesWriteResult<ShownEvent | undefined>> {
  const key = readKey(keyText)
  requireAccess(viewer, 'write')
  const check = () => inOneStep(() => checkPatch(checkableOf(viewer, patch)))
  const change = (series: Series) => {
    const from = requireOccurrence(series, key)
    const meant = isAsRead ? withoutUnchanged(series, from, patch, defaultsOf(ctx)) : patch
    return patchFollowing(series, from, meant, defaultsOf(ctx))
  }
  const show = (db: Db, written: EventRow) => viewWritten(ctx, db, viewer, written)
  const isCostly = isCostlyFields(patch)
  const verify = checkSentBack && (async (db: Db) => checkSentBack(await showEdited(ctx, db, viewer, target.id, key)))
  return changeSeries(ctx, viewer, { ...target, verify, change, show, check, isCostly })
}
