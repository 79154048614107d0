// Charges CPU-bound work to its caller: in steps that yield, summed up over a request.
import type { Steps } from '../../domain/steps.ts'
import { createSliceTimer } from '../../scheduling/event-loop.ts'
import { runYielding } from './costly-writes.ts'
import type { Caller } from './semaphore.ts'

/** Shorter work is carried over to the next charge. */
const CHARGE_STEP_MS = 10

/** A caller for one request: many short parts cost as much as a long one. */
export function sumCharges(caller: Caller): Caller {
  const { charge } = caller
  let owedMs = 0
  return {
    ...caller,
    charge(costMs) {
      owedMs += costMs
      const dueMs = owedMs - (owedMs % CHARGE_STEP_MS)
      if (dueMs > 0) charge(dueMs)
      owedMs -= dueMs
    },
  }
}

/** Time that other requests use between the steps is not charged. */
export async function runCharged<T>(caller: Caller, steps: Steps<T>): Promise<T> {
  const timer = createSliceTimer()
  try {
    return await runYielding(steps, timer.pause)
  } finally {
    caller.charge(timer.workedMs())
  }
}

/** The same for work without yields. */
export function chargeWork<T>(caller: Caller, work: () => T): T {
  const begun = performance.now()
  try {
    return work()
  } finally {
    caller.charge(performance.now() - begun)
  }
}
