// Differences between SQLite and PostgreSQL, each as a named function: locks, lists, raw queries.
import { CompiledQuery, SqliteAdapter, sql } from 'kysely'
import { AppError } from '../errors.ts'
import type { Db } from './tables.ts'

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter.supportsTransactionalDdl === true

/** Marks SQLite in a worker thread, whose statements do not block the event loop of this one. */
export class WorkerSqliteAdapter extends SqliteAdapter {}

/** Whether a statement blocks this thread until it is done. */
export const blocksEventLoop = (db: Db): boolean =>
  !isPostgres(db) && !(db.getExecutor().adapter instanceof WorkerSqliteAdapter)

/** For a row that is about to change: PostgreSQL locks it, on SQLite the transaction already holds the file. */
export function forUpdate<Builder extends { forUpdate(): Builder }>(db: Db, query: Builder): Builder {
  return isPostgres(db) ? query.forUpdate() : query
}

/** The same at the end of raw SQL, as the next. */
export const lockForUpdate = (db: Db): string => (isPostgres(db) ? ' for update' : '')

/** For a row that must not be deleted; changes that leave its key as it is do not wait. */
export const lockForKeyShare = (db: Db): string => (isPostgres(db) ? ' for key share' : '')

/** `column in (…)` with one parameter for a list of any length, so that the statement stays the same and prepared. */
export const inList = (db: Db, column: string, values: readonly (number | string)[], type: 'bigint' | 'text') =>
  isPostgres(db)
    ? sql<boolean>`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`

/** For raw SQL: the numbers of a JSON list that is its nth parameter, as a column. */
export const listedNumbers = (db: Db, nth: number): string =>
  isPostgres(db)
    ? `select value::bigint from json_array_elements_text(?${nth}::json)`
    : `select value from json_each(?${nth})`

/** The same for a JSON list of numbers in a column of the row. */
export const listedInColumn = (db: Db, column: string): string =>
  isPostgres(db)
    ? `select value::bigint as value from json_array_elements_text(${column}::json)`
    : `select value from json_each(${column})`

/** The different values of a column, with commas between them; null where there are none. */
export const joinDistinct = (db: Db, column: string): string =>
  isPostgres(db) ? `string_agg(distinct ${column}, ',')` : `group_concat(distinct ${column})`

/** The same for a list of texts. */
export const listedTexts = (db: Db, nth: number): string =>
  isPostgres(db) ? `select value from json_array_elements_text(?${nth}::json)` : `select value from json_each(?${nth})`

/** The same for a list of pairs, as two columns. */
export const listedPairs = (db: Db, nth: number, [first, second] = ['bigint', 'bigint']): string =>
  isPostgres(db)
    ? `select (value->>0)::${first}, (value->>1)::${second} from json_array_elements(?${nth}::json)`
    : `select value->>0, value->>1 from json_each(?${nth})`

/** Advisory lock: one transaction at a time holds this number; on SQLite each transaction already holds the file. */
export async function lockByNumber(db: Db, number: number): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${sql.lit(number)})`.execute(db)
}

/** The first of two numbers; PostgreSQL keeps such locks apart from those of `lockByNumber`. */
const ACCOUNT_LOCKS = 77

/**
 * For raw SQL that reads the account of its first parameter from `users u`: locks it for share, and before that takes
 * an advisory lock, in the same statement. Row locks alone are not fair: new sharers pass an exclusive request that
 * waits, so a writer with overlapping transactions could never be suspended. Advisory locks are granted in order.
 */
export const lockingAccount = (db: Db, query: string): string =>
  isPostgres(db)
    ? `with account as materialized (select pg_advisory_xact_lock_shared(${ACCOUNT_LOCKS}, hashtext(?1)))
      ${query.replace(' from users u', ' from account cross join users u')} for share of u`
    : query

/**
 * Taken before accounts are changed, deleted or locked for update. A transaction that locks more than one account takes
 * the administrators' lock before them; events and counters come after accounts.
 */
export async function lockAccountsExclusive(db: Db, ids: readonly string[]): Promise<void> {
  if (!isPostgres(db) || ids.length === 0) return
  await sql`select pg_advisory_xact_lock(${sql.lit(ACCOUNT_LOCKS)}, key)
    from (select distinct hashtext(id) as key from unnest(${ids}::text[]) as id order by key) as keys`.execute(db)
}

/** For raw SQL: skips rows that another transaction has locked; on SQLite there can be none. */
export const skipLocked = (db: Db): string => (isPostgres(db) ? 'for update skip locked' : '')

/** Orders text by its bytes, which SQLite does by default, whatever PostgreSQL's locale is. */
export const byBytes = (db: Db, column: string) =>
  isPostgres(db) ? sql<string>`${sql.ref(column)} collate "C"` : sql<string>`${sql.ref(column)}`

type DirectReader = (text: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>

/** Bypasses the query builder, which is half of the cost of a small read. */
export const directReaders = new WeakMap<Db, DirectReader>()

/** The same for changes; returns how many rows. */
export const directChanges = new WeakMap<Db, (text: string, parameters: readonly unknown[]) => number>()

/** Runs raw SQL with `?1 ?2 …`, for the most frequent reads. */
export async function rawQuery<Row>(db: Db, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  return rawQueryNow(db, text, parameters)
}

/** The same, synchronously where the engine is. */
export function rawQueryNow<Row>(db: Db, text: string, parameters: readonly unknown[]): Row[] | Promise<Row[]> {
  const engineText = isPostgres(db) ? postgresText(text) : text
  const direct = directReaders.get(db)
  if (direct) return direct(engineText, parameters) as Row[] | Promise<Row[]>
  const query = CompiledQuery.raw(engineText, [...parameters])
  return db.executeQuery<Row>(query).then(({ rows }) => rows)
}

/** Runs raw SQL that changes rows, and returns how many. */
export async function rawChange(db: Db, text: string, parameters: readonly unknown[]): Promise<number> {
  const direct = directChanges.get(db)
  if (direct) return direct(text, parameters)
  const query = CompiledQuery.raw(isPostgres(db) ? postgresText(text) : text, [...parameters])
  return Number((await db.executeQuery(query)).numAffectedRows ?? 0)
}

const postgresTexts = new Map<string, string>()

function postgresText(text: string): string {
  const known = postgresTexts.get(text)
  if (known) return known
  const translated = text.replace(/\?(\d+)/g, '$$$1')
  postgresTexts.set(text, translated)
  return translated
}

/** Whether a failed insert violated the unique constraint of this column, on either engine. */
export function isDuplicateOf(error: unknown, table: string, column: string): boolean {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message?: string }
  if (code === '23505') return constraint === `${table}_${column}_key`
  return message === `UNIQUE constraint failed: ${table}.${column}`
}

/** SQLITE_BUSY: another process holds the file. */
export const isBusy = (error: unknown): boolean => {
  const cause = error instanceof AppError ? error.cause : error
  return ((cause as { errcode?: number } | undefined)?.errcode ?? 0) % 256 === 5
}

/** How much of the file SQLite caches for this connection; PostgreSQL's cache belongs to the server. */
export async function limitPageCache(db: Db, kib: number): Promise<void> {
  if (!isPostgres(db)) await sql`pragma cache_size = ${sql.lit(-kib)}`.execute(db)
}
