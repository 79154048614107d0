// Tombstones of the change feed, separate ones for the public, and the expiry of its tokens.
import { sql } from 'kysely'
import type { Sight } from '../../domain/privacy/viewer.ts'
import type { Instant } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import { raiseWithSpan } from '../events/calendar.ts'
import { deleteBatch, PURGE_ROWS } from '../operations/purge.ts'
import type { Db, EventRow } from '../tables.ts'
import { isSeenByPublic } from './public-change.ts'

type GoneTable = 'gone_events' | 'public_gone_events'

/** An id may be used again: an event can be restored from the trash, or be seen by the public again. */
export async function insertGoneEvent(
  db: Db,
  table: GoneTable,
  id: string,
  revision: number,
  now: Instant,
): Promise<void> {
  await rawQuery(
    db,
    `insert into ${table} (event_id, revision, gone_at) values (?1, ?2, ?3)
      on conflict (event_id) do update set revision = excluded.revision, gone_at = excluded.gone_at`,
    [id, revision, now],
  )
}

export interface DeletedRow {
  id: string
  isPublic: boolean
}

/** Deletes the row itself; says whether the public saw the event. */
export async function deleteEventRow(db: Db, key: number): Promise<DeletedRow> {
  const text = 'delete from events where key = ?1 returning id, visibility, status'
  const [row] = await rawQuery<Pick<EventRow, 'id' | 'visibility' | 'status'>>(db, text, [key])
  return { id: row!.id, isPublic: isSeenByPublic(row!) }
}

const FLOORS = { gone_events: 'changes_floor', public_gone_events: 'public_floor' } as const

/** As `purgeTombstones` for CalDAV: tokens from before a deleted one have expired. */
export async function purgeGoneEvents(db: Db, table: GoneTable, before: Instant): Promise<number> {
  const rows = await rawQuery<{ revision: number; gone_at: number }>(
    db,
    `select revision, gone_at from ${table} order by revision limit ?1`,
    [PURGE_ROWS],
  )
  const last = rows.findLast(({ gone_at }) => gone_at < before)
  if (!last) return 0
  const floor = FLOORS[table]
  await db
    .updateTable('calendar')
    .set({ [floor]: last.revision })
    .where(floor, '<', last.revision)
    .execute()
  return deleteBatch(db, table, sql`revision <= ${last.revision}`)
}

/**
 * For events that were derived again from the same texts: their own revisions stay, so that CalDAV clients do not read
 * them again. Where they are shown otherwise, tokens of the change feed expire.
 */
export async function raiseForRewrites(db: Db, rereadBy: ReadonlySet<Sight>): Promise<void> {
  const isPublic = rereadBy.has('public')
  const { revision, publicRevision } = await raiseWithSpan(db, isPublic)
  const floors = {
    ...(rereadBy.has('full') ? { changes_floor: revision } : {}),
    ...(isPublic ? { public_floor: publicRevision } : {}),
  }
  if (rereadBy.size > 0) await db.updateTable('calendar').set(floors).execute()
}
