// Public iCalendar text: every property from an allow-list, private events reduced to their time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import type { Override, Series, Timing } from '../../src/domain/calendar/event.ts'
import { expand, patternOf } from '../../src/domain/recurrence/occurrences.ts'
import { HOUR_MS, type Instant } from '../../src/domain/time/instant.ts'
import { offsetAt, requireZone } from '../../src/domain/time/zone.ts'
import { publicEventText } from '../../src/ical/encode-public.ts'
import { FEED_END, feedHead } from '../../src/ical/text/calendar-frame.ts'
import { timeZoneText } from '../../src/ical/zones/vtimezone.ts'
import { create, edit, exclude, keyOf, keys, patch, standing } from '../domain/calendar/series.ts'
import { anySeries } from './any-series.ts'
import { CLIENT_OBJECT, calendar, decode, eventLines, NOW, named, unfold } from './objects.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 6872)

const ABOUT = { uid: 'real@example.org', maskedUid: () => 'masked@calendar', updatedAt: NOW, sequence: 3 }

const print = (series: Series): string => publicEventText(series, ABOUT)

const feed = (series: Series): string =>
  feedHead({ name: 'Town', zone: 'Europe/London' }) +
  (series.timing.allDay || series.timing.zone === 'UTC' ? '' : timeZoneText(requireZone(series.timing.zone))) +
  print(series) +
  FEED_END

const publicly = (fields: Parameters<typeof create>[0] = {}): Series => create({ visibility: 'public', ...fields })

const namesOf = (event: readonly string[]): string[] => event.map((line) => /^[A-Z-]+/.exec(line)![0])

const SECRETS = {
  title: 'zqtitle',
  description: 'zqdescription',
  location: 'zqlocation',
  category: 'zqcategory',
  url: 'https://zqurl.example/',
}

const MASKED = ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'SUMMARY', 'CLASS']

test('a public event is printed with its words and its time', () => {
  const series = publicly({
    description: 'One\nTwo',
    location: 'Main hall, left',
    category: 'Music',
    url: 'https://example.org/?a=1,2',
    transparency: 'transparent',
    status: 'tentative',
  })
  assert.deepEqual(unfold(print(series)), [
    'BEGIN:VEVENT',
    'UID:real@example.org',
    'DTSTAMP:20260701T120000Z',
    'LAST-MODIFIED:20260701T120000Z',
    'SEQUENCE:3',
    'DTSTART;TZID=Europe/London:20260714T193000',
    'DTEND;TZID=Europe/London:20260714T210000',
    'SUMMARY:Choir',
    'DESCRIPTION:One\\nTwo',
    'LOCATION:Main hall\\, left',
    'CATEGORIES:Music',
    'URL:https://example.org/?a=1,2',
    'STATUS:TENTATIVE',
    'TRANSP:TRANSPARENT',
    'CLASS:PUBLIC',
    'END:VEVENT',
  ])
})

test('P10, P11, P12, P15: a private event is a new VEVENT of six lines', () => {
  const series = create({ ...SECRETS, transparency: 'transparent', status: 'tentative' })
  assert.deepEqual(unfold(print(series)), [
    'BEGIN:VEVENT',
    'UID:masked@calendar',
    'DTSTAMP:20260714T183000Z',
    'DTSTART;TZID=Europe/London:20260714T193000',
    'DTEND;TZID=Europe/London:20260714T210000',
    'SUMMARY:Private Event',
    'CLASS:PRIVATE',
    'END:VEVENT',
  ])
})

