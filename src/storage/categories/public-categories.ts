// Counts public events by category.
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

export interface CategoryCount {
  name: string
  count: number
}

/**
 * The categories with most events. Uses the public view: a private event has no category there. An edited occurrence
 * may have its own.
 */
export const listPublicCategories = (db: Db, limit: number): Promise<CategoryCount[]> =>
  rawQuery(
    db,
    `select c.category as name, count(*) as count
      from (select distinct event_key, category from public_categories) c
      group by c.category order by 2 desc, 1 limit ?1`,
    [limit],
  )

/**
 * Whether more than `most` entries would be read for that: public events, and their edited occurrences that have a
 * category. Counts no further than needed.
 */
export async function hasMoreCategoryEntries(db: Db, most: number): Promise<boolean> {
  // Events first: where they are many, looking up edited occurrences of each would take longest.
  const events = await countUpTo(db, `events where visibility = 'public'`, most + 1)
  return events > most || events + (await countUpTo(db, 'public_categories', most + 1)) > most
}

async function countUpTo(db: Db, rows: string, limit: number): Promise<number> {
  const text = `select count(*) as total from (select 1 as one from ${rows} limit ?1) t`
  const [row] = await rawQuery<{ total: number }>(db, text, [limit])
  return row!.total
}
