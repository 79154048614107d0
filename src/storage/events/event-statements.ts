// Writes event rows by raw SQL: making the statement would take longer than SQLite takes to run it.
import { rawChange, rawQuery } from '../dialect.ts'
import type { Db, EventRow } from '../tables.ts'

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

export async function insertEventRow(db: Db, row: EventRow): Promise<void> {
  const columns = Object.keys(row)
  const text = textOf(`insert ${columns}`, () => {
    const places = columns.map((_, i) => `?${i + 1}`)
    return `insert into events (${columns.join(', ')}) values (${places.join(', ')})`
  })
  await rawQuery(db, text, Object.values(row))
}

/** Updates the row at exactly this version; false where it has another one. */
export async function updateEventRow(db: Db, before: EventRow, values: Partial<EventRow>): Promise<boolean> {
  const entries = Object.entries(values) as [keyof EventRow, EventRow[keyof EventRow]][]
  const isUnmoved = entries.every(([column, value]) => !INDEXED.has(column) || before[column] === value)
  const changed = isUnmoved ? entries.filter(([column]) => !INDEXED.has(column)) : entries
  const columns = changed.map(([column]) => column)
  const text = textOf(`update ${columns}`, () => {
    const settings = columns.map((column, i) => `${column} = ?${i + 1}`)
    const [key, version] = [columns.length + 1, columns.length + 2]
    return `update events set ${settings.join(', ')} where key = ?${key} and version = ?${version}`
  })
  const parameters = [...changed.map(([, value]) => value), before.key, before.version]
  return (await rawChange(db, text, parameters)) > 0
}

/** By the columns, which callers give in a few orders. */
const texts = new Map<string, string>()

function textOf(columns: string, make: () => string): string {
  const known = texts.get(columns)
  if (known) return known
  const text = make()
  texts.set(columns, text)
  return text
}
