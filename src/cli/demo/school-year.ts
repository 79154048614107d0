// Computes school years and bank holidays for any year, for the demo.
import { type Day, dateFromDay, dayFromDate, weekdayOf } from '../../domain/time/instant.ts'
import { type DemoSpan, dayOn, easterOf, isInside, mondayOf, yearsOf } from './dates.ts'

export interface HalfTerm {
  title: string
  first: Day
  last: Day
}

/** The six half-terms of the school year that begins in `year`. */
export function halfTermsOf(year: number): HalfTerm[] {
  const start = dayOn(year, '9 1WE')
  const october = mondayOf(dayFromDate(year, 10, 28))
  const christmas = mondayOf(dayFromDate(year, 12, 22)) - 3
  const january = mondayOf(dayFromDate(year + 1, 1, 6))
  const february = mondayOf(dayFromDate(year + 1, 2, 16))
  const easter = easterOf(year + 1)
  const may = dayOn(year + 1, '5 -1MO')
  const july = mondayOf(dayFromDate(year + 1, 7, 21)) + 2
  return [
    { title: 'Autumn term, first half', first: start, last: october - 3 },
    { title: 'Autumn term, second half', first: october + 7, last: christmas },
    { title: 'Spring term, first half', first: january, last: february - 3 },
    { title: 'Spring term, second half', first: february + 7, last: easter - 3 },
    { title: 'Summer term, first half', first: easter + 16, last: may - 3 },
    { title: 'Summer term, second half', first: may + 7, last: july },
  ]
}

/** The two school years around a day, by the year they begin in: from April on, the coming one counts. */
export function schoolYearsAround(day: Day): [number, number] {
  const { year, month } = dateFromDay(day)
  return month >= 4 ? [year - 1, year] : [year - 2, year - 1]
}

export interface Holiday {
  title: string
  day: Day
}

const BANK_HOLIDAYS = [
  ['New Year’s Day', '1/1'],
  ['Good Friday', 'easter-2'],
  ['Easter Monday', 'easter+1'],
  ['Early May bank holiday', '5 1MO'],
  ['Spring bank holiday', '5 -1MO'],
  ['Summer bank holiday', '8 -1MO'],
  ['Christmas Day', '12/25'],
  ['Boxing Day', '12/26'],
] as const

/** Bank holidays in the span; one on a weekend adds the next free weekday. */
export function bankHolidaysIn(span: DemoSpan): Holiday[] {
  return yearsOf(span).flatMap((year) => {
    const days = BANK_HOLIDAYS.map(([title, on]) => ({ title: title as string, day: dayOn(year, on) }))
    const taken = new Set(days.map(({ day }) => day))
    const substitutes = days.flatMap(({ title, day }) => {
      if (weekdayOf(day) < 5) return []
      let next = day
      while (weekdayOf(next) >= 5 || taken.has(next)) next += 1
      taken.add(next)
      return [{ title: `${title} (substitute day)`, day: next }]
    })
    return [...days, ...substitutes].filter(({ day }) => isInside(span, day))
  })
}
