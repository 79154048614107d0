// Plans all demo events for the two years around a day, the same for the same day.
import { type Day, dateFromDay, dayFromDate, daysInMonth } from '../../domain/time/instant.ts'
import { createBookings } from './bookings.ts'
import { createSeededRandom } from './chance.ts'
import type { DemoSpan } from './dates.ts'
import { planSeries } from './plan-series.ts'
import { planSingles } from './plan-singles.ts'
import { planYear } from './plan-year.ts'
import type { PlannedEvent } from './planned-event.ts'
import { bankHolidaysIn } from './school-year.ts'

const SEED = 20_260_714

export function planDemo(today: Day): PlannedEvent[] {
  const span = spanAround(today)
  const holidays = bankHolidaysIn(span)
  const closed = new Set(holidays.map(({ day }) => day))
  const bookings = createBookings()
  const chance = createSeededRandom(SEED)
  return [
    ...planYear(span, holidays, bookings),
    ...planSeries(span, today, closed, bookings, chance),
    ...planSingles(span, closed, bookings, chance),
  ]
}

/** From a year back to a year ahead. */
export function spanAround(today: Day): DemoSpan {
  const { year, month, day } = dateFromDay(today)
  const inYear = (other: number): Day => dayFromDate(other, month, Math.min(day, daysInMonth(other, month)))
  return { first: inYear(year - 1), last: inYear(year + 1) }
}
