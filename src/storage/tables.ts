// The shape of the database as the queries see it. Instants are UTC milliseconds, readings are wall milliseconds, flags 0/1.
import type { Generated, Kysely } from 'kysely'
import type { ApprovalState, Role } from '../domain/account/account.ts'
import type { AuditAction } from '../domain/account/audit.ts'
import type { MailKind } from '../domain/account/mail-kind.ts'
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
  /** The printed VEVENTs the public may have, masked where it must be; empty where the public sees nothing. */
  public_ical: string
  /** Raised each time the event stops being public: the name it goes by from then on is another. */
  mask_epoch: number
  /** What programs that sync call it: the last part of its address there. */
  dav_name: string
  /** The text one of them sent, given back as it came; null once somebody has changed the event another way. */
  sent_ical: string | null
  /** The text could not be read when the event was last to be derived again. */
  is_unreadable: Flag
}

/** What is known of an event besides what its text says. */
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
  PublicRecord

/** What the public has of it, and under which name: whoever writes an event must say. */
export type PublicRecord = Pick<EventRow, 'public_ical' | 'mask_epoch'>

/** An event without its texts, which no read needs. */
export type KnownEventRow = Omit<
  EventRow,
  'ical' | 'public_ical' | 'mask_epoch' | 'dav_name' | 'sent_ical' | 'is_unreadable'
>

/** The view `public_events`: private words are already gone, in SQL. */
export interface PublicEventRow extends TimeColumns, WordColumns {}

/** The view `public_feed`: what a feed is put together from, and nothing that was ever unmasked. */
export type PublicFeedRow = Pick<
  EventRow,
  'key' | 'id' | 'all_day' | 'timezone' | 'indexed_to' | 'category' | 'public_ical'
>

/** A word of what the public sees of an event. `local_at` names the edited occurrence it stands in, or the series. */
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
  /** Only where it is another than the event's. */
  transparency: Transparency | null
  /**
   * Whether the public sees that it is there: of a private series an edit that moved nothing and a deleted date that
   * never was have none. The view `public_exceptions` has the others.
   */
  has_public_effect: Flag
}

type Nullable<T> = { [Column in keyof T]: T[Column] | null }

export interface OccurrenceRow {
  event_key: number
  local_at: number
  lane: number
  start_at: number
  end_at: number
  is_overridden: Flag
  /**
   * No row for the public. 1: cancelled and private, for the public it was never there. 2: an edit of a private series
   * that moved nothing, outside the indexed part: the public has it from the pattern, as if it was never edited.
   */
  is_hidden: Flag | 2
}

export interface UserRow {
  id: string
  email: string
  email_key: string
  display_name: string
  /** The name folded for search. */
  name_key: string
  /** Empty once the password has ended and no other is chosen. */
  password_hash: string
  /** Requested again since the password was chosen: the password may be that of another person. */
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
}

export interface SessionRow {
  id: string
  hash: string
  user_id: string
  is_remembered: Flag
  created_at: number
  last_seen_at: number
  /** Roughly where it was begun, for its owner to recognise. */
  client_net: string
  user_agent: string
}

/** Sent by mail, good once. */
export interface TokenRow {
  hash: string
  purpose: 'verify' | 'reset'
  user_id: string
  /** The address it was sent to; it is good only while that is still the account's. */
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

/** A secret address of a feed, for a calendar program that cannot sign in. */
export interface FeedLinkRow extends AppPasswordRow {
  detail: 'full' | 'masked'
  category: string | null
}

/** A mail to be sent. It names who it is for and why; its words, and any token in them, are made when it is sent. */
export interface OutboxRow {
  id: string
  kind: MailKind
  user_id: string | null
  /** Where only an address is known and nobody has looked yet whose it is. */
  email_key: string | null
  status: 'waiting' | 'sent' | 'failed' | 'dropped'
  attempts: number
  next_at: number
  claimed_by: string | null
  claimed_until: number
  /** Why the last try failed, as a code. */
  problem: string | null
  created_at: number
  done_at: number | null
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

/** Long work on the index: for which target, how far by key, and how many of how many events. */
export interface IndexWorkRow {
  name: 'rebuild' | 'extend'
  target: string
  cursor_key: number
  done: number
  total: number
  is_finished: Flag
}

export interface Tables {
  /** One row: the counters every cache and every sync is keyed by, and the span of the occurrence index. */
  calendar: {
    id: 1
    revision: number
    accounts_revision: number
    index_from: number
    index_to: number
    /** Names that went up to this revision are forgotten. */
    sync_floor: Generated<number>
  }
  /** Of the setup codes only hashes are kept, separated by spaces. */
  instance: {
    id: 1
    secret: string
    setup_code_hash: string | null
    /** The zone data, and the calendar's own zone, that everything was last derived with. */
    tz_version: string
    created_at: number
    site_name: string | null
    timezone: string | null
    week_start: number | null
    /** The last time housekeeping found plausible; 0 before the first. */
    clock_seen_at: Generated<number>
  }
  events: EventRow
  public_events: PublicEventRow
  exceptions: ExceptionRow
  public_exceptions: PublicExceptionRow
  public_feed: PublicFeedRow
  public_words: PublicWordRow
  occurrences: OccurrenceRow
  /** Names that programs may still have and that are there no more. One of them may be taken again. */
  gone_names: { dav_name: string; revision: number; gone_at: number }
  users: UserRow
  idempotency_keys: { user_id: string; key: string; body_hash: string; event_id: string; created_at: number }
  sessions: SessionRow
  tokens: TokenRow
  app_passwords: AppPasswordRow
  api_tokens: ApiTokenRow
  feed_links: FeedLinkRow
  /** How somebody wants to see the calendar in their programs: its name, colour and place there. */
  dav_properties: { user_id: string; name: string; value: string; lang: string | null }
  outbox: OutboxRow
  /** One row a policy and key: hits in the window that runs and in the one before. */
  rate_limits: { name: string; started_at: number; hits: number; hits_before: number; expires_at: number }
  traces: { seq: Generated<number>; at: number; entry: string }
  audit: AuditRow & { seq: Generated<number> }
  spent_proofs: { proof: string; expires_at: number }
  index_work: IndexWorkRow
  leases: { name: string; holder: string; expires_at: number }
  migrations: { name: string; applied_at: number }
}

export type Db = Kysely<Tables>
