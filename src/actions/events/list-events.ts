// Lists events in a window, or all as stored; sorts, counts and pages only what the reader may see.
import type { Context } from '../../context.ts'
import { type Sight, sightOf, type Viewer } from '../../domain/privacy/viewer.ts'
import { DAY_MS, dayOf } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { toWall, type Zone } from '../../domain/time/zone.ts'
import { fail } from '../../errors.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { inSnapshot } from '../../storage/engine/transaction.ts'
import { type EventQuery, isUnfiltered } from '../../storage/events/filters.ts'
import {
  countByDay,
  hasMoreEvents,
  hasMoreRows,
  hasMoreRowsOf,
  hasMoreSeriesBeyondIndex,
  listEventKeysInWindow,
  listOccurrenceRefs,
  type OccurrenceRef,
} from '../../storage/events/occurrence-index.ts'
import { resolveMatches } from '../../storage/events/search.ts'
import type { Window } from '../../storage/events/window-slices.ts'
import type { Db } from '../../storage/tables.ts'
import { runCostlyResponse } from '../access/reader-guard.ts'
import { type Caller, LIGHT_EXCEPTIONS, LONG_LIST } from '../costly-work/semaphore.ts'
import {
  inOrder,
  isReversed,
  type ListRequest,
  MAX_UNPAGED,
  type OccurrenceList,
  type PageRequest,
  type Reach,
} from '../lists/list-request.ts'
import { listStored } from '../lists/stored-list.ts'
import { expandUnindexedSeries, findUnindexedSeries } from './expand-on-read.ts'
import { LIGHT_LIST_BYTES, MAX_LIST_BYTES } from './list-bytes.ts'
import { viewOccurrences } from './masked-reads.ts'
import { between, createDayHistogram, sortAtOf, sortOccurrences, spanOf } from './pagination.ts'

const ALL = Number.POSITIVE_INFINITY
const SHORT: Reach = {
  unpaged: LONG_LIST,
  laidOut: 2_000,
  matches: 300,
  exceptions: LIGHT_EXCEPTIONS,
  bytes: LIGHT_LIST_BYTES,
  isShort: true,
}
const LONG: Reach = {
  unpaged: MAX_UNPAGED,
  laidOut: 2_000_000,
  matches: ALL,
  exceptions: ALL,
  bytes: MAX_LIST_BYTES,
  isShort: false,
}

/** Rows that a list may read on the event loop: a few milliseconds of work. A row tested for text counts for several. */
export const LIGHT = { rows: 2_000, testedRows: 300, matchedRows: 3_000, events: 1_000, seriesBeyondIndex: 100 }

/**
 * Most lists are light and built at once. A costly one is built again, and written, with a permit of the semaphore. A
 * list with too many entries or bytes is refused before it is written.
 */
export async function writeEventList<T>(
  ctx: Context,
  viewer: Viewer,
  request: ListRequest,
  caller: Caller,
  write: (listing: OccurrenceList) => Promise<T>,
): Promise<T> {
  return makeList(ctx, viewer, request, caller, write, [SHORT, LONG])
}

/** The same without a byte limit, where the text is not written for each entry. Long lists are costly reads. */
export const listEvents = (
  ctx: Context,
  viewer: Viewer,
  request: ListRequest,
  caller: Caller,
): Promise<OccurrenceList> =>
  makeList(ctx, viewer, request, caller, async (listing) => listing, [SHORT, { ...LONG, bytes: ALL }])

async function makeList<T>(
  ctx: Context,
  viewer: Viewer,
  request: ListRequest,
  caller: Caller,
  write: (listing: OccurrenceList) => Promise<T>,
  [short, long]: readonly [Reach, Reach],
): Promise<T> {
  const sight = sightOf(viewer)
  const light = await inSnapshot(ctx.storage, (db) => listUpTo(ctx, db, sight, request, short))
  if (light) return write(light)
  const listCostly = async (db: Db): Promise<OccurrenceList> =>
    (await listUpTo(ctx, db, sight, request, long)) ?? fail('too_many_occurrences')
  return runCostlyResponse(ctx, viewer, caller, listCostly, write)
}

/** Counts no further than needed, and only what the reader may see: other clients can notice that a permit is taken. */
async function isLight(db: Db, query: EventQuery, window: Window, isCounted: boolean): Promise<boolean> {
  const { sight } = query
  if (await hasMoreSeriesBeyondIndex(db, sight, window, LIGHT.seriesBeyondIndex)) return false
  if (query.found) return !(await hasMoreRowsOf(db, sight, query.found, LIGHT.matchedRows))
  if (isUnfiltered(query.filters)) return !isCounted || !(await hasMoreRows(db, sight, window, LIGHT.rows))
  return !(await hasMoreRows(db, sight, window, LIGHT.testedRows))
}

/** Undefined when the limits are exceeded; nothing is returned then. */
async function listUpTo(
  ctx: Context,
  db: Db,
  sight: Sight,
  request: ListRequest,
  reach: Reach,
): Promise<OccurrenceList | undefined> {
  const { range, zone, expand } = request
  if (!range) return listAsStored(ctx, db, sight, request, reach)
  const window = windowOf(range, zone)
  const query = await resolveMatches(db, sight, request.filters, reach.matches)
  const isCounted = request.page !== undefined || !expand
  if (reach.isShort && !(await isLight(db, query, window, isCounted))) return undefined
  const list = expand ? listExpanded : listOnce
  return list(ctx, db, query, window, request, reach)
}

