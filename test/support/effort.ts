// How long something works, by the processor's time of this thread: a busy machine makes it wait, but not work more.
import { setImmediate as turn } from 'node:timers/promises'

/** Starts counting; answers how many milliseconds of work there were since. */
export function startWork(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}

/** The processor's time of some work, and of its longest stretch without a turn for others, in milliseconds. */
export async function measureTurns(act: () => Promise<unknown>): Promise<{ total: number; longest: number }> {
  let isOver = false
  const whole = startWork()
  const watch = (async () => {
    let longest = 0
    for (let work = startWork(); !isOver; work = startWork()) {
      await turn()
      longest = Math.max(longest, work())
    }
    return longest
  })()
  const total = await act()
    .then(whole)
    .finally(() => {
      isOver = true
    })
  return { total, longest: await watch }
}
