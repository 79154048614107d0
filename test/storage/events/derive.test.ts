// Derived rows of a series: columns, exceptions, and occurrence rows without gaps or duplicates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Series } from '../../../src/domain/calendar/event.ts'
import { expand, patternOf } from '../../../src/domain/recurrence/occurrences.ts'
import { parseRule, type Rule } from '../../../src/domain/recurrence/rule.ts'
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../src/domain/time/instant.ts'
import { formatLocal } from '../../../src/domain/time/text.ts'
import type { Range } from '../../../src/domain/time/window.ts'
import { type Derived, derive } from '../../../src/storage/events/derive.ts'
import { BUCKETS, bucketOf, earliestStart, isAllDayBucket } from '../../../src/storage/events/duration-buckets.ts'
import { create, edit, exclude, keys, patch } from '../../domain/calendar/series.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 4000)

/** A year back and two ahead, from July 2026. */
const SPAN: Range = { from: Date.UTC(2025, 6, 1), to: Date.UTC(2028, 6, 1) }

const startsOf = ({ occurrences }: Derived): string[] =>
  occurrences.map(({ start_at }) => new Date(start_at).toISOString())

test('a single event is one row at any distance, and nothing is left to compute', () => {
  for (const year of ['1950', '2026', '2150']) {
    const event = create({ start: `${year}-07-14T10:00:00Z`, end: `${year}-07-14T11:00:00Z` })
    const derived = derive(event, SPAN)
    assert.deepEqual(startsOf(derived), [`${year}-07-14T10:00:00.000Z`])
    assert.deepEqual([derived.columns.indexed_from, derived.columns.indexed_to], [null, null])
  }
})

test('a short series is indexed whole, at any distance', () => {
  const series = create({ start: '1990-07-14T10:00', end: '1990-07-14T11:00', rrule: 'FREQ=WEEKLY;COUNT=50' })
  const { columns, occurrences } = derive(series, SPAN)
  assert.deepEqual([occurrences.length, columns.indexed_from, columns.indexed_to], [50, null, null])
})

test('an endless series has rows for the span, and stores where they begin and end', () => {
  const series = create({ start: '2020-01-01T10:00', end: '2020-01-01T11:00', rrule: 'FREQ=DAILY' })
  const { columns, occurrences } = derive(series, SPAN)
  assert.deepEqual([columns.indexed_from, columns.indexed_to], [SPAN.from, SPAN.to])
  assert.equal(occurrences.length, 1_096)
  assert.ok(occurrences.every(({ start_at }) => start_at >= SPAN.from && start_at < SPAN.to))
})

test('a bounded series that fits is indexed whole, however far it reaches', () => {
  const series = create({ start: '2026-07-14T10:00', end: '2026-07-14T11:00', rrule: 'FREQ=WEEKLY;UNTIL=20400101' })
  const { columns, occurrences } = derive(series, SPAN)
  assert.deepEqual([columns.indexed_from, columns.indexed_to], [null, null])
  assert.equal(occurrences.length, 703)
})

test('a bounded series that does not fit has rows for the span only', () => {
  const series = create({ start: '2026-07-14T10:00', end: '2026-07-14T11:00', rrule: 'FREQ=DAILY;UNTIL=20400101' })
  const { columns, occurrences } = derive(series, SPAN)
  assert.deepEqual([columns.indexed_from, columns.indexed_to], [null, SPAN.to])
  assert.ok(occurrences.every(({ start_at }) => start_at < SPAN.to))
  assert.equal(occurrences.length, 718)
})

test('a long series that ended before the span has no rows, and one that begins after it has none yet', () => {
  const past = derive(
    create({ start: '2000-01-01T10:00', end: '2000-01-01T11:00', rrule: 'FREQ=DAILY;UNTIL=20150101' }),
    SPAN,
  )
  assert.deepEqual([past.occurrences, past.columns.indexed_from], [[], SPAN.from])
  const future = derive(create({ start: '2030-01-01T10:00', end: '2030-01-01T11:00', rrule: 'FREQ=DAILY' }), SPAN)
  assert.deepEqual([future.occurrences, future.columns.indexed_from], [[], null])
  assert.ok(future.columns.indexed_to! <= Date.UTC(2030, 0, 1, 10))
})

