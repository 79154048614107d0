// What belongs to this installation alone: its secret, the setup code while there is no administrator, the zone data it last saw.
import type { Db } from './tables.ts'

export async function readInstance(db: Db): Promise<{ secret: string; tzVersion: string }> {
  const row = await db.selectFrom('instance').select(['secret', 'tz_version']).executeTakeFirstOrThrow()
  return { secret: row.secret, tzVersion: row.tz_version }
}

export async function setTzVersion(db: Db, version: string): Promise<void> {
  await db.updateTable('instance').set({ tz_version: version }).execute()
}

export async function setSetupCodeHash(db: Db, hash: string): Promise<void> {
  await db.updateTable('instance').set({ setup_code_hash: hash }).execute()
}

/** Spends the code: of any number of tries at once, one finds it. */
export async function spendSetupCode(db: Db, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('instance')
    .set({ setup_code_hash: null })
    .where('setup_code_hash', '=', hash)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function clearSetupCode(db: Db): Promise<void> {
  await db.updateTable('instance').set({ setup_code_hash: null }).execute()
}
