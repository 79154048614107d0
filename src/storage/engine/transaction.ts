// Transactions and read snapshots; retries serialization failures and deadlocks a few times.
import { setTimeout as delay } from 'node:timers/promises'
import { runHoldingConnection } from '../../scheduling/current-client.ts'
import { rawChange } from '../dialect.ts'
import { checkWrites } from '../health/check-writes.ts'
import type { Db } from '../tables.ts'
import { hasRaised } from './commits.ts'
import { GroupRolledBackError, runUngrouped } from './group-commit.ts'
import type { Storage } from './storage.ts'

/**
 * Runs several reads in one snapshot: later reads do not see what is written meanwhile, so a list is never built from
 * two states of the calendar.
 */
export function inSnapshot<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  const transaction = storage.reads.transaction()
  const hold = (db: Db): Promise<T> => runHoldingConnection(() => work(db))
  if (storage.engine === 'sqlite') return transaction.execute(hold)
  return transaction.setIsolationLevel('repeatable read').setAccessMode('read only').execute(hold)
}

/**
 * The same on its own connection, for work that yields to other requests: none waits for it. `onOpen` is called when
 * the connection is open or has failed to open.
 */
export async function inOwnSnapshot<T>(
  storage: Storage,
  work: (db: Db) => Promise<T>,
  onOpen: () => void = () => {},
): Promise<T> {
  const { db, close } = await openSnapshot(storage).finally(onOpen)
  try {
    return await work(db)
  } finally {
    await close()
  }
}

export interface Snapshot {
  db: Db
  close(): Promise<void>
}

/** A snapshot that stays open for as long as the reader takes, however slow. */
export async function openSnapshot(storage: Storage): Promise<Snapshot> {
  const reader = storage.openReader()
  try {
    const start = reader.db.startTransaction()
    const isSqlite = storage.engine === 'sqlite'
    const transaction = await (isSqlite
      ? start
      : start.setIsolationLevel('repeatable read').setAccessMode('read only')
    ).execute()
    const close = async (): Promise<void> => {
      try {
        await transaction.rollback().execute()
      } finally {
        await reader.close()
      }
    }
    return { db: transaction, close }
  } catch (error) {
    await reader.close()
    throw error
  }
}

const MAX_RETRIES = 3
/** Serialisation failure, deadlock, and a plan that is older than its table. */
const RETRY_STATES = new Set(['40001', '40P01', '0A000'])

/** The same for work that yields to the event loop: on SQLite it shares its commit with no other transaction. */
export const inLongTransaction = <T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> =>
  runUngrouped(() => inTransaction(storage, work))

/**
 * For several changes that hold together: reads see what this transaction wrote, and further transactions become parts
 * of it, each of which can fail alone.
 */
export const joinTransaction = (storage: Storage, db: Db): Storage => ({ ...storage, reads: db, outer: db })

async function inSavepoint<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  await rawChange(db, 'savepoint part', [])
  try {
    const result = await work(db)
    await rawChange(db, 'release savepoint part', [])
    return result
  } catch (error) {
    await rawChange(db, 'rollback to savepoint part', [])
    await rawChange(db, 'release savepoint part', [])
    throw error
  }
}

export async function inTransaction<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  if (storage.outer) return inSavepoint(storage.outer, work)
  for (let attempt = 0; ; attempt++) {
    try {
      let raised = false
      const result = await storage.writes.transaction().execute((db) =>
        runHoldingConnection(async () => {
          const made = await work(db)
          raised = hasRaised(db)
          return made
        }),
      )
      if (raised) for (const listener of storage.commitListeners) listener()
      // A transaction may have written nothing, so recovery is detected only by a test write.
      if (storage.health.failure()) void checkWrites(storage)
      return result
    } catch (error) {
      if (attempt >= MAX_RETRIES || !isRetried((error as Error).cause)) throw error
      await delay(Math.random() * 20 * 2 ** attempt)
    }
  }
}

const isRetried = (cause: unknown): boolean =>
  cause instanceof GroupRolledBackError || RETRY_STATES.has((cause as { code?: string } | undefined)?.code ?? '')
