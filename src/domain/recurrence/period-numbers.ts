// Interface of a rule's numbered periods, and the work budget for searching them.
import type { LocalMs } from '../time/instant.ts'

/** Remaining budget; every test of a day, a period or a result costs one. */
export interface WorkBudget {
  left: number
}

/**
 * INTERVAL is part of the numbering: period 1 is the next one the rule visits, so the phase is counted from the start.
 */
export interface Periods {
  /** Number of the last period that begins at or before a wall time, which is not before the start. */
  indexAt(wall: LocalMs): number
  beginOf(index: number): LocalMs
  /** The same number or a later one, skipping only empty periods; it may stop early, or at `end`. */
  skipTo(index: number, end: LocalMs, work: WorkBudget): number
  /** The wall times, ascending, to which the times of the rule are added. */
  anchorsOf(index: number): LocalMs[]
  /** The most anchors that any period has. */
  readonly mostAnchors: number
}
