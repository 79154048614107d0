// Queries for CalDAV objects: by name, in pages, and in the order of changes for sync.
import { DAY_MS } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { AppError } from '../../errors.ts'
import { isDuplicateOf, isPostgres, listedNumbers, listedTexts, lockForUpdate, rawQuery } from '../dialect.ts'
import type { Db, EventRow } from '../tables.ts'
import { keyOfId } from './events.ts'
import type { SyncPosition } from './sync-position.ts'

/** The columns of an object without its text. */
export type ObjectHeadRow = Pick<
  EventRow,
  'key' | 'id' | 'dav_name' | 'version' | 'revision' | 'created_at' | 'updated_at'
>
/** With the lengths of its texts, which neither engine reads for that. The view `object_heads` has this shape. */
export interface SizedHeadRow extends ObjectHeadRow {
  octets: number
  /** Length of the text that a client sent; null where there is none. */
  sent_octets: number | null
}

export type ObjectRow = ObjectHeadRow & Pick<EventRow, 'uid' | 'ical' | 'sent_ical'>

const HEAD = ['key', 'id', 'dav_name', 'version', 'revision', 'created_at', 'updated_at'] as const
const WHOLE = [...HEAD, 'uid', 'ical', 'sent_ical'] as const
const SIZED = `select ${HEAD.map((column) => `h.${column}`).join(', ')}, h.octets, h.sent_octets from object_heads h`

export async function findObjectRow(db: Db, name: string): Promise<ObjectRow | undefined> {
  const [row] = await rawQuery<ObjectRow>(db, `select ${WHOLE.join(', ')} from events where dav_name = ?1`, [name])
  return row
}

/** The same if its texts have fewer octets than this together; undefined if they have more, or there is no object. */
export async function findShortObjectRow(db: Db, name: string, octets: number): Promise<ObjectRow | undefined> {
  const text = `select ${WHOLE.join(', ')} from events where dav_name = ?1 and exists (select 1 from object_heads h
    where h.key = events.key and h.octets + coalesce(h.sent_octets, 0) < ?2)`
  const [row] = await rawQuery<ObjectRow>(db, text, [name, octets])
  return row
}

/** The head of one object by its name, without its texts. */
export const findObjectHead = (db: Db, name: string): Promise<SizedHeadRow | undefined> =>
  findOneRow(db, `${SIZED} where h.key = ${KEY_OF_NAME}`, [name])

/** The same with the text if it has fewer octets than this; otherwise null. */
export const findHeadWithText = (db: Db, name: string, octets: number): Promise<HeadWithText | undefined> =>
  findOneRow(db, `${SIZED_WITH_TEXT} where h.key = ${KEY_OF_NAME}`, [name, octets])

export async function findEventHeadWithText(db: Db, id: string, octets: number): Promise<HeadWithText | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  return findOneRow(db, `${SIZED_WITH_TEXT} where h.id = ?1 and h.key = ?3`, [id, octets, key])
}

export interface HeadWithText extends SizedHeadRow {
  short_text: string | null
}

const KEY_OF_NAME = '(select e.key from events e where e.dav_name = ?1)'
const SIZED_WITH_TEXT = SIZED.replace(
  ' from ',
  ', (select case when h.octets < ?2 then e.ical end from events e where e.key = h.key) as short_text from ',
)

async function findOneRow<Row>(db: Db, text: string, parameters: readonly unknown[]): Promise<Row | undefined> {
  const [row] = await rawQuery<Row>(db, text, parameters)
  return row
}

/** Locks the row until the transaction ends; does not read its texts. */
export const lockObjectHead = (db: Db, name: string): Promise<SizedHeadRow | undefined> =>
  isPostgres(db) ? findOneRow(db, `${HELD} where h.dav_name = ?1 for update`, [name]) : findObjectHead(db, name)

/** Several of them, locked in key order, as in every other write of several events. */
export const lockObjectHeads = (db: Db, names: readonly string[]): Promise<SizedHeadRow[]> =>
  isPostgres(db)
    ? rawQuery(db, `${HELD} where h.dav_name in (${listedTexts(db, 1)}) order by h.key for update`, [
        JSON.stringify(names),
      ])
    : listObjectHeadsNamed(db, names)

