// Kysely driver for the SQLite connection that reads: one snapshot at a time, others are queued.
import type { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely'
import { runHoldingConnection } from '../../scheduling/current-client.ts'
import { isTurnOver, yieldToEventLoop } from '../../scheduling/event-loop.ts'
import type { StorageHealth } from '../health/storage-health.ts'
import { type ConnectionQueue, createConnectionQueue, MAX_WAITING_OF_CUSTOMER } from './connection-queue.ts'
import { createPoolMetrics, type PoolMetrics } from './pool-metrics.ts'
import { createStatementExecutor, NodeSqliteConnection } from './sqlite-connection.ts'

export class SqliteReadDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #connection: NodeSqliteConnection
  readonly #queue: ConnectionQueue
  readonly metrics: PoolMetrics = createPoolMetrics('reads', 1, () => this.#queue.usage())

  constructor(database: DatabaseSync, health: StorageHealth) {
    this.#database = database
    this.#connection = new NodeSqliteConnection(createStatementExecutor(database, health, this.metrics.statements))
    this.#queue = createConnectionQueue({
      atOnce: 1,
      maxWaiting: Number.POSITIVE_INFINITY,
      maxWaitingOfCustomer: MAX_WAITING_OF_CUSTOMER.reads,
      waits: this.metrics.waits,
    })
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#queue.acquire()
    // Statements are synchronous: transactions that waited would all run in the same turn of the event loop.
    if (isTurnOver()) await runHoldingConnection(yieldToEventLoop)
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    this.#queue.release()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A failed statement may have ended the transaction already.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}
