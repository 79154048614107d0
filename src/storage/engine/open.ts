// Opens the configured database, PostgreSQL or a SQLite file, and migrates it.
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Config, StoredSettings } from '../../config.ts'
import { divideMemory } from '../../memory-budget.ts'
import {
  markerOf,
  noteClosedFiles,
  noteOpenFiles,
  requireNoOrphanedJournal,
  requireOwnJournal,
} from '../health/own-journal.ts'
import { createStorageHealth, type StorageHealthEvents } from '../health/storage-health.ts'
import { readSettings } from '../operations/settings.ts'
import type { Db } from '../tables.ts'
import { hasSchema, isOutdated, migrate, requireKnownSchema } from './migrate.ts'
import { openSqlite } from './sqlite.ts'
import type { Storage } from './storage.ts'
import { STORAGE_LIMITS, type StorageLimits } from './storage-limits.ts'

export interface StorageEvents extends StorageHealthEvents {
  /** A connection to the server was lost; the next query opens another. */
  onLost?(error: Error): void
  /** Another node migrates the schema. */
  onWait?(): void
  /** Called before the schema of an existing SQLite file is changed; if it fails, nothing is changed. */
  beforeMigration?(storage: Storage, path: string): Promise<void>
}

/** Imported on demand: the PostgreSQL client is a tenth of what a command on SQLite would load. */
const loadPostgres = () => import('./postgres.ts')

export interface OpenOptions {
  /** Fails where there is no calendar yet, instead of creating one. */
  mustExist?: boolean | undefined
  /** Leaves the schema of an older version as it is, for what reads any schema. */
  keepsSchema?: boolean
  /** Rejects for a database that must stay as it is; called before the schema is changed. */
  requireUsable?(reads: Db): Promise<void>
  /** Tests wait longer, since their machine may be busy. */
  storageLimits?: Partial<StorageLimits> | undefined
}

export async function openStorage(
  config: Config,
  events: StorageEvents = {},
  { mustExist = false, keepsSchema = false, requireUsable, storageLimits }: OpenOptions = {},
): Promise<Storage> {
  const { onWait = () => {} } = events
  if (mustExist && !config.databaseUrl) requireFile(config)
  const storage = config.databaseUrl
    ? await openServer(config, config.databaseUrl, events, storageLimits)
    : openSqliteFile(config, events, storageLimits)
  try {
    if (mustExist && !(await hasSchema(storage.reads))) throw new Error('there is no calendar in this database')
    await requireUsable?.(storage.reads)
    if (keepsSchema) {
      await requireKnownSchema(storage.reads)
      return storage
    }
    if (events.beforeMigration && storage.engine === 'sqlite' && (await isOutdated(storage.reads)))
      await events.beforeMigration(storage, join(config.dataDir, 'daybook.db'))
    await migrate(storage, { onWait })
  } catch (error) {
    await storage.close()
    throw error
  }
  return storage
}

/** Where the file was there once, opening it says so. */
function requireFile({ dataDir }: Config): void {
  const path = join(dataDir, 'daybook.db')
  const isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  if (isThere || existsSync(markerOf(path)) || existsSync(missingNoteOf(dataDir))) return
  throw new Error(`there is no calendar in ${dataDir}: run the command where the service runs, or set data_dir`)
}

async function openServer(
  config: Config,
  url: string,
  events: StorageEvents,
  limits?: Partial<StorageLimits>,
): Promise<Storage> {
  const { openPostgres, awaitAnswer, requireDurableCommits, requireUtf8 } = await loadPostgres()
  const { onLost = () => {} } = events
  const poolSize = config.databasePoolSize
  const storage = openPostgres({ url, poolSize, onLost, limits, health: createStorageHealth(events) })
  try {
    await awaitAnswer(storage.reads)
    await requireUtf8(storage.reads)
    if (config.durableCommits) await requireDurableCommits(storage.reads)
  } catch (error) {
    await storage.close()
    throw error
  }
  return storage
}

