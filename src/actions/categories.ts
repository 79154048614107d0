// The categories of public events, for those who want to choose one.
import type { Context } from '../context.ts'
import { foldText } from '../domain/calendar/words.ts'
import { type Category, listPublicCategories } from '../storage/categories.ts'

export type { Category }

/** By name, without regard to case and accents. */
export async function listCategories(ctx: Context): Promise<Category[]> {
  const categories = await listPublicCategories(ctx.storage.reads)
  const sortable = categories.map(({ name, count }) => ({ folded: foldText(name), category: { name, count } }))
  sortable.sort((a, b) => byCode(a.folded, b.folded) || byCode(a.category.name, b.category.name))
  return sortable.map(({ category }) => category)
}

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
