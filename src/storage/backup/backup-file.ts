// A backup file: a SQLite database with the service's schema, and two tables that describe it.
import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { COPIED_TABLES, type CopiedTable } from './tables.ts'

/** Raised when a reader of the previous format could not read the file. */
const FORMAT = 1

export interface BackupHeader {
  madeAt: number
  /** The version of the program that wrote it. */
  program: string
  /** The engine it was copied from. */
  engine: 'sqlite' | 'postgres'
}

export interface BackupContents extends BackupHeader {
  /** Rows of each table. */
  rows: Map<CopiedTable, number>
  migrations: string[]
}

const DESCRIPTION = `
  create table backup (format integer not null, made_at integer not null, program text not null, engine text not null);
  create table backup_tables (name text primary key, row_count integer not null, sha256 text not null)`

/** Adds the description to a complete copy. */
export function describeBackup(db: DatabaseSync, { madeAt, program, engine }: BackupHeader): void {
  db.exec('begin')
  db.exec(DESCRIPTION)
  db.prepare('insert into backup values (?, ?, ?, ?)').run(FORMAT, madeAt, program, engine)
  const insert = db.prepare('insert into backup_tables values (?, ?, ?)')
  // An older schema has fewer tables.
  for (const table of COPIED_TABLES) {
    if (listColumns(db, table).length === 0) continue
    const { rows, sha256 } = digestTable(db, table)
    insert.run(table, rows, sha256)
  }
  db.exec('commit')
}

/** Removes the description, so that the file is a database of the service again. */
export const undescribeBackup = (db: DatabaseSync): void => db.exec('drop table backup; drop table backup_tables')

/** Reads the description and checks every page and every row against it; throws an error that says what is wrong. */
export function checkBackup(path: string): BackupContents {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const header = readHeader(db, path)
    requireSound(db, path)
    const rows = new Map<CopiedTable, number>()
    const described = db.prepare('select name, row_count, sha256 from backup_tables').all() as unknown as {
      name: CopiedTable
      row_count: number
      sha256: string
    }[]
    for (const { name, row_count, sha256 } of described) {
      const found = digestTable(db, name)
      if (found.rows !== row_count || found.sha256 !== sha256) throw damaged(path, `the table ${name} was changed`)
      rows.set(name, row_count)
    }
    const migrations = db.prepare('select name from migrations order by name').all() as unknown as { name: string }[]
    return { ...header, rows, migrations: migrations.map(({ name }) => name) }
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string }
    if (errcode === NOT_A_DATABASE) throw new Error(`${path} is not a backup of Daybook`)
    throw errcode === undefined ? error : damaged(path, message)
  } finally {
    db.close()
  }
}

const NOT_A_DATABASE = 26

const damaged = (path: string, reason: string): Error => new Error(`${path} is damaged: ${reason}`)

function readHeader(db: DatabaseSync, path: string): BackupHeader {
  const isBackup = db.prepare(`select 1 from sqlite_master where type = 'table' and name = 'backup'`).get()
  if (!isBackup) throw new Error(`${path} is not a backup of Daybook`)
  const row = db.prepare('select format, made_at, program, engine from backup').get() as
    | { format: number; made_at: number; program: string; engine: 'sqlite' | 'postgres' }
    | undefined
  if (!row) throw damaged(path, 'its description is missing')
  if (row.format > FORMAT)
    throw new Error(`${path} was written by Daybook ${row.program}, in a newer format. Restore it with that version.`)
  return { madeAt: row.made_at, program: row.program, engine: row.engine }
}

export function requireSound(db: DatabaseSync, path: string): void {
  const [found] = db.prepare('pragma integrity_check(1)').all() as unknown as { integrity_check: string }[]
  if (found?.integrity_check !== 'ok') throw damaged(path, found?.integrity_check ?? 'it cannot be checked')
  const [orphan] = db.prepare('pragma foreign_key_check').all() as unknown as { table: string }[]
  if (orphan) throw damaged(path, `rows of ${orphan.table} refer to rows that do not exist`)
}

/** The number of rows, and a hash over their values in the order of the primary key. */
function digestTable(db: DatabaseSync, table: CopiedTable): { rows: number; sha256: string } {
  const columns = listColumns(db, table)
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const order = keys.length > 0 ? ` order by ${keys.map(({ name }) => name).join(', ')}` : ''
  const statement = db.prepare(`select ${columns.map(({ name }) => name).join(', ')} from ${table}${order}`)
  statement.setReturnArrays(true)
  const hash = createHash('sha256')
  let rows = 0
  for (const values of statement.iterate() as unknown as Iterable<SQLOutputValue[]>) {
    hash.update(`${JSON.stringify(values)}\n`)
    rows += 1
  }
  return { rows, sha256: hash.digest('hex') }
}

export interface ColumnInfo {
  name: string
  type: string
  /** The place in the primary key, from 1; 0 if it is not in it. */
  pk: number
}

export const listColumns = (db: DatabaseSync, table: CopiedTable): ColumnInfo[] =>
  db.prepare('select name, type, pk from pragma_table_info(?)').all(table) as unknown as ColumnInfo[]
