// Editing a client's object: modelled properties are written, all others are kept byte for byte.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldsPatch } from '../../src/domain/calendar/fields.ts'
import { edit, editedKeys, exclude, excludedKeys, patch, when } from '../domain/calendar/series.ts'
import { CLIENT_OBJECT, calendar, countOf, decode, edited, eventLines, lines, named, parse, unfold } from './objects.ts'

const patched = (text: string, fields: FieldsPatch): string => edited(text, (series) => patch(series, fields).series)

/** Lines that an edit may never change. */
const KEPT = [
  'PRIORITY:5',
  'ORGANIZER;CN="Smith, Ann":mailto:ann@example.org',
  'ATTENDEE;CN="Bob: the \'bass\'";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=TRUE:mailto:bob@example.org',
  'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="1 High St, Town":geo:51.5,0.1',
  'X-EMPTY:',
  'BEGIN:VALARM',
  'TRIGGER;RELATED=START:-PT15M',
  'X-ALARM-ID:7',
]

function assertKept(text: string): void {
  const [main] = eventLines(text)
  for (const line of KEPT) assert.ok(main!.includes(line), `${line} is gone from\n${main!.join('\n')}`)
  assert.equal(countOf(parse(text), 'VTIMEZONE'), 1)
  assert.ok(unfold(text).includes('X-WR-CALNAME:Choir'))
  assert.ok(unfold(text).includes('PRODID:-//Example Corp.//Calendar 12.3//EN'))
}

test('alarms, attendees, extensions and zones survive every kind of edit', () => {
  const edits: FieldsPatch[] = [
    { title: 'Band' },
    { start: '2026-07-14T20:30', end: '2026-07-14T22:00' },
    { timezone: 'America/New_York' },
    { rrule: 'FREQ=DAILY' },
    { all_day: true },
    { exdates: [] },
    {
      visibility: 'private',
      transparency: 'transparent',
      status: 'cancelled',
      category: null,
      url: 'https://example.org/',
    },
  ]
  for (const fields of edits) {
    const text = patched(CLIENT_OBJECT, fields)
    assertKept(text)
    const { moreCategories, ...series } = decode(text)
    assert.deepEqual(series, patch(decode(CLIENT_OBJECT), fields).series, JSON.stringify(fields))
    assert.deepEqual(moreCategories, fields.category === null ? undefined : ['Evening'])
  }
})

test('an unchanged property keeps its parameters, its escapes and its folds', () => {
  const text = patched(CLIENT_OBJECT, { location: 'Garden' })
  for (const kept of [
    'SUMMARY;LANGUAGE=en-GB:Town choir\\, all voices\r\n',
    'DESCRIPTION;ALTREP="cid:part1.0001@example.org":First line\\nSecond line\r\n with a fold\\; and more\r\n',
    'CATEGORIES;LANGUAGE=en:Music,Evening\r\n',
    'RRULE:FREQ=WEEKLY;COUNT=8\r\n',
    'EXDATE;TZID=Europe/London:20260721T193000\r\n',
  ]) {
    assert.ok(text.includes(kept), kept)
  }
  const sloppy = calendar(
    'DTSTART:20260714T193000Z',
    'SUMMARY;LANGUAGE=de:one, two; three\\Nfour',
    'STATUS;X-A=1:confirmed',
    'URL;X-B=2:mailto:choir@example.org',
    'CATEGORIES;X-C=3: Music ',
  )
  const after = patched(sloppy, { location: 'Garden' })
  for (const kept of [
    'SUMMARY;LANGUAGE=de:one, two; three\\Nfour',
    'STATUS;X-A=1:confirmed',
    'URL;X-B=2:mailto:choir@example.org',
    'CATEGORIES;X-C=3: Music ',
  ]) {
    assert.ok(unfold(after).includes(kept), kept)
  }
})

test('an unchanged edited occurrence keeps its text byte for byte', () => {
  const before = eventLines(CLIENT_OBJECT)[1]!
  assert.deepEqual(eventLines(edited(CLIENT_OBJECT, (series) => exclude(series, '20260804T193000')))[1], before)
  const [, override] = eventLines(patched(CLIENT_OBJECT, { visibility: 'private' }))
  assert.deepEqual(override, before)
})

test('an edited occurrence keeps its other properties when it is edited again', () => {
  const [, override] = eventLines(edited(CLIENT_OBJECT, (series) => edit(series, '20260728T193000', { title: 'Gala' })))
  for (const line of ['SUMMARY:Gala', 'X-OVERRIDE-NOTE:bring the keys', 'ACTION:AUDIO', 'TRIGGER:-PT1H']) {
    assert.ok(override!.includes(line), line)
  }
})

