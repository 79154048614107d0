// Shared clock: nodes on one PostgreSQL use its time, so that expiry is the same on all of them.
import { sql } from 'kysely'
import type { Instant } from '../../domain/time/instant.ts'
import { startInterval } from '../../scheduling/interval.ts'
import type { Storage } from '../engine/storage.ts'
import type { Db } from '../tables.ts'

/** Clocks of machines drift slowly, so once a minute is enough. */
const EVERY_MS = 60_000

/** A smaller difference may be due to the round trip. */
const TOLERATED_MS = 500

export interface SharedClock {
  now: () => Instant
  stop(): Promise<void>
}

export async function createSharedClock(storage: Storage, local: () => Instant): Promise<SharedClock> {
  if (storage.engine === 'sqlite') return { now: local, async stop() {} }
  let ahead = 0
  /** The shared time at the last comparison, less the monotonic clock then. */
  let monotonicOffset = 0
  const compare = async (): Promise<void> => {
    const difference = await readClockDifference(storage.reads, local)
    const after = local()
    ahead = Math.abs(difference) < TOLERATED_MS ? 0 : Math.round(difference)
    monotonicOffset = after + ahead - performance.now()
  }
  await compare()
  // If the query fails, the difference stays as it was.
  const interval = startInterval(EVERY_MS, compare)
  // A local clock that is set back between two comparisons would make expired credentials valid again. The monotonic
  // clock alone is not enough: it stands still while a machine is suspended.
  const now = (): Instant => Math.max(local() + ahead, Math.floor(performance.now() + monotonicOffset))
  return { now, stop: () => interval.stop() }
}

/** By how many milliseconds the clock of PostgreSQL is ahead of the local one. */
export async function readClockDifference(db: Db, local: () => Instant): Promise<number> {
  const before = local()
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db)
  return rows[0]!.now - (before + local()) / 2
}
