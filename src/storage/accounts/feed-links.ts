// Queries for personal feed links, stored and found by their hashes.
import type { Account } from '../../domain/account/account.ts'
import type { Instant } from '../../domain/time/instant.ts'
import type { Db, FeedLinkRow } from '../tables.ts'
import { accountOf } from './accounts.ts'

export interface StoredFeedLink {
  id: string
  name: string
  detail: 'full' | 'masked'
  /** Only events of any of these; none means all events. */
  categories: readonly string[]
  createdAt: Instant
  lastUsedAt: Instant | null
}

export const insertFeedLink = async (db: Db, row: FeedLinkRow): Promise<void> => {
  await db.insertInto('feed_links').values(row).execute()
}

export async function listFeedLinks(db: Db, userId: string): Promise<StoredFeedLink[]> {
  const rows = await db
    .selectFrom('feed_links')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(feedLinkOf)
}

/** The link and its owner; the caller checks whether the owner may still read. */
export async function findFeedLink(
  db: Db,
  hash: string,
): Promise<{ link: StoredFeedLink; account: Account } | undefined> {
  const row = await db.selectFrom('feed_links').selectAll().where('hash', '=', hash).executeTakeFirst()
  const owner = row && (await db.selectFrom('users').selectAll().where('id', '=', row.user_id).executeTakeFirst())
  return owner && { link: feedLinkOf(row), account: accountOf(owner) }
}

export async function countFeedLinks(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('feed_links')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Undefined when the account has no such link. */
export async function renameFeedLink(
  db: Db,
  userId: string,
  id: string,
  name: string,
): Promise<StoredFeedLink | undefined> {
  const row = await db
    .updateTable('feed_links')
    .set({ name })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && feedLinkOf(row)
}

export async function touchFeedLink(db: Db, id: string, now: Instant): Promise<void> {
  await db.updateTable('feed_links').set({ last_used_at: now }).where('id', '=', id).execute()
}

export async function deleteFeedLink(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('feed_links')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const feedLinkOf = ({ id, name, detail, categories, created_at, last_used_at }: FeedLinkRow): StoredFeedLink => ({
  id,
  name,
  detail,
  categories: categories === null ? [] : (JSON.parse(categories) as string[]),
  createdAt: created_at,
  lastUsedAt: last_used_at,
})
