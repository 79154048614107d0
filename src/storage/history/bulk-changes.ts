// Incidents of a credential that changes very many events: one node begins it, all extend it.
import { sql } from 'kysely'
import { CLOCK_TOLERANCE_MS, type Instant } from '../../domain/time/instant.ts'
import { rawChange, rawQuery } from '../dialect.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { BulkChangesRow, Db } from '../tables.ts'

/**
 * Begins an incident, or extends the one that had excess since `quietSince`; true for the node that begins it. One of
 * the time before a clock was set back is over.
 */
export async function insertBulkChanges(
  db: Db,
  { credential, user_id, changed_with, credential_id, began_at: now }: Omit<BulkChangesRow, 'last_at'>,
  quietSince: Instant,
): Promise<boolean> {
  const latest = now + CLOCK_TOLERANCE_MS
  const extend = 'update bulk_changes set last_at = ?2 where credential = ?1 and last_at between ?3 and ?4'
  if ((await rawChange(db, extend, [credential, now, quietSince, latest])) > 0) return false
  const begun = await rawQuery(
    db,
    `insert into bulk_changes (credential, user_id, changed_with, credential_id, began_at, last_at)
      values (?1, ?2, ?3, ?4, ?5, ?5)
      on conflict (credential) do update set began_at = excluded.began_at, last_at = excluded.last_at
      where bulk_changes.last_at not between ?6 and ?7 returning began_at`,
    [credential, user_id, changed_with, credential_id, now, quietSince, latest],
  )
  return begun.length > 0
}

/** The first that began at this time or later. */
export async function findBulkChanges(db: Db, since: Instant): Promise<BulkChangesRow | undefined> {
  const text = 'select * from bulk_changes where began_at >= ?1 order by began_at, credential limit 1'
  return (await rawQuery<BulkChangesRow>(db, text, [since]))[0]
}

export const purgeBulkChanges = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(db, 'bulk_changes', sql`last_at < ${before}`)
