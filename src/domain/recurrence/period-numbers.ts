// What the periods of a rule must offer, whatever their length, and the budget of work to look through them.
import type { LocalMs } from '../time/instant.ts'

/** What may still be spent; every look at a day, a period or a result costs one. */
export interface WorkBudget {
  left: number
}

/** INTERVAL is in the numbering: period 1 is the next one the rule visits, so its phase is always counted from the start. */
export interface Periods {
  /** The number of the last period that begins at or before a wall, which is no earlier than the start. */
  indexAt(wall: LocalMs): number
  beginOf(index: number): LocalMs
  /** The same number or a later one, with nothing but empty periods passed over; it may stop early, or at `end`. */
  skipTo(index: number, end: LocalMs, work: WorkBudget): number
  /** The walls, ascending, to which the times of the rule are added. */
  anchorsOf(index: number): LocalMs[]
  /** No period has more anchors than this. */
  readonly mostAnchors: number
}
