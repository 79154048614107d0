// Writes event rows by raw SQL: making the statement would take longer than SQLite takes to run it.
import { isPostgres, rawChange, rawQuery } from '../dialect.ts'
import { noteRaised } from '../engine/commits.ts'
import {
  type ChangeCounters,
  type CounterColumns,
  counterColumnsOf,
  counterValuesOf,
  isSeenByPublic,
  type PublicChange,
} from '../history/public-change.ts'
import { copyVersionText, insertVersion, isPruneDue, pruneVersions } from '../history/versions.ts'
import type { Db, EventRow } from '../tables.ts'
import { type RaisedRevision, type RaisedRow, raisedOf, raiseText, raiseWithSpan } from './calendar.ts'
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
  'hides_category',
  'more_categories',
] satisfies (keyof EventRow)[])

type NewEventRow = Omit<EventRow, 'revision'>

/**
 * Inserts the event at the next revision, with its derived rows: on PostgreSQL in one round trip, if they are few. If
 * they are many, the counter of revisions is locked after them: every other writer waits for it.
 */
export async function insertEventRow(db: Db, row: NewEventRow, rows: DerivedRows): Promise<RaisedRevision> {
  const columns = Object.keys(row)
  const isMany = countOf(rows) > MANY_ROWS
  const isPublic = isSeenByPublic(row)
  const change = isPublic ? 'appeared' : 'none'
  if (isPostgres(db) && !isMany && rows.exceptions.length === 0) {
    const text = textOf(`insert all ${isPublic} ${columns}`, () => {
      const [occurrences, words] = [columns.length + 1, columns.length + 2]
      const counters = counterColumnsOf(true, change)
      return `with c as (${raiseText(isPublic)}), e as (${insertText(columns, counters)}),
        o as (${insertListText(db, OCCURRENCES, occurrences)}), w as (${insertListText(db, PUBLIC_WORDS, words)}) select * from c`
    })
    const lists = [listParameter(OCCURRENCES, rows.occurrences), listParameter(PUBLIC_WORDS, rows.words)]
    noteRaised(db)
    const [raised] = await rawQuery<RaisedRow>(db, text, [...Object.values(row), ...lists])
    return raisedOf(raised!)
  }
  const raisesLast = isPostgres(db) && isMany
  const first = raisesLast ? undefined : await raiseWithSpan(db, isPublic)
  const values = { ...row, ...counterValuesOf(true, change, first ?? { revision: 0, publicRevision: 0 }) }
  const written = Object.keys(values)
  await rawQuery(
    db,
    textOf(`insert ${written}`, () => insertText(written, [])),
    Object.values(values),
  )
  await insertDerivedRows(db, rows)
  if (first) return first
  const raised = await raiseWithSpan(db, isPublic)
  await updateCounters(db, row.key, counterValuesOf(true, change, raised))
  return raised
}

/** For a row that was written before the counters were raised. */
export async function updateCounters(db: Db, key: number, counters: Partial<ChangeCounters>): Promise<void> {
  const columns = Object.keys(counters)
  const text = textOf(
    `counters ${columns}`,
    () => `update events set ${settings(columns)} where key = ?${columns.length + 1}`,
  )
  await rawChange(db, text, [...Object.values(counters), key])
}

/** An event with more derived rows than this takes PostgreSQL longer than other writers should wait. */
export const MANY_ROWS = 1_000

export const countOf = ({ exceptions, occurrences, words }: DerivedRowLists): number =>
  exceptions.length + occurrences.length + words.length

type DerivedRowLists = Record<keyof DerivedRows, readonly unknown[]>

/** Counters are taken from `c`, which has raised them in the same statement. */
const insertText = (columns: readonly string[], counters: CounterColumns): string => {
  const values = [...columns.map((_, i) => `?${i + 1}`), ...counters.map(([, counter]) => `(select ${counter} from c)`)]
  return `insert into events (${[...columns, ...counters.map(([column]) => column)].join(', ')}) values (${values.join(', ')})`
}

/** A change of a row. */
export interface RowChange<Values> {
  before: EventRow
  values: Values
  /** Whether the row as it was becomes an earlier version. */
  keepsBefore: boolean
}

/** Updates the row at exactly this version; false where it has another one. */
export async function updateEventRow(db: Db, change: RowChange<ChangedValues>): Promise<boolean> {
  const { before, values, keepsBefore } = change
  if (keepsBefore) await insertVersion(db, before, values.updated_at)
  const { columns, parameters } = changedColumns(before, values)
  const text = textOf(`update ${columns}`, () => `update events set ${settings(columns)} where ${atVersion(columns)}`)
  if ((await rawChange(db, text, [...parameters, before.key, before.version])) === 0) return false
  if (keepsBefore) await pruneIfDue(db, before)
  return true
}

type ChangedValues = Partial<EventRow> & Pick<EventRow, 'updated_at'>

const pruneIfDue = async (db: Db, before: EventRow): Promise<void> => {
  if (isPruneDue(before)) await pruneVersions(db, before.key)
}

/** The same at the next revision; undefined where the row has another version. One round trip on PostgreSQL. */
export async function updateEventRowAtNextRevision(
  db: Db,
  change: RowChange<Omit<ChangedValues, 'revision'>>,
  seen: PublicChange,
): Promise<RaisedRevision | undefined> {
  const { before, values, keepsBefore } = change
  const isPublic = seen !== 'none'
  if (!isPostgres(db)) {
    const raised = await raiseWithSpan(db, isPublic)
    const withCounters = { ...change, values: { ...values, ...counterValuesOf(false, seen, raised) } }
    return (await updateEventRow(db, withCounters)) ? raised : undefined
  }
  const { columns, parameters } = changedColumns(before, values)
  const text = textOf(`update and raise ${keepsBefore} ${seen} ${columns}`, () => {
    const [key, version, endedAt] = [columns.length + 1, columns.length + 2, columns.length + 3]
    const copy = keepsBefore ? `v as (${copyVersionText(key, version, endedAt)}),` : ''
    const counters = counterColumnsOf(false, seen).map(([column, counter]) => `${column} = (select ${counter} from c)`)
    return `with c as (${raiseText(isPublic)}), ${copy} e as (update events set ${settings(columns)},
      ${counters.join(', ')} where ${atVersion(columns)} returning 1)
      select c.* from c where exists (select 1 from e)`
  })
  noteRaised(db)
  const kept = keepsBefore ? [values.updated_at] : []
  const [raised] = await rawQuery<RaisedRow>(db, text, [...parameters, before.key, before.version, ...kept])
  if (!raised) return undefined
  if (keepsBefore) await pruneIfDue(db, before)
  return raisedOf(raised)
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
