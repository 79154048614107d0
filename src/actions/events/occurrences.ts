// Lists, reads, edits, deletes and restores single occurrences of a series (exceptions).

import type { Context } from '../../context.ts'
import { isRecurring, type Series } from '../../domain/calendar/event.ts'
import type { OccurrenceFieldsPatch } from '../../domain/calendar/fields.ts'
import { checkPatch, excludeOccurrence, overrideOccurrence, restoreOccurrence } from '../../domain/calendar/update.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { requireAccess, type Sight, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { findKey, parseOccurrenceKey } from '../../domain/recurrence/occurrence-key.ts'
import { expand, type Pattern, patternOf, startAtOf } from '../../domain/recurrence/occurrences.ts'
import { inOneStep } from '../../domain/steps.ts'
import { DAY_MS, type LocalMs, wallOfDay } from '../../domain/time/instant.ts'
import type { TimeText } from '../../domain/time/text.ts'
import type { Range } from '../../domain/time/window.ts'
import type { Zone } from '../../domain/time/zone.ts'
import { AppError, fail } from '../../errors.ts'
import { createYielder } from '../../scheduling/event-loop.ts'
import { inSnapshot } from '../../storage/engine/transaction.ts'
import { bucketOf } from '../../storage/events/duration-buckets.ts'
import { findEventRow, findPublicEventRow } from '../../storage/events/events.ts'
import { type ExceptionTimes, listExceptionsInWindow, type SeriesWindow } from '../../storage/events/exceptions.ts'
import type { OccurrenceRef } from '../../storage/events/occurrence-index.ts'
import type { Db, TimeColumns } from '../../storage/tables.ts'
import { runCostlyResponse } from '../access/reader-guard.ts'
import { type Caller, LIGHT_EXCEPTIONS, LONG_LIST, SERVICE_CALLER } from '../costly-work/semaphore.ts'
import { changeSeries, type SeriesChange } from './change-event.ts'
import { maskExceptions, patternFromRow } from './event-mapper.ts'
import { LIGHT_LIST_BYTES, MAX_LIST_BYTES } from './list-bytes.ts'
import { MAX_UNPAGED, type OccurrenceList, type PageRequest, windowOf } from './list-events.ts'
import { type ShownOccurrence, viewOccurrences } from './masked-reads.ts'
import { sortOccurrences } from './pagination.ts'

