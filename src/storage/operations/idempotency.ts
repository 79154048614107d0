// Idempotency keys: stores key, body hash and created event, so a repeated request runs once.
import { sql } from 'kysely'
import { DAY_MS } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'
import { deleteBatch } from './purge.ts'

/** How long a key is valid. */
export const KEY_LIFETIME_MS = DAY_MS

export interface KnownRequest {
  bodyHash: string
  eventId: string
}

/**
 * Claims a key for this transaction, or returns the request that has used it. A second request with the same key waits
 * here until the first has committed or failed, so it never sees an unfinished one.
 */
export async function claimIdempotencyKey(
  db: Db,
  userId: string,
  key: string,
  request: KnownRequest,
  now: number,
): Promise<KnownRequest | undefined> {
  const claimed = await rawQuery(
    db,
    `insert into idempotency_keys (user_id, key, body_hash, event_id, created_at) values (?1, ?2, ?3, ?4, ?5)
      on conflict (user_id, key) do update set body_hash = excluded.body_hash, event_id = excluded.event_id,
      created_at = excluded.created_at where idempotency_keys.created_at < ?6 returning key`,
    [userId, key, request.bodyHash, request.eventId, now, now - KEY_LIFETIME_MS],
  )
  if (claimed.length > 0) return undefined
  const [known] = await rawQuery<KnownRequest>(
    db,
    'select body_hash as "bodyHash", event_id as "eventId" from idempotency_keys where user_id = ?1 and key = ?2',
    [userId, key],
  )
  return known!
}

export const purgeIdempotencyKeys = (db: Db, before: number): Promise<number> =>
  deleteBatch(db, 'idempotency_keys', sql`created_at < ${before}`)
