// Finds the calendar day of a moment in a zone.
import { type Day, dayFromDate } from '../../src/domain/time/instant.ts'
import { plainFormat } from '../../src/words/format-times.ts'

const DAY_NUMBERS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const

/** In digits that programs read, whatever the language. */
const numbersIn = (zone: string): Intl.DateTimeFormat => plainFormat('en-GB', zone, DAY_NUMBERS)

/** The calendar day in that zone at that time. */
export function dayIn(zone: string, at: number): Day {
  const parts = numbersIn(zone).formatToParts(at)
  const number = (type: string): number => Number(parts.find((part) => part.type === type)!.value)
  return dayFromDate(number('year'), number('month'), number('day'))
}
