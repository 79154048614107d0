// The trash: deleted events with their texts, until they are restored or purged.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { lockForUpdate, rawQuery } from '../dialect.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { Db, TrashRow } from '../tables.ts'

/** Who deleted an event, and with which credential. */
export interface EventDeletion {
  at: Instant
  by: string | null
  with: TrashRow['deleted_with']
  credentialId: string | null
}

/** What a list shows of the event. */
const SHOWN = [
  'uid',
  'visibility',
  'title',
  'all_day',
  'timezone',
  'start_at',
  'duration_ms',
  'is_recurring',
  'version',
] as const satisfies (keyof TrashRow)[]

/** Columns that are copied from the event as they are. */
const COPIED = [...SHOWN, 'dav_name', 'ical', 'sent_ical', 'mask_epoch', 'created_at', 'updated_at', 'created_by'].join(
  ', ',
)

/** Copies an event that the transaction is about to delete. */
export async function insertTrash(db: Db, eventKey: number, deletion: EventDeletion): Promise<void> {
  const { at, by, with: proof, credentialId } = deletion
  await rawQuery(
    db,
    `insert into trash (event_id, ${COPIED}, deleted_at, deleted_by, deleted_with, credential_id)
      select id, ${COPIED}, cast(?2 as bigint), ?3, ?4, ?5 from events where key = ?1`,
    [eventKey, at, by, proof, credentialId],
  )
}

const LISTED = ['event_id', ...SHOWN, 'deleted_at', 'deleted_by', 'deleted_with'] as const satisfies (keyof TrashRow)[]

/** An entry as it is listed: without its texts. */
export type ListedTrash = Pick<TrashRow, (typeof LISTED)[number]> & {
  /** Their current names; null where there is none any more. */
  deleted_by_name: string | null
  credential_name: string | null
}

/** The last deleted first. */
export async function listTrash(
  db: Db,
  since: Instant,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ entries: ListedTrash[]; total: number }> {
  const counted = await rawQuery<{ total: number }>(db, 'select count(*) as total from trash where deleted_at >= ?1', [
    since,
  ])
  const { total } = counted[0]!
  if (offset >= total) return { entries: [], total }
  const entries = await rawQuery<ListedTrash>(
    db,
    `select ${LISTED.map((column) => `t.${column}`).join(', ')}, u.display_name as deleted_by_name,
      coalesce(p.name, k.name) as credential_name
      from trash t left join users u on u.id = t.deleted_by
      left join app_passwords p on p.id = t.credential_id left join api_tokens k on k.id = t.credential_id
      where t.deleted_at >= ?1 order by t.deleted_at desc, t.event_id desc limit ?2 offset ?3`,
    [since, limit, offset],
  )
  return { entries, total }
}

/** `isHeld` locks the row until the transaction ends. */
export async function findTrash(db: Db, eventId: string, isHeld: boolean): Promise<TrashRow | undefined> {
  const lock = isHeld ? lockForUpdate(db) : ''
  const [row] = await rawQuery<TrashRow>(db, `select * from trash where event_id = ?1${lock}`, [eventId])
  return row
}

export async function deleteTrash(db: Db, eventId: string): Promise<void> {
  await db.deleteFrom('trash').where('event_id', '=', eventId).execute()
}

export const purgeTrash = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(db, 'trash', sql`deleted_at < ${before}`)
