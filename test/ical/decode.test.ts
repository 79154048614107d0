// Decoding calendar objects: forms of time, visibility, and what cannot be read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecurring } from '../../src/domain/calendar/event.ts'
import { DAY_MS, HOUR_MS } from '../../src/domain/time/instant.ts'
import { parseDuration } from '../../src/ical/times.ts'
import { editedKeys, excludedKeys, keys, standing, when } from '../domain/calendar/series.ts'
import { startWork } from '../support/measure/effort.ts'
import { CLIENT_OBJECT, calendar, decode, edited, lines, problemOf, unfold } from './objects.ts'

const START = 'DTSTART;TZID=Europe/London:20260714T193000'

test('every property of a client’s object is decoded', () => {
  const series = decode(CLIENT_OBJECT)
  assert.equal(series.uid, '040000008200E00074C5B7101A82E008')
  assert.deepEqual(series.details, {
    title: 'Town choir, all voices',
    description: 'First line\nSecond linewith a fold; and more',
    location: 'Main hall',
    category: 'Music',
    url: null,
    status: 'confirmed',
  })
  assert.equal(when(series), '2026-07-14T19:30:00+01:00 → 2026-07-14T21:00:00+01:00')
  assert.deepEqual(excludedKeys(series), ['20260721T193000'])
  assert.deepEqual(editedKeys(series), ['20260728T193000'])
  assert.equal(when(series.overrides[0]!), '2026-07-29T18:00:00+01:00 → 2026-07-29T20:00:00+01:00')
  assert.equal(series.overrides[0]!.details.title, 'Concert')
})

test('only CLASS:PUBLIC publishes', () => {
  const visibility = (...classLines: string[]) => decode(calendar(START, ...classLines)).visibility
  for (const text of ['CLASS:PUBLIC', 'CLASS: PUBLIC ', 'CLASS:public', 'class;X-A=1:Public']) {
    assert.equal(visibility(text), 'public', text)
  }
  const rest = [
    'PRIVATE',
    'private',
    'CONFIDENTIAL',
    'X-FOO',
    '',
    'PUBLICLY',
    'PUB LIC',
    'PUBLIC,PRIVATE',
    'ＰＵＢＬＩＣ',
  ]
  for (const text of rest) assert.equal(visibility(`CLASS:${text}`), 'private', text)
  assert.equal(visibility(), 'private', 'an object that does not say is not published')
  assert.equal(visibility('CLASS:PRIVATE', 'CLASS:PUBLIC'), 'private')
})

test('one occurrence made private makes the series private; none can publish it', () => {
  const withClasses = (main: string, override: string) =>
    decode(
      lines(
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'UID:a',
        START,
        'RRULE:FREQ=DAILY',
        ...(main ? [`CLASS:${main}`] : []),
        'END:VEVENT',
        'BEGIN:VEVENT',
        'UID:a',
        'RECURRENCE-ID;TZID=Europe/London:20260715T193000',
        'DTSTART;TZID=Europe/London:20260715T193000',
        ...(override ? [`CLASS:${override}`] : []),
        'END:VEVENT',
        'END:VCALENDAR',
      ),
    ).visibility
  assert.equal(withClasses('PUBLIC', ''), 'public')
  assert.equal(withClasses('PUBLIC', 'PUBLIC'), 'public')
  for (const hidden of ['PRIVATE', 'CONFIDENTIAL', 'X-SECRET']) assert.equal(withClasses('PUBLIC', hidden), 'private')
  assert.equal(withClasses('PRIVATE', 'PUBLIC'), 'private')
  assert.equal(withClasses('', 'PUBLIC'), 'private')
})

test('times are accepted in every form: zoned, UTC, floating, dates', () => {
  const whenOf = (...texts: string[]) => when(decode(calendar(...texts), 'Asia/Tokyo'))
  assert.equal(whenOf(START, 'DURATION:PT90M'), '2026-07-14T19:30:00+01:00 → 2026-07-14T21:00:00+01:00')
  assert.equal(
    whenOf(START, 'DTEND;TZID=Europe/Paris:20260714T220000'),
    '2026-07-14T19:30:00+01:00 → 2026-07-14T21:00:00+01:00',
  )
  assert.equal(
    whenOf('DTSTART:20260714T183000Z', 'DTEND:20260714T200000Z'),
    '2026-07-14T18:30:00+00:00 → 2026-07-14T20:00:00+00:00',
  )
  assert.equal(
    whenOf('DTSTART:20260714T193000', 'DTEND:20260714T210000'),
    '2026-07-14T19:30:00+09:00 → 2026-07-14T21:00:00+09:00',
  )
  assert.equal(whenOf(START), '2026-07-14T19:30:00+01:00 → 2026-07-14T19:30:00+01:00')
  const days = decode(calendar('DTSTART;VALUE=DATE:20260714', 'DTEND;VALUE=DATE:20260716')).timing
  assert.deepEqual(days, {
    allDay: true,
    zone: 'Europe/London',
    startWall: Date.UTC(2026, 6, 14),
    startAt: Date.UTC(2026, 6, 14),
    durationMs: 2 * DAY_MS,
  })
})

