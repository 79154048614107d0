// One write, one transaction; losers of a race inside the database try again a few times before anyone hears of it.
import { setTimeout as delay } from 'node:timers/promises'
import type { Storage } from './open.ts'
import type { Db } from './tables.ts'

const MAX_RETRIES = 3
const RETRY_STATES = new Set(['40001', '40P01'])

export async function inTransaction<T>(storage: Storage, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await storage.writes.transaction().execute(work)
    } catch (error) {
      const state = (error as { code?: string }).code
      if (attempt >= MAX_RETRIES || !state || !RETRY_STATES.has(state)) throw error
      await delay(Math.random() * 20 * 2 ** attempt)
    }
  }
}
