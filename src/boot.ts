// Opens everything an action needs, for the service and for commands alike.
import { indexSpanAt } from './actions/keep-index.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { makeLog } from './ops/log.ts'
import { newId } from './secrets.ts'
import { moveIndexSpan, readIndexSpan } from './storage/calendar.ts'
import { readInstance } from './storage/instance.ts'
import { openStorage } from './storage/open.ts'
import { inTransaction } from './storage/transaction.ts'

/** Tests hand in their own clock. */
export interface BootOptions {
  clock?: () => number
}

export async function openContext(config: Config, { clock = Date.now }: BootOptions = {}): Promise<Context> {
  const log = makeLog(config.logLevel)
  const storage = await openStorage(config, () => log.warn('a database connection was lost'))
  try {
    const { secret } = await readInstance(storage.reads)
    // An empty calendar gets its index span before the first event does; later moves are a job's.
    if ((await readIndexSpan(storage.reads)).to === 0) {
      await inTransaction(storage, (db) => moveIndexSpan(db, indexSpanAt(clock())))
    }
    return { config, storage, clock, newId, nodeId: newId(), secret, log }
  } catch (error) {
    await storage.close()
    throw error
  }
}
