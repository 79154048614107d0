// Filters: which objects match, for every form of time, and which filters are invalid.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlainTimeRange, matchesFilter, matchInSteps, timeRangeOf } from '../../src/caldav/filter/match.ts'
import { formatUtc } from '../../src/domain/time/text.ts'
import { CLIENT_OBJECT, calendar, lines } from '../ical/objects.ts'
import { leastLongestPart } from '../support/measure/effort.ts'
import { eventFilter, filterOf, isIn, matches, rangeXml, read, refusal } from './support/asked.ts'

const prop = (name: string, inside: string): string => `<C:prop-filter name="${name}">${inside}</C:prop-filter>`
const comp = (name: string, inside: string): string => `<C:comp-filter name="${name}">${inside}</C:comp-filter>`
const textMatch = (text: string, attributes = ''): string => `<C:text-match ${attributes}>${text}</C:text-match>`
const NOT_DEFINED = '<C:is-not-defined/>'

/** One hour weekly in London from 14 July 2026, with these additional lines; then further VEVENTs. */
const weekly = (more: string[], ...edits: string[][]): string =>
  lines(
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'SUMMARY:Choir',
    'DTSTART;TZID=Europe/London:20260714T193000',
    'DTEND;TZID=Europe/London:20260714T203000',
    'RRULE:FREQ=WEEKLY',
    ...more,
    'END:VEVENT',
    ...edits.flatMap((edit) => ['BEGIN:VEVENT', 'UID:a', ...edit, 'END:VEVENT']),
    'END:VCALENDAR',
  )

test('a timed event matches a range that it overlaps, by a second and no less', () => {
  const event = calendar('DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z')
  assert.equal(isIn('20260714T080000Z/20260714T090000Z', event), false)
  assert.equal(isIn('20260714T080000Z/20260714T090001Z', event), true)
  assert.equal(isIn('20260714T100000Z/20260714T110000Z', event), false)
  assert.equal(isIn('20260714T095959Z/20260714T110000Z', event), true)
  assert.equal(isIn('20260714T093000Z/20260714T093001Z', event), true)
  assert.equal(isIn('20260714T095959Z/', event), true)
  assert.equal(isIn('20260714T100000Z/', event), false)
  assert.equal(isIn('/20260714T090001Z', event), true)
  assert.equal(isIn('/20260714T090000Z', event), false)
  const length = calendar('DTSTART:20260714T090000Z', 'DURATION:PT1H')
  assert.equal(isIn('20260714T095959Z/20260714T110000Z', length), true)
  assert.equal(isIn('20260714T100000Z/20260714T110000Z', length), false)
})

test('an event without duration matches the range it starts in', () => {
  for (const event of [calendar('DTSTART:20260714T090000Z'), calendar('DTSTART:20260714T090000Z', 'DURATION:PT0S')]) {
    assert.equal(isIn('20260714T090000Z/20260714T090001Z', event), true)
    assert.equal(isIn('20260714T080000Z/20260714T090000Z', event), false)
    assert.equal(isIn('20260714T090001Z/20260714T100000Z', event), false)
  }
})

test('all-day and floating events are compared in the calendar’s zone', () => {
  const day = calendar('DTSTART;VALUE=DATE:20260714')
  assert.equal(isIn('20260713T220000Z/20260713T230000Z', day), false)
  assert.equal(isIn('20260713T225959Z/20260713T230001Z', day), true, 'midnight in London is 23:00 in UTC')
  assert.equal(isIn('20260714T225959Z/20260715T000000Z', day), true)
  assert.equal(isIn('20260714T230000Z/20260715T000000Z', day), false)
  assert.equal(isIn('20260714T000000Z/20260714T040000Z', day, 'America/New_York'), false)
  assert.equal(isIn('20260714T000000Z/20260714T040001Z', day, 'America/New_York'), true)
  const floating = calendar('DTSTART:20260714T090000', 'DTEND:20260714T100000')
  assert.equal(isIn('20260714T080000Z/20260714T080001Z', floating), true)
  assert.equal(isIn('20260714T130000Z/20260714T130001Z', floating), false)
  assert.equal(isIn('20260714T130000Z/20260714T130001Z', floating, 'America/New_York'), true)
  const days = calendar('DTSTART;VALUE=DATE:20260714', 'DTEND;VALUE=DATE:20260717', 'RRULE:FREQ=YEARLY')
  assert.equal(isIn('20270716T100000Z/20270716T110000Z', days), true)
  assert.equal(isIn('20270716T230000Z/20270717T110000Z', days), false)
})

