// Event times: local times, instants, all-day dates, and nights when the clocks change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DAY_MS, dayOf } from '../../../src/domain/time/instant.ts'
import { formatInstant, formatLocal } from '../../../src/domain/time/text.ts'
import { requireZone, startOfDay } from '../../../src/domain/time/zone.ts'
import { create, patch, problems, replace, when } from './series.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 29)

test('a time without an offset is local to the event’s zone', () => {
  assert.equal(when(create()), '2026-07-14T19:30:00+01:00 → 2026-07-14T21:00:00+01:00')
  assert.equal(when(create({ timezone: 'America/New_York' })), '2026-07-14T19:30:00-04:00 → 2026-07-14T21:00:00-04:00')
})

test('a time with an offset is that instant, and its local time follows from the zone', () => {
  const event = create({ start: '2026-07-14T19:30:00-04:00', end: '2026-07-15T01:00:00Z' })
  assert.equal(when(event), '2026-07-15T00:30:00+01:00 → 2026-07-15T02:00:00+01:00')
  assert.equal(formatLocal(event.timing.startWall), '2026-07-15T00:30:00')
})

test('a zone comes back in its canonical spelling, and an unknown one is refused', () => {
  assert.equal(create({ timezone: 'europe/paris' }).timing.zone, 'Europe/Paris')
  assert.equal(create({ timezone: null }).timing.zone, 'Europe/London')
  for (const timezone of ['Europe/Atlantis', '+01:00', 'GMT Standard Time', '']) {
    assert.deepEqual(
      problems(() => create({ timezone })),
      ['/timezone timezone_unknown'],
      timezone,
    )
  }
})

