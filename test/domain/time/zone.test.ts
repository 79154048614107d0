// Zones: every conversion is compared with Temporal, and unusual transitions of history one by one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, dayFromDate, HOUR_MS, MINUTE_MS, wallFromParts } from '../../../src/domain/time/instant.ts'
import { formatInstant, formatUtc, parseTimeText } from '../../../src/domain/time/text.ts'
import { findZone, offsetAt, requireZone, startOfDay, toInstant, toWall } from '../../../src/domain/time/zone.ts'

const instantIn = (text: string): number | undefined => {
  const parsed = parseTimeText(text)
  return parsed?.kind === 'instant' ? parsed.instant : undefined
}

const SEED = Number(process.env.DAYBOOK_SEED ?? 1970)

const ZONES = [
  'Europe/London',
  'Europe/Dublin',
  'Europe/Paris',
  'Europe/Berlin',
  'Europe/Moscow',
  'Europe/Lisbon',
  'Europe/Amsterdam',
  'Europe/Warsaw',
  'America/New_York',
  'America/Toronto',
  'America/St_Johns',
  'America/Chicago',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Sao_Paulo',
  'America/Havana',
  'America/Caracas',
  'America/Asuncion',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Monrovia',
  'Asia/Tokyo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Asia/Gaza',
  'Asia/Pyongyang',
  'Asia/Manila',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Antarctica/Troll',
  'Etc/GMT+5',
  'UTC',
]

const FIRST = wallFromParts(1900, 1, 1)
const END = wallFromParts(2201, 1, 1)

const plain = (wall: number): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime()

/** Random moments, half of them within a day and a half of a clock change, where mistakes are likely. */
const moment = (zoneName: string) => {
  const { transitions } = requireZone(zoneName)
  const anywhere = fc.integer({ min: FIRST / 1_000, max: END / 1_000 - 1 }).map((seconds) => seconds * 1_000)
  const inside = transitions.filter((at) => at > FIRST + 2 * DAY_MS && at < END - 2 * DAY_MS)
  if (inside.length === 0) return anywhere
  const near = fc
    .tuple(fc.constantFrom(...inside), fc.integer({ min: -36 * 60, max: 36 * 60 }), fc.integer({ min: 0, max: 59 }))
    .map(([at, minutes, seconds]) => at + minutes * MINUTE_MS + seconds * 1_000)
  return fc.oneof(anywhere, near)
}

