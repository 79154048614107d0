// The database as the rest of the service holds it: connections to read and write by, and its health.
import type { StorageHealth } from '../health/storage-health.ts'
import type { Db } from '../tables.ts'

export interface StorageReader {
  db: Db
  close(): Promise<void>
}

export interface Storage {
  engine: 'sqlite' | 'postgres'
  health: StorageHealth
  /** For single reads, which never wait for a transaction. */
  reads: Db
  /** For `inTransaction` alone. */
  writes: Db
  /** For whoever reads long and slowly: nobody waits behind it. */
  openReader(): StorageReader
  /** A connection without the time limits of requests, for migrations. */
  openMaintenance(): StorageReader
  close(): Promise<void>
}
