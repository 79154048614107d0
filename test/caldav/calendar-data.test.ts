// calendar-data: the whole text byte for byte, selected parts, expanded instances, or a limited recurrence set.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDataRequest, WHOLE } from '../../src/caldav/calendar-data/parse.ts'
import { isWholeAsked, selectPieces } from '../../src/caldav/calendar-data/select.ts'
import { parseXml } from '../../src/caldav/xml/parse.ts'
import { CLIENT_OBJECT, calendar, eventLines, lines, named, unfold } from '../ical/objects.ts'
import { dataOf, rangeXml, read, refusal } from './support/asked.ts'

const expand = (range: string, text: string, zone?: string): string => dataOf(rangeXml(range, 'expand'), text, '', zone)
const limit = (range: string, text: string): string => dataOf(rangeXml(range, 'limit-recurrence-set'), text)
const comp = (name: string, inside = ''): string => `<C:comp name="${name}">${inside}</C:comp>`

/** One line of the names per VEVENT. */
const timesIn = (text: string): string[] =>
  eventLines(text).map((event) =>
    ['RECURRENCE-ID', 'DTSTART', 'DTEND', 'DURATION'].flatMap((name) => named(event, name)).join(' '),
  )

test('without a selection the text is returned as it was sent', () => {
  const odd = CLIENT_OBJECT.replaceAll('\r\n', '\n').replace('VERSION:2.0', 'version:2.0')
  for (const text of [CLIENT_OBJECT, odd]) {
    assert.equal(dataOf('', text), text)
    assert.equal(dataOf(comp('VCALENDAR'), text), text)
    assert.equal(dataOf(rangeXml('20260101T000000Z/20270101T000000Z', 'limit-freebusy-set'), text), text)
    assert.equal(dataOf('', text, 'content-type="Text/Calendar; charset=utf-8" version="2.0"'), text)
  }
  assert.ok(isWholeAsked(WHOLE))
  assert.ok(isWholeAsked(parseDataRequest(parseXml('<C:calendar-data xmlns:C="urn:ietf:params:xml:ns:caldav"/>'))))
})

test('formats other than iCalendar 2.0 are refused', () => {
  for (const attributes of ['content-type="application/calendar+json"', 'version="1.0"', 'content-type=""'])
    assert.equal(
      refusal(() => dataOf('', CLIENT_OBJECT, attributes)),
      'data_type_unsupported',
    )
})

test('malformed requests are refused', () => {
  const range = rangeXml('20260101T000000Z/20270101T000000Z', 'expand')
  for (const inside of [
    '<C:expand/>',
    rangeXml('20260101T000000Z/', 'expand'),
    rangeXml('/20260101T000000Z', 'limit-recurrence-set'),
    rangeXml('20270101T000000Z/20260101T000000Z', 'expand'),
    rangeXml('20260101T000000/20270101T000000', 'limit-freebusy-set'),
    range + rangeXml('20260101T000000Z/20270101T000000Z', 'limit-recurrence-set'),
    '<C:comp/>',
    comp('VCALENDAR', '<C:prop/>'),
  ])
    assert.equal(
      refusal(() => dataOf(inside, CLIENT_OBJECT)),
      'invalid_xml',
      inside,
    )
})

test('selected parts keep their text, with its folds', () => {
  const given = dataOf(
    comp(
      'VCALENDAR',
      `<C:prop name="version"/>${comp('VEVENT', '<C:prop name="UID"/><C:prop name="ATTENDEE"/><C:prop name="SUMMARY" novalue="yes"/><C:prop name="X-NONE"/>')}`,
    ),
    CLIENT_OBJECT,
  )
  assert.equal(
    given,
    lines(
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      'UID:040000008200E00074C5B7101A82E008',
      'SUMMARY;LANGUAGE=en-GB:',
      'ATTENDEE;CN="Bob: the \'bass\'";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE:m',
      ' ailto:bob@example.org',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:040000008200E00074C5B7101A82E008',
      'SUMMARY:',
      'END:VEVENT',
      'END:VCALENDAR',
    ),
  )
})

test('all properties, all components, or the components alone can be selected', () => {
  const inside = (text: string): string => dataOf(comp('VCALENDAR', text), CLIENT_OBJECT)
  assert.deepEqual(unfold(inside('<C:allprop/>')), [
    'BEGIN:VCALENDAR',
    'PRODID:-//Example Corp.//Calendar 12.3//EN',
    'VERSION:2.0',
    'X-WR-CALNAME:Choir',
    'END:VCALENDAR',
  ])
  assert.equal(inside('<C:allprop/><C:allcomp/>'), CLIENT_OBJECT)
  assert.equal(unfold(inside('<C:allcomp/>')).length, unfold(CLIENT_OBJECT).length - 3)
  const alarms = inside(comp('VEVENT', comp('VALARM', '<C:prop name="ACTION"/>')))
  assert.deepEqual(
    unfold(alarms).filter((line) => !/^(?:BEGIN|END)/.test(line)),
    ['ACTION:DISPLAY', 'ACTION:AUDIO'],
  )
  assert.deepEqual(unfold(dataOf(comp('VTODO'), CLIENT_OBJECT)), ['BEGIN:VCALENDAR', 'END:VCALENDAR'])
})

