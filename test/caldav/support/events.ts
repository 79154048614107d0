// Events as calendar clients send them, for tests.
import { lines } from '../../ical/objects.ts'
import type { Json } from '../../support/http/api-response.ts'
import { type Dav, DECLARED } from '../../support/http/dav.ts'
import type { Client } from '../../support/world.ts'

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

/** An hour and 37 minutes ahead of UTC, as no zone is. */
export const ODD = [
  'BEGIN:VTIMEZONE',
  'TZID:Own',
  ...['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0137', 'TZOFFSETTO:+0137', 'END:STANDARD'],
  'END:VTIMEZONE',
]

/** The object with this VTIMEZONE before its first VEVENT. */
export const inOwnZone = (text: string, zone: readonly string[] = ODD): string =>
  text.replace('BEGIN:VEVENT', [...zone, 'BEGIN:VEVENT'].join('\r\n'))

/** Two hours in the evening of 14 July 2026, in London time. */
export const rehearsal = (uid: string, more: readonly string[] = []): string =>
  eventText(
    uid,
    'DTSTART;TZID=Europe/London:20260714T190000',
    'DTEND;TZID=Europe/London:20260714T210000',
    'SUMMARY:Rehearsal',
    ...more,
  )

/** Starts and titles that JSON lists in July 2026. */
export const listJuly = async (client: Client): Promise<string[]> => {
  const { body } = await client.get('/events?from=2026-07-01&to=2026-07-31&timezone=UTC')
  return body.data.map(({ title, start }: Json) => `${start.slice(8, 16)} ${title}`)
}

/** Calendar data of one object by multiget; `inside` is the content of CALDAV:calendar-data. */
export const dataOfObject = async (dav: Dav, name: string, inside: string): Promise<string> => {
  const body = `<D:prop><C:calendar-data>${inside}</C:calendar-data></D:prop><D:href>${MAIN}${name}</D:href>`
  const { found } = await dav.report(MAIN, `<C:calendar-multiget ${DECLARED}>${body}</C:calendar-multiget>`)
  return found[0]!.props['C:calendar-data']!.text
}
