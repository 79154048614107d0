// Row types of tables that keep what events were, and of the calendar's counters of changes.
import type { Generated } from 'kysely'
import type { Visibility } from '../../domain/calendar/event.ts'

/** By what means an event was given its present version; null for a change made before this was recorded. */
export interface ChangeMeans {
  updated_with: 'session' | 'password' | 'app_password' | 'token' | 'operator' | 'service' | null
  /** The session, app password or token. */
  updated_credential_id: string | null
  /** Null for an ordinary request. */
  updated_through: 'import' | 'restore' | 'rewind' | null
}

/** A version of an event that another one has replaced, or that was deleted. */
export interface EventVersionRow {
  event_key: number
  version: number
  /** When, by whom and by what means it was made. */
  changed_at: number
  changed_by: string | null
  changed_with: ChangeMeans['updated_with']
  credential_id: string | null
  changed_through: ChangeMeans['updated_through']
  visibility: Visibility
  /** When it was replaced or deleted. */
  ended_at: number
  /** Who deleted it and with what, if it was deleted and restored from the trash. */
  deleted_by: string | null
  deleted_with: TrashRow['deleted_with'] | null
  /** What its texts take: as they are, or packed. */
  octets: number
  /** 0: as they were written. 1: packed. 2: those of `same_version`. 3: as they were written, and not to be packed. */
  packing: 0 | 1 | 2 | 3
  /** A later version with the same texts. */
  same_version: number | null
  ical: string | null
  sent_ical: string | null
  packed: string | null
}

/** One row: the counters that caches and sync depend on, and the span of the occurrence index. */
export interface CalendarRow {
  id: 1
  revision: number
  accounts_revision: number
  index_from: number
  index_to: number
  /** A JSON list of folded names: derived rows hide them from the public. */
  internal_categories: Generated<string>
  /** Tombstones up to this revision are deleted. */
  sync_floor: Generated<number>
  /** Raised only by changes that the public can see: it must not count others. */
  public_revision: Generated<number>
  /** Tokens of the change feed from before these revisions have expired. */
  changes_floor: Generated<number>
  public_floor: Generated<number>
}

/** Columns of `events` for the change feed. */
export interface ChangeColumns {
  /** Since when the event exists. */
  created_revision: Generated<number>
  /** Of the last change that the public could see. */
  public_revision: Generated<number>
  /** Since when the public can see the event. */
  public_created_revision: Generated<number>
}

/** A tombstone of the change feed. `public_gone_events` has those of events that the public could see. */
export interface GoneEventRow {
  event_id: string
  revision: number
  gone_at: number
}

/** The view `public_changes`. */
export interface PublicChangeRow {
  key: number
  id: string
  revision: number
  created_revision: number
}

/** A deleted event: what is needed to store it again, and what a list shows of it. */
export interface TrashRow extends ChangeMeans {
  event_id: string
  uid: string
  dav_name: string
  visibility: Visibility
  title: string
  all_day: 0 | 1
  timezone: string
  start_at: number
  duration_ms: number
  is_recurring: 0 | 1
  ical: string
  sent_ical: string | null
  mask_epoch: number
  /** Its last version. */
  version: number
  created_at: number
  updated_at: number
  created_by: string | null
  updated_by: string | null
  deleted_at: number
  deleted_by: string | null
  deleted_with: 'session' | 'password' | 'app_password' | 'token' | 'operator'
  /** The session, app password or token. */
  credential_id: string | null
}

/** A credential that deleted or changed very many events in a short time. */
export interface BulkChangesRow {
  /** The session, app password or token; for a password the account, with its kind before it. */
  credential: string
  user_id: string
  changed_with: 'session' | 'password' | 'app_password' | 'token'
  /** Null for a password. */
  credential_id: string | null
  began_at: number
  /** When there was last a change too many. */
  last_at: number
}
