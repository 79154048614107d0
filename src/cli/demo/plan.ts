// The demo as a plan: every event of the town for the two years around a day, the same for the same day.
import type { EventFields, OccurrenceFieldsPatch } from '../../domain/calendar/fields.ts'
import { type Day, dateFromDay, dayFromDate, daysInMonth } from '../../domain/time/instant.ts'
import { makeBookings } from './bookings.ts'
import { makeChance } from './chance.ts'
import type { DemoSpan } from './dates.ts'
import { planSeries } from './plan-series.ts'
import { planSingles } from './plan-singles.ts'
import { planYear } from './plan-year.ts'
import { bankHolidaysIn } from './school-year.ts'

/** One occurrence to be edited once the series exists; `nth` counts those that begin after today, from 1. */
export interface PlannedEdit {
  nth: number
  /** Days to move it by, and the time it then begins; absent, it stays where it is. */
  move?: { days: number; time: string | undefined }
  words: OccurrenceFieldsPatch
}

export interface PlannedEvent {
  fields: EventFields
  edits: PlannedEdit[]
}

const SEED = 20_260_714

export function planDemo(today: Day): PlannedEvent[] {
  const span = spanAround(today)
  const holidays = bankHolidaysIn(span)
  const closed = new Set(holidays.map(({ day }) => day))
  const bookings = makeBookings()
  const chance = makeChance(SEED)
  return [
    ...planYear(span, holidays, bookings),
    ...planSeries(span, today, closed, bookings, chance),
    ...planSingles(span, closed, bookings, chance),
  ]
}

/** A year back to a year ahead. */
export function spanAround(today: Day): DemoSpan {
  const { year, month, day } = dateFromDay(today)
  const inYear = (other: number): Day => dayFromDate(other, month, Math.min(day, daysInMonth(other, month)))
  return { first: inYear(year - 1), last: inYear(year + 1) }
}
