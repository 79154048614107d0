// The categories of public events, for those who want to choose one.
import type { Context } from '../../context.ts'
import { foldText } from '../../domain/calendar/words.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import { type CategoryCount, hasMoreCategoryEntries, listPublicCategories } from '../../storage/events/categories.ts'

export type { CategoryCount }

/** Entries of indexes that are read on the event loop: some milliseconds of work. */
const MOST_AT_ONCE = 4_000

/** By name, without regard to case and accents. */
export async function listCategories(ctx: Context): Promise<CategoryCount[]> {
  // One answer for every reader of a revision, made once however many ask, so it needs no permit.
  const isCostly = await hasMoreCategoryEntries(ctx.storage.reads, MOST_AT_ONCE)
  const categories = await (isCostly
    ? inOwnSnapshot(ctx.storage, listPublicCategories)
    : listPublicCategories(ctx.storage.reads))
  const sortable = categories.map(({ name, count }) => ({ folded: foldText(name), category: { name, count } }))
  sortable.sort((a, b) => byCode(a.folded, b.folded) || byCode(a.category.name, b.category.name))
  return sortable.map(({ category }) => category)
}

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
