// Restores a backup into an empty database of either engine.
import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { CompiledQuery, sql } from 'kysely'
import { migrate, migrations } from '../engine/migrate.ts'
import { openSqlite } from '../engine/sqlite.ts'
import type { Storage } from '../engine/storage.ts'
import type { Db } from '../tables.ts'
import { type BackupContents, checkBackup, listColumns, undescribeBackup } from './backup-file.ts'
import { COPIED_TABLES, type CopiedTable } from './tables.ts'
import { syncFile } from './write-backup.ts'

/** Credentials that may have been revoked since the backup was made. */
const CREDENTIAL_TABLES = ['app_passwords', 'api_tokens', 'feed_links'] as const

/** More changes than are made between a backup and its restore: no revision of the lost time is used again. */
const REVISION_STEP = 1_000_000_000

export interface RestoreOptions {
  /** Leaves app passwords, API tokens and feed links as they were, also those that were revoked since. */
  keepsCredentials: boolean
}

/** Reads and checks all of the file; refuses one of a newer version. */
export function inspectBackup(path: string): BackupContents {
  const contents = checkBackup(path)
  const known = new Set(migrations.map(({ name }) => name))
  const newer = contents.migrations.find((name) => !known.has(name))
  if (newer)
    throw new Error(
      `${path} was written by Daybook ${contents.program}, a newer version. Restore it with that version.`,
    )
  return contents
}

/**
 * Makes a copy of the backup that a service can be started on: of the current schema, without sessions, with revisions
 * that no client knows. Sync tokens of any time are refused, so that every client syncs from the beginning.
 */
async function stageBackup(backup: string, staged: string, { keepsCredentials }: RestoreOptions): Promise<void> {
  copyFileSync(backup, staged)
  chmodSync(staged, 0o600)
  const db = new DatabaseSync(staged)
  try {
    undescribeBackup(db)
  } finally {
    db.close()
  }
  const storage = openSqlite(staged)
  try {
    await migrate(storage)
    await storage.writes.transaction().execute(async (transaction) => {
      if (!keepsCredentials) for (const table of CREDENTIAL_TABLES) await transaction.deleteFrom(table).execute()
      await sql`update calendar set revision = revision + ${REVISION_STEP},
        accounts_revision = accounts_revision + ${REVISION_STEP}`.execute(transaction)
      await sql`update calendar set sync_floor = revision`.execute(transaction)
      await sql`update instance set setup_code_hash = null`.execute(transaction)
    })
  } finally {
    await storage.close()
  }
  for (const suffix of ['-wal', '-shm']) rmSync(`${staged}${suffix}`, { force: true })
}

/** `path` is where the service will look for its database; it must not exist, or hold no events and no accounts. */
export async function restoreIntoSqlite(backup: string, path: string, options: RestoreOptions): Promise<void> {
  await requireEmptyFile(path)
  const staged = `${path}.${process.pid}.new`
  try {
    await stageBackup(backup, staged, options)
    syncFile(staged)
    // A journal of the former database beside the restored one would damage it.
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    renameSync(staged, path)
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${staged}${suffix}`, { force: true })
  }
}

async function requireEmptyFile(path: string): Promise<void> {
  if (!existsSync(path)) return
  const storage = openSqlite(path)
  try {
    await migrate(storage)
    await requireEmpty(storage.reads)
  } finally {
    await storage.close()
  }
}

/** All rows in one transaction: if anything fails, the database is as it was. `folder` holds a copy meanwhile. */
export async function restoreIntoPostgres(
  backup: string,
  target: Storage,
  staged: string,
  options: RestoreOptions,
): Promise<void> {
  writeFileSync(staged, '', { flag: 'wx', mode: 0o600 })
  try {
    await stageBackup(backup, staged, options)
    await copyInto(staged, target)
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${staged}${suffix}`, { force: true })
  }
}

async function copyInto(staged: string, target: Storage): Promise<void> {
  const from = new DatabaseSync(staged, { readOnly: true })
  const { db, close } = target.openMaintenance()
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`lock table calendar in exclusive mode`.execute(transaction)
      await requireEmpty(transaction)
      for (const table of COPIED_TABLES.toReversed()) await run(transaction, `delete from ${table}`)
      for (const table of COPIED_TABLES) await insertTable(from, transaction, table)
      await run(
        transaction,
        `select setval(pg_get_serial_sequence('audit', 'seq'), coalesce(max(seq), 0) + 1, false) from audit`,
      )
    })
    await run(db, 'analyze')
  } finally {
    await close()
    from.close()
  }
}

const run = (db: Db, text: string, values: readonly unknown[] = []) =>
  db.executeQuery(CompiledQuery.raw(text, [...values]))

const ROWS_AT_ONCE = 1_000
const CHARACTERS_AT_ONCE = 4_000_000

async function insertTable(from: DatabaseSync, db: Db, table: CopiedTable): Promise<void> {
  const names = listColumns(from, table).map(({ name }) => name)
  const list = names.join(', ')
  const text = `insert into ${table} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${table}, $1::json)`
  const rows = from.prepare(`select ${list} from ${table}`).iterate() as unknown as Iterable<
    Record<string, SQLOutputValue>
  >
  let pending: string[] = []
  let length = 0
  const flush = async (): Promise<void> => {
    if (pending.length > 0) await run(db, text, [`[${pending.join()}]`])
    pending = []
    length = 0
  }
  for (const row of rows) {
    const line = JSON.stringify(row)
    pending.push(line)
    length += line.length
    if (pending.length >= ROWS_AT_ONCE || length >= CHARACTERS_AT_ONCE) await flush()
  }
  await flush()
}

async function requireEmpty(db: Db): Promise<void> {
  const events = await db.selectFrom('events').select('key').limit(1).executeTakeFirst()
  const accounts = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (events || accounts)
    throw new Error(
      'the database is not empty: it has events or accounts. Move it away first, or restore into another.',
    )
}
