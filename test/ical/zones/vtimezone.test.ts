// VTIMEZONE text: ical.js and a second small reader must get the same offsets from it as Temporal.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { offsetAt, requireZone, toWall } from '../../../src/domain/time/zone.ts'
import { printCalendar } from '../../../src/ical/text/print.ts'
import { component, findProperty, listComponents, listProperties, property } from '../../../src/ical/text/tree.ts'
import { timeZoneText } from '../../../src/ical/zones/vtimezone.ts'
import { parse, unfold } from '../objects.ts'
import { offsetsOf } from './observances.ts'

const MINUTE = 60_000

/** The difficult zones first, then the most common ones. */
const ZONES = [
  'Europe/Dublin',
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Africa/Monrovia',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Havana',
  'America/Caracas',
  'America/Nuuk',
  'America/Scoresbysund',
  'Africa/Cairo',
  'Asia/Tehran',
  'Asia/Gaza',
  'Asia/Jerusalem',
  'Asia/Pyongyang',
  'Antarctica/Troll',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Chatham',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Europe/Lisbon',
  'Europe/Warsaw',
  'Europe/Kyiv',
  'Europe/Moscow',
  'Europe/Istanbul',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Toronto',
  'America/Mexico_City',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Australia/Sydney',
  'Pacific/Auckland',
  'Africa/Johannesburg',
  'Etc/GMT+5',
  'UTC',
]

/** Their changes follow no weekday rule; after 2050 such a rule approximates them. */
const APPROXIMATE_LATER = [
  'Africa/Cairo',
  'America/Nuuk',
  'America/Santiago',
  'America/Scoresbysund',
  'Asia/Gaza',
  'Asia/Jerusalem',
  // Only dates are known here, and those after 2050 are not defined.
  'Africa/Casablanca',
  'Africa/El_Aaiun',
]

const FROM = Date.UTC(1970, 0, 1)
const EXACT_TO = Date.UTC(2051, 0, 1)
const TABLE_END = Date.UTC(2201, 0, 1)

const ALL = [...new Set([...Intl.supportedValuesOf('timeZone'), ...ZONES])]

/** Every clock change, the second before it, and the first and the fifteenth of every month. */
function moments(name: string, to: number): number[] {
  const changes = requireZone(name).transitions.flatMap((at) => [at - 1_000, at])
  const days: number[] = []
  for (let year = 1970; year <= new Date(to).getUTCFullYear(); year++) {
    for (let month = 0; month < 12; month++) days.push(Date.UTC(year, month, 1), Date.UTC(year, month, 15))
  }
  return [...changes, ...days].filter((at) => at >= FROM && at < to)
}

const temporalMinutes = (name: string, at: number): number =>
  Math.round(Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).offsetNanoseconds / 60e9)

for (const name of ZONES) {
  const to = APPROXIMATE_LATER.includes(name) ? EXACT_TO : TABLE_END
  test(`${name} equals Temporal until ${new Date(to).getUTCFullYear() - 1}, by a second reader`, () => {
    const offsetIn = offsetsOf(parse(timeZoneText(requireZone(name))))
    for (const at of moments(name, to)) {
      if (offsetIn(at) / MINUTE !== temporalMinutes(name, at)) assert.fail(new Date(at).toISOString())
    }
  })

  test(`${name} equals Temporal until 2050, by ical.js`, () => {
    const zone = icalZone(name)
    for (const at of moments(name, EXACT_TO)) {
      const plain = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name).toPlainDateTime()
      // ical.js is wrong about one class of wall times: repeated ones it takes for the later.
      const meant = plain.toZonedDateTime(name, { disambiguation: 'later' })
      const wanted = Math.round(meant.offsetNanoseconds / 60e9)
      assert.equal(icalOffset(zone, plain) / 60, wanted, `${plain}`)
    }
  })
}

test('ical.js differs for a repeated wall time and for a skipped one', () => {
  const zone = icalZone('Europe/London')
  // RFC 5545 §3.3.5 means the first, in summer time; and here the offset before the gap, which is none.
  assert.equal(icalOffset(zone, Temporal.PlainDateTime.from('2026-10-25T01:30')), 0)
  assert.equal(icalOffset(zone, Temporal.PlainDateTime.from('2026-03-29T01:30')), 3_600)
})

test('every zone of the database is exact from 1970 to 2050, and later has only its two offsets', () => {
  for (const name of ALL) {
    const zone = requireZone(name)
    const offsetIn = offsetsOf(parse(timeZoneText(zone)))
    for (const at of moments(name, EXACT_TO)) {
      const wanted = Math.round(offsetAt(zone, at) / MINUTE)
      if (offsetIn(at) / MINUTE !== wanted) assert.fail(`${name} ${new Date(at).toISOString()}`)
    }
    for (const year of [2051, 2099, 2199]) {
      for (const month of [0, 6]) {
        const at = Date.UTC(year, month, 1)
        const possible = zone.offsets.slice(-3).map((offset) => Math.round(offset / MINUTE))
        assert.ok(possible.includes(offsetIn(at) / MINUTE), `${name} ${year}`)
      }
    }
  }
})

test('every zone of the database is small, is parsed by ical.js, and comes back from our parser byte for byte', () => {
  for (const name of ALL) {
    const text = timeZoneText(requireZone(name))
    assert.ok(Buffer.byteLength(text) < 5_000, `${name} has ${Buffer.byteLength(text)} bytes`)
    assert.equal(printCalendar(parse(text)), text)
    assert.ok(text.endsWith('END:VTIMEZONE\r\n'))
    assert.equal(new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue('tzid'), name)
  }
  assert.ok(Buffer.byteLength(timeZoneText(requireZone('Europe/London'))) < 1_600)
})

