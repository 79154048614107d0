// Lists the categories of public events with their counts, for category filters.
import type { Context } from '../../context.ts'
import { foldText } from '../../domain/plain-text.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import { type CategoryCount, hasMoreCategoryEntries, listPublicCategories } from '../../storage/events/categories.ts'

export type { CategoryCount }

/** Index entries that are read on the event loop: a few milliseconds of work. */
const MOST_AT_ONCE = 4_000

/** Sorted by name, ignoring case and accents. */
export async function listCategories(ctx: Context): Promise<CategoryCount[]> {
  // All readers of a revision share one result, which is built once for concurrent requests, so it needs no permit.
  const isCostly = await hasMoreCategoryEntries(ctx.storage.reads, MOST_AT_ONCE)
  const categories = await (isCostly
    ? inOwnSnapshot(ctx.storage, listPublicCategories)
    : listPublicCategories(ctx.storage.reads))
  const sortable = categories.map(({ name, count }) => ({ folded: foldText(name), category: { name, count } }))
  sortable.sort((a, b) => byCode(a.folded, b.folded) || byCode(a.category.name, b.category.name))
  return sortable.map(({ category }) => category)
}

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
