// A SQLite connection with its settings and its prepared statements; also loaded in worker threads, so it imports little.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Bounds the prepared statements kept; our queries have far fewer distinct texts. */
const MAX_STATEMENTS = 400

export function configureSqlite(database: DatabaseSync): void {
  database.exec(
    'pragma busy_timeout = 5000; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -16000',
  )
}

export interface StatementResult {
  rows: unknown[]
  /** Rows changed, for a statement that returns none. */
  changes: number | bigint | undefined
}

export type StatementRunner = (sql: string, parameters: readonly unknown[]) => StatementResult

export function createStatementRunner(database: DatabaseSync): StatementRunner {
  const statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>()
  const prepare = (sql: string): { statement: StatementSync; returnsRows: boolean } => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    statements.set(sql, prepared)
    return prepared
  }
  return (sql, parameters) => {
    const { statement, returnsRows } = prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values), changes: undefined }
    return { rows: [], changes: statement.run(...values).changes }
  }
}
