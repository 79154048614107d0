// Queries of the change feed: changed and deleted events in the order of revisions, at each sight.
import type { Sight } from '../../domain/privacy/viewer.ts'
import { rawQuery } from '../dialect.ts'
import { keyOfId } from '../events/events.ts'
import type { SyncPosition } from '../events/sync-position.ts'
import type { Db } from '../tables.ts'

export interface ChangedRow {
  key: number
  id: string
  revision: number
  createdRevision: number
  /** Position among the changes of one revision. */
  name: string
}

/** The next page of changed events after a position, up to a revision. */
export function listChanged(
  db: Db,
  sight: Sight,
  { revision, name }: SyncPosition,
  until: number,
  limit: number,
): Promise<ChangedRow[]> {
  if (sight === 'full') return rawQuery(db, CHANGED, [revision, name, until, limit])
  return rawQuery(db, PUBLICLY_CHANGED, [revision, keyOfId(name) ?? -1, until, limit])
}

/** In the order of `events_by_change`, which has the names of CalDAV objects. */
const CHANGED = `select key, id, revision, created_revision as "createdRevision", dav_name as name from events
  where (revision, dav_name) > (?1, ?2) and revision <= ?3 order by revision, dav_name limit ?4`

/** In the order of keys, which is that of ids. */
const PUBLICLY_CHANGED = `select key, id, revision, created_revision as "createdRevision", id as name from public_changes
  where (revision, key) > (?1, ?2) and revision <= ?3 order by revision, key limit ?4`

/** The same of deleted events, without those that exist again. `name` is the id. */
export const listGone = (
  db: Db,
  sight: Sight,
  { revision, name }: SyncPosition,
  until: number,
  limit: number,
): Promise<SyncPosition[]> => rawQuery(db, sight === 'full' ? GONE : PUBLICLY_GONE, [revision, name, until, limit])

const goneFrom = (table: string, existing: string): string => `select g.event_id as name, g.revision from ${table} g
  where (g.revision, g.event_id) > (?1, ?2) and g.revision <= ?3
  and not exists (select 1 from ${existing} e where e.id = g.event_id) order by g.revision, g.event_id limit ?4`

const GONE = goneFrom('gone_events', 'events')
const PUBLICLY_GONE = goneFrom('public_gone_events', 'public_changes')

export interface FeedState {
  revision: number
  /** Tokens of an earlier revision have expired. */
  floor: number
}

export async function readFeedState(db: Db, sight: Sight): Promise<FeedState> {
  const columns = sight === 'full' ? 'revision, changes_floor' : 'public_revision as revision, public_floor'
  const [row] = await rawQuery<FeedState>(db, `select ${columns} as floor from calendar where id = ?1`, [1])
  return row!
}
