// The calendar of RFC 4791 appendix B, and the requests of §7.8 and §7.10 that are made of it.
import { lines } from '../../ical/objects.ts'

const EASTERN = [
  'BEGIN:VTIMEZONE',
  'LAST-MODIFIED:20040110T032845Z',
  'TZID:US/Eastern',
  'BEGIN:DAYLIGHT',
  'DTSTART:20000404T020000',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4',
  'TZNAME:EDT',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:20001026T020000',
  'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
  'TZNAME:EST',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'END:STANDARD',
  'END:VTIMEZONE',
]

const UID_2 = 'UID:00959BC664CA650E933C892C@example.com'

export const calendarOf = (...inside: string[]): string =>
  lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example Corp.//CalDAV Client//EN', ...inside, 'END:VCALENDAR')

const of = (name: string, ...inside: string[]): string[] => [`BEGIN:${name}`, ...inside, `END:${name}`]

const editOf2 = (day: string, title: string): string[] =>
  of(
    'VEVENT',
    'DTSTAMP:20060206T001121Z',
    `DTSTART;TZID=US/Eastern:${day}T140000`,
    'DURATION:PT1H',
    `RECURRENCE-ID;TZID=US/Eastern:${day}T120000`,
    `SUMMARY:${title}`,
    UID_2,
  )

const SERIES_2 = of(
  'VEVENT',
  'DTSTAMP:20060206T001121Z',
  'DTSTART;TZID=US/Eastern:20060102T120000',
  'DURATION:PT1H',
  'RRULE:FREQ=DAILY;COUNT=5',
  'SUMMARY:Event #2',
  UID_2,
)

const todo = (...inside: string[]): string => calendarOf(...of('VTODO', ...inside))

/** Three events, four tasks and a stored free/busy time, by the last part of their address. */
export const APPENDIX_B: Readonly<Record<string, string>> = {
  'abcd1.ics': calendarOf(
    ...EASTERN,
    ...of(
      'VEVENT',
      'DTSTAMP:20060206T001102Z',
      'DTSTART;TZID=US/Eastern:20060102T100000',
      'DURATION:PT1H',
      'SUMMARY:Event #1',
      'DESCRIPTION:Go Steelers!',
      'UID:74855313FA803DA593CD579A@example.com',
    ),
  ),
  'abcd2.ics': calendarOf(
    ...EASTERN,
    ...SERIES_2,
    ...editOf2('20060104', 'Event #2 bis'),
    ...editOf2('20060106', 'Event #2 bis bis'),
  ),
  'abcd3.ics': calendarOf(
    ...EASTERN,
    ...of(
      'VEVENT',
      'ATTENDEE;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:cyrus@example.com',
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:lisa@example.com',
      'DTSTAMP:20060206T001220Z',
      'DTSTART;TZID=US/Eastern:20060104T100000',
      'DURATION:PT1H',
      'LAST-MODIFIED:20060206T001330Z',
      'ORGANIZER:mailto:cyrus@example.com',
      'SEQUENCE:1',
      'STATUS:TENTATIVE',
      'SUMMARY:Event #3',
      'UID:DC6C50A017428C5216A2F1CD@example.com',
      'X-ABC-GUID:E1CX5Dr-0007ym-Hz@example.com',
    ),
  ),
  'abcd4.ics': todo('DTSTAMP:20060205T235335Z', 'DUE;VALUE=DATE:20060104', 'STATUS:NEEDS-ACTION', 'SUMMARY:Task #1'),
  'abcd5.ics': todo(
    'DTSTAMP:20060205T235300Z',
    'DUE;VALUE=DATE:20060106',
    'STATUS:NEEDS-ACTION',
    'SUMMARY:Task #2',
    ...of('VALARM', 'ACTION:AUDIO', 'TRIGGER;RELATED=START:-PT10M'),
  ),
  'abcd6.ics': todo('COMPLETED:20051223T122322Z', 'DUE;VALUE=DATE:20051225', 'STATUS:COMPLETED', 'SUMMARY:Task #3'),
  'abcd7.ics': todo('DTSTAMP:20060205T235600Z', 'DUE;VALUE=DATE:20060101', 'STATUS:CANCELLED', 'SUMMARY:Task #4'),
  'abcd8.ics': calendarOf(
    ...of(
      'VFREEBUSY',
      'DTSTART:20060101T000000Z',
      'DTEND:20060108T000000Z',
      'FREEBUSY:20060102T150000Z/20060102T170000Z',
    ),
  ),
}

