// Measures the event loop during some work: how many turns it had, and how much processor time the longest one took.
import { startWork } from './effort.ts'

export interface Turns<T> {
  result: T
  /** How many turns of the event loop passed. */
  count: number
  /** Processor time of this thread in its longest turn, in milliseconds: a busy machine makes it wait, but not work more. */
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
    setImmediate(next)
  }
  setImmediate(next)
  try {
    const result = await work()
    endTurn()
    return { result, count, longestMs, totalMs }
  } finally {
    isOver = true
  }
}