test('a series with more rows than the index takes is truncated, and stores where', () => {
  const series = create({
    start: '2026-01-01T00:00',
    end: '2026-01-01T00:30',
    rrule: 'FREQ=DAILY;BYHOUR=8,10,12,14,16,18',
  })
  const { columns, occurrences } = derive(series, SPAN)
  assert.ok(occurrences.length <= 4_000 && occurrences.length > 3_900, String(occurrences.length))
  assert.ok(columns.indexed_to! < SPAN.to)
  assert.ok(occurrences.every(({ start_at }) => start_at < columns.indexed_to!))
  assertSeamless(series, SPAN, { from: columns.indexed_to! - 5 * DAY_MS, to: columns.indexed_to! + 5 * DAY_MS })
})

test('P43: where the rows of a series end does not depend on which of its occurrences were edited', () => {
  for (const rrule of ['FREQ=DAILY;BYHOUR=8,10,12,14,16,18', 'FREQ=HOURLY']) {
    // Rules that repeat more than daily come only by import.
    const rule = parseRule(rrule) as Rule
    const series = { ...create({ start: '2026-01-01T08:00', end: '2026-01-01T08:30', rrule: 'FREQ=DAILY' }), rule }
    const { columns } = derive(series, SPAN)
    const range = { from: SPAN.from, to: columns.indexed_to! + 3 * DAY_MS }
    const near = expand(patternOf(series), range).occurrences.filter(({ startAt }) => startAt >= range.to - 5 * DAY_MS)
    assert.ok(near.length > 10)
    const nearKeys = near.map(({ key }) => key)
    const edited = keys(series, nearKeys).reduce<Series>((before, key) => edit(before, key, { title: 'Other' }), series)
    assert.deepEqual(derive(edited, SPAN).columns.indexed_to, columns.indexed_to, rrule)
  }
})

test('a truncated series keeps an extra date beyond the cut, and what is between', () => {
  const dense = create({
    start: '2026-01-01T00:00',
    end: '2026-01-01T00:30',
    rrule: 'FREQ=DAILY;BYHOUR=8,10,12,14,16,18',
    rdates: ['20280601T030000'],
  })
  assertSeamless(dense, SPAN, { from: Date.UTC(2027, 9, 1), to: Date.UTC(2028, 6, 30) })
})

test('a cut in a gap loses nothing, though wall times and instants are out of order there', () => {
  // Quarters of an hour from 00:00 to 03:45, so that skipped and later wall times coincide.
  for (let days = 0; days < 3; days++) {
    const start = formatLocal(Date.UTC(2026, 6, 20 + days, 0, 0))
    const dense = create({ start, end: start, rrule: 'FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,15,30,45' })
    const cutAt = derive(dense, SPAN).columns.indexed_to!
    assertSeamless(dense, SPAN, { from: cutAt - DAY_MS, to: cutAt + DAY_MS })
  }
  // The 4,000th wall time is 01:45 of 28 March 2027, which is skipped; 02:15 comes before it in time.
  const start = formatLocal(Date.UTC(2027, 2, 28, 2, 0) - 250 * DAY_MS)
  const across = create({ start, end: start, rrule: 'FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,15,30,45' })
  assertSeamless(across, SPAN, { from: Date.UTC(2027, 2, 27), to: Date.UTC(2027, 2, 30) })
})

test('an extra date in a gap may come before the start in time, and has its row', () => {
  const event = create({ start: '2026-03-29T01:30', end: '2026-03-29T03:00', rdates: ['20260329T021500'] })
  assert.deepEqual(startsOf(derive(event, SPAN)), ['2026-03-29T01:30:00.000Z', '2026-03-29T01:15:00.000Z'])
  const cut = create({
    start: '2026-03-27T01:30',
    end: '2026-03-27T02:00',
    rrule: 'FREQ=DAILY;COUNT=3',
    rdates: ['20260329T021500'],
  })
  assert.equal(derive(cut, SPAN).occurrences.length, 4)
})

test('deleted occurrences have no row, edited ones always have theirs, at any time', () => {
  const plain = create({ start: '2020-01-01T10:00', end: '2020-01-01T11:00', rrule: 'FREQ=WEEKLY' })
  const out = exclude(plain, '20260701T100000')
  const near = edit(out, '20260708T100000', { start: '2026-07-09T10:00', end: '2026-07-10T11:00' })
  const far = edit(near, '20210106T100000', { title: 'Concert' })
  const away = edit(far, '20260715T100000', { start: '2035-01-01T10:00', end: '2035-01-01T11:00' })
  const { occurrences, exceptions } = derive(away, SPAN)
  const edited = occurrences.filter(({ is_overridden }) => is_overridden === 1)
  assert.deepEqual(
    edited.map(({ local_at, start_at }) => [formatLocal(local_at), new Date(start_at).toISOString()]),
    [
      ['2021-01-06T10:00:00', '2021-01-06T10:00:00.000Z'],
      ['2026-07-08T10:00:00', '2026-07-09T09:00:00.000Z'],
      ['2026-07-15T10:00:00', '2035-01-01T10:00:00.000Z'],
    ],
  )
  assert.ok(occurrences.every(({ local_at }) => formatLocal(local_at) !== '2026-07-01T10:00:00'))
  assert.equal(new Set(occurrences.map(({ local_at }) => local_at)).size, occurrences.length)
  assert.equal(edited[1]!.lane, bucketOf(false, 25 * HOUR_MS))
  assert.deepEqual(
    exceptions.map(({ local_at, kind, title }) => [formatLocal(local_at), kind, title]),
    [
      ['2021-01-06T10:00:00', 'overridden', 'Concert'],
      ['2026-07-01T10:00:00', 'excluded', null],
      ['2026-07-08T10:00:00', 'overridden', 'Choir'],
      ['2026-07-15T10:00:00', 'overridden', 'Choir'],
    ],
  )
})

