// Stores the progress of long index work, so that a restart or another node continues it.
import { inList, isPostgres, rawQuery } from '../dialect.ts'
import type { Db, EventRow, OccurrenceRow, PublicWordRow } from '../tables.ts'
import type { IndexWorkRow } from '../work-tables.ts'

export type IndexWorkName = IndexWorkRow['name']

export async function findIndexWork(db: Db, name: IndexWorkName): Promise<IndexWorkRow | undefined> {
  return db.selectFrom('index_work').selectAll().where('name', '=', name).executeTakeFirst()
}

export const listUnfinishedIndexWork = (db: Db): Promise<IndexWorkRow[]> =>
  db.selectFrom('index_work').selectAll().where('is_finished', '=', 0).orderBy('name', 'desc').execute()

/** Starts at the first event, unless work for the same target is in progress. */
export async function startIndexWork(db: Db, name: IndexWorkName, target: string, total: number): Promise<void> {
  await rawQuery(
    db,
    `insert into index_work (name, target, cursor_key, done, total, is_finished) values (?1, ?2, -1, 0, ?3, 0)
      on conflict (name) do update set target = excluded.target, cursor_key = -1, done = 0, total = excluded.total,
      is_finished = 0 where index_work.target <> excluded.target or index_work.is_finished = 1`,
    [name, target, total],
  )
}

type WorkPlace = Pick<IndexWorkRow, 'name' | 'target'>

/** Does nothing if another node has finished the work, or started work for another target. */
export async function advanceIndexWork(
  db: Db,
  work: WorkPlace,
  progress: Pick<IndexWorkRow, 'cursor_key' | 'done'>,
): Promise<void> {
  await updateOf(db, work).set(progress).where('is_finished', '=', 0).execute()
}

export async function finishIndexWork(db: Db, work: WorkPlace): Promise<void> {
  await updateOf(db, work).set({ is_finished: 1 }).execute()
}

const updateOf = (db: Db, { name, target }: WorkPlace) =>
  db.updateTable('index_work').where('name', '=', name).where('target', '=', target)

/** The next event of a walk, with the size of its texts. */
export interface EventSize {
  key: number
  size: number
  indexed_to: number | null
}

const SIZES = `select key, octet_length(ical) + octet_length(public_ical) as size, indexed_to from events`

/** In key order. */
export const listEventSizesAfter = (db: Db, key: number, limit: number): Promise<EventSize[]> =>
  rawQuery(db, `${SIZES} where key > ?1 order by key limit ?2`, [key, limit])

/** Only events that were changed since. */
export const listEventSizesChangedSince = (db: Db, since: number, key: number, limit: number): Promise<EventSize[]> =>
  rawQuery(db, `${SIZES} where key > ?1 and updated_at >= ?2 order by key limit ?3`, [key, since, limit])

export interface SeriesPlace {
  indexedTo: number
  key: number
}

/** Series whose index rows end before this instant, those that end first leading. */
export const listSeriesSizesAfter = (
  db: Db,
  indexTo: number,
  { indexedTo, key }: SeriesPlace,
  limit: number,
): Promise<EventSize[]> =>
  rawQuery(db, `${SIZES} where indexed_to < ?1 and (indexed_to, key) > (?2, ?3) order by indexed_to, key limit ?4`, [
    indexTo,
    indexedTo,
    key,
    limit,
  ])

/** Locked until the transaction ends, in key order. */
export const listEventRowsForChange = (db: Db, keys: readonly number[]): Promise<EventRow[]> => {
  const query = selectEventRows(db, keys)
  return (isPostgres(db) ? query.forUpdate() : query).execute()
}

/** The same without a lock. */
export const listEventRows = (db: Db, keys: readonly number[]): Promise<EventRow[]> =>
  selectEventRows(db, keys).execute()

const selectEventRows = (db: Db, keys: readonly number[]) =>
  db
    .selectFrom('events')
    .selectAll()
    .where(inList(db, 'key', keys, 'bigint'))
    .orderBy('key')

/** In order, after `local_at`. */
export const listOccurrenceRowsAfter = (
  db: Db,
  eventKey: number,
  localAt: number,
  limit: number,
): Promise<OccurrenceRow[]> =>
  rawQuery(db, 'select * from occurrences where event_key = ?1 and local_at > ?2 order by local_at limit ?3', [
    eventKey,
    localAt,
    limit,
  ])

/** In order, after this word at `local_at`. */
export const listPublicWordRowsAfter = (
  db: Db,
  eventKey: number,
  { local_at, word }: Pick<PublicWordRow, 'local_at' | 'word'>,
  limit: number,
): Promise<PublicWordRow[]> =>
  rawQuery(
    db,
    'select * from public_words where event_key = ?1 and (local_at, word) > (?2, ?3) order by local_at, word limit ?4',
    [eventKey, local_at, word, limit],
  )

export async function countEvents(db: Db): Promise<number> {
  const [row] = await rawQuery<{ count: number }>(db, 'select count(*) as count from events', [])
  return row!.count
}

export async function countSeriesIndexedBefore(db: Db, indexTo: number): Promise<number> {
  const [row] = await rawQuery<{ count: number }>(db, 'select count(*) as count from events where indexed_to < ?1', [
    indexTo,
  ])
  return row!.count
}

export async function markUnreadable(db: Db, key: number): Promise<void> {
  await db
    .updateTable('events')
    .set({ is_unreadable: 1 })
    .where('key', '=', key)
    .where('is_unreadable', '=', 0)
    .execute()
}

export async function listUnreadableIds(db: Db, limit: number): Promise<string[]> {
  const rows = await rawQuery<{ id: string }>(
    db,
    'select id from events where is_unreadable = 1 order by key limit ?1',
    [limit],
  )
  return rows.map(({ id }) => id)
}

export async function countUnreadable(db: Db): Promise<number> {
  const [row] = await rawQuery<{ count: number }>(
    db,
    'select count(*) as count from events where is_unreadable = 1',
    [],
  )
  return row!.count
}
