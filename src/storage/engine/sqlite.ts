// SQLite through node:sqlite: a writer and a reader connection, each with a small Kysely driver.

import { DatabaseSync } from 'node:sqlite'
import { type Dialect, type Driver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { directReaders } from '../dialect.ts'
import { createFileGuard, type FileGuard } from '../health/file-guard.ts'
import { createStorageHealth, type StorageHealth, wrapFailure } from '../health/storage-health.ts'
import type { Tables } from '../tables.ts'
import { MAX_WAITING_WRITES } from './connection-queue.ts'
import { createStatementExecutor } from './sqlite-connection.ts'
import { SqliteReadDriver } from './sqlite-reader.ts'
import { configureSqlite as configure } from './sqlite-statements.ts'
import { SqliteTransactionBuilder } from './sqlite-transactions.ts'
import { createSqliteWorkerPool } from './sqlite-worker.ts'
import { SqliteWriteDriver } from './sqlite-writer.ts'
import type { Storage } from './storage.ts'
import { STORAGE_LIMITS } from './storage-limits.ts'

/** A WAL file that grew longer, during a long snapshot, is truncated to this when it restarts. */
const MAX_IDLE_WAL_BYTES = 16 * 1_024 * 1_024

const DEFAULT_PAGE_CACHE_KIB = 4_096

export interface SqliteOptions {
  /** How long a transaction waits for another process, from the time it was queued. */
  maxWaitMs?: number
  /** How many transactions may wait to write; one more is refused. */
  maxWaiting?: number
  health?: StorageHealth
  /** Memory of each connection for pages of the file. */
  pageCacheKib?: number
  /** A monotonic clock, in milliseconds. */
  clock?: () => number
}

export function openSqlite(path: string, options: SqliteOptions = {}): Storage {
  const {
    maxWaitMs = STORAGE_LIMITS.writeWaitMs,
    maxWaiting = MAX_WAITING_WRITES,
    health = createStorageHealth(),
  } = options
  const { clock = () => performance.now(), pageCacheKib = DEFAULT_PAGE_CACHE_KIB } = options
  const writer = new DatabaseSync(path)
  let files: FileGuard
  try {
    // FULL: a commit is on the disk before it is acknowledged, power loss included.
    writer.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = ${MAX_IDLE_WAL_BYTES}`,
    )
    configure(writer, pageCacheKib)
    const { synchronous } = writer.prepare('pragma synchronous').get() as { synchronous: number }
    writer.exec('pragma busy_timeout = 0')
    if (synchronous !== 2) throw new Error('SQLite did not accept synchronous=FULL')
    files = createFileGuard(path, writer, health)
  } catch (error) {
    writer.close()
    throw error
  }
  const reader = new DatabaseSync(path, { readOnly: true })
  configure(reader, pageCacheKib)
  const writeDriver = new SqliteWriteDriver(writer, { maxWaitMs, maxWaiting, health, clock, files })
  const writes = createWrites(writeDriver)
  const readDriver = new SqliteReadDriver(reader, health)
  const reads = new Kysely<Tables>({ dialect: sqliteDialect(readDriver) })
  // Single small reads have their own connection: on the reader's they would run inside another request's snapshot.
  const direct = new DatabaseSync(path, { readOnly: true })
  configure(direct, pageCacheKib)
  const execute = createStatementExecutor(direct, health, readDriver.metrics.statements)
  directReaders.set(reads, (text, parameters) => execute(text, parameters).rows)
  const worker = createSqliteWorkerPool(path, { wrapError: (error) => wrapFailure(error, health), pageCacheKib })
  return {
    engine: 'sqlite',
    reads,
    writes,
    health,
    pools: [readDriver.metrics, writeDriver.metrics],
    commitListeners: new Set(),
    openReader() {
      // A connection opened now would read other files than the open ones.
      files.requireIntact()
      return worker.openReader()
    },
    openMaintenance: () => ({ db: writes, close: async () => {} }),
    async close() {
      // Closing would checkpoint the WAL into, and delete by name, files that are not ours; ending the process does
      // not.
      if (!files.stop()) return
      await worker.close()
      direct.close()
      await reads.destroy()
      await writes.destroy()
      // Kysely destroys no driver that was not used.
      for (const database of [reader, writer]) if (database.isOpen) database.close()
    },
  }
}

function createWrites(driver: SqliteWriteDriver): Kysely<Tables> {
  const dialect = sqliteDialect(driver)
  const writes = new Kysely<Tables>({ dialect })
  const props = { config: { dialect }, dialect, driver, executor: writes.getExecutor() }
  writes.transaction = () => new SqliteTransactionBuilder(props, driver)
  return writes
}

export const sqliteDialect = (driver: Driver): Dialect => ({
  createAdapter: () => new QueueingSqliteAdapter(),
  createDriver: () => driver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

/** The driver has the queue: Kysely's own in front of it has neither a bound nor a deadline. */
class QueueingSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
