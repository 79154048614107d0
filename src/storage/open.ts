// Opens the database the configuration names and brings it up to date.
import { closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Choices, Config } from '../config.ts'
import { readChoices } from './instance.ts'
import { migrate } from './migrate.ts'
import { awaitAnswer, openPostgres, requireAnswer, requireDurableCommits } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import type { Db } from './tables.ts'

export interface Reader {
  db: Db
  close(): Promise<void>
}

export interface Storage {
  engine: 'sqlite' | 'postgres'
  /** For single reads, which never wait for a transaction. */
  reads: Db
  /** For `inTransaction` alone. */
  writes: Db
  /** For whoever reads long and slowly: nobody waits behind it. */
  openReader(): Reader
  /** A connection without the time limits of requests, for migrations. */
  openMaintenance(): Reader
  close(): Promise<void>
}

/** `onWait` is called while another node migrates the schema. */
export async function openStorage(
  config: Config,
  onLost: (error: Error) => void = () => {},
  onWait: () => void = () => {},
): Promise<Storage> {
  const storage = config.databaseUrl
    ? openPostgres({ url: config.databaseUrl, poolSize: config.databasePoolSize, onLost })
    : openSqliteFile(config)
  try {
    if (config.databaseUrl) await awaitAnswer(storage.reads)
    if (config.databaseUrl && config.durableCommits) await requireDurableCommits(storage.reads)
    await migrate(storage, { onWait })
  } catch (error) {
    await storage.close()
    throw error
  }
  return storage
}

/** Fails as opening it would, as far as a server is concerned, and changes nothing there. */
export async function tryServer(config: Config): Promise<void> {
  if (!config.databaseUrl) return
  const { reads, close } = openPostgres({ url: config.databaseUrl, poolSize: 1, onLost: () => {} })
  try {
    const check = config.durableCommits ? requireDurableCommits : requireAnswer
    await check(reads)
  } finally {
    await close()
  }
}

/** What was chosen for a calendar that may be there; none is made, and one of another version stays as it is. */
export async function peekChoices({ databaseUrl, dataDir }: Config): Promise<Choices> {
  const path = join(dataDir, 'daybook.db')
  if (!databaseUrl && !existsSync(path)) return {}
  const storage = databaseUrl ? openPostgres({ url: databaseUrl, poolSize: 1, onLost: () => {} }) : openSqlite(path)
  try {
    return await readChoices(storage.reads)
  } finally {
    await storage.close()
  }
}

/**
 * A marker beside the file remembers that a calendar was kept here: if the file is gone since, a new empty one would
 * hide the loss, so the start is refused.
 */
function openSqliteFile(config: Config): Storage {
  const path = join(config.dataDir, 'daybook.db')
  const marker = join(config.dataDir, '.daybook-instance')
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (existsSync(marker) && (!existsSync(path) || statSync(path).size === 0)) {
    throw new Error(
      `${path} is missing or empty, but a calendar was kept there. Restore it, or remove ${marker} to begin anew.`,
    )
  }
  // Made here, because SQLite would leave it readable to everyone; its journals take the same mode.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const storage = openSqlite(path)
  if (!existsSync(marker)) writeFileSync(marker, 'A Daybook calendar lives in this folder.\n', { mode: 0o600 })
  return storage
}
