// Formats timestamps in the browser’s own time zone.
import * as words from '../../strings.ts'

/** Includes the time of day. */
export const formatDateTime = (moment: string): string => format(moment, { dateStyle: 'medium', timeStyle: 'short' })

export const formatDateOnly = (moment: string): string => format(moment, { dateStyle: 'medium' })

const format = (moment: string, how: Intl.DateTimeFormatOptions): string =>
  words.times.day(new Intl.DateTimeFormat(words.times.locale, how).format(new Date(moment)))