test('an event may have no duration, but not a negative one', () => {
  assert.equal(create({ end: '2026-07-14T19:30' }).timing.durationMs, 0)
  assert.deepEqual(
    problems(() => create({ end: '2026-07-14T19:29:59' })),
    ['/end end_before_start'],
  )
  assert.deepEqual(
    problems(() => create({ start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T01:45:00+01:00' })),
    ['/end end_before_start'],
  )
})

test('an event lasts at most 366 days', () => {
  const start = '2026-01-10T09:00'
  assert.equal(create({ start, end: '2027-01-11T09:00' }).timing.durationMs, 366 * DAY_MS)
  assert.deepEqual(
    problems(() => create({ start, end: '2027-01-11T09:00:01' })),
    ['/end range_too_large'],
  )
  const days = { all_day: true, start: '2026-01-10' }
  assert.equal(create({ ...days, end: '2027-01-11' }).timing.durationMs, 366 * DAY_MS)
  assert.deepEqual(
    problems(() => create({ ...days, end: '2027-01-12' })),
    ['/end range_too_large'],
  )
})

test('events are limited to the years 1900 to 2200, at both ends', () => {
  create({ start: '1900-01-01T00:00', end: '1900-01-01T01:00' })
  create({ start: '1900-01-01T00:00', end: '1900-01-01T00:00' })
  create({ start: '2200-12-31T23:00', end: '2201-01-01T00:00' })
  create({ all_day: true, start: '2200-12-31', end: '2201-01-01' })
  assert.deepEqual(
    problems(() => create({ start: '1899-12-31T23:59:59', end: '1900-01-01T01:00' })),
    ['/start out_of_range'],
  )
  assert.deepEqual(
    problems(() => create({ start: '2201-01-01T00:00', end: '2201-01-01T01:00' })),
    ['/start out_of_range'],
  )
  assert.deepEqual(
    problems(() => create({ start: '2200-12-31T23:00', end: '2201-01-01T00:00:01' })),
    ['/end out_of_range'],
  )
  assert.deepEqual(
    problems(() => create({ all_day: true, start: '2200-12-31', end: '2201-01-02' })),
    ['/end out_of_range'],
  )
  assert.deepEqual(
    problems(() => create({ start: '0001-01-01', end: '9999-12-31' })),
    ['/start out_of_range'],
  )
  // The zone's local year decides: this is still 2200 in New York.
  create({ timezone: 'America/New_York', start: '2201-01-01T03:00:00Z', end: '2201-01-01T04:00:00Z' })
})

test('an all-day event is a range of dates, with its end the day after the last', () => {
  const day = create({ all_day: true, start: '2026-07-14', end: '2026-07-15' })
  assert.equal(day.timing.durationMs, DAY_MS)
  assert.equal(formatLocal(day.timing.startWall), '2026-07-14T00:00:00')
  assert.equal(day.timing.startAt, day.timing.startWall)
})

test('an all-day event accepts dates in any form: with hours, with offsets, in any zone', () => {
  const expected = create({ all_day: true, start: '2026-07-14', end: '2026-07-16' }).timing
  const forms = [
    { start: '20260714', end: '20260716' },
    { start: '2026-07-14T09:00', end: '2026-07-15T17:00' },
    { start: '2026-07-14T00:00:00+01:00', end: '2026-07-16T00:00:00+01:00' },
    { start: '2026-07-13T23:00:00Z', end: '2026-07-15T23:00:00Z' },
  ]
  for (const form of forms) assert.deepEqual(create({ all_day: true, ...form }).timing, expected, JSON.stringify(form))
})

test('an all-day event that ends before it begins, or on the day it begins, is refused', () => {
  for (const end of ['2026-07-14', '2026-07-13', '2026-07-14T00:00']) {
    assert.deepEqual(
      problems(() => create({ all_day: true, start: '2026-07-14', end })),
      ['/end end_before_start'],
      end,
    )
  }
})

test('an all-day event keeps its dates whatever the clocks do', () => {
  for (const timezone of ['Europe/London', 'Africa/Cairo', 'Pacific/Apia', 'Asia/Tokyo', 'America/New_York']) {
    const { timing } = create({ all_day: true, timezone, start: '2026-03-29', end: '2026-03-30' })
    assert.deepEqual([timing.startAt, timing.durationMs], [Date.UTC(2026, 2, 29), DAY_MS], timezone)
  }
})

test(`an all-day event saved again as it is shown does not move or grow (DAYBOOK_SEED=${SEED})`, () => {
  const zones = [
    'Europe/London',
    'Africa/Cairo',
    'America/Havana',
    'America/Sao_Paulo',
    'Asia/Beirut',
    'Africa/Monrovia',
  ]
  const oddDays = zones.flatMap((name) => {
    const zone = requireZone(name)
    return zone.transitions
      .filter((at) => at > Date.UTC(1900, 1, 1) && at < Date.UTC(2200, 11, 1))
      .map((at) => ({ name, day: dayOf(at) }))
  })
  const day = fc.tuple(fc.constantFrom(...oddDays), fc.integer({ min: -2, max: 2 }), fc.integer({ min: 1, max: 3 }))
  fc.assert(
    fc.property(day, ([{ name, day: odd }, shift, length]) => {
      const zone = requireZone(name)
      const [first, next] = [odd + shift, odd + shift + length]
      const text = (of: number) => formatLocal(of * DAY_MS).slice(0, 10)
      const event = create({ all_day: true, timezone: name, start: text(first), end: text(next) })
      const shown = {
        start: formatInstant(startOfDay(zone, first), zone),
        end: formatInstant(startOfDay(zone, next), zone),
      }
      const again = replace(event, { all_day: true, timezone: name, ...shown }).series
      assert.deepEqual(again.timing, event.timing, `${name} ${shown.start} → ${shown.end}`)
    }),
    { seed: SEED, numRuns: 1_500 },
  )
})

test('an event created in the skipped hour keeps the local time it was given', () => {
  const event = create({ start: '2026-03-29T01:30', end: '2026-03-29T03:00' })
  assert.equal(formatLocal(event.timing.startWall), '2026-03-29T01:30:00')
  assert.equal(when(event), '2026-03-29T02:30:00+01:00 → 2026-03-29T03:00:00+01:00')
})

test('an event in the skipped hour keeps its local time when it is saved again as shown', () => {
  const event = create({ start: '2026-03-29T01:30', end: '2026-03-29T03:00', rrule: 'FREQ=DAILY' })
  const shown = { start: '2026-03-29T02:30:00+01:00', end: '2026-03-29T03:00:00+01:00' }
  assert.deepEqual(replace(event, { ...shown, rrule: 'FREQ=DAILY' }).series.timing, event.timing)
  assert.deepEqual(patch(event, shown).series.timing, event.timing)
  assert.deepEqual(patch(event, { start: shown.start }).series.timing, event.timing)
  // The same instant in another notation is still the same instant.
  assert.deepEqual(patch(event, { start: '2026-03-29T01:30:00Z' }).series.timing, event.timing)
  // A local time is taken literally: 02:30 without an offset is 02:30.
  const moved = patch(event, { start: '2026-03-29T02:30' }).series
  assert.equal(formatLocal(moved.timing.startWall), '2026-03-29T02:30:00')
})

test('an event created in the repeated hour is in the first one', () => {
  const event = create({ start: '2026-10-25T01:30', end: '2026-10-25T03:00' })
  assert.equal(when(event), '2026-10-25T01:30:00+01:00 → 2026-10-25T03:00:00+00:00')
})

test('the second of two equal local times is kept exactly for a single event, through every kind of save', () => {
  const shown = { start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T01:45:00+00:00' }
  const event = create(shown)
  assert.equal(when(event), '2026-10-25T01:30:00+00:00 → 2026-10-25T01:45:00+00:00')
  const saves = [
    replace(event, shown),
    patch(event, { title: 'Band' }),
    patch(event, shown),
    patch(event, { end: shown.end }),
    patch(event, { timezone: 'Europe/London' }),
    patch(event, { timezone: 'europe/london' }),
    patch(event, { all_day: false }),
  ]
  for (const { series } of saves) assert.equal(when(series), when(event))
})

test('the second of two equal local times cannot begin a series, however it becomes one', () => {
  const shown = { start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T01:45:00+00:00' }
  const refused = ['/start not_allowed']
  assert.deepEqual(
    problems(() => create({ ...shown, rrule: 'FREQ=DAILY' })),
    refused,
  )
  assert.deepEqual(
    problems(() => create({ ...shown, rdates: ['20261101T013000'] })),
    refused,
  )
  assert.deepEqual(
    problems(() => patch(create(shown), { rrule: 'FREQ=DAILY' })),
    refused,
  )
  assert.deepEqual(
    problems(() => patch(create(shown), { rdates: ['20261101T013000'] })),
    refused,
  )
  const series = create({ start: '2026-10-24T01:30', end: '2026-10-24T01:45', rrule: 'FREQ=DAILY' })
  assert.deepEqual(
    problems(() => patch(series, shown)),
    refused,
  )
  // The first local time can.
  create({ start: '2026-10-25T01:30:00+01:00', end: '2026-10-25T01:45:00+01:00', rrule: 'FREQ=DAILY' })
})

test('a patch of the start alone moves the event, and a patch of the end alone changes its length', () => {
  const event = create()
  assert.equal(
    when(patch(event, { start: '2026-07-14T19:00' }).series),
    '2026-07-14T19:00:00+01:00 → 2026-07-14T20:30:00+01:00',
  )
  assert.equal(
    when(patch(event, { start: '2027-01-05T19:00:00+00:00' }).series),
    '2027-01-05T19:00:00+00:00 → 2027-01-05T20:30:00+00:00',
  )
  assert.equal(
    when(patch(event, { end: '2026-07-15T01:00' }).series),
    '2026-07-14T19:30:00+01:00 → 2026-07-15T01:00:00+01:00',
  )
  assert.equal(
    when(patch(event, { start: '2026-07-14T19:00', end: '2026-07-14T21:00' }).series),
    '2026-07-14T19:00:00+01:00 → 2026-07-14T21:00:00+01:00',
  )
  assert.deepEqual(
    problems(() => patch(event, { end: '2026-07-14T19:00' })),
    ['/end end_before_start'],
  )
  assert.deepEqual(
    problems(() => patch(event, { start: '1899-01-01T00:00' })),
    ['/start out_of_range'],
  )
  assert.deepEqual(
    problems(() =>
      patch(create({ start: '2026-07-14T00:00', end: '2027-07-14T00:00' }), { start: '2200-12-31T00:00' }),
    ),
    ['/end out_of_range'],
  )
})

test('a moved event keeps its length in local time when the clocks change', () => {
  const night = create({ start: '2026-07-14T22:00', end: '2026-07-15T06:00' })
  assert.equal(
    when(patch(night, { start: '2026-03-28T22:00' }).series),
    '2026-03-28T22:00:00+00:00 → 2026-03-29T06:00:00+01:00',
  )
  assert.equal(
    when(patch(night, { start: '2026-10-24T22:00' }).series),
    '2026-10-24T22:00:00+01:00 → 2026-10-25T06:00:00+00:00',
  )
  // And back again.
  const long = patch(night, { start: '2026-10-24T22:00' }).series
  assert.equal(when(patch(long, { start: '2026-07-14T22:00' }).series), when(night))
  // A start that is skipped is shown an hour later, and the length counts from there.
  const hour = create({ start: '2026-07-14T19:00', end: '2026-07-14T20:00' })
  assert.equal(
    when(patch(hour, { start: '2026-03-29T01:30' }).series),
    '2026-03-29T02:30:00+01:00 → 2026-03-29T03:30:00+01:00',
  )
  const skipped = create({ start: '2026-03-29T01:30', end: '2026-03-29T03:30' })
  assert.equal(
    when(patch(skipped, { start: '2026-07-14T19:00' }).series),
    '2026-07-14T19:00:00+01:00 → 2026-07-14T20:00:00+01:00',
  )
  // In the repeated hour the end never comes before the start.
  const quarter = create({ start: '2026-07-14T19:00', end: '2026-07-14T19:15' })
  assert.equal(
    when(patch(quarter, { start: '2026-10-25T01:30:00+00:00' }).series),
    '2026-10-25T01:30:00+00:00 → 2026-10-25T01:45:00+00:00',
  )
  const repeated = create({ start: '2026-10-25T01:30:00+01:00', end: '2026-10-25T01:15:00+00:00' })
  assert.equal(
    when(patch(repeated, { start: '2026-07-14T19:00' }).series),
    '2026-07-14T19:00:00+01:00 → 2026-07-14T19:45:00+01:00',
  )
  const moment = create({ start: '2026-07-14T19:00', end: '2026-07-14T19:00' })
  assert.equal(
    when(patch(moment, { start: '2026-10-25T01:30:00+00:00' }).series),
    '2026-10-25T01:30:00+00:00 → 2026-10-25T01:30:00+00:00',
  )
})

test('a moved event keeps its days, and its length in another zone or as an all-day event', () => {
  const days = create({ all_day: true, start: '2026-07-14', end: '2026-07-17' })
  const moved = patch(days, { start: '2026-10-24' }).series.timing
  assert.deepEqual(moved, create({ all_day: true, start: '2026-10-24', end: '2026-10-27' }).timing)
  assert.deepEqual(patch(days, { start: '2026-07-14' }).series, days)
  assert.equal(
    when(patch(days, { all_day: false, start: '2026-10-24T09:00' }).series),
    '2026-10-24T09:00:00+01:00 → 2026-10-27T09:00:00+00:00',
  )
  const night = create({ start: '2026-07-14T22:00', end: '2026-07-15T06:00' })
  assert.deepEqual(
    patch(night, { all_day: true, start: '2026-07-20' }).series.timing,
    create({ all_day: true, start: '2026-07-20', end: '2026-07-22' }).timing,
  )
  assert.equal(
    when(patch(night, { timezone: 'Asia/Tokyo', start: '2026-10-24T22:00' }).series),
    '2026-10-24T22:00:00+09:00 → 2026-10-25T06:00:00+09:00',
  )
  assert.deepEqual(
    problems(() => patch(night, { timezone: 'Nowhere/Town', start: '2026-10-24T22:00' })),
    ['/timezone timezone_unknown'],
  )
})

test('a new zone alone keeps the local times, and a new zone with an instant keeps the instant', () => {
  const event = create()
  assert.equal(
    when(patch(event, { timezone: 'Asia/Tokyo' }).series),
    '2026-07-14T19:30:00+09:00 → 2026-07-14T21:00:00+09:00',
  )
  const both = { timezone: 'Asia/Tokyo', start: '2026-07-14T19:30:00+01:00', end: '2026-07-14T21:00:00+01:00' }
  assert.equal(when(patch(event, both).series), '2026-07-15T03:30:00+09:00 → 2026-07-15T05:00:00+09:00')
  assert.equal(when(patch(patch(event, { timezone: 'Asia/Tokyo' }).series, { timezone: null }).series), when(event))
})

test('an event becomes all-day on the dates it touched, and timed again from midnight to midnight', () => {
  const event = create({ start: '2026-07-14T19:30', end: '2026-07-15T02:00' })
  const days = patch(event, { all_day: true }).series
  assert.deepEqual(days.timing, create({ all_day: true, start: '2026-07-14', end: '2026-07-16' }).timing)
  const timed = patch(days, { all_day: false }).series
  assert.equal(when(timed), '2026-07-14T00:00:00+01:00 → 2026-07-16T00:00:00+01:00')
  const atNine = patch(days, { all_day: false, start: '2026-07-14T09:00', end: '2026-07-14T10:00' }).series
  assert.equal(when(atNine), '2026-07-14T09:00:00+01:00 → 2026-07-14T10:00:00+01:00')
})

test('an all-day event in another zone keeps its dates', () => {
  const days = create({ all_day: true, start: '2026-07-14', end: '2026-07-15' })
  const tokyo = patch(days, { timezone: 'Asia/Tokyo' }).series.timing
  assert.deepEqual(tokyo, { ...days.timing, zone: 'Asia/Tokyo' })
})
