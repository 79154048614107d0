// The trash: deleted events with their texts, until they are restored or purged.
import type { Instant } from '../../domain/time/instant.ts'
import { listedTexts, lockForUpdate, rawQuery } from '../dialect.ts'
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
const COPIED = [
  ...[...SHOWN, 'dav_name', 'ical', 'sent_ical', 'mask_epoch', 'created_at', 'updated_at', 'created_by', 'updated_by'],
  ...['updated_with', 'updated_credential_id', 'updated_through'],
].join(', ')

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

/** Which deleted events: all that fulfil every condition. */
export interface TrashFilters {
  since: Instant
  /** Exclusive. */
  until?: Instant | undefined
  by?: string | undefined
  with?: TrashRow['deleted_with'] | undefined
  credentialId?: string | undefined
  ids?: readonly string[] | undefined
  /** Only entries that are listed after this one. */
  after?: TrashPosition | undefined
}

/** Where an entry is in the list. */
export type TrashPosition = Pick<TrashRow, 'deleted_at' | 'event_id'>

interface Condition {
  text: string
  parameters: unknown[]
}

function conditionOf(db: Db, { since, until, by, with: proof, credentialId, ids, after }: TrashFilters): Condition {
  const parameters: unknown[] = []
  const terms: string[] = []
  const add = (text: (nth: number) => string, ...values: unknown[]): void => {
    terms.push(text(parameters.length + 1))
    parameters.push(...values)
  }
  add((nth) => `t.deleted_at >= ?${nth}`, since)
  if (until !== undefined) add((nth) => `t.deleted_at < ?${nth}`, until)
  if (by !== undefined) add((nth) => `t.deleted_by = ?${nth}`, by)
  if (proof !== undefined) add((nth) => `t.deleted_with = ?${nth}`, proof)
  if (credentialId !== undefined) add((nth) => `t.credential_id = ?${nth}`, credentialId)
  if (ids) add((nth) => `t.event_id in (${listedTexts(db, nth)})`, JSON.stringify(ids))
  if (after) add((nth) => `(t.deleted_at, t.event_id) < (?${nth}, ?${nth + 1})`, after.deleted_at, after.event_id)
  return { text: terms.join(' and '), parameters }
}

async function countTrash(db: Db, { text, parameters }: Condition): Promise<number> {
  const [row] = await rawQuery<{ total: number }>(db, `select count(*) as total from trash t where ${text}`, parameters)
  return row!.total
}

const LISTED = [
  'event_id',
  ...SHOWN,
  'deleted_at',
  'deleted_by',
  'deleted_with',
  'credential_id',
] as const satisfies (keyof TrashRow)[]

/** An entry as it is listed: without its texts. */
export type ListedTrash = Pick<TrashRow, (typeof LISTED)[number]> & {
  /** Their current names; null where there is none any more. */
  deleted_by_name: string | null
  credential_name: string | null
  /** The entry that had its UID before it was created. */
  continues: string | null
  /** The event that has its UID now. */
  continued_by: string | null
}

/** The last deleted first. */
export async function listTrash(
  db: Db,
  filters: TrashFilters,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ entries: ListedTrash[]; total: number }> {
  const condition = conditionOf(db, filters)
  const total = await countTrash(db, condition)
  if (offset >= total) return { entries: [], total }
  const nth = condition.parameters.length
  const entries = await rawQuery<ListedTrash>(
    db,
    `select ${LISTED.map((column) => `t.${column}`).join(', ')}, u.display_name as deleted_by_name,
      coalesce(p.name, k.name) as credential_name, e.id as continued_by,
      (select c.event_id from trash c where c.uid = t.uid and c.deleted_at >= ?1
        and (c.created_at, c.event_id) < (t.created_at, t.event_id)
        order by c.created_at desc, c.event_id desc limit 1) as continues
      from trash t left join events e on e.uid = t.uid left join users u on u.id = t.deleted_by
      left join app_passwords p on p.id = t.credential_id left join api_tokens k on k.id = t.credential_id
      where ${condition.text} order by t.deleted_at desc, t.event_id desc limit ?${nth + 1} offset ?${nth + 2}`,
    [...condition.parameters, limit, offset],
  )
  return { entries, total }
}

/** What the restoration of many reads of each before it restores it. */
export type SelectedTrash = Pick<TrashRow, 'event_id' | 'uid' | 'title' | 'deleted_at'> & {
  /** Whether an event has its UID now. */
  is_taken: 0 | 1
}

/** In the order of the list. */
export async function selectTrash(
  db: Db,
  filters: TrashFilters,
  limit: number,
): Promise<{ entries: SelectedTrash[]; total: number }> {
  const condition = conditionOf(db, filters)
  const total = await countTrash(db, condition)
  const entries = await rawQuery<SelectedTrash>(
    db,
    `select t.event_id, t.uid, t.title, t.deleted_at, case when e.key is null then 0 else 1 end as is_taken
      from trash t left join events e on e.uid = t.uid
      where ${condition.text} order by t.deleted_at desc, t.event_id desc limit ?${condition.parameters.length + 1}`,
    [...condition.parameters, limit],
  )
  return { entries, total }
}

/** The event of this UID that was deleted last, for a new event that has the UID. */
export async function findTrashByUid(db: Db, uid: string, since: Instant): Promise<string | undefined> {
  return (await listTrashByUid(db, [uid], since)).at(-1)?.event_id
}

/** The last deleted last. */
export const listTrashByUid = (
  db: Db,
  uids: readonly string[],
  since: Instant,
): Promise<Pick<TrashRow, 'event_id' | 'uid'>[]> =>
  rawQuery(
    db,
    `select event_id, uid from trash where uid in (${listedTexts(db, 1)}) and deleted_at >= ?2 order by deleted_at`,
    [JSON.stringify(uids), since],
  )

export async function findLiveIdByUid(db: Db, uid: string): Promise<string | undefined> {
  const [row] = await rawQuery<{ id: string }>(db, 'select id from events where uid = ?1', [uid])
  return row?.id
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
