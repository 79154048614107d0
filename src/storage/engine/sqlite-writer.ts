// Kysely driver for the SQLite connection that writes: bounded queue, write lock, group commit.
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { DatabaseConnection, Driver } from 'kysely'
import { AppError } from '../../errors.ts'
import { runHoldingConnection } from '../../scheduling/current-client.ts'
import { isTurnOver, yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { isBusy } from '../dialect.ts'
import type { FileGuard } from '../health/file-guard.ts'
import type { StorageHealth } from '../health/storage-health.ts'
import { createWriteLock, type WriteLock, WriteLockedError } from '../health/write-lock.ts'
import { type ConnectionQueue, createConnectionQueue, MAX_WAITING_OF_CUSTOMER } from './connection-queue.ts'
import { createGroupCommit, type GroupCommit, type GroupMember } from './group-commit.ts'
import { createPoolMetrics, type PoolMetrics } from './pool-metrics.ts'
import { createStatementExecutor, NodeSqliteConnection, type StatementExecutor } from './sqlite-connection.ts'

/** How often a transaction checks whether another process has finished its own. */
const RETRY_MS = 5

export interface SqliteWriterOptions {
  maxWaitMs: number
  maxWaiting: number
  health: StorageHealth
  clock: () => number
  files: FileGuard
}

export class SqliteWriteDriver implements Driver {
  readonly #database: DatabaseSync
  /** For a transaction that has begun. */
  readonly execute: StatementExecutor
  readonly #options: SqliteWriterOptions
  readonly #lock: WriteLock
  /** Without a time limit: `#begin` knows whether the wait was for another process. */
  readonly #queue: ConnectionQueue
  readonly #groups: GroupCommit
  readonly metrics: PoolMetrics = createPoolMetrics('writes', 1, () => this.#queue.usage())

  constructor(database: DatabaseSync, options: SqliteWriterOptions) {
    const { clock, files, health, maxWaiting, maxWaitMs } = options
    this.#database = database
    this.#options = options
    this.execute = createStatementExecutor(database, health, this.metrics.statements)
    this.#lock = createWriteLock(maxWaitMs, clock)
    const maxWaitingOfCustomer = MAX_WAITING_OF_CUSTOMER.writes
    const { waits } = this.metrics
    this.#queue = createConnectionQueue({ atOnce: 1, maxWaiting, maxWaitingOfCustomer, clock, waits })
    this.#groups = createGroupCommit({
      begin: (queuedAt) => this.#begin(queuedAt),
      commit: () => {
        files.requireIntact()
        this.execute('commit')
        // A write into a file that was unlinked or replaced is not acknowledged.
        files.requireIntact()
      },
      run: (sql) => void this.execute(sql),
      isOpen: () => database.isTransaction,
      clock,
    })
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const queuedAt = await this.#queue.acquire()
    // Statements are synchronous: transactions that waited would all run in the same turn of the event loop.
    if (isTurnOver()) await runHoldingConnection(yieldToEventLoop)
    return new SqliteWriteConnection(this.execute, this.#groups, this.#queue, queuedAt)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as SqliteWriteConnection).handOn()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // A write to a damaged database would be lost when a backup is restored.
    if (this.#options.health.failure() === 'corrupt') throw new AppError('storage_unavailable')
    await (connection as SqliteWriteConnection).begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { member, handOn } = connection as SqliteWriteConnection
    await member!.commit(handOn)
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const { member, handOn } = connection as SqliteWriteConnection
    await member!.rollback(handOn)
  }

  async destroy(): Promise<void> {
    this.#groups.flush()
    this.#database.close()
  }

  /**
   * Begins IMMEDIATE: a transaction that starts reading and then writes would fail at once instead of waiting. While
   * another process writes, we wait here with timers, as SQLite's own wait would block the event loop.
   */
  async #begin(queuedAt: number): Promise<void> {
    const { clock, files, health, maxWaitMs } = this.#options
    files.requireIntact()
    for (;;) {
      try {
        this.execute('begin immediate')
        this.#lock.noteFree()
        health.clear('locked')
        files.begin()
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        const isHeldLong = this.#lock.noteHeld()
        if (clock() - queuedAt >= maxWaitMs) throw isHeldLong ? reportLocked(error, health) : error
        await delay(RETRY_MS)
      }
    }
  }
}

/** The one connection, as one transaction or single statement has it. */
class SqliteWriteConnection extends NodeSqliteConnection {
  readonly #groups: GroupCommit
  readonly #queuedAt: number
  /** Lets the next transaction have the connection; called before this one is acknowledged. */
  readonly handOn: () => void
  member: GroupMember | undefined

  constructor(execute: StatementExecutor, groups: GroupCommit, queue: ConnectionQueue, queuedAt: number) {
    super((sql, parameters) => {
      // A single statement commits itself, and is not part of the open group.
      if (!this.member) groups.flush()
      return execute(sql, parameters)
    })
    this.#groups = groups
    this.#queuedAt = queuedAt
    let isHeld = true
    this.handOn = () => {
      if (isHeld) queue.release()
      isHeld = false
    }
  }

  async begin(): Promise<void> {
    this.member = await this.#groups.begin(this.#queuedAt)
  }
}

/** The error of a transaction that could not begin because another process holds the write lock. */
function reportLocked(error: unknown, health: StorageHealth): AppError {
  const cause = new WriteLockedError((error as AppError).cause as WriteLockedError)
  health.report(cause)
  return new AppError('storage_unavailable', { cause })
}
