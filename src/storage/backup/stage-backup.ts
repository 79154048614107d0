// Makes a database of the current schema from the rows of a backup, and uses nothing else of it.
import { randomInt } from 'node:crypto'
import { closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { newKey } from '../../secrets.ts'
import { migrate, migrations } from '../engine/migrate.ts'
import { openSqlite } from '../engine/sqlite.ts'
import type { Storage } from '../engine/storage.ts'
import type { Db } from '../tables.ts'
import {
  checkBackup,
  damaged,
  hasTable,
  listColumns,
  openBackup,
  quote,
  quoteAll,
  readFromBackup,
  readRows,
} from './backup-file.ts'
import { COPIED_TABLES, RETIRED_TABLES } from './tables.ts'

/** Credentials that may have been revoked since the backup was made. */
const CREDENTIAL_TABLES = ['app_passwords', 'api_tokens', 'feed_links'] as const

export interface RestoreOptions {
  restoredAt: Instant
  /** For a move: leaves app passwords, API tokens and feed links as they were, and versions of events. */
  keepsCredentials: boolean
}

/**
 * Makes a database that a service can be started on: of the current schema, without sessions, with revisions and
 * versions that no client knows. Sync tokens of any time are refused, so that every client syncs from the beginning.
 * `replaced` is the highest revision of the empty database in whose place it is put.
 */
export async function stageBackup(
  backup: string,
  staged: string,
  options: RestoreOptions,
  replaced: number,
): Promise<void> {
  const { keepsCredentials } = options
  const { migrations: applied, hasSecrets, madeAt } = checkBackup(backup)
  closeSync(openSync(staged, 'a', 0o600))
  await withSqlite(staged, (storage) => migrate(storage, { steps: migrations.slice(0, applied.length) }))
  copyRows(backup, staged)
  await withSqlite(staged, async (storage) => {
    await migrate(storage)
    await storage.writes.transaction().execute(async (transaction) => {
      if (!keepsCredentials) for (const table of CREDENTIAL_TABLES) await transaction.deleteFrom(table).execute()
      await raiseCounters(transaction, options, Math.max(madeAt, replaced))
      await transaction.updateTable('instance').set({ setup_code_hash: null }).execute()
      if (!hasSecrets) await replaceSecret(transaction)
    })
  })
  for (const suffix of ['-wal', '-shm']) rmSync(`${staged}${suffix}`, { force: true })
}

/** The first start derives what depends on the secret: the UIDs by which the public knows private events. */
async function replaceSecret(db: Db): Promise<void> {
  await db.updateTable('instance').set({ secret: newKey(), tz_version: '' }).execute()
}

async function withSqlite(path: string, work: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = openSqlite(path)
  try {
    await work(storage)
  } finally {
    await storage.close()
  }
}

/** Tables and columns are those of the new database, in the schema that the backup was written with. */
function copyRows(backup: string, staged: string): void {
  const from = openBackup(backup)
  const into = new DatabaseSync(staged)
  try {
    // If this is broken off, the new file is discarded.
    into.exec('pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off; begin')
    for (const table of [...COPIED_TABLES, ...RETIRED_TABLES])
      if (hasTable(into, table)) copyTable(from, into, table, backup)
    into.exec('commit')
    const [orphan] = into.prepare('pragma foreign_key_check').all()
    if (orphan) throw damaged(backup, `rows of ${orphan.table} refer to rows that do not exist`)
  } finally {
    into.close()
    from.close()
  }
}

function copyTable(from: DatabaseSync, into: DatabaseSync, table: string, backup: string): void {
  const found = readFromBackup(backup, () => hasTable(from, table) && listColumns(from, table))
  if (!found) throw damaged(backup, `the table ${table} is missing`)
  const known = new Map(listColumns(into, table).map((column) => [column.name, column]))
  // A column that the backup lacks has its default: the second migration was once changed after its release.
  const columns = found.map(({ name }) => known.get(name) ?? name)
  const strange = columns.find((column) => typeof column === 'string')
  if (strange) throw new Error(`${backup} holds a column that Daybook did not make: ${strange} in the table ${table}`)
  const copied = columns.filter((column) => typeof column !== 'string')
  into.exec(`delete from ${quote(table)}`)
  const places = copied.map(() => '?').join(', ')
  const insert = into.prepare(`insert into ${quote(table)} (${quoteAll(copied)}) values (${places})`)
  const rows = readFromBackup(backup, () => readRows(from, table, copied)[Symbol.iterator]())
  for (;;) {
    const { done, value } = readFromBackup(backup, () => rows.next())
    if (done) return
    insertRow(insert, value, backup)
  }
}

/** Only what the new schema refuses is a fault of the backup: a full disk is not. */
function insertRow(insert: StatementSync, values: SQLOutputValue[], backup: string): void {
  try {
    insert.run(...values)
  } catch (error) {
    const { errcode = 0, message } = error as { errcode?: number; message: string }
    throw REFUSED_ROW.includes(errcode & 0xff) ? damaged(backup, message) : error
  }
}

/** SQLITE_CONSTRAINT and SQLITE_MISMATCH. */
const REFUSED_ROW = [19, 20]

/** Steps for a clock that is behind; no two restores are likely to take nearly the same. */
const [MIN_STEP, MAX_STEP] = [1_000_000_000, 100_000_000_000]

/**
 * Sets revisions and versions to the time of the restore in milliseconds. Clients may have seen numbers given after the
 * backup, also by a service on an earlier restore of it; those are lower, since changes are rarer than milliseconds.
 * Where the clock is behind `known`, the time of the backup or the revision of the replaced database, a step of weeks to
 * years is added to that instead.
 */
async function raiseCounters(db: Db, { restoredAt, keepsCredentials }: RestoreOptions, known: number): Promise<void> {
  const step = randomInt(MIN_STEP, MAX_STEP)
  const first = known < restoredAt ? restoredAt : known + step
  const raised = (column: string) =>
    sql`case when ${sql.ref(column)} < ${first} then ${first} else ${sql.ref(column)} + ${step} end`
  await sql`update calendar set revision = ${raised('revision')},
    accounts_revision = ${raised('accounts_revision')}, public_revision = ${raised('public_revision')}`.execute(db)
  await sql`update calendar set sync_floor = revision, changes_floor = revision,
    public_floor = public_revision`.execute(db)
  // In a move nothing was written since the backup, so no version of that time is known to anyone.
  if (keepsCredentials) return
  for (const table of ['events', 'trash', 'users'] as const)
    await sql`update ${sql.table(table)} set version = ${raised('version')}`.execute(db)
}
