// Calendar objects for tests: one with every feature a client would send, and helpers to read printed text.
import assert from 'node:assert/strict'
import type { Series } from '../../src/domain/calendar/event.ts'
import { decodeSeries, isDecodeProblem } from '../../src/ical/decode.ts'
import { encodeSeries } from '../../src/ical/encode.ts'
import { isParseProblem, parseCalendar } from '../../src/ical/text/parse.ts'
import { printCalendar } from '../../src/ical/text/print.ts'
import { type Component, isComponent } from '../../src/ical/text/tree.ts'

export const NOW = Date.UTC(2026, 6, 1, 12, 0, 0)

export const lines = (...texts: string[]): string => `${texts.join('\r\n')}\r\n`

/** A VCALENDAR around one VEVENT with these lines. */
export const calendar = (...eventLines: string[]): string =>
  lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Client//EN',
    'BEGIN:VEVENT',
    'UID:a@example.org',
    ...eventLines,
    'END:VEVENT',
    'END:VCALENDAR',
  )

export function parse(text: string): Component {
  const tree = parseCalendar(text)
  assert.ok(!isParseProblem(tree), JSON.stringify(tree))
  return tree
}

export function decode(text: string, zone = 'Europe/London'): Series {
  const series = decodeSeries(parse(text), zone)
  assert.ok(!isDecodeProblem(series), JSON.stringify(series))
  return series
}

export function problemOf(text: string): string {
  const series = decodeSeries(parse(text), 'Europe/London')
  assert.ok(isDecodeProblem(series), 'it was read')
  return series.problem
}

/** The text after an edit of a client's object. */
export function edited(text: string, change: (series: Series) => Series): string {
  return printCalendar(encodeSeries(change(decode(text)), NOW, { tree: parse(text), series: decode(text) }))
}

export const unfold = (text: string): string[] =>
  text
    .replace(/\r\n[ \t]/g, '')
    .split('\r\n')
    .filter(Boolean)

/** The unfolded lines of each VEVENT, sub-components among them. */
export function eventLines(text: string): string[][] {
  const events: string[][] = []
  let open: string[] | undefined
  for (const line of unfold(text)) {
    if (line === 'BEGIN:VEVENT') {
      open = []
      events.push(open)
    } else if (line === 'END:VEVENT') open = undefined
    else open?.push(line)
  }
  return events
}

export const named = (event: readonly string[], name: string): string[] =>
  event.filter((line) => line.startsWith(`${name}:`) || line.startsWith(`${name};`))

/** How many components of a name there are at any depth. */
export const countOf = (node: Component, name: string): number =>
  node.children.filter(isComponent).reduce((sum, child) => sum + countOf(child, name), node.name === name ? 1 : 0)

/** A VTIMEZONE with the rules of London under any name. */
export const londonDefinition = (tzid: string): string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:STANDARD',
  'DTSTART:19701025T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T010000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

/** A weekly series as a client with every feature sends it, one occurrence moved and one deleted. */
export const CLIENT_OBJECT = lines(
  'BEGIN:VCALENDAR',
  'PRODID:-//Example Corp.//Calendar 12.3//EN',
  'VERSION:2.0',
  'X-WR-CALNAME:Choir',
  ...londonDefinition('Europe/London'),
  'BEGIN:VEVENT',
  'UID:040000008200E00074C5B7101A82E008',
  'DTSTAMP:20260601T100000Z',
  'CREATED:20260501T100000Z',
  'SEQUENCE:4',
  'SUMMARY;LANGUAGE=en-GB:Town choir\\, all voices',
  'DESCRIPTION;ALTREP="cid:part1.0001@example.org":First line\\nSecond line',
  ' with a fold\\; and more',
  'LOCATION:Main hall',
  'CATEGORIES;LANGUAGE=en:Music,Evening',
  'CLASS:PUBLIC',
  'TRANSP:OPAQUE',
  'PRIORITY:5',
  'DTSTART;TZID=Europe/London:20260714T193000',
  'DTEND;TZID=Europe/London:20260714T210000',
  'RRULE:FREQ=WEEKLY;COUNT=8',
  'EXDATE;TZID=Europe/London:20260721T193000',
  'ORGANIZER;CN="Smith, Ann":mailto:ann@example.org',
  'ATTENDEE;CN="Bob: the \'bass\'";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE:m',
  ' ailto:bob@example.org',
  'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="1 High St, Town":geo:51.5,0.1',
  'X-EMPTY:',
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  'TRIGGER;RELATED=START:-PT15M',
  'DESCRIPTION:Soon',
  'X-ALARM-ID:7',
  'END:VALARM',
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:040000008200E00074C5B7101A82E008',
  'RECURRENCE-ID;TZID=Europe/London:20260728T193000',
  'DTSTAMP:20260601T100000Z',
  'SUMMARY:Concert',
  'CATEGORIES:Music,Evening',
  'LOCATION:Main hall',
  'DTSTART;TZID=Europe/London:20260729T180000',
  'DTEND;TZID=Europe/London:20260729T200000',
  'X-OVERRIDE-NOTE:bring the keys',
  'BEGIN:VALARM',
  'ACTION:AUDIO',
  'TRIGGER:-PT1H',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR',
)
