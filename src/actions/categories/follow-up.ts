// Follows a change of which categories are internal: their events hide or show the name.
import type { Context } from '../../context.ts'
import { foldCategory, type StoredCategory } from '../../domain/categories/category.ts'
import { listCategorySpellings } from '../../storage/categories/category-uses.ts'
import { listManagedCategories, lockCategories } from '../../storage/categories/managed-categories.ts'
import { inTransaction } from '../../storage/engine/transaction.ts'
import { readIndexSpan, setInternalCategories } from '../../storage/events/calendar.ts'
import { markOutdated, unmarkOutdated } from '../../storage/operations/instance.ts'
import type { Db } from '../../storage/tables.ts'
import { reindexCategories } from '../maintenance/reindex.ts'

/** The names that the public must not see, folded: of a rename both, until no event has the former one. */
const internalNamesOf = (categories: readonly StoredCategory[]): string[] =>
  categories
    .filter(({ visibility }) => visibility === 'internal')
    .flatMap(({ name, formerFolded }) => [foldCategory(name), ...(formerFolded === null ? [] : [formerFolded])])

export interface OutdatedMarks {
  /** What was stored of derived rows before they were marked as outdated. */
  version: string
  internalCategories: string
}

/**
 * In the transaction that changes categories: writers notice the new list, and rows that were derived for another one
 * are marked as outdated, so that housekeeping derives them again if the service stops. Undefined where it is the same.
 */
export async function storeInternalNames(db: Db): Promise<OutdatedMarks | undefined> {
  const { internalCategories: before } = await readIndexSpan(db)
  await setInternalCategories(db, internalNamesOf(await listManagedCategories(db)))
  const { internalCategories } = await readIndexSpan(db)
  return before === internalCategories ? undefined : { version: await markOutdated(db), internalCategories }
}

/** How the names that fold to one of these are written in events. */
export const listSpellings = async (db: Db, folded: ReadonlySet<string>): Promise<string[]> =>
  (await listCategorySpellings(db)).filter((name) => folded.has(foldCategory(name)))

/** Derives the events of these names again: the public sees them from then on, or no longer. */
export async function followVisibility(ctx: Context, folded: ReadonlySet<string>, marks: OutdatedMarks): Promise<void> {
  const names = await listSpellings(ctx.storage.reads, folded)
  if (!(await reindexCategories(ctx, names, {}))) return
  await inTransaction(ctx.storage, async (db) => {
    await lockCategories(db)
    // Another change may have marked other rows since.
    const { internalCategories } = await readIndexSpan(db)
    if (internalCategories === marks.internalCategories) await unmarkOutdated(db, marks.version)
  })
}
