// Room bookings of the demo: prevents two events in one room at the same time.
import { type LocalMs, MINUTE_MS } from '../../domain/time/instant.ts'

export interface Bookings {
  isFree(room: string, start: LocalMs, end: LocalMs): boolean
  take(room: string, start: LocalMs, end: LocalMs): void
}

/** Time between two bookings of a room. */
const GAP_MS = 15 * MINUTE_MS

export function createBookings(): Bookings {
  const taken = new Map<string, { start: LocalMs; end: LocalMs }[]>()
  return {
    isFree: (room, start, end) =>
      !taken.get(room)?.some((other) => start < other.end + GAP_MS && other.start < end + GAP_MS),
    take(room, start, end) {
      const others = taken.get(room)
      if (others) others.push({ start, end })
      else taken.set(room, [{ start, end }])
    },
  }
}
