// Measures work by the CPU time of this thread: a busy machine delays work but does not increase it.

/** Starts counting; the returned function gives the milliseconds of work since. */
export function startWork(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}

const ROUNDS = 5

/** The work of the cheapest of several rounds: garbage collection falls into some of them, but not into all. */
export function leastWork(act: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const workedMs = startWork()
    act()
    return workedMs()
  })
  return Math.min(...rounds)
}

/** The work of the longest step of a generator, in the best of several rounds. */
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
