// Events as calendar clients send them, for tests.
import { lines } from '../../ical/objects.ts'

export const MAIN = '/caldav/calendars/main/'

/** One event on 14 July 2026, 09:00 UTC; `more` are lines of its VEVENT, which replace usual lines of the same name. */
export const eventText = (uid: string, ...more: readonly string[]): string => {
  const nameOf = (line: string): string => line.split(/[:;]/)[0]!
  const usual = ['DTSTAMP:20260701T000000Z', 'DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z', 'SUMMARY:Meeting']
  const own = usual.filter((line) => !more.some((other) => nameOf(other) === nameOf(line)))
  return lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//Program//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    ...own,
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
  )
}

/** Two hours in the evening of 14 July 2026, in London time. */
export const rehearsal = (uid: string, more: readonly string[] = []): string =>
  eventText(
    uid,
    'DTSTART;TZID=Europe/London:20260714T190000',
    'DTEND;TZID=Europe/London:20260714T210000',
    'SUMMARY:Rehearsal',
    ...more,
  )
