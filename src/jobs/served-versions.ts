// Stores every second, on every node, which object versions CalDAV clients have received.
import { flushServedVersions, noteDatabase } from '../actions/caldav-objects/served-versions.ts'
import type { Context } from '../context.ts'
import { startInterval } from '../scheduling/interval.ts'
import type { Jobs } from './housekeeping.ts'

const EVERY_MS = 1_000

export function startServedVersionsJob(ctx: Context): Jobs {
  void noteDatabase(ctx)
  const flushes = startInterval(EVERY_MS, () => flushServedVersions(ctx))
  return {
    async stop() {
      await flushes.stop()
      await flushServedVersions(ctx, true)
    },
  }
}
