// Deletes an event: keeps it in the trash, inserts tombstones for CalDAV and the change feed.
import { raiseWithSpan } from '../events/calendar.ts'
import { deleteMostRows } from '../events/derived-rows.ts'
import { insertTombstone } from '../events/tombstones.ts'
import type { Db, EventRow } from '../tables.ts'
import { deleteEventRow, insertGoneEvent } from './gone-events.ts'
import { type EventDeletion, insertTrash } from './trash.ts'
import { deleteVersions } from './versions.ts'

/** Returns the revision of the change. Without `deletion` neither the event nor its earlier versions are kept. */
export async function deleteEvent(
  db: Db,
  row: Pick<EventRow, 'key' | 'dav_name'>,
  now: number,
  deletion: EventDeletion | undefined,
): Promise<number> {
  await (deletion ? insertTrash(db, row.key, deletion) : deleteVersions(db, row.key))
  await deleteMostRows(db, row.key)
  const { id, isPublic } = await deleteEventRow(db, row.key)
  // After the rows, which may be very many: every other writer needs the counters.
  const { revision, publicRevision } = await raiseWithSpan(db, isPublic)
  await insertTombstone(db, row.dav_name, revision, now)
  await insertGoneEvent(db, 'gone_events', id, revision, now)
  if (isPublic) await insertGoneEvent(db, 'public_gone_events', id, publicRevision, now)
  return revision
}
