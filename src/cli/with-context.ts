// Opens the database for the duration of a command.
import { openContext } from '../boot.ts'
import { type Config, loadConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { Instant } from '../domain/time/instant.ts'
import { type OpenOptions, openStorage } from '../storage/engine/open.ts'
import type { Storage } from '../storage/engine/storage.ts'
import { createSharedClock } from '../storage/operations/clock.ts'
import { explainOpening } from './explain.ts'

/** Runs `work` with the database open, beside a running service or without one. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>, { mustExist }: OpenOptions = {}): Promise<T> {
  const config = loadConfig()
  const ctx = await openContext(config, { mustExist }).catch((error) => Promise.reject(explainOpening(error, config)))
  try {
    return await work(ctx)
  } finally {
    await ctx.storage.close()
  }
}

/** For commands that read or change what is there: in a wrong folder they fail and create no empty calendar. */
export const withCalendar = <T>(work: (ctx: Context) => Promise<T>): Promise<T> =>
  withContext(work, { mustExist: true })

/** A calendar of any schema up to that of this version. */
export interface Source {
  storage: Storage
  config: Config
  /** By the clock that all nodes share. */
  now: Instant
}

/** For a backup, which is made before the schema is changed: nothing is migrated. */
export async function withSource<T>(work: (source: Source) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const storage = await openStorage(config, {}, { mustExist: true, keepsSchema: true }).catch((error) =>
    Promise.reject(explainOpening(error, config)),
  )
  try {
    const clock = await createSharedClock(storage, Date.now)
    await clock.stop()
    return await work({ storage, config, now: clock.now() })
  } finally {
    await storage.close()
  }
}
