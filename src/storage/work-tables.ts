// Row types of tables for background work.
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