test('P13, P34: people, alarms, attachments and client extensions are left out, also of public events', () => {
  const hostile = CLIENT_OBJECT.replaceAll(
    'PRIORITY:5',
    'PRIORITY:5\r\nATTACH:https://zq.example/a\r\nCOMMENT:zq\r\nCONTACT:zq\r\nGEO:1;2\r\nRESOURCES:zq\r\nCOLOR:red\r\nRELATED-TO:zq',
  )
  const [main, edited] = eventLines(print(decode(hostile)))
  assert.deepEqual(namesOf(main!), [
    'UID',
    'DTSTAMP',
    'LAST-MODIFIED',
    'SEQUENCE',
    'DTSTART',
    'DTEND',
    'RRULE',
    'EXDATE',
    'SUMMARY',
    'DESCRIPTION',
    'LOCATION',
    'CATEGORIES',
    'STATUS',
    'TRANSP',
    'CLASS',
  ])
  assert.deepEqual(namesOf(edited!), [
    'UID',
    'DTSTAMP',
    'LAST-MODIFIED',
    'SEQUENCE',
    'RECURRENCE-ID',
    'DTSTART',
    'DTEND',
    'SUMMARY',
    'LOCATION',
    'CATEGORIES',
    'STATUS',
    'TRANSP',
    'CLASS',
  ])
  assert.deepEqual(named(main!, 'CATEGORIES'), ['CATEGORIES:Music'])
  assert.doesNotMatch(print(decode(hostile)), /zq|VALARM|ATTENDEE|ORGANIZER|X-|LANGUAGE|ALTREP/)
})

test('P12, P17: the same object made private keeps only names and parameters that are time', () => {
  const hostile = CLIENT_OBJECT.replaceAll('CLASS:PUBLIC', 'CLASS:CONFIDENTIAL')
  const [main, moved, ...others] = eventLines(print(decode(hostile)))
  assert.deepEqual(namesOf(main!), ['UID', 'DTSTAMP', 'DTSTART', 'DTEND', 'RRULE', 'EXDATE', 'SUMMARY', 'CLASS'])
  assert.deepEqual(namesOf(moved!), ['UID', 'DTSTAMP', 'RECURRENCE-ID', 'DTSTART', 'DTEND', 'SUMMARY', 'CLASS'])
  assert.deepEqual(others, [])
  const params = [...print(decode(hostile)).matchAll(/^[A-Z-]+;([A-Z-]+)=/gm)].map(([, name]) => name)
  assert.deepEqual([...new Set(params)].sort(), ['TZID'])
})

test('P14: only the exact CLASS publishes, and that of an occurrence relaxes nothing (P19)', () => {
  const times = ['DTSTART:20260714T190000Z', 'DTEND:20260714T200000Z', 'SUMMARY:zqtitle']
  for (const word of ['CONFIDENTIAL', 'PRIVATE', 'private', 'X-OPEN', '', 'PUBLIC,PRIVATE'])
    assert.doesNotMatch(print(decode(calendar(...times, `CLASS:${word}`))), /zqtitle/, word)
  assert.doesNotMatch(print(decode(calendar(...times))), /zqtitle/, 'no word at all')
  assert.match(print(decode(calendar(...times, 'CLASS:public'))), /zqtitle/)
  const loosened = calendar(
    ...times,
    'CLASS:PRIVATE',
    'RRULE:FREQ=DAILY;COUNT=3',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:a@example.org',
    'RECURRENCE-ID:20260715T190000Z',
    'DTSTART:20260715T210000Z',
    'DTEND:20260715T220000Z',
    'CLASS:PUBLIC',
    'SUMMARY:zqmoved',
  )
  const [, moved] = eventLines(print(decode(loosened)))
  assert.deepEqual(named(moved!, 'SUMMARY'), ['SUMMARY:Private Event'])
  assert.deepEqual(named(moved!, 'CLASS'), ['CLASS:PRIVATE'])
})

test('P16: a cancelled private event is left out; a cancelled public one has its status', () => {
  assert.equal(print(create({ status: 'cancelled' })), '')
  assert.match(print(publicly({ status: 'cancelled' })), /\r\nSTATUS:CANCELLED\r\n/)
  const cancelled = edit(create({ rrule: 'FREQ=DAILY;COUNT=4' }), '20260716T193000', { status: 'cancelled' })
  const deleted = exclude(create({ rrule: 'FREQ=DAILY;COUNT=4' }), '20260716T193000')
  assert.equal(print(cancelled), print(deleted), 'cancelled or deleted: for the public the same')
})

