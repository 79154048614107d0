// Expands long series during a read, in those parts of a window that their index rows do not cover.
import type { Context } from '../../context.ts'
import { isMovedFrom } from '../../domain/privacy/masked-schedule.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import { expand, type Pattern, withoutListingLimit } from '../../domain/recurrence/occurrences.ts'
import { isLongRule } from '../../domain/recurrence/sub-daily-limit.ts'
import { DAY_MS, type Instant, type LocalMs } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { AppError, fail } from '../../errors.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { bucketOf } from '../../storage/events/duration-buckets.ts'
import { type ExceptionTimes, hasMoreExceptions, walkExceptionTimes } from '../../storage/events/exceptions.ts'
import type { EventFilters } from '../../storage/events/filters.ts'
import { listSeriesBeyondIndex, type OccurrenceRef } from '../../storage/events/occurrence-index.ts'
import type { Window } from '../../storage/events/window-slices.ts'
import type { Db, TimeColumns } from '../../storage/tables.ts'
import { isTruncated, patternFromRow } from './event-mapper.ts'

/** Series that continue outside the index in a window, with the exceptions of each. */
export interface UnindexedSeries {
  sight: Sight
  series: TimeColumns[]
  exceptions: Map<number, ExceptionTimes[]>
}

/** Limit of expansion steps for one request, over all series: about a second. */
const MAX_WORK = 6_000_000
/** Limit for one series at a time: 24 a day for the longest window is less. */
const MAX_OF_SERIES = 100_000

/** Undefined where their exceptions in the window are more than `mostExceptions`. */
export async function findUnindexedSeries(
  db: Db,
  sight: Sight,
  window: Window,
  filters: EventFilters,
  mostExceptions: number,
): Promise<UnindexedSeries | undefined> {
  const series = await listSeriesBeyondIndex(db, sight, window, filters)
  const exceptions = new Map<number, ExceptionTimes[]>()
  if (series.length === 0) return { sight, series, exceptions }
  const query = { sight, keys: series.map(({ key }) => key), span: wallsOf(window, series) }
  if (await hasMoreExceptions(db, query, mostExceptions)) return undefined
  const pause = createYielder()
  for await (const rows of walkExceptionTimes(db, query)) {
    for (const row of rows) {
      const own = exceptions.get(row.event_key)
      if (own) own.push(row)
      else exceptions.set(row.event_key, [row])
    }
    await pause()
  }
  return { sight, series, exceptions }
}

/** More than any zone's offset from UTC, plus the margin of the expander around a window. */
const ZONE_SLACK_MS = 3 * DAY_MS

/** The range of nominal starts of occurrences that touch the window. */
function wallsOf({ timed, dates }: Window, series: readonly TimeColumns[]): { from: LocalMs; to: LocalMs } {
  const longest = series.reduce((most, { duration_ms }) => Math.max(most, duration_ms), 0)
  return {
    from: Math.min(timed.from, dates.from) - longest - ZONE_SLACK_MS,
    to: Math.max(timed.to, dates.to) + ZONE_SLACK_MS,
  }
}

/** Truncated series that continue in the window beyond their index rows: CalDAV clients expand the rules themselves. */
export async function listTruncatedKeys(db: Db, window: Window, mostExceptions: number): Promise<number[] | undefined> {
  const beyond = await findUnindexedSeries(db, 'full', window, {}, mostExceptions)
  if (!beyond) return undefined
  const { series, exceptions } = beyond
  const goesOn = (row: TimeColumns): boolean => {
    const range = row.all_day === 1 ? window.dates : window.timed
    const { occurrences, complete } = expand(
      withoutListingLimit(patternFromRow(row)),
      range,
      keysOf(exceptions.get(row.key)),
    )
    return occurrences.length > 0 || !complete
  }
  const pause = createYielder()
  const keys: number[] = []
  for (const row of series) {
    if (isTruncated(row) && goesOn(row)) keys.push(row.key)
    await pause()
  }
  return keys
}

const keysOf = (exceptions: readonly ExceptionTimes[] = []): Set<LocalMs> =>
  new Set(exceptions.map(({ local_at }) => local_at))

/**
 * Passes the occurrences of each series to `collect`, yielding to the event loop in between. Returns false as soon as
 * there are more than `most`. For the public, edited but unmoved occurrences of private series count as well, because
 * the edit is private. In a series not derived again since `has_public_effect` was added, these are among its
 * exceptions and have index rows.
 */
