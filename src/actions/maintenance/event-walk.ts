// Walks all events in short transactions that yield to the event loop, for index work and checks.
import type { Context } from '../../context.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import { AppError } from '../../errors.ts'
import { createSliceTimer, type SliceTimer, yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inLongTransaction, inTransaction } from '../../storage/engine/transaction.ts'
import { type EventSize, listEventRowsForChange, markUnreadable } from '../../storage/events/index-work.ts'
import { raiseForRewrites } from '../../storage/history/gone-events.ts'
import type { Db, EventRow } from '../../storage/tables.ts'

export interface WalkOptions {
  /** Stops the walk between two slices. */
  signal?: AbortSignal | undefined
  /** Called after each slice with the number of events handled so far. */
  onProgress?: ((done: number) => void | Promise<void>) | undefined
}

export interface WalkReport {
  checked: number
  changed: number
  /** Ids of events whose text cannot be read; they are left as they are. */
  unreadable: string[]
}

/** What a visit did; `rereadBy` are the sights at which the event is shown otherwise than before. */
export type VisitOutcome = 'same' | 'unreadable' | { rereadBy: readonly Sight[] }

export type VisitEvent = (row: EventRow) => Promise<VisitOutcome>

export interface EventWalk {
  /** The event after which to begin. */
  after?: EventSize | undefined
  list(db: Db, after: EventSize | undefined, limit: number): Promise<EventSize[]>
  /** Reads what the events of a slice have in common; the function it returns handles one event. */
  open(db: Db, rows: readonly EventRow[], timer: SliceTimer): Promise<VisitEvent>
  /** Stores the progress of the walk, in the transaction of the slice. */
  save?(db: Db, last: EventSize, done: number): Promise<void>
}

/** SQLite has one writer, and others wait for it; PostgreSQL pays a round trip for each statement. */
const SLICE_MS = { sqlite: 20, postgres: 100 }
const MAX_SLICE_BYTES = 131_072
const FIRST_LIMIT = 10
const MAX_LIMIT = 200

/** True when all events were visited; false when it was stopped before. */
export async function walkEvents(
  ctx: Context,
  walk: EventWalk,
  report: WalkReport,
  { signal, onProgress }: WalkOptions,
): Promise<boolean> {
  let after = walk.after
  let limit = FIRST_LIMIT
  while (!signal?.aborted) {
    const slice = await runSlice(ctx, walk, after, report.checked, limit)
    if (slice === 'finished') return true
    // A failing event rolls back its slice: then its events are tried one by one, and the failing one is skipped.
    if (slice === 'failed') {
      if (limit === 1) after = await passOver(ctx, walk, after, report)
      limit = 1
      continue
    }
    after = slice.last
    limit = nextLimit(limit, slice, SLICE_MS[ctx.storage.engine])
    report.checked += slice.checked
    report.changed += slice.changed
    report.unreadable.push(...slice.unreadable)
    await onProgress?.(report.checked)
    await yieldToEventLoop()
  }
  return false
}

interface Slice extends WalkReport {
  last: EventSize
  workedMs: number
}

async function runSlice(
  ctx: Context,
  walk: EventWalk,
  after: EventSize | undefined,
  done: number,
  limit: number,
): Promise<Slice | 'finished' | 'failed'> {
  try {
    return await inLongTransaction(ctx.storage, (db) => visitSlice(ctx, db, walk, after, done, limit))
  } catch (error) {
    if (error instanceof AppError) throw error
    return 'failed'
  }
}

async function visitSlice(
  ctx: Context,
  db: Db,
  walk: EventWalk,
  after: EventSize | undefined,
  done: number,
  limit: number,
): Promise<Slice | 'finished'> {
  const timer = createSliceTimer()
  const sizes = withinBytes(await walk.list(db, after, limit))
  if (sizes.length === 0) return 'finished'
  const rows = await listEventRowsForChange(
    db,
    sizes.map(({ key }) => key),
  )
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const visit = await walk.open(db, rows, timer)
  const slice: Slice = { checked: 0, changed: 0, unreadable: [], last: sizes[0]!, workedMs: 0 }
  const rereadBy = new Set<Sight>()
  for (const size of sizes) {
    await timer.pause()
    if (slice.checked > 0 && timer.workedMs() > SLICE_MS[ctx.storage.engine]) break
    slice.last = size
    slice.checked += 1
    const row = byKey.get(size.key)
    const outcome = row && (await visit(row))
    if (typeof outcome === 'object') {
      slice.changed += 1
      for (const sight of outcome.rereadBy) rereadBy.add(sight)
    }
    if (outcome === 'unreadable') {
      await markUnreadable(db, row!.key)
      slice.unreadable.push(row!.id)
    }
  }
  // Raises the revision, so that responses built from the old rows are no longer cached.
  if (slice.changed > 0) await raiseForRewrites(db, rereadBy)
  await walk.save?.(db, slice.last, done + slice.checked)
  return { ...slice, workedMs: timer.workedMs() }
}

/** Includes the first one whatever its size. */
function withinBytes(sizes: readonly EventSize[]): EventSize[] {
  let bytes = 0
  return sizes.filter(({ size }, i) => {
    bytes += size
    return i === 0 || bytes <= MAX_SLICE_BYTES
  })
}

const nextLimit = (limit: number, { checked, workedMs }: Slice, sliceMs: number): number =>
  Math.max(1, Math.min(MAX_LIMIT, 2 * limit, Math.ceil((checked * sliceMs) / Math.max(workedMs, 1))))

async function passOver(
  ctx: Context,
  walk: EventWalk,
  after: EventSize | undefined,
  report: WalkReport,
): Promise<EventSize | undefined> {
  const [failed] = await inTransaction(ctx.storage, async (db) => {
    const sizes = await walk.list(db, after, 1)
    for (const { key } of sizes) {
      const [row] = await listEventRowsForChange(db, [key])
      if (row) {
        await markUnreadable(db, key)
        report.unreadable.push(row.id)
        ctx.log.error('an event could not be derived again and was left as it is', { event_id: row.id })
      }
    }
    report.checked += sizes.length
    if (sizes[0]) await walk.save?.(db, sizes[0], report.checked)
    return sizes
  })
  return failed ?? after
}
