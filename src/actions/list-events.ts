// Lists: what stands in a window, or everything as stored; sorted, counted and paged on what the reader may see.
import type { Context } from '../context.ts'
import { type Sight, sightOf, type Viewer } from '../domain/privacy/viewer.ts'
import { layOut } from '../domain/recurrence/occurrences.ts'
import { DAY_MS, dayOf, type Instant, type Wall } from '../domain/time/instant.ts'
import type { Range } from '../domain/time/window.ts'
import { toWall, type Zone } from '../domain/time/zone.ts'
import { AppError, fail } from '../errors.ts'
import type { Filters } from '../storage/filters.ts'
import { lookUp } from '../storage/found.ts'
import { laneOf } from '../storage/lanes.ts'
import type { Window } from '../storage/strides.ts'
import type { Db, TimeColumns } from '../storage/tables.ts'
import { inSnapshot } from '../storage/transaction.ts'
import {
  countByDay,
  countStored,
  listExceptionKeys,
  listPlaced,
  listPlacedEvents,
  listSeriesBeyondIndex,
  listStored,
  listStoredAt,
  type Placed,
} from '../storage/windows.ts'
import { inOrder, seek, sortAtOf } from './order.ts'
import { patternFromRow } from './read-event.ts'
import { type ShownOccurrence, showOccurrences, showStored } from './show-to.ts'

export interface Page {
  page: number
  perPage: number
}

export interface ListRequest {
  /** Undefined asks for every event once, as stored. */
  range: Range | undefined
  zone: Zone
  filters: Filters
  page: Page | undefined
  /** False asks for each event in the window once instead of its occurrences. */
  expand: boolean
}

export interface Listing {
  items: ShownOccurrence[]
  /** Counted when the list is paged. */
  total: number | undefined
}

/** The longest list anyone gets in one piece. */
export const MAX_UNPAGED = 10_000

/** What may be computed beside the index for one request: occurrences, and steps of the expander over all series. */
const MAX_COMPUTED = 200_000
const MAX_WORK = 4_000_000

export const listEvents = (ctx: Context, viewer: Viewer, request: ListRequest): Promise<Listing> =>
  inSnapshot(ctx.storage, (db) => listIn(ctx, db, sightOf(viewer), request))

/** The same in a snapshot that somebody holds already. */
export function listIn(ctx: Context, db: Db, sight: Sight, request: ListRequest): Promise<Listing> {
  const { range, zone, expand } = request
  if (!range) return listAsStored(ctx, db, sight, request)
  const list = expand ? listExpanded : listOnce
  return list(ctx, db, sight, windowOf(range, zone), request)
}

async function listExpanded(
  ctx: Context,
  db: Db,
  sight: Sight,
  window: Window,
  request: ListRequest,
): Promise<Listing> {
  const { filters, page, zone } = request
  const computed = await computeBeyondIndex(ctx, db, sight, window, filters)
  if (page) return listPage(ctx, db, sight, window, computed, { ...request, page })
  const sought = await lookUp(db, sight, filters)
  const placed = [...(await listPlaced(db, sought, window, MAX_UNPAGED + 1)), ...computed]
  if (placed.length > MAX_UNPAGED) fail('too_many_occurrences')
  return { items: await showOccurrences(ctx, db, sight, inOrder(placed, zone)), total: undefined }
}

/** A page however deep: the day it begins on is found by counting, and only from there on rows are read. */
async function listPage(
  ctx: Context,
  db: Db,
  sight: Sight,
  window: Window,
  computed: Placed[],
  { filters, zone, page }: ListRequest & { page: Page },
): Promise<Listing> {
  const offset = (page.page - 1) * page.perPage
  const sought = await lookUp(db, sight, filters)
  const counts = await countByDay(db, sought, window)
  const { total, since, before } = seek(counts, computed, zone, offset)
  if (offset >= total) return { items: [], total }
  const skipped = offset - before
  const placed = [
    ...(await listPlaced(db, sought, window, skipped + page.perPage, since)),
    ...computed.filter((place) => sortAtOf(place, zone) >= since.at),
  ]
  const slice = inOrder(placed, zone).slice(skipped, skipped + page.perPage)
  return { items: await showOccurrences(ctx, db, sight, slice), total }
}

