// Leases: what must run on one node at a time is run by whoever holds its name until a time.
import { HOUR_MS } from '../../domain/time/instant.ts'
import { runText } from '../dialect.ts'
import type { Db } from '../tables.ts'

const LONGEST_LEASE_MS = HOUR_MS

/**
 * True when this holder has the lease until `expiresAt`; an expired or own one may be taken over, and one that ends
 * further ahead than any is taken for: a clock was wrong then.
 */
export async function takeLease(
  db: Db,
  name: string,
  holder: string,
  now: number,
  expiresAt: number,
): Promise<boolean> {
  const rows = await runText(
    db,
    `insert into leases (name, holder, expires_at) values (?1, ?2, ?3)
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.expires_at <= ?4 or leases.expires_at > ?5 or leases.holder = excluded.holder returning name`,
    [name, holder, expiresAt, now, now + LONGEST_LEASE_MS],
  )
  return rows.length > 0
}

export async function releaseLease(db: Db, name: string, holder: string): Promise<void> {
  await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
}
