// The shape of the database as the queries see it. Instants are UTC milliseconds, readings are wall milliseconds, flags 0/1.
import type { Kysely } from 'kysely'
import type { ApprovalState, Role } from '../domain/account/account.ts'
import type { Details, Transparency, Visibility } from '../domain/calendar/event.ts'

export type Flag = 0 | 1

/** What an event and an edited occurrence both have: the domain's words, under the same names. */
export type WordColumns = Details

export interface PlaceColumns {
  start_local: number
  start_at: number
  duration_ms: number
}

/** The columns of `events` that are time and nothing else; the public may have all of them. */
export interface TimeColumns extends PlaceColumns {
  key: number
  id: string
  visibility: Visibility
  all_day: Flag
  timezone: string
  rrule: string | null
  /** JSON list of wall milliseconds. */
  rdates: string
  /** The last start COUNT allows, found once when the event was written. */
  last_local: number | null
  is_recurring: Flag
  /** The part of time whose occurrences are rows; null on a side means there are none beyond. */
  indexed_from: number | null
  indexed_to: number | null
}

export const TIME_COLUMNS = [
  'key',
  'id',
  'visibility',
  'all_day',
  'timezone',
  'start_local',
  'start_at',
  'duration_ms',
  'rrule',
  'rdates',
  'last_local',
  'is_recurring',
  'indexed_from',
  'indexed_to',
] as const satisfies (keyof TimeColumns)[]

export interface EventRow extends TimeColumns, WordColumns {
  uid: string
  transparency: Transparency
  search_text: string
  created_at: number
  updated_at: number
  created_by: string | null
  updated_by: string | null
  version: number
  revision: number
  /** The calendar object: the truth every other column is derived from. */
  ical: string
}

/** An event without its text, which no read needs. */
export type KnownEventRow = Omit<EventRow, 'ical'>

/** The view `public_events`: private words are already gone, in SQL. */
export interface PublicEventRow extends TimeColumns, WordColumns {
  search_text: string
}

export interface ExceptionRow extends Nullable<WordColumns>, Nullable<PlaceColumns> {
  event_key: number
  local_at: number
  kind: 'excluded' | 'overridden'
  search_text: string | null
  created_at: number
  created_by: string | null
}

type Nullable<T> = { [Column in keyof T]: T[Column] | null }

export interface OccurrenceRow {
  event_key: number
  local_at: number
  lane: number
  start_at: number
  end_at: number
  is_overridden: Flag
  /** Cancelled and private: for the public it was never there. */
  is_hidden: Flag
}

export interface UserRow {
  id: string
  email: string
  email_key: string
  display_name: string
  password_hash: string
  role: Role
  approval_state: ApprovalState
  email_verified_at: number | null
  request_message: string | null
  created_at: number
  decided_at: number | null
  decided_by: string | null
  last_login_at: number | null
  version: number
}

export interface Tables {
  /** One row: the counters every cache and every sync is keyed by, and the span of the occurrence index. */
  calendar: { id: 1; revision: number; accounts_revision: number; index_from: number; index_to: number }
  instance: { id: 1; secret: string; setup_code_hash: string | null; tz_version: string; created_at: number }
  events: EventRow
  public_events: PublicEventRow
  exceptions: ExceptionRow
  public_exceptions: ExceptionRow
  occurrences: OccurrenceRow
  tombstones: { event_id: string; uid: string; revision: number; deleted_at: number }
  users: UserRow
  idempotency_keys: { user_id: string; key: string; body_hash: string; event_id: string; created_at: number }
  leases: { name: string; holder: string; expires_at: number }
  migrations: { name: string; applied_at: number }
}

export type Db = Kysely<Tables>
