// How long something works, by the processor's time of this thread: a busy machine makes it wait, but not work more.

/** Starts counting; answers how many milliseconds of work there were since. */
export function startWork(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}

const ROUNDS = 5

/** The work of the cheapest of several rounds: a collection of garbage falls into some of them, but not into all. */
export function leastWork(act: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const workedMs = startWork()
    act()
    return workedMs()
  })
  return Math.min(...rounds)
}

/** The work of the longest part of a generator's work, of the best of several rounds. */
export function leastLongestPart(start: () => Iterator<unknown>): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const parts = start()
    let longestMs = 0
    for (let isDone = false; !isDone; ) {
      const workedMs = startWork()
      isDone = parts.next().done ?? false
      longestMs = Math.max(longestMs, workedMs())
    }
    return longestMs
  })
  return Math.min(...rounds)
}
