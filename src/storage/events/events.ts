// Event rows: find by id, insert, update only at the version that was read, delete.
import { AppError } from '../../errors.ts'
import {
  forUpdate,
  inList,
  isDuplicateOf,
  isPostgres,
  listedNumbers,
  listedTexts,
  lockForUpdate,
  rawQuery,
} from '../dialect.ts'
import { insertGoneEvent } from '../history/gone-events.ts'
import { type ChangeCounters, counterValuesOf, type PublicChange, publicChangeOf } from '../history/public-change.ts'
import {
  type Db,
  type EventRecord,
  type EventRow,
  type ExceptionRow,
  type KnownEventRow,
  type OccurrenceRow,
  type PublicEventRow,
  type PublicRecord,
  type PublicWordRow,
  TIME_COLUMNS,
} from '../tables.ts'
import { type RaisedRevision, raiseWithSpan } from './calendar.ts'
import type { Derived } from './derive.ts'
import { type DerivedRows, derivedRows, replaceDerivedRows, yieldAfter } from './derived-rows.ts'
import {
  countOf,
  insertEventRow,
  MANY_ROWS,
  type RowChange,
  updateCounters,
  updateEventRow,
  updateEventRowAtNextRevision,
} from './event-statements.ts'

/** The first 50 of the id's 128 random bits: small in indexes, in the order of ids, and never shown. */
export const keyOfId = (id: string): number | undefined =>
  /^[0-9a-v]{26}$/.test(id) ? Number.parseInt(id.slice(0, 10), 32) : undefined

/** Every column except the texts. */
export const KNOWN_COLUMNS = [
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
  const [row] = await rawQuery<KnownEventRow>(db, FIND_EVENT, [key, id])
  return row
}

/** The row with its texts. `isHeld` locks it until the transaction ends. */
export async function findWholeEventRow(db: Db, id: string, isHeld: boolean): Promise<EventRow | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  const lock = isHeld ? lockForUpdate(db) : ''
  const [row] = await rawQuery<EventRow>(db, `select * from events where key = ?1 and id = ?2${lock}`, [key, id])
  return row
}

/** The keys of events and the lengths of their texts. */
export const listEventSizesByUid = (db: Db, uids: readonly string[]): Promise<{ key: number; octets: number }[]> =>
  rawQuery(
    db,
    `select key, octet_length(ical) + octet_length(public_ical) + coalesce(octet_length(sent_ical), 0) as octets
      from events where uid in (${listedTexts(db, 1)}) order by key`,
    [JSON.stringify(uids)],
  )

export const listEventRowsAt = (db: Db, keys: readonly number[]): Promise<EventRow[]> =>
  rawQuery(db, `select * from events where key in (${listedNumbers(db, 1)})`, [JSON.stringify(keys)])

/** Locks the rows until the transaction ends; reads no texts. */
export const listVersionsByUid = (db: Db, uids: readonly string[]) => {
  const query = db.selectFrom('events').select(['key', 'id', 'uid', 'version'])
  return forUpdate(db, query.where(inList(db, 'uid', uids, 'text')).orderBy('key')).execute()
}

export async function findPublicEventRow(db: Db, id: string): Promise<PublicEventRow | undefined> {
  const key = keyOfId(id)
  if (key === undefined) return undefined
  return db.selectFrom('public_events').selectAll().where('key', '=', key).where('id', '=', id).executeTakeFirst()
}

export const listExceptionRows = (db: Db, keys: readonly number[]): Promise<ExceptionRow[]> =>
  rawQuery(db, rowsOf(db, 'exceptions', keys), [listedKeys(keys)])

export const listPublicWordRows = (db: Db, keys: readonly number[]): Promise<PublicWordRow[]> =>
  rawQuery(db, rowsOf(db, 'public_words', keys), [listedKeys(keys)])

/** Lists the lengths of texts in the order of UID bytes, in pages. */
export const listTextSizesAfter = (db: Db, uid: string, limit: number): Promise<TextSizeRow[]> =>
  rawQuery(db, 'select key, uid, octet_length(ical) as octets from events where uid > ?1 order by uid limit ?2', [
    uid,
    limit,
  ])

/** In the order of their UIDs. */
export const listTextsAt = (db: Db, keys: readonly number[]): Promise<TextRow[]> =>
  rawQuery(db, `select key, id, uid, ical from events where key in (${listedNumbers(db, 1)}) order by uid`, [
    JSON.stringify(keys),
  ])

export type TextSizeRow = Pick<EventRow, 'key' | 'uid'> & { octets: number }

export type TextRow = Pick<EventRow, 'key' | 'id' | 'uid' | 'ical'>

export const listOccurrenceRows = (db: Db, keys: readonly number[]): Promise<OccurrenceRow[]> =>
  rawQuery(db, rowsOf(db, 'occurrences', keys), [listedKeys(keys)])

/** All derived rows of these events, in the order of the events and of nominal starts. */
const rowsOf = (db: Db, table: 'exceptions' | 'occurrences' | 'public_words', keys: readonly number[]): string =>
  keys.length === 1
    ? `select * from ${table} where event_key = ?1 order by local_at`
    : `select * from ${table} where event_key in (${listedNumbers(db, 1)}) order by event_key, local_at`

const listedKeys = (keys: readonly number[]): unknown => (keys.length === 1 ? keys[0] : JSON.stringify(keys))

/** Inserts the event at the next revision of the calendar. */
export async function insertEvent(
  db: Db,
  record: Omit<EventRecord, 'revision'>,
  derived: Derived,
): Promise<RaisedRevision> {
  const key = keyOfId(record.id)!
  const rows = derivedRows(key, derived, record.created_at, record.created_by)
  try {
    return await insertEventRow(db, { key, ...derived.columns, ...record }, rows)
  } catch (error) {
    if (isDuplicateOf(error, 'events', 'uid')) throw new AppError('uid_conflict')
    throw isDuplicateOf(error, 'events', 'dav_name') ? new AppError('version_mismatch') : error
  }
}

