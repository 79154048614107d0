// The Storage interface: connections for reads, writes, long reads and migrations, and health.
import type { StorageHealth } from '../health/storage-health.ts'
import type { Db } from '../tables.ts'
import type { CommitListeners } from './commits.ts'
import type { PoolMetrics } from './pool-metrics.ts'

export interface StorageReader {
  db: Db
  close(): Promise<void>
}

export interface NodeNotices {
  notify(): Promise<void>
  listen(onNotice: () => void): { stop(): Promise<void> }
}

export interface Storage {
  engine: 'sqlite' | 'postgres'
  health: StorageHealth
  pools: readonly PoolMetrics[]
  /** For single reads, which never wait for a transaction. */
  reads: Db
  /** For `inTransaction` only. */
  writes: Db
  /** An open transaction that all others are parts of. */
  outer?: Db
  /** For long or slow reads: a connection of their own, so no other request waits for it. */
  openReader(): StorageReader
  /** A connection without the time limits of requests, for migrations. */
  openMaintenance(): StorageReader
  /** Called after each commit of this process that raised a counter of the calendar. */
  commitListeners: CommitListeners
  /** Tells other nodes of such a commit, and is told by them; undefined where all nodes see one file. */
  notices?: NodeNotices
  close(): Promise<void>
}
