// Probes whether the database can be written to, for readiness.
import { randomBytes } from 'node:crypto'
import type { Storage } from '../engine/storage.ts'
import type { FailureReason } from './failure.ts'

/** Writes a row that nothing else reads. */
export const checkWrites = (storage: Storage): Promise<FailureReason | undefined> =>
  storage.health.check(async (bytes) => {
    // The same text again would not be written to the disk.
    const holder = randomBytes(bytes / 2).toString('hex')
    await storage.writes.transaction().execute(async (db) => {
      await db
        .insertInto('leases')
        .values({ name: 'write_probe', holder, expires_at: 0 })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ holder }))
        .execute()
    })
  })
