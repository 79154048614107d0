// Encoding a series: valid RFC 5545 for other programs, and the same series when decoded again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import type { Series } from '../../src/domain/calendar/event.ts'
import { formatLocal } from '../../src/domain/time/text.ts'
import { encodeSeries } from '../../src/ical/encode.ts'
import { printCalendar } from '../../src/ical/text/print.ts'
import { create, edit, exclude } from '../domain/calendar/series.ts'
import { anySeries } from './any-series.ts'
import { decode, eventLines, NOW, named, parse, unfold } from './objects.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 5545)

const open = (text: string) => ({ tree: parse(text), series: decode(text) })

const print = (series: Series): string => printCalendar(encodeSeries(series, NOW))

test('a single event is printed with the properties it has and no others', () => {
  const text = print(create({ visibility: 'public', location: 'Main hall, left', url: 'https://example.org/' }))
  assert.deepEqual(unfold(text), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Daybook//Daybook//EN',
    'CALSCALE:GREGORIAN',
    'BEGIN:VEVENT',
    'UID:uid@example.org',
    'DTSTAMP:20260701T120000Z',
    'CREATED:20260701T120000Z',
    'SUMMARY:Choir',
    'LOCATION:Main hall\\, left',
    'URL:https://example.org/',
    'STATUS:CONFIRMED',
    'DTSTART;TZID=Europe/London:20260714T193000',
    'DTEND;TZID=Europe/London:20260714T210000',
    'CLASS:PUBLIC',
    'TRANSP:OPAQUE',
    'LAST-MODIFIED:20260701T120000Z',
    'SEQUENCE:0',
    'END:VEVENT',
    'END:VCALENDAR',
  ])
})

test('keys are printed in the form and zone of the start', () => {
  const series = edit(
    exclude(create({ rrule: 'FREQ=DAILY' }), '20260715T193000', '20260716T193000'),
    '20260717T193000',
    { title: 'Concert' },
  )
  const [main, override] = eventLines(print(series))
  assert.deepEqual(named(main!, 'EXDATE'), ['EXDATE;TZID=Europe/London:20260715T193000,20260716T193000'])
  assert.deepEqual(named(override!, 'RECURRENCE-ID'), ['RECURRENCE-ID;TZID=Europe/London:20260717T193000'])
})

test('an extra date is printed in the form of the start', () => {
  const lineOf = (series: Series) => named(eventLines(print(series))[0]!, 'RDATE')
  assert.deepEqual(lineOf(create({ rdates: ['20260720T193000'] })), ['RDATE;TZID=Europe/London:20260720T193000'])
  assert.deepEqual(lineOf(create({ timezone: 'UTC', rdates: ['20260720T193000'] })), ['RDATE:20260720T193000Z'])
  const days = create({ all_day: true, start: '2026-07-14', end: '2026-07-15', rdates: ['20260720'] })
  assert.deepEqual(lineOf(days), ['RDATE;VALUE=DATE:20260720'])
})

test('an all-day series is printed in dates throughout', () => {
  const days = create({ all_day: true, start: '2026-07-14', end: '2026-07-16', rrule: 'FREQ=WEEKLY;UNTIL=20260901' })
  const [main, override] = eventLines(print(edit(exclude(days, '20260721'), '20260728', { title: 'Concert' })))
  assert.deepEqual(named(main!, 'DTSTART'), ['DTSTART;VALUE=DATE:20260714'])
  assert.deepEqual(named(main!, 'DTEND'), ['DTEND;VALUE=DATE:20260716'])
  assert.deepEqual(named(main!, 'EXDATE'), ['EXDATE;VALUE=DATE:20260721'])
  assert.deepEqual(named(main!, 'RRULE'), ['RRULE:FREQ=WEEKLY;UNTIL=20260901'])
  assert.deepEqual(named(override!, 'RECURRENCE-ID'), ['RECURRENCE-ID;VALUE=DATE:20260728'])
})

test('an event in UTC is printed in UTC', () => {
  const series = exclude(create({ timezone: 'UTC', rrule: 'FREQ=DAILY' }), '20260715T193000')
  const [main] = eventLines(print(series))
  assert.deepEqual(named(main!, 'DTSTART'), ['DTSTART:20260714T193000Z'])
  assert.deepEqual(named(main!, 'EXDATE'), ['EXDATE:20260715T193000Z'])
})

