// Writes derived rows of events (exceptions, occurrences, public words) in slices that yield.
import { sql } from 'kysely'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { isPostgres, listedNumbers, listedPairs, rawQuery } from '../dialect.ts'
import type { Db, ExceptionRow, OccurrenceRow, PublicWordRow } from '../tables.ts'
import type { Derived } from './derive.ts'

export interface DerivedRows {
  exceptions: ExceptionRow[]
  occurrences: OccurrenceRow[]
  words: PublicWordRow[]
}

/** Each exception takes seventeen parameters, and a statement has a limited number of them. */
const EXCEPTIONS_AT_ONCE = 100

/** Other rows are one parameter together; this many block the event loop for a few milliseconds on SQLite. */
const ROWS_AT_ONCE = 500

/** PostgreSQL takes more in the same time, and the event loop only writes them as JSON; each slice is a round trip. */
const POSTGRES_ROWS_AT_ONCE = 4_000

const rowsAtOnce = (db: Db): number => (isPostgres(db) ? POSTGRES_ROWS_AT_ONCE : ROWS_AT_ONCE)

/** Comparing this many rows takes a few milliseconds. */
const COMPARED_AT_ONCE = 5_000

export async function insertDerivedRows(db: Db, { exceptions, occurrences, words }: DerivedRows): Promise<void> {
  await inSlices(exceptions, EXCEPTIONS_AT_ONCE, (rows) => db.insertInto('exceptions').values(rows).execute())
  await inSlices(occurrences, rowsAtOnce(db), (rows) => insertListed(db, OCCURRENCES, rows))
  await inSlices(words, rowsAtOnce(db), (rows) => insertListed(db, PUBLIC_WORDS, rows))
}

/** Writes only what differs: deleting one occurrence of a daily series touches one of its thousand rows. */
export async function replaceDerivedRows(db: Db, key: number, before: DerivedRows, after: DerivedRows): Promise<void> {
  const exceptions = await differenceOf(before.exceptions, after.exceptions, ({ local_at }) => local_at)
  await yieldAfter(after.exceptions)
  const occurrences = await differenceOf(before.occurrences, after.occurrences, ({ local_at }) => local_at)
  await yieldAfter(after.occurrences)
  const words = await differenceOf(before.words, after.words, ({ local_at, word }) => `${local_at} ${word}`)
  await deleteRowsAt(db, 'exceptions', key, exceptions.gone)
  await deleteRowsAt(db, 'occurrences', key, occurrences.gone)
  await inSlices(words.gone, rowsAtOnce(db), (rows) => deleteWords(db, key, rows))
  await insertDerivedRows(db, {
    exceptions: exceptions.added,
    occurrences: occurrences.added,
    words: words.added,
  })
}

/** Rows to delete and rows to insert; a changed row is in both. Yields to the event loop in between. */
async function differenceOf<Row extends object>(
  before: readonly Row[],
  after: readonly Row[],
  nameOf: (row: Row) => unknown,
) {
  const known = new Map<unknown, Row>()
  for (const [i, row] of before.entries()) {
    known.set(nameOf(row), row)
    if (i % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) await yieldToEventLoop()
  }
  const added: Row[] = []
  for (const [i, row] of after.entries()) {
    const name = nameOf(row)
    const old = known.get(name)
    if (old && isSameRow(old, row)) known.delete(name)
    else added.push(row)
    if (i % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) await yieldToEventLoop()
  }
  return { gone: [...known.values()], added }
}

const isSameRow = <Row extends object>(a: Row, b: Row): boolean =>
  (Object.keys(b) as (keyof Row)[]).every((column) => a[column] === b[column])

async function deleteRowsAt(
  db: Db,
  table: 'exceptions' | 'occurrences',
  key: number,
  rows: readonly { local_at: number }[],
): Promise<void> {
  await inSlices(rows, rowsAtOnce(db), (slice) =>
    rawQuery(db, `delete from ${table} where event_key = ?1 and local_at in (${listedNumbers(db, 2)})`, [
      key,
      JSON.stringify(slice.map(({ local_at }) => local_at)),
    ]),
  )
}

/** SQLite takes a quarter of the time for each row that it need not read from JSON. */
const FEW_WORDS = 4

/** Each by its whole key: an occurrence may have thousands of words. */
async function deleteWords(db: Db, key: number, rows: readonly PublicWordRow[]): Promise<void> {
  if (!isPostgres(db) && rows.length <= FEW_WORDS) {
    for (const { local_at, word } of rows) await rawQuery(db, DELETE_WORD, [key, local_at, word])
    return
  }
  await rawQuery(
    db,
    `delete from public_words where event_key = ?1 and (local_at, word) in (${listedPairs(db, 2, ['bigint', 'text'])})`,
    [key, JSON.stringify(rows.map(({ local_at, word }) => [local_at, word]))],
  )
}

