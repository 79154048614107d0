// Maintains the occurrence index: extends it over time, rebuilds and checks it from the texts.
import type { Context } from '../../context.ts'
import type { Steps } from '../../domain/steps.ts'
import { DAY_MS, dateFromDay, dayFromDate, dayOf, type Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { describeKind } from '../../errors.ts'
import type { OpenObject } from '../../ical/encode.ts'
import type { SliceTimer } from '../../scheduling/event-loop.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { moveIndexSpan, readIndexSpan, setIndexSpan } from '../../storage/events/calendar.ts'
import { DERIVATION_VERSION, type Derived, type DerivedWord, deriveInSteps } from '../../storage/events/derive.ts'
import type { DerivedRows } from '../../storage/events/derived-rows.ts'
import {
  listExceptionRows,
  listOccurrenceRows,
  listPublicWordRows,
  rewriteDerived,
} from '../../storage/events/events.ts'
import {
  advanceIndexWork,
  countEvents,
  countSeriesIndexedBefore,
  type EventSize,
  findIndexWork,
  finishIndexWork,
  listEventSizesAfter,
  listOccurrenceRowsAfter,
  listPublicWordRowsAfter,
  listSeriesSizesAfter,
  startIndexWork,
} from '../../storage/events/index-work.ts'
import { readInstance, setTzVersion } from '../../storage/operations/instance.ts'
import type { Db, EventRow, ExceptionRow, OccurrenceRow, PublicWordRow } from '../../storage/tables.ts'
import { updateSeries } from '../events/change-event.ts'
import { openText, withStoredVisibility } from '../events/event-texts.ts'
import { publicTextInSteps } from '../events/public-text.ts'
import { type EventWalk, type VisitEvent, type WalkOptions, type WalkReport, walkEvents } from './event-walk.ts'

/** A year back and two years ahead, in whole months, so that the span moves twelve times a year, not at every start. */
export function indexSpanAt(now: Instant): Range {
  const { year, month } = dateFromDay(dayOf(now))
  return { from: dayFromDate(year - 1, month, 1) * DAY_MS, to: dayFromDate(year + 2, month, 1) * DAY_MS }
}

/**
 * Extends the span, then derives rows up to it for the series that continue; returns how many changed. Readers need not
 * wait: missing rows are computed on read. If stopped, the next call continues: finished series are not listed again.
 */
export async function extendIndex(ctx: Context, options: WalkOptions = {}): Promise<number> {
  await inTransaction(ctx.storage, (db) => moveIndexSpan(db, indexSpanAt(ctx.clock())))
  const { to } = await readIndexSpan(ctx.storage.reads)
  const work = { name: 'extend', target: `${to}` } as const
  const before = await findIndexWork(ctx.storage.reads, 'extend')
  if (before?.target === work.target && before.is_finished === 1) return 0
  const walk: EventWalk = {
    list: (db, after, limit) => listSeriesSizesAfter(db, to, placeOf(after), limit),
    open: (db, _rows, timer) => openExtension(ctx, db, timer),
    save: (db, _last, done) => advanceIndexWork(db, work, { cursor_key: -1, done }),
  }
  await inTransaction(ctx.storage, async (db) =>
    startIndexWork(db, work.name, work.target, await countSeriesIndexedBefore(db, to)),
  )
  const report = emptyReport()
  const isFinished = await walkEvents(ctx, walk, report, options)
  if (isFinished) await inTransaction(ctx.storage, (db) => finishIndexWork(db, work))
  return report.changed
}

const placeOf = (after: EventSize | undefined) => ({
  indexedTo: after?.indexed_to ?? Number.MIN_SAFE_INTEGER,
  key: after?.key ?? -1,
})

/** A series that already has the maximum number of rows keeps its indexed span, and nothing is written. */
async function openExtension(ctx: Context, db: Db, timer: SliceTimer): Promise<VisitEvent> {
  const span = await readIndexSpan(db)
  return async (row) => {
    const anew = await deriveSafely(ctx, row, span, timer)
    if (!anew) return 'unreadable'
    const { indexed_from, indexed_to } = anew.derived.columns
    if (indexed_to === row.indexed_to && indexed_from === row.indexed_from) return 'same'
    await rewrite(ctx, db, row, anew)
    return 'changed'
  }
}

/** Moves the span to the current time, also backwards; rows follow when events are derived again. */
export const moveIndexToNow = (ctx: Context): Promise<boolean> =>
  inTransaction(ctx.storage, (db) => setIndexSpan(db, indexSpanAt(ctx.clock())))

export type ReindexReport = WalkReport

const emptyReport = (): ReindexReport => ({ checked: 0, changed: 0, unreadable: [] })

/** Compares every event's columns and rows with its text and repairs the differences. */
export async function reindex(ctx: Context, options: WalkOptions = {}): Promise<ReindexReport> {
  const report = emptyReport()
  await walkEvents(ctx, checkingWalk(ctx), report, options)
  return report
}

const checkingWalk = (ctx: Context): EventWalk => ({
  list: (db, after, limit) => listEventSizesAfter(db, after?.key ?? -1, limit),
  open: (db, rows, timer) => openCheck(ctx, db, rows, timer),
})

async function openCheck(ctx: Context, db: Db, rows: readonly EventRow[], timer: SliceTimer): Promise<VisitEvent> {
  const keys = rows.map(({ key }) => key)
  // A series may have thousands of rows; they are read when its turn comes, in batches.
  const single = rows.filter(({ is_recurring }) => is_recurring === 0).map(({ key }) => key)
  const span = await readIndexSpan(db)
  await timer.pause()
  const exceptions = Map.groupBy(await listExceptionRows(db, keys), (row) => row.event_key)
  await timer.pause()
  const occurrences = Map.groupBy(await listOccurrenceRows(db, single), (row) => row.event_key)
  await timer.pause()
  const words = Map.groupBy(await listPublicWordRows(db, single), (row) => row.event_key)
  return async (row) => {
    const anew = await deriveSafely(ctx, row, span, timer)
    if (!anew) return 'unreadable'
    const before: DerivedRows = {
      exceptions: exceptions.get(row.key) ?? [],
      occurrences: row.is_recurring === 0 ? (occurrences.get(row.key) ?? []) : await readOccurrences(db, row, timer),
      words: row.is_recurring === 0 ? (words.get(row.key) ?? []) : await readWords(db, row, timer),
    }
    const { derived } = anew
    const isTrue =
      anew.textMatchesVisibility &&
      row.public_ical === anew.publicIcal &&
      isAsDerived(row, before.exceptions, before.occurrences, derived) &&
      (await hasSameWords(before.words, derived.words, timer))
    if (isTrue) return 'same'
    await timer.pause()
    await rewrite(ctx, db, row, anew, before)
    return 'changed'
  }
}

const ROWS_AT_ONCE = 1_000

async function readOccurrences(db: Db, { key }: EventRow, timer: SliceTimer): Promise<OccurrenceRow[]> {
  const rows: OccurrenceRow[] = []
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const some = await listOccurrenceRowsAfter(db, key, after, ROWS_AT_ONCE)
    rows.push(...some)
    if (some.length < ROWS_AT_ONCE) return rows
    after = some.at(-1)!.local_at
    await timer.pause()
  }
}

