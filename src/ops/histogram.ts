// Histogram of durations in preallocated buckets: an observation allocates nothing.

/** Upper bounds in seconds. */
export const REQUEST_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
export const DATABASE_BOUNDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5] as const

export class Histogram {
  readonly bounds: readonly number[]
  /** Observations up to each bound and above the one before; those above all bounds come last. */
  readonly counts: Float64Array
  /** In an array too: V8 would allocate a number for each new value of a property. */
  readonly #sum = new Float64Array(1)

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  get sum(): number {
    return this.#sum[0]!
  }

  observeMs(durationMs: number): void {
    const seconds = durationMs / 1_000
    const { bounds, counts } = this
    let i = 0
    while (i < bounds.length && seconds > bounds[i]!) i += 1
    counts[i]! += 1
    this.#sum[0]! += seconds
  }
}
