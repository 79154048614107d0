// Expansion of a series: the occurrences in a window, across clock changes, exceptions and distance.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Series } from '../../../src/domain/calendar/event.ts'
import { formatOccurrenceKey } from '../../../src/domain/recurrence/occurrence-key.ts'
import {
  createNominalCheck,
  expand,
  hasNominal,
  isEndless,
  listNominalWalls,
  type Pattern,
  patternOf,
  resolvePattern,
  wholePatternOf,
} from '../../../src/domain/recurrence/occurrences.ts'
import { parseRule } from '../../../src/domain/recurrence/rule.ts'
import { DAY_MS, HOUR_MS } from '../../../src/domain/time/instant.ts'
import { formatInstant } from '../../../src/domain/time/text.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { leastWork } from '../../support/measure/effort.ts'
import { create } from '../calendar/series.ts'
import { series as anyRule } from './arbitrary-rules.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 4791)

/** Keys of the occurrences that touch the window, without exclusions. */
function touching(series: Series, from: string, to: string): string[] {
  const range = { from: Date.parse(from), to: Date.parse(to) }
  const { occurrences, complete } = expand(patternOf(series), range, new Set(series.exclusions))
  assert.equal(complete, true)
  return occurrences.map(({ key }) => formatOccurrenceKey(key, series.timing.allDay))
}

/** Starts as shown in the series' own zone. */
function shown(series: Series, from: string, to: string): string[] {
  const zone = requireZone(series.timing.zone)
  const range = { from: Date.parse(from), to: Date.parse(to) }
  return expand(patternOf(series), range).occurrences.map(({ startAt }) => formatInstant(startAt, zone))
}

test('an occurrence is in a window when it starts before the end and ends after the beginning', () => {
  const event = create({ start: '2026-07-14T10:00:00Z', end: '2026-07-14T12:00:00Z' })
  const isIn = (from: string, to: string) => touching(event, `2026-07-14T${from}Z`, `2026-07-14T${to}Z`).length === 1
  assert.equal(isIn('09:00', '10:00'), false, 'it starts where the window ends')
  assert.equal(isIn('12:00', '13:00'), false, 'it ends where the window begins')
  assert.equal(isIn('09:00', '10:00:01'), true)
  assert.equal(isIn('11:59:59', '13:00'), true)
  assert.equal(isIn('10:30', '11:00'), true, 'the window lies inside it')
  assert.equal(isIn('09:00', '13:00'), true)
})

test('an occurrence without duration is in the window it starts in', () => {
  const event = create({ start: '2026-07-14T10:00:00Z', end: '2026-07-14T10:00:00Z' })
  const isIn = (from: string, to: string) => touching(event, `2026-07-14T${from}Z`, `2026-07-14T${to}Z`).length === 1
  assert.equal(isIn('10:00', '11:00'), true)
  assert.equal(isIn('09:00', '10:00'), false)
  assert.equal(isIn('09:00', '10:00:01'), true)
  assert.equal(isIn('10:00:01', '11:00'), false)
})

test('long occurrences that began before the window are all included', () => {
  const series = create({ start: '2026-01-01T09:00', end: '2026-01-15T09:00', rrule: 'FREQ=DAILY' })
  const keys = touching(series, '2026-06-15T12:00:00Z', '2026-06-15T13:00:00Z')
  assert.equal(keys.length, 14)
  assert.deepEqual([keys[0], keys.at(-1)], ['20260602T090000', '20260615T090000'])
  const year = create({ start: '2026-01-01T09:00', end: '2027-01-02T09:00', rrule: 'FREQ=MONTHLY' })
  assert.equal(touching(year, '2030-06-15T00:00:00Z', '2030-06-15T00:00:01Z').length, 12)
})

test('a week across two clock changes is expanded by wall time, its duration by local hours', () => {
  const night = create({ start: '2026-10-20T23:00', end: '2026-10-21T07:00', rrule: 'FREQ=DAILY' })
  const range = { from: Date.parse('2026-10-24T12:00:00Z'), to: Date.parse('2026-10-26T12:00:00Z') }
  const lengths = expand(patternOf(night), range).occurrences.map(({ startAt, endAt }) => (endAt - startAt) / HOUR_MS)
  assert.deepEqual(lengths, [8, 8], 'RFC 5545 repeats the exact duration')
})

