// How long something works, by the processor's time of this thread: a busy machine makes it wait, but not work more.

/** Starts counting; answers how many milliseconds of work there were since. */
export function startWork(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  }
}
