// Tombstones: names of deleted events for CalDAV sync, and the oldest sync token still valid.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import { deleteBatch, PURGE_ROWS } from '../operations/purge.ts'
import type { Db } from '../tables.ts'
import type { SyncPosition } from './sync-position.ts'

export async function insertTombstone(db: Db, name: string, revision: number, now: Instant): Promise<void> {
  await db
    .insertInto('gone_names')
    .values({ dav_name: name, revision, gone_at: now })
    .onConflict((conflict) => conflict.column('dav_name').doUpdateSet({ revision, gone_at: now }))
    .execute()
}

/** The next page of tombstones up to a revision, in the order of changes; without names that are used again. */
export const listTombstones = (
  db: Db,
  { revision, name }: SyncPosition,
  until: number,
  limit: number,
): Promise<SyncPosition[]> =>
  rawQuery(
    db,
    `select g.dav_name as name, g.revision from gone_names g
      where (g.revision, g.dav_name) > (?1, ?2) and g.revision <= ?3
      and not exists (select 1 from events e where e.dav_name = g.dav_name) order by g.revision, g.dav_name limit ?4`,
    [revision, name, until, limit],
  )

/**
 * Clients that have not synchronised since one of them was deleted must start over. Deletes in the order of changes, in
 * batches; returns how many.
 */
export async function purgeTombstones(db: Db, before: Instant): Promise<number> {
  const rows = await rawQuery<{ revision: number; gone_at: number }>(
    db,
    'select revision, gone_at from gone_names order by revision limit ?1',
    [PURGE_ROWS],
  )
  const last = rows.findLast(({ gone_at }) => gone_at < before)
  if (!last) return 0
  await db.updateTable('calendar').set({ sync_floor: last.revision }).where('sync_floor', '<', last.revision).execute()
  return deleteBatch(db, 'gone_names', sql`revision <= ${last.revision}`)
}

export interface SyncState {
  revision: number
  /** Sync tokens of an earlier revision are invalid. */
  floor: number
}

export async function readSyncState(db: Db): Promise<SyncState> {
  const [row] = await rawQuery<SyncState>(db, 'select revision, sync_floor as floor from calendar where id = ?1', [1])
  return row!
}
