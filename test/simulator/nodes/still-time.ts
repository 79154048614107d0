// The monotonic clock and intervals of a simulation, so that nothing depends on how fast the machine is.

const STEP_MS = 10

/** An interval that no simulation reaches. */
const NEVER_MS = 2 ** 31 - 1

export interface MonotonicClock {
  /** A step begins. */
  advance(): void
  restore(): void
}

/** Takes the place of the clock of the whole process. It stands still within a step: groups and turns end where they did. */
export function replaceMonotonicClock(): MonotonicClock {
  const real = performance.now
  let now = real.call(performance)
  performance.now = () => now
  return {
    advance() {
      now += STEP_MS
    },
    restore() {
      performance.now = real
    },
  }
}

/** The jobs of a service that starts meanwhile have no rounds of their own. */
export async function withoutIntervals<T>(start: () => Promise<T>): Promise<T> {
  const real = globalThis.setInterval
  globalThis.setInterval = (() => real(() => {}, NEVER_MS).unref()) as unknown as typeof real
  try {
    return await start()
  } finally {
    globalThis.setInterval = real
  }
}
