// Runs many episodes, each with its own seed, and reports those that fail.
import type { Engine } from '../support/storage/engines.ts'
import { simulate } from './simulate.ts'

export interface EpisodesOptions {
  engines: readonly Engine[]
  /** Each seed is used on every engine. */
  firstSeed: number
  episodes: number
  steps: number
  write(text: string): void
}

/** A line for every tenth episode that agrees with the model. */
const REPORT_EVERY = 10

/** Whether all agree with the model. */
export async function simulateEpisodes(options: EpisodesOptions): Promise<boolean> {
  const { engines, firstSeed, episodes, steps, write } = options
  const failed: string[] = []
  for (let i = 0; i < episodes; i++) {
    const engine = engines[i % engines.length]!
    const seed = firstSeed + Math.floor(i / engines.length)
    try {
      await simulate({ engine, seed, steps })
    } catch (error) {
      const { message, cause } = error as Error
      failed.push(`${engine} ${seed}`)
      write(`${message}\n${(cause as Error | undefined)?.stack ?? ''}\n`)
    }
    const done = i + 1
    if (done % REPORT_EVERY === 0 || done === episodes)
      write(`${done * steps} steps in ${done} episodes, up to seed ${seed}: ${failed.length} failed\n`)
  }
  return failed.length === 0
}