test('P18: one rule as three clients write it is one text', () => {
  const rules = [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;UNTIL=20261231T235959Z',
    'freq=weekly;until=20261231;byday=th,tu;interval=2',
    'BYDAY=TH,TU,TH;WKST=MO;UNTIL=20261231T235959;INTERVAL=02;FREQ=WEEKLY',
  ]
  const texts = rules.map((rule) =>
    print(decode(calendar('DTSTART;TZID=Europe/London:20260714T193000', `RRULE:${rule}`, 'CLASS:PRIVATE'))),
  )
  assert.equal(new Set(texts).size, 1)
  assert.match(texts[0]!, /\r\nRRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20261231T193000Z;BYDAY=TU,TH\r\n/)
})

test('P18: parts of a rule that change no occurrence are left out', () => {
  const ruleOf = (rule: string): string => {
    const series = decode(calendar('DTSTART;TZID=Europe/London:20260714T193000', `RRULE:${rule}`, 'CLASS:PRIVATE'))
    return /\r\nRRULE:([^\r]*)/.exec(print(series))![1]!
  }
  assert.equal(ruleOf('FREQ=DAILY;WKST=SU'), 'FREQ=DAILY')
  assert.equal(ruleOf('FREQ=WEEKLY;WKST=SU'), 'FREQ=WEEKLY')
  assert.equal(ruleOf('FREQ=MONTHLY;BYDAY=2TU;WKST=SU'), 'FREQ=MONTHLY;BYDAY=2TU')
  assert.equal(
    ruleOf('FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=19;BYMINUTE=30;BYSECOND=0;WKST=SU'),
    'FREQ=WEEKLY;INTERVAL=2',
  )
  assert.equal(ruleOf('FREQ=DAILY;BYHOUR=9,19;BYMINUTE=30'), 'FREQ=DAILY;BYHOUR=9,19')
  for (const rule of [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
    'FREQ=WEEKLY;BYDAY=TU,SU;BYSETPOS=1;WKST=SU',
    'FREQ=YEARLY;BYWEEKNO=29;BYDAY=TU;WKST=SU',
    'FREQ=HOURLY;BYHOUR=19',
    'FREQ=WEEKLY;BYDAY=WE',
    'FREQ=MONTHLY;BYDAY=TU',
  ])
    assert.equal(ruleOf(rule), rule)
})

test('UNTIL is a date for all-day series, whatever form it came in', () => {
  for (const until of ['20260801', '20260801T000000Z', '20260801T120000']) {
    const series = decode(calendar('DTSTART;VALUE=DATE:20260714', `RRULE:FREQ=DAILY;UNTIL=${until}`, 'CLASS:PRIVATE'))
    assert.match(print(series), /\r\nRRULE:FREQ=DAILY;UNTIL=20260801\r\n/, until)
  }
})

test('P21: that an occurrence has other words shows nowhere; that it moved does', () => {
  const series = create({ rrule: 'FREQ=DAILY;COUNT=4' })
  assert.equal(print(edit(series, '20260715T193000', { title: 'zqmoved', status: 'tentative' })), print(series))
  const moved = edit(series, '20260715T193000', {
    title: 'zqmoved',
    start: '2026-07-15T18:00',
    end: '2026-07-15T19:00',
  })
  assert.deepEqual(eventLines(print(moved))[1], [
    'UID:masked@calendar',
    'DTSTAMP:20260715T170000Z',
    'RECURRENCE-ID;TZID=Europe/London:20260715T193000',
    'DTSTART;TZID=Europe/London:20260715T180000',
    'DTEND;TZID=Europe/London:20260715T190000',
    'SUMMARY:Private Event',
    'CLASS:PRIVATE',
  ])
  const longer = edit(series, '20260715T193000', { end: '2026-07-15T23:00' })
  assert.equal(eventLines(print(longer)).length, 2)
})