test('the wall time stays the same on both sides of every clock change', () => {
  const weekly = (timezone: string, start: string) =>
    create({ timezone, start: `${start}T09:00`, end: `${start}T10:00`, rrule: 'FREQ=WEEKLY' })
  assert.deepEqual(shown(weekly('Europe/London', '2026-03-25'), '2026-03-25T00:00:00Z', '2026-04-02T00:00:00Z'), [
    '2026-03-25T09:00:00+00:00',
    '2026-04-01T09:00:00+01:00',
  ])
  assert.deepEqual(shown(weekly('Europe/Dublin', '2026-10-21'), '2026-10-21T00:00:00Z', '2026-10-29T00:00:00Z'), [
    '2026-10-21T09:00:00+01:00',
    '2026-10-28T09:00:00+00:00',
  ])
  assert.deepEqual(shown(weekly('America/New_York', '2026-03-04'), '2026-03-04T00:00:00Z', '2026-03-12T00:00:00Z'), [
    '2026-03-04T09:00:00-05:00',
    '2026-03-11T09:00:00-04:00',
  ])
  assert.deepEqual(shown(weekly('Australia/Lord_Howe', '2026-03-31'), '2026-03-30T00:00:00Z', '2026-04-08T00:00:00Z'), [
    '2026-03-31T09:00:00+11:00',
    '2026-04-07T09:00:00+10:30',
  ])
})

test('an occurrence in a gap is shown late once, and one in a fold happens once', () => {
  const nights = create({ start: '2026-03-28T01:30', end: '2026-03-28T01:45', rrule: 'FREQ=DAILY' })
  assert.deepEqual(shown(nights, '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z'), [
    '2026-03-28T01:30:00+00:00',
    '2026-03-29T02:30:00+01:00',
    '2026-03-30T01:30:00+01:00',
  ])
  assert.deepEqual(shown(nights, '2026-10-24T00:00:00Z', '2026-10-26T12:00:00Z'), [
    '2026-10-24T01:30:00+01:00',
    '2026-10-25T01:30:00+01:00',
    '2026-10-26T01:30:00+00:00',
  ])
})

test('all-day occurrences are dates and do not depend on clock changes', () => {
  const days = create({
    all_day: true,
    timezone: 'Africa/Cairo',
    start: '2023-04-27',
    end: '2023-04-28',
    rrule: 'FREQ=DAILY',
  })
  assert.deepEqual(touching(days, '2023-04-28T00:00:00Z', '2023-04-30T00:00:00Z'), ['20230428', '20230429'])
})

test('excluded dates are left out and extra dates are added once', () => {
  const series = create({
    rrule: 'FREQ=DAILY;COUNT=4',
    rdates: ['20260715T193000', '20260715T100000', '20260801T193000'],
    exdates: ['20260716T193000', '20260801T193000'],
  })
  assert.deepEqual(touching(series, '2026-07-01T00:00:00Z', '2026-09-01T00:00:00Z'), [
    '20260714T193000',
    '20260715T100000',
    '20260715T193000',
    '20260717T193000',
  ])
})

test('an end in UTC is compared by instant, also when the clocks go back', () => {
  // Daily at 01:30 London; on 25 October that is 00:30 UTC, and 01:30 UTC the day after.
  const until = (text: string) =>
    create({ start: '2026-10-23T01:30', end: '2026-10-23T01:45', rrule: `FREQ=DAILY;UNTIL=${text}` })
  const last = (series: Series) => touching(series, '2026-10-01T00:00:00Z', '2026-12-01T00:00:00Z').at(-1)
  assert.equal(last(until('20261025T002959Z')), '20261024T013000')
  assert.equal(last(until('20261025T003000Z')), '20261025T013000')
  assert.equal(last(until('20261026T012959Z')), '20261025T013000')
  assert.equal(last(until('20261026T013000Z')), '20261026T013000')
  // The second 01:15 comes after the first 01:30, though its wall time is earlier.
  assert.equal(last(until('20261025T011500Z')), '20261025T013000')
  // 29 March: 01:30 is shown at 02:30+01:00, which is 01:30 UTC.
  const spring = (text: string) =>
    create({ start: '2026-03-27T01:30', end: '2026-03-27T01:45', rrule: `FREQ=DAILY;UNTIL=${text}` })
  const lastInSpring = (text: string) => touching(spring(text), '2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z').at(-1)
  assert.equal(lastInSpring('20260329T012959Z'), '20260328T013000')
  assert.equal(lastInSpring('20260329T013000Z'), '20260329T013000')
})

test('the start is kept even if UNTIL is before it', () => {
  const rule = parseRule('FREQ=DAILY;UNTIL=20200101T000000Z')
  assert.ok(typeof rule === 'object')
  const pattern = patternOf({ ...create(), rule })
  const { occurrences } = expand(pattern, { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) })
  assert.equal(occurrences.length, 1)
})

