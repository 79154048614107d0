// Events at the limits of what is accepted, one kind of excess each: lines, parameters, edits, dates, zones, alarms.
import { lines, londonDefinition } from '../ical/objects.ts'

export interface ExtremeEvent {
  /** Lines of its VEVENT. */
  main: readonly string[]
  /** Lines of the calendar before the event. */
  calendar?: readonly string[]
  /** Further VEVENTs, each without BEGIN, END and UID. */
  edits?: readonly (readonly string[])[]
}

export const EXTREME_EVENTS: Readonly<Record<string, () => ExtremeEvent>> = {
  'lines in zones that do not exist': () => ({
    main: [...IN_UTC, ...many(22_000, (i) => [`X;TZID=Odd${i}:20260101T000000`])],
  }),
  'many parameters': () => ({
    main: [...IN_UTC, ...many(500, () => [`X-P${many(300, (i) => [`;A${i}=b`]).join('')}:1`])],
  }),
  'lines in all zones': () => ({
    main: [...IN_LONDON, ...Intl.supportedValuesOf('timeZone').map((zone) => `X;TZID=${zone}:20260101T000000`)],
  }),
  'edited occurrences': () => ({
    main: [...IN_LONDON, 'RRULE:FREQ=DAILY'],
    edits: Array.from({ length: 1_999 }, (_, i) => [...editOf(i + 1), `SUMMARY:Edit ${i}`, 'DESCRIPTION:Words']),
  }),
  'long lines': () => ({ main: [...IN_UTC, ...many(3, () => [`X-LONG:${'ΐ'.repeat(170_000)}`])] }),
  'long parameters': () => ({ main: [...IN_UTC, ...many(3, () => [`X-LONG;P="${'ΐ'.repeat(170_000)}":1`])] }),
  'a long description': () => ({ main: [...IN_UTC, `DESCRIPTION:${'\\,a '.repeat(2_400)}`] }),
  'many descriptions': () => ({ main: [...IN_UTC, ...many(20_000, () => ['DESCRIPTION:abc def ghi'])] }),
  'many categories': () => ({ main: [...IN_UTC, ...many(4_000, (i) => [`CATEGORIES:a${i},b${i},c${i}`])] }),
  'many guests': () => ({
    main: [...IN_UTC, ...many(9_000, (i) => [`ATTENDEE;CN="Guest ${i}";PARTSTAT=ACCEPTED:mailto:p${i}@example.org`])],
  }),
  'many alarms': () => ({
    main: [
      ...IN_LONDON,
      'RRULE:FREQ=DAILY',
      ...many(8_000, (i) => [
        'BEGIN:VALARM',
        'ACTION:AUDIO',
        `TRIGGER:-PT${i}M`,
        'REPEAT:9',
        'DURATION:PT1M',
        'END:VALARM',
      ]),
    ],
  }),
  'excluded dates': () => ({
    main: [
      ...IN_LONDON,
      'RRULE:FREQ=DAILY',
      ...many(9_000, (i) => [`EXDATE;TZID=Europe/London:${dateOf(i + 1)}T193000`]),
    ],
  }),
  'extra dates': () => ({
    main: [...IN_LONDON, ...many(9_000, (i) => [`RDATE;TZID=Europe/London:${dateOf(2 * i + 1)}T193000`])],
  }),
  'extra dates beside a rule with many positions': () => ({
    main: [
      ...IN_LONDON,
      `RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4;BYSETPOS=${many(120, (i) => [`${i + 1}`]).join()}`,
      ...many(9_000, (i) => [`RDATE;TZID=Europe/London:${dateOf(7 * i + 1)}T193000`]),
    ],
  }),
  'extra dates with lengths': () => ({
    main: [
      ...IN_LONDON,
      ...many(1_900, (i) => [`RDATE;VALUE=PERIOD;TZID=Europe/London:${dateOf(2 * i + 1)}T193000/PT${(i % 50) + 1}M`]),
    ],
  }),
  'a few long edits': () => ({
    main: [...IN_LONDON, 'RRULE:FREQ=DAILY'],
    edits: Array.from({ length: 4 }, (_, i) => [
      ...editOf(i + 1),
      ...many(6_000, (line) => [`X;TZID=Odd${line}:20260101T000000`]),
    ]),
  }),
  'a rule for every seven minutes': () => ({ main: [...IN_LONDON, 'RRULE:FREQ=MINUTELY;INTERVAL=7'] }),
  'a rule that seldom matches': () => ({
    main: [...IN_LONDON, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=100'],
  }),
  'a start that is not on its rule, and many lines': () => ({
    main: [
      'DTSTART:20260715T090000Z',
      'DTEND:20260715T100000Z',
      'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=5',
      ...many(40_000, (i) => [`X-A;B=c;D=e:${i}`]),
    ],
  }),
  'lines of the calendar': () => ({ main: IN_UTC, calendar: many(22_000, (i) => [`X-CAL-${i}:value of it`]) }),
  'definitions of zones': () => ({
    main: ['DTSTART;TZID=Zone0:20260714T193000', 'DURATION:PT1H'],
    calendar: many(800, (i) => londonDefinition(`Zone${i}`)),
  }),
}

export const printExtreme = (uid: string, { main, calendar = [], edits = [] }: ExtremeEvent, own: string[]): string =>
  lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//Program//EN',
    ...calendar,
    ...eventLines(uid, [...own, ...main]),
    ...edits.flatMap((edit) => eventLines(uid, edit)),
    'END:VCALENDAR',
  )

const eventLines = (uid: string, inside: readonly string[]): string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20260701T000000Z',
  ...inside,
  'END:VEVENT',
]

const IN_UTC = ['DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z']
const IN_LONDON = ['DTSTART;TZID=Europe/London:20260714T193000', 'DTEND;TZID=Europe/London:20260714T203000']

const many = (count: number, make: (index: number) => string[]): string[] =>
  Array.from({ length: count }, (_, i) => make(i)).flat()

/** So many days after 14 July 2026. */
const dateOf = (days: number): string =>
  new Date(Date.UTC(2026, 6, 14 + days)).toISOString().slice(0, 10).replaceAll('-', '')

const editOf = (days: number): string[] => [
  `RECURRENCE-ID;TZID=Europe/London:${dateOf(days)}T193000`,
  `DTSTART;TZID=Europe/London:${dateOf(days)}T203000`,
  `DTEND;TZID=Europe/London:${dateOf(days)}T213000`,
]
