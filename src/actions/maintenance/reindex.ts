// Maintains the occurrence index: extends it over time, rebuilds and checks it from the texts.
import type { Context } from '../../context.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import { DAY_MS, dateFromDay, dayFromDate, dayOf, type Instant } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import type { SliceTimer } from '../../scheduling/event-loop.ts'
import { listEventSizesOfCategories } from '../../storage/categories/category-uses.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { moveIndexSpan, readIndexSpan, setIndexSpan } from '../../storage/events/calendar.ts'
import { DERIVATION_VERSION } from '../../storage/events/derive.ts'
import type { DerivedRows } from '../../storage/events/derived-rows.ts'
import { rewriteDerived } from '../../storage/events/events.ts'
import {
  advanceIndexWork,
  countEvents,
  countSeriesIndexedBefore,
  type EventSize,
  findIndexWork,
  finishIndexWork,
  listEventSizesAfter,
  listEventSizesChangedSince,
  listSeriesSizesAfter,
  startIndexWork,
} from '../../storage/events/index-work.ts'
import { publicChangeOf } from '../../storage/history/public-change.ts'
import { readInstance, setTzVersion } from '../../storage/operations/instance.ts'
import type { Db, EventRow } from '../../storage/tables.ts'
import { updateSeries } from '../events/change-event.ts'
import { type DerivedAnew, deriveSafely, openComparison } from './compare-derived.ts'
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
    return { rereadBy: sightsOfChange(row, anew) }
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

/** The same for events that were changed since. */
export async function reindexChangedSince(ctx: Context, since: Instant): Promise<void> {
  const list: EventWalk['list'] = (db, after, limit) => listEventSizesChangedSince(db, since, after?.key ?? -1, limit)
  await walkEvents(ctx, { ...checkingWalk(ctx), list }, emptyReport(), {})
}

/** The same for events that have one of these categories. False when it was stopped before the end. */
export async function reindexCategories(
  ctx: Context,
  names: readonly string[],
  options: WalkOptions,
): Promise<boolean> {
  const list: EventWalk['list'] = (db, after, limit) => listEventSizesOfCategories(db, names, after?.key ?? -1, limit)
  return walkEvents(ctx, { ...checkingWalk(ctx), list }, emptyReport(), options)
}

const checkingWalk = (ctx: Context): EventWalk => ({
  list: (db, after, limit) => listEventSizesAfter(db, after?.key ?? -1, limit),
  open: (db, rows, timer) => openCheck(ctx, db, rows, timer),
})

async function openCheck(ctx: Context, db: Db, rows: readonly EventRow[], timer: SliceTimer): Promise<VisitEvent> {
  const compare = await openComparison(ctx, db, rows, timer)
  return async (row) => {
    const compared = await compare(row)
    if (!compared) return 'unreadable'
    if (compared.isAsStored) return 'same'
    await timer.pause()
    await rewrite(ctx, db, row, compared.anew, compared.before)
    return { rereadBy: sightsOfChange(row, compared.anew) }
  }
}

/** Index rows and words for search may change without it. */
function sightsOfChange(row: EventRow, { derived, publicIcal }: DerivedAnew): Sight[] {
  const isPublic = publicChangeOf(row, { ...derived.columns, public_ical: publicIcal }) !== 'none'
  const isFull = isPublic || PLACE.some((column) => row[column] !== derived.columns[column])
  return [...(isFull ? (['full'] as const) : []), ...(isPublic ? (['public'] as const) : [])]
}

const PLACE = ['start_local', 'start_at', 'duration_ms', 'timezone'] as const

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
    : updateSeries(ctx, db, row, open, open.series)

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
export const rebuildTarget = ({ config }: Pick<Context, 'config'>, zoneData: string): string =>
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
