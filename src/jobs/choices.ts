// Choices made at set-up reach every node: each looks for them now and then, until there are some.
import { followChoices } from '../actions/accounts/instance-settings.ts'
import type { Context } from '../context.ts'
import type { Jobs } from './run.ts'

/** Soon enough for whoever was set up on another node and looks at this one. */
const EVERY_MS = 10_000

export function startFollowingChoices(ctx: Context): Jobs {
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, EVERY_MS)
  timer.unref()
  // A database that cannot be asked now is asked the next time.
  const look = async (): Promise<void> => {
    if (await followChoices(ctx).catch(() => false)) clearInterval(timer)
  }
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
