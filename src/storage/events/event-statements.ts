// Writes event rows by raw SQL: making the statement would take longer than SQLite takes to run it.
import { isPostgres, rawChange, rawQuery } from '../dialect.ts'
import type { Db, EventRow } from '../tables.ts'
import { RAISE_REVISION, type RaisedRevision, type RaisedRow, raisedOf, raiseWithSpan } from './calendar.ts'
import {
  type DerivedRows,
  insertDerivedRows,
  insertListText,
  listParameter,
  OCCURRENCES,
  PUBLIC_WORDS,
} from './derived-rows.ts'

/** Columns of indexes besides `version` and times of changes. Named in an update, each has its indexes written again. */
const INDEXED = new Set<string>([
  'uid',
  'dav_name',
  'visibility',
  'category',
  'status',
  'all_day',
  'start_local',
  'start_at',
  'duration_ms',
  'is_recurring',
  'indexed_from',
  'indexed_to',
  'is_unreadable',
] satisfies (keyof EventRow)[])

type NewEventRow = Omit<EventRow, 'revision'>

/**
 * Inserts the event at the next revision, with its derived rows: on PostgreSQL in one round trip, if they are few. If
 * they are many, the counter of revisions is locked after them: every other writer waits for it.
 */
export async function insertEventRow(db: Db, row: NewEventRow, rows: DerivedRows): Promise<RaisedRevision> {
  const columns = Object.keys(row)
  const isMany = countOf(rows) > MANY_ROWS
  if (isPostgres(db) && !isMany && rows.exceptions.length === 0) {
    const text = textOf(`insert all ${columns}`, () => {
      const [occurrences, words] = [columns.length + 1, columns.length + 2]
      return `with c as (${RAISE_REVISION}), e as (${insertText(columns, '(select revision from c)')}),
        o as (${insertListText(db, OCCURRENCES, occurrences)}), w as (${insertListText(db, PUBLIC_WORDS, words)}) select * from c`
    })
    const lists = [listParameter(OCCURRENCES, rows.occurrences), listParameter(PUBLIC_WORDS, rows.words)]
    const [raised] = await rawQuery<RaisedRow>(db, text, [...Object.values(row), ...lists])
    return raisedOf(raised!)
  }
  const raisesLast = isPostgres(db) && isMany
  const first = raisesLast ? undefined : await raiseWithSpan(db)
  const text = textOf(`insert ${columns}`, () => insertText(columns, `?${columns.length + 1}`))
  await rawQuery(db, text, [...Object.values(row), first?.revision ?? 0])
  await insertDerivedRows(db, rows)
  if (first) return first
  const raised = await raiseWithSpan(db)
  await rawQuery(db, 'update events set revision = ?1 where key = ?2', [raised.revision, row.key])
  return raised
}

/** An event with more derived rows than this takes PostgreSQL longer than other writers should wait. */
export const MANY_ROWS = 1_000

export const countOf = ({ exceptions, occurrences, words }: DerivedRowLists): number =>
  exceptions.length + occurrences.length + words.length

type DerivedRowLists = Record<keyof DerivedRows, readonly unknown[]>

const insertText = (columns: readonly string[], revision: string): string => {
  const values = [...columns.map((_, i) => `?${i + 1}`), revision]
  return `insert into events (${[...columns, 'revision'].join(', ')}) values (${values.join(', ')})`
}

/** Updates the row at exactly this version; false where it has another one. */
export async function updateEventRow(db: Db, before: EventRow, values: Partial<EventRow>): Promise<boolean> {
  const { columns, parameters } = changedColumns(before, values)
  const text = textOf(`update ${columns}`, () => `update events set ${settings(columns)} where ${atVersion(columns)}`)
  return (await rawChange(db, text, [...parameters, before.key, before.version])) > 0
}

/** The same at the next revision; undefined where the row has another version. One round trip on PostgreSQL. */
export async function updateEventRowAtNextRevision(
  db: Db,
  before: EventRow,
  values: Partial<NewEventRow>,
): Promise<RaisedRevision | undefined> {
  if (!isPostgres(db)) {
    const raised = await raiseWithSpan(db)
    return (await updateEventRow(db, before, { ...values, revision: raised.revision })) ? raised : undefined
  }
  const { columns, parameters } = changedColumns(before, values)
  const text = textOf(
    `update and raise ${columns}`,
    () => `with c as (${RAISE_REVISION}), e as (update events set ${settings(columns)},
      revision = (select revision from c) where ${atVersion(columns)} returning 1)
      select c.* from c where exists (select 1 from e)`,
  )
  const [raised] = await rawQuery<RaisedRow>(db, text, [...parameters, before.key, before.version])
  return raised && raisedOf(raised)
}

function changedColumns(before: EventRow, values: Partial<EventRow>) {
  const entries = Object.entries(values) as [keyof EventRow, EventRow[keyof EventRow]][]
  const isUnmoved = entries.every(([column, value]) => !INDEXED.has(column) || before[column] === value)
  const changed = isUnmoved ? entries.filter(([column]) => !INDEXED.has(column)) : entries
  return { columns: changed.map(([column]) => column), parameters: changed.map(([, value]) => value) }
}

const settings = (columns: readonly string[]): string => columns.map((column, i) => `${column} = ?${i + 1}`).join(', ')

const atVersion = ({ length }: readonly string[]): string => `key = ?${length + 1} and version = ?${length + 2}`

/** By the columns, which callers give in a few orders. */
const texts = new Map<string, string>()

function textOf(columns: string, make: () => string): string {
  const known = texts.get(columns)
  if (known) return known
  const text = make()
  texts.set(columns, text)
  return text
}
