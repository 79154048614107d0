// A SQLite connection as the query builder sees it: prepared statements, errors reported to health.
import type { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Histogram } from '../../ops/histogram.ts'
import { type StorageHealth, wrapFailure } from '../health/storage-health.ts'
import { createStatementRunner } from './sqlite-statements.ts'

export type StatementExecutor = <Row>(sql: string, parameters?: readonly unknown[]) => QueryResult<Row>

/** Executes statements; a failure of the database is reported and becomes `storage_unavailable`. */
export function createStatementExecutor(
  database: DatabaseSync,
  health: StorageHealth,
  durations: Histogram,
): StatementExecutor {
  const run = createStatementRunner(database)
  return <Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> => {
    const begunAt = performance.now()
    try {
      const { rows, changes } = run(sql, parameters)
      return { rows: rows as Row[], ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) }
    } catch (error) {
      throw wrapFailure(error, health)
    } finally {
      durations.observeMs(performance.now() - begunAt)
    }
  }
}

export class NodeSqliteConnection implements DatabaseConnection {
  readonly #execute: StatementExecutor

  constructor(execute: StatementExecutor) {
    this.#execute = execute
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#execute<Row>(sql, parameters)
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator; nothing here streams.
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('node:sqlite answers are not streamed')
  }
}
