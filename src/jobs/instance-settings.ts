// Polls for the settings chosen at setup until there are some, so that every node applies them.
import { refreshInstanceSettings } from '../actions/accounts/instance-settings.ts'
import type { Context } from '../context.ts'
import { startInterval } from '../scheduling/interval.ts'
import type { Jobs } from './housekeeping.ts'

/** Soon enough for an administrator who set up another node and then opens this one. */
const EVERY_MS = 10_000

export function startInstanceSettingsPolling(ctx: Context): Jobs {
  // A failed query is repeated the next time.
  const polling = startInterval(EVERY_MS, async () => {
    if (await refreshInstanceSettings(ctx)) void polling.stop()
  })
  return polling
}
