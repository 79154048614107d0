// Which categories events have, as written in them, and which events have some of those.
import { inList, listedTexts, rawQuery } from '../dialect.ts'
import type { EventSize } from '../events/index-work.ts'
import type { Db } from '../tables.ts'

export interface CategoryUse {
  /** As written. */
  name: string
  /** Events of which the series or an edited occurrence has it. */
  count: number
}

/** Of all events, private ones included. */
export const listCategoryUses = (db: Db): Promise<CategoryUse[]> =>
  rawQuery(
    db,
    `select u.category as name, count(*) as count from (
      select e.category, e.key from events e where e.category is not null
      union select x.category, x.event_key from exceptions x
        where x.kind = 'overridden' and x.category is not null) u
      group by u.category`,
    [],
  )

/** The next events that have one of these categories, in the series or in an edited occurrence, in key order. */
export const listEventSizesOfCategories = (
  db: Db,
  names: readonly string[],
  afterKey: number,
  limit: number,
): Promise<EventSize[]> =>
  rawQuery(
    db,
    `select e.key, octet_length(e.ical) + octet_length(e.public_ical) as size, e.indexed_to from events e
      where e.key > ?1 and e.key in (
        select s.key from events s where s.category is not null and s.category in (${listedTexts(db, 2)})
        union select x.event_key from exceptions x
          where x.kind = 'overridden' and x.category is not null and x.category in (${listedTexts(db, 2)}))
      order by e.key limit ?3`,
    [afterKey, JSON.stringify(names), limit],
  )

/** Personal feeds of a category follow it to its new name. */
export const renameFeedLinkCategories = async (db: Db, names: readonly string[], name: string): Promise<void> => {
  await db
    .updateTable('feed_links')
    .set({ category: name })
    .where(inList(db, 'category', names, 'text'))
    .execute()
}
