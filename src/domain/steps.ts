// Long computations as generators with bounded steps: run at once, or yielding to the event loop.

export type Steps<T> = Generator<void, T, void>

/** Runs all steps at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
  }
}

/** Wraps short work where steps are expected. */
export function* inOneStep<T>(work: () => T): Steps<T> {
  yield
  return work()
}