/** Each event that has an occurrence in the window, at its own start. */
async function listOnce(ctx: Context, db: Db, sight: Sight, window: Window, request: ListRequest): Promise<Listing> {
  const { filters, page, zone } = request
  const computed = await computeBeyondIndex(ctx, db, sight, window, filters)
  const keys = [
    ...new Set([
      ...(await listPlacedEvents(db, await lookUp(db, sight, filters), window)),
      ...computed.map(({ event_key }) => event_key),
    ]),
  ]
  const once = inOrder(await listStoredAt(db, sight, keys), zone)
  if (!page && once.length > MAX_UNPAGED) fail('too_many_occurrences')
  return { items: await showStored(ctx, db, sight, sliceOf(once, page)), total: page ? once.length : undefined }
}

async function listAsStored(ctx: Context, db: Db, sight: Sight, request: ListRequest): Promise<Listing> {
  const { filters, zone } = request
  const page = request.page ?? { page: 1, perPage: MAX_UNPAGED }
  const total = await countStored(db, sight, filters)
  const wanted = page.page * page.perPage
  if (wanted - page.perPage >= total) return { items: [], total }
  const placed = inOrder(await listStored(db, sight, filters, wanted), zone)
  return { items: await showStored(ctx, db, sight, sliceOf(placed, page)), total }
}

/** The window on both clocks: an all-day event belongs to every local day the range touches, whoever looks from where. */
export const windowOf = (range: Range, zone: Zone): Window => ({
  timed: range,
  dates: { from: dayOf(toWall(zone, range.from)) * DAY_MS, to: (dayOf(toWall(zone, range.to - 1)) + 1) * DAY_MS },
})

/** Plain occurrences of long series in the part of the window that their index rows do not cover. */
async function computeBeyondIndex(
  ctx: Context,
  db: Db,
  sight: Sight,
  window: Window,
  filters: Filters,
): Promise<Placed[]> {
  const series = await listSeriesBeyondIndex(db, sight, window, filters)
  if (series.length === 0) return []
  const keys = series.map(({ key }) => key)
  const exceptions = await listExceptionKeys(db, keys)
  const computed: Placed[] = []
  const budget = { work: MAX_WORK }
  for (const row of series) {
    try {
      for (const place of computeSeries(row, window, exceptions.get(row.key), budget)) computed.push(place)
    } catch (error) {
      if (error instanceof AppError) throw error
      // One series that cannot be laid out takes nobody else's list away.
      ctx.log.error('a series could not be laid out', { event_id: row.id })
    }
    if (computed.length > MAX_COMPUTED) fail('too_many_occurrences')
  }
  return computed
}

function computeSeries(
  row: TimeColumns,
  window: Window,
  skipped: Set<Wall> | undefined,
  budget: { work: number },
): Placed[] {
  const allDay = row.all_day === 1
  const lane = laneOf(allDay, row.duration_ms)
  const pattern = patternFromRow(row)
  return partsOutsideIndex(row, allDay ? window.dates : window.timed).flatMap(({ range, holds }) => {
    const { occurrences, complete, workLeft } = layOut(pattern, range, skipped, MAX_COMPUTED, budget.work)
    budget.work = workLeft
    if (!complete) fail('too_many_occurrences')
    return occurrences
      .filter(({ startAt }) => holds(startAt))
      .map(({ key, startAt, endAt }) => ({
        lane,
        start_at: startAt,
        end_at: endAt,
        event_key: row.key,
        local_at: key,
        is_overridden: 0 as const,
      }))
  })
}

interface Part {
  /** Where to look. */
  range: Range
  /** Which starts belong to this part: the index goes by start, and a long occurrence may touch both parts. */
  holds: (startAt: Instant) => boolean
}

/** What of the range lies before and after the indexed part; one that began before it may still reach into the range. */
function partsOutsideIndex({ indexed_from, indexed_to, duration_ms }: TimeColumns, { from, to }: Range): Part[] {
  const parts: Part[] = []
  if (indexed_from !== null && from < indexed_from + duration_ms) {
    const range = { from, to: Math.max(from + 1, Math.min(to, indexed_from)) }
    parts.push({ range, holds: (startAt) => startAt < indexed_from })
  }
  if (indexed_to !== null && to > indexed_to) {
    parts.push({ range: { from: Math.max(from, indexed_to), to }, holds: (startAt) => startAt >= indexed_to })
  }
  return parts
}

const sliceOf = (placed: Placed[], page: Page | undefined): Placed[] =>
  page ? placed.slice((page.page - 1) * page.perPage, page.page * page.perPage) : placed