export async function expandUnindexedSeries(
  ctx: Context,
  { sight, series, exceptions }: UnindexedSeries,
  window: Window,
  most: number,
  collect: (placed: readonly OccurrenceRef[]) => void,
): Promise<boolean> {
  const budget = { work: MAX_WORK }
  const pause = createYielder()
  let total = 0
  for (const row of series) {
    const isMasked = sight === 'public' && row.visibility !== 'public'
    const parts = expandSafely(ctx, row, window, { exceptions: exceptions.get(row.key) ?? [], isMasked }, budget)
    for (const { placed, unmoved } of parts) {
      total += placed.length + unmoved
      if (total > most) return false
      collect(placed)
      await pause()
    }
  }
  return true
}

interface Edits {
  exceptions: readonly ExceptionTimes[]
  /** Whether the reader may not know which occurrences were edited. */
  isMasked: boolean
}

interface ExpandedPart {
  placed: OccurrenceRef[]
  /** The number of edited but unmoved occurrences, which are listed from their index rows. */
  unmoved: number
}

/** A series that cannot be expanded is logged and left out of the list. */
function* expandSafely(
  ctx: Context,
  row: TimeColumns,
  window: Window,
  edits: Edits,
  budget: { work: number },
): Generator<ExpandedPart, void> {
  try {
    yield* expandSeries(row, window, edits, budget)
  } catch (error) {
    if (error instanceof AppError) throw error
    ctx.log.error('a series could not be expanded', { event_id: row.id })
  }
}

function* expandSeries(
  row: TimeColumns,
  window: Window,
  edits: Edits,
  budget: { work: number },
): Generator<ExpandedPart, void> {
  const allDay = row.all_day === 1
  const lane = bucketOf(allDay, row.duration_ms)
  const pattern = patternFromRow(row)
  const unmoved = edits.isMasked
    ? keysOf(edits.exceptions.filter((edit) => isUnmoved(pattern, edit)))
    : new Set<LocalMs>()
  const skipped = keysOf(edits.exceptions).difference(unmoved)
  const parts = partsOutsideIndex(row, allDay ? window.dates : window.timed)
  for (const { range, holds } of splitParts(pattern, parts)) {
    const { occurrences, complete, workLeft } = expand(pattern, range, skipped, MAX_OF_SERIES, budget.work)
    budget.work = workLeft
    if (!complete) fail('too_many_occurrences')
    const counted = occurrences.filter(({ startAt }) => holds(startAt))
    const placed = counted
      .filter(({ key }) => !unmoved.has(key))
      .map(({ key, startAt, endAt }) => ({
        lane,
        start_at: startAt,
        end_at: endAt,
        event_key: row.key,
        local_at: key,
        is_overridden: 0 as const,
      }))
    yield { placed, unmoved: counted.length - placed.length }
  }
}

const isUnmoved = (pattern: Pattern, { kind, local_at, start_at, duration_ms }: ExceptionTimes): boolean =>
  kind === 'overridden' &&
  start_at !== null &&
  duration_ms !== null &&
  !isMovedFrom(pattern, { key: local_at, timing: { startAt: start_at, durationMs: duration_ms } })

interface UnindexedPart {
  /** The range to expand. */
  range: Range
  /** Whether a start belongs to this part: the index goes by start, and a long occurrence may touch both parts. */
  holds: (startAt: Instant) => boolean
}

/** Some two thousand occurrences are expanded at a time, of rules a few times a day and of dense ones. */
const SPAN_MS = 500 * DAY_MS
const DENSE_SPAN_MS = 90 * DAY_MS

/** The same starts in shorter parts. */
export function splitParts({ rule }: Pattern, parts: UnindexedPart[]): UnindexedPart[] {
  if (!rule) return parts
  const spanMs = isLongRule(rule) ? DENSE_SPAN_MS : SPAN_MS
  return parts.flatMap((part) => splitPart(part, spanMs))
}

/** Each start is in the part it lies in; the first part also has earlier starts. */
function splitPart({ range: { from, to }, holds }: UnindexedPart, spanMs: number): UnindexedPart[] {
  const parts: UnindexedPart[] = []
  for (let start = from; start < to; start += spanMs) {
    const range = { from: start, to: Math.min(to, start + spanMs) }
    parts.push({ range, holds: start === from ? holds : (startAt) => startAt >= start && holds(startAt) })
  }
  return parts
}

/** The parts of the range before and after the indexed one; an earlier occurrence may still reach into the range. */
function partsOutsideIndex(
  { indexed_from, indexed_to, duration_ms }: TimeColumns,
  { from, to }: Range,
): UnindexedPart[] {
  const parts: UnindexedPart[] = []
  if (to <= from) return parts
  if (indexed_from !== null && from < indexed_from + duration_ms) {
    const range = { from, to: Math.max(from + 1, Math.min(to, indexed_from)) }
    parts.push({ range, holds: (startAt) => startAt < indexed_from })
  }
  if (indexed_to !== null && to > indexed_to) {
    parts.push({ range: { from: Math.max(from, indexed_to), to }, holds: (startAt) => startAt >= indexed_to })
  }
  return parts
}
