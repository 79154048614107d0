// Which tables a backup holds, parents before their children.
import type { Tables } from '../tables.ts'

type StoredTable = Exclude<keyof Tables, 'public_events' | 'public_exceptions' | 'public_feed' | 'public_changes'>

export const COPIED_TABLES = [
  'migrations',
  'calendar',
  'instance',
  'settings',
  'users',
  'categories',
  'events',
  'exceptions',
  'occurrences',
  'public_words',
  'gone_names',
  'gone_events',
  'public_gone_events',
  'trash',
  'event_versions',
  'app_passwords',
  'api_tokens',
  'feed_links',
  'dav_properties',
  'idempotency_keys',
  'outbox',
  'audit',
  'index_work',
] as const satisfies readonly StoredTable[]

export type CopiedTable = (typeof COPIED_TABLES)[number]

/** Rows that mean nothing elsewhere or later: sessions, links sent by mail, counters, leases, traces, served versions, the last backup, incidents. */
export const LEFT_OUT_TABLES = [
  'sessions',
  'tokens',
  'rate_limits',
  'traces',
  'spent_proofs',
  'leases',
  'served_revisions',
  'served_objects',
  'backup_state',
  'bulk_changes',
] as const satisfies readonly Exclude<StoredTable, CopiedTable>[]

/** Tables of earlier schemas, which migrations read and remove. */
export const RETIRED_TABLES = ['tombstones'] as const

/** Backups of the first version hold them; they are never read. */
export const VIEWS = [
  'public_events',
  'public_exceptions',
  'public_feed',
  'public_categories',
  'object_heads',
  'public_changes',
  'public_updates',
] as const
