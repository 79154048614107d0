// Dates, times and rules in the language in use.
import type { Day } from '../../src/domain/time/instant.ts'
import * as formats from '../../src/words/format-times.ts'
import * as rules from '../../src/words/rule-in-words.ts'
import * as words from '../strings.ts'

export const dateFormat = (zone: string, options: Intl.DateTimeFormatOptions): formats.DateFormat =>
  formats.dateFormat(words.times, zone, options)

export const formatLongDay = (day: Day): string => formats.formatLongDay(day, words.times)

export const formatTimes = (item: formats.PresentedTimes, zone: string): string =>
  formats.formatTimes(item, zone, words.times)

export const ruleInWords = (rrule: string, zone?: string): string => rules.ruleInWords(rrule, words.rule, zone)

/** A time of day as the API writes it, `19:30`, in the clock of the language. */
export const formatClock = (clock: string): string =>
  dateFormat('UTC', words.times.clock).format(Date.parse(`1970-01-01T${clock}:00Z`))
