// Which categories the public may know of, and how many public events have each.
import { runText } from '../dialect.ts'
import type { Db } from '../tables.ts'

export interface CategoryCount {
  name: string
  count: number
}

/** By the public's own view: a private event has no category there. An edited occurrence may have one of its own. */
export const listPublicCategories = (db: Db): Promise<CategoryCount[]> =>
  runText(
    db,
    `select c.category as name, count(*) as count
      from (select distinct event_key, category from public_categories) c group by c.category`,
    [],
  )

/**
 * Whether more than `most` entries would be read for that: public events, and edited occurrences of theirs that have a
 * category. No more than those are counted.
 */
export async function hasMoreCategoryEntries(db: Db, most: number): Promise<boolean> {
  // Events first: where they are many, looking for edited occurrences of each would be the long part.
  const events = await countUpTo(db, `events where visibility = 'public'`, most + 1)
  return events > most || events + (await countUpTo(db, 'public_categories', most + 1)) > most
}

async function countUpTo(db: Db, rows: string, limit: number): Promise<number> {
  const text = `select count(*) as total from (select 1 as one from ${rows} limit ?1) t`
  const [row] = await runText<{ total: number }>(db, text, [limit])
  return row!.total
}
