// A backup file: a SQLite database with the tables of the service, and two that describe it.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { migrations } from '../engine/migrate.ts'
import { COPIED_TABLES, type CopiedTable, LEFT_OUT_TABLES, RETIRED_TABLES, VIEWS } from './tables.ts'

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
  /** False for a backup that was made without them. */
  hasSecrets: boolean
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

/** Removes what is not a table or an index of the service: a restore makes its own views, and takes nothing else. */
export function removeForeign(db: DatabaseSync): void {
  for (const { type, name } of listObjects(db))
    if (type === 'trigger' || type === 'view') db.exec(`drop ${type} ${quote(name)}`)
  for (const { type, name } of listObjects(db))
    if (type === 'table' && !KNOWN_TABLES.has(name)) db.exec(`drop table ${quote(name)}`)
}

/** Opens a file without running anything that it may hold; throws where it is no file, such as a pipe. */
export function openBackup(path: string): DatabaseSync {
  if (!statSync(path).isFile()) throw new Error(`${path} is not a regular file`)
  const db = new DatabaseSync(path, { readOnly: true, defensive: true })
  // Expressions of its schema are not evaluated either; the rows are checked by the schema that they are copied into.
  db.exec('pragma trusted_schema = off; pragma ignore_check_constraints = on; pragma cell_size_check = on')
  return db
}

/** Reads the description and checks every page and every row against it; throws an error that says what is wrong. */
export function checkBackup(path: string): BackupContents {
  const db = openBackup(path)
  try {
    const header = readHeader(db, path)
    const applied = readMigrations(db, path, header)
    requireOwnSchema(db, path)
    requireSound(db, path)
    requireCounters(db, path)
    const rows = new Map<CopiedTable, number>()
    const described = db.prepare('select name, row_count, sha256 from backup_tables').all() as unknown as {
      name: CopiedTable
      row_count: number
      sha256: string
    }[]
    for (const { name, row_count, sha256 } of described) {
      if (!COPIED_TABLES.includes(name)) throw damaged(path, `it describes an unknown table`)
      const found = digestTable(db, name)
      if (found.rows !== row_count || found.sha256 !== sha256) throw damaged(path, `the table ${name} was changed`)
      rows.set(name, row_count)
    }
    return { ...header, rows, migrations: applied, hasSecrets: hasSecrets(db) }
  } catch (error) {
    throw explainDamage(path, error)
  } finally {
    db.close()
  }
}

/** For an error that was met while the file was read, and not while its rows were written elsewhere. */
function explainDamage(path: string, error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message: string }
  const code = errcode === undefined ? undefined : errcode & 0xff
  if (code === NOT_A_DATABASE) return new Error(`${path} is not a backup of Daybook`)
  if (code === CORRUPT) return damaged(path, message)
  // The disk for temporary files of SQLite.
  return code === undefined || code === FULL ? error : new Error(`${path} cannot be read: ${message}`)
}

/** Returns what `read` reads of the file. */
export function readFromBackup<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw explainDamage(path, error)
  }
}

/** A backup without secrets has an empty one; a restore makes another. */
const hasSecrets = (db: DatabaseSync): boolean =>
  db.prepare(`select 1 from instance where secret <> ''`).get() !== undefined

const [CORRUPT, FULL, NOT_A_DATABASE] = [11, 13, 26]

export const damaged = (path: string, reason: string): Error => new Error(`${path} is damaged: ${reason}`)

function readHeader(db: DatabaseSync, path: string): BackupHeader {
  if (!hasTable(db, 'backup')) throw new Error(`${path} is not a backup of Daybook`)
  const row = db.prepare('select format, made_at, program, engine from backup').get() as
    | { format: number; made_at: number; program: string; engine: 'sqlite' | 'postgres' }
    | undefined
  if (!row) throw damaged(path, 'its description is missing')
  if (row.format > FORMAT)
    throw new Error(`${path} was written by Daybook ${row.program}, in a newer format. Restore it with that version.`)
  return { madeAt: row.made_at, program: row.program, engine: row.engine }
}

/** The first of our migrations, without a gap; refuses a file of a newer version. */
function readMigrations(db: DatabaseSync, path: string, { program }: BackupHeader): string[] {
  if (!hasTable(db, 'migrations')) throw damaged(path, 'the table migrations is missing')
  const rows = db.prepare('select name from migrations order by name').all() as unknown as { name: string }[]
  const [applied, known] = [rows.map(({ name }) => name), migrations.map(({ name }) => name)]
  if (applied.some((name) => !known.includes(name)))
    throw new Error(`${path} was written by Daybook ${program}, a newer version. Restore it with that version.`)
  if (applied.length === 0 || applied.some((name, i) => name !== known[i]))
    throw damaged(path, 'its migrations are not those of a version of Daybook')
  return applied
}

interface SchemaObject {
  type: 'table' | 'index' | 'view' | 'trigger'
  name: string
  /** 0 for a virtual table. */
  rootpage: number
}

const listObjects = (db: DatabaseSync): SchemaObject[] =>
  db.prepare('select type, name, rootpage from sqlite_schema').all() as unknown as SchemaObject[]

