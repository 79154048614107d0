// What dragging and clicking on the grid of the calendar does for those who may write.
import type { Occurrence } from '../../api/contract.ts'

/** As in the API: dates for all-day events (the end exclusive), date-times with their offset for the others. */
export interface Span {
  start: string
  end: string
  isAllDay: boolean
}

/** Opens the form for a new event there. */
export function createAt(_span: Span): void {}

/** Moves or resizes; answers whether it stays where it was put. `again` loads the calendar anew. */
export async function moveEvent(_item: Occurrence, _to: Span, _again: () => void): Promise<boolean> {
  return false
}
