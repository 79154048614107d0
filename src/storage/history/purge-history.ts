// Purges deleted events with their earlier versions, and versions that are kept too long.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { inList, lockForUpdate, rawQuery } from '../dialect.ts'
import { keyOfId } from '../events/events.ts'
import { deleteBatch, PURGE_ROWS } from '../operations/purge.ts'
import type { Db } from '../tables.ts'

/** Every packing: the index begins with it. */
export const purgeVersions = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(db, 'event_versions', sql`packing in (0, 1, 2, 3) and ended_at < ${before}`)

export interface PurgedTrash {
  events: number
  /** Earlier versions of deleted events: they go first. */
  versions: number
}

/** Deletes one batch; there may be more while it is full. */
export async function purgeTrash(db: Db, before: Instant): Promise<PurgedTrash> {
  const due = await rawQuery<{ event_id: string }>(
    db,
    `select event_id from trash where deleted_at < ?1 order by deleted_at, event_id limit ${PURGE_ROWS}${lockForUpdate(db)}`,
    [before],
  )
  if (due.length === 0) return { events: 0, versions: 0 }
  const ids = due.map(({ event_id }) => event_id)
  const keys = ids.flatMap((id) => keyOfId(id) ?? [])
  const versions = await deleteBatch(db, 'event_versions', sql`${inList(db, 'event_key', keys, 'bigint')}`)
  if (versions === PURGE_ROWS) return { events: 0, versions }
  const events = await deleteBatch(db, 'trash', sql`${inList(db, 'event_id', ids, 'text')}`)
  return { events, versions }
}

export const isFull = ({ events, versions }: PurgedTrash): boolean => events === PURGE_ROWS || versions === PURGE_ROWS
