// Interval: repeats a task on an unref'd timer, never two runs at once, until it is stopped.

export interface Interval {
  /** Starts no more rounds; resolves when the running one has ended. */
  stop(): Promise<void>
}

/** A round that fails is followed by the next one; an unhandled rejection would end the process. */
export function startInterval(
  everyMs: number,
  work: () => unknown,
  onError: (error: unknown) => void = () => {},
): Interval {
  let running: Promise<void> | undefined
  const run = async (): Promise<void> => {
    try {
      await work()
    } catch (error) {
      onError(error)
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= run()
  }, everyMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