test('a window two centuries away is reached by seeking', () => {
  const series = create({ start: '1900-01-01T09:00', end: '1900-01-01T10:00', rrule: 'FREQ=DAILY' })
  const pattern = patternOf(series)
  const window = { from: Date.UTC(2199, 11, 30), to: Date.UTC(2200, 0, 3) }
  const find = () => expand(pattern, window, new Set(), 100, 1_000)
  const { occurrences, complete, workLeft } = find()
  assert.deepEqual([occurrences.length, complete], [4, true])
  assert.ok(workLeft > 900, `${1_000 - workLeft} steps`)
  assert.ok(leastWork(find) < 50)
})

test('nothing repeats beyond the calendar’s last year', () => {
  const series = create({ start: '2200-12-30T09:00', end: '2200-12-30T10:00', rrule: 'FREQ=DAILY' })
  assert.deepEqual(touching(series, '2200-12-01T00:00:00Z', '2202-01-01T00:00:00Z'), [
    '22001230T090000',
    '22001231T090000',
  ])
})

test('a stopped expansion is reported, and is complete up to that point', () => {
  const series = create({ rrule: 'FREQ=DAILY', rdates: ['20260716T100000', '20270601T100000'] })
  const everything = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2028, 0, 1) }
  const whole = expand(patternOf(series), everything)
  const cut = expand(patternOf(series), everything, new Set(), 10)
  assert.equal(whole.complete, true)
  assert.equal(cut.complete, false)
  assert.deepEqual(cut.occurrences, whole.occurrences.slice(0, cut.occurrences.length))
  assert.ok(cut.occurrences.length >= 10)
  const tired = expand(patternOf(series), everything, new Set(), 10_000, 5)
  assert.equal(tired.complete, false)
  assert.deepEqual(tired.occurrences, whole.occurrences.slice(0, tired.occurrences.length))
})

test('a series is endless only without COUNT and UNTIL', () => {
  const endless = (rrule: string | null) => isEndless(patternOf(create({ rrule })))
  assert.deepEqual([null, 'FREQ=DAILY', 'FREQ=DAILY;COUNT=3', 'FREQ=DAILY;UNTIL=20270101'].map(endless), [
    false,
    true,
    false,
    false,
  ])
})

test('the known end of COUNT may be passed in instead of computed again', () => {
  const series = create({ rrule: 'FREQ=WEEKLY;COUNT=9' })
  const pattern = patternOf(series)
  const { lastWall, ...known } = pattern
  assert.equal(formatOccurrenceKey(lastWall!, false), '20260908T193000')
  assert.deepEqual(resolvePattern(known, lastWall), pattern)
})

const ZONES = [
  'Europe/London',
  'Europe/Dublin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Kolkata',
]

const plainSeries = fc.record({
  timezone: fc.constantFrom(...ZONES),
  day: fc.integer({ min: 0, max: 3_000 }),
  minute: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
  lengthMinutes: fc.constantFrom(0, 15, 60, 600, 1_440, 4_000, 20_160),
  weekly: fc.boolean(),
  interval: fc.integer({ min: 1, max: 9 }),
  end: fc.oneof(
    fc.constant({}),
    fc.record({ count: fc.integer({ min: 1, max: 400 }) }),
    fc.record({ untilDays: fc.integer({ min: 0, max: 1_500 }), untilHours: fc.integer({ min: 0, max: 23 }) }),
  ),
  window: fc.record({ day: fc.integer({ min: -100, max: 2_500 }), hours: fc.integer({ min: 1, max: 9_000 }) }),
})