async function readWords(db: Db, { key }: EventRow, timer: SliceTimer): Promise<PublicWordRow[]> {
  const rows: PublicWordRow[] = []
  for (let after = { local_at: Number.MIN_SAFE_INTEGER, word: '' }; ; ) {
    const some = await listPublicWordRowsAfter(db, key, after, ROWS_AT_ONCE)
    rows.push(...some)
    if (some.length < ROWS_AT_ONCE) return rows
    after = some.at(-1)!
    await timer.pause()
  }
}

interface DerivedAnew {
  open: OpenObject
  derived: Derived
  publicIcal: string
  /** Whether the text itself has the stored visibility. */
  textMatchesVisibility: boolean
}

async function deriveAnew(ctx: Context, row: EventRow, span: Range, timer: SliceTimer): Promise<DerivedAnew> {
  const text = await runTimed(openText(row.ical, ctx.config.timezone), timer)
  await timer.pause()
  const open = withStoredVisibility(text, row)
  const derived = await runTimed(deriveInSteps(open.series, span), timer)
  await timer.pause()
  const publicIcal = await runTimed(publicTextInSteps(ctx, open, row), timer)
  await timer.pause()
  return { open, derived, publicIcal, textMatchesVisibility: text.series.visibility === open.series.visibility }
}

