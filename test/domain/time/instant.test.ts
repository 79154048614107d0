// Day numbers and dates compared with Date of the platform.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DAY_MS,
  dateFromDay,
  dayFromDate,
  dayOf,
  daysInMonth,
  isLeapYear,
  isRealDate,
  wallFromParts,
  wallOfDay,
  weekdayOf,
} from '../../../src/domain/time/instant.ts'

test('every day from 1899 to 2202 has the date and the weekday of Date', () => {
  for (let day = dayFromDate(1899, 1, 1); day < dayFromDate(2203, 1, 1); day++) {
    const date = new Date(day * DAY_MS)
    const expected = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    const actual = dateFromDay(day)
    if (actual.year !== expected.year || actual.month !== expected.month || actual.day !== expected.day) {
      assert.deepEqual(actual, expected)
    }
    if (dayFromDate(expected.year, expected.month, expected.day) !== day) assert.fail(date.toISOString())
    if (weekdayOf(day) !== (date.getUTCDay() + 6) % 7) assert.fail(`the weekday of ${date.toISOString()}`)
  }
})

test('a wall time a millisecond before midnight belongs to the day before, also before 1970', () => {
  for (const midnight of [wallFromParts(2026, 7, 14), wallFromParts(1950, 7, 14)]) {
    assert.equal(dayOf(midnight - 1), dayOf(midnight) - 1)
    assert.equal(wallOfDay(dayOf(midnight + 1)), midnight)
  }
})

test('leap years follow the Gregorian rule', () => {
  assert.deepEqual([1900, 2000, 2024, 2026, 2100, 2200].map(isLeapYear), [false, true, true, false, false, false])
  assert.equal(daysInMonth(2000, 2), 29)
  assert.equal(daysInMonth(1900, 2), 28)
})

test('impossible dates are not real', () => {
  const wrong: [number, number, number][] = [
    [2026, 2, 29],
    [2026, 0, 1],
    [2026, 13, 1],
    [2026, 4, 31],
    [2026, 1, 0],
    [2100, 2, 29],
  ]
  for (const date of wrong) assert.equal(isRealDate(...date), false, String(date))
  assert.equal(isRealDate(2028, 2, 29), true)
})
