// Housekeeping, by itself and on one node at a time: the index moves on, what is over goes.

import { followChoices } from '../actions/choices.ts'
import { forgetWhatIsOver, holdLease, letGoOfLease } from '../actions/housekeeping.ts'
import { extendIndex, followZoneData } from '../actions/keep-index.ts'
import type { Context } from '../context.ts'

/** Often enough to step in soon for a node that died with the lease. */
const EVERY_MS = 15 * 60_000
const LEASE_MS = 10 * 60_000
const LEASE = 'housekeeping'

export interface Jobs {
  stop(): Promise<void>
}

export function startJobs(ctx: Context): Jobs {
  let running: Promise<void> = Promise.resolve()
  const run = (): void => {
    running = running
      .then(() => runOnce(ctx))
      .catch(() => ctx.log.warn('housekeeping failed; it is tried again in a quarter of an hour'))
  }
  const timer = setInterval(run, EVERY_MS)
  timer.unref()
  run()
  return {
    async stop() {
      clearInterval(timer)
      await running
      await letGoOfLease(ctx, LEASE).catch(() => {})
    },
  }
}

async function runOnce(ctx: Context): Promise<void> {
  if (!(await holdLease(ctx, LEASE, LEASE_MS))) return
  // Nothing is derived with a zone that was chosen away a moment ago.
  await followChoices(ctx)
  const rebuilt = await followZoneData(ctx, process.versions.tz ?? '')
  if (rebuilt)
    ctx.log.info('new time zone data, another zone or a new version: everything derived was rebuilt', {
      changed: rebuilt.changed,
    })
  const extended = await extendIndex(ctx)
  if (extended > 0) ctx.log.info('the index was moved on', { series: extended })
  await forgetWhatIsOver(ctx)
}
