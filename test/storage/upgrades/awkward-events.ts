// Events for fixtures: series with exceptions, clock changes, unusual zones and dates, and private words to look for.
import { planted } from '../../support/privacy/planted-words.ts'

export interface AwkwardEvent {
  fields: { title: string; start: string; end: string; [field: string]: unknown }
  /** Changes of single occurrences, by key. */
  edits?: Record<string, Record<string, unknown>>
  removed?: string[]
  isDeleted?: boolean
}

const open = { visibility: 'public' }
const hidden = { visibility: 'private', category: planted('category'), location: planted('location') }

/** Nothing in them needs more than the first schema had. */
export const AWKWARD_EVENTS: readonly AwkwardEvent[] = [
  {
    fields: { ...open, title: 'Choir', start: '2026-03-01T01:30', end: '2026-03-01T02:30', rrule: 'FREQ=WEEKLY' },
    edits: {
      '20260705T013000': { title: 'Concert 🎶', location: 'Käsedorf, “Saal”; 2nd \\ floor' },
      '20260712T013000': { start: '2026-07-14T20:00', end: '2026-07-14T22:00' },
    },
    removed: ['20260719T013000'],
  },
  {
    fields: {
      ...hidden,
      title: planted('title'),
      description: `line\n${planted('description')}`,
      url: `https://example.org/${planted('url')}`,
      start: '2026-07-02T19:00',
      end: '2026-07-02T21:00',
      rrule: 'FREQ=WEEKLY;BYDAY=TH',
    },
    edits: {
      '20260709T190000': { title: planted('override'), location: planted('place') },
      '20260716T190000': { start: '2026-07-17T20:00', end: '2026-07-17T22:00' },
    },
    removed: ['20260723T190000'],
  },
  { fields: { ...hidden, title: planted('single'), start: '2026-07-20T10:00', end: '2026-07-20T10:00' } },
  { fields: { ...hidden, title: planted('days'), start: '2026-07-21', end: '2026-07-24', all_day: true } },
  {
    fields: { ...hidden, title: planted('cancelled'), start: '2026-07-25T10:00', end: '2026-07-25T11:00' },
    edits: {},
    isDeleted: true,
  },
  { fields: { ...open, title: 'Deleted', start: '2026-07-25T10:00', end: '2026-07-25T11:00' }, isDeleted: true },
  {
    fields: { ...open, title: 'Leap day', start: '2024-02-29', end: '2024-03-01', all_day: true, rrule: 'FREQ=YEARLY' },
  },
  {
    fields: {
      ...open,
      title: 'Kathmandu',
      start: '2026-07-06T23:45',
      end: '2026-07-07T00:15',
      timezone: 'Asia/Kathmandu',
      rrule: 'FREQ=DAILY;COUNT=40',
    },
    removed: ['20260708T234500'],
  },
  {
    fields: {
      ...open,
      title: 'Last Friday',
      start: '2026-01-30T17:00',
      end: '2026-01-30T18:00',
      rrule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;UNTIL=20271231T170000Z',
      rdates: ['20260704T120000'],
    },
  },
  {
    fields: { ...open, title: 'Nobody comes', start: '2026-07-08T09:00', end: '2026-07-08T10:00', status: 'cancelled' },
  },
  {
    fields: {
      ...open,
      title: 'Exhibition',
      start: '2026-01-01',
      end: '2026-12-31',
      all_day: true,
      transparency: 'transparent',
      status: 'tentative',
    },
  },
  { fields: { ...open, title: 'In the gap', start: '2026-03-29T00:30', end: '2026-03-29T02:30' } },
  { fields: { ...open, title: 'Founding', start: '1901-05-01T10:00', end: '1901-05-01T11:00' } },
  { fields: { ...open, title: 'Time capsule', start: '2199-05-01T10:00', end: '2199-05-01T11:00' } },
]

/** Objects as programs send them, by name; from the fourth schema on. */
export const SENT_OBJECTS: Record<string, string> = {
  'series ö.ics': inCalendar(
    [
      'UID:series-ö@example.org',
      'DTSTAMP:20260701T000000Z',
      'DTSTART;TZID=Europe/London:20260701T080000',
      'DTEND;TZID=Europe/London:20260701T090000',
      'RRULE:FREQ=WEEKLY;BYDAY=WE',
      'SUMMARY;LANGUAGE=en:Breakfast\\, with “quotes” and a line that is long enough to',
      '  be folded',
      'CLASS:PUBLIC',
      'X-UNKNOWN;X-P="a;b":kept as it was',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `DESCRIPTION:${planted('alarm')}`,
      'TRIGGER:-PT15M',
      'END:VALARM',
    ],
    [
      'UID:series-ö@example.org',
      'DTSTAMP:20260701T000000Z',
      'RECURRENCE-ID;TZID=Europe/London:20260708T080000',
      'DTSTART;TZID=Europe/London:20260708T083000',
      'DTEND;TZID=Europe/London:20260708T093000',
      `SUMMARY:${planted('private')}`,
      'CLASS:PRIVATE',
    ],
  ),
  'confidential.ics': inCalendar([
    'UID:confidential@example.org',
    'DTSTAMP:20260701T000000Z',
    'DTSTART:20260714T090000Z',
    'DURATION:PT1H',
    `SUMMARY:${planted('summary')}`,
    `ATTENDEE;CN="${planted('guest')}":mailto:${planted('mail')}@example.org`,
    'CLASS:CONFIDENTIAL',
  ]),
}

function inCalendar(...events: string[][]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT'])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}