export async function lockEventHead(db: Db, id: string): Promise<SizedHeadRow | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  const [text, lock] = isPostgres(db) ? [HELD, ' for update'] : [SIZED, '']
  return findOneRow(db, `${text} where h.key = ?1 and h.id = ?2${lock}`, [key, id])
}

/** Locks several in key order; a transaction of SQLite has no other beside it. */
export async function lockEvents(db: Db, ids: readonly string[]): Promise<void> {
  if (!isPostgres(db)) return
  const keys = ids.map(keyOfId).filter((key) => key !== undefined)
  await rawQuery(db, `select key from events where key in (${listedNumbers(db, 1)}) order by key for update`, [
    JSON.stringify(keys),
  ])
}

/** PostgreSQL can only lock rows of the table itself. */
const HELD = `select ${HEAD.map((column) => `h.${column}`).join(', ')}, octet_length(h.ical) as octets,
  octet_length(h.sent_ical) as sent_octets from events h`

export const findEventRowByName = (db: Db, name: string): Promise<EventRow | undefined> =>
  findOneRow(db, 'select * from events where dav_name = ?1', [name])

/** The same if its text has fewer octets than this; locks the row until the transaction ends. */
export const findShortEventRow = (db: Db, name: string, octets: number): Promise<EventRow | undefined> =>
  findOneRow(db, `select * from events where dav_name = ?1 and octet_length(ical) < ?2${lockForUpdate(db)}`, [
    name,
    octets,
  ])

export async function findNameOfUid(db: Db, uid: string): Promise<string | undefined> {
  const [row] = await rawQuery<{ name: string }>(db, 'select dav_name as name from events where uid = ?1', [uid])
  return row?.name
}

export const listObjectRowsAt = (db: Db, keys: readonly number[]): Promise<ObjectRow[]> =>
  rawQuery(db, `select ${WHOLE.join(', ')} from events where key in (${listedNumbers(db, 1)})`, [JSON.stringify(keys)])

export const listObjectHeadsAt = (db: Db, keys: readonly number[]): Promise<SizedHeadRow[]> =>
  rawQuery(db, `${SIZED} where h.key in (${listedNumbers(db, 1)}) order by h.key`, [JSON.stringify(keys)])

export const listObjectHeadsNamed = (db: Db, names: readonly string[]): Promise<SizedHeadRow[]> =>
  rawQuery(db, `${SIZED} where h.key in (select e.key from events e where e.dav_name in (${listedTexts(db, 1)}))`, [
    JSON.stringify(names),
  ])

/** The next page after a key. */
export const listObjectHeadsAfter = (db: Db, after: number, limit: number): Promise<SizedHeadRow[]> =>
  rawQuery(db, `${SIZED} where h.key > ?1 order by h.key limit ?2`, [after, limit])

/** A date covers other instants in another zone, and index rows are in the calendar's own. */
const SLACK_MS = 2 * DAY_MS

/** The next page of objects that may have an occurrence in the range, by their rows or because not all are rows. */
export const listObjectHeadsReaching = (db: Db, range: Range, after: number, limit: number): Promise<SizedHeadRow[]> =>
  rawQuery(
    db,
    `${SIZED} where h.key > ?1 and exists (select 1 from events e where e.key = h.key
      and (e.indexed_to is not null or e.indexed_from is not null or exists (select 1 from occurrences o
        where o.event_key = e.key and o.end_at >= ?2 and o.start_at <= ?3))) order by h.key limit ?4`,
    [after, range.from - SLACK_MS, range.to + SLACK_MS, limit],
  )
/** The next page of changes up to a revision, in the order of revisions and then of the bytes of their names. */
export const listChangedHeads = (
  db: Db,
  { revision, name }: SyncPosition,
  until: number,
  limit: number,
): Promise<ObjectHeadRow[]> =>
  rawQuery(
    db,
    `select ${HEAD.join(', ')} from events where (revision, dav_name) > (?1, ?2) and revision <= ?3
      order by revision, dav_name limit ?4`,
    [revision, name, until, limit],
  )

/** Renames the object; its content stays. Fails if another event has taken the name meanwhile. */
export async function renameObject(db: Db, key: number, name: string, revision: number): Promise<void> {
  try {
    await db.updateTable('events').set({ dav_name: name, revision }).where('key', '=', key).execute()
  } catch (error) {
    throw isDuplicateOf(error, 'events', 'dav_name') ? new AppError('destination_taken') : error
  }
}
