// Single-use tokens sent by mail: stored as hashes, redeemed by one conditional statement.
import { sql } from 'kysely'
import { CLOCK_TOLERANCE_MS, type Instant } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { Db, TokenRow } from '../tables.ts'

export type TokenPurpose = TokenRow['purpose']

const MAX_LIVE = 3

/** A token made while the clock was wrong neither counts nor is accepted. */
const IS_LIVE = `used_at is null and expires_at > ?3 and created_at <= ?3 + ${CLOCK_TOLERANCE_MS}`

/**
 * False when the maximum of live tokens exists. None of those is voided, so that a stranger who requests mails to an
 * address cannot void the link that its owner is about to follow. The caller has locked the account's row, so that no
 * other transaction counts at the same time.
 */
export async function insertToken(db: Db, token: Omit<TokenRow, 'used_at'>): Promise<boolean> {
  const live = await rawQuery(
    db,
    `select hash from tokens where user_id = ?1 and purpose = ?2 and ${IS_LIVE} limit ${MAX_LIVE}`,
    [token.user_id, token.purpose, token.created_at],
  )
  if (live.length === MAX_LIVE) return false
  await db
    .insertInto('tokens')
    .values({ ...token, used_at: null })
    .execute()
  return true
}

/** The account of a token that is valid now. Only redeeming it decides. */
export async function findTokenOwner(
  db: Db,
  hash: string,
  purpose: TokenPurpose,
  now: Instant,
): Promise<string | undefined> {
  const [row] = await rawQuery<{ user_id: string }>(
    db,
    `select user_id from tokens where hash = ?1 and purpose = ?2 and ${IS_LIVE}`,
    [hash, purpose, now],
  )
  return row?.user_id
}

/** The account of a token that was valid until now. Of several requests with the same token, only one gets it. */
export async function redeemToken(
  db: Db,
  hash: string,
  purpose: TokenPurpose,
  now: Instant,
): Promise<string | undefined> {
  const [row] = await rawQuery<{ user_id: string }>(
    db,
    `update tokens set used_at = ?3
      where hash = ?1 and purpose = ?2 and ${IS_LIVE}
      and exists (select 1 from users where users.id = tokens.user_id and users.email_key = tokens.email_key)
      returning user_id`,
    [hash, purpose, now],
  )
  return row?.user_id
}

/** Called once one token is redeemed: the others of its purpose become invalid. */
export async function voidTokens(db: Db, userId: string, purpose: TokenPurpose, now: Instant): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}

/** For a token whose mail was not sent, so that it does not count among the few live ones. */
export async function deleteToken(db: Db, hash: string): Promise<void> {
  await db.deleteFrom('tokens').where('hash', '=', hash).where('used_at', 'is', null).execute()
}

export const purgeTokens = (db: Db, before: Instant): Promise<number> =>
  deleteBatch(db, 'tokens', sql`(expires_at < ${before} or used_at < ${before})`)