test('a private event is hidden from the public when it is cancelled, and only then', () => {
  const hidden = (series: Series) => derive(series, SPAN).occurrences.map(({ is_hidden }) => is_hidden)
  assert.deepEqual(hidden(create({ status: 'cancelled' })), [1])
  assert.deepEqual(hidden(create({ status: 'cancelled', visibility: 'public' })), [0])
  assert.deepEqual(hidden(create({ status: 'tentative' })), [0])
  const weekly = edit(create({ rrule: 'FREQ=WEEKLY;COUNT=3' }), '20260721T193000', { status: 'cancelled' })
  assert.deepEqual(hidden(weekly), [0, 1, 0])
  assert.deepEqual(hidden(patch(weekly, { visibility: 'public' }).series), [0, 0, 0])
})

test('P44: of a private series only exceptions that change its times are marked for the public', () => {
  const weekly = create({ start: '2026-07-01T10:00', end: '2026-07-01T11:00', rrule: 'FREQ=WEEKLY' })
  const reworded = edit(edit(weekly, '20260708T100000', { title: 'Near' }), '20320107T100000', { title: 'Far' })
  const cancelled = edit(reworded, '20260715T100000', { status: 'cancelled' })
  const moved = edit(cancelled, '20320114T100000', { end: '2032-01-14T12:00' })
  const [edited, leftover] = [moved.overrides[0]!, Date.UTC(2026, 6, 2, 10)]
  const key = leftover + DAY_MS
  // London has summer time.
  const orphan = { ...edited, key, timing: { ...edited.timing, startWall: key, startAt: key - HOUR_MS } }
  const series = {
    ...exclude(moved, '20260722T100000'),
    overrides: [...moved.overrides, orphan],
  }
  const withLeftover = { ...series, exclusions: [...series.exclusions, leftover] }
  const marks = (one: Series) =>
    derive(one, SPAN).exceptions.map(({ local_at, has_public_effect }) => [formatLocal(local_at), has_public_effect])
  assert.deepEqual(marks(withLeftover), [
    ['2026-07-02T10:00:00', 0],
    ['2026-07-03T10:00:00', 1],
    ['2026-07-08T10:00:00', 0],
    ['2026-07-15T10:00:00', 1],
    ['2026-07-22T10:00:00', 1],
    ['2032-01-07T10:00:00', 0],
    ['2032-01-14T10:00:00', 1],
  ])
  const open = patch(withLeftover, { visibility: 'public' }).series
  assert.ok(marks(open).every(([, mark]) => mark === 1))
  // Outside the index the public gets unmoved occurrences as if they were never edited.
  const hidden = (one: Series) =>
    derive(one, SPAN)
      .occurrences.filter(({ is_overridden }) => is_overridden === 1)
      .map(({ local_at, is_hidden }) => [formatLocal(local_at), is_hidden])
  assert.deepEqual(hidden(withLeftover), [
    ['2026-07-03T10:00:00', 0],
    ['2026-07-08T10:00:00', 0],
    ['2026-07-15T10:00:00', 1],
    ['2032-01-07T10:00:00', 2],
    ['2032-01-14T10:00:00', 0],
  ])
  assert.ok(hidden(open).every(([, is]) => is === 0))
})

