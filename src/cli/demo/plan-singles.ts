// Plans single demo events over the span: on a fitting weekday, in season, in a free room.
import { DAY_MS, type Day, dateFromDay, MINUTE_MS, weekdayOf } from '../../domain/time/instant.ts'
import { WEEKDAY_CODES } from '../../domain/time/weekdays.ts'
import type { Bookings } from './bookings.ts'
import { type Chance, shuffled } from './chance.ts'
import { type DemoSpan, wallAt } from './dates.ts'
import { allDay, demoFieldsOf, timed } from './fields.ts'
import type { PlannedEvent } from './planned-event.ts'
import { HIRES } from './private-table.ts'
import { SINGLE_STATUS, SINGLES } from './public-table.ts'

type SingleRow = (typeof SINGLES)[number]

export function planSingles(
  span: DemoSpan,
  closed: ReadonlySet<Day>,
  bookings: Bookings,
  chance: Chance,
): PlannedEvent[] {
  const byKind = [...Map.groupBy(SINGLES, ({ category }) => category).values(), HIRES]
  return byKind.flatMap((rows) =>
    shuffled(rows, chance).map((row, i) => {
      const wanted = Math.floor(span.first + ((i + chance()) / rows.length) * (span.last - span.first))
      return planSingle(row, findDay(row, span, wanted, closed, bookings), bookings)
    }),
  )
}

function planSingle(row: SingleRow, day: Day, bookings: Bookings): PlannedEvent {
  const { start, end, days } = extentOf(row, day)
  bookings.take(row.room, start, end)
  const place = days ? allDay(day, day + days - 1) : timed(start, Number(row.length))
  const status = SINGLE_STATUS[row.title] ?? 'confirmed'
  const visibility = HIRES.includes(row) ? 'private' : 'public'
  return { fields: { ...demoFieldsOf(row, visibility), status, ...place }, edits: [] }
}

/** The first fitting day from the wanted one on, wrapping around at the end of the span. */
function findDay(row: SingleRow, span: DemoSpan, wanted: Day, closed: ReadonlySet<Day>, bookings: Bookings): Day {
  const isInSeason = seasonOf(row.days)
  const length = span.last - span.first + 1
  for (let step = 0; step < length; step++) {
    const day = span.first + ((wanted - span.first + step) % length)
    const { start, end } = extentOf(row, day)
    if (isInSeason(day) && !closed.has(day) && bookings.isFree(row.room, start, end)) return day
  }
  throw new Error(`the demo finds no day for ${row.title}`)
}

function extentOf({ time, length }: SingleRow, day: Day): { start: number; end: number; days: number } {
  const days = length.endsWith('d') ? Number.parseInt(length, 10) : 0
  const start = wallAt(day, time || '00:00')
  return { start, end: start + (days ? days * DAY_MS : Number(length) * MINUTE_MS), days }
}

/** `SA SU 11-2`: weekdays, and the months from the first to the second, wrapping around the new year. */
function seasonOf(text: string): (day: Day) => boolean {
  const weekdays = text.split(' ').filter((word) => WEEKDAY_CODES.includes(word))
  const [from = 1, to = 12] = /\d+-\d+/.exec(text)?.[0].split('-').map(Number) ?? []
  return (day) => {
    const { month } = dateFromDay(day)
    const isInMonths = from <= to ? month >= from && month <= to : month >= from || month <= to
    return isInMonths && weekdays.includes(WEEKDAY_CODES[weekdayOf(day)]!)
  }
}
