// Lists the public events of the last and the next year, for search engines.
import type { Context } from '../../context.ts'
import { DAY_MS } from '../../domain/time/instant.ts'
import { requireZone } from '../../domain/time/zone.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { inOwnSnapshot } from '../../storage/engine/transaction.ts'
import { listPublicUpdates, type PublicUpdate } from '../../storage/events/feeds.ts'
import { listEventKeysInWindow } from '../../storage/events/occurrence-index.ts'
import { type Caller, withPermit } from '../costly-work/semaphore.ts'
import { windowOf } from '../events/list-events.ts'

const REACH_MS = 366 * DAY_MS

/** What search engines read of one file is 50,000. */
const MAX_LISTED = 45_000
const KEYS_AT_ONCE = 1_000

/** With their last change; those with the highest keys are left out where there are too many. */
export const listSitemapEvents = (ctx: Context, caller: Caller): Promise<PublicUpdate[]> =>
  withPermit(ctx, caller, (begin) =>
    inOwnSnapshot(
      ctx.storage,
      async (db) => {
        const now = ctx.clock()
        const window = windowOf({ from: now - REACH_MS, to: now + REACH_MS }, requireZone(ctx.config.timezone))
        const keys = [...(await listEventKeysInWindow(db, { sight: 'public', filters: {} }, window))]
        keys.sort((a, b) => a - b)
        const timer = createSliceTimer()
        const events: PublicUpdate[] = []
        for (let i = 0; i < keys.length && events.length < MAX_LISTED; i += KEYS_AT_ONCE) {
          events.push(...(await listPublicUpdates(db, keys.slice(i, i + KEYS_AT_ONCE))))
          await timer.pause()
        }
        return events.slice(0, MAX_LISTED)
      },
      begin,
    ),
  )
