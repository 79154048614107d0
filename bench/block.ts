// Types of the results for one engine and size of calendar.
import type { Memory } from './machine.ts'
import type { Measurement } from './measure.ts'
import type { ComparedRead } from './uncached-reads.ts'

/** One size on one engine. */
export interface Block extends Measurement {
  engine: string
  size: number
  loadMs: number
  /** By the launcher in a checkout whose bundle is current, and of the bundle alone, as a release is started. */
  startMs: number
  bundleStartMs: number
  /** Null where the calendar is too large for them. */
  importPerSecond: number | null
  coldFeed: ComparedRead | null
  uncachedMonth: ComparedRead
  /** After the first answers. */
  memoryAtRest: Memory
  /** After everything that was measured. */
  memory: Memory
}