test('an edited occurrence keeps its other properties when the series is moved', () => {
  const text = patched(CLIENT_OBJECT, { start: '2026-07-15T20:30', end: '2026-07-15T22:00' })
  const [, override] = eventLines(text)
  assert.ok(override!.includes('X-OVERRIDE-NOTE:bring the keys'))
  assert.deepEqual(named(override!, 'RECURRENCE-ID'), ['RECURRENCE-ID;TZID=Europe/London:20260729T203000'])
  assert.deepEqual(named(eventLines(text)[0]!, 'EXDATE'), ['EXDATE;TZID=Europe/London:20260722T203000'])
})

test('an edited occurrence keeps its other properties when the series becomes all-day', () => {
  const [main, override] = eventLines(patched(CLIENT_OBJECT, { all_day: true }))
  assert.ok(override!.includes('X-OVERRIDE-NOTE:bring the keys'))
  assert.deepEqual(named(override!, 'RECURRENCE-ID'), ['RECURRENCE-ID;VALUE=DATE:20260728'])
  assert.deepEqual(named(main!, 'EXDATE'), ['EXDATE;VALUE=DATE:20260721'])
})

test('adjacent overrides with equal text are not mixed up when the series moves by a day', () => {
  const daily = calendar('DTSTART;TZID=Europe/London:20260714T193000', 'SUMMARY:Choir', 'RRULE:FREQ=DAILY')
  const two = edited(daily, (series) =>
    edit(edit(series, '20260715T193000', { title: 'Concert' }), '20260716T193000', { title: 'Concert' }),
  )
  const moved = decode(patched(two, { start: '2026-07-15T19:30', end: '2026-07-15T19:30' }))
  assert.deepEqual(editedKeys(moved), ['20260716T193000', '20260717T193000'])
  assert.deepEqual(
    moved.overrides.map((override) => when(override).slice(0, 10)),
    ['2026-07-16', '2026-07-17'],
  )
})

test('a newly edited occurrence starts from the series, without properties only a series may have', () => {
  const [, , added] = eventLines(edited(CLIENT_OBJECT, (series) => edit(series, '20260804T193000', { title: 'Gala' })))
  assert.deepEqual(named(added!, 'SUMMARY'), ['SUMMARY:Gala'])
  assert.deepEqual(named(added!, 'RECURRENCE-ID'), ['RECURRENCE-ID;TZID=Europe/London:20260804T193000'])
  for (const name of ['RRULE', 'EXDATE', 'RDATE']) assert.deepEqual(named(added!, name), [])
  for (const line of KEPT) assert.ok(added!.includes(line), line)
})

test('a restored occurrence no longer has a VEVENT of its own', () => {
  const text = edited(CLIENT_OBJECT, (series) => ({ ...series, overrides: [], exclusions: [] }))
  assert.equal(eventLines(text).length, 1)
  assert.deepEqual(named(eventLines(text)[0]!, 'EXDATE'), [])
})

test('an edit updates SEQUENCE, DTSTAMP and LAST-MODIFIED, and keeps CREATED', () => {
  const [main] = eventLines(patched(CLIENT_OBJECT, { title: 'Band' }))
  assert.deepEqual(named(main!, 'SEQUENCE'), ['SEQUENCE:5'])
  assert.deepEqual(named(main!, 'DTSTAMP'), ['DTSTAMP:20260701T120000Z'])
  assert.deepEqual(named(main!, 'LAST-MODIFIED'), ['LAST-MODIFIED:20260701T120000Z'])
  assert.deepEqual(named(main!, 'CREATED'), ['CREATED:20260501T100000Z'])
  for (const odd of ['x', '-5', '1e400', '99999999999999999999']) {
    const [event] = eventLines(
      patched(calendar('DTSTART:20260714T193000Z', 'SUMMARY:x', `SEQUENCE:${odd}`), { title: 'y' }),
    )
    assert.match(named(event!, 'SEQUENCE').join(), /^SEQUENCE:\d+$/, odd)
  }
})

test('further categories stay after the one in JSON', () => {
  const both = calendar('DTSTART:20260714T193000Z', 'SUMMARY:x', 'CATEGORIES:Music,Evening\\, late', 'CATEGORIES:Third')
  const lineOf = (category: string | null) => named(eventLines(patched(both, { category }))[0]!, 'CATEGORIES')
  assert.deepEqual(lineOf('Art'), ['CATEGORIES:Art,Evening\\, late,Third'])
  assert.deepEqual(lineOf('Music'), ['CATEGORIES:Music,Evening\\, late', 'CATEGORIES:Third'])
  assert.deepEqual(lineOf(null), [])
})

