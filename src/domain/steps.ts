// Long computations as generators that pause between bounded parts: run at once, or with yields to the event loop.

export type Steps<T> = Generator<void, T, void>

/** Runs all parts at once. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
  }
}

/** Short work where steps are expected. */
export function* inOneStep<T>(work: () => T): Steps<T> {
  yield
  return work()
}
