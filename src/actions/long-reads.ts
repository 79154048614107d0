// Long answers are made a few at a time; who comes while many wait already is asked to come back.
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'

/** A list of more than this, or a feed for a question of its own, is long. */
export const LONG_LIST = 1_000

const AT_ONCE = 2
const MAX_WAITING = 16

interface Line {
  running: number
  waiting: (() => void)[]
}

/** One line for each service. */
const lines = new WeakMap<Context, Line>()

export async function inLine<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const line = lines.get(ctx) ?? { running: 0, waiting: [] }
  lines.set(ctx, line)
  if (line.running >= AT_ONCE) {
    if (line.waiting.length >= MAX_WAITING) fail('service_unavailable')
    // Whoever ends hands their place on, so that nobody slips in between.
    await new Promise<void>((resolve) => line.waiting.push(resolve))
  } else line.running += 1
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next) next()
    else line.running -= 1
  }
}