/** Parses the key of a path; a malformed one is refused before any lookup. */
const readKey = (text: string): TimeText => parseOccurrenceKey(text) ?? fail('invalid_occurrence_key')

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
  { range, zone, page }: SeriesRequest,
  caller: Caller,
  write: (listing: OccurrenceList) => Promise<T>,
): Promise<T> {
  const sight = sightOf(viewer)
  const list = (db: Db, reach: SeriesReach) => listSeries(ctx, db, sight, id, range, zone, page, reach)
  const light = await inSnapshot(ctx.storage, (db) => list(db, SHORT))
  if (light) return write(light)
  const listCostly = async (db: Db): Promise<OccurrenceList> => (await list(db, LONG)) ?? fail('too_many_occurrences')
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

/** Limits of a list: occurrences shown, exceptions of the series that are read, and bytes shown. */
interface SeriesReach {
  shown: number
  exceptions: number
  bytes: number
}

const SHORT: SeriesReach = { shown: LONG_LIST, exceptions: LIGHT_EXCEPTIONS, bytes: LIGHT_LIST_BYTES }
const LONG: SeriesReach = { shown: MAX_UNPAGED, exceptions: Number.POSITIVE_INFINITY, bytes: MAX_LIST_BYTES }

/** Undefined where the limits are exceeded; nothing is returned then. */
async function listSeries(
  ctx: Context,
  db: Db,
  sight: Sight,
  id: string,
  range: Range,
  zone: Zone,
  page: PageRequest | undefined,
  reach: SeriesReach,
): Promise<OccurrenceList | undefined> {
  const row = await requireSeriesRow(db, sight, id)
  const window = windowOf(range, zone)
  const instants = row.all_day === 1 ? window.dates : window.timed
  const walls = { from: instants.from - row.duration_ms - SLACK_MS, to: instants.to + SLACK_MS }
  const found = await readSeries(db, sight, row, { walls, instants }, reach.exceptions)
  if (!found) return undefined
  const placed = sortOccurrences(placeSeries(found, instants), zone)
  if (!page && placed.length > MAX_UNPAGED) fail('too_many_occurrences')
  const slice = page ? placed.slice((page.page - 1) * page.perPage, page.page * page.perPage) : placed
  if (slice.length > reach.shown) return undefined
  const items = await viewOccurrences(ctx, db, sight, slice, reach.bytes)
  return items && { items, total: page ? placed.length : undefined }
}

export async function getOccurrence(
  ctx: Context,
  viewer: Viewer,
  id: string,
  keyText: string,
): Promise<ShownOccurrence> {
  const key = readKey(keyText)
  return inSnapshot(ctx.storage, (db) => showOne(ctx, db, sightOf(viewer), id, key))
}

async function showOne(ctx: Context, db: Db, sight: Sight, id: string, key: TimeText): Promise<ShownOccurrence> {
  const row = await requireSeriesRow(db, sight, id)
  const at = key.kind === 'date' ? wallOfDay(key.day) : key.kind === 'local' ? key.wall : key.instant
  // A private series without a rule repeats by its remaining extra dates, so exceptions at any date matter.
  const walls = row.rrule === null ? EVERYWHERE : { from: at - SLACK_MS, to: at + SLACK_MS }
  const { pattern, exceptions } = (await readSeries(db, sight, row, { walls }, Number.POSITIVE_INFINITY))!
  if (!isRecurring(pattern)) fail('event_not_recurring')
  const keys = exceptions.map(({ local_at }) => local_at)
  const wall = findKey(pattern, key, keys) ?? fail('occurrence_not_found')
  const exception = exceptions.find(({ local_at }) => local_at === wall)
  if (exception?.kind === 'excluded') fail('occurrence_not_found')
  const startAt = startAtOf(pattern, wall)
  const place = placedAt(row, wall, startAt, startAt + row.duration_ms, exception !== undefined)
  const [shown] = await viewOccurrences(ctx, db, sight, [place])
  return shown ?? fail('occurrence_not_found')
}

export async function deleteOccurrence(
  ctx: Context,
  viewer: Viewer,
  id: string,
  keyText: string,
  expected: Precondition,
  caller?: Caller,
): Promise<void> {
  const key = readKey(keyText)
  const change = (series: Series) => excludeOccurrence(series, requireOccurrence(series, key))
  await changeExceptions(ctx, viewer, { id, expected, change, show: showNothing, caller })
}

/** Removes the exception: a deleted occurrence is restored, an edited one gets the values of the series again. */
export async function deleteException(
  ctx: Context,
  viewer: Viewer,
  id: string,
  keyText: string,
  expected: Precondition,
  caller?: Caller,
): Promise<void> {
  const key = readKey(keyText)
  const change = (series: Series) => restoreOccurrence(series, requireException(series, key))
  await changeExceptions(ctx, viewer, { id, expected, change, show: showNothing, caller })
}

const showNothing = async (): Promise<void> => {}

export async function patchOccurrence(
  ctx: Context,
  viewer: Viewer,
  id: string,
  keyText: string,
  patch: OccurrenceFieldsPatch,
  expected: Precondition,
  caller?: Caller,
): Promise<ShownOccurrence | undefined> {
  const key = readKey(keyText)
  checkPatch(patch)
  const change = (series: Series) => overrideOccurrence(series, requireOccurrence(series, key), patch)
  const show = (db: Db) => showEdited(ctx, db, viewer, id, key)
  return changeExceptions(ctx, viewer, { id, expected, change, show, caller })
}

/** At the author's sight; undefined where that is the public's and the public cannot see the occurrence. */
async function showEdited(
  ctx: Context,
  db: Db,
  viewer: Viewer,
  id: string,
  key: TimeText,
): Promise<ShownOccurrence | undefined> {
  const sight = sightOf(viewer)
  try {
    return await showOne(ctx, db, sight, id, key)
  } catch (error) {
    if (sight === 'public' && error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}

type ExceptionChange<Shown> = Omit<SeriesChange<Shown>, 'change'> & { change: (series: Series) => Series }

async function changeExceptions<Shown>(
  ctx: Context,
  viewer: Viewer,
  { change, ...rest }: ExceptionChange<Shown>,
): Promise<Shown> {
  requireAccess(viewer, 'write')
  const changeInStep = (series: Series) => inOneStep(() => ({ series: change(series), dropped: [] }))
  const whole = { ...rest, change: changeInStep }
  return (await changeSeries(ctx, viewer, whole)).shown
}

function requireException(series: Series, key: TimeText): LocalMs {
  const keys = exceptionKeys(series)
  const wall = findKey(patternOf(series), key, keys)
  return wall !== undefined && keys.includes(wall) ? wall : fail('exception_not_found')
}

function requireOccurrence(series: Series, key: TimeText): LocalMs {
  if (!isRecurring(series)) fail('event_not_recurring')
  const wall = findKey(patternOf(series), key, exceptionKeys(series))
  if (wall === undefined || series.exclusions.includes(wall)) fail('occurrence_not_found')
  return wall
}

const exceptionKeys = ({ exclusions, overrides }: Series): LocalMs[] => [
  ...exclusions,
  ...overrides.map((override) => override.key),
]

/** A series with the exceptions that its reader may know. */
interface ReadSeries {
  row: TimeColumns
  pattern: Pattern
  exceptions: readonly ExceptionTimes[]
}

/** More than any zone's offset from UTC, plus the margin of the expander around a window. */
const SLACK_MS = 3 * DAY_MS

const EVERYWHERE = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

const requireSeriesRow = async (db: Db, sight: Sight, id: string): Promise<TimeColumns> =>
  (sight === 'full' ? await findEventRow(db, id) : await findPublicEventRow(db, id)) ?? fail('event_not_found')

/** With the exceptions that matter in the window; undefined where they are more than `most`. */
async function readSeries(
  db: Db,
  sight: Sight,
  row: TimeColumns,
  window: SeriesWindow,
  most: number,
): Promise<ReadSeries | undefined> {
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

/** Expands one series in a window from its pattern and exceptions; a single one needs no index. */
function placeSeries({ row, pattern, exceptions }: ReadSeries, range: Range): OccurrenceRef[] {
  const skipped = new Set(exceptions.map(({ local_at }) => local_at))
  const { occurrences, complete } = expand(pattern, range, skipped)
  if (!complete) fail('too_many_occurrences')
  const plain = occurrences.map(({ key, startAt, endAt }) => placedAt(row, key, startAt, endAt, false))
  const edited = exceptions.flatMap(({ kind, local_at, start_at, duration_ms }) => {
    if (kind === 'excluded' || start_at === null || duration_ms === null) return []
    const end_at = start_at + duration_ms
    const isInside = start_at < range.to && (start_at >= range.from || end_at > range.from)
    return isInside ? [placedAt(row, local_at, start_at, end_at, true)] : []
  })
  return [...plain, ...edited]
}

const placedAt = (
  row: TimeColumns,
  key: LocalMs,
  startAt: number,
  endAt: number,
  isEdited: boolean,
): OccurrenceRef => ({
  lane: bucketOf(row.all_day === 1, endAt - startAt),
  start_at: startAt,
  end_at: endAt,
  event_key: row.key,
  local_at: key,
  is_overridden: isEdited ? 1 : 0,
})
