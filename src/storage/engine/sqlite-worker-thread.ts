// Worker thread: opens read-only SQLite connections and executes statements in the order sent.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { configureSqlite, createStatementRunner, type StatementRunner } from './sqlite-statements.ts'

/** A statement for a connection, which its first statement opens. Without a statement the connection is closed. */
export interface WorkerRequest {
  id: number
  connection: number
  sql?: string
  parameters?: readonly unknown[]
  /** Asks for the next rows of an earlier request instead. */
  rest?: number
}

export interface WorkerReply {
  id: number
  rows?: unknown[]
  /** True if there are more rows, which `rest` asks for. */
  hasRest?: boolean
  error?: Pick<Error, 'message'> & SqliteCodes
}

interface SqliteCodes {
  code?: string
  errcode?: number
  errstr?: string
}

interface WorkerConnection {
  database: DatabaseSync
  run: StatementRunner
}

/** Copying this many rows to the other thread takes it a few milliseconds, in one turn of its event loop. */
const ROWS_PER_REPLY = 2_000

/** Rows that were not sent yet, from `at` on, by the request that they answer. */
const rests = new Map<number, { rows: unknown[]; at: number }>()

function takePart(id: number, rows: unknown[], at = 0): Omit<WorkerReply, 'id'> {
  const end = at + ROWS_PER_REPLY
  const hasRest = rows.length > end
  if (hasRest) rests.set(id, { rows, at: end })
  else rests.delete(id)
  return { rows: hasRest || at > 0 ? rows.slice(at, end) : rows, hasRest }
}

const connections = new Map<number, WorkerConnection>()

function openConnection(connection: number): WorkerConnection {
  const database = new DatabaseSync(workerData.path, { readOnly: true })
  configureSqlite(database, workerData.pageCacheKib)
  const opened = { database, run: createStatementRunner(database) }
  connections.set(connection, opened)
  return opened
}

function answer({ id, connection, sql, parameters = [], rest }: WorkerRequest): Omit<WorkerReply, 'id'> {
  if (rest !== undefined) {
    const { rows, at } = rests.get(rest)!
    return takePart(rest, rows, at)
  }
  if (sql === undefined) {
    connections.get(connection)?.database.close()
    connections.delete(connection)
    return { rows: [] }
  }
  const { database, run } = connections.get(connection) ?? openConnection(connection)
  // A failed statement may have ended the transaction already.
  if (sql === 'rollback' && !database.isTransaction) return { rows: [] }
  return takePart(id, run(sql, parameters).rows)
}

parentPort!.on('message', (request: WorkerRequest) => {
  let reply: Omit<WorkerReply, 'id'>
  try {
    reply = answer(request)
  } catch (error) {
    const { message, code, errcode, errstr } = error as Error & Required<SqliteCodes>
    reply = { error: { message, code, errcode, errstr } }
  }
  parentPort!.postMessage({ id: request.id, ...reply })
})