test('the columns repeat the fields of the series', () => {
  const series = create({
    title: 'Chör',
    location: 'Hall',
    category: 'Music',
    url: 'https://example.org/',
    visibility: 'public',
    transparency: 'transparent',
    rrule: 'FREQ=WEEKLY;COUNT=3',
    rdates: ['20260716T193000'],
  })
  const { columns } = derive(series, SPAN)
  const { search_text, ...rest } = columns
  assert.equal(search_text.includes('chor'), true)
  assert.deepEqual(rest, {
    uid: 'uid@example.org',
    visibility: 'public',
    transparency: 'transparent',
    title: 'Chör',
    description: null,
    location: 'Hall',
    category: 'Music',
    hides_category: 0,
    more_categories: null,
    url: 'https://example.org/',
    status: 'confirmed',
    all_day: 0,
    timezone: 'Europe/London',
    start_local: Date.UTC(2026, 6, 14, 19, 30),
    start_at: Date.UTC(2026, 6, 14, 18, 30),
    duration_ms: 90 * MINUTE_MS,
    rrule: 'FREQ=WEEKLY;COUNT=3',
    rdates: JSON.stringify([Date.UTC(2026, 6, 16, 19, 30)]),
    last_local: Date.UTC(2026, 6, 28, 19, 30),
    is_unreadable: 0,
    is_recurring: 1,
    indexed_from: null,
    indexed_to: null,
  })
})

test('each duration bucket has durations up to its longest, timed and all-day separate', () => {
  const lengths = [0, DAY_MS, DAY_MS + 1, 7 * DAY_MS, 31 * DAY_MS, 31 * DAY_MS + 1, 366 * DAY_MS, 400 * DAY_MS, 1e13]
  for (const allDay of [false, true]) {
    const lanes = lengths.map((length) => bucketOf(allDay, length))
    assert.deepEqual(
      lanes,
      [...lanes].sort((a, b) => a - b),
    )
    assert.equal(new Set(lanes).size, 5)
    for (const lane of lanes) assert.ok(BUCKETS.includes(lane) && isAllDayBucket(lane) === allDay)
  }
})

test(`an occurrence that touches a window began after its bucket’s earliest start (DAYBOOK_SEED=${SEED})`, () => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 400 * 24 }), fc.constantFrom(24, 168, 744, 8_784))
  fc.assert(
    fc.property(lengths, fc.boolean(), fc.integer({ min: -1e12, max: 6e12 }), (hours, allDay, from) => {
      const length = hours * HOUR_MS
      const lane = bucketOf(allDay, length)
      // The last that still reaches into the window, and one without duration at its very beginning.
      assert.ok(from + 1 - length > earliestStart(lane, from))
      assert.ok(from > earliestStart(lane, from))
    }),
    { seed: SEED, numRuns: 1_000 },
  )
})

/** The content of a window: rows of the index, and what is computed outside the indexed span. */
function seen({ columns, occurrences }: Derived, series: Series, range: Range): string[] {
  const { indexed_from: from, indexed_to: to, duration_ms: length } = columns
  const skipped = new Set([...series.exclusions, ...series.overrides.map(({ key }) => key)])
  const touches = (start: Instant, end: Instant) => start < range.to && (start >= range.from || end > range.from)
  const rows = occurrences
    .filter(({ start_at, end_at }) => touches(start_at, end_at))
    .map(({ local_at, start_at, end_at }) => `${local_at} ${start_at} ${end_at}`)
  const computed = (part: Range, isOutside: (start: Instant) => boolean) =>
    expand(patternOf(series), part, skipped, 50_000, 2_000_000)
      .occurrences.filter(({ startAt }) => isOutside(startAt))
      .map(({ key, startAt, endAt }) => `${key} ${startAt} ${endAt}`)
  const earlier =
    from !== null && range.from < from + length
      ? computed({ from: range.from, to: Math.max(range.from + 1, Math.min(range.to, from)) }, (start) => start < from)
      : []
  const later =
    to !== null && range.to > to
      ? computed({ from: Math.max(range.from, to), to: range.to }, (start) => start >= to)
      : []
  return [...rows, ...earlier, ...later].sort()
}

function everything(series: Series, range: Range): string[] {
  const skipped = new Set([...series.exclusions, ...series.overrides.map(({ key }) => key)])
  const plain = expand(patternOf(series), range, skipped, 100_000, 5_000_000)
  assert.equal(plain.complete, true)
  const edited = series.overrides
    .map(({ key, timing }) => ({ key, startAt: timing.startAt, endAt: timing.startAt + timing.durationMs }))
    .filter(({ startAt, endAt }) => startAt < range.to && (startAt >= range.from || endAt > range.from))
  return [...plain.occurrences, ...edited].map(({ key, startAt, endAt }) => `${key} ${startAt} ${endAt}`).sort()
}

function assertSeamless(series: Series, span: Range, range: Range): void {
  assert.deepEqual(seen(derive(series, span), series, range), everything(series, range))
}

