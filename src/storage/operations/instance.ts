// The instance row: secret, setup code hashes, version of derived rows, last plausible clock.
import { forUpdate, rawQuery } from '../dialect.ts'
import type { Db } from '../tables.ts'

export async function readInstance(db: Db): Promise<{ secret: string; tzVersion: string }> {
  const row = await db.selectFrom('instance').select(['secret', 'tz_version']).executeTakeFirstOrThrow()
  return { secret: row.secret, tzVersion: row.tz_version }
}

export async function setTzVersion(db: Db, version: string): Promise<void> {
  await db.updateTable('instance').set({ tz_version: version }).execute()
}

/** Whatever is stored of derived rows is outdated: if the work that follows is stopped, housekeeping does it. */
export async function markOutdated(db: Db): Promise<string> {
  const { tzVersion } = await readInstance(db)
  await setTzVersion(db, '')
  return tzVersion
}

/** Once that work is done, unless other rows are outdated too. */
export async function unmarkOutdated(db: Db, version: string): Promise<void> {
  await db.updateTable('instance').set({ tz_version: version }).where('tz_version', '=', '').execute()
}

/** Several nodes, and restarts of one, may each have printed a code. */
const MAX_SETUP_CODES = 5

/** Adds a valid code; only the newest few stay valid. */
export async function addSetupCodeHash(db: Db, hash: string): Promise<void> {
  const { setup_code_hash: known } = await forUpdate(
    db,
    db.selectFrom('instance').select('setup_code_hash'),
  ).executeTakeFirstOrThrow()
  const hashes = [...(known?.split(' ') ?? []), hash].slice(-MAX_SETUP_CODES)
  await db
    .updateTable('instance')
    .set({ setup_code_hash: hashes.join(' ') })
    .execute()
}

/** Spends the code and voids all others: of concurrent attempts, only one succeeds. */
export async function spendSetupCode(db: Db, hash: string): Promise<boolean> {
  const spent = await rawQuery(
    db,
    `update instance set setup_code_hash = null where ' ' || setup_code_hash || ' ' like ?1 returning id`,
    [`% ${hash} %`],
  )
  return spent.length > 0
}

export async function clearSetupCode(db: Db): Promise<void> {
  await db.updateTable('instance').set({ setup_code_hash: null }).execute()
}

/** The last time that was found plausible; 0 before the first. */
export async function readClockSeenAt(db: Db): Promise<number> {
  const row = await db.selectFrom('instance').select('clock_seen_at').executeTakeFirstOrThrow()
  return row.clock_seen_at
}

/** Nodes may record their times in any order; the latest stays. */
export async function recordClock(db: Db, now: number): Promise<void> {
  await db.updateTable('instance').set({ clock_seen_at: now }).where('clock_seen_at', '<', now).execute()
}

export async function acceptClock(db: Db, now: number): Promise<void> {
  await db.updateTable('instance').set({ clock_seen_at: now }).execute()
}
