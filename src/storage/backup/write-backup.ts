// Writes a backup of a running calendar into a new file.
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { rawQuery } from '../dialect.ts'
import { migrate, migrations, requireKnownSchema } from '../engine/migrate.ts'
import { openSqlite } from '../engine/sqlite.ts'
import type { Storage } from '../engine/storage.ts'
import type { Db } from '../tables.ts'
import {
  type BackupContents,
  type BackupHeader,
  checkBackup,
  describeBackup,
  hasTable,
  listColumns,
  quoteAll,
  removeForeign,
} from './backup-file.ts'
import { removeSecrets } from './secrets.ts'
import { COPIED_TABLES, LEFT_OUT_TABLES, RETIRED_TABLES } from './tables.ts'

/** Rows of PostgreSQL in memory at a time. One event may have three texts of 1.5 MiB each. */
const ROWS_AT_ONCE = 16
const SHORT_ROWS_AT_ONCE = 1_000
const SHORT_ROWS: readonly string[] = ['occurrences', 'gone_names', 'audit']

/**
 * Writes a copy of one moment of the calendar to `path`, which must not exist, and reads it again to check it. The
 * caller removes the file when this fails. Blocks this thread: a service runs it in another process.
 */
export async function writeBackup(
  storage: Storage,
  sqlitePath: string,
  path: string,
  header: Omit<BackupHeader, 'engine'>,
  { withoutSecrets = false }: { withoutSecrets?: boolean } = {},
): Promise<BackupContents> {
  // Created here, because SQLite would leave it readable to everyone.
  closeSync(openSync(path, 'wx', 0o600))
  if (storage.engine === 'sqlite') copySqlite(sqlitePath, path)
  else await copyPostgres(storage, path)
  // A signal is handled between the steps.
  await setImmediate()
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma journal_mode = delete')
    removeLeftOut(db)
    removeForeign(db)
    if (withoutSecrets) removeSecrets(db)
    describeBackup(db, { ...header, engine: storage.engine })
  } finally {
    db.close()
  }
  await setImmediate()
  syncFile(path)
  return checkBackup(path)
}

/** Reads one snapshot, however many writes are committed meanwhile; the online backup would begin anew at each. */
function copySqlite(source: string, path: string): void {
  const db = new DatabaseSync(source, { readOnly: true })
  try {
    db.exec('pragma busy_timeout = 5000')
    db.prepare('vacuum into ?').run(path)
  } finally {
    db.close()
  }
}

/** Zeroes the rows as well, which would otherwise stay in free pages of the file. */
function removeLeftOut(db: DatabaseSync): void {
  db.exec('pragma foreign_keys = off; pragma secure_delete = on')
  for (const table of LEFT_OUT_TABLES) if (hasTable(db, table)) db.exec(`delete from ${table}`)
}

async function copyPostgres(storage: Storage, path: string): Promise<void> {
  const { db: source, close } = storage.openMaintenance()
  try {
    await source
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => copySnapshot(transaction, path))
  } finally {
    await close()
  }
}

/** In the schema that the calendar has, which may be that of an older version. */
async function copySnapshot(source: Db, path: string): Promise<void> {
  const applied = await requireKnownSchema(source)
  const fresh = openSqlite(path)
  try {
    await migrate(fresh, { steps: migrations.filter(({ name }) => applied.has(name)) })
  } finally {
    await fresh.close()
  }
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma foreign_keys = off; pragma synchronous = off; begin')
    for (const table of [...COPIED_TABLES, ...RETIRED_TABLES])
      if (hasTable(db, table)) await copyTable(source, db, table)
    db.exec('commit')
  } finally {
    db.close()
  }
}

async function copyTable(source: Db, db: DatabaseSync, table: string): Promise<void> {
  const stored = await listServerColumns(source, table)
  // A column that the calendar lacks has its default: the second migration was once changed after its release.
  const columns = listColumns(db, table).filter(({ name }) => stored.has(name))
  const names = columns.map(({ name }) => name)
  db.exec(`delete from ${table}`)
  const insert = db.prepare(`insert into ${table} (${quoteAll(columns)}) values (${names.map(() => '?').join(', ')})`)
  const run = <Row>(text: string) => source.executeQuery<Row>(CompiledQuery.raw(text, []))
  await run(`declare copied no scroll cursor for select ${quoteAll(columns)} from ${table}`)
  const most = SHORT_ROWS.includes(table) ? SHORT_ROWS_AT_ONCE : ROWS_AT_ONCE
  for (;;) {
    const { rows } = await run<Record<string, SQLInputValue>>(`fetch ${most} from copied`)
    for (const row of rows) insert.run(...names.map((name) => row[name]!))
    if (rows.length < most) break
  }
  await run('close copied')
}

/** Of the table that a query with this name reads: it may be in any schema of the search path. */
async function listServerColumns(source: Db, table: string): Promise<Set<string>> {
  const rows = await rawQuery<{ name: string }>(
    source,
    'select attname as name from pg_attribute where attrelid = to_regclass(?1) and attnum > 0 and not attisdropped order by attnum',
    [table],
  )
  if (rows.length === 0) throw new Error(`the table ${table} is in no schema of the search path of this user`)
  return new Set(rows.map(({ name }) => name))
}

export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
