// Polls for the settings chosen at setup until there are some, so that every node applies them.
import { followChoices } from '../actions/accounts/instance-settings.ts'
import type { Context } from '../context.ts'
import type { Jobs } from './run.ts'

/** Soon enough for an administrator who set up another node and then opens this one. */
const EVERY_MS = 10_000

export function startFollowingChoices(ctx: Context): Jobs {
  let polling: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    polling = polling.then(poll)
  }, EVERY_MS)
  timer.unref()
  // A failed query is repeated the next time.
  const poll = async (): Promise<void> => {
    if (await followChoices(ctx).catch(() => false)) clearInterval(timer)
  }
  return {
    async stop() {
      clearInterval(timer)
      await polling
    },
  }
}
