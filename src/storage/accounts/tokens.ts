// Tokens sent by mail, each good once: kept as hashes, redeemed by one conditional statement.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { runText } from '../dialect.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { Db, TokenRow } from '../tables.ts'

export type TokenPurpose = TokenRow['purpose']

const MAX_LIVE = 3

/**
 * False when as many as may be are live: none of them is ended, so that a stranger who asks for mails to somebody does
 * not end the link they are about to follow. The caller holds the account's row, so that two do not count at once.
 */
export async function insertToken(db: Db, token: Omit<TokenRow, 'used_at'>): Promise<boolean> {
  const live = await runText(
    db,
    `select hash from tokens where user_id = ?1 and purpose = ?2 and used_at is null and expires_at > ?3 limit ${MAX_LIVE}`,
    [token.user_id, token.purpose, token.created_at],
  )
  if (live.length === MAX_LIVE) return false
  await db
    .insertInto('tokens')
    .values({ ...token, used_at: null })
    .execute()
  return true
}

/** Whose it is while it is good. Only redeeming it tells whether it still was. */
export async function findTokenOwner(
  db: Db,
  hash: string,
  purpose: TokenPurpose,
  now: Instant,
): Promise<string | undefined> {
  const [row] = await runText<{ user_id: string }>(
    db,
    'select user_id from tokens where hash = ?1 and purpose = ?2 and used_at is null and expires_at > ?3',
    [hash, purpose, now],
  )
  return row?.user_id
}

/** Whose it was, if it was good until now. Of any number who bring the same one, one hears a name. */
export async function redeemToken(
  db: Db,
  hash: string,
  purpose: TokenPurpose,
  now: Instant,
): Promise<string | undefined> {
  const [row] = await runText<{ user_id: string }>(
    db,
    `update tokens set used_at = ?3
      where hash = ?1 and purpose = ?2 and used_at is null and expires_at > ?3
      and exists (select 1 from users where users.id = tokens.user_id and users.email_key = tokens.email_key)
      returning user_id`,
    [hash, purpose, now],
  )
  return row?.user_id
}

/** Once one has done its work, the others of its kind are worth nothing. */
export async function voidTokens(db: Db, userId: string, purpose: TokenPurpose, now: Instant): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}

/** One that never left has no owner to miss it, and takes no place among the few. */
export async function deleteToken(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('tokens').where('hash', '=', hash).where('used_at', 'is', null).execute()
}

export const purgeTokens = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(db, 'tokens', sql`(expires_at < ${before} or used_at < ${before})`)
