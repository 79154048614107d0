// Opens the configured database for checks only: no migration, no new file, no journal left behind.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import { createStorageHealth } from '../health/storage-health.ts'
import type { Db, Tables } from '../tables.ts'
import { sqliteDialect } from './sqlite.ts'
import { SqliteReadDriver } from './sqlite-reader.ts'
import { configureSqlite } from './sqlite-statements.ts'
import type { Storage, StorageReader } from './storage.ts'

export interface Inspection extends StorageReader {
  engine: Storage['engine']
}

const PAGE_CACHE_KIB = 8_192

/** Rejects as the start would where the database cannot be opened. */
export async function openInspection({ databaseUrl, dataDir }: Config): Promise<Inspection> {
  if (!databaseUrl) return inspectFile(join(dataDir, 'daybook.db'))
  const { openPostgres, requireAnswer } = await import('./postgres.ts')
  const storage = openPostgres({ url: databaseUrl, poolSize: 1, onLost: () => {} })
  const { db, close } = storage.openMaintenance()
  try {
    await requireAnswer(db)
  } catch (error) {
    await close()
    throw error
  }
  return { engine: 'postgres', db, close }
}

/**
 * A connection that only reads would still create journals beside a file that no process has open, and leave them
 * there, with this user as their owner. Without a journal the file is complete and is read as it is, without locks.
 */
export function openUnchanged(path: string): DatabaseSync {
  const isClosed = !existsSync(`${path}-wal`)
  const url = pathToFileURL(path)
  if (isClosed) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true })
}

function inspectFile(path: string): Inspection {
  const database = openUnchanged(path)
  try {
    configureSqlite(database, PAGE_CACHE_KIB)
  } catch (error) {
    database.close()
    throw error
  }
  const driver = new SqliteReadDriver(database, createStorageHealth())
  const db = new Kysely<Tables>({ dialect: sqliteDialect(driver) })
  return { engine: 'sqlite', db, close: () => db.destroy() }
}

/** Runs reads in one snapshot; on PostgreSQL the server refuses any write in it. */
export function inReadOnly<T>({ engine, db }: Omit<Inspection, 'close'>, work: (db: Db) => Promise<T>): Promise<T> {
  const transaction = db.transaction()
  if (engine === 'sqlite') return transaction.execute(work)
  return transaction.setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

/** Rejects with a sentence for the operator where the server is one that the start refuses. */
export async function requireSuitable({ engine, db }: Inspection, { durableCommits }: Config): Promise<void> {
  if (engine === 'sqlite') return
  const { requireDurableCommits, requireUtf8 } = await import('./postgres.ts')
  await requireUtf8(db)
  if (durableCommits) await requireDurableCommits(db)
}
