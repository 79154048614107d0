// The occurrence index, kept true: moved on with the clock, rebuilt from the text, and checked against it.
import type { Context } from '../context.ts'
import { DAY_MS, dateFromDay, dayFromDate, dayOf, type Instant } from '../domain/time/instant.ts'
import type { Range } from '../domain/time/window.ts'
import type { OpenObject } from '../ical/encode.ts'
import { moveIndexSpan, raiseRevision, readIndexSpan } from '../storage/calendar.ts'
import { DERIVATION_VERSION, type Derived, type DerivedWord, derive } from '../storage/derive.ts'
import {
  listEventRowsAfter,
  listExceptionRows,
  listOccurrenceRows,
  listPublicWordRows,
  listSeriesIndexedBefore,
  rewriteDerived,
} from '../storage/events.ts'
import { readInstance, setTzVersion } from '../storage/instance.ts'
import type { Db, EventRow, ExceptionRow, OccurrenceRow } from '../storage/tables.ts'
import { inTransaction } from '../storage/transaction.ts'
import { asKept, keepSeries, readText } from './change-event.ts'
import { publicTextOf } from './public-text.ts'

const BATCH = 200

/** A year back and two years ahead, in whole months, so that the span moves a dozen times a year and not with every start. */
export function indexSpanAt(now: Instant): Range {
  const { year, month } = dateFromDay(dayOf(now))
  return { from: dayFromDate(year - 1, month, 1) * DAY_MS, to: dayFromDate(year + 2, month, 1) * DAY_MS }
}

/**
 * Moves the span on, then gives the series that go on their rows up to it; says how many. Readers need not wait: rows
 * that are not there yet are computed.
 */
export async function extendIndex(ctx: Context): Promise<number> {
  await inTransaction(ctx.storage, (db) => moveIndexSpan(db, indexSpanAt(ctx.clock())))
  let extended = 0
  for (let after = -1; ; ) {
    const last = await inTransaction(ctx.storage, async (db) => {
      const span = await readIndexSpan(db)
      const rows = await listSeriesIndexedBefore(db, span.to, after, BATCH)
      const before = extended
      for (const row of rows) if (await extendSeries(ctx, db, row, span)) extended += 1
      // Answers put together while rows moved must not be kept beyond it.
      if (extended > before) await raiseRevision(db)
      return rows.at(-1)?.key
    })
    if (last === undefined) return extended
    after = last
  }
}

/** A series that has as many rows as the index takes ends where it was cut, and there is nothing to do. */
async function extendSeries(ctx: Context, db: Db, row: EventRow, span: Range): Promise<boolean> {
  const anew = deriveAnew(ctx, row, span)
  const { indexed_from, indexed_to } = anew.derived.columns
  if (indexed_to === row.indexed_to && indexed_from === row.indexed_from) return false
  await rewrite(ctx, db, row, anew)
  return true
}

export interface ReindexReport {
  checked: number
  changed: number
  unreadable: string[]
}

/** Holds every event's columns and rows against its text and mends what differs. */
export async function reindex(ctx: Context, onProgress: (checked: number) => void = () => {}): Promise<ReindexReport> {
  const report: ReindexReport = { checked: 0, changed: 0, unreadable: [] }
  for (let after = -1; ; ) {
    const last = await inTransaction(ctx.storage, async (db) => {
      const rows = await listEventRowsAfter(db, after, BATCH)
      await reindexRows(ctx, db, rows, report)
      return rows.at(-1)?.key
    })
    onProgress(report.checked)
    if (last === undefined) return report
    after = last
  }
}

async function reindexRows(ctx: Context, db: Db, rows: EventRow[], report: ReindexReport): Promise<void> {
  const keys = rows.map(({ key }) => key)
  const span = await readIndexSpan(db)
  const exceptions = Map.groupBy(await listExceptionRows(db, keys), (row) => row.event_key)
  const occurrences = Map.groupBy(await listOccurrenceRows(db, keys), (row) => row.event_key)
  const words = Map.groupBy(await listPublicWordRows(db, keys), (row) => row.event_key)
  const changedBefore = report.changed
  for (const row of rows) {
    report.checked += 1
    let anew: DerivedAnew
    try {
      anew = deriveAnew(ctx, row, span)
    } catch {
      // One event that cannot be read is named and left as it is; the others are still checked.
      report.unreadable.push(row.id)
      continue
    }
    const { derived } = anew
    const isTrue =
      anew.isSaid &&
      row.public_ical === anew.publicIcal &&
      isAsDerived(row, exceptions.get(row.key) ?? [], occurrences.get(row.key) ?? [], derived) &&
      isSaidBy(words.get(row.key) ?? [], derived.words)
    if (isTrue) continue
    await rewrite(ctx, db, row, anew)
    report.changed += 1
  }
  if (report.changed > changedBefore) await raiseRevision(db)
}

interface DerivedAnew {
  open: OpenObject
  derived: Derived
  publicIcal: string
  /** Whether the text by itself keeps private what is private. */
  isSaid: boolean
}

function deriveAnew(ctx: Context, row: EventRow, span: Range): DerivedAnew {
  const text = readText(row.ical, ctx.config.timezone)
  const open = asKept(text, row)
  return {
    open,
    derived: derive(open.series, span),
    publicIcal: publicTextOf(ctx, open, row),
    isSaid: text.series.visibility === open.series.visibility,
  }
}

/** A text that would publish is changed as anybody would change it: whoever keeps in step is told, and gets the new one. */
const rewrite = (ctx: Context, db: Db, row: EventRow, { open, derived, publicIcal, isSaid }: DerivedAnew) =>
  isSaid ? rewriteDerived(db, row, publicIcal, derived, ctx.clock()) : keepSeries(ctx, db, null, row, open, open.series)

function isAsDerived(
  row: EventRow,
  exceptions: ExceptionRow[],
  occurrences: OccurrenceRow[],
  derived: Derived,
): boolean {
  return (
    matches(row, derived.columns) &&
    exceptions.length === derived.exceptions.length &&
    exceptions.every((exception, i) => matches(exception, derived.exceptions[i]!)) &&
    occurrences.length === derived.occurrences.length &&
    occurrences.every((occurrence, i) => matches(occurrence, derived.occurrences[i]!))
  )
}

/** In whatever order; neither list has a word of a place twice. */
function isSaidBy(rows: readonly DerivedWord[], wanted: readonly DerivedWord[]): boolean {
  const known = new Set(rows.map(({ local_at, word }) => `${local_at} ${word}`))
  return rows.length === wanted.length && wanted.every(({ local_at, word }) => known.has(`${local_at} ${word}`))
}

const matches = (row: object, wanted: object): boolean =>
  Object.entries(wanted).every(([column, value]) => (row as Record<string, unknown>)[column] === value)

/**
 * New zone data moves instants, never readings: when the runtime brings some, every row is derived again, and so it is
 * when the calendar itself gets another zone, or the program derives by other rules (`DERIVATION_VERSION`). A new schema
 * forgets what it was derived with, and so has everything derived that the one before did not know.
 */
export async function followZoneData(ctx: Context, version: string): Promise<ReindexReport | undefined> {
  const { tzVersion } = await readInstance(ctx.storage.reads)
  const wanted = `${version} ${ctx.config.timezone} ${DERIVATION_VERSION}`
  if (tzVersion === wanted) return undefined
  const report = await reindex(ctx)
  await inTransaction(ctx.storage, (db) => setTzVersion(db, wanted))
  return report.checked > 0 ? report : undefined
}
