// The functions that take the place of temporal-polyfill in the pages: the same as Temporal, and all that is called.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as functions from '../../../web/calendar/fullcalendar/zone-functions.ts'

const ZONES = [
  'UTC',
  'Europe/London',
  'Europe/Dublin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Chatham',
]

/** Around each change of the offset, and in between. */
function* instantsOf(zone: string): Generator<number> {
  const last = Temporal.Instant.from('2031-01-01T00:00:00Z').epochMilliseconds
  let at = Temporal.Instant.from('1971-03-05T06:07:08.9Z').toZonedDateTimeISO(zone)
  while (at.epochMilliseconds < last) {
    for (const minutes of [-95, -31, -1, 0, 1, 29, 61, 125]) yield at.epochMilliseconds + minutes * 60_000
    yield at.epochMilliseconds + 90 * 86_400_000 + 123
    const next = at.getTimeZoneTransition('next')
    if (!next) return
    at = next
  }
}

test('an instant has the clock time and offset that Temporal gives it', () => {
  for (const zone of ZONES)
    for (const at of instantsOf(zone)) {
      const expected = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
      const found = functions.toZonedDateTimeISO(functions.fromEpochMilliseconds(at), zone)
      const { year, month, day, hour, minute, second, millisecond } = expected
      assert.deepEqual(
        found,
        {
          epochMilliseconds: at,
          offsetMs: expected.offsetNanoseconds / 1e6,
          year,
          month,
          day,
          hour,
          minute,
          second,
          millisecond,
        },
        `${zone} ${expected}`,
      )
      assert.equal(functions.offsetNanoseconds(found), expected.offsetNanoseconds)
    }
})

test('a clock time is the instant that Temporal gives it, also where it is skipped or occurs twice', () => {
  for (const zone of ZONES)
    for (const at of instantsOf(zone)) {
      const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').toPlainDateTime()
      for (const local of [
        wall,
        Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime(),
      ]) {
        const { year, month, day, hour, minute, second, millisecond } = local
        const asked = functions.create(year, month, day, hour, minute, second, millisecond)
        const expected = local.toZonedDateTime(zone)
        assert.equal(
          functions.toZonedDateTime(asked, zone).epochMilliseconds,
          expected.epochMilliseconds,
          `${zone} ${local}`,
        )
      }
    }
})

test('FullCalendar calls no function of temporal-polyfill that is missing', () => {
  const source = readFileSync(
    join(import.meta.dirname, '../../../node_modules/@full-ui/headless-calendar/index.js'),
    'utf8',
  )
  const called = [...source.matchAll(/\b(?:Instant|PlainDateTime|ZonedDateTime)Fns\.(\w+)/g)].map(([, name]) => name!)
  assert.ok(called.length >= 5)
  assert.deepEqual(
    called.filter((name) => !(name in functions)),
    [],
  )
  const imported = [...source.matchAll(/from 'temporal-polyfill([^']*)'/g)].map(([, path]) => path)
  assert.deepEqual(imported.sort(), ['/fns/Instant', '/fns/PlainDateTime', '/fns/ZonedDateTime'])
})