/** Fails as opening the PostgreSQL server would, and changes nothing there. */
export async function tryServer(config: Config): Promise<void> {
  if (!config.databaseUrl) return
  const { openPostgres, requireAnswer, requireDurableCommits, requireUtf8 } = await loadPostgres()
  const { reads, close } = openPostgres({ url: config.databaseUrl, poolSize: 1, onLost: () => {} })
  try {
    const check = config.durableCommits ? requireDurableCommits : requireAnswer
    await check(reads)
    await requireUtf8(reads)
  } finally {
    await close()
  }
}

/** Reads the settings of an existing calendar; creates none, and fails for one of another version. */
export async function peekSettings({ databaseUrl, dataDir }: Config): Promise<StoredSettings> {
  const path = join(dataDir, 'daybook.db')
  if (!databaseUrl && !existsSync(path)) return {}
  if (!databaseUrl) requireOwnJournal(path)
  const storage = databaseUrl
    ? (await loadPostgres()).openPostgres({ url: databaseUrl, poolSize: 1, onLost: () => {} })
    : openSqlite(path)
  try {
    return (await readSettings(storage.reads)).settings
  } finally {
    await storage.close()
  }
}

/**
 * A marker beside the file shows that a calendar was stored here: if the file is gone since, a new empty one would hide
 * the loss, so the start is refused.
 */
function openSqliteFile(
  { dataDir, memoryLimitMib }: Config,
  events: StorageEvents,
  limits?: Partial<StorageLimits>,
): Storage {
  const path = join(dataDir, 'daybook.db')
  const marker = markerOf(path)
  const note = missingNoteOf(dataDir)
  const isThere = existsSync(path) && statSync(path).size > 0
  if (!isThere && existsSync(note)) {
    throw new Error(
      `The data folder ${dataDir} disappeared while the service was running. Restore it, or remove ${note} to start an empty calendar.`,
    )
  }
  requireNoOrphanedJournal(path)
  const isKept = existsSync(marker) || existsSync(`${path}-wal`)
  if (!isThere && isKept) {
    throw new Error(
      `${path} is missing or empty, but a calendar was stored there. Restore it, or remove ${existsSync(marker) ? marker : `${path}-wal`} to start an empty calendar.`,
    )
  }
  requireOwnJournal(path)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Created here, because SQLite would leave it readable to everyone; its journals get the same mode.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const storage = openSqlite(path, {
    maxWaitMs: limits?.writeWaitMs ?? STORAGE_LIMITS.writeWaitMs,
    health: createStorageHealth(noteMissingFolder(dataDir, events)),
    pageCacheKib: divideMemory(memoryLimitMib).sqlitePageKib,
  })
  noteOpenFiles(path)
  rmSync(note, { force: true })
  return {
    ...storage,
    async close() {
      await storage.close()
      noteClosedFiles(path)
    },
  }
}

/** Beside the folder, since a marker inside it would be lost with it. */
const missingNoteOf = (dataDir: string): string => `${resolve(dataDir)}.missing`

/** Leaves a note for the next start when the whole folder is gone. */
function noteMissingFolder(dataDir: string, { onFailure, onRecovery }: StorageHealthEvents): StorageHealthEvents {
  const note = missingNoteOf(dataDir)
  const attempt = (act: () => void): void => {
    try {
      act()
    } catch {
      // The parent folder may not be writable; the failure is in the log.
    }
  }
  return {
    onFailure(failure) {
      onFailure?.(failure)
      if (failure.reason !== 'data_missing' || existsSync(dataDir)) return
      attempt(() => writeFileSync(note, `${dataDir} vanished while Daybook ran.\n`, { mode: 0o600 }))
    },
    onRecovery() {
      onRecovery?.()
      attempt(() => rmSync(note, { force: true }))
    },
  }
}