async function listExpanded(
  ctx: Context,
  db: Db,
  query: EventQuery,
  window: Window,
  request: ListRequest,
  reach: Reach,
): Promise<OccurrenceList | undefined> {
  const { filters, page, zone } = request
  const { sight } = query
  if (page) return listPage(ctx, db, query, window, { ...request, page }, reach)
  const placed: OccurrenceRef[] = []
  const beyond = await findUnindexedSeries(db, sight, window, filters, reach.exceptions)
  if (!beyond) return undefined
  const add = (some: readonly OccurrenceRef[]): void => {
    for (const place of some) placed.push(place)
  }
  if (!(await expandUnindexedSeries(ctx, beyond, window, reach.unpaged, add))) return undefined
  add(await listOccurrenceRefs(db, query, window, reach.unpaged + 1))
  if (placed.length > reach.unpaged) return undefined
  const items = await viewOccurrences(ctx, db, sight, inOrder(sortOccurrences(placed, zone), request), reach.bytes)
  return items && { items, total: undefined }
}

/**
 * A page at any depth: the day on which it begins is found by counting, and rows are read only from there on. Outside
 * the index everything is expanded to be counted, and the part of the page once more to be returned.
 */
async function listPage(
  ctx: Context,
  db: Db,
  query: EventQuery,
  window: Window,
  request: ListRequest & { page: PageRequest },
  reach: Reach,
): Promise<OccurrenceList | undefined> {
  const { sight } = query
  const { filters, zone, page } = request
  const histogram = createDayHistogram(zone)
  const beyond = await findUnindexedSeries(db, sight, window, filters, reach.exceptions)
  if (!beyond) return undefined
  if (!(await expandUnindexedSeries(ctx, beyond, window, reach.laidOut, histogram.addPlaced))) return undefined
  histogram.addCounts(await countByDay(db, query, window))
  const total = histogram.total()
  const { offset, count } = spanOf(page.page, page.perPage, total, isReversed(request))
  if (count === 0) return { items: [], total }
  const { since, until, before } = histogram.seek(offset, count)
  const skipped = offset - before
  const placed = await listOccurrenceRefs(db, query, window, skipped + count, since)
  await expandUnindexedSeries(ctx, beyond, between(window, since, until), reach.laidOut, (some) => {
    for (const place of some) if (sortAtOf(place, zone) >= since.at) placed.push(place)
  })
  const slice = sortOccurrences(placed, zone).slice(skipped, skipped + count)
  const items = await viewOccurrences(ctx, db, sight, inOrder(slice, request), reach.bytes)
  return items && { items, total }
}

/** Each event that has an occurrence in the window, at its own start. */
async function listOnce(
  ctx: Context,
  db: Db,
  query: EventQuery,
  window: Window,
  request: ListRequest,
  reach: Reach,
): Promise<OccurrenceList | undefined> {
  const keys = await listSoughtKeys(ctx, db, query, window, reach)
  if (!keys || (!request.page && keys.length > reach.unpaged)) return undefined
  const listing = await listStored(ctx, db, query.sight, { keys: JSON.stringify(keys) }, request, reach)
  return listing && { ...listing, total: request.page && listing.total }
}

/** The keys of all events that have an occurrence in the window, unsorted. Undefined when it would take too much. */
export async function listKeys(
  ctx: Context,
  db: Db,
  sight: Sight,
  window: Window,
  isCostly: boolean,
): Promise<number[] | undefined> {
  const query = { sight, filters: {} }
  if (!isCostly && !(await isLight(db, query, window, true))) return undefined
  return listSoughtKeys(ctx, db, query, window, isCostly ? LONG : SHORT)
}

async function listSoughtKeys(
  ctx: Context,
  db: Db,
  query: EventQuery,
  window: Window,
  reach: Reach,
): Promise<number[] | undefined> {
  const beyond = await findUnindexedSeries(db, query.sight, window, query.filters, reach.exceptions)
  if (!beyond) return undefined
  const unindexed = new Set<number>()
  const note = (some: readonly OccurrenceRef[]): void => {
    if (some[0]) unindexed.add(some[0].event_key)
  }
  if (!(await expandUnindexedSeries(ctx, beyond, window, reach.laidOut, note))) return undefined
  const keys = await listEventKeysInWindow(db, query, window)
  for (const key of unindexed) keys.add(key)
  if (keys.size > MAX_UNPAGED) await yieldToEventLoop()
  return [...keys]
}

async function listAsStored(
  ctx: Context,
  db: Db,
  sight: Sight,
  request: ListRequest,
  reach: Reach,
): Promise<OccurrenceList | undefined> {
  const isOne = request.filters.uid !== undefined
  if (reach.isShort && !isOne && (await hasMoreEvents(db, sight, LIGHT.events))) return undefined
  return listStored(ctx, db, sight, { filters: request.filters }, request, reach)
}

/** The window in instants and in dates: its dates are all local days in the zone that the range touches. */
export const windowOf = (range: Range, zone: Zone): Window => ({
  timed: range,
  dates: { from: dayOf(toWall(zone, range.from)) * DAY_MS, to: (dayOf(toWall(zone, range.to - 1)) + 1) * DAY_MS },
})
