// Duration buckets of the occurrence index: long events do not widen scans for short ones.
import { DAY_MS, type Instant } from '../../domain/time/instant.ts'

/** The longest occurrence of each lane. The last lane takes all longer ones; the JSON API accepts none of those. */
const LONGEST_MS = [DAY_MS, 7 * DAY_MS, 31 * DAY_MS, 366 * DAY_MS, Number.POSITIVE_INFINITY]
const LANES_PER_KIND = LONGEST_MS.length

/** Before every instant that the calendar can hold. */
const BEGINNING: Instant = -8.64e15

/** Timed lanes come first, then all-day ones: instants and dates are not comparable. */
export const bucketOf = (allDay: boolean, durationMs: number): number =>
  LONGEST_MS.findIndex((longest) => durationMs <= longest) + (allDay ? LANES_PER_KIND : 0)

export const isAllDayBucket = (lane: number): boolean => lane >= LANES_PER_KIND

export const BUCKETS = Array.from({ length: 2 * LANES_PER_KIND }, (_, lane) => lane)

/** An occurrence of this lane that touches `from` began after this instant. */
export const earliestStart = (lane: number, from: Instant): Instant => {
  const longest = LONGEST_MS[lane % LANES_PER_KIND]!
  return Number.isFinite(longest) ? from - longest - 1 : BEGINNING
}
