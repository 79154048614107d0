// Lists the first occurrences in a window with bounded work, for the sidebar and search engines.
import type { Context } from '../../context.ts'
import type { Sight } from '../../domain/privacy/viewer.ts'
import type { Range } from '../../domain/time/window.ts'
import { listOccurrenceRefs, type OccurrenceRef } from '../../storage/events/occurrence-index.ts'
import type { Db } from '../../storage/tables.ts'
import type { ListRequest } from '../lists/list-request.ts'
import { expandUnindexedSeries, findUnindexedSeries } from './expand-on-read.ts'
import { bytesOfEntry } from './list-bytes.ts'
import { windowOf } from './list-events.ts'
import { type ShownOccurrence, viewOccurrences } from './masked-reads.ts'
import { sortOccurrences } from './pagination.ts'

/** Occurrences beyond the index that are expanded to find the first of a window: some 50 ms of work. */
const MAX_LAID_OUT_FOR_FIRST = 20_000
/** Exceptions of those series in the window that are read for it. */
const MAX_EXCEPTIONS_FOR_FIRST = 10_000

/** The first `count` occurrences in a window, or all where there are fewer; undefined where that is too much work. */
export async function listFirstOccurrences(
  ctx: Context,
  db: Db,
  sight: Sight,
  request: Pick<ListRequest, 'zone'> & { range: Range },
  count: number,
): Promise<OccurrenceRef[] | undefined> {
  const window = windowOf(request.range, request.zone)
  const placed = await listOccurrenceRefs(db, { sight, filters: {} }, window, count)
  const beyond = await findUnindexedSeries(db, sight, window, {}, MAX_EXCEPTIONS_FOR_FIRST)
  if (!beyond) return undefined
  const isWhole = await expandUnindexedSeries(ctx, beyond, window, MAX_LAID_OUT_FOR_FIRST, (some) => {
    for (const place of some) placed.push(place)
  })
  if (!isWhole) return undefined
  return sortOccurrences(placed, request.zone).slice(0, count)
}

/** Events whose text is read together: each has 12,000 characters at most. */
const SHOWN_AT_ONCE = 20

/** Yields occurrences in order, in batches; yields undefined and ends where they exceed `mostBytes` together. */
export async function* viewInBatches(
  ctx: Context,
  db: Db,
  sight: Sight,
  placed: readonly OccurrenceRef[],
  mostBytes: number,
): AsyncGenerator<ShownOccurrence[] | undefined> {
  let left = mostBytes
  for (let i = 0; i < placed.length; i += SHOWN_AT_ONCE) {
    // The first batch has no limit.
    const most = i === 0 ? Number.POSITIVE_INFINITY : left
    const shown = await viewOccurrences(ctx, db, sight, placed.slice(i, i + SHOWN_AT_ONCE), most)
    yield shown
    if (!shown) return
    left -= shown.reduce((sum, { event }) => sum + bytesOfEntry(event), 0)
  }
}
