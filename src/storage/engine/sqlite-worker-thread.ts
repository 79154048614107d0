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
}

export interface WorkerReply {
  id: number
  rows?: unknown[]
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

const connections = new Map<number, WorkerConnection>()

function openConnection(connection: number): WorkerConnection {
  const database = new DatabaseSync(workerData.path, { readOnly: true })
  configureSqlite(database)
  const opened = { database, run: createStatementRunner(database) }
  connections.set(connection, opened)
  return opened
}

function answer({ connection, sql, parameters = [] }: WorkerRequest): Omit<WorkerReply, 'id'> {
  if (sql === undefined) {
    connections.get(connection)?.database.close()
    connections.delete(connection)
    return { rows: [] }
  }
  const { database, run } = connections.get(connection) ?? openConnection(connection)
  // A failed statement may have ended the transaction already.
  if (sql === 'rollback' && !database.isTransaction) return { rows: [] }
  return { rows: run(sql, parameters).rows }
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
