// Which categories the public may know of, and how many public events have each.
import { runText } from './dialect.ts'
import type { Db } from './tables.ts'

export interface Category {
  name: string
  count: number
}

/** By the public's own views: a private event has no category there. An edited occurrence may have one of its own. */
export const listPublicCategories = (db: Db): Promise<Category[]> =>
  runText(
    db,
    `select c.category as name, count(*) as count from (
      select e.key, e.category from public_events e where e.category is not null
      union select x.event_key, x.category from public_exceptions x where x.category is not null
    ) c group by c.category`,
    [],
  )