type ChangedRecord = Partial<EventRecord> & PublicRecord & Pick<EventRecord, 'sent_ical' | 'updated_at'>

export interface EventRowChange<Changed> extends Pick<RowChange<Changed>, 'before' | 'keepsBefore'> {
  record: Changed
  derived: Derived
}

/**
 * Updates the row at exactly this version; false when another change came first. `counters` are columns of the change
 * feed, if they are known already.
 */
export async function updateEvent(
  db: Db,
  change: EventRowChange<ChangedRecord>,
  counters: Partial<ChangeCounters> = {},
): Promise<boolean> {
  const { record, derived } = change
  if (!(await updateEventRow(db, { ...change, values: { ...derived.columns, ...record, ...counters } }))) return false
  await replaceChanged(db, change)
  return true
}

async function replaceChanged(db: Db, { before, record, derived }: EventRowChange<ChangedRecord>): Promise<void> {
  const { key, ical, start_local } = before
  const shift = derived.columns.start_local - start_local
  const isShort = isPostgres(db) && ical.length < SHORT_TEXT
  const rows = isShort ? await readDerivedRows(db, key) : undefined
  await replaceDerived(db, key, derived, record.updated_at, record.updated_by ?? null, shift, rows)
}

/** An event with a shorter text has so few rows that they are read together. */
const SHORT_TEXT = 4_096

/** In one round trip to PostgreSQL. */
async function readDerivedRows(db: Db, key: number): Promise<DerivedRows> {
  const listed = (table: string): string =>
    `(select coalesce(json_agg(t order by t.local_at), '[]') from ${table} t where t.event_key = ?1)`
  const text = `select ${listed('exceptions')} as exceptions, ${listed('occurrences')} as occurrences,
    ${listed('public_words')} as words`
  const [row] = await rawQuery<DerivedRows>(db, text, [key])
  return row!
}

/** A change of an event with more characters of text than this is slow, as one with many rows is. */
const LONG_TEXT = 100_000

/**
 * Updates an event whose row the transaction has locked, at the next revision; undefined if its version differs. On
 * PostgreSQL the counter is locked last where many rows are written or deleted: every other writer waits for it.
 */
export async function updateAtNextRevision(
  db: Db,
  change: EventRowChange<Omit<ChangedRecord, 'revision'>>,
): Promise<RaisedRevision | undefined> {
  const { before, record, derived } = change
  const seen = publicChangeOf(before, { ...derived.columns, ...record })
  const isLong = isPostgres(db) && (countOf(derived) > MANY_ROWS || before.ical.length > LONG_TEXT)
  const raised = await (isLong ? updateLong(db, change, seen) : updateShort(db, change, seen))
  if (raised && seen === 'disappeared')
    await insertGoneEvent(db, 'public_gone_events', before.id, raised.publicRevision, record.updated_at)
  return raised
}

type UnraisedChange = EventRowChange<Omit<ChangedRecord, 'revision'>>

async function updateShort(db: Db, change: UnraisedChange, seen: PublicChange): Promise<RaisedRevision | undefined> {
  const values = { ...change.derived.columns, ...change.record }
  const raised = await updateEventRowAtNextRevision(db, { ...change, values }, seen)
  if (raised) await replaceChanged(db, change)
  return raised
}

async function updateLong(db: Db, change: UnraisedChange, seen: PublicChange): Promise<RaisedRevision | undefined> {
  if (!(await updateEvent(db, change))) return undefined
  const raised = await raiseWithSpan(db, seen !== 'none')
  await updateCounters(db, change.before.key, counterValuesOf(false, seen, raised))
  return raised
}

/** For events that the transaction wrote before the counters were raised. */
export async function setCounters(db: Db, ids: readonly string[], counters: Partial<ChangeCounters>): Promise<void> {
  const keys = ids.map((id) => keyOfId(id)!)
  await db
    .updateTable('events')
    .set(counters)
    .where(inList(db, 'key', keys, 'bigint'))
    .execute()
}

/** Rewrites columns and rows from the same text; version and authors stay. Pass `before` if it was already read. */
export async function rewriteDerived(
  db: Db,
  row: EventRow,
  publicIcal: string,
  derived: Derived,
  now: number,
  before?: DerivedRows,
): Promise<void> {
  await db
    .updateTable('events')
    .set({ ...derived.columns, public_ical: publicIcal })
    .where('key', '=', row.key)
    .execute()
  await replaceDerived(db, row.key, derived, now, null, 0, before)
}

/** Exceptions that stay, moved by `shift` with their series, keep their author and creation time. */
async function replaceDerived(
  db: Db,
  key: number,
  derived: Derived,
  now: number,
  by: string | null,
  shift: number,
  before: DerivedRows | undefined,
): Promise<void> {
  before ??= await listDerivedRows(db, key)
  const known = new Map(before.exceptions.map((row) => [row.local_at + shift, row]))
  const after = derivedRows(key, derived, now, by, known)
  await yieldAfter(after.exceptions)
  await replaceDerivedRows(db, key, before, after)
}

async function listDerivedRows(db: Db, key: number): Promise<DerivedRows> {
  const exceptions = await listExceptionRows(db, [key])
  await yieldAfter(exceptions)
  const occurrences = await listOccurrenceRows(db, [key])
  await yieldAfter(occurrences)
  const words = await listPublicWordRows(db, [key])
  await yieldAfter(words)
  return { exceptions, occurrences, words }
}
