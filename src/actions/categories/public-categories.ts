// Lists the categories of public events with their counts and colours, for filters and legends.
import type { Context } from '../../context.ts'
import { foldCategory, type StoredCategory } from '../../domain/categories/category.ts'
import { foldText } from '../../domain/plain-text.ts'
import { listManagedCategories } from '../../storage/categories/managed-categories.ts'
import {
  type CategoryCount,
  hasMoreCategoryEntries,
  listPublicCategories,
} from '../../storage/categories/public-categories.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import type { Db } from '../../storage/tables.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'

/** A category as it is written in events; `managed` where administrators have given it a colour. */
export interface ListedCategory extends CategoryCount {
  managed?: StoredCategory
}

/** Index entries that are read on the event loop: a few milliseconds of work. */
const MOST_AT_ONCE = 4_000

/** Every edited occurrence may have its own category; those of one series alone may be thousands. */
const MAX_CATEGORIES = 500

/** The categories with most events: managed ones in their order, then others by name, ignoring case and accents. */
export async function listCategories(ctx: Context, caller: Caller): Promise<ListedCategory[]> {
  const { storage } = ctx
  const list = (db: Db): Promise<CategoryCount[]> => listPublicCategories(db, MAX_CATEGORIES)
  const isCostly = await hasMoreCategoryEntries(storage.reads, MOST_AT_ONCE)
  // Concurrent requests share one result, so only the first of them takes a permit.
  const categories = await (isCostly
    ? withPermit(ctx, caller, (begin) => inOwnSnapshot(storage, list, begin))
    : list(storage.reads))
  const open = await listOpenCategories(storage.reads)
  const managed = new Map(open.map((category) => [foldCategory(category.name), category]))
  const sortable = categories.map(({ name, count }) => ({
    folded: foldText(name),
    category: withManaged({ name, count }, managed.get(foldCategory(name))),
  }))
  sortable.sort(
    ({ folded: a, category: one }, { folded: b, category: other }) =>
      (one.managed?.position ?? LAST) - (other.managed?.position ?? LAST) ||
      byCode(a, b) ||
      byCode(one.name, other.name),
  )
  return sortable.map(({ category }) => category)
}

/** Internal ones are not in the public view; leaving them out here as well keeps a description from being shown. */
const listOpenCategories = async (db: Db): Promise<StoredCategory[]> =>
  (await listManagedCategories(db)).filter(({ visibility }) => visibility === 'public')

/** The category that administrators manage under this name of an event, which the public sees. */
export async function findOpenCategory(ctx: Context, name: string): Promise<StoredCategory | undefined> {
  const folded = foldCategory(name)
  return (await listOpenCategories(ctx.storage.reads)).find((category) => foldCategory(category.name) === folded)
}

const withManaged = (counted: CategoryCount, managed: StoredCategory | undefined): ListedCategory =>
  managed ? { ...counted, managed } : counted

const LAST = Number.MAX_SAFE_INTEGER

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