test('an all-day event lasts whole days, at least one', () => {
  const lasting = (...texts: string[]) => decode(calendar('DTSTART;VALUE=DATE:20260714', ...texts)).timing.durationMs
  assert.equal(lasting(), DAY_MS)
  assert.equal(lasting('DTEND;VALUE=DATE:20260714'), DAY_MS)
  assert.equal(lasting('DURATION:P3D'), 3 * DAY_MS)
  assert.equal(lasting('DURATION:P1W'), 7 * DAY_MS)
  assert.equal(lasting('DURATION:PT36H'), 2 * DAY_MS)
})

test('days of a duration are local days, also across a clock change; hours are exact', () => {
  const over = (start: string, duration: string): string =>
    when(decode(calendar(`DTSTART;TZID=Europe/London:${start}`, duration)))
  assert.equal(over('20260328T120000', 'DURATION:P1D'), '2026-03-28T12:00:00+00:00 → 2026-03-29T12:00:00+01:00')
  assert.equal(over('20261024T120000', 'DURATION:P1W'), '2026-10-24T12:00:00+01:00 → 2026-10-31T12:00:00+00:00')
  assert.equal(over('20260328T120000', 'DURATION:PT24H'), '2026-03-28T12:00:00+00:00 → 2026-03-29T13:00:00+01:00')
  assert.equal(over('20260328T120000', 'DURATION:P1DT1H'), '2026-03-28T12:00:00+00:00 → 2026-03-29T13:00:00+01:00')
})

test('durations are parsed as RFC 5545 defines them', () => {
  const good: [string, number, number][] = [
    ['PT15M', 0, HOUR_MS / 4],
    ['P1DT2H3M4S', 1, 2 * HOUR_MS + 3 * 60_000 + 4_000],
    ['+P2W', 14, 0],
    ['-P1DT1H', -1, -HOUR_MS],
    ['PT0S', 0, 0],
    ['P1D', 1, 0],
    ['P1DT', 1, 0],
  ]
  for (const [text, days, restMs] of good) assert.deepEqual(parseDuration(text), { days, restMs }, text)
  for (const text of ['', 'P', 'PT', 'P1', '1H', 'PT1H1D', 'P1Y', 'P1M', 'PT1.5H', 'P1W2D', 'P9999999999D', '--PT1H']) {
    assert.equal(parseDuration(text), undefined, text)
  }
})

test('an unreadable object is refused with a reason', () => {
  assert.equal(problemOf(lines('BEGIN:VCALENDAR', 'END:VCALENDAR')), 'there is no main VEVENT')
  const edit = ['BEGIN:VEVENT', 'UID:a', 'RECURRENCE-ID:20260714T193000Z', START, 'END:VEVENT']
  assert.equal(problemOf(lines('BEGIN:VCALENDAR', ...edit, ...edit, 'END:VCALENDAR')), 'there is no main VEVENT')
  assert.equal(
    problemOf(lines('BEGIN:VCALENDAR', 'BEGIN:VEVENT', START, 'END:VEVENT', 'END:VCALENDAR')),
    'there is no UID',
  )
  const unreadable = [
    [],
    ['DTSTART:soon'],
    ['DTSTART;TZID=Mars/Olympus:20260714T193000'],
    ['DTSTART:999990714T193000'],
    [START, 'DTEND;TZID=Europe/London:20260714T193000X'],
    [START, 'DTEND;VALUE=DATE:20260715'],
    [START, 'DTEND;TZID=Europe/London:20260714T180000'],
    [START, 'DURATION:-PT1H'],
    [START, 'DURATION:P9999999999D'],
    ['DTSTART:18991231T000000Z'],
    ['DTSTART:16040101'],
    ['DTSTART:22010101T000000Z'],
    [START, 'DURATION:P999999W'],
  ]
  for (const texts of unreadable)
    assert.equal(problemOf(calendar(...texts)), 'DTSTART or DTEND cannot be read', texts.join())
  for (const rule of ['FREQ=NEVER', 'FREQ=DAILY;INTERVAL=1000000000', '', 'FREQ=DAILY;COUNT=1;UNTIL=20270101']) {
    assert.equal(problemOf(calendar(START, `RRULE:${rule}`)), 'RRULE cannot be read', rule)
  }
})

