// Hands what was typed in the quick form over to the form with everything.
import type { EventValues } from './form/event-values.ts'

let typed: EventValues | undefined

export function handOver(values: EventValues): void {
  typed = values
}

/** Once: the next new event begins empty. */
export function takeTyped(): EventValues | undefined {
  const values = typed
  typed = undefined
  return values
}
