// The order of lists, and where in it a page begins.
import { DAY_MS, dayOf, type Instant, type Wall, wallOfDay } from '../domain/time/instant.ts'
import { startOfDay, type Zone } from '../domain/time/zone.ts'
import { isAllDayLane } from '../storage/lanes.ts'
import type { DayCount, Placed } from '../storage/windows.ts'

/** Start, all-day first, end, id, key: a total order that looks at nothing but time and chance. */
export function inOrder(placed: Placed[], zone: Zone): Placed[] {
  const sortable = placed.map((place) => ({
    place,
    allDay: isAllDayLane(place.lane),
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

/** When an occurrence begins for whoever reads in this zone. */
export const sortAtOf = ({ lane, start_at }: Pick<Placed, 'lane' | 'start_at'>, zone: Zone): Instant =>
  isAllDayLane(lane) ? startOfDay(zone, dayOf(start_at)) : start_at

export interface Seek {
  total: number
  /** The first start to read from, on both clocks. */
  since: { at: Instant; date: Wall }
  /** How many begin earlier. */
  before: number
}

/** The last UTC day before whose begin no more than `offset` occurrences have begun. */
export function seek(counts: readonly DayCount[], computed: readonly Placed[], zone: Zone, offset: number): Seek {
  const perDay = new Map<number, number>()
  const add = (sortAt: Instant, total: number): void => {
    const day = dayOf(sortAt)
    perDay.set(day, (perDay.get(day) ?? 0) + total)
  }
  for (const { lane, day, total } of counts) add(sortAtOf({ lane, start_at: wallOfDay(day) }, zone), total)
  for (const place of computed) add(sortAtOf(place, zone), 1)
  const days = [...perDay].sort(([a], [b]) => a - b)
  const total = days.reduce((sum, [, count]) => sum + count, 0)
  let before = 0
  let first = days[0]?.[0] ?? 0
  for (const [day, count] of days) {
    first = day
    if (before + count > offset) break
    before += count
  }
  return { total, since: { at: first * DAY_MS, date: firstDateSince(first * DAY_MS, zone) }, before }
}

/** The first date that begins at or after the instant; no zone is a day and a half away from UTC. */
function firstDateSince(at: Instant, zone: Zone): Wall {
  let day = dayOf(at) - 2
  while (startOfDay(zone, day) < at) day += 1
  return wallOfDay(day)
}
