// Dates and times in the language in use.
import type { WhatsOn } from '../../src/contract/calendar-link.ts'
import type { Day } from '../../src/domain/time/instant.ts'
import type { View } from '../../src/domain/time/window.ts'
import * as periods from '../../src/words/calendar-times.ts'
import * as formats from '../../src/words/format-times.ts'
import * as words from '../strings.ts'

export const dateFormat = (zone: string, options: Intl.DateTimeFormatOptions): formats.DateFormat =>
  formats.dateFormat(words.times, zone, options)

export const formatLongDay = (day: Day): string => formats.formatLongDay(day, words.times)

export const formatTimes = (item: formats.PresentedTimes, zone: string): string =>
  formats.formatTimes(item, zone, words.times)

export const formatShortDay = (day: Day): string => periods.formatShortDay(day, words.times)

/** `July`; months are numbers from 0. */
export const formatMonth = (year: number, month: number): string =>
  dateFormat('UTC', { month: 'long' }).format(Date.UTC(year, month))

export const formatPeriod = (view: View, day: Day, weekStart: number): string =>
  periods.formatPeriod(view, day, weekStart, words.times)

export const formatWhatsOn = (choice: WhatsOn, today: Day): string =>
  periods.formatWhatsOn(choice, today, words.calendar, words.times)

export const formatClocks = (item: formats.PresentedTimes, isShort: boolean): string =>
  periods.formatClocks(item, isShort, words.times)

export const formatEnd = (item: formats.PresentedTimes): string => periods.formatEnd(item, words.calendar, words.times)

export const formatClock = (clock: string): string => formats.formatClock(clock, words.times)
