// SQLite pragmas and prepared statements of a connection; few imports, so that workers load fast.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { LruMap } from '../../lru-map.ts'

/** Limits the cache of prepared statements; our queries have far fewer distinct texts. */
const MAX_STATEMENTS = 400

export function configureSqlite(database: DatabaseSync, pageCacheKib: number): void {
  database.exec(
    `pragma busy_timeout = 5000; pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -${pageCacheKib}`,
  )
}

export interface StatementResult {
  rows: unknown[]
  /** Rows changed, for a statement that returns none. */
  changes: number | bigint | undefined
}

export type StatementRunner = (sql: string, parameters: readonly unknown[]) => StatementResult

interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
  columns: ColumnReader
}

export function createStatementRunner(database: DatabaseSync): StatementRunner {
  const statements = new LruMap<string, PreparedStatement>(MAX_STATEMENTS)
  const prepare = (sql: string): PreparedStatement => {
    const known = statements.get(sql)
    if (known) return known
    const statement = database.prepare(withPlainLimits(sql))
    const returnsRows = statement.columns().length > 0
    if (returnsRows) statement.setReturnArrays(true)
    const prepared = { statement, returnsRows, columns: createColumnReader(statement) }
    statements.set(sql, prepared)
    return prepared
  }
  return (sql, parameters) => {
    const { statement, returnsRows, columns } = prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows)
      return { rows: columns.toRows(statement.all(...values) as unknown as Values[]), changes: undefined }
    // The columns of a `select *` may change.
    if (/^\s*(?:alter|create|drop)\b/i.test(sql)) statements.clear()
    return { rows: [], changes: statement.run(...values).changes }
  }
}

/**
 * A parameter alone after LIMIT is read by SQLite's planner, which then compiles the statement anew on each run, since
 * the value may be another: up to 25 times the cost of running it. An expression is not.
 */
const withPlainLimits = (sql: string): string => sql.replace(/\blimit (\?\d*)/gi, 'limit $1 + 0')

type Values = readonly unknown[]

interface ColumnReader {
  toRows(lists: readonly Values[]): unknown[]
}

/**
 * Builds rows as objects of one shape. Those of `node:sqlite` have no prototype and are hash tables for V8: reading a
 * property takes some ten times as long.
 */
function createColumnReader(statement: StatementSync): ColumnReader {
  let names: string[] = []
  let template: Record<string, unknown> = {}
  const readNames = (): void => {
    names = statement.columns().map(({ name }) => name)
    template = Object.fromEntries(names.map((name) => [name, null]))
  }
  readNames()
  const toRow = (values: Values): unknown => {
    const row = { ...template }
    for (let i = 0; i < names.length; i++) row[names[i]!] = values[i]
    return row
  }
  return {
    toRows(lists) {
      // Another connection may have changed the schema since.
      if (lists.length > 0 && lists[0]!.length !== names.length) readNames()
      return lists.map(toRow)
    },
  }
}
