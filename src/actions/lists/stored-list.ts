// Lists events once each, as stored: a page of them by start or by the last change.
import type { Context } from '../../context.ts'
import { isByChange, isDescending } from '../../domain/calendar/list-order.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import type { Zone } from '../../domain/time/zone.ts'
import {
  countStored,
  countStoredByDay,
  listStoredByChange,
  listStoredRefs,
  type OccurrenceRef,
  type PageSpan,
  type StoredSelection,
} from '../../storage/events/occurrence-index.ts'
import type { WindowStart } from '../../storage/events/window-slices.ts'
import type { Db } from '../../storage/tables.ts'
import { viewStored } from '../events/masked-reads.ts'
import { createDayHistogram, type Seek, sortOccurrences, spanOf } from '../events/pagination.ts'
import { inOrder, type ListRequest, MAX_UNPAGED, type OccurrenceList, type Reach } from './list-request.ts'

/** Up to here, reading from the beginning is cheaper than counting by day. */
const FIRST_STORED = 1_000
const BEGINNING: WindowStart = { at: Number.MIN_SAFE_INTEGER, date: Number.MIN_SAFE_INTEGER }

/** A page of events as stored. */
export async function listStored(
  ctx: Context,
  db: Db,
  sight: Sight,
  selection: StoredSelection,
  request: ListRequest,
  reach: Reach,
): Promise<OccurrenceList | undefined> {
  const { page = { page: 1, perPage: MAX_UNPAGED }, order = 'start' } = request
  const total = await countStored(db, sight, selection)
  const span = spanOf(page.page, page.perPage, total, !isByChange(order) && isDescending(order))
  if (span.count === 0) return { items: [], total }
  if (isByChange(order) && sight !== 'full') throw new Error('the order of changes needs full sight')
  const placed = isByChange(order)
    ? await listStoredByChange(db, selection, span, isDescending(order))
    : inOrder(await listStoredByStart(db, sight, selection, span, request.zone), request)
  const items = await viewStored(ctx, db, sight, placed, reach)
  return items && { items, total }
}

/** The day on which a later page begins is found by counting, as in `listPage`. */
async function listStoredByStart(
  db: Db,
  sight: Sight,
  selection: StoredSelection,
  { offset, count }: PageSpan,
  zone: Zone,
): Promise<OccurrenceRef[]> {
  const seek = async (): Promise<Omit<Seek, 'until'>> => {
    if (offset + count <= FIRST_STORED) return { since: BEGINNING, before: 0 }
    const histogram = createDayHistogram(zone)
    histogram.addCounts(await countStoredByDay(db, sight, selection))
    return histogram.seek(offset, count)
  }
  const { since, before } = await seek()
  const skipped = offset - before
  const placed = await listStoredRefs(db, sight, selection, skipped + count, since)
  return sortOccurrences(placed, zone).slice(skipped, skipped + count)
}
