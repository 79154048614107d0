// Reads what a rewind looks at: events and deleted events, and their versions since a moment.
import type { Instant } from '../../domain/time/instant.ts'
import { inList, listedNumbers, rawQuery } from '../dialect.ts'
import type { Db, EventRow, EventVersionRow, TrashRow } from '../tables.ts'

export type ChangedEvent = Pick<
  EventRow,
  'key' | 'id' | 'title' | 'visibility' | 'version' | 'created_at' | 'updated_at' | 'updated_by'
> & { octets: number }

/** The next slice of all events in the order of their keys, without their texts. */
export const listEventsAfter = (db: Db, afterKey: number, limit: number): Promise<ChangedEvent[]> =>
  rawQuery(
    db,
    `select key, id, title, visibility, version, created_at, updated_at, updated_by, octet_length(ical) as octets
      from events where key > ?1 order by key limit ?2`,
    [afterKey, limit],
  )

export type DeletedEvent = Pick<
  TrashRow,
  | ('event_id' | 'uid' | 'title' | 'visibility' | 'version' | 'created_at')
  | ('updated_at' | 'updated_by' | 'deleted_at' | 'deleted_by')
> & { octets: number }

/** The next slice of events that were deleted after a moment. */
export const listDeletedAfter = (db: Db, since: Instant, afterId: string, limit: number): Promise<DeletedEvent[]> =>
  rawQuery(
    db,
    `select event_id, uid, title, visibility, version, created_at, updated_at, updated_by, deleted_at, deleted_by,
      octet_length(ical) as octets from trash where deleted_at > ?1 and event_id > ?2 order by event_id limit ?3`,
    [since, afterId, limit],
  )

/** The events that have these UIDs. */
export const listLiveByUid = (db: Db, uids: readonly string[]): Promise<Pick<EventRow, 'id' | 'uid'>[]> =>
  db
    .selectFrom('events')
    .select(['id', 'uid'])
    .where(inList(db, 'uid', uids, 'text'))
    .execute()

export type PastVersion = Pick<
  EventVersionRow,
  'event_key' | 'version' | 'changed_at' | 'changed_by' | 'visibility' | 'ended_at' | 'deleted_by' | 'deleted_with'
>

const PAST = 'event_key, version, changed_at, changed_by, visibility, ended_at, deleted_by, deleted_with'

/** Versions of these events that ended after a moment, in order. */
export const listVersionsSince = (db: Db, keys: readonly number[], since: Instant): Promise<PastVersion[]> =>
  rawQuery(
    db,
    `select ${PAST} from event_versions where event_key in (${listedNumbers(db, 1)}) and ended_at > ?2
      order by event_key, version`,
    [JSON.stringify(keys), since],
  )

/** Those of these events whose last version that ended until a moment was deleted then. */
export async function listDeletedBefore(db: Db, keys: readonly number[], until: Instant): Promise<number[]> {
  const rows = await rawQuery<{ event_key: number }>(
    db,
    `select v.event_key from event_versions v join (select event_key, max(version) as version from event_versions
      where event_key in (${listedNumbers(db, 1)}) and ended_at <= ?2 group by event_key) as last
      on last.event_key = v.event_key and last.version = v.version where v.deleted_with is not null`,
    [JSON.stringify(keys), until],
  )
  return rows.map(({ event_key }) => event_key)
}

/** The versions of events that are deleted and of those that are there, to see whether they are as planned. */
export const listTrashVersions = (db: Db, ids: readonly string[]): Promise<Pick<TrashRow, 'event_id' | 'version'>[]> =>
  db
    .selectFrom('trash')
    .select(['event_id', 'version'])
    .where(inList(db, 'event_id', ids, 'text'))
    .execute()
