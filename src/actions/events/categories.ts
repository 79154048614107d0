// Lists the categories of public events with their counts, for category filters.
import type { Context } from '../../context.ts'
import { foldText } from '../../domain/plain-text.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import { type CategoryCount, hasMoreCategoryEntries, listPublicCategories } from '../../storage/events/categories.ts'
import type { Db } from '../../storage/tables.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'

export type { CategoryCount }

/** Index entries that are read on the event loop: a few milliseconds of work. */
const MOST_AT_ONCE = 4_000

/** Every edited occurrence may have its own category; those of one series alone may be thousands. */
const MAX_CATEGORIES = 500

/** The categories with most events, sorted by name, ignoring case and accents. */
export async function listCategories(ctx: Context, caller: Caller): Promise<CategoryCount[]> {
  const { storage } = ctx
  const list = (db: Db): Promise<CategoryCount[]> => listPublicCategories(db, MAX_CATEGORIES)
  const isCostly = await hasMoreCategoryEntries(storage.reads, MOST_AT_ONCE)
  // Concurrent requests share one result, so only the first of them takes a permit.
  const categories = await (isCostly
    ? withPermit(ctx, caller, (begin) => inOwnSnapshot(storage, list, begin))
    : list(storage.reads))
  const sortable = categories.map(({ name, count }) => ({ folded: foldText(name), category: { name, count } }))
  sortable.sort((a, b) => byCode(a.folded, b.folded) || byCode(a.category.name, b.category.name))
  return sortable.map(({ category }) => category)
}

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