test('a series keeps its wall time when the clocks change', () => {
  const event = weekly([])
  assert.equal(isIn('20261020T183000Z/20261020T183001Z', event), true)
  assert.equal(isIn('20261027T183000Z/20261027T183001Z', event), false)
  assert.equal(isIn('20261027T193000Z/20261027T193001Z', event), true)
  const night = calendar('DTSTART;TZID=Europe/London:20260322T013000', 'DURATION:PT15M', 'RRULE:FREQ=WEEKLY')
  assert.equal(isIn('20260329T013000Z/20260329T013001Z', night), true, 'in the gap, 01:30 is read as 02:30')
})

test('a deleted occurrence does not match, an edited one matches where it was moved to', () => {
  const [gone, moved] = ['20260721T183000Z/20260721T193000Z', '20260728T183000Z/20260728T193000Z']
  const event = weekly(
    ['EXDATE;TZID=Europe/London:20260721T193000'],
    [
      'RECURRENCE-ID:20260728T183000Z',
      'SUMMARY:Concert',
      'DTSTART;TZID=Europe/London:20260730T193000',
      'DTEND;TZID=Europe/London:20260730T223000',
    ],
  )
  assert.equal(isIn(gone, weekly([])), true)
  assert.equal(isIn(gone, event), false)
  assert.equal(isIn(moved, event), false, 'moved out of the range')
  assert.equal(isIn('20260730T212959Z/20260731T000000Z', event), true, 'moved into the range, and longer')
  assert.equal(isIn('20260804T180000Z/20260804T190000Z', event), true)
  assert.equal(isIn('/20260714T183000Z', event), false)
  const outside = weekly(
    ['EXDATE:20260728T183000Z'],
    ['RECURRENCE-ID:20260728T183000Z', 'DTSTART:20260730T183000Z', 'DURATION:PT1H'],
  )
  assert.equal(isIn('20260730T180000Z/20260731T000000Z', outside), false, 'edited, then deleted')
})

test('all conditions on an event must hold for one VEVENT of it', () => {
  const event = weekly(
    [],
    ['RECURRENCE-ID:20260728T183000Z', 'SUMMARY:Concert', 'DTSTART:20260730T183000Z', 'DURATION:PT1H'],
  )
  const about = (text: string, range: string): boolean =>
    matches(rangeXml(range) + prop('SUMMARY', textMatch(text)), event)
  assert.equal(about('concert', '20260730T000000Z/20260731T000000Z'), true)
  assert.equal(about('choir', '20260730T000000Z/20260731T000000Z'), false)
  assert.equal(about('choir', '20260721T000000Z/20260722T000000Z'), true)
  assert.equal(about('concert', '20260721T000000Z/20260722T000000Z'), false)
})