for (const name of ZONES) {
  test(`wall times and instants in ${name} are Temporal's, 1900 to 2200 (DAYBOOK_SEED=${SEED})`, () => {
    const zone = requireZone(name)
    fc.assert(
      fc.property(moment(name), (value) => {
        const theirs = Temporal.Instant.fromEpochMilliseconds(value).toZonedDateTimeISO(name)
        assert.equal(toWall(zone, value), wallOf(theirs.toPlainDateTime()), `the reading at ${formatUtc(value)}`)
        assert.equal(offsetAt(zone, value), Math.round(theirs.offsetNanoseconds / 1e6))
        const asReading = plain(value).toZonedDateTime(name, { disambiguation: 'compatible' })
        assert.equal(toInstant(zone, value), asReading.epochMilliseconds, `the instant of ${formatUtc(value)} there`)
        const date = plain(value).toPlainDate()
        assert.equal(
          startOfDay(zone, Math.floor(value / DAY_MS)),
          date.toZonedDateTime({ timeZone: name }).epochMilliseconds,
          `the start of ${date}`,
        )
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
}

test(`a formatted instant parses to the same instant, also where the offset had seconds (DAYBOOK_SEED=${SEED})`, () => {
  for (const name of ZONES) {
    const zone = requireZone(name)
    fc.assert(
      fc.property(moment(name), (value) => {
        const text = formatInstant(value, zone)
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
        assert.equal(instantIn(text), value, text)
      }),
      { seed: SEED, numRuns: 60 },
    )
  }
})

test('an offset with seconds is written to the minute and the wall time follows', () => {
  // Monrovia had -00:44:30 until 1972.
  const noon = Date.parse('1930-01-15T12:00:00Z')
  const monrovia = requireZone('Africa/Monrovia')
  assert.equal(offsetAt(monrovia, noon), -(44 * 60 + 30) * 1_000)
  const text = formatInstant(noon, monrovia)
  assert.equal(parsedInstant(text), noon)
  assert.ok(text === '1930-01-15T11:16:00-00:44' || text === '1930-01-15T11:15:00-00:45', text)
})

test('an offset of less than half a minute is written as +00:00, never as -00:00', () => {
  for (const name of ZONES) {
    const zone = requireZone(name)
    for (const at of zone.transitions) assert.doesNotMatch(formatInstant(at, zone), /-00:00$/)
  }
})

test('London in spring: a skipped wall time is read with the offset before the gap', () => {
  const london = requireZone('Europe/London')
  assert.equal(formatInstant(toInstant(london, wallFromParts(2026, 3, 29, 1, 30)), london), '2026-03-29T02:30:00+01:00')
  assert.equal(formatInstant(toInstant(london, wallFromParts(2026, 3, 29, 0, 59)), london), '2026-03-29T00:59:00+00:00')
  assert.equal(formatInstant(toInstant(london, wallFromParts(2026, 3, 29, 2, 0)), london), '2026-03-29T02:00:00+01:00')
})

test('London in autumn: a repeated wall time means the first', () => {
  const london = requireZone('Europe/London')
  assert.equal(
    formatInstant(toInstant(london, wallFromParts(2026, 10, 25, 1, 30)), london),
    '2026-10-25T01:30:00+01:00',
  )
  assert.equal(formatInstant(toInstant(london, wallFromParts(2026, 10, 25, 2, 0)), london), '2026-10-25T02:00:00+00:00')
})

test('London was an hour ahead of Greenwich all year from 1968 to 1971', () => {
  const london = requireZone('Europe/London')
  for (const month of [1, 7, 12]) assert.equal(offsetAt(london, Date.UTC(1970, month - 1, 1)), HOUR_MS)
  assert.equal(formatUtc(startOfDay(london, dayFromDate(1970, 1, 1))), '1969-12-31T23:00:00Z')
})

test('Dublin has winter time as its exception and still has the same wall time as London', () => {
  const dublin = requireZone('Europe/Dublin')
  assert.equal(formatInstant(Date.parse('2026-01-15T12:00:00Z'), dublin), '2026-01-15T12:00:00+00:00')
  assert.equal(formatInstant(Date.parse('2026-07-15T12:00:00Z'), dublin), '2026-07-15T13:00:00+01:00')
})

test('Lord Howe changes its clocks by half an hour', () => {
  const zone = requireZone('Australia/Lord_Howe')
  const summer = toInstant(zone, wallFromParts(2026, 1, 15, 9, 0))
  const winter = toInstant(zone, wallFromParts(2026, 7, 15, 9, 0))
  assert.equal(formatInstant(summer, zone), '2026-01-15T09:00:00+11:00')
  assert.equal(formatInstant(winter, zone), '2026-07-15T09:00:00+10:30')
  // 4 October 2026, 02:00 becomes 02:30.
  assert.equal(formatInstant(toInstant(zone, wallFromParts(2026, 10, 4, 2, 15)), zone), '2026-10-04T02:45:00+11:00')
  // 5 April 2026, 02:00 becomes 01:30.
  assert.equal(formatInstant(toInstant(zone, wallFromParts(2026, 4, 5, 1, 45)), zone), '2026-04-05T01:45:00+11:00')
})

test('a day in Cairo that has no midnight begins at one', () => {
  const cairo = requireZone('Africa/Cairo')
  assert.equal(formatInstant(startOfDay(cairo, dayFromDate(2023, 4, 28)), cairo), '2023-04-28T01:00:00+03:00')
  assert.equal(formatInstant(startOfDay(cairo, dayFromDate(2023, 4, 29)), cairo), '2023-04-29T00:00:00+03:00')
})

test('a day in Toronto whose midnight is inside a gap begins where the gap ends', () => {
  const toronto = requireZone('America/Toronto')
  // 30 March 1919: 23:30 became 00:30.
  assert.equal(formatInstant(startOfDay(toronto, dayFromDate(1919, 3, 31)), toronto), '1919-03-31T00:30:00-04:00')
})

test('a day whose midnight happens twice begins at the first', () => {
  const havana = requireZone('America/Havana')
  // 1 November 2026: 01:00 becomes 00:00.
  assert.equal(formatInstant(startOfDay(havana, dayFromDate(2026, 11, 1)), havana), '2026-11-01T00:00:00-04:00')
})

test('the day that Apia skipped begins and ends where the next one begins', () => {
  const apia = requireZone('Pacific/Apia')
  const next = startOfDay(apia, dayFromDate(2011, 12, 31))
  assert.equal(formatInstant(next, apia), '2011-12-31T00:00:00+14:00')
  assert.equal(startOfDay(apia, dayFromDate(2011, 12, 30)), next)
  assert.equal(startOfDay(apia, dayFromDate(2011, 12, 29)), next - DAY_MS)
  // A wall time of the missing day is read with the offset before it.
  assert.equal(formatInstant(toInstant(apia, wallFromParts(2011, 12, 30, 9, 0)), apia), '2011-12-31T09:00:00+14:00')
})

test('zone names match in any letter case and come back in canonical spelling', () => {
  assert.equal(findZone('europe/LONDON')?.name, 'Europe/London')
  assert.equal(findZone('utc')?.name, 'UTC')
  assert.equal(findZone('Europe/London'), findZone('europe/london'))
})

test('a name that is not in the IANA database is not a zone', () => {
  const wrong = [
    '',
    ' ',
    'Mars/Olympus',
    '+01:00',
    '-05:00',
    '01:00',
    'Europe/London ',
    'Europe/London\n',
    'Europe/Lon\0don',
    '../../etc/localtime',
    'GMT Standard Time',
    'x'.repeat(65),
    'Europe/London[u-ca=gregory]',
    '2026-01-01T00:00Z',
    'constructor',
    '__proto__',
  ]
  for (const name of wrong) assert.equal(findZone(name), undefined, JSON.stringify(name))
  assert.throws(() => requireZone('Mars/Olympus'), RangeError)
})

const parsedInstant = (text: string): number | undefined => {
  const parsed = parseTimeText(text)
  return parsed?.kind === 'instant' ? parsed.instant : undefined
}

const wallOf = (reading: Temporal.PlainDateTime): number =>
  reading.toZonedDateTime('UTC', { disambiguation: 'compatible' }).epochMilliseconds