test('every line is one that all readers support', () => {
  const shapes = [
    /^(BEGIN|END):(VTIMEZONE|STANDARD|DAYLIGHT)$/,
    /^(TZID|X-LIC-LOCATION):[\w+\-/]+$/,
    /^(DTSTART|RDATE):\d{8}T\d{6}$/,
    /^TZOFFSET(FROM|TO):(\+|-(?!0000))\d{4}$/,
    /^TZNAME:[+-]\d\d(\d\d)?$/,
    /^RRULE:FREQ=YEARLY;BYMONTH=\d\d?;BYDAY=(-1|[1-4])(MO|TU|WE|TH|FR|SA|SU)(;UNTIL=\d{8}T\d{6}Z)?$/,
  ]
  for (const name of ALL) {
    for (const line of unfold(timeZoneText(requireZone(name)))) {
      assert.ok(
        shapes.some((shape) => shape.test(line)),
        `${name}: ${line}`,
      )
    }
  }
})

test('a reader that uses one STANDARD and one DAYLIGHT, the first listed or the latest, gets those in force', () => {
  const summers: string[] = []
  for (const name of ALL) {
    const zone = requireZone(name)
    const tree = parse(timeZoneText(zone))
    for (const kind of ['STANDARD', 'DAYLIGHT']) {
      const starts = listComponents(tree, kind).map((observance) => findProperty(observance, 'DTSTART')!.value)
      assert.deepEqual(starts, [...starts].sort().reverse(), name)
    }
    const standard = listComponents(tree, 'STANDARD')[0]!
    const daylight = listComponents(tree, 'DAYLIGHT')[0]
    const isLasting = zone.transitions.some((at) => at > Date.UTC(2200, 0, 1))
    assert.equal(daylight !== undefined, isLasting, name)
    if (daylight) {
      summers.push(name)
      for (const observance of [standard, daylight]) {
        assert.doesNotMatch(findProperty(observance, 'RRULE')!.value, /UNTIL/, name)
      }
      const [off, on] = [standard, daylight].map((observance) => findProperty(observance, 'TZOFFSETTO')!.value)
      assert.equal(findProperty(standard, 'TZOFFSETFROM')!.value, on, name)
      assert.equal(findProperty(daylight, 'TZOFFSETFROM')!.value, off, name)
    } else {
      assert.deepEqual([listProperties(standard, 'RRULE'), listProperties(standard, 'RDATE')], [[], []], name)
    }
  }
  assert.ok(summers.includes('Europe/London') && !summers.includes('America/Sao_Paulo') && summers.length > 100)
})

test('the definition of London, line by line', () => {
  assert.deepEqual(unfold(timeZoneText(requireZone('Europe/London'))).slice(0, 17), [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/London',
    'X-LIC-LOCATION:Europe/London',
    'BEGIN:STANDARD',
    'DTSTART:19961027T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0000',
    'TZNAME:+00',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'BEGIN:STANDARD',
    'DTSTART:19901028T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0000',
    'TZNAME:+00',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=4SU;UNTIL=19951022T010000Z',
    'END:STANDARD',
  ])
})

test('before 1970 there is one offset, and it is not a summer offset', () => {
  const at = Date.UTC(1950, 0, 1)
  const offsetIn = (name: string): number => offsetsOf(parse(timeZoneText(requireZone(name))))(at) / MINUTE
  assert.equal(offsetIn('Europe/London'), 0)
  assert.equal(offsetIn('America/Santiago'), -240)
  assert.equal(offsetIn('Asia/Tokyo'), 540)
  assert.equal(offsetIn('America/New_York'), -300)
})

test('a zone without changes is one STANDARD', () => {
  for (const name of ['UTC', 'Etc/GMT+5', 'Asia/Kolkata', 'Africa/Lagos', 'Asia/Dubai']) {
    const tree = parse(timeZoneText(requireZone(name)))
    assert.equal(tree.children.length, 3, name)
    assert.equal(listComponents(tree, 'STANDARD').length, 1, name)
  }
})

test('the bytes are the same every time, cached or not', () => {
  const zone = requireZone('Europe/Dublin')
  const text = timeZoneText(zone)
  assert.equal(timeZoneText(zone), text)
  assert.equal(timeZoneText({ ...zone, name: 'Test/Elsewhere' }).replaceAll('Test/Elsewhere', 'Europe/Dublin'), text)
})

test('ical.js reads an event at its instant through the definition in its calendar', () => {
  for (const name of ZONES) {
    const zone = requireZone(name)
    for (const at of [Date.UTC(1999, 6, 1, 12), Date.UTC(2026, 0, 15, 9), Date.UTC(2026, 6, 15, 9)]) {
      const start = new Date(toWall(zone, at)).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')
      const event = component('VEVENT', [property('UID', 'a'), property('DTSTART', start, { TZID: name })])
      const text = printCalendar(component('VCALENDAR', [parse(timeZoneText(zone)), event]))
      const calendar = new ICAL.Component(ICAL.parse(text))
      const read = calendar.getFirstSubcomponent('vevent')!.getFirstPropertyValue('dtstart') as ICAL.Time
      assert.equal(read.toJSDate().getTime(), at, `${name} ${start}`)
    }
  }
})

function icalZone(name: string): ICAL.Timezone {
  const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(timeZoneText(requireZone(name)))))
  // Starting with the last year, it computes its changes once.
  zone.utcOffset(ICAL.Time.fromData({ year: 2060, month: 1, day: 1 }))
  return zone
}

const icalOffset = (zone: ICAL.Timezone, plain: Temporal.PlainDateTime): number => {
  const { year, month, day, hour, minute, second } = plain
  return zone.utcOffset(ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate: false }))
}