test('series from long ago and far ahead match in ranges of any size', () => {
  const daily = calendar('DTSTART:19300101T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY')
  assert.equal(isIn('21500101T090000Z/21500101T093000Z', daily), true)
  assert.equal(isIn('21500101T110000Z/21500101T120000Z', daily), false)
  assert.equal(isIn('21500101T110000Z/', daily), true)
  assert.equal(isIn('00010101T000000Z/99991231T235959Z', daily), true)
  assert.equal(isIn('00010101T000000Z/00020101T000000Z', daily), false)
  assert.equal(isIn('90010101T000000Z/99991231T235959Z', daily), false)
  const ended = calendar('DTSTART:19300101T090000Z', 'RRULE:FREQ=DAILY;COUNT=10')
  assert.equal(isIn('19300111T000000Z/', ended), false)
  assert.equal(isIn('19300110T000000Z/', ended), true)
  const rare = calendar('DTSTART:20000229T090000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29')
  assert.equal(isIn('20960301T000000Z/21031231T000000Z', rare), false, '2100 has no leap day')
  assert.equal(isIn('20960301T000000Z/21041231T000000Z', rare), true)
  const extra = calendar('DTSTART:20260714T090000Z', 'DURATION:PT1H', 'RDATE:20300101T090000Z')
  assert.equal(isIn('20290101T000000Z/20310101T000000Z', extra), true)
})