/** In the file itself: a view or a virtual table does not count. An older schema has fewer tables. */
export const hasTable = (db: DatabaseSync, table: string): boolean =>
  listObjects(db).some(({ type, name, rootpage }) => type === 'table' && name === table && rootpage > 0)

/** The last ones are SQLite's own. */
const KNOWN_TABLES: ReadonlySet<string> = new Set([
  ...[...COPIED_TABLES, ...LEFT_OUT_TABLES, ...RETIRED_TABLES, 'backup', 'backup_tables'],
  ...['sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'],
])
const KNOWN_VIEWS: ReadonlySet<string> = new Set(VIEWS)
const COLUMN_NAME = /^[a-z][a-z0-9_]{0,40}$/

/** Refuses triggers, and views, tables and columns that no version of Daybook makes. Indexes are not used. */
function requireOwnSchema(db: DatabaseSync, path: string): void {
  for (const { type, name, rootpage } of listObjects(db)) {
    if (type === 'index' || (type === 'view' && KNOWN_VIEWS.has(name))) continue
    if (type !== 'table' || !KNOWN_TABLES.has(name) || rootpage === 0)
      throw new Error(`${path} holds a ${type} that Daybook did not make: ${JSON.stringify(name)}`)
    const columns = db.prepare('select name, hidden from pragma_table_xinfo(?)').all(name)
    const strange = columns.find((column) => column.hidden !== 0 || !COLUMN_NAME.test(String(column.name)))
    if (strange) throw new Error(`${path} holds a column that Daybook did not make, in the table ${name}`)
  }
}

/** Every page, but not the contents of indexes: their expressions may be anyone's, and a restore makes its own. */
function requireSound(db: DatabaseSync, path: string): void {
  const [found] = db.prepare('pragma quick_check(1)').all() as unknown as { quick_check: string }[]
  if (found?.quick_check !== 'ok') throw damaged(path, found?.quick_check ?? 'it cannot be checked')
  const [orphan] = db.prepare('pragma foreign_key_check').all() as unknown as { table: string }[]
  if (orphan) throw damaged(path, `rows of ${orphan.table} refer to rows that do not exist`)
}

/** Columns that count up, and the time of the backup: a restore begins its numbers above them. */
const COUNTERS = [
  ['backup', 'made_at'],
  ['calendar', 'revision'],
  ['calendar', 'accounts_revision'],
  ['calendar', 'sync_floor'],
  ['users', 'version'],
  ['events', 'version'],
  ['events', 'revision'],
  ['trash', 'version'],
  ['event_versions', 'version'],
  ['gone_names', 'revision'],
  ['tombstones', 'revision'],
] as const

/** Far above all milliseconds since 1970, and far enough below 2^53 for what is added later. */
const MAX_COUNTER = 1_000_000_000_000_000

/** Without the file's indexes, which may be wrong. An older schema has fewer columns. */
function requireCounters(db: DatabaseSync, path: string): void {
  for (const [table, column] of COUNTERS) {
    if (!listColumns(db, table).some(({ name }) => name === column)) continue
    const isWrong = `typeof(${column}) <> 'integer' or ${column} not between 0 and ${MAX_COUNTER}`
    const text = `select typeof(${column}) as type, cast(${column} as text) as value from ${table} not indexed where ${isWrong}`
    const [wrong] = db.prepare(`${text} limit 1`).all() as unknown as { type: string; value: string }[]
    if (!wrong) continue
    if (wrong.type !== 'integer') throw damaged(path, `${column} in the table ${table} is no number`)
    const reason = wrong.value.startsWith('-') ? 'below 0' : 'higher than any of Daybook'
    throw damaged(path, `${column} in the table ${table} is ${wrong.value}, ${reason}`)
  }
}

/** The number of rows, and a hash over their values in the order of the primary key. */
function digestTable(db: DatabaseSync, table: CopiedTable): { rows: number; sha256: string } {
  const hash = createHash('sha256')
  let rows = 0
  for (const values of readRows(db, table, listColumns(db, table))) {
    hash.update(`${JSON.stringify(values)}\n`)
    rows += 1
  }
  return { rows, sha256: hash.digest('hex') }
}

/** The values of these columns, in the order of the primary key. */
export function readRows(db: DatabaseSync, table: string, columns: readonly ColumnInfo[]): Iterable<SQLOutputValue[]> {
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const order = keys.length > 0 ? ` order by ${quoteAll(keys)}` : ''
  const statement = db.prepare(`select ${quoteAll(columns)} from ${quote(table)}${order}`)
  statement.setReturnArrays(true)
  return statement.iterate() as unknown as Iterable<SQLOutputValue[]>
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

export const quoteAll = (columns: readonly { name: string }[]): string =>
  columns.map(({ name }) => quote(name)).join(', ')

export interface ColumnInfo {
  name: string
  type: string
  /** The place in the primary key, from 1; 0 if it is not in it. */
  pk: number
}

export const listColumns = (db: DatabaseSync, table: string): ColumnInfo[] =>
  db.prepare('select name, type, pk from pragma_table_info(?)').all(table) as unknown as ColumnInfo[]
