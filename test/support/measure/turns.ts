// Measures the event loop during some work: the number of turns, and the CPU time of the longest one.
import assert from 'node:assert/strict'
import { startWork } from './effort.ts'

export interface Turns<T> {
  result: T
  /** How many turns of the event loop passed. */
  count: number
  /** CPU time of this thread in its longest turn, in milliseconds: a busy machine delays it but adds no work. */
  longestMs: number
  /** Of all turns together. */
  totalMs: number
}

export async function measureTurns<T>(work: () => Promise<T>): Promise<Turns<T>> {
  let count = 0
  let longestMs = 0
  let totalMs = 0
  let isOver = false
  let turn = startWork()
  const endTurn = (): void => {
    const ms = turn()
    longestMs = Math.max(longestMs, ms)
    totalMs += ms
  }
  const next = (): void => {
    endTurn()
    count += 1
    if (isOver) return
    turn = startWork()
    setImmediate(next).unref()
  }
  // Without a reference it runs in each turn, and lets the event loop wait where there is nothing to do.
  setImmediate(next).unref()
  try {
    const result = await work()
    endTurn()
    return { result, count, longestMs, totalMs }
  } finally {
    isOver = true
  }
}

const TRIES = 10

/** The limit for the longest turn of the event loop: a share of the whole, or milliseconds of CPU time. */
export type TurnLimit = { share: number } | { ms: number }

/**
 * Repeats the work until no turn of a run is longer than the limit; fails where no run is like that.
 * Work done in one turn is seen in every run, garbage collection only in some.
 * The preparation before a run is not measured. Returns the measurement of the last run.
 */
export async function assertShortTurns<T>(
  what: string,
  limit: TurnLimit,
  work: (run: number) => Promise<T>,
  prepare?: (run: number) => Promise<unknown>,
): Promise<Turns<T>> {
  const longest: string[] = []
  for (let run = 0; run < TRIES; run++) {
    await prepare?.(run)
    const turns = await measureTurns(() => work(run))
    const { longestMs, totalMs } = turns
    if (longestMs < ('ms' in limit ? limit.ms : limit.share * totalMs)) return turns
    longest.push(`${longestMs.toFixed()} of ${totalMs.toFixed()} ms`)
  }
  return assert.fail(`${what}: the longest turns of ${TRIES} runs took ${longest.join(', ')}`)
}
