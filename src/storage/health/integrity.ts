// Integrity checks of both engines: damaged pages, broken references, indexes, schema state.
import { COPIED_TABLES, LEFT_OUT_TABLES, RETIRED_TABLES } from '../backup/tables.ts'
import { isPostgres, rawQuery } from '../dialect.ts'
import { migrations } from '../engine/migrate.ts'
import type { Db } from '../tables.ts'

/** More lines do not help; SQLite stops after them. */
const MAX_LINES = 20

const TABLES = [...COPIED_TABLES, ...LEFT_OUT_TABLES, ...RETIRED_TABLES]

/** For PostgreSQL: those that queries with these names read, in any schema of the search path. */
export const SELECT_OWN_TABLES = `select to_regclass(name)::oid from unnest('{${TABLES}}'::text[]) as name`

/** What SQLite says of damaged pages and indexes, empty where all is well; PostgreSQL has no such check. */
export async function listDamage(db: Db, isFull: boolean): Promise<string[]> {
  if (isPostgres(db)) return []
  const pragma = isFull ? 'integrity_check' : 'quick_check'
  const rows = await rawQuery<Record<string, string>>(db, `pragma ${pragma}(${MAX_LINES})`, [])
  return rows.map((row) => Object.values(row)[0]!).filter((line) => line !== 'ok')
}

/** Tables with rows that refer to a missing row; on PostgreSQL, with a constraint that was never validated. */
export async function listBrokenReferences(db: Db): Promise<string[]> {
  const rows = isPostgres(db)
    ? await rawQuery<{ name: string }>(
        db,
        `select distinct conrelid::regclass::text as name from pg_constraint
          where contype = 'f' and not convalidated and conrelid in (${SELECT_OWN_TABLES}) order by name`,
        [],
      )
    : await rawQuery<{ name: string }>(db, 'select distinct "table" as name from pragma_foreign_key_check()', [])
  return rows.map(({ name }) => name)
}

/** Indexes that PostgreSQL does not use because building them failed. */
export async function listInvalidIndexes(db: Db): Promise<string[]> {
  if (!isPostgres(db)) return []
  const rows = await rawQuery<{ name: string }>(
    db,
    `select indexrelid::regclass::text as name from pg_index
      where not indisvalid and indrelid in (${SELECT_OWN_TABLES}) order by name`,
    [],
  )
  return rows.map(({ name }) => name)
}

export interface SchemaState {
  /** No calendar was created in this database. */
  isEmpty: boolean
  /** Migrations that this version has and the database has not. */
  missing: string[]
  /** Migrations that only a newer version knows. */
  unknown: string[]
}

export async function readSchemaState(db: Db): Promise<SchemaState> {
  const applied = await listApplied(db)
  const known = migrations.map(({ name }) => name)
  return {
    isEmpty: applied.length === 0,
    missing: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

async function listApplied(db: Db): Promise<string[]> {
  const tables = await rawQuery<{ name: string }>(
    db,
    isPostgres(db)
      ? `select to_regclass('migrations')::text as name where to_regclass('migrations') is not null`
      : `select name from sqlite_schema where type = 'table' and name = 'migrations'`,
    [],
  )
  if (tables.length === 0) return []
  const rows = await rawQuery<{ name: string }>(db, 'select name from migrations order by name', [])
  return rows.map(({ name }) => name)
}
