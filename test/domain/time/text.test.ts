// Dates and times as text: accepted forms, refused forms, and formatting.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dayFromDate, wallFromParts } from '../../../src/domain/time/instant.ts'
import {
  formatBasicDate,
  formatBasicLocal,
  formatDate,
  formatInstant,
  formatLocal,
  formatUtc,
  isWithinYears,
  parseTimeText,
} from '../../../src/domain/time/text.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { anyText } from '../../support/any-text.ts'

const instantIn = (text: string): number | undefined => {
  const parsed = parseTimeText(text)
  return parsed?.kind === 'instant' ? parsed.instant : undefined
}

const SEED = Number(process.env.DAYBOOK_SEED ?? 8601)

test('a date is accepted in extended and in basic form', () => {
  const day = dayFromDate(2026, 7, 14)
  for (const text of ['2026-07-14', '20260714']) assert.deepEqual(parseTimeText(text), { kind: 'date', day })
})

test('a date-time without an offset is a wall time, in every accepted form', () => {
  const wall = wallFromParts(2026, 7, 14, 9, 30)
  const forms = [
    '2026-07-14T09:30:00',
    '2026-07-14T09:30',
    '20260714T093000',
    '20260714T0930',
    '2026-07-14t09:30:00',
    '2026-07-14T09:30:00.999',
    '2026-07-14T09:30:00,5',
  ]
  for (const text of forms) assert.deepEqual(parseTimeText(text), { kind: 'local', wall }, text)
})

test('a date-time with an offset is an instant, in every accepted form', () => {
  const instant = Date.parse('2026-07-14T08:30:15Z')
  const forms = [
    '2026-07-14T08:30:15Z',
    '2026-07-14t08:30:15z',
    '20260714T083015Z',
    '2026-07-14T09:30:15+01:00',
    '2026-07-14T09:30:15+0100',
    '2026-07-14T09:30:15+01',
    '2026-07-14T03:00:15-05:30',
    '2026-07-15T08:00:15+23:30',
    '2026-07-14T08:30:15-00:00',
    '2026-07-14T08:30:15.123456789Z',
  ]
  for (const text of forms) assert.equal(instantIn(text), instant, text)
})

test('text that is neither a date nor a time is refused', () => {
  const wrong = [
    '',
    ' ',
    'tomorrow',
    '2026',
    '2026-07',
    '2026-7-14',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-07-32',
    '99999-01-01',
    '-2026-07-14',
    '+2026-07-14',
    '2026-07-14T24:00:00',
    '2026-07-14T09:60:00',
    '2026-07-14T09:00:61',
    '2026-07-14T09',
    '2026-07-14 09:00:00',
    '2026-07-14T09:00:00+24:00',
    '2026-07-14T09:00:00+01:60',
    '2026-07-14T09:00:00+1',
    '2026-07-14T09:00:00 +01:00',
    '2026-07-14T09:00:00Zulu',
    '2026-07-14T09:00:00Z[Europe/London]',
    ' 2026-07-14',
    '2026-07-14\n',
    '2026-07-14T09:00:00\r\nX',
    '2026-W29-2',
    '２０２６-07-14',
    `2026-07-14T09:00:00.${'0'.repeat(50)}Z`,
    '1'.repeat(100_000),
  ]
  for (const text of wrong) assert.equal(parseTimeText(text), undefined, JSON.stringify(text.slice(0, 60)))
})

test('fractions of a second are dropped, also before 1970', () => {
  assert.equal(instantIn('1950-01-01T00:00:00.999Z'), Date.parse('1950-01-01T00:00:00Z'))
})

test(`any text is either accepted or refused, and never throws (DAYBOOK_SEED=${SEED})`, () => {
  const near = fc.stringMatching(/^[0-9TtZz:+., -]{0,45}$/)
  fc.assert(
    fc.property(fc.oneof(near, anyText()), (text) => {
      const parsed = parseTimeText(text)
      if (!parsed) return
      const number = parsed.kind === 'date' ? parsed.day : parsed.kind === 'local' ? parsed.wall : parsed.instant
      assert.ok(Number.isSafeInteger(number), text)
    }),
    { seed: SEED, numRuns: 3_000 },
  )
})

test(`every second of the supported years survives formatting and parsing (DAYBOOK_SEED=${SEED})`, () => {
  const second = fc
    .integer({ min: wallFromParts(1900, 1, 1) / 1_000, max: wallFromParts(2201, 1, 1) / 1_000 - 1 })
    .map((value) => value * 1_000)
  fc.assert(
    fc.property(second, (wall) => {
      assert.deepEqual(parseTimeText(formatLocal(wall)), { kind: 'local', wall })
      assert.deepEqual(parseTimeText(formatBasicLocal(wall)), { kind: 'local', wall })
      assert.deepEqual(parseTimeText(formatUtc(wall)), { kind: 'instant', instant: wall, written: wall })
      assert.equal(formatUtc(wall), new Date(wall).toISOString().replace('.000', ''))
    }),
    { seed: SEED, numRuns: 1_000 },
  )
})

test('each time form is formatted as specified', () => {
  const wall = wallFromParts(2026, 7, 4, 9, 5, 7)
  const day = dayFromDate(2026, 7, 4)
  assert.equal(formatLocal(wall), '2026-07-04T09:05:07')
  assert.equal(formatBasicLocal(wall), '20260704T090507')
  assert.equal(formatDate(day), '2026-07-04')
  assert.equal(formatBasicDate(day), '20260704')
  assert.equal(formatUtc(wall), '2026-07-04T09:05:07Z')
  assert.equal(formatInstant(wall, requireZone('Asia/Kathmandu')), '2026-07-04T14:50:07+05:45')
  assert.equal(formatInstant(wall, requireZone('America/St_Johns')), '2026-07-04T06:35:07-02:30')
  assert.equal(formatInstant(wall, requireZone('UTC')), '2026-07-04T09:05:07+00:00')
})

test('supported times are from the first second of 1900 to the last of 2200', () => {
  assert.equal(isWithinYears(wallFromParts(1900, 1, 1)), true)
  assert.equal(isWithinYears(wallFromParts(1900, 1, 1) - 1), false)
  assert.equal(isWithinYears(wallFromParts(2200, 12, 31, 23, 59, 59)), true)
  assert.equal(isWithinYears(wallFromParts(2201, 1, 1)), false)
})