/** Yields to the event loop between the steps of a computation. */
async function runTimed<T>(steps: Steps<T>, timer: SliceTimer): Promise<T> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
    await timer.pause()
  }
}

/** Undefined for an event that cannot be read: it is logged and left as it is, and the walk continues. */
async function deriveSafely(
  ctx: Context,
  row: EventRow,
  span: Range,
  timer: SliceTimer,
): Promise<DerivedAnew | undefined> {
  try {
    return await deriveAnew(ctx, row, span, timer)
  } catch (error) {
    ctx.log.error('a stored event cannot be read and was left as it is', { event_id: row.id, ...describeKind(error) })
    return undefined
  }
}

/** A text that would publish a private event is replaced like any other write, so CalDAV clients get the new one. */
const rewrite = (
  ctx: Context,
  db: Db,
  row: EventRow,
  { open, derived, publicIcal, textMatchesVisibility }: DerivedAnew,
  before?: DerivedRows,
) =>
  textMatchesVisibility
    ? rewriteDerived(db, row, publicIcal, derived, ctx.clock(), before)
    : updateSeries(ctx, db, null, row, open, open.series)

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

/** Compares regardless of order; neither list has a word of an occurrence twice. */
async function hasSameWords(
  rows: readonly DerivedWord[],
  wanted: readonly DerivedWord[],
  timer: SliceTimer,
): Promise<boolean> {
  if (rows.length !== wanted.length) return false
  const known = new Set<string>()
  for (const [i, { local_at, word }] of rows.entries()) {
    known.add(`${local_at} ${word}`)
    if (i % ROWS_AT_ONCE === 0) await timer.pause()
  }
  for (const [i, { local_at, word }] of wanted.entries()) {
    if (!known.has(`${local_at} ${word}`)) return false
    if (i % ROWS_AT_ONCE === 0) await timer.pause()
  }
  return true
}

const matches = (row: object, wanted: object): boolean =>
  Object.entries(wanted).every(([column, value]) => (row as Record<string, unknown>)[column] === value)

/**
 * New time zone data moves instants, never wall times. Every row is derived again when the runtime brings new data, the
 * calendar's zone changes, or the derivation rules change (`DERIVATION_VERSION`). Migrations clear the stored target
 * where the schema needs newly derived rows.
 */
export async function followZoneData(
  ctx: Context,
  version: string,
  options: WalkOptions = {},
): Promise<ReindexReport | undefined> {
  const { tzVersion } = await readInstance(ctx.storage.reads)
  const wanted = rebuildTarget(ctx, version)
  const work = await findIndexWork(ctx.storage.reads, 'rebuild')
  // Unfinished work for another target left some events derived for that target.
  const isMixed = work?.is_finished === 0 && work.target !== wanted
  if (tzVersion === wanted && !isMixed) return undefined
  const report = await rebuild(ctx, wanted, options)
  return report.checked > 0 ? report : undefined
}

/** What derived rows depend on besides the text of their event. */
export const rebuildTarget = ({ config }: Context, zoneData: string): string =>
  `${zoneData} ${config.timezone} ${DERIVATION_VERSION}`

/** Continues where work for the same target was stopped, on any node. */
async function rebuild(ctx: Context, target: string, options: WalkOptions): Promise<ReindexReport> {
  const work = { name: 'rebuild', target } as const
  const before = await inTransaction(ctx.storage, async (db) => {
    await startIndexWork(db, work.name, target, await countEvents(db))
    return (await findIndexWork(db, work.name))!
  })
  const walk: EventWalk = {
    ...checkingWalk(ctx),
    after: { key: before.cursor_key, size: 0, indexed_to: null },
    save: (db, { key }, done) => advanceIndexWork(db, work, { cursor_key: key, done: before.done + done }),
  }
  const report = emptyReport()
  if (!(await walkEvents(ctx, walk, report, options))) return report
  await inTransaction(ctx.storage, async (db) => {
    await setTzVersion(db, target)
    await finishIndexWork(db, work)
  })
  return report
}
