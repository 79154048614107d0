// Leases: work that must run on one node at a time is run by the node that holds its lease.
import { HOUR_MS } from '../../domain/time/instant.ts'
import { rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

const LONGEST_LEASE_MS = HOUR_MS

/**
 * True when this holder has the lease until `expiresAt`. A lease can be taken over if it is expired or its own, or if
 * it ends further ahead than any lease lasts, which means that a clock was wrong.
 */
export async function acquireLease(
  db: Db,
  name: string,
  holder: string,
  now: number,
  expiresAt: number,
): Promise<boolean> {
  const rows = await rawQuery(
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
