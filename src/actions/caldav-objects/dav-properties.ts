// WebDAV properties that CalDAV clients store for one account, such as the calendar's colour.
import type { Context } from '../../context.ts'
import { type Actor, actorIdOf, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'
import {
  type DavProperty,
  listDavProperties,
  removeDavProperty,
  setDavProperty,
} from '../../storage/accounts/dav-properties.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { requireOwner } from '../access/actor-guard.ts'

/** More than any known client needs. */
export const MAX_PROPERTIES = 50

export type OwnProperties = ReadonlyMap<string, DavProperty>

export async function readOwnProperties(ctx: Context, viewer: Viewer): Promise<OwnProperties> {
  requireAccess(viewer, 'read_full')
  return listDavProperties(ctx.storage.reads, idOf(viewer))
}

/** Applies all changes or none; undefined removes a property. */
export async function changeOwnProperties(
  ctx: Context,
  viewer: Viewer,
  changes: ReadonlyMap<string, DavProperty | undefined>,
): Promise<void> {
  requireAccess(viewer, 'read_full')
  const accountViewer = viewer.kind === 'account' ? viewer : fail('authentication_required')
  const { id } = accountViewer.account
  // Checked before anything is written.
  if (
    changes
      .values()
      .filter((property) => property !== undefined)
      .toArray().length > MAX_PROPERTIES
  )
    fail('too_many_properties')
  await inTransaction(ctx.storage, async (db) => {
    // Locks the owner's row, so that two devices at once cannot both add the last property.
    await requireOwner(ctx, db, accountViewer, 'read_full')
    for (const [name, property] of changes)
      if (property === undefined) await removeDavProperty(db, id, name)
      else await setDavProperty(db, id, name, property)
    if ((await listDavProperties(db, id)).size > MAX_PROPERTIES) fail('too_many_properties')
  })
}

const idOf = (author: Actor): string => actorIdOf(author) ?? fail('authentication_required')
