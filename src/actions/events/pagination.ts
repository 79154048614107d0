// Pagination: the sort order of lists, and a histogram by day that finds where a page begins.
import { DAY_MS, dayOf, type Instant, type LocalMs, wallOfDay } from '../../domain/time/instant.ts'
import { startOfDay, type Zone } from '../../domain/time/zone.ts'
import { isAllDayBucket } from '../../storage/events/duration-buckets.ts'
import type { DayCount, OccurrenceRef, PageSpan } from '../../storage/events/occurrence-index.ts'
import type { Window, WindowStart } from '../../storage/events/window-slices.ts'

/** Sorts by start, all-day first, end, event key, occurrence key: a total order that depends on times and keys only. */
export function sortOccurrences(placed: OccurrenceRef[], zone: Zone): OccurrenceRef[] {
  const sortable = placed.map((place) => ({
    place,
    allDay: isAllDayBucket(place.lane),
    at: sortAtOf(place, zone),
  }))
  sortable.sort(
    (a, b) =>
      a.at - b.at ||
      Number(b.allDay) - Number(a.allDay) ||
      a.place.end_at - b.place.end_at ||
      a.place.event_key - b.place.event_key ||
      a.place.local_at - b.place.local_at,
  )
  return sortable.map(({ place }) => place)
}

/** When an occurrence begins for a reader in this zone. */
export const sortAtOf = ({ lane, start_at }: Pick<OccurrenceRef, 'lane' | 'start_at'>, zone: Zone): Instant =>
  isAllDayBucket(lane) ? startOfDay(zone, dayOf(start_at)) : start_at

/** Where a page of so many entries lies; a descending one is read in ascending order from the other end. */
export function spanOf(page: number, perPage: number, total: number, isReversed: boolean): PageSpan {
  const offset = (page - 1) * perPage
  const count = Math.max(0, Math.min(perPage, total - offset))
  return { offset: isReversed ? total - offset - count : offset, count }
}

export interface Seek {
  /** The first start to read, as an instant and as a date. */
  since: WindowStart
  /** All occurrences of the page start before it. */
  until: WindowStart
  /** How many occurrences begin earlier than `since`. */
  before: number
}

/** The part of the window in which a page lies. */
export const between = ({ timed, dates }: Window, since: WindowStart, until: WindowStart): Window => ({
  timed: { from: Math.max(timed.from, since.at), to: Math.min(timed.to, until.at) },
  dates: { from: Math.max(dates.from, since.date), to: Math.min(dates.to, until.date) },
})

export interface DayHistogram {
  addCounts(counts: readonly DayCount[]): void
  addPlaced(placed: readonly OccurrenceRef[]): void
  total(): number
  /** From the last UTC day before which at most `offset` occurrences begin, to the end of the page. */
  seek(offset: number, perPage: number): Seek
}

/** Counts the occurrences that begin on each UTC day, for a reader in this zone. */
export function createDayHistogram(zone: Zone): DayHistogram {
  const perDay = new Map<number, number>()
  const add = (sortAt: Instant, total: number): void => {
    const day = dayOf(sortAt)
    perDay.set(day, (perDay.get(day) ?? 0) + total)
  }
  const sinceDay = (day: number): WindowStart => ({ at: day * DAY_MS, date: firstDateSince(day * DAY_MS, zone) })
  return {
    addCounts(counts) {
      for (const { lane, day, total } of counts) add(sortAtOf({ lane, start_at: wallOfDay(day) }, zone), total)
    },
    addPlaced(placed) {
      for (const place of placed) add(sortAtOf(place, zone), 1)
    },
    total: () => perDay.values().reduce((sum, count) => sum + count, 0),
    seek(offset, perPage) {
      const days = [...perDay].sort(([a], [b]) => a - b)
      let before = 0
      let first = days[0]?.[0] ?? 0
      let begun = 0
      let last = first
      for (const [day, count] of days) {
        if (begun <= offset) {
          first = day
          before = begun
        }
        last = day
        begun += count
        if (begun >= offset + perPage) break
      }
      return { since: sinceDay(first), until: sinceDay(last + 1), before }
    },
  }
}

/** The first date that begins at or after the instant; no zone is a day and a half away from UTC. */
function firstDateSince(at: Instant, zone: Zone): LocalMs {
  let day = dayOf(at) - 2
  while (startOfDay(zone, day) < at) day += 1
  return wallOfDay(day)
}
