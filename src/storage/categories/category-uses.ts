// Which categories events have, as written in them, and which events have some of those.
import { isPostgres, listedTexts, rawQuery } from '../dialect.ts'
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

/** Every spelling that some event has, in `CATEGORIES` after the first value too. */
export async function listCategorySpellings(db: Db): Promise<string[]> {
  const first = await rawQuery<{ name: string }>(
    db,
    `select category as name from events where category is not null
      union select category from exceptions where kind = 'overridden' and category is not null`,
    [],
  )
  const more = await rawQuery<{ name: string }>(
    db,
    `select distinct m.value as name from events e ${eachMore(db)} where e.more_categories is not null`,
    [],
  )
  return [...new Set([...first, ...more].map(({ name }) => name))]
}

const eachMore = (db: Db): string => `cross join ${moreOf(db)}`

/** The further values of an event `e`, as `m.value`. */
const moreOf = (db: Db): string =>
  isPostgres(db) ? 'json_array_elements_text(e.more_categories::json) m(value)' : 'json_each(e.more_categories) m'

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
          where x.kind = 'overridden' and x.category is not null and x.category in (${listedTexts(db, 2)})
        union select e.key from events e where e.more_categories is not null
          and exists (select 1 from ${moreOf(db)} where m.value in (${listedTexts(db, 2)})))
      order by e.key limit ?3`,
    [afterKey, JSON.stringify(names), limit],
  )

/** Personal feeds of a category follow it to its new name. */
export async function renameFeedLinkCategories(
  db: Db,
  isRenamed: (category: string) => boolean,
  name: string,
): Promise<void> {
  const links = await db
    .selectFrom('feed_links')
    .select(['id', 'categories'])
    .where('categories', 'is not', null)
    .execute()
  for (const { id, categories } of links) {
    const before = JSON.parse(categories!) as string[]
    const after = [...new Set(before.map((category) => (isRenamed(category) ? name : category)))]
    if (JSON.stringify(after) === categories) continue
    await db
      .updateTable('feed_links')
      .set({ categories: JSON.stringify(after) })
      .where('id', '=', id)
      .execute()
  }
}
