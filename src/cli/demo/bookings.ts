// Who has which room when, so that nobody's wedding lands on the choir.
import { MINUTE_MS, type Wall } from '../../domain/time/instant.ts'

export interface Bookings {
  isFree(room: string, start: Wall, end: Wall): boolean
  take(room: string, start: Wall, end: Wall): void
}

/** Time to put the chairs back. */
const GAP_MS = 15 * MINUTE_MS

export function makeBookings(): Bookings {
  const taken = new Map<string, { start: Wall; end: Wall }[]>()
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
