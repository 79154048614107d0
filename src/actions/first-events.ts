// Lists the first occurrences in a window, with a bound on the work, for the sidebar and for search engines.
import type { Context } from '../context.ts'
import type { Sight } from '../domain/privacy/viewer.ts'
import type { Range } from '../domain/time/window.ts'
import type { Zone } from '../domain/time/zone.ts'
import type { Db } from '../storage/tables.ts'
import { inSnapshot } from '../storage/transaction.ts'
import { hasMoreSeriesBeyondIndex, listPlaced } from '../storage/windows.ts'
import { findBeyond, layOutBeyond } from './beyond-index.ts'
import { LIGHT, type ListRequest, windowOf } from './list-events.ts'
import { inOrder } from './order.ts'
import { type ShownOccurrence, showOccurrences } from './show-to.ts'

/** Occurrences beyond the index that are laid out to find the first of a window: some 50 ms of work. */
const MAX_LAID_OUT_FOR_FIRST = 20_000
/** Exceptions of those series in the window that are read for it. */
const MAX_EXCEPTIONS_FOR_FIRST = 10_000

/** The first `count` occurrences in a window, or all where there are fewer; undefined where that is too much work. */
export async function listFirst(
  ctx: Context,
  db: Db,
  sight: Sight,
  request: Pick<ListRequest, 'zone'> & { range: Range },
  count: number,
): Promise<ShownOccurrence[] | undefined> {
  const window = windowOf(request.range, request.zone)
  const placed = await listPlaced(db, { sight, filters: {} }, window, count)
  const beyond = await findBeyond(db, sight, window, {}, MAX_EXCEPTIONS_FOR_FIRST)
  if (!beyond) return undefined
  const isWhole = await layOutBeyond(ctx, beyond, window, MAX_LAID_OUT_FOR_FIRST, (some) => {
    for (const place of some) placed.push(place)
  })
  if (!isWhole) return undefined
  return showOccurrences(ctx, db, sight, inOrder(placed, request.zone).slice(0, count))
}

/** Whether the public sees more in a range than masked events. More than `most` occurrences, or series, count as such. */
export const hasPublicEvents = (ctx: Context, range: Range, zone: Zone, most: number): Promise<boolean> =>
  inSnapshot(ctx.storage, async (db) => {
    if (await hasMoreSeriesBeyondIndex(db, 'public', windowOf(range, zone), LIGHT.seriesBeyondIndex)) return true
    const items = await listFirst(ctx, db, 'public', { range, zone }, most + 1)
    return !items || items.length > most || items.some(({ event }) => event.level !== 'masked')
  })
