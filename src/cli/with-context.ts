// Opens the database for the duration of a command.
import { openContext } from '../boot.ts'
import { loadConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { OpenOptions } from '../storage/engine/open.ts'
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
