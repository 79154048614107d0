// Plans bank holidays, school terms and seasonal events of the demo.
import { DAY_MS, MINUTE_MS } from '../../domain/time/instant.ts'
import type { Bookings } from './bookings.ts'
import { type DemoSpan, daysOn, isInside, wallAt, yearsOf } from './dates.ts'
import { allDay, demoFieldsOf, timed } from './fields.ts'
import type { PlannedEvent } from './planned-event.ts'
import { type Holiday, halfTermsOf } from './school-year.ts'
import { SEASONAL } from './yearly-table.ts'

export function planYear(span: DemoSpan, holidays: readonly Holiday[], bookings: Bookings): PlannedEvent[] {
  return [...planClosures(holidays), ...planTerms(span), ...planSeasonal(span, bookings)]
}

const planClosures = (holidays: readonly Holiday[]): PlannedEvent[] =>
  holidays.map(({ title, day }) => ({
    fields: {
      title: `Closed: ${title}`,
      category: 'Closures',
      description: 'The centre is closed all day.',
      visibility: 'public',
      ...allDay(day, day),
    },
    edits: [],
  }))

/** Terms do not make anyone busy, so they are transparent. */
function planTerms(span: DemoSpan): PlannedEvent[] {
  const years = yearsOf({ first: span.first - 366, last: span.last })
  const terms = years.flatMap(halfTermsOf).filter(({ first }) => isInside(span, first))
  return terms.map(({ title, first, last }) => ({
    fields: {
      title: `School: ${title}`,
      category: 'School',
      visibility: 'public',
      transparency: 'transparent',
      url: 'https://example.org/school/terms',
      ...allDay(first, last),
    },
    edits: [],
  }))
}

function planSeasonal(span: DemoSpan, bookings: Bookings): PlannedEvent[] {
  return SEASONAL.flatMap((row) =>
    daysOn(span, row.on).map((day) => {
      const start = wallAt(day, row.time || '00:00')
      const length = row.days ? Number(row.days) * DAY_MS : Number(row.minutes) * MINUTE_MS
      bookings.take(row.room, start, start + length)
      const place = row.days ? allDay(day, day + Number(row.days) - 1) : timed(start, Number(row.minutes))
      return { fields: { ...demoFieldsOf(row, 'public'), ...place }, edits: [] }
    }),
  )
}
