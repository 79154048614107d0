// Row types of tables for background work.
import type { MailKind } from '../domain/account/mail-kind.ts'

/** Progress of long index work: its target, the last key, and how many of how many events. */
export interface IndexWorkRow {
  name: 'rebuild' | 'extend'
  target: string
  cursor_key: number
  done: number
  total: number
  is_finished: 0 | 1
}

/** One row: the last scheduled backup. */
export interface BackupStateRow {
  id: 1
  attempted_at: number | null
  succeeded_at: number | null
  /** Why the last one failed; null after a success. */
  problem: string | null
  /** When administrators were last notified of failures. */
  notified_at: number | null
}

/** A POST with an idempotency key. */
export interface IdempotencyRow {
  user_id: string
  /** A hash: the key itself is not stored. */
  key: string
  body_hash: string
  /** The event that it created. */
  event_id: string | null
  /** The request that runs; null once its answer is stored. */
  holder: string | null
  /** Until when, at most; null once it has taken effect. */
  held_until: number | null
  /** Encrypted with the key. Null where it is not kept. */
  answer: string | null
  created_at: number
}

/** Outbox: a mail to send. It holds recipient and kind; text and tokens are made when it is sent. */
export interface OutboxRow {
  id: string
  kind: MailKind
  user_id: string | null
  /** Set while only the address is known and its account has not been looked up yet. */
  email_key: string | null
  status: 'waiting' | 'sent' | 'failed' | 'dropped'
  attempts: number
  next_at: number
  claimed_by: string | null
  claimed_until: number
  /** Error code of the last failed attempt. */
  problem: string | null
  created_at: number
  done_at: number | null
}