const DELETE_WORD = 'delete from public_words where event_key = ?1 and local_at = ?2 and word = ?3'

/** Deletes all but some rows of an event in slices; deleting the event then removes the rest. */
export async function deleteMostRows(db: Db, key: number): Promise<void> {
  // PostgreSQL does not block the event loop, and other writers would wait for each round trip.
  if (isPostgres(db)) return
  for (const table of ['exceptions', 'occurrences', 'public_words'] as const) {
    for (;;) {
      const { rows } = await sql<{ local_at: number }>`select local_at from ${sql.table(table)} where event_key = ${key}
        order by local_at limit 1 offset ${ROWS_AT_ONCE}`.execute(db)
      const [last] = rows
      if (!last) break
      await db.deleteFrom(table).where('event_key', '=', key).where('local_at', '<=', last.local_at).execute()
      await yieldToEventLoop()
    }
  }
}

/** Yields to the event loop after many rows of one event. */
export async function yieldAfter(rows: readonly unknown[]): Promise<void> {
  if (rows.length > ROWS_AT_ONCE) await yieldToEventLoop()
}

/** Yields to the event loop between slices, so that other requests are answered. */
async function inSlices<Row>(
  rows: readonly Row[],
  size: number,
  act: (slice: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let i = 0; i < rows.length; i += size) {
    await act(rows.slice(i, i + size))
    if (i > 0 || rows.length > size) await yieldToEventLoop()
  }
}

/** A table whose rows are inserted together, with the types that PostgreSQL casts them to. */
interface ListedTable<Row> {
  name: string
  columns: readonly (keyof Row & string)[]
  types: readonly string[]
}

export const OCCURRENCES: ListedTable<OccurrenceRow> = {
  name: 'occurrences',
  columns: ['event_key', 'local_at', 'lane', 'start_at', 'end_at', 'is_overridden', 'is_hidden'],
  types: ['bigint', 'bigint', 'smallint', 'bigint', 'bigint', 'smallint', 'smallint'],
}

export const PUBLIC_WORDS: ListedTable<PublicWordRow> = {
  name: 'public_words',
  columns: ['event_key', 'local_at', 'word'],
  types: ['bigint', 'bigint', 'text'],
}

/** An insert of any number of rows, which are its nth parameter. */
export const insertListText = <Row>(db: Db, { name, columns, types }: ListedTable<Row>, nth: number): string => {
  const values = isPostgres(db)
    ? `select ${types.map((type, i) => `(r->>${i})::${type}`).join(', ')} from jsonb_array_elements(?${nth}::jsonb) r`
    : `select ${types.map((_, i) => `value->>${i}`).join(', ')} from json_each(?${nth})`
  return `insert into ${name} (${columns.join(', ')}) ${values}`
}

export const listParameter = <Row>({ columns }: ListedTable<Row>, rows: readonly Row[]): string =>
  JSON.stringify(rows.map((row) => columns.map((column) => row[column])))

/** SQLite takes half the time for rows that it need not read from JSON; each number of them is a statement. */
const FEW_ROWS = 32

const insertListed = <Row>(db: Db, table: ListedTable<Row>, rows: readonly Row[]): Promise<unknown> => {
  if (isPostgres(db) || rows.length > FEW_ROWS)
    return rawQuery(db, insertListText(db, table, 1), [listParameter(table, rows)])
  const values = rows.flatMap((row) => table.columns.map((column) => row[column]))
  return rawQuery(db, fewRowsText(table, rows.length), values)
}

const fewRowsTexts = new Map<string, string>()

function fewRowsText<Row>({ name, columns }: ListedTable<Row>, count: number): string {
  const key = `${name} ${count}`
  const row = `(${columns.map(() => '?').join(', ')})`
  const text =
    fewRowsTexts.get(key) ?? `insert into ${name} (${columns.join(', ')}) values ${Array(count).fill(row).join(', ')}`
  fewRowsTexts.set(key, text)
  return text
}

/** The derived rows of an event, under its key. `before` has the exceptions from before. */
export function derivedRows(
  key: number,
  derived: Derived,
  now: number,
  by: string | null,
  before: ReadonlyMap<number, ExceptionRow> = new Map(),
): DerivedRows {
  const exceptions = derived.exceptions.map((exception) => {
    const known = before.get(exception.local_at)
    const kept = known?.kind === exception.kind ? known : undefined
    return {
      event_key: key,
      ...exception,
      created_at: kept ? kept.created_at : now,
      created_by: kept ? kept.created_by : by,
    }
  })
  return {
    exceptions,
    occurrences: derived.occurrences.map((row) => ({ event_key: key, ...row })),
    words: derived.words.map((row) => ({ event_key: key, ...row })),
  }
}
