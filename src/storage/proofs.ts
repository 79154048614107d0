// Proofs of work that were used, kept until they would have expired anyway, so that each is good once.
import type { Instant } from '../domain/time/instant.ts'
import type { Db } from './tables.ts'

/** False when somebody used it before. */
export async function spendProof(db: Db, proof: string, expiresAt: Instant): Promise<boolean> {
  const spent = await db
    .insertInto('spent_proofs')
    .values({ proof, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('proof').doNothing())
    .returning('proof')
    .executeTakeFirst()
  return spent !== undefined
}

export async function purgeSpentProofs(db: Db, now: Instant): Promise<void> {
  await db.deleteFrom('spent_proofs').where('expires_at', '<=', now).execute()
}