test('a published series publishes its edited occurrences, whatever CLASS they had', () => {
  const hidden = CLIENT_OBJECT.replace('X-OVERRIDE-NOTE', 'CLASS:CONFIDENTIAL\r\nX-OVERRIDE-NOTE')
  assert.equal(decode(hidden).visibility, 'private')
  const text = patched(hidden, { visibility: 'public' })
  assert.equal(decode(text).visibility, 'public')
  assert.ok(eventLines(text)[1]!.includes('X-OVERRIDE-NOTE:bring the keys'))
  // A series that stays private keeps the client's CLASS on each.
  assert.ok(unfold(patched(hidden, { title: 'Band' })).includes('CLASS:CONFIDENTIAL'))
})

test('a private series keeps a client’s CLASS:CONFIDENTIAL', () => {
  const secret = calendar('DTSTART:20260714T193000Z', 'SUMMARY:x', 'CLASS:CONFIDENTIAL')
  assert.ok(unfold(patched(secret, { title: 'y' })).includes('CLASS:CONFIDENTIAL'))
  assert.ok(unfold(patched(secret, { visibility: 'public' })).includes('CLASS:PUBLIC'))
})

test('floating times stay floating until another zone is set', () => {
  const floating = calendar(
    'DTSTART:20260714T193000',
    'DTEND:20260714T210000',
    'SUMMARY:x',
    'RRULE:FREQ=DAILY',
    'EXDATE:20260715T193000',
  )
  const days = calendar('DTSTART;VALUE=DATE:20260714', 'SUMMARY:x')
  for (const object of [floating, days]) {
    for (const timezone of ['Asia/Tokyo', 'UTC', ...(object === days ? ['Europe/London'] : [])]) {
      const after = decode(patched(object, { timezone }), 'America/New_York')
      assert.equal(after.timing.zone, timezone)
      assert.deepEqual(after, patch(decode(object), { timezone }).series)
    }
  }
  const [main] = eventLines(patched(floating, { title: 'y' }))
  assert.deepEqual(named(main!, 'EXDATE'), ['EXDATE:20260715T193000'])
  const [moved] = eventLines(patched(floating, { start: '2026-07-14T20:00' }))
  assert.deepEqual(
    ['DTSTART', 'DTEND', 'EXDATE'].flatMap((name) => named(moved!, name)),
    ['DTSTART:20260714T200000', 'DTEND:20260714T213000', 'EXDATE:20260715T200000'],
  )
  // An edited occurrence follows the form of its series; otherwise the two would no longer match.
  const both = floating.replace(
    'END:VCALENDAR',
    lines(
      'BEGIN:VEVENT',
      'UID:a@example.org',
      'RECURRENCE-ID:20260716T193000',
      'DTSTART:20260716T100000',
      'SUMMARY:x',
      'X-A:1',
      'END:VEVENT',
    ).concat('END:VCALENDAR'),
  )
  const [, override] = eventLines(patched(both, { transparency: 'transparent' }))
  assert.deepEqual(named(override!, 'RECURRENCE-ID'), ['RECURRENCE-ID:20260716T193000'])
  assert.ok(override!.includes('X-A:1'))
})

test('a series in one zone with an edit in another keeps both instants', () => {
  const object = lines(
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    'SUMMARY:x',
    'DTSTART;TZID=Europe/London:20260714T193000',
    'RRULE:FREQ=WEEKLY',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:a',
    'RECURRENCE-ID:20260721T183000Z',
    'SUMMARY:x',
    'DTSTART;TZID=America/New_York:20260721T100000',
    'END:VEVENT',
    'END:VCALENDAR',
  )
  const before = decode(object).overrides[0]!.timing
  assert.deepEqual(decode(patched(object, { title: 'y' })).overrides[0]!.timing, before)
  assert.deepEqual(excludedKeys(decode(patched(object, { exdates: ['20260728T193000'] }))), ['20260728T193000'])
})

test('a second form of the description is removed when the description changes', () => {
  const html = 'X-ALT-DESC;FMTTYPE=text/html:<p>First line</p>'
  const styled = 'STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=text/html;DERIVED=TRUE:<p>First line</p>'
  const both = CLIENT_OBJECT.replaceAll('LOCATION:Main hall', `LOCATION:Main hall\r\n${html}\r\n${styled}`)
  const isHtml = (line: string): boolean => /^(?:X-ALT-DESC|STYLED-DESCRIPTION|DESCRIPTION;ALTREP)/.test(line)
  const [touched] = eventLines(patched(both, { title: 'Other' }))
  assert.equal(touched!.filter(isHtml).length, 3)
  for (const description of ['New', null]) {
    const [main] = eventLines(patched(both, { description }))
    assert.deepEqual(main!.filter(isHtml), [], String(description))
  }
  const occurrence = edited(both, (series) => edit(series, '2026-08-04T19:30', { description: 'For once' }))
  const [main, ...others] = eventLines(occurrence)
  assert.equal(main!.filter(isHtml).length, 3)
  const once = others.find((event) => event.includes('DESCRIPTION:For once'))
  assert.deepEqual(once?.filter(isHtml), [])
})
