// Events as rows: found by id, written whole, changed only at the version the writer saw.
import { sql } from 'kysely'
import { AppError } from '../errors.ts'
import type { Derived } from './derive.ts'
import { forUpdate, inList, isDuplicateOf, isPostgres, runText } from './dialect.ts'
import {
  type Db,
  type EventRow,
  type ExceptionRow,
  type KnownEventRow,
  type OccurrenceRow,
  type PublicEventRow,
  TIME_COLUMNS,
} from './tables.ts'

/** The first 50 of the id's 128 random bits: small in indexes, in the id's own order, and never shown. */
export const keyOfId = (id: string): number | undefined =>
  /^[0-9a-v]{26}$/.test(id) ? Number.parseInt(id.slice(0, 10), 32) : undefined

/** What is known of an event besides what its text says. */
export type EventRecord = Pick<
  EventRow,
  'id' | 'created_at' | 'updated_at' | 'created_by' | 'updated_by' | 'version' | 'revision' | 'ical'
>

/** Every column but the text. */
const KNOWN_COLUMNS = [
  ...TIME_COLUMNS,
  'uid',
  'title',
  'description',
  'location',
  'category',
  'url',
  'status',
  'transparency',
  'search_text',
  'created_at',
  'updated_at',
  'created_by',
  'updated_by',
  'version',
  'revision',
] as const satisfies (keyof KnownEventRow)[]

const FIND_EVENT = `select ${KNOWN_COLUMNS.join(', ')} from events where key = ?1 and id = ?2`

export async function findEventRow(db: Db, id: string): Promise<KnownEventRow | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  const [row] = await runText<KnownEventRow>(db, FIND_EVENT, [key, id])
  return row
}

/** The row, held until the transaction ends. */
export async function findEventRowForChange(db: Db, id: string): Promise<EventRow | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  return forUpdate(
    db,
    db.selectFrom('events').selectAll().where('key', '=', key).where('id', '=', id),
  ).executeTakeFirst()
}

export async function findPublicEventRow(db: Db, id: string): Promise<PublicEventRow | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  return db.selectFrom('public_events').selectAll().where('key', '=', key).where('id', '=', id).executeTakeFirst()
}

export const listEventRows = (db: Db, keys: readonly number[]): Promise<KnownEventRow[]> =>
  db
    .selectFrom('events')
    .select(KNOWN_COLUMNS)
    .where(inList(db, 'key', keys, 'bigint'))
    .execute()

export const listPublicEventRows = (db: Db, keys: readonly number[]): Promise<PublicEventRow[]> =>
  db
    .selectFrom('public_events')
    .selectAll()
    .where(inList(db, 'key', keys, 'bigint'))
    .execute()

export const listExceptionRows = (db: Db, keys: readonly number[]): Promise<ExceptionRow[]> =>
  db
    .selectFrom('exceptions')
    .selectAll()
    .where(inList(db, 'event_key', keys, 'bigint'))
    .orderBy('event_key')
    .orderBy('local_at')
    .execute()

export const listPublicExceptionRows = (db: Db, keys: readonly number[]): Promise<ExceptionRow[]> =>
  db
    .selectFrom('public_exceptions')
    .selectAll()
    .where(inList(db, 'event_key', keys, 'bigint'))
    .orderBy('event_key')
    .orderBy('local_at')
    .execute()

/** Walks every event in the order of its key, some at a time. */
export const listEventRowsAfter = (db: Db, key: number, limit: number): Promise<EventRow[]> =>
  forUpdate(db, db.selectFrom('events').selectAll().where('key', '>', key).orderBy('key').limit(limit)).execute()

export const listOccurrenceRows = (db: Db, keys: readonly number[]): Promise<OccurrenceRow[]> =>
  db
    .selectFrom('occurrences')
    .selectAll()
    .where(inList(db, 'event_key', keys, 'bigint'))
    .orderBy('event_key')
    .orderBy('local_at')
    .execute()

/** Series whose rows in the index end before this instant, in the order of their keys. */
export const listSeriesIndexedBefore = (db: Db, indexTo: number, after: number, limit: number): Promise<EventRow[]> =>
  forUpdate(
    db,
    db
      .selectFrom('events')
      .selectAll()
      .where('indexed_to', '<', indexTo)
      .where('key', '>', after)
      .orderBy('key')
      .limit(limit),
  ).execute()

