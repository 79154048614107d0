// PostgreSQL through pg: bounded pools, named prepared statements, recovery of lost connections.
import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { AppError } from '../../errors.ts'
import { directReaders } from '../dialect.ts'
import { classifyFailure } from '../health/failure.ts'
import { createStorageHealth, type StorageHealth, wrapFailure } from '../health/storage-health.ts'
import type { Db, Tables } from '../tables.ts'
import type { CommitListeners } from './commits.ts'
import {
  type ConnectionQueue,
  createConnectionQueue,
  MAX_WAITING_OF_CUSTOMER,
  MAX_WAITING_WRITES,
} from './connection-queue.ts'
import { createPoolMetrics, type PoolMetrics } from './pool-metrics.ts'
import { listenForNotices, notifyNodes } from './postgres-listen.ts'
import type { NodeNotices, Storage } from './storage.ts'
import { STORAGE_LIMITS, type StorageLimits } from './storage-limits.ts'

export interface PostgresOptions {
  url: string
  /** Connections for reads and writes together; at least two are opened, one for each. */
  poolSize: number
  /** Called for lost connections; they cause no other error, since the next query opens a new one. */
  onLost: (error: Error) => void
  limits?: Partial<StorageLimits> | undefined
  health?: StorageHealth
}

/** Added to the server's limit, for a server that does not answer at all. */
const QUERY_MARGIN_MS = 1_000
const INT8 = 20
const NUMERIC = 1700

/** Statements are planned once per connection; further texts are sent without a name. */
const MAX_NAMED = 300

/** Costly reads have their own connections: one for each permit of reads, of the whole feed and of an export. */
const SLOW_READERS = 4
const LONGEST_PAUSE_MS = 60_000

/**
 * Most writers lock the calendar's one row and so run one after the other; while one commits, the next prepares. They
 * have their own connections, so that writers can neither keep a read from getting one, nor block a transaction that
 * reads outside itself.
 */
const MAX_WRITERS = 4

export function openPostgres(options: PostgresOptions): Storage {
  const { url, poolSize, onLost, health = createStorageHealth() } = options
  const { connectMs, writeWaitMs, statementMs, idleTransactionMs } = { ...STORAGE_LIMITS, ...options.limits }
  const limits = {
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + QUERY_MARGIN_MS,
    idle_in_transaction_session_timeout: idleTransactionMs,
  }
  const writers = Math.max(1, Math.min(MAX_WRITERS, Math.floor(poolSize / 2)))
  const readers = Math.max(1, poolSize - writers)
  const pool = openPool(url, onLost, { max: readers, ...limits })
  const readMetrics = createPoolMetrics('reads', readers, () => readQueue.usage())
  const readQueue = createConnectionQueue({
    atOnce: readers,
    maxWaiting: Number.POSITIVE_INFINITY,
    maxWaitingOfCustomer: MAX_WAITING_OF_CUSTOMER.reads,
    maxWaitMs: connectMs,
    waits: readMetrics.waits,
  })
  const nameOf = createStatementNames()
  const reads = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: withNamedStatements(pool, { nameOf, health, metrics: readMetrics, queue: readQueue }),
    }),
  })
  directReaders.set(reads, async (text, values) => {
    await readQueue.acquire()
    const begunAt = performance.now()
    try {
      return (await pool.query(namedQuery(text, values, nameOf)).catch(rethrowTo(health))).rows
    } finally {
      readMetrics.statements.observeMs(performance.now() - begunAt)
      readQueue.release()
    }
  })
  const writePool = openPool(url, onLost, { max: writers, ...limits })
  const writeMetrics = createPoolMetrics('writes', writers, () => writeQueue.usage())
  const writeQueue = createConnectionQueue({
    atOnce: writers,
    maxWaiting: MAX_WAITING_WRITES,
    maxWaitingOfCustomer: MAX_WAITING_OF_CUSTOMER.writes,
    maxWaitMs: writeWaitMs,
    waits: writeMetrics.waits,
  })
  const writes = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: withNamedStatements(writePool, { nameOf, health, metrics: writeMetrics, queue: writeQueue }),
    }),
  })
  const slowPool = openPool(url, onLost, {
    max: SLOW_READERS,
    ...limits,
    // An abandoned transaction ends, and with it what the server keeps for its snapshot.
    idle_in_transaction_session_timeout: LONGEST_PAUSE_MS,
  })
  const slowMetrics = createPoolMetrics('costly', SLOW_READERS, () => ({
    inUse: slowPool.totalCount - slowPool.idleCount,
    waiting: slowPool.waitingCount,
  }))
  const slow = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: withNamedStatements(slowPool, { nameOf, health, metrics: slowMetrics }) }),
  })
  const openReader = () => ({ db: slow, close: async () => {} })
  const openMaintenance = () => {
    const own = new Kysely<Tables>({
      dialect: new PostgresDialect({
        pool: withNamedStatements(openPool(url, onLost, { max: 1, connectionTimeoutMillis: connectMs }), {
          nameOf,
          health,
        }),
      }),
    })
    return { db: own, close: () => own.destroy() }
  }
  const close = async (): Promise<void> => {
    await slow.destroy()
    await writes.destroy()
    await reads.destroy()
  }
  const pools = [readMetrics, writeMetrics, slowMetrics]
  const notices: NodeNotices = {
    notify: () => notifyNodes(reads),
    listen: (onNotice) => listenForNotices(url, onNotice),
  }
  const commitListeners: CommitListeners = new Set()
  const opened = { health, pools, reads, writes, openReader, openMaintenance, commitListeners, notices, close }
  return { engine: 'postgres', ...opened }
}