test('each expanded instance is a separate event in UTC', () => {
  const given = expand('20260701T000000Z/20260901T000000Z', CLIENT_OBJECT)
  assert.deepEqual(timesIn(given), [
    'RECURRENCE-ID:20260714T183000Z DTSTART:20260714T183000Z DTEND:20260714T200000Z',
    'RECURRENCE-ID:20260728T183000Z DTSTART:20260729T170000Z DTEND:20260729T190000Z',
    'RECURRENCE-ID:20260804T183000Z DTSTART:20260804T183000Z DTEND:20260804T200000Z',
    'RECURRENCE-ID:20260811T183000Z DTSTART:20260811T183000Z DTEND:20260811T200000Z',
    'RECURRENCE-ID:20260818T183000Z DTSTART:20260818T183000Z DTEND:20260818T200000Z',
    'RECURRENCE-ID:20260825T183000Z DTSTART:20260825T183000Z DTEND:20260825T200000Z',
  ])
  assert.doesNotMatch(given, /RRULE|EXDATE|RDATE|TZID|VTIMEZONE/)
  assert.deepEqual(
    eventLines(given).map((event) => named(event, 'SUMMARY')[0]),
    ['SUMMARY;LANGUAGE=en-GB:Town choir\\, all voices', 'SUMMARY:Concert'].concat(
      Array(4).fill('SUMMARY;LANGUAGE=en-GB:Town choir\\, all voices'),
    ),
  )
  assert.ok(eventLines(given).every((event) => event.includes('BEGIN:VALARM')))
})

test('an instance that overlaps the start of the range is included, one moved out of it is not', () => {
  assert.equal(timesIn(expand('20260714T195959Z/20260714T210000Z', CLIENT_OBJECT)).length, 1)
  assert.equal(timesIn(expand('20260714T200000Z/20260714T210000Z', CLIENT_OBJECT)).length, 0)
  assert.equal(timesIn(expand('20260728T000000Z/20260729T000000Z', CLIENT_OBJECT)).length, 0)
  assert.deepEqual(timesIn(expand('20260729T000000Z/20260730T000000Z', CLIENT_OBJECT)), [
    'RECURRENCE-ID:20260728T183000Z DTSTART:20260729T170000Z DTEND:20260729T190000Z',
  ])
})

test('instances expanded across a clock change keep their wall time', () => {
  const weekly = calendar('DTSTART;TZID=Europe/London:20261020T193000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY')
  assert.deepEqual(timesIn(expand('20261020T000000Z/20261028T000000Z', weekly)), [
    'RECURRENCE-ID:20261020T183000Z DTSTART:20261020T183000Z DURATION:PT1H',
    'RECURRENCE-ID:20261027T193000Z DTSTART:20261027T193000Z DURATION:PT1H',
  ])
})

test('expanded all-day events stay dates', () => {
  const days = lines(
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTART;VALUE=DATE:20261023',
    'DTEND;VALUE=DATE:20261025',
    'RRULE:FREQ=DAILY;INTERVAL=3;COUNT=4',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:a',
    'RECURRENCE-ID;VALUE=DATE:20261029',
    'DTSTART;VALUE=DATE:20261030',
    'DTEND;VALUE=DATE:20261031',
    'END:VEVENT',
    'END:VCALENDAR',
  )
  assert.deepEqual(timesIn(expand('20261020T000000Z/20261101T000000Z', days)), [
    'RECURRENCE-ID;VALUE=DATE:20261023 DTSTART;VALUE=DATE:20261023 DTEND;VALUE=DATE:20261025',
    'RECURRENCE-ID;VALUE=DATE:20261026 DTSTART;VALUE=DATE:20261026 DTEND;VALUE=DATE:20261028',
    'RECURRENCE-ID;VALUE=DATE:20261029 DTSTART;VALUE=DATE:20261030 DTEND;VALUE=DATE:20261031',
  ])
  assert.equal(timesIn(expand('20261024T230000Z/20261025T230000Z', days)).length, 0, 'a night after its last day')
})

test('an expanded event that does not repeat is in UTC and has no RECURRENCE-ID', () => {
  const single = calendar(
    'DTSTART;TZID=America/New_York:20260714T090000',
    'DTEND;TZID=America/New_York:20260714T100000',
    'X-REMIND;TZID=America/New_York;X-A=1:20260714T080000',
  )
  const given = expand('20260714T000000Z/20260715T000000Z', single)
  assert.deepEqual(timesIn(given), ['DTSTART:20260714T130000Z DTEND:20260714T140000Z'])
  assert.match(given, /^X-REMIND;X-A=1:20260714T120000Z\r$/m)
})

