// SQLite through node:sqlite: a writer and a reader connection, each with a small Kysely driver.

import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { AppError } from '../../errors.ts'
import { runHoldingConnection } from '../../scheduling/current-client.ts'
import { isTurnOver, yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { directReaders, isBusy } from '../dialect.ts'
import { createFileGuard, type FileGuard } from '../health/file-guard.ts'
import { createStorageHealth, type StorageHealth, wrapFailure } from '../health/storage-health.ts'
import { createWriteLock, type WriteLock, WriteLockedError } from '../health/write-lock.ts'
import type { Tables } from '../tables.ts'
import {
  type ConnectionQueue,
  createConnectionQueue,
  MAX_WAITING_OF_CUSTOMER,
  MAX_WAITING_WRITES,
  MAX_WRITE_WAIT_MS,
} from './connection-queue.ts'
import { configureSqlite as configure, createStatementRunner, type StatementRunner } from './sqlite-statements.ts'
import { createSqliteWorkerPool } from './sqlite-worker.ts'
import type { Storage } from './storage.ts'

/** How often a transaction checks whether another process has finished its own. */
const RETRY_MS = 5

/** A WAL file that grew longer, during a long snapshot, is truncated to this when it restarts. */
const MAX_IDLE_WAL_BYTES = 16 * 1_024 * 1_024

export interface SqliteOptions {
  /** How long a transaction waits for another process, from the time it was queued. */
  maxWaitMs?: number
  /** How many transactions may wait to write; one more is refused. */
  maxWaiting?: number
  health?: StorageHealth
  /** A monotonic clock, in milliseconds. */
  clock?: () => number
}

export function openSqlite(path: string, options: SqliteOptions = {}): Storage {
  const { maxWaitMs = MAX_WRITE_WAIT_MS, maxWaiting = MAX_WAITING_WRITES, health = createStorageHealth() } = options
  const { clock = () => performance.now() } = options
  const writer = new DatabaseSync(path)
  let files: FileGuard
  try {
    // FULL: a commit is on the disk before it is acknowledged, power loss included.
    writer.exec(
      `pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = ${MAX_IDLE_WAL_BYTES}`,
    )
    configure(writer)
    const { synchronous } = writer.prepare('pragma synchronous').get() as { synchronous: number }
    writer.exec('pragma busy_timeout = 0')
    if (synchronous !== 2) throw new Error('SQLite did not accept synchronous=FULL')
    files = createFileGuard(path, writer, health)
  } catch (error) {
    writer.close()
    throw error
  }
  const reader = new DatabaseSync(path, { readOnly: true })
  configure(reader)
  const writes = new Kysely<Tables>({
    dialect: sqliteDialect(writer, {
      begin: 'begin immediate',
      maxWaitMs,
      maxWaiting,
      maxWaitingOfCustomer: MAX_WAITING_OF_CUSTOMER.writes,
      health,
      clock,
      files,
    }),
  })
  const reads = new Kysely<Tables>({
    dialect: sqliteDialect(reader, {
      begin: 'begin',
      maxWaitMs,
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitingOfCustomer: MAX_WAITING_OF_CUSTOMER.reads,
      health,
      clock,
    }),
  })
  // Single small reads have their own connection: on the reader's they would run inside another request's snapshot.
  const direct = new DatabaseSync(path, { readOnly: true })
  configure(direct)
  const connection = new NodeSqliteConnection(direct, health)
  directReaders.set(reads, (text, parameters) => connection.run(text, parameters).rows)
  const worker = createSqliteWorkerPool(path, { wrapError: (error) => wrapFailure(error, health) })
  return {
    engine: 'sqlite',
    reads,
    writes,
    health,
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
    },
  }
}

interface DriverOptions {
  begin: string
  maxWaitMs: number
  maxWaiting: number
  maxWaitingOfCustomer: number
  health: StorageHealth
  clock: () => number
  /** Set for the connection that writes. */
  files?: FileGuard
}

const sqliteDialect = (database: DatabaseSync, options: DriverOptions): Dialect => ({
  createAdapter: () => new QueueingSqliteAdapter(),
  createDriver: () => new NodeSqliteDriver(database, options),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

/** The driver has the queue: Kysely's own in front of it has neither a bound nor a deadline. */
class QueueingSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class NodeSqliteDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #connection: NodeSqliteConnection
  readonly #options: DriverOptions
  readonly #lock: WriteLock
  /** Without a time limit: `beginTransaction` knows whether the wait was for another process. */
  readonly #queue: ConnectionQueue
  /** When the transaction that has the connection was queued. */
  #queuedAt = 0

  constructor(database: DatabaseSync, options: DriverOptions) {
    this.#database = database
    this.#options = options
    this.#connection = new NodeSqliteConnection(database, options.health)
    this.#lock = createWriteLock(options.maxWaitMs, options.clock)
    const { maxWaiting, maxWaitingOfCustomer, clock } = options
    this.#queue = createConnectionQueue({ atOnce: 1, maxWaiting, maxWaitingOfCustomer, clock })
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#queuedAt = await this.#queue.acquire()
    // Statements are synchronous: transactions that waited would all run in the same turn of the event loop.
    if (isTurnOver()) await runHoldingConnection(yieldToEventLoop)
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#queue.release()
  }

  /**
   * The writer begins IMMEDIATE: a transaction that starts reading and then writes would fail at once instead of
   * waiting. While another process writes, we wait here with timers, as SQLite's own wait would block the event loop.
   */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const { begin, clock, files, health, maxWaitMs } = this.#options
    files?.requireIntact()
    // A write to a damaged database would be lost when a backup is restored. Only the writer has `files`.
    if (files && health.failure() === 'corrupt') throw new AppError('storage_unavailable')
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw(begin))
        this.#lock.noteFree()
        health.clear('locked')
        files?.begin()
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        const isHeldLong = this.#lock.noteHeld()
        if (clock() - this.#queuedAt >= maxWaitMs) throw isHeldLong ? reportLocked(error, health) : error
        await delay(RETRY_MS)
      }
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#options.files?.requireIntact()
    await connection.executeQuery(CompiledQuery.raw('commit'))
    // A write into a file that was unlinked or replaced is not acknowledged.
    this.#options.files?.requireIntact()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk may have ended the transaction already.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #run: StatementRunner
  readonly #health: StorageHealth

  constructor(database: DatabaseSync, health: StorageHealth) {
    this.#run = createStatementRunner(database)
    this.#health = health
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(sql, parameters)
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    try {
      const { rows, changes } = this.#run(sql, parameters)
      return { rows: rows as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) }
    } catch (error) {
      throw wrapFailure(error, this.#health)
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator; nothing here streams.
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('node:sqlite answers are not streamed')
  }
}

/** The error of a transaction that could not begin because another process holds the write lock. */
function reportLocked(error: unknown, health: StorageHealth): AppError {
  const cause = new WriteLockedError((error as AppError).cause as WriteLockedError)
  health.report(cause)
  return new AppError('storage_unavailable', { cause })
}