function openPool(url: string, onLost: (error: Error) => void, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    ...options,
    keepAlive: true,
    // Every statement is written to use its index whatever the values; planning it again costs more than running it.
    options: '-c plan_cache_mode=force_generic_plan',
    types: { getTypeParser: numbersAsNumbers as typeof pg.types.getTypeParser },
  })
  pool.on('error', onLost)
  // The pool's handler is not enough: a checked-out client has no listener, and its error would end the process.
  pool.on('connect', (client) => client.on('error', onLost))
  return pool
}

/** A server that does not wait for its disk may lose acknowledged writes, so it is refused. */
export async function requireDurableCommits(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in ('fsync', 'synchronous_commit') and setting = 'off'`.execute(db)
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(' and ')
  throw new Error(
    `PostgreSQL has ${names} off and may lose acknowledged events. Turn it on, or set durable_commits to off.`,
  )
}

/** A database in another encoding refuses texts of events, accounts and searches that it has no characters for. */
export async function requireUtf8(db: Db): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(db)
  const encoding = rows[0]?.encoding
  if (encoding !== 'UTF8')
    throw new Error(`the PostgreSQL database has the encoding ${encoding}; create one with the encoding UTF8`)
}

export async function requireAnswer(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

const FIRST_TRIES = 5

/** At startup a busy server is asked again; an unreachable one fails at once. */
export async function awaitAnswer(db: Db): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await requireAnswer(db)
    } catch (error) {
      const cause = error instanceof AppError ? (error.cause as Error) : undefined
      const isSlow = /timeout exceeded when trying to connect|connection timeout/.test(cause?.message ?? '')
      if (!isSlow || tries === FIRST_TRIES) throw error
    }
  }
}

/** All our integers are below 2^53; by default pg returns 64-bit ones as text. */
function numbersAsNumbers(oid: number, format?: unknown): unknown {
  if (oid === INT8 || oid === NUMERIC) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}

type NameOf = (text: string) => string | undefined

function createStatementNames(): NameOf {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known || names.size >= MAX_NAMED || text.length > 10_000) return known
    const name = createHash('sha256').update(text).digest('hex').slice(0, 24)
    names.set(text, name)
    return name
  }
}

const namedQuery = (text: string, values: readonly unknown[], nameOf: NameOf) => {
  const name = nameOf(text)
  return { text, values: [...values], ...(name ? { name } : {}) }
}

interface StatementOptions {
  nameOf: NameOf
  health: StorageHealth
  metrics?: PoolMetrics
  queue?: ConnectionQueue
}

/** The pool as the query builder sees it; connections are acquired through the queue, if there is one. */
function withNamedStatements(pool: pg.Pool, { nameOf, health, metrics, queue }: StatementOptions): PostgresPool {
  const rethrow = rethrowTo(health)
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      await queue?.acquire()
      const client = await pool.connect().catch((error) => {
        queue?.release()
        return rethrow(error)
      })
      let isBroken = false
      const wrapped = {
        async query(text: string, values: readonly unknown[]) {
          const begunAt = performance.now()
          try {
            return await client.query(values.length > 0 ? namedQuery(text, values, nameOf) : text)
          } catch (error) {
            isBroken ||= classifyFailure(error) !== undefined
            return rethrow(error)
          } finally {
            metrics?.statements.observeMs(performance.now() - begunAt)
          }
        },
        // A connection that failed, or could not roll back, is not reused.
        release(isDiscarded?: boolean) {
          client.release(isBroken || isDiscarded === true)
          queue?.release()
        },
      }
      return wrapped as unknown as PostgresPoolClient
    },
  } as PostgresPool
}

/** Server gone, starting, stopping, out of connections or space, read-only or damaged; or a broken socket. */
const rethrowTo =
  (health: StorageHealth) =>
  (error: unknown): never => {
    throw wrapFailure(error, health)
  }