test(`daily and weekly series of many years agree with Temporal (DAYBOOK_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(plainSeries, ({ timezone, day, minute, lengthMinutes, weekly, interval, end, window }) => {
      const first = Temporal.PlainDateTime.from('2018-01-01T00:00').add({ days: day, minutes: minute })
      const limits = { count: undefined, untilDays: undefined, untilHours: 0, ...end }
      const startAt = first.toZonedDateTime(timezone).epochMilliseconds
      const until =
        limits.untilDays === undefined
          ? Number.POSITIVE_INFINITY
          : startAt + limits.untilDays * DAY_MS + limits.untilHours * HOUR_MS
      const basic = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
      const series = create({
        timezone,
        start: `${first}`,
        end: new Date(startAt + lengthMinutes * 60_000).toISOString(),
        rrule: [
          `FREQ=${weekly ? 'WEEKLY' : 'DAILY'};INTERVAL=${interval}`,
          ...(limits.count ? [`COUNT=${limits.count}`] : []),
          ...(Number.isFinite(until) ? [`UNTIL=${basic(until)}`] : []),
        ].join(';'),
      })
      const from = startAt + window.day * DAY_MS
      const to = from + window.hours * HOUR_MS

      const expected: string[] = []
      for (let index = 0; index < (limits.count ?? 1e9); index++) {
        const reading = first.add({ days: index * interval * (weekly ? 7 : 1) })
        const at = reading.toZonedDateTime(timezone).epochMilliseconds
        if (at >= to + DAY_MS || at > until + DAY_MS) break
        const endAt = at + lengthMinutes * 60_000
        const isInside = at < to && (endAt > from || (lengthMinutes === 0 && at >= from))
        if (isInside && at <= until) expected.push(`${reading} ${at} ${endAt}`)
      }
      const actual = expand(patternOf(series), { from, to }).occurrences.map(({ key, startAt, endAt }) => {
        const reading = Temporal.Instant.fromEpochMilliseconds(key).toZonedDateTimeISO('UTC').toPlainDateTime()
        return `${reading} ${startAt} ${endAt}`
      })
      assert.deepEqual(actual, expected)
    }),
    { seed: SEED, numRuns: 500 },
  )
})

const upTo = (most: number): string => Array.from({ length: most + 1 }, (_, i) => i).join()

/** A series with this rule, also where it would be refused as a new one. */
function patternWith(text: string): Pattern {
  const rule = parseRule(text)
  assert.ok(typeof rule === 'object', text)
  const plain = create({ start: '2026-01-01T00:00', end: '2026-01-01T00:05', timezone: 'UTC' })
  return wholePatternOf({ ...plain, rule })
}

test('checking ten thousand dates costs about the same whatever the rule and however far apart they are', () => {
  const everyMinute = `BYHOUR=${upTo(23)};BYMINUTE=${upTo(59)}`
  const rules = [
    `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;${everyMinute}`,
    'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,0',
    `FREQ=SECONDLY;BYSECOND=${upTo(59)};${everyMinute}`,
    `FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${upTo(23)}`,
  ]
  const costOf = (text: string, everyDays: number): number => {
    const dates = Array.from({ length: 9_900 }, (_, i) => Date.UTC(2026, 0, 1 + i * everyDays))
    const pattern = patternWith(text)
    // Several times, because CPU time is counted in milliseconds.
    return leastWork(() => {
      for (let run = 0; run < 3; run++) assert.ok(dates.every(createNominalCheck(pattern)))
    })
  }
  const plain = costOf('FREQ=DAILY', 1)
  for (const text of rules) {
    for (const everyDays of [1, 6]) {
      const times = costOf(text, everyDays) / plain
      assert.ok(times < 5, `${text.slice(0, 60)}, every ${everyDays} days: ${times.toFixed(1)} times`)
    }
  }
})

test(`dates checked together are nominal starts exactly where each one alone is (DAYBOOK_SEED=${SEED})`, () => {
  const plain = create({ start: '2026-01-01T00:00', end: '2026-01-01T00:05', timezone: 'Europe/London' })
  const offsets = fc.array(fc.integer({ min: 0, max: 150 * 365 * 96 }), { maxLength: 12 })
  fc.assert(
    fc.property(anyRule, offsets, fc.boolean(), ({ rule, start, text }, quarters, isOrdered) => {
      const timing = { ...plain.timing, startWall: start, startAt: start }
      const pattern = wholePatternOf({ ...plain, timing, rule, rdates: quarters.slice(0, 2).map((q) => start + q) })
      const far = quarters.map((quarter) => start + quarter * 15 * 60_000)
      // Dates of the rule, and others beside and between them, from the whole series.
      const given = far.flatMap((from) => listNominalWalls(pattern, from, from + 40 * DAY_MS, 3))
      const beside = given.flatMap((wall) => [0, 1, 2, 3].map((days) => wall + days * DAY_MS))
      const dates = [...beside, ...far, start, start - DAY_MS, ...pattern.rdates]
      const asked = isOrdered ? dates.sort((a, b) => a - b) : dates
      const isNominal = createNominalCheck(pattern)
      const alone = (wall: number): boolean => listNominalWalls(pattern, wall, wall + 1).includes(wall)
      assert.deepEqual(asked.map(isNominal), asked.map(alone), text)
      assert.deepEqual(
        asked.map((wall) => hasNominal(pattern, wall)),
        asked.map(alone),
        text,
      )
    }),
    { seed: SEED, numRuns: 300 },
  )
})