test('an event without duration has no DTEND, because DTEND must be after DTSTART', () => {
  const [main] = eventLines(print(create({ end: '2026-07-14T19:30' })))
  assert.deepEqual([...named(main!, 'DTEND'), ...named(main!, 'DURATION')], [])
})

test('the second of two equal wall times is printed in UTC, and its zone is stored', () => {
  const event = create({ start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T01:45:00+00:00' })
  const [main] = eventLines(print(event))
  assert.deepEqual(named(main!, 'DTSTART'), ['DTSTART:20261025T013000Z'])
  assert.deepEqual(named(main!, 'DTEND'), ['DTEND:20261025T014500Z'])
  assert.deepEqual(decode(print(event)), event)
})

test('a line break in text cannot begin a line of its own', () => {
  const text = print(create({ description: 'a\nATTENDEE:mailto:x@example.org\r\nEND:VEVENT', location: 'b\\nX-A:1' }))
  assert.equal(unfold(text).filter((line) => /^(ATTENDEE|X-A)/.test(line)).length, 0)
  assert.equal(unfold(text).filter((line) => line === 'END:VEVENT').length, 1)
})

test(`an encoded series decodes to the same series (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anySeries, (series) => {
      const text = print(series)
      for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75)
      assert.deepEqual(decode(text, 'Asia/Tokyo'), series)
      assert.equal(printCalendar(parse(text)), text)
    }),
    { seed: SEED, numRuns: 700 },
  )
})

test(`an edit that changes nothing leaves the series unchanged (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anySeries, (series) => {
      const again = printCalendar(encodeSeries(series, NOW + 1_000, open(print(series))))
      assert.deepEqual(decode(again, 'Asia/Tokyo'), series)
    }),
    { seed: SEED, numRuns: 300 },
  )
})

test(`an edit from any series to any other decodes as the other (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anySeries, anySeries, (before, after) => {
      const text = printCalendar(encodeSeries(after, NOW + 1_000, open(print(before))))
      assert.deepEqual(decode(text, 'Asia/Tokyo'), after)
    }),
    { seed: SEED, numRuns: 400 },
  )
})

test(`ical.js reads the same start, rule, exclusions and edited occurrences (DAYBOOK_SEED=${SEED})`, () => {
  const values = (component: ICAL.Component, name: string) =>
    component
      .getAllProperties(name)
      .flatMap((line) => line.getValues().map((value) => ({ tzid: line.getParameter('tzid'), value: String(value) })))
  fc.assert(
    fc.property(anySeries, (series) => {
      const root = ICAL.Component.fromString(print(series))
      const [main, ...others] = root.getAllSubcomponents('vevent')
      const { allDay, zone, startWall } = series.timing
      const isUtc = zone === 'UTC'
      const reading = (wall: number) => ({
        tzid: allDay || isUtc ? undefined : zone,
        value: allDay ? formatLocal(wall).slice(0, 10) : `${formatLocal(wall)}${isUtc ? 'Z' : ''}`,
      })
      const [start] = values(main!, 'dtstart')
      if (start!.value.endsWith('Z') && !isUtc) {
        assert.equal(Date.parse(start!.value), series.timing.startAt)
      } else {
        assert.deepEqual(start, reading(startWall))
      }
      assert.deepEqual(values(main!, 'exdate'), series.exclusions.map(reading))
      assert.deepEqual(values(main!, 'rdate'), series.rdates.map(reading))
      assert.deepEqual(
        others.flatMap((event) => values(event, 'recurrence-id')),
        series.overrides.map(({ key }) => reading(key)),
      )
      assert.equal(main!.getFirstPropertyValue('summary'), series.details.title)
      assert.deepEqual(
        others.map((event) => event.getFirstPropertyValue('summary')),
        series.overrides.map(({ details }) => details.title),
      )
      const rule = main!.getFirstPropertyValue('rrule') as ICAL.Recur | null
      assert.equal(rule?.freq, series.rule?.frequency)
      assert.equal(rule?.interval ?? 1, series.rule?.interval ?? 1)
      assert.equal(rule?.count ?? undefined, series.rule?.count)
      const until = series.rule?.until
      if (until?.kind === 'utc') assert.equal(Date.parse(String(rule?.until)), until.instant)
    }),
    { seed: SEED, numRuns: 300 },
  )
})