test('an excluded date matches in every form and zone that a client may write', () => {
  const forms = [
    'EXDATE;TZID=Europe/London:20260721T193000',
    'EXDATE:20260721T183000Z',
    'EXDATE:20260721T193000',
    'EXDATE;TZID=America/New_York:20260721T143000',
    'EXDATE;VALUE=DATE:20260721',
  ]
  for (const form of forms) {
    assert.deepEqual(excludedKeys(decode(calendar(START, 'RRULE:FREQ=WEEKLY', form))), ['20260721T193000'], form)
  }
  const several = decode(
    calendar(
      START,
      'RRULE:FREQ=WEEKLY',
      'EXDATE:20260728T183000Z,20260721T183000Z',
      'EXDATE;TZID=Europe/London:20260721T193000',
    ),
  )
  assert.deepEqual(excludedKeys(several), ['20260721T193000', '20260728T193000'])
})

test('an excluded date of an all-day series matches also where a client wrote a time', () => {
  const forms = [
    'EXDATE;VALUE=DATE:20260721',
    'EXDATE:20260721',
    'EXDATE:20260721T000000',
    'EXDATE;TZID=Europe/London:20260721T000000',
    'EXDATE:20260720T230000Z',
  ]
  for (const form of forms) {
    const days = decode(calendar('DTSTART;VALUE=DATE:20260714', 'RRULE:FREQ=WEEKLY', form))
    assert.deepEqual(excludedKeys(days), ['20260721'], form)
  }
})

test('in a gap an instant matches the occurrence shown at it', () => {
  const nights = (...texts: string[]) =>
    decode(calendar('DTSTART;TZID=Europe/London:20260301T013000', 'RRULE:FREQ=DAILY', ...texts))
  assert.deepEqual(excludedKeys(nights('EXDATE:20260329T013000Z')), ['20260329T013000'])
  assert.deepEqual(excludedKeys(nights('EXDATE:20260330T003000Z')), ['20260330T013000'])
  // In a series that has 02:30 itself, it means that occurrence.
  const later = decode(
    calendar('DTSTART;TZID=Europe/London:20260301T023000', 'RRULE:FREQ=DAILY', 'EXDATE:20260329T013000Z'),
  )
  assert.deepEqual(excludedKeys(later), ['20260329T023000'])
})

const override = (...texts: string[]) => ['END:VEVENT', 'BEGIN:VEVENT', 'UID:a@example.org', ...texts]

test('an edited occurrence is matched by instant, not by how its RECURRENCE-ID is written', () => {
  const forms = [
    'RECURRENCE-ID;TZID=Europe/London:20260721T193000',
    'RECURRENCE-ID:20260721T183000Z',
    'RECURRENCE-ID;TZID=Europe/Stockholm:20260721T203000',
    'RECURRENCE-ID;VALUE=DATE:20260721',
  ]
  for (const form of forms) {
    const series = decode(calendar(START, 'RRULE:FREQ=WEEKLY', ...override(form, 'DTSTART:20260722T100000Z')))
    assert.deepEqual(editedKeys(series), ['20260721T193000'], form)
  }
})

test('an edited occurrence in another zone keeps its instant, in the series’ zone', () => {
  const series = decode(
    calendar(
      START,
      'RRULE:FREQ=WEEKLY',
      ...override('RECURRENCE-ID:20260721T183000Z', 'DTSTART;TZID=America/New_York:20260721T100000', 'DURATION:PT1H'),
    ),
  )
  assert.equal(when(series.overrides[0]!), '2026-07-21T15:00:00+01:00 → 2026-07-21T16:00:00+01:00')
  assert.equal(series.overrides[0]!.timing.zone, 'Europe/London')
})

test('an occurrence edited twice has one edit, and a deleted one is deleted', () => {
  const twice = decode(
    calendar(
      START,
      'RRULE:FREQ=WEEKLY',
      ...override('RECURRENCE-ID:20260721T183000Z', 'DTSTART:20260721T100000Z', 'SUMMARY:first'),
      ...override('RECURRENCE-ID;TZID=Europe/London:20260721T193000', 'DTSTART:20260721T110000Z', 'SUMMARY:second'),
    ),
  )
  assert.deepEqual(
    twice.overrides.map(({ details }) => details.title),
    ['second'],
  )
  const deleted = decode(
    calendar(
      START,
      'RRULE:FREQ=WEEKLY',
      'EXDATE:20260721T183000Z',
      ...override('RECURRENCE-ID:20260721T183000Z', 'DTSTART:20260721T100000Z'),
    ),
  )
  assert.deepEqual([excludedKeys(deleted), editedKeys(deleted)], [['20260721T193000'], []])
})