test('P22: deleted dates are printed sorted and once, in whatever order they were deleted', () => {
  const series = create({ rrule: 'FREQ=DAILY;COUNT=9' })
  const [a, b, c] = ['20260718T193000', '20260715T193000', '20260716T193000'] as const
  const expected = 'EXDATE;TZID=Europe/London:20260715T193000,20260716T193000,20260718T193000'
  for (const order of [
    [a, b, c],
    [c, b, a],
  ])
    assert.deepEqual(named(eventLines(print(exclude(series, ...order)))[0]!, 'EXDATE'), [expected])
  const keys = [a, b, c, a].map((key) => keyOf(series, key))
  assert.deepEqual(named(eventLines(print({ ...series, exclusions: keys }))[0]!, 'EXDATE'), [expected])
})

test('P22: a masked series lists only dates that add or remove an occurrence', () => {
  const times = ['CLASS:PRIVATE', 'DTSTART:20260714T190000Z', 'DTEND:20260714T200000Z']
  const weekly = [...times, 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260721T190000Z', 'RDATE:20260723T190000Z']
  const leftovers = [
    // No occurrence there; already in the rule; both excluded and extra; from an earlier schedule.
    'EXDATE:20260722T190000Z,20260721T190000Z,20260721T190000Z',
    'RDATE:20260728T190000Z,20260723T190000Z',
    'RDATE:20260725T190000Z',
    'EXDATE:20260725T190000Z',
    'EXDATE:20200721T080000Z,20291231T190000Z',
    ...editOf('20260726T190000Z', '20260726T190000Z', 'STATUS:CANCELLED'),
  ]
  assert.equal(print(decode(calendar(...weekly, ...leftovers))), print(decode(calendar(...weekly))))
  const [main] = eventLines(print(decode(calendar(...weekly))))
  assert.deepEqual(named(main!, 'EXDATE'), ['EXDATE:20260721T190000Z'])
  assert.deepEqual(named(main!, 'RDATE'), ['RDATE:20260723T190000Z'])
  const pair = ['RDATE:20260725T190000Z', 'EXDATE:20260725T190000Z']
  assert.equal(print(decode(calendar(...times, ...pair))), print(decode(calendar(...times))), 'a single event')
  const gone = ['RDATE:20260725T190000Z', 'EXDATE:20260714T190000Z,20260725T190000Z']
  assert.equal(print(decode(calendar(...times, ...gone))), '', 'nothing is left of it')
  const opened = [...weekly, ...leftovers].map((line) => line.replace('CLASS:PRIVATE', 'CLASS:PUBLIC'))
  assert.match(print(decode(calendar(...opened))), /20291231/, 'a public one keeps what it says')
})

/** Lines that end one VEVENT and begin an edited occurrence of it. */
const editOf = (key: string, start: string, ...others: string[]): string[] => [
  'END:VEVENT',
  'BEGIN:VEVENT',
  'UID:a@example.org',
  'SUMMARY:zqother',
  `RECURRENCE-ID:${key}`,
  `DTSTART:${start}`,
  'DURATION:PT1H',
  ...others,
]

test('P18: the rule of a masked series ends with its last occurrence, whatever UNTIL its author wrote', () => {
  const ruleOf = (rule: string, start = 'DTSTART;TZID=Europe/London:20260714T193000') =>
    /^RRULE:(.*)\r$/m.exec(print(decode(calendar('CLASS:PRIVATE', start, `RRULE:${rule}`))))![1]
  for (const until of ['20260804T183000Z', '20260804T183001Z', '20260811T031415Z', '20260810', '20260811T182959Z'])
    assert.equal(ruleOf(`FREQ=WEEKLY;UNTIL=${until}`), 'FREQ=WEEKLY;UNTIL=20260804T183000Z', until)
  assert.equal(
    ruleOf('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20350101'),
    'FREQ=DAILY;UNTIL=20320229T193000Z;BYMONTH=2;BYMONTHDAY=29',
  )
  assert.equal(ruleOf('FREQ=WEEKLY;UNTIL=20260820', 'DTSTART;VALUE=DATE:20260714'), 'FREQ=WEEKLY;UNTIL=20260818')
  assert.equal(ruleOf('FREQ=SECONDLY;BYDAY=TU;UNTIL=20270103T000000Z'), 'FREQ=SECONDLY;UNTIL=20261229T235959Z;BYDAY=TU')
  // The skipped hour: 01:30 is shown at 02:30, after 02:15.
  const gap = ruleOf('FREQ=MINUTELY;INTERVAL=15;UNTIL=20260329T013500Z', 'DTSTART;TZID=Europe/London:20260329T004500')
  assert.equal(gap, 'FREQ=MINUTELY;INTERVAL=15;UNTIL=20260329T013000Z')
})

test('P21: an edited occurrence of a frequent rule shows nowhere, however far it is', () => {
  const hourly = ['CLASS:PRIVATE', 'DTSTART:20260714T190000Z', 'DURATION:PT1H', 'RRULE:FREQ=HOURLY']
  const plain = print(decode(calendar(...hourly)))
  assert.equal(print(decode(calendar(...hourly, ...editOf('20261001T070000Z', '20261001T070000Z')))), plain)
  const moved = print(decode(calendar(...hourly, ...editOf('20261001T070000Z', '20261001T071500Z'))))
  assert.deepEqual(named(eventLines(moved)[1]!, 'DTSTART'), ['DTSTART:20261001T071500Z'])
})

test('all-day series are printed in dates throughout, masked ones stamped at midnight in UTC', () => {
  const series = create({
    start: '2026-07-14',
    end: '2026-07-16',
    all_day: true,
    rrule: 'FREQ=WEEKLY',
    rdates: ['2026-07-17'],
  })
  const changed = edit(exclude(series, '20260721'), '20260728', { start: '2026-07-29', end: '2026-07-30' })
  assert.deepEqual(
    eventLines(print(changed)).map((event) => event.filter((line) => !/^(UID|SUMMARY|CLASS)/.test(line))),
    [
      [
        'DTSTAMP:20260714T000000Z',
        'DTSTART;VALUE=DATE:20260714',
        'DTEND;VALUE=DATE:20260716',
        'RRULE:FREQ=WEEKLY',
        'RDATE;VALUE=DATE:20260717',
        'EXDATE;VALUE=DATE:20260721',
      ],
      [
        'DTSTAMP:20260729T000000Z',
        'RECURRENCE-ID;VALUE=DATE:20260728',
        'DTSTART;VALUE=DATE:20260729',
        'DTEND;VALUE=DATE:20260730',
      ],
    ],
  )
})

test('events in UTC have no TZID, and events without duration no end', () => {
  const utc = exclude(create({ timezone: 'UTC', rrule: 'FREQ=DAILY' }), '20260715T193000')
  const [main] = eventLines(print(utc))
  assert.deepEqual(
    [...named(main!, 'DTSTART'), ...named(main!, 'EXDATE')],
    ['DTSTART:20260714T193000Z', 'EXDATE:20260715T193000Z'],
  )
  for (const visibility of ['public', 'private'] as const) {
    const [event] = eventLines(print(create({ visibility, end: '2026-07-14T19:30' })))
    assert.deepEqual([...named(event!, 'DTEND'), ...named(event!, 'DURATION')], [])
  }
})

test('an event at the second of two equal wall times is printed in UTC', () => {
  const event = create({ start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T01:45:00+00:00' })
  const [main] = eventLines(print(event))
  assert.deepEqual(
    [...named(main!, 'DTSTART'), ...named(main!, 'DTEND')],
    ['DTSTART:20261025T013000Z', 'DTEND:20261025T014500Z'],
  )
})

test('a series from the second of two equal wall times recurs by wall time, its first occurrence printed separately', () => {
  const series = decode(
    calendar(
      'X-DAYBOOK-TIMEZONE:Europe/London',
      'DTSTART:20261025T013000Z',
      'DTEND:20261025T014500Z',
      'RRULE:FREQ=WEEKLY;COUNT=3',
    ),
  )
  const [main, first, ...others] = eventLines(print(series))
  assert.deepEqual(
    [...named(main!, 'DTSTART'), ...named(main!, 'DTEND')],
    ['DTSTART;TZID=Europe/London:20261025T013000', 'DTEND;TZID=Europe/London:20261025T014500'],
  )
  assert.deepEqual(
    [...named(first!, 'RECURRENCE-ID'), ...named(first!, 'DTSTART')],
    ['RECURRENCE-ID;TZID=Europe/London:20261025T013000', 'DTSTART:20261025T013000Z'],
  )
  assert.deepEqual(others, [])
  const reworded = edit(series, '20261025T013000', { title: 'zqmoved' })
  assert.equal(print(reworded), print(series), 'P21 holds there too')
  assert.equal(eventLines(print(exclude(series, '20261025T013000'))).length, 1)
})

test('a start off its rule is printed separately, and the rule ends by date', () => {
  const fields = { start: '2026-07-07', end: '2026-07-08', all_day: true, rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' }
  const isTime = (line: string): boolean => /^(DTSTART|RRULE|RDATE|EXDATE|RECURRENCE-ID)/.test(line)
  const times = (series: Series): string[][] => eventLines(print(series)).map((event) => event.filter(isTime))
  for (const visibility of ['public', 'private'] as const) {
    const dates = create({ ...fields, visibility })
    const main = [
      'DTSTART;VALUE=DATE:20260707',
      'RRULE:FREQ=WEEKLY;UNTIL=20260717;BYDAY=FR',
      'RDATE;VALUE=DATE:20260707',
    ]
    assert.deepEqual(times(dates), [main, ['RECURRENCE-ID;VALUE=DATE:20260707', 'DTSTART;VALUE=DATE:20260707']])
    assert.deepEqual(times(exclude(dates, '20260707')), [[...main, 'EXDATE;VALUE=DATE:20260707']])
    const timed = create({ visibility, rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' })
    assert.deepEqual(times(timed)[0], [
      'DTSTART;TZID=Europe/London:20260714T193000',
      'RRULE:FREQ=WEEKLY;UNTIL=20260724T183000Z;BYDAY=FR',
      'RDATE;TZID=Europe/London:20260714T193000',
    ])
    const alone = create({ visibility, rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=1' })
    assert.deepEqual(times(alone), [['DTSTART;TZID=Europe/London:20260714T193000', 'RRULE:FREQ=DAILY;COUNT=1']])
  }
})

test('P16, P21: a first occurrence off the rule shows neither its words nor why it is missing', () => {
  const series = create({ rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' })
  const first = '20260714T193000'
  assert.equal(print(edit(series, first, { title: 'zqmoved' })), print(series))
  assert.equal(print(edit(series, first, { status: 'cancelled' })), print(exclude(series, first)))
})

test('a feed with a start off its rule decodes to the same occurrences', () => {
  const series = publicly({ rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3', rdates: ['20260716T193000'] })
  const read = decode(feed(series))
  assert.deepEqual(standing(read), standing(series))
  assert.deepEqual(keys(read, read.rdates), ['20260716T193000'], 'the start is not an extra date')
})

test('an event in a skipped hour is printed as the clock then showed', () => {
  const event = create({ start: '2026-03-29T01:30', end: '2026-03-29T03:00' })
  assert.deepEqual(named(eventLines(print(event))[0]!, 'DTSTART'), ['DTSTART;TZID=Europe/London:20260329T023000'])
})

test('an edited occurrence that is not in the rule gets an RDATE', () => {
  const weekly = create({ rrule: 'FREQ=WEEKLY;COUNT=3' })
  const { details, timing } = weekly
  const stray: Override = { key: Date.UTC(2026, 6, 16, 19, 30), details, timing: { ...timing, startAt: NOW } }
  for (const visibility of ['public', 'private'] as const) {
    const [main, edited] = eventLines(print({ ...weekly, visibility, overrides: [stray] }))
    assert.deepEqual(named(main!, 'RDATE'), ['RDATE;TZID=Europe/London:20260716T193000'])
    assert.deepEqual(named(edited!, 'RECURRENCE-ID'), ['RECURRENCE-ID;TZID=Europe/London:20260716T193000'])
  }
})

test('no text of a client can become a line', () => {
  const hostile = 'a\r\nATTENDEE:mailto:x\nEND:VEVENT\rBEGIN:VALARM\n\\nX-A:1;b,c\\'
  const series = publicly()
  const details = { ...series.details, title: hostile, description: hostile, location: hostile, category: hostile }
  const lines = unfold(print({ ...series, details }))
  assert.equal(lines.filter((line) => line === 'END:VEVENT').length, 1)
  assert.equal(lines.filter((line) => /^(ATTENDEE|X-A|BEGIN:VALARM)/.test(line)).length, 0)
  const read = ICAL.Component.fromString(print({ ...series, details }))
  assert.equal(read.getFirstPropertyValue('location'), hostile.replace(/\r\n?/g, '\n'))
})

/** Everything that some program treats as a line end: JavaScript, Python and Unicode together. */
const LINE_ENDS = /\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/

test('no text can start a new line for programs with other line ends, and control characters are removed', () => {
  const series = publicly()
  for (const sign of ['\r\n', '\n', '\r', '\u000b', '\u000c', '\u001c', '\u001e', '\u0085', '\u2028', '\u2029']) {
    const hostile = `a${sign}X-A:1`
    const words = { title: hostile, description: hostile, location: hostile, category: hostile, url: hostile }
    const override = { key: series.timing.startWall, timing: series.timing, details: { ...series.details, ...words } }
    const given = { ...series, details: { ...series.details, ...words }, overrides: [override] }
    const text = feedHead({ name: hostile, zone: 'UTC' }) + publicEventText(given, { ...ABOUT, uid: hostile })
    const found = text.replaceAll('\r\n ', '').split(LINE_ENDS)
    assert.deepEqual(
      found.filter((line) => line.startsWith('X-A')),
      [],
      JSON.stringify(sign),
    )
    assert.ok(found.includes('UID:a X-A:1'), JSON.stringify(sign))
  }
  const details = { ...series.details, title: 'a\u0000b\u0080c\u009fd\u007f', location: 'half \ud83d' }
  const [event] = eventLines(print({ ...series, details }))
  assert.deepEqual(
    [...named(event!, 'SUMMARY'), ...named(event!, 'LOCATION')],
    ['SUMMARY:abcd', 'LOCATION:half \ufffd'],
  )
})

test('a feed begins with its name, zone and refresh interval, and has an end', () => {
  const text = feedHead({ name: 'Town; hall,\nsouth', zone: 'Europe/London' }) + FEED_END
  assert.deepEqual(unfold(text), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Daybook//Daybook//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:Town\\; hall\\,\\nsouth',
    'X-WR-CALNAME:Town\\; hall\\,\\nsouth',
    'X-WR-TIMEZONE:Europe/London',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'END:VCALENDAR',
  ])
  for (const line of feedHead({ name: 'ü'.repeat(200), zone: 'UTC' }).split('\r\n'))
    assert.ok(Buffer.byteLength(line) <= 75)
})

test(`no private series prints a property or a word that is not time (DAYBOOK_SEED=${SEED})`, () => {
  const allowed = new Set([...MASKED, 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID'])
  fc.assert(
    fc.property(anySeries, (series) => {
      const hidden = patch(series, { visibility: 'private' }).series
      const text = print(hidden)
      assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
      for (const event of eventLines(text)) {
        for (const name of namesOf(event)) assert.ok(allowed.has(name), name)
        assert.deepEqual(named(event, 'SUMMARY'), ['SUMMARY:Private Event'])
        assert.deepEqual(named(event, 'UID'), ['UID:masked@calendar'])
      }
      const details = { title: 'x', description: null, location: null, category: null, url: null }
      const twin: Series = {
        ...hidden,
        transparency: 'opaque',
        timing: { ...hidden.timing, floating: true },
        details: { ...details, status: hidden.details.status },
        overrides: hidden.overrides.map((override) => ({
          ...override,
          timing: { ...override.timing, floating: true },
          details: { ...details, status: override.details.status },
        })),
      }
      assert.equal(publicEventText(twin, { ...ABOUT, uid: 'other', updatedAt: 0, sequence: 9 }), text)
    }),
    { seed: SEED, numRuns: 500 },
  )
})

test(`ical.js finds the same starts, and moved ones at their new time (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anySeries, (given) => {
      // ical.js leaves the start out where only extra dates follow (RFC 5545 §3.8.5.2 does not).
      fc.pre(given.rule !== undefined || given.rdates.length === 0)
      fc.pre(given.timing.startWall >= FIRST_DEFINED)
      const series = given.details.status === 'cancelled' ? patch(given, { status: 'confirmed' }).series : given
      const expected = firstStarts(series)
      const found = readWithIcal(feed(series))
      assert.equal(found.length, expected.length)
      for (const [i, startAt] of expected.entries())
        if (isPlain(startAt, series.timing)) assert.equal(found[i], new Date(startAt).toISOString())
    }),
    { seed: SEED, numRuns: 300 },
  )
})

const FIRST = 12

/** Zones are defined from 1970 on. */
const FIRST_DEFINED = Date.UTC(1971, 0, 1)

function firstStarts(series: Series): Instant[] {
  const everything = { from: Date.UTC(1940, 0, 1), to: Date.UTC(2201, 0, 1) }
  const { occurrences } = expand(patternOf(series), everything, new Set(series.exclusions), FIRST + 10)
  return occurrences.slice(0, FIRST).map(({ key, startAt }) => {
    const override = series.overrides.find((candidate) => candidate.key === key)
    return override?.timing.startAt ?? startAt
  })
}

/** In the hours around a clock change ical.js uses another offset. */
const isPlain = (at: Instant, { allDay, zone }: Timing): boolean =>
  allDay || offsetAt(requireZone(zone), at - HOUR_MS) === offsetAt(requireZone(zone), at + HOUR_MS)

function readWithIcal(text: string): string[] {
  const root = ICAL.Component.fromString(text)
  ICAL.TimezoneService.reset()
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  const [main, ...others] = root.getAllSubcomponents('vevent')
  const event = new ICAL.Event(main!, { exceptions: others })
  const shown = (time: ICAL.Time): string =>
    new Date(time.isDate ? String(time) : time.toUnixTime() * 1_000).toISOString()
  if (!event.isRecurring()) return [shown(event.startDate)]
  const found: string[] = []
  const iterator = event.iterator()
  for (let next = iterator.next(); next && found.length < FIRST; next = iterator.next())
    found.push(shown(event.getOccurrenceDetails(next).startDate))
  return found
}

test('an edited occurrence has its own TRANSP', () => {
  const series = publicly({ rrule: 'FREQ=DAILY;COUNT=3' })
  const { timing, details } = series
  const next = { ...timing, startWall: timing.startWall + 86_400_000, startAt: timing.startAt + 86_400_000 }
  const override = { key: next.startWall, details, timing: next, transparency: 'transparent' } as const
  const said = unfold(print({ ...series, overrides: [override] })).filter((line) => line.startsWith('TRANSP'))
  assert.deepEqual(said, ['TRANSP:OPAQUE', 'TRANSP:TRANSPARENT'])
})