test('a series too dense to expand matches, so that it is not missed', () => {
  const everyMinute = calendar(
    'DTSTART:20000101T000030Z',
    'RRULE:FREQ=MINUTELY',
    'BEGIN:VALARM',
    'TRIGGER:PT0S',
    'REPEAT:999999',
    'DURATION:P7W',
    'END:VALARM',
  )
  assert.equal(matches(comp('VALARM', rangeXml('20260101T000000Z/20260101T000001Z')), everyMinute), true)
  const never = calendar('DTSTART:20000101T000000Z', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30')
  assert.equal(isIn('20260101T000000Z/', never), false)
})

test('alarms match before, after, at the end, repeated, or at a fixed time', () => {
  const withAlarm = (...alarm: string[]): string => weekly(['BEGIN:VALARM', ...alarm, 'END:VALARM'])
  const rings = (range: string, event: string): boolean => matches(comp('VALARM', rangeXml(range)), event)
  const before = withAlarm('ACTION:DISPLAY', 'TRIGGER:-PT15M')
  assert.equal(rings('20260721T181500Z/20260721T181501Z', before), true)
  assert.equal(rings('20260721T181501Z/20260721T190000Z', before), false)
  assert.equal(rings('20260721T180000Z/20260721T181500Z', before), false)
  assert.equal(rings('20260721T181501Z/', before), true)
  const atEnd = withAlarm('TRIGGER;RELATED=END:PT0S')
  assert.equal(rings('20260721T193000Z/20260721T193001Z', atEnd), true)
  assert.equal(rings('20260721T183000Z/20260721T193000Z', atEnd), false)
  const repeated = withAlarm('TRIGGER:-P3D', 'REPEAT:2', 'DURATION:PT6H')
  assert.equal(rings('20260719T003000Z/20260719T003001Z', repeated), true)
  assert.equal(rings('20260719T063000Z/20260719T063001Z', repeated), true)
  assert.equal(rings('20260719T123000Z/20260719T123001Z', repeated), false, 'three times is all')
  const fixed = withAlarm('TRIGGER;VALUE=DATE-TIME:20260701T120000Z')
  assert.equal(rings('20260701T120000Z/20260701T120001Z', fixed), true)
  assert.equal(rings('20260714T000000Z/20260715T000000Z', fixed), false)
  const allDay = calendar('DTSTART;VALUE=DATE:20260714', 'BEGIN:VALARM', 'TRIGGER:PT9H', 'END:VALARM')
  assert.equal(rings('20260714T080000Z/20260714T080001Z', allDay), true, 'nine in London')
  assert.equal(rings('20260701T000000Z/', weekly([])), false)
  assert.equal(rings('20260701T000000Z/', withAlarm('TRIGGER:nonsense')), false)
  assert.equal(rings('20260701T000000Z/', withAlarm('TRIGGER:-P999999W', 'REPEAT:999999', 'DURATION:P999999W')), true)
})

test('an edited occurrence has only its own alarms', () => {
  const event = weekly(
    ['BEGIN:VALARM', 'TRIGGER:-PT15M', 'END:VALARM'],
    ['RECURRENCE-ID:20260721T183000Z', 'DTSTART:20260721T183000Z', 'DURATION:PT1H'],
    ['RECURRENCE-ID:20260728T183000Z', 'DTSTART:20260728T183000Z', 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'END:VALARM'],
  )
  const rings = (range: string): boolean => matches(comp('VALARM', rangeXml(range)), event)
  assert.equal(rings('20260721T000000Z/20260722T000000Z'), false)
  assert.equal(rings('20260728T182500Z/20260728T182501Z'), true)
  assert.equal(rings('20260728T181500Z/20260728T181501Z'), false)
  assert.equal(matches(comp('VALARM', NOT_DEFINED), event), true, 'one VEVENT has none')
})

test('properties with a time can have a time range', () => {
  const event = calendar(
    'DTSTAMP:20260601T100000Z',
    'DTSTART;TZID=Europe/London:20260714T193000',
    'DURATION:PT1H',
    'RDATE;VALUE=PERIOD;TZID=Europe/London:20260801T193000/PT1H,20260901T193000/PT1H',
    'EXDATE;VALUE=DATE:20261001',
  )
  const at = (name: string, range: string): boolean => matches(prop(name, rangeXml(range)), event)
  assert.equal(at('DTSTAMP', '20260601T100000Z/20260601T100001Z'), true)
  assert.equal(at('DTSTAMP', '20260601T100001Z/'), false)
  assert.equal(at('DTSTART', '20260714T183000Z/20260714T183001Z'), true)
  assert.equal(at('DTEND', '20260714T193000Z/20260714T193001Z'), true, 'where the duration leads')
  assert.equal(at('DTEND', '20260714T193001Z/'), false)
  assert.equal(at('RDATE', '20260901T000000Z/20260902T000000Z'), true)
  assert.equal(at('RDATE', '20260902T000000Z/'), false)
  assert.equal(at('EXDATE', '20260930T230000Z/20260930T230001Z'), true)
  assert.equal(at('LAST-MODIFIED', '20000101T000000Z/'), false)
})

test('text matches within values, without their escapes and folds', () => {
  const found = (name: string, text: string, attributes?: string): boolean =>
    matches(prop(name, textMatch(text, attributes)), CLIENT_OBJECT)
  assert.equal(found('SUMMARY', 'choir, ALL'), true)
  assert.equal(found('SUMMARY', 'choir\\, all'), false)
  assert.equal(found('SUMMARY', 'choir, ALL', 'collation="i;octet"'), false)
  assert.equal(found('SUMMARY', 'choir, all', 'collation="i;octet"'), true)
  assert.equal(found('DESCRIPTION', 'first line\nsecond linewith'), true)
  assert.equal(found('summary', ''), true)
  assert.equal(found('UID', '040000008200e00074c5b7101a82e008'), true)
  assert.equal(found('X-NONE', ''), false)
  assert.equal(found('SUMMARY', 'concert', 'negate-condition="yes"'), true, 'the main event is no concert')
  assert.equal(found('LOCATION', 'main hall', 'negate-condition="yes"'), false)
  assert.equal(found('X-NONE', 'a', 'negate-condition="yes"'), false, 'a property must be there to be compared')
})

test('collations fold what they define and nothing else', () => {
  const found = (text: string, collation: string): boolean =>
    matches(
      prop('SUMMARY', textMatch(text, `collation="${collation}"`)),
      calendar('DTSTART:20260714T090000Z', 'SUMMARY:ÉTÉ Straße ﬁn'),
    )
  assert.equal(found('été', 'i;ascii-casemap'), false)
  assert.equal(found('ÉTÉ STRA', 'i;ascii-casemap'), true)
  assert.equal(found('ÉTÉ STRA', 'default'), true)
  assert.equal(found('été', 'default'), false, 'which is i;ascii-casemap')
  assert.equal(found('été', 'i;unicode-casemap'), true)
  assert.equal(found('e\u0301te\u0301', 'i;unicode-casemap'), true)
  assert.equal(found('STRAßE', 'i;unicode-casemap'), true)
  assert.equal(found('strasse', 'i;unicode-casemap'), false)
  assert.equal(found('FIN', 'i;unicode-casemap'), false, 'a ligature has no single capital')
  assert.equal(found('ﬁn', 'i;octet'), true)
})

test('parameters are matched on the same line as the value', () => {
  const event = calendar(
    'DTSTART:20260714T090000Z',
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:one@example.org',
    'ATTENDEE;PARTSTAT=DECLINED;MEMBER="mailto:x@example.org","mailto:y@example.org":mailto:two@example.org',
  )
  const param = (name: string, inside: string): string => `<C:param-filter name="${name}">${inside}</C:param-filter>`
  const attends = (text: string, inside: string): boolean => matches(prop('ATTENDEE', textMatch(text) + inside), event)
  assert.equal(attends('one@', param('PARTSTAT', textMatch('accepted'))), true)
  assert.equal(attends('one@', param('PARTSTAT', textMatch('declined'))), false)
  assert.equal(attends('two@', param('member', textMatch('y@'))), true)
  assert.equal(attends('one@', param('MEMBER', NOT_DEFINED)), true)
  assert.equal(attends('two@', param('MEMBER', NOT_DEFINED)), false)
  assert.equal(attends('', param('MEMBER', '')), true)
  assert.equal(attends('', param('ROLE', '')), false)
})

test('absence can be matched; other kinds of components never match', () => {
  const event = CLIENT_OBJECT
  const top = (inside: string): boolean => matchesFilter(filterOf(comp('VCALENDAR', inside)), read(event))
  assert.equal(matches(prop('PRIORITY', NOT_DEFINED), calendar('DTSTART:20260714T090000Z')), true)
  assert.equal(matches(prop('DTSTART', NOT_DEFINED), event), false)
  assert.equal(matches('', event), true)
  assert.equal(top(''), true)
  assert.equal(top(prop('X-WR-CALNAME', textMatch('choir'))), true)
  assert.equal(top(prop('METHOD', NOT_DEFINED)), true)
  assert.equal(top(comp('VTIMEZONE', comp('DAYLIGHT', ''))), true)
  assert.equal(top(comp('VEVENT', '') + comp('VTODO', '')), false)
  assert.equal(top(comp('VEVENT', '') + comp('VTODO', NOT_DEFINED)), true)
  for (const name of ['VTODO', 'VJOURNAL', 'VFREEBUSY']) {
    assert.equal(top(comp(name, '')), false)
    assert.equal(top(comp(name, NOT_DEFINED)), true)
    assert.equal(top(comp(name, rangeXml('20200101T000000Z/'))), false)
    assert.equal(top(comp(name, prop('STATUS', NOT_DEFINED))), false)
  }
  assert.equal(matchesFilter(filterOf(comp('VCALENDAR', NOT_DEFINED)), read(event)), false)
})

test('malformed and contradictory filters are invalid', () => {
  const range = rangeXml('20260101T000000Z/20270101T000000Z')
  const invalid: string[] = [
    '',
    comp('VEVENT', ''),
    comp('VCALENDAR', '') + comp('VCALENDAR', ''),
    '<C:comp-filter/>',
    '<C:comp-filter name=""/>',
    comp('VCALENDAR', comp('VCALENDAR', '')),
    comp('VCALENDAR', comp('VTODO', comp('VEVENT', ''))),
    comp('VCALENDAR', comp('VALARM', '')),
    comp('VCALENDAR', '<C:text-match>a</C:text-match>'),
    comp('VCALENDAR', NOT_DEFINED + comp('VEVENT', '')),
    eventFilter(range + range),
    eventFilter(prop('SUMMARY', range)),
    eventFilter(prop('DTSTART', range + textMatch('a'))),
    eventFilter(prop('DTSTART', NOT_DEFINED + textMatch('a'))),
    eventFilter(prop('SUMMARY', textMatch('a') + textMatch('b'))),
    eventFilter(prop('SUMMARY', textMatch('a', 'negate-condition="maybe"'))),
    eventFilter('<C:prop-filter><C:is-not-defined/></C:prop-filter>'),
    eventFilter(prop('SUM MARY', '')),
    ...[
      '<C:time-range/>',
      rangeXml('20260101/20270101'),
      rangeXml('20260101T000000/20270101T000000'),
      rangeXml('20260101T000000+0100/'),
      rangeXml('2026-01-01T00:00:00Z/'),
      rangeXml('20261301T000000Z/'),
      rangeXml('20270101T000000Z/20260101T000000Z'),
      rangeXml('20260101T000000Z/20260101T000000Z'),
    ].map(eventFilter),
  ]
  for (const filter of invalid)
    assert.equal(
      refusal(() => filterOf(filter)),
      'filter_invalid',
      filter,
    )
  for (const filter of [
    comp('VCALENDAR', range),
    comp('VCALENDAR', comp('VTIMEZONE', range)),
    comp('VCALENDAR', comp('X-THING', range)),
    eventFilter(prop('X-THING', range)),
    eventFilter(prop('SUMMARY', textMatch('a')).repeat(100)),
    eventFilter(prop('SUMMARY', textMatch('a'.repeat(1_001)))),
  ])
    assert.equal(
      refusal(() => filterOf(filter)),
      'filter_unsupported',
      filter,
    )
  for (const name of ['i;ascii-numeric', 'i;*', '', 'I;OCTET'])
    assert.equal(
      refusal(() => filterOf(eventFilter(prop('SUMMARY', textMatch('a', `collation="${name}"`))))),
      'collation_unsupported',
    )
})

test('elements of other namespaces are ignored', () => {
  assert.equal(matches('<X:new xmlns:X="urn:x"/>', CLIENT_OBJECT), true)
})

test('ten thousand nested filters are refused before the filter is parsed', () => {
  const nested = comp('VCALENDAR', '<C:comp-filter name="X-A">'.repeat(10_000) + '</C:comp-filter>'.repeat(10_000))
  assert.equal(
    refusal(() => filterOf(nested)),
    'invalid_xml',
  )
  const deep = comp('VCALENDAR', '<C:comp-filter name="X-A">'.repeat(60) + '</C:comp-filter>'.repeat(60))
  assert.equal(matchesFilter(filterOf(deep), read(CLIENT_OBJECT)), false)
})

test('the time range of a filter covers every object that can match', () => {
  const windowOf = (inside: string): string | undefined => {
    const range = timeRangeOf(filterOf(comp('VCALENDAR', inside)))
    return range && `${formatUtc(range.from)}/${formatUtc(range.to)}`
  }
  const [year, month] = ['20260101T000000Z/20270101T000000Z', '20280101T000000Z/20280201T000000Z']
  assert.equal(windowOf(comp('VEVENT', rangeXml(month))), '2028-01-01T00:00:00Z/2028-02-01T00:00:00Z')
  assert.equal(
    windowOf(comp('VEVENT', rangeXml(year)) + comp('VEVENT', rangeXml(month))),
    '2028-01-01T00:00:00Z/2028-02-01T00:00:00Z',
    'the narrower: an object may have an instance in both',
  )
  assert.equal(windowOf(comp('VEVENT', rangeXml('20260101T000000Z/'))), '2026-01-01T00:00:00Z/2202-01-01T00:00:00Z')
  assert.equal(windowOf(comp('VEVENT', comp('VALARM', rangeXml(month)))), undefined)
  assert.equal(windowOf(comp('VEVENT', prop('DTSTAMP', rangeXml(month)))), undefined)
  assert.equal(windowOf(comp('VTODO', rangeXml(month))), undefined)
  assert.equal(windowOf(''), undefined)
})

test('a filter that is only a time range is recognised', () => {
  const range = rangeXml('20260101T000000Z/20270101T000000Z')
  const isPlain = (inside: string): boolean => isPlainTimeRange(filterOf(comp('VCALENDAR', inside)))
  assert.equal(isPlain(comp('VEVENT', range)), true)
  assert.equal(isPlain(comp('VEVENT', '')), false)
  assert.equal(isPlain(comp('VTODO', range)), false)
  assert.equal(isPlain(comp('VEVENT', range + prop('SUMMARY', ''))), false)
  assert.equal(isPlain(comp('VEVENT', range + comp('VALARM', ''))), false)
  assert.equal(isPlain(comp('VEVENT', range) + comp('VTODO', NOT_DEFINED)), false)
  assert.equal(isPlain(comp('VEVENT', range) + prop('VERSION', '')), false)
  assert.equal(isPlain(''), false)
})

test('long values are matched in parts that yield', () => {
  const long = Array.from({ length: 20 }, () => `X-LONG:${'é'.repeat(20_000)}`)
  const steps = matchInSteps(filterOf(eventFilter(prop('X-LONG', textMatch('z')))), read(weekly(long)))
  let parts = 0
  while (!steps.next().done) parts += 1
  assert.ok(parts >= 20, `${parts} parts`)
})

test('no line, parameter or search text makes one turn of the matching long', () => {
  const unicode = (text: string): string => textMatch(text, 'collation="i;unicode-casemap" negate-condition="yes"')
  const parameters = (text: string, match: string): [string, string] => [
    `X-LONG;P=${text}:1`,
    `<C:param-filter name="P">${match}</C:param-filter>`.repeat(10),
  ]
  const cases: Record<string, [line: string, inside: string]> = {
    'a long parameter': parameters(`"${'ΐ'.repeat(100_000)}"`, unicode('z')),
    'many values of a parameter': parameters(`${'é'.repeat(250)},`.repeat(1_000).slice(0, -1), unicode('z')),
    'letters that become many': [`X-LONG:${'\ufdfa'.repeat(50_000)}`, unicode('z')],
    'a text that is nearly found at every letter': [
      `X-LONG:${'ΐ'.repeat(100_000)}`,
      unicode(`${'ΐ'.repeat(500)}z${'ΐ'.repeat(499)}`),
    ],
  }
  const many = Array.from({ length: 20_000 }, (_, i) => `X-A:${i}`)
  const dates = `EXDATE;TZID=Odd:${'20260101T000000,'.repeat(16_000).slice(0, -1)}`
  const all = [
    ...Object.entries(cases).map(([name, [line, inside]]) => [name, [line], prop('X-LONG', inside)] as const),
    ['many components that are not there', many, comp('VALARM', NOT_DEFINED).repeat(90)],
    ['many dates in a zone that is not known', [dates], prop('EXDATE', rangeXml('20300101T000000Z/20310101T000000Z'))],
  ] as const
  for (const [name, lines, inside] of all) {
    const filter = filterOf(eventFilter(inside))
    const object = read(weekly([...lines]))
    const longestMs = leastLongestPart(() => matchInSteps(filter, object))
    assert.ok(longestMs < 25, `${name}: ${longestMs.toFixed()} ms`)
  }
})

test('a text is found anywhere in a long value', () => {
  const word = 'Übung-'.repeat(20)
  for (const at of [0, 4_000, 4_095, 4_096, 8_150, 99_000]) {
    const value = `${'ü\u0301x'.repeat(at).slice(0, at)}${word}${'é'.repeat(5_000)}`
    for (const sought of [word.toLowerCase(), word.slice(0, 12).toUpperCase()])
      assert.equal(
        matches(prop('X-LONG', textMatch(sought, 'collation="i;unicode-casemap"')), weekly([`X-LONG:${value}`])),
        true,
        `${sought.length} characters at ${at}`,
      )
    assert.equal(matches(prop('X-LONG', textMatch(`${word}ü`)), weekly([`X-LONG:${value}`])), false)
  }
})