test('a floating event is expanded in the calendar’s zone', () => {
  const floating = calendar('DTSTART:20260714T090000', 'RRULE:FREQ=DAILY;COUNT=2')
  const range = '20260714T000000Z/20260715T000000Z'
  assert.deepEqual(timesIn(expand(range, floating)), ['RECURRENCE-ID:20260714T080000Z DTSTART:20260714T080000Z'])
  assert.deepEqual(timesIn(expand(range, floating, 'America/New_York')), [
    'RECURRENCE-ID:20260714T130000Z DTSTART:20260714T130000Z',
  ])
})

test('at most a thousand instances are returned', () => {
  const daily = calendar('DTSTART:20260101T090000Z', 'RRULE:FREQ=DAILY')
  assert.equal(timesIn(expand('20260101T000000Z/20280927T000000Z', daily)).length, 1_000)
  assert.equal(
    refusal(() => expand('20260101T000000Z/20280928T000000Z', daily)),
    'too_many_instances',
  )
  const dense = calendar('DTSTART:20260101T090000Z', 'RRULE:FREQ=SECONDLY')
  assert.equal(timesIn(expand('20260101T000000Z/20990101T000000Z', dense)).length, 1_000, 'the first ones')
})

/** Daily, with a description of so many letters. */
const longDaily = (letters: number, letter = 'x'): string =>
  calendar(
    'DTSTART:20260101T090000Z',
    'RRULE:FREQ=DAILY',
    ...Array.from({ length: letters / 1_000 }, () => `X-LONG:${letter.repeat(1_000)}`),
  )

test('the instances of one object take eight megabytes at most, counted as they are sent', () => {
  const hundredDays = '20260101T000000Z/20260411T000000Z'
  assert.equal(timesIn(expand(hundredDays, longDaily(50_000))).length, 100)
  const events = comp('VCALENDAR', comp('VEVENT', '<C:prop name="UID"/>'))
  for (const [text, inside] of [
    [longDaily(100_000), ''],
    [longDaily(50_000, '&'), ''],
    [longDaily(100_000), events],
  ] as const)
    assert.equal(
      refusal(() => dataOf(rangeXml(hundredDays, 'expand') + inside, text)),
      'too_many_instances',
    )
  assert.equal(timesIn(expand('20260101T000000Z/20260102T000000Z', longDaily(9_000_000))).length, 1, 'as it is stored')
})

test('the objects of one response share the limit on instances', () => {
  const range = rangeXml('20260101T000000Z/20260111T000000Z', 'expand')
  const request = parseDataRequest(
    parseXml(`<C:calendar-data xmlns:C="urn:ietf:params:xml:ns:caldav">${range}</C:calendar-data>`),
  )
  const object = read(longDaily(5_000))
  const budget = { left: 150_000 }
  const give = (): string => [...selectPieces(request, object, budget)].join('')
  const octets = give().length
  assert.ok(Math.abs(150_000 - budget.left - octets) < octets / 10, 'estimated closely')
  give()
  const { left } = budget
  assert.equal(refusal(give), 'too_many_matches')
  assert.equal(budget.left, left, 'what is refused takes nothing')
})

test('expansion and selection of parts work together', () => {
  const given = dataOf(
    comp('VCALENDAR', comp('VEVENT', '<C:prop name="DTSTART"/>')) +
      rangeXml('20260804T000000Z/20260805T000000Z', 'expand'),
    CLIENT_OBJECT,
  )
  assert.deepEqual(unfold(given), [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'DTSTART:20260804T183000Z',
    'END:VEVENT',
    'END:VCALENDAR',
  ])
})

test('limit-recurrence-set keeps overrides that are, or originally were, in the range', () => {
  const count = (range: string): number => eventLines(limit(range, CLIENT_OBJECT)).length
  assert.equal(limit('20260729T000000Z/20260730T000000Z', CLIENT_OBJECT), CLIENT_OBJECT, 'nothing to leave out')
  assert.equal(count('20260728T000000Z/20260729T000000Z'), 2, 'where it would have been')
  assert.equal(count('20260729T190000Z/20260730T000000Z'), 1)
  assert.equal(count('20300101T000000Z/20310101T000000Z'), 1, 'the series itself always stays')
  const limited = unfold(limit('20300101T000000Z/20310101T000000Z', CLIENT_OBJECT))
  for (const line of ['BEGIN:VTIMEZONE', 'RRULE:FREQ=WEEKLY;COUNT=8', 'BEGIN:VALARM']) assert.ok(limited.includes(line))
})
