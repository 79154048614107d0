// Kysely driver for SQLite in a worker thread: long reads run there, off the event loop.
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { readVariable } from '../../environment.ts'
import { AppError } from '../../errors.ts'
import { WorkerSqliteAdapter } from '../dialect.ts'
import type { Tables } from '../tables.ts'
import type { WorkerReply, WorkerRequest } from './sqlite-worker-thread.ts'
import type { StorageReader } from './storage.ts'

/** A thread without connections ends after this time, which frees its memory. */
const IDLE_MS = 10_000
const MAX_YOUNG_MIB = 12
/** Beside this module, also in the bundle, where both have another extension. */
const THREAD_URL = new URL(`./sqlite-worker-thread${extname(import.meta.filename)}`, import.meta.url)

/** One thread for all readers of a file, started by the first of them. */
export interface SqliteWorkerPool {
  openReader(): StorageReader
  /** Ends the thread; statements that have no result yet fail. */
  close(): Promise<void>
  isRunning(): boolean
}

export interface SqliteWorkerOptions {
  idleMs?: number
  /** The module that the thread runs. */
  threadUrl?: URL
  /** Turns an error of SQLite into the one that requests end with. */
  wrapError: (error: unknown) => unknown
  /** Of each connection. */
  pageCacheKib: number
}

type RowsReply = Pick<WorkerReply, 'id' | 'hasRest'> & { rows: unknown[] }

interface PendingCall {
  resolve: (reply: RowsReply) => void
  reject: (error: unknown) => void
}

export function createSqliteWorkerPool(
  path: string,
  { idleMs = IDLE_MS, threadUrl = THREAD_URL, wrapError, pageCacheKib }: SqliteWorkerOptions,
): SqliteWorkerPool {
  let thread: Thread | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false
  let lastId = 0
  /** The thread that has the connection, from its first statement on. */
  const owners = new Map<number, Thread | undefined>()
  const start = (): Thread => {
    if (isClosed) throw unavailable()
    const started = startThread({ path, threadUrl, wrapError, pageCacheKib }, () => {
      if (thread === started) thread = undefined
    })
    return started
  }
  const execute = async (connection: number, sql: string, parameters: readonly unknown[]): Promise<unknown[]> => {
    thread ??= start()
    const owner = owners.get(connection) ?? thread
    // Another thread has another snapshot.
    if (owner !== thread) throw unavailable()
    owners.set(connection, owner)
    return receiveRows(owner, { connection, sql, parameters })
  }
  const release = async (connection: number): Promise<void> => {
    const owner = owners.get(connection)
    if (!owners.delete(connection)) return
    try {
      if (owner && owner === thread) await owner.send({ connection })
    } finally {
      clearTimeout(idleTimer)
      if (owners.size === 0) idleTimer = setTimeout(() => void thread?.end(), idleMs).unref()
    }
  }
  return {
    openReader() {
      clearTimeout(idleTimer)
      const connection = ++lastId
      owners.set(connection, undefined)
      const dialect = workerDialect((sql, parameters) => execute(connection, sql, parameters))
      return { db: new Kysely<Tables>({ dialect }), close: () => release(connection) }
    },
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      await thread?.end()
    },
    isRunning: () => thread !== undefined,
  }
}

/** In parts, each in its own turn of the event loop: a hundred thousand rows would block it for long. */
async function receiveRows(thread: Thread, request: Omit<WorkerRequest, 'id'>): Promise<unknown[]> {
  let { id, rows, hasRest } = await thread.send(request)
  if (!hasRest) return rows
  const all = rows
  while (hasRest) {
    ;({ rows, hasRest } = await thread.send({ connection: request.connection, rest: id }))
    for (const row of rows) all.push(row)
  }
  return all
}

interface Thread {
  send(request: Omit<WorkerRequest, 'id'>): Promise<RowsReply>
  end(): Promise<void>
}

type ThreadOptions = { path: string } & Required<Omit<SqliteWorkerOptions, 'idleMs'>>

/** The thread keeps the process alive only while a statement runs in it. */
function startThread({ path, threadUrl, wrapError, pageCacheKib }: ThreadOptions, onEnd: () => void): Thread {
  const cache = readVariable('NODE_COMPILE_CACHE')
  const worker = new Worker(threadUrl, {
    workerData: { path, pageCacheKib },
    execArgv: [],
    // Rows live only until they are sent; V8 would let their generation grow to 96 MiB before it collects.
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_MIB },
    // The thread needs no settings of the process, and none of its secrets. With compiled modules it starts sooner.
    env: cache ? { NODE_COMPILE_CACHE: cache } : {},
  })
  worker.unref()
  const pending = new Map<number, PendingCall>()
  let lastId = 0
  let failure: unknown
  let isEnded = false
  worker.on('message', ({ id, rows, hasRest, error }: WorkerReply) => {
    const call = pending.get(id)
    pending.delete(id)
    if (pending.size === 0) worker.unref()
    if (error) call?.reject(wrapError(Object.assign(new Error(error.message), error)))
    else call?.resolve({ id, rows: rows ?? [], hasRest })
  })
  worker.on('error', (error) => {
    failure = error
  })
  worker.on('exit', () => {
    isEnded = true
    onEnd()
    for (const { reject } of pending.values()) reject(unavailable(failure))
    pending.clear()
  })
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        // Between two parts of a result; a message to an ended thread is lost.
        if (isEnded) return reject(unavailable(failure))
        const id = ++lastId
        if (pending.size === 0) worker.ref()
        pending.set(id, { resolve, reject })
        worker.postMessage({ id, ...request })
      }),
    async end() {
      onEnd()
      await worker.terminate()
    },
  }
}

const unavailable = (cause: unknown = new Error('the thread that reads SQLite has ended')): AppError =>
  new AppError('storage_unavailable', { cause })

type Execute = (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>

const workerDialect = (execute: Execute): Dialect => ({
  createAdapter: () => new WorkerSqliteAdapter(),
  createDriver: () => new SqliteWorkerDriver(execute),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

/** For one transaction at a time, as readers are used. */
class SqliteWorkerDriver implements Driver {
  readonly #connection: SqliteWorkerConnection

  constructor(execute: Execute) {
    this.#connection = new SqliteWorkerConnection(execute)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async destroy(): Promise<void> {}
}

class SqliteWorkerConnection implements DatabaseConnection {
  readonly #execute: Execute

  constructor(execute: Execute) {
    this.#execute = execute
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: (await this.#execute(sql, parameters)) as Row[] }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator; nothing here streams.
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('node:sqlite answers are not streamed')
  }
}