const RULES = [
  null,
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=DAILY;COUNT=900',
  'FREQ=DAILY;COUNT=20',
  'FREQ=DAILY;BYHOUR=1,2,3,9,10,11,12,13,14,15,16,17',
  'FREQ=DAILY;BYHOUR=0,1,2,3;BYMINUTE=0,15,30,45',
  'FREQ=WEEKLY;BYDAY=MO,WE,FR',
  'FREQ=WEEKLY;UNTIL=20340301T000000Z',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
  'FREQ=MONTHLY;BYDAY=2TU;UNTIL=20400101T000000Z',
  'FREQ=YEARLY',
] as const

const anySeries = fc
  .record({
    allDay: fc.boolean(),
    timezone: fc.constantFrom('Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'),
    startHours: fc.integer({ min: 0, max: 18 * 366 * 24 }),
    lengthHours: fc.constantFrom(0, 1, 5, 24, 100, 24 * 40, 24 * 364),
    rrule: fc.constantFrom(...RULES),
    extra: fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 3 }),
    excluded: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 3 }),
    edited: fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -3_000, max: 3_000 })), {
      maxLength: 2,
    }),
  })
  .map(({ allDay, timezone, startHours, lengthHours, rrule, extra, excluded, edited }) => {
    const hours = allDay ? startHours - (startHours % 24) : startHours
    const wall = Date.UTC(2015, 0, 1) + hours * HOUR_MS + (allDay ? 0 : 30 * MINUTE_MS)
    const length = allDay ? Math.ceil(Math.max(lengthHours, 1) / 24) * DAY_MS : lengthHours * HOUR_MS
    const text = (at: number) => (allDay ? formatLocal(at).slice(0, 10) : formatLocal(at))
    let series = create({
      all_day: allDay,
      // An end that a clock change moves an hour back is still after its start.
      timezone: lengthHours === 0 ? 'UTC' : timezone,
      start: text(wall),
      end: text(wall + (allDay ? length : length === HOUR_MS ? length + HOUR_MS : length)),
      rrule: allDay && rrule?.includes('BYHOUR') ? 'FREQ=DAILY' : rrule,
      rdates: extra.map((days) => text(wall + days * DAY_MS + (allDay ? 0 : 15 * MINUTE_MS))),
    })
    const { occurrences } = expand(patternOf(series), { from: 0, to: Date.UTC(2200, 0, 1) }, new Set(), 31)
    const keys = occurrences.map(({ key }) => key)
    series = { ...series, exclusions: [...new Set(excluded.flatMap((index) => keys[index] ?? []))] }
    const overrides = new Map(
      edited.flatMap(([index, days]) => {
        const found = occurrences[index]
        if (!found || series.exclusions.includes(found.key)) return []
        const timing = {
          ...series.timing,
          startWall: found.key + days * DAY_MS,
          startAt: found.startAt + days * DAY_MS,
        }
        return [[found.key, { key: found.key, details: series.details, timing }] as const]
      }),
    )
    return { ...series, overrides: series.rule || series.rdates.length > 0 ? [...overrides.values()] : [] }
  })
  .map((series) => (series.rule || series.rdates.length > 0 ? series : { ...series, exclusions: [] }))

test(`the index and what is computed beside it are the whole series, without gaps or duplicates (DAYBOOK_SEED=${SEED})`, () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 15 * 12 }), fc.integer({ min: 0, max: 48 }))
    .map(([month, months]) => ({ from: Date.UTC(2016, month, 1), to: Date.UTC(2016, month + months, 1) }))
  const window = fc.record({
    anchor: fc.constantFrom('span from', 'span to', 'indexed from', 'indexed to', 'start', 'anywhere'),
    shiftHours: fc.integer({ min: -24 * 400, max: 24 * 400 }),
    hours: fc.integer({ min: 1, max: 24 * 200 }),
  })
  fc.assert(
    fc.property(anySeries, span, fc.array(window, { minLength: 4, maxLength: 4 }), (series, index, windows) => {
      const derived = derive(series, index)
      assert.ok(derived.occurrences.length <= 4_000 + series.overrides.length)
      const anchors = {
        'span from': index.from,
        'span to': index.to,
        'indexed from': derived.columns.indexed_from ?? index.from,
        'indexed to': derived.columns.indexed_to ?? index.to,
        start: series.timing.startAt,
        anywhere: Date.UTC(2024, 0, 1),
      }
      for (const { anchor, shiftHours, hours } of windows) {
        const from = anchors[anchor] + shiftHours * HOUR_MS
        const range = { from, to: from + hours * HOUR_MS }
        assert.deepEqual(seen(derived, series, range), everything(series, range))
      }
    }),
    { seed: SEED, numRuns: 500 },
  )
})
