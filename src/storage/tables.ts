// Table types. Instants are UTC milliseconds, local times wall milliseconds, flags 0/1.
import type { Generated, Kysely } from 'kysely'
import type { ApprovalState, Role } from '../domain/account/account.ts'
import type { AuditAction } from '../domain/account/audit.ts'
import type { Details, Transparency, Visibility } from '../domain/calendar/event.ts'
import type { CategoryRow } from './categories/category-row.ts'
import type {
  BulkChangesRow,
  CalendarRow,
  ChangeColumns,
  ChangeMeans,
  EventVersionRow,
  GoneEventRow,
  PublicChangeRow,
  TrashRow,
} from './history/tables.ts'
import type { BackupStateRow, IdempotencyRow, IndexWorkRow, OutboxRow } from './work-tables.ts'

export type { BulkChangesRow, ChangeMeans, EventVersionRow, OutboxRow, TrashRow }

export type Flag = 0 | 1

/** Text fields that an event and an edited occurrence both have, with the domain's names. */
export type WordColumns = Details

export interface PlaceColumns {
  start_local: number
  start_at: number
  duration_ms: number
}

/** Time, recurrence and key columns of `events`; the public may see all of them. */
export interface TimeColumns extends PlaceColumns {
  key: number
  id: string
  visibility: Visibility
  all_day: Flag
  timezone: string
  rrule: string | null
  /** JSON list of wall milliseconds. */
  rdates: string
  /** The last start that COUNT allows, computed once when the event was written. */
  last_local: number | null
  is_recurring: Flag
  /** The time span whose occurrences are index rows; null on a side means there are none beyond. */
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

export interface EventRow extends TimeColumns, WordColumns, ChangeMeans {
  uid: string
  transparency: Transparency
  search_text: string
  created_at: number
  updated_at: number
  created_by: string | null
  updated_by: string | null
  version: number
  revision: number
  /** The iCalendar object: the source of truth that every other column is derived from. */
  ical: string
  /** The VEVENTs that the public may see, masked where needed; empty where the public sees nothing. */
  public_ical: string
  /** Raised each time the event stops being public; its masked UID changes with it. */
  mask_epoch: number
  /** The CalDAV object name: the last segment of its URL path. */
  dav_name: string
  /** The text that a CalDAV client sent, returned unchanged; null once the event was changed in another way. */
  sent_ical: string | null
  /** Whether the text could not be read when the event was last derived again. */
  is_unreadable: Flag
  /** Whether its category is internal, so that the public sees none. */
  hides_category: Flag
  /** A JSON list of the values of `CATEGORIES` after the first, in any occurrence; null where there are none. */
  more_categories: string | null
}

/** The columns of an event that its text does not contain, with the text itself. */
export type EventRecord = Pick<
  EventRow,
  | 'id'
  | 'created_at'
  | 'updated_at'
  | 'created_by'
  | 'updated_by'
  | 'version'
  | 'revision'
  | 'ical'
  | 'dav_name'
  | 'sent_ical'
> &
  PublicRecord &
  ChangeMeans

/** The public text and its mask epoch; every write of an event sets them. */
export type PublicRecord = Pick<EventRow, 'public_ical' | 'mask_epoch'>

/** An event without its texts, which most reads do not need. */
export type KnownEventRow = Omit<
  EventRow,
  | 'ical'
  | 'public_ical'
  | 'mask_epoch'
  | 'dav_name'
  | 'sent_ical'
  | 'is_unreadable'
  | 'hides_category'
  | 'more_categories'
  | keyof ChangeMeans
>

/** The view `public_events`: without private text. */
export interface PublicEventRow extends TimeColumns, WordColumns {}

/** The view `public_feed`: the source of feeds, masked texts only. */
export type PublicFeedRow = Pick<
  EventRow,
  'key' | 'id' | 'all_day' | 'timezone' | 'indexed_to' | 'category' | 'public_ical'
>

/** A word of an event's public text, for search. `local_at` names the edited occurrence it is from, or the series. */
export interface PublicWordRow {
  event_key: number
  local_at: number
  word: string
}

/** The view `public_exceptions` has this shape. */
export interface PublicExceptionRow extends Nullable<WordColumns>, Nullable<PlaceColumns> {
  event_key: number
  local_at: number
  kind: 'excluded' | 'overridden'
  created_at: number
  created_by: string | null
}

export interface ExceptionRow extends PublicExceptionRow {
  search_text: string | null
  /** Only where it differs from the event's. */
  transparency: Transparency | null
  /**
   * Whether the public can see it: in a private series, an edit that moves nothing and a deleted date that never was an
   * occurrence have no public effect. The view `public_exceptions` has only those with one.
   */
  has_public_effect: Flag
  hides_category: Flag
}

type Nullable<T> = { [Column in keyof T]: T[Column] | null }

export interface OccurrenceRow {
  event_key: number
  local_at: number
  lane: number
  start_at: number
  end_at: number
  is_overridden: Flag
  /** If set, hidden from the public. 1: cancelled and private. 2: an unmoved edit of a private series outside the index. */
  is_hidden: Flag | 2
}

export interface UserRow {
  id: string
  email: string
  email_key: string
  display_name: string
  /** The name, normalised for search. */
  name_key: string
  /** Empty once the password is invalidated and no new one is chosen. */
  password_hash: string
  /** Requested again since the password was chosen: another person may have chosen it. */
  was_asked_again: Flag
  /** How often the account was requested; 0 when an operator made it. Not counted once it is approved and verified. */
  request_count: number
  last_requested_at: number | null
  role: Role
  approval_state: ApprovalState
  email_verified_at: number | null
  request_message: string | null
  created_at: number
  decided_at: number | null
  decided_by: string | null
  last_login_at: number | null
  version: number
  /** Of mails to the account; null: the calendar's. */
  language: string | null
}

export interface SessionRow {
  id: string
  hash: string
  user_id: string
  is_remembered: Flag
  created_at: number
  last_seen_at: number
  /** The network where it was begun, so that its owner recognises the session. */
  client_net: string
  user_agent: string
}

/** A single-use token sent by mail. */
export interface TokenRow {
  hash: string
  purpose: 'verify' | 'reset'
  user_id: string
  /** The address it was sent to; valid only while the account still has this address. */
  email_key: string
  created_at: number
  expires_at: number
  used_at: number | null
}

export interface AppPasswordRow {
  id: string
  hash: string
  user_id: string
  name: string
  created_at: number
  last_used_at: number | null
}

export interface ApiTokenRow extends AppPasswordRow {
  last_four: string
  /** Separated by spaces. */
  scopes: string
  expires_at: number
}

/** A secret feed URL, for calendar clients that cannot sign in. */
export interface FeedLinkRow extends AppPasswordRow {
  detail: 'full' | 'masked'
  /** A JSON list; null for all. */
  categories: string | null
}

export interface AuditRow {
  at: number
  request_id: string | null
  actor_id: string | null
  action: AuditAction
  subject_id: string | null
  /** JSON: what changed, from what to what. Never a secret, never an address. */
  detail: string
}

export interface Tables {
  calendar: CalendarRow
  instance: {
    id: 1
    secret: string
    setup_code_hash: string | null
    /** The time zone data, calendar zone and derivation version that all rows were last derived with. */
    tz_version: string
    created_at: number
    /** Raised when an administrator changes settings. */
    settings_version: Generated<number>
    /** The last time that housekeeping found plausible; 0 before the first. */
    clock_seen_at: Generated<number>
  }
  /** Settings that administrators have changed; the password of the mail server is encrypted. */
  settings: { name: string; value: string; changed_at: number }
  categories: CategoryRow
  events: EventRow & ChangeColumns
  public_events: PublicEventRow
  exceptions: ExceptionRow
  public_exceptions: PublicExceptionRow
  public_feed: PublicFeedRow
  public_words: PublicWordRow
  occurrences: OccurrenceRow
  /** Tombstones: object names that CalDAV clients may still have and that are gone. A name may be used again. */
  gone_names: { dav_name: string; revision: number; gone_at: number }
  gone_events: GoneEventRow
  public_gone_events: GoneEventRow
  public_changes: PublicChangeRow
  trash: TrashRow
  event_versions: EventVersionRow
  bulk_changes: BulkChangesRow
  users: UserRow
  idempotency_keys: IdempotencyRow
  sessions: SessionRow
  tokens: TokenRow
  app_passwords: AppPasswordRow
  api_tokens: ApiTokenRow
  feed_links: FeedLinkRow
  /** A CalDAV credential has received every object up to this revision, and those in `served_objects`. */
  served_revisions: { credential_id: string; user_id: string; revision: number; served_at: number }
  served_objects: { credential_id: string; dav_name: string; revision: number }
  /** Properties that an account's CalDAV clients set for themselves: the calendar's name, colour and order. */
  dav_properties: { user_id: string; name: string; value: string; lang: string | null }
  outbox: OutboxRow
  /** One row per policy and key: hits in the current window and in the one before. */
  rate_limits: { name: string; started_at: number; hits: number; hits_before: number; expires_at: number }
  traces: { seq: Generated<number>; at: number; entry: string }
  audit: AuditRow & { seq: Generated<number> }
  spent_proofs: { proof: string; expires_at: number }
  index_work: IndexWorkRow
  backup_state: BackupStateRow
  leases: { name: string; holder: string; expires_at: number }
  migrations: { name: string; applied_at: number }
}

export type Db = Kysely<Tables>
