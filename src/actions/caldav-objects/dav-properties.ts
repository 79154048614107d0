// How somebody wants to see the calendar in their own programs: for them alone, whatever they may do with events.
import type { Context } from '../../context.ts'
import { type Author, authorId, requireAccess, type Viewer } from '../../domain/privacy/viewer.ts'
import { fail } from '../../errors.ts'
import {
  type DavProperty,
  listDavProperties,
  removeDavProperty,
  setDavProperty,
} from '../../storage/accounts/dav-properties.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { requireOwner } from '../access/author-guard.ts'

/** As many as any program has use for. */
export const MAX_PROPERTIES = 50

export type OwnProperties = ReadonlyMap<string, DavProperty>

export async function readOwnProperties(ctx: Context, viewer: Viewer): Promise<OwnProperties> {
  requireAccess(viewer, 'read_full')
  return listDavProperties(ctx.storage.reads, idOf(viewer))
}

/** All of them or none; undefined takes one away. */
export async function changeOwnProperties(
  ctx: Context,
  viewer: Viewer,
  changes: ReadonlyMap<string, DavProperty | undefined>,
): Promise<void> {
  requireAccess(viewer, 'read_full')
  const person = viewer.kind === 'account' ? viewer : fail('authentication_required')
  const { id } = person.account
  // More than may be kept are not written first.
  if (
    changes
      .values()
      .filter((property) => property !== undefined)
      .toArray().length > MAX_PROPERTIES
  )
    fail('too_many_properties')
  await inTransaction(ctx.storage, async (db) => {
    // The owner's row is locked, so that two devices at once cannot each add the last one.
    await requireOwner(ctx, db, person, 'read_full')
    for (const [name, property] of changes)
      if (property === undefined) await removeDavProperty(db, id, name)
      else await setDavProperty(db, id, name, property)
    if ((await listDavProperties(db, id)).size > MAX_PROPERTIES) fail('too_many_properties')
  })
}

const idOf = (author: Author): string => authorId(author) ?? fail('authentication_required')