export async function insertEvent(db: Db, record: EventRecord, derived: Derived): Promise<void> {
  const key = keyOfId(record.id)!
  try {
    await db
      .insertInto('events')
      .values({ key, ...derived.columns, ...record })
      .execute()
  } catch (error) {
    throw isDuplicateOf(error, 'events', 'uid') ? new AppError('uid_conflict') : error
  }
  await insertDerived(db, key, derived, record.created_at, record.created_by)
}

/** Changes the row at exactly this version; false when somebody was faster. */
export async function updateEvent(
  db: Db,
  before: EventRow,
  record: Partial<EventRecord>,
  derived: Derived,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('events')
    .set({ ...derived.columns, ...record })
    .where('key', '=', before.key)
    .where('version', '=', before.version)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const shift = derived.columns.start_local - before.start_local
  await replaceDerived(
    db,
    before.key,
    derived,
    record.updated_at ?? before.updated_at,
    record.updated_by ?? null,
    shift,
  )
  return true
}

/** Columns and rows written anew from the same text; version and authors stay. */
export async function rewriteDerived(db: Db, row: EventRow, derived: Derived, now: number): Promise<void> {
  await db.updateTable('events').set(derived.columns).where('key', '=', row.key).execute()
  await replaceDerived(db, row.key, derived, now, null)
}

/** Exceptions that stay, moved by `shift` with their series, keep who made them and when; occurrence rows are written anew. */
async function replaceDerived(
  db: Db,
  key: number,
  derived: Derived,
  now: number,
  by: string | null,
  shift = 0,
): Promise<void> {
  const before = new Map((await listExceptionRows(db, [key])).map((row) => [row.local_at + shift, row]))
  await db.deleteFrom('exceptions').where('event_key', '=', key).execute()
  await db.deleteFrom('occurrences').where('event_key', '=', key).execute()
  await insertDerived(db, key, derived, now, by, before)
}

const EXCEPTIONS_AT_ONCE = 100

async function insertDerived(
  db: Db,
  key: number,
  derived: Derived,
  now: number,
  by: string | null,
  before: ReadonlyMap<number, ExceptionRow> = new Map(),
): Promise<void> {
  const exceptions = derived.exceptions.map((exception) => {
    const known = before.get(exception.local_at)
    const isKept = known?.kind === exception.kind
    const made = isKept
      ? { created_at: known.created_at, created_by: known.created_by }
      : { created_at: now, created_by: by }
    return { event_key: key, ...exception, ...made }
  })
  // Some at a time: each row is fifteen parameters, and a statement takes a bounded number of them.
  for (let i = 0; i < exceptions.length; i += EXCEPTIONS_AT_ONCE) {
    await db
      .insertInto('exceptions')
      .values(exceptions.slice(i, i + EXCEPTIONS_AT_ONCE))
      .execute()
  }
  await insertOccurrences(db, key, derived.occurrences)
}

/** One statement with one parameter for any number of rows. */
async function insertOccurrences(db: Db, key: number, rows: Derived['occurrences']): Promise<void> {
  const list = JSON.stringify(
    rows.map((row) => [row.local_at, row.lane, row.start_at, row.end_at, row.is_overridden, row.is_hidden]),
  )
  const target = sql`insert into occurrences (event_key, local_at, lane, start_at, end_at, is_overridden, is_hidden)`
  if (isPostgres(db)) {
    await sql`${target} select ${key}::bigint, (r->>0)::bigint, (r->>1)::smallint, (r->>2)::bigint, (r->>3)::bigint,
      (r->>4)::smallint, (r->>5)::smallint from jsonb_array_elements(${list}::jsonb) r`.execute(db)
  } else {
    await sql`${target} select ${key}, value->>0, value->>1, value->>2, value->>3, value->>4, value->>5
      from json_each(${list})`.execute(db)
  }
}

/** The event goes, and a tombstone with its revision stays for those who sync. */
export async function deleteEvent(db: Db, row: EventRow, revision: number, now: number): Promise<void> {
  await db.deleteFrom('events').where('key', '=', row.key).execute()
  await db.insertInto('tombstones').values({ event_id: row.id, uid: row.uid, revision, deleted_at: now }).execute()
}