test('extra dates are parsed like excluded ones, and none comes before the start', () => {
  const series = decode(
    calendar(
      START,
      'RDATE:20260716T183000Z',
      'RDATE;TZID=Europe/London:20260713T193000,20260720T100000',
      'RDATE:99991231T000000Z',
    ),
  )
  assert.deepEqual(keys(series, series.rdates), ['20260716T193000', '20260720T100000'])
})

test('the stored zone of a date or an instant does not replace the TZID of a start', () => {
  const zoneOf = (start: string): string => decode(calendar('X-DAYBOOK-TIMEZONE:Asia/Tokyo', start)).timing.zone
  assert.equal(zoneOf('DTSTART;VALUE=DATE:20260706'), 'Asia/Tokyo')
  assert.equal(zoneOf('DTSTART:20260706T090000Z'), 'Asia/Tokyo')
  assert.equal(zoneOf('DTSTART;TZID=Europe/Paris:20260706T100000'), 'Europe/Paris')
})

test('a start listed among the extra dates adds nothing, and its line stays', () => {
  const text = calendar(
    'X-DAYBOOK-TIMEZONE:Europe/London',
    'DTSTART;VALUE=DATE:20260707',
    'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20260717',
    'RDATE;VALUE=DATE:20260707,20260709',
  )
  const series = decode(text)
  assert.deepEqual(keys(series, series.rdates), ['20260709'])
  assert.deepEqual(standing(series), ['20260707', '20260709', '20260710', '20260717'])
  const renamed = edited(text, (before) => ({ ...before, details: { ...before.details, title: 'Other' } }))
  assert.match(renamed, /\r\nRDATE;VALUE=DATE:20260707,20260709\r\n/)
  assert.equal(isRecurring(decode(calendar('DTSTART:20260707T100000Z', 'RDATE:20260707T100000Z'))), false)
})

test('a URL that could run as script is dropped', () => {
  const url = (text: string) => decode(calendar(START, `URL:${text}`)).details.url
  assert.equal(url('https://example.org/a,b;c'), 'https://example.org/a,b;c')
  for (const text of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.org',
    'not a url',
  ]) {
    assert.equal(url(text), null, text)
  }
})

test('a space in a URL is percent-encoded; with other whitespace the URL is dropped', () => {
  const url = (text: string): string | null => decode(calendar(START, `URL:${text}`)).details.url
  assert.equal(url('https://example.org/a b?c= d'), 'https://example.org/a%20b?c=%20d')
  for (const sign of ['\t', '\u0085', '\u00a0', '\u2028', '\u009f'])
    assert.equal(url(`https://example.org/a${sign}b`), null, JSON.stringify(sign))
})

test('SEQUENCE stops at the maximum of RFC 5545', () => {
  const counted = (text: string): string[] => unfold(text).filter((line) => line.startsWith('SEQUENCE'))
  for (const [given, next] of [
    ['7', '8'],
    ['2147483647', '2147483647'],
    ['2147483648', '2147483647'],
    ['99999999999999999999', '2147483647'],
    ['-1', '0'],
    ['x', '0'],
  ])
    assert.deepEqual(counted(edited(calendar(START, `SEQUENCE:${given}`), (series) => series)), [`SEQUENCE:${next}`])
})

test('status and transparency ignore case; unknown values take the default', () => {
  const read = (...texts: string[]) => {
    const { details, transparency } = decode(calendar(START, ...texts))
    return [details.status, transparency]
  }
  assert.deepEqual(read('STATUS:CANCELLED', 'TRANSP:TRANSPARENT'), ['cancelled', 'transparent'])
  assert.deepEqual(read('STATUS:tentative ', 'TRANSP: transparent'), ['tentative', 'transparent'])
  assert.deepEqual(read('STATUS:X-MAYBE', 'TRANSP:X'), ['confirmed', 'opaque'])
  assert.deepEqual(read(), ['confirmed', 'opaque'])
})

test('ten thousand excluded dates are decoded quickly', () => {
  const many = Array.from({ length: 10_000 }, (_, day) =>
    new Date(Date.UTC(2026, 6, 14, 18, 30) + day * DAY_MS).toISOString().replace(/[-:]|\.\d+/g, ''),
  )
  const workedMs = startWork()
  const series = decode(calendar(START, 'RRULE:FREQ=DAILY', `EXDATE:${many.join(',')}`))
  assert.equal(series.exclusions.length, 10_000)
  assert.ok(workedMs() < 1_000, `${workedMs()} ms`)
})
