// Occurrence keys: one key for each occurrence, in every notation and across clock changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Series } from '../../../src/domain/calendar/event.ts'
import { findKey, formatOccurrenceKey, parseOccurrenceKey } from '../../../src/domain/recurrence/occurrence-key.ts'
import { expand, patternOf, startAtOf } from '../../../src/domain/recurrence/occurrences.ts'
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import { formatInstant, formatUtc } from '../../../src/domain/time/text.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { create, patch } from '../calendar/series.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 112)

/** The canonical key of a text in a series, or undefined. */
function named(series: Series, text: string): string | undefined {
  const parsed = parseOccurrenceKey(text)
  const wall = parsed && findKey(patternOf(series), parsed)
  return wall === undefined ? undefined : formatOccurrenceKey(wall, series.timing.allDay)
}

test('every accepted form names the same occurrence', () => {
  const series = create({ rrule: 'FREQ=WEEKLY' })
  const forms = [
    '20260721T193000',
    '2026-07-21T19:30:00',
    '2026-07-21T19:30',
    '20260721T183000Z',
    '2026-07-21T18:30:00Z',
    '2026-07-21T19:30:00+01:00',
    '2026-07-21T14:30:00-04:00',
    '2026-07-21T18:30:00.000Z',
  ]
  for (const form of forms) assert.equal(named(series, form), '20260721T193000', form)
})

test('malformed keys are not keys', () => {
  const wrong = [
    '',
    'x',
    '2026',
    '20260732',
    '20260721T253000',
    '20260721T19',
    '20260721T193000Q',
    '../20260721',
    '20260721%2F',
    '20260721T193000Z ',
    '20260721T193000\0',
    '９0260721',
    '1e5',
    '-20260721',
  ]
  for (const text of wrong) assert.equal(parseOccurrenceKey(text), undefined, JSON.stringify(text))
})

test('a key that the series does not have matches nothing', () => {
  const series = create({ rrule: 'FREQ=WEEKLY;COUNT=3' })
  const absent = [
    '20260722T193000',
    '20260721T193001',
    '20260707T193000',
    '20260804T193000',
    '20260721',
    '20260721T193000Z',
    '00010101T000000',
    '99991231T235959Z',
  ]
  for (const text of absent) assert.equal(named(series, text), undefined, text)
})

test('an all-day occurrence is identified by its date only', () => {
  const series = create({ all_day: true, start: '2026-07-14', end: '2026-07-15', rrule: 'FREQ=WEEKLY' })
  assert.equal(named(series, '20260721'), '20260721')
  assert.equal(named(series, '2026-07-21'), '20260721')
  for (const text of ['20260721T000000', '2026-07-21T00:00:00Z', '2026-07-20T23:00:00Z', '20260722']) {
    assert.equal(named(series, text), undefined, text)
  }
})

test('an occurrence in the skipped hour has its nominal key and is found by the instant it is shown at', () => {
  const series = create({ start: '2026-03-01T01:30', end: '2026-03-01T02:00', rrule: 'FREQ=DAILY' })
  for (const form of ['20260329T013000', '2026-03-29T02:30:00+01:00', '20260329T013000Z']) {
    assert.equal(named(series, form), '20260329T013000', form)
  }
  assert.equal(named(series, '20260329T023000'), undefined, 'a reading names only itself')
})

test('keys work where Lord Howe skips half an hour and Apia a whole day', () => {
  const island = create({
    timezone: 'Australia/Lord_Howe',
    start: '2026-10-01T02:15',
    end: '2026-10-01T02:30',
    rrule: 'FREQ=DAILY',
  })
  assert.equal(named(island, '2026-10-04T02:45:00+11:00'), '20261004T021500')
  const apia = create({
    timezone: 'Pacific/Apia',
    start: '2011-12-16T09:00',
    end: '2011-12-16T10:00',
    rrule: 'FREQ=WEEKLY',
  })
  assert.equal(named(apia, '20111230T090000'), '20111230T090000')
  assert.equal(named(apia, '2011-12-31T09:00:00+14:00'), '20111230T090000')
})

test('in the repeated hour the occurrence is the first, and the second matches nothing', () => {
  const series = create({ start: '2026-10-01T01:30', end: '2026-10-01T02:00', rrule: 'FREQ=DAILY' })
  assert.equal(named(series, '2026-10-25T01:30:00+01:00'), '20261025T013000')
  assert.equal(named(series, '20261025T003000Z'), '20261025T013000')
  assert.equal(named(series, '2026-10-25T01:30:00+00:00'), undefined)
})

test('moving the series to another zone changes no key', () => {
  const series = create({ start: '2026-03-01T01:30', end: '2026-03-01T02:00', rrule: 'FREQ=DAILY' })
  for (const timezone of ['America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe', 'UTC']) {
    const moved = patch(series, { timezone }).series
    for (const key of ['20260301T013000', '20260308T013000', '20260329T013000', '20261025T013000']) {
      assert.equal(named(moved, key), key, timezone)
    }
  }
})

test('extra dates, the start and excluded dates have keys', () => {
  const series = create({ rrule: 'FREQ=WEEKLY;BYDAY=FR', rdates: ['20260716T100000'], exdates: ['20260717T193000'] })
  for (const key of ['20260714T193000', '20260716T100000', '20260717T193000']) assert.equal(named(series, key), key)
  assert.equal(named(series, '20260716T090000Z'), '20260716T100000')
})

test(`each occurrence is found by its key, by its instant in UTC and by its shown time (DAYBOOK_SEED=${SEED})`, () => {
  const zones = [
    'Europe/London',
    'America/New_York',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'America/Havana',
    'Asia/Kolkata',
  ]
  const anyKey = fc.tuple(
    fc.constantFrom(...zones),
    fc.constantFrom('00:00', '00:30', '01:15', '01:30', '02:00', '02:15', '02:30', '23:45'),
    fc.integer({ min: 0, max: 800 }),
  )
  fc.assert(
    fc.property(anyKey, ([timezone, time, after]) => {
      const series = create({ timezone, start: `2025-06-01T${time}`, end: `2025-06-01T${time}`, rrule: 'FREQ=DAILY' })
      const pattern = patternOf(series)
      const wall = series.timing.startWall + after * DAY_MS
      const key = formatOccurrenceKey(wall, false)
      const at = startAtOf(pattern, wall)
      assert.deepEqual(
        expand(pattern, { from: at, to: at + 1 }).occurrences.map((occurrence) => occurrence.key),
        [wall],
      )
      for (const form of [key, formatUtc(at), formatInstant(at, requireZone(timezone))]) {
        assert.equal(named(series, form), key, `${timezone} ${form}`)
      }
    }),
    { seed: SEED, numRuns: 400 },
  )
})
