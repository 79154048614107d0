// Idempotency keys: stores hashes of key and body, and the answer, so a repeated request runs once.
import { sql } from 'kysely'
import { DAY_MS } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'
import type { IdempotencyRow } from '../work-tables.ts'
import { deleteBatch } from './purge.ts'

/** How long a key is valid. */
export const KEY_LIFETIME_MS = DAY_MS

export type NewIdempotencyKey = Omit<IdempotencyRow, 'answer'>

/**
 * Claims a key for this transaction, or returns the request that has used it. A second request with the same key waits
 * here until the first has committed or failed. A claim with a holder outlives the transaction: until the holder
 * settles or releases it, or `held_until` has passed.
 */
export async function claimIdempotencyKey(
  db: Db,
  { user_id, key, body_hash, event_id, holder, held_until, created_at: now }: NewIdempotencyKey,
): Promise<IdempotencyRow | undefined> {
  const claimed = await rawQuery(
    db,
    `insert into idempotency_keys (user_id, key, body_hash, event_id, holder, held_until, created_at)
      values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      on conflict (user_id, key) do update set body_hash = excluded.body_hash, event_id = excluded.event_id,
      holder = excluded.holder, held_until = excluded.held_until, answer = null, created_at = excluded.created_at
      where idempotency_keys.created_at < ?8 or idempotency_keys.held_until < ?7 returning key`,
    [user_id, key, body_hash, event_id, holder, held_until, now, now - KEY_LIFETIME_MS],
  )
  if (claimed.length > 0) return undefined
  return (await findIdempotencyKey(db, user_id, key))!
}

export const findIdempotencyKey = (db: Db, userId: string, key: string): Promise<IdempotencyRow | undefined> =>
  db.selectFrom('idempotency_keys').selectAll().where('user_id', '=', userId).where('key', '=', key).executeTakeFirst()

/** Stores the answer of the request that has claimed the key; null where it is not kept. */
export async function storeIdempotentAnswer(
  db: Db,
  { user_id, key, holder }: Pick<IdempotencyRow, 'user_id' | 'key' | 'holder'>,
  answer: string | null,
): Promise<void> {
  const update = db
    .updateTable('idempotency_keys')
    .set({ answer, holder: null, held_until: null })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
  await update.where('holder', holder === null ? 'is' : '=', holder).execute()
}

/** The request has taken effect: called in its transaction, so that it never runs again, even without an answer. */
export const settleIdempotencyKey = async (db: Db, user_id: string, holder: string): Promise<void> =>
  void (await db
    .updateTable('idempotency_keys')
    .set({ held_until: null })
    .where('user_id', '=', user_id)
    .where('holder', '=', holder)
    .execute())

/** The request has failed, so the key is free again, unless it took effect before. */
export const releaseIdempotencyKey = async (db: Db, user_id: string, key: string, holder: string): Promise<void> =>
  void (await db
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('holder', '=', holder)
    .where('held_until', 'is not', null)
    .execute())

export const purgeIdempotencyKeys = (db: Db, before: number): Promise<number> =>
  deleteBatch(db, 'idempotency_keys', sql`created_at < ${before}`)
