// Opens the database for the duration of a command.
import { openContext } from '../boot.ts'
import { loadConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { explainOpening } from './explain.ts'

/** Runs `work` with the database open, beside a running service or without one. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const ctx = await openContext(config).catch((error) => Promise.reject(explainOpening(error, config)))
  try {
    return await work(ctx)
  } finally {
    await ctx.storage.close()
  }
}