/** The responses of the examples where they are not the object as stored. */
export const ANSWERS = {
  '7.8.1 abcd2.ics': lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...EASTERN,
    ...[SERIES_2, editOf2('20060104', 'Event #2 bis'), editOf2('20060106', 'Event #2 bis bis')]
      .flat()
      .filter((line) => !line.startsWith('DTSTAMP')),
    'END:VCALENDAR',
  ),
  // The RFC prints PRODID here, which its request does not ask for.
  '7.8.1 abcd3.ics': lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...EASTERN,
    'BEGIN:VEVENT',
    'DTSTART;TZID=US/Eastern:20060104T100000',
    'DURATION:PT1H',
    'SUMMARY:Event #3',
    'UID:DC6C50A017428C5216A2F1CD@example.com',
    'END:VEVENT',
    'END:VCALENDAR',
  ),
  '7.8.2 abcd2.ics': calendarOf(...EASTERN, ...SERIES_2, ...editOf2('20060104', 'Event #2 bis')),
  '7.8.3 abcd2.ics': calendarOf(
    ...of(
      'VEVENT',
      'DTSTAMP:20060206T001121Z',
      'DTSTART:20060103T170000Z',
      'DURATION:PT1H',
      'RECURRENCE-ID:20060103T170000Z',
      'SUMMARY:Event #2',
      UID_2,
    ),
    ...of(
      'VEVENT',
      'DTSTAMP:20060206T001121Z',
      'DTSTART:20060104T190000Z',
      'DURATION:PT1H',
      'RECURRENCE-ID:20060104T170000Z',
      'SUMMARY:Event #2 bis',
      UID_2,
    ),
  ),
  '7.8.3 abcd3.ics': calendarOf(
    ...of(
      'VEVENT',
      'ATTENDEE;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:cyrus@example.com',
      'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:lisa@example.com',
      'DTSTAMP:20060206T001220Z',
      'DTSTART:20060104T150000Z',
      'DURATION:PT1H',
      'LAST-MODIFIED:20060206T001330Z',
      'ORGANIZER:mailto:cyrus@example.com',
      'SEQUENCE:1',
      'STATUS:TENTATIVE',
      'SUMMARY:Event #3',
      'UID:DC6C50A017428C5216A2F1CD@example.com',
      'X-ABC-GUID:E1CX5Dr-0007ym-Hz@example.com',
    ),
  ),
} as const

const query = (data: string, filter: string): string => `<?xml version="1.0" encoding="utf-8" ?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
  <D:prop>
    <D:getetag/>
    <C:calendar-data>${data}</C:calendar-data>
  </D:prop>
  <C:filter>
    <C:comp-filter name="VCALENDAR">
      ${filter}
    </C:comp-filter>
  </C:filter>
</C:calendar-query>`

const COMP_7_8_1 = `
      <C:comp name="VCALENDAR">
        <C:prop name="VERSION"/>
        <C:comp name="VEVENT">
          <C:prop name="SUMMARY"/>
          <C:prop name="UID"/>
          <C:prop name="DTSTART"/>
          <C:prop name="DTEND"/>
          <C:prop name="DURATION"/>
          <C:prop name="RRULE"/>
          <C:prop name="RDATE"/>
          <C:prop name="EXRULE"/>
          <C:prop name="EXDATE"/>
          <C:prop name="RECURRENCE-ID"/>
        </C:comp>
        <C:comp name="VTIMEZONE"/>
      </C:comp>`

const eventsBetween = (start: string, end: string): string =>
  `<C:comp-filter name="VEVENT"><C:time-range start="${start}" end="${end}"/></C:comp-filter>`

const TWO_DAYS = 'start="20060103T000000Z" end="20060105T000000Z"'
const INTO_TWO_DAYS = eventsBetween('20060103T000000Z', '20060105T000000Z')

/** By section. */
export const REQUESTS = {
  '7.8.1': query(COMP_7_8_1, eventsBetween('20060104T000000Z', '20060105T000000Z')),
  '7.8.2': query(`<C:limit-recurrence-set ${TWO_DAYS}/>`, INTO_TWO_DAYS),
  '7.8.3': query(`<C:expand ${TWO_DAYS}/>`, INTO_TWO_DAYS),
  '7.8.4': query(
    '<C:limit-freebusy-set start="20060102T000000Z" end="20060103T000000Z"/>',
    `<C:comp-filter name="VFREEBUSY">
      <C:time-range start="20060102T000000Z" end="20060103T000000Z"/>
    </C:comp-filter>`,
  ),
  '7.8.5': query(
    '',
    `<C:comp-filter name="VTODO">
      <C:comp-filter name="VALARM">
        <C:time-range start="20060106T100000Z" end="20060107T100000Z"/>
      </C:comp-filter>
    </C:comp-filter>`,
  ),
  '7.8.6': query(
    '',
    `<C:comp-filter name="VEVENT">
      <C:prop-filter name="UID">
        <C:text-match collation="i;octet"
        >DC6C50A017428C5216A2F1CD@example.com</C:text-match>
      </C:prop-filter>
    </C:comp-filter>`,
  ),
  '7.8.7': query(
    '',
    `<C:comp-filter name="VEVENT">
      <C:prop-filter name="ATTENDEE">
        <C:text-match collation="i;ascii-casemap">mailto:lisa@example.com</C:text-match>
        <C:param-filter name="PARTSTAT">
          <C:text-match collation="i;ascii-casemap">NEEDS-ACTION</C:text-match>
        </C:param-filter>
      </C:prop-filter>
    </C:comp-filter>`,
  ),
  '7.8.8': query('', '<C:comp-filter name="VEVENT"/>'),
  '7.8.9': query(
    '',
    `<C:comp-filter name="VTODO">
      <C:prop-filter name="COMPLETED"><C:is-not-defined/></C:prop-filter>
      <C:prop-filter name="STATUS"><C:text-match negate-condition="yes">CANCELLED</C:text-match></C:prop-filter>
    </C:comp-filter>`,
  ),
  '7.8.10': query(
    '',
    `<C:comp-filter name="VEVENT">
      <C:prop-filter name="X-ABC-GUID"><C:text-match>ABC</C:text-match></C:prop-filter>
    </C:comp-filter>`,
  ),
  '7.10.1': `<?xml version="1.0" encoding="utf-8" ?>
<C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav">
  <C:time-range start="20060104T140000Z" end="20060105T220000Z"/>
</C:free-busy-query>`,
} as const
