// Expands one series for a reader and lists its occurrences in a window, whole or in pages.
import type { Context } from '../../context.ts'
import { type Sight, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { expand, type Pattern } from '../../domain/recurrence/occurrences.ts'
import { DAY_MS, type Instant, type LocalMs } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { inSnapshot } from '../../storage/engine/transaction.ts'
import { bucketOf } from '../../storage/events/duration-buckets.ts'
import { findEventRow, findPublicEventRow } from '../../storage/events/events.ts'
import { type ExceptionTimes, listExceptionsInWindow, type SeriesWindow } from '../../storage/events/exceptions.ts'
import type { OccurrenceRef } from '../../storage/events/occurrence-index.ts'
import type { Window } from '../../storage/events/window-slices.ts'
import type { Db, TimeColumns } from '../../storage/tables.ts'
import { runCostlyResponse } from '../access/reader-guard.ts'
import { type Caller, LIGHT_EXCEPTIONS, LONG_LIST, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import { MAX_UNPAGED, type OccurrenceList, type PageRequest } from '../lists/list-request.ts'
import { maskExceptions, patternFromRow, RDATE_CHARACTERS } from './event-mapper.ts'
import { splitParts } from './expand-on-read.ts'
import { LIGHT_LIST_BYTES, MAX_LIST_BYTES } from './list-bytes.ts'
import { windowOf } from './list-events.ts'
import { viewOccurrences } from './masked-reads.ts'
import { between, createDayHistogram, sortAtOf, sortOccurrences } from './pagination.ts'

/** Selects the occurrences of a series. */
export interface SeriesRequest {
  range: Range
  zone: Zone
  page: PageRequest | undefined
}

/** A costly list is read and written with a permit; one with too many entries or bytes is refused before. */
export async function writeOccurrenceList<T>(
  ctx: Context,
  viewer: Viewer,
  id: string,
  request: SeriesRequest,
  caller: Caller,
  write: (listing: OccurrenceList) => Promise<T>,
): Promise<T> {
  const sight = sightOf(viewer)
  const light = await inSnapshot(ctx.storage, (db) => listSeries(ctx, db, sight, id, request, SHORT))
  if (light) return write(light)
  const listCostly = async (db: Db): Promise<OccurrenceList> =>
    (await listSeries(ctx, db, sight, id, request, LONG)) ?? fail('too_many_occurrences')
  return runCostlyResponse(ctx, viewer, caller, listCostly, write)
}

export const listOccurrences = (
  ctx: Context,
  viewer: Viewer,
  id: string,
  range: Range,
  zone: Zone,
  page: PageRequest | undefined,
  caller: Caller = SERVICE_CALLER,
): Promise<OccurrenceList> =>
  writeOccurrenceList(ctx, viewer, id, { range, zone, page }, caller, async (listing) => listing)

/** Limits of a list. */
interface SeriesReach {
  /** Occurrences that are shown. */
  shown: number
  /** Occurrences that are expanded to count pages. */
  counted: number
  /** Extra dates of the series, and exceptions that are read. */
  dates: number
  /** Bytes that are shown. */
  bytes: number
}

const ALL = Number.POSITIVE_INFINITY
const SHORT: SeriesReach = { shown: LONG_LIST, counted: 2_000, dates: LIGHT_EXCEPTIONS, bytes: LIGHT_LIST_BYTES }
/** The longest window has at most 24 occurrences a day and 10,000 extra dates, so pages need no limit. */
const LONG: SeriesReach = { shown: MAX_UNPAGED, counted: ALL, dates: ALL, bytes: MAX_LIST_BYTES }

/** Undefined where the limits are exceeded; nothing is returned then. */
async function listSeries(
  ctx: Context,
  db: Db,
  sight: Sight,
  id: string,
  { range, zone, page }: SeriesRequest,
  reach: SeriesReach,
): Promise<OccurrenceList | undefined> {
  const row = await requireSeriesRow(db, sight, id)
  const window = windowOf(range, zone)
  const instants = instantsIn(window, row)
  const walls = { from: instants.from - row.duration_ms - SLACK_MS, to: instants.to + SLACK_MS }
  const series = await readSeries(db, sight, row, { walls, instants }, reach.dates)
  if (!series) return undefined
  const found = page
    ? await findPage(series, window, zone, page, reach.counted)
    : await findAll(series, instants, reach)
  if (!found || found.placed.length > reach.shown) return undefined
  const items = await viewOccurrences(ctx, db, sight, sortOccurrences(found.placed, zone), reach.bytes)
  return items && { items, total: found.total }
}

const instantsIn = ({ timed, dates }: Window, row: TimeColumns): Range => (row.all_day === 1 ? dates : timed)

interface FoundOccurrences {
  placed: OccurrenceRef[]
  total: number | undefined
}

async function findAll(
  series: ReadSeries,
  range: Range,
  { shown }: SeriesReach,
): Promise<FoundOccurrences | undefined> {
  const placed: OccurrenceRef[] = []
  const isWithin = await expandInParts(series, range, shown, (some) => {
    for (const place of some) placed.push(place)
  })
  return isWithin ? { placed, total: undefined } : undefined
}

/** The series is expanded twice: once to be counted by day, once for the days of the page. */
async function findPage(
  series: ReadSeries,
  window: Window,
  zone: Zone,
  { page, perPage }: PageRequest,
  most: number,
): Promise<FoundOccurrences | undefined> {
  const { row } = series
  const offset = (page - 1) * perPage
  const histogram = createDayHistogram(zone)
  if (!(await expandInParts(series, instantsIn(window, row), most, histogram.addPlaced))) return undefined
  const total = histogram.total()
  if (offset >= total) return { placed: [], total }
  const { since, until, before } = histogram.seek(offset, perPage)
  const placed: OccurrenceRef[] = []
  await expandInParts(series, instantsIn(between(window, since, until), row), most, (some) => {
    for (const place of some) if (sortAtOf(place, zone) >= since.at) placed.push(place)
  })
  const skipped = offset - before
  return { placed: sortOccurrences(placed, zone).slice(skipped, skipped + perPage), total }
}

/**
 * Passes the occurrences in the range to `collect`, yielding to the event loop in between. Returns false as soon as
 * there are more than `most`.
 */
async function expandInParts(
  { row, pattern, exceptions }: ReadSeries,
  range: Range,
  most: number,
  collect: (placed: readonly OccurrenceRef[]) => void,
): Promise<boolean> {
  const skipped = new Set(exceptions.map(({ local_at }) => local_at))
  const pause = createYielder()
  let total = 0
  const add = (placed: OccurrenceRef[]): boolean => {
    total += placed.length
    if (total > most) return false
    collect(placed)
    return true
  }
  for (const { range: part, holds } of splitParts(pattern, [{ range, holds: () => true }])) {
    const { occurrences, complete } = expand(pattern, part, skipped)
    if (!complete) fail('too_many_occurrences')
    const counted = occurrences.filter(({ startAt }) => holds(startAt))
    if (!add(counted.map(({ key, startAt, endAt }) => placedAt(row, key, startAt, endAt, false)))) return false
    await pause()
  }
  return add(exceptions.flatMap((exception) => placeEdited(row, exception, range)))
}

function placeEdited(
  row: TimeColumns,
  { kind, local_at, start_at, duration_ms }: ExceptionTimes,
  range: Range,
): OccurrenceRef[] {
  if (kind === 'excluded' || start_at === null || duration_ms === null) return []
  const end_at = start_at + duration_ms
  const isInside = start_at < range.to && (start_at >= range.from || end_at > range.from)
  return isInside ? [placedAt(row, local_at, start_at, end_at, true)] : []
}

/** A series with the exceptions that its reader may know. */
export interface ReadSeries {
  row: TimeColumns
  pattern: Pattern
  exceptions: readonly ExceptionTimes[]
}

/** More than any zone's offset from UTC, plus the margin of the expander around a window. */
export const SLACK_MS = 3 * DAY_MS

export const requireSeriesRow = async (db: Db, sight: Sight, id: string): Promise<TimeColumns> =>
  (sight === 'full' ? await findEventRow(db, id) : await findPublicEventRow(db, id)) ?? fail('event_not_found')

/** With the exceptions that matter in the window; undefined where they, or its extra dates, are more than `most`. */
export async function readSeries(
  db: Db,
  sight: Sight,
  row: TimeColumns,
  window: SeriesWindow,
  most: number,
): Promise<ReadSeries | undefined> {
  if (row.rdates.length > most * RDATE_CHARACTERS) return undefined
  const exceptions: ExceptionTimes[] = []
  const pause = createYielder()
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const some = await listExceptionsInWindow(db, sight, row.key, window, after, EXCEPTIONS_AT_ONCE)
    for (const exception of some) exceptions.push(exception)
    if (exceptions.length > most) return undefined
    if (some.length < EXCEPTIONS_AT_ONCE) break
    after = some.at(-1)!.local_at
    await pause()
  }
  const whole = patternFromRow(row)
  // Masking tests each extra date. Without a rule, those elsewhere decide whether the series still repeats.
  const isNear = (wall: LocalMs): boolean => wall >= window.walls.from && wall < window.walls.to
  const pattern = whole.rule ? { ...whole, rdates: whole.rdates.filter(isNear) } : whole
  return sight === 'public' && row.visibility === 'private'
    ? { row, ...maskExceptions(pattern, exceptions) }
    : { row, pattern, exceptions }
}

const EXCEPTIONS_AT_ONCE = 500

export const placedAt = (
  row: TimeColumns,
  key: LocalMs,
  startAt: Instant,
  endAt: Instant,
  isEdited: boolean,
): OccurrenceRef => ({
  lane: bucketOf(row.all_day === 1, endAt - startAt),
  start_at: startAt,
  end_at: endAt,
  event_key: row.key,
  local_at: key,
  is_overridden: isEdited ? 1 : 0,
})
