// Pads fast answers to the duration of recent slow ones, so response times reveal nothing.
import { setTimeout as delay } from 'node:timers/promises'

const MAX_SAMPLES = 64

export interface DurationSampler {
  add(durationMs: number): void
  /** Waits until the time since `begunAt` equals one of the recent durations, chosen at random. */
  imitate(begunAt: number): Promise<void>
}

export function createDurationSampler(
  pause: (ms: number) => Promise<unknown> = (ms) => delay(ms),
  now: () => number = () => performance.now(),
): DurationSampler {
  const samples: number[] = []
  let count = 0
  return {
    add(durationMs) {
      samples[count % MAX_SAMPLES] = durationMs
      count += 1
    },
    async imitate(begunAt) {
      const sample = samples[Math.floor(Math.random() * samples.length)]
      const leftMs = sample === undefined ? 0 : begunAt + sample - now()
      if (leftMs > 0) await pause(leftMs)
    },
  }
}
