// Used proofs of work, stored until they expire, so that each can be spent once.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { deleteBatch } from '../operations/purge.ts'
import type { Db } from '../tables.ts'

/** False when it was used before. */
export async function spendProof(db: Db, proof: string, expiresAt: Instant): Promise<boolean> {
  const spent = await db
    .insertInto('spent_proofs')
    .values({ proof, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('proof').doNothing())
    .returning('proof')
    .executeTakeFirst()
  return spent !== undefined
}

export const purgeSpentProofs = (db: Db, now: Instant): Promise<number> =>
  deleteBatch(db, 'spent_proofs', sql`expires_at <= ${now}`)
