// Other times, zones and rules from an occurrence on: the earlier occurrences stay where they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Series } from '../../../../src/domain/calendar/event.ts'
import { deleteFollowing } from '../../../../src/domain/calendar/following/delete-following.ts'
import { startIn } from '../../../../src/domain/calendar/following/later-schedule.ts'
import { type FollowingPatch, patchFollowing } from '../../../../src/domain/calendar/following/patch-following.ts'
import { wholePatternOf } from '../../../../src/domain/recurrence/occurrences.ts'
import { parseRule, type Rule } from '../../../../src/domain/recurrence/rule.ts'
import { runSteps } from '../../../../src/domain/steps.ts'
import { DAY_MS, dayOf, HOUR_MS, wallOfDay } from '../../../../src/domain/time/instant.ts'
import { formatInstant, formatLocal } from '../../../../src/domain/time/text.ts'
import { requireZone } from '../../../../src/domain/time/zone.ts'
import { AppError } from '../../../../src/errors.ts'
import { anySeries } from '../../../ical/any-series.ts'
import { leastLongestPart } from '../../../support/measure/effort.ts'
import { create, DEFAULTS, edit, editedKeys, exclude, excludedKeys, keys, problems, ruleText } from '../series.ts'
import { change, valuesByKey } from './values.ts'

/** Local starts in the zone of the series, with the length where it is not an hour and a half. */
const starts = (series: Series, limit?: number): string[] =>
  valuesByKey(series, limit)
    .sort((a, b) => a.startAt - b.startAt)
    .map(({ startAt, durationMs }) => {
      const text = series.timing.allDay
        ? formatLocal(startAt).slice(0, 10)
        : formatInstant(startAt, requireZone(series.timing.zone)).slice(0, 16)
      return durationMs === 1.5 * HOUR_MS || series.timing.allDay ? text : `${text} ${durationMs / HOUR_MS}h`
    })

test('an endless series moves, and its earlier occurrences stay as exceptions', () => {
  const { series } = change(create({ rrule: 'FREQ=WEEKLY' }), '20260728T193000', { start: '2026-07-28T20:00' })
  assert.equal(ruleText(series), 'FREQ=WEEKLY')
  assert.deepEqual(starts(series, 4), ['2026-07-14T19:30', '2026-07-21T19:30', '2026-07-28T20:00', '2026-08-04T20:00'])
  assert.deepEqual(editedKeys(series), ['20260714T200000', '20260721T200000'], 'keys move with the series')
  assert.deepEqual(series.rdates, [])
})

test('the last occurrences of a series move as exceptions, and all keys stay', () => {
  const { series } = change(create({ rrule: 'FREQ=WEEKLY;COUNT=6' }), '20260811T193000', {
    start: '2026-08-12T10:00',
    end: '2026-08-12T11:00',
  })
  assert.deepEqual(starts(series).slice(3), ['2026-08-04T19:30', '2026-08-12T10:00 1h', '2026-08-19T10:00 1h'])
  assert.deepEqual(editedKeys(series), ['20260811T193000', '20260818T193000'])
})

test('a deleted occurrence keeps its place among the earlier ones', () => {
  const series = exclude(create({ rrule: 'FREQ=WEEKLY' }), '20260721T193000')
  const { series: moved } = change(series, '20260804T193000', { start: '2026-08-05T20:00', end: '2026-08-05T21:30' })
  assert.deepEqual(starts(moved, 3), ['2026-07-14T19:30', '2026-07-28T19:30', '2026-08-05T20:00'])
  assert.deepEqual(
    [editedKeys(moved), excludedKeys(moved)],
    [['20260715T200000', '20260729T200000'], ['20260722T200000']],
  )
})

test('a rule by weekdays moves with its occurrences', () => {
  const cases: [rrule: string, by: number, expected: string][] = [
    ['FREQ=WEEKLY;BYDAY=TU,TH', 1, 'FREQ=WEEKLY;BYDAY=WE,FR'],
    ['FREQ=WEEKLY;BYDAY=TU,SU', 1, 'FREQ=WEEKLY;BYDAY=MO,WE'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU', 1, 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=TU'],
    ['FREQ=MONTHLY;BYMONTHDAY=14', 1, 'FREQ=MONTHLY;BYMONTHDAY=15'],
    ['FREQ=MONTHLY', 2, 'FREQ=MONTHLY'],
    ['FREQ=YEARLY;BYMONTH=7', 2, 'FREQ=YEARLY;BYMONTH=7'],
    ['FREQ=DAILY;INTERVAL=3', 1, 'FREQ=DAILY;INTERVAL=3'],
  ]
  for (const [rrule, by, expected] of cases) {
    const before = create({ rrule })
    const third = valuesByKey(before, 3)[2]!
    const { series } = change(before, keys(before, [third.key])[0]!, { start: formatLocal(third.key + by * DAY_MS) })
    assert.equal(ruleText(series), expected)
    assert.deepEqual(
      valuesByKey(series, 30).map(({ startAt }) => startAt),
      valuesByKey(before, 30).map(({ startAt, key }, i) =>
        i < 2 ? startAt : startIn(before.timing, key + by * DAY_MS),
      ),
    )
  }
})

test('a rule that cannot move with its occurrences has to be sent', () => {
  const series = create({ rrule: 'FREQ=MONTHLY;BYDAY=2TU' })
  const later = { start: '2026-09-10T19:30' }
  assert.deepEqual(
    problems(() => change(series, '20260908T193000', later)),
    ['/rrule required'],
  )
  const sent = change(series, '20260908T193000', { ...later, rrule: 'FREQ=MONTHLY;BYDAY=2TH' }).series
  assert.deepEqual(starts(sent, 4), ['2026-07-14T19:30', '2026-08-11T19:30', '2026-09-10T19:30', '2026-10-08T19:30'])
  const ending = change(create({ rrule: 'FREQ=MONTHLY;BYDAY=2TU;COUNT=4' }), '20260908T193000', later).series
  assert.deepEqual(starts(ending), ['2026-07-14T19:30', '2026-08-11T19:30', '2026-09-10T19:30', '2026-10-15T19:30'])
})

test('another rule from an occurrence on', () => {
  const weekly = create({ rrule: 'FREQ=WEEKLY' })
  const cases: [patch: FollowingPatch, expected: string[]][] = [
    [{ rrule: 'FREQ=WEEKLY;INTERVAL=2' }, ['07-14', '07-21', '07-28', '08-04', '08-18', '09-01']],
    [{ rrule: 'FREQ=WEEKLY;COUNT=2' }, ['07-14', '07-21', '07-28', '08-04', '08-11']],
    [{ rrule: 'FREQ=WEEKLY;UNTIL=20260811' }, ['07-14', '07-21', '07-28', '08-04', '08-11']],
    [{ rrule: 'FREQ=DAILY' }, ['07-14', '07-21', '07-28', '08-04', '08-05', '08-06']],
    [{ rrule: 'FREQ=MONTHLY' }, ['07-14', '07-21', '07-28', '08-04', '09-04', '10-04']],
    [{ rrule: 'FREQ=YEARLY' }, ['07-14', '07-21', '07-28', '08-04']],
    [{ rrule: null }, ['07-14', '07-21', '07-28', '08-04']],
    [{ rrule: 'FREQ=WEEKLY;BYDAY=TH' }, ['07-14', '07-21', '07-28', '08-04', '08-06', '08-13']],
    [{ rrule: 'FREQ=WEEKLY;BYDAY=TH', start: '2026-08-06T19:30' }, ['07-14', '07-21', '07-28', '08-06', '08-13']],
    [{ rrule: 'FREQ=WEEKLY;BYDAY=TH;COUNT=3' }, ['07-14', '07-21', '07-28', '08-04', '08-06', '08-13']],
    [{ rrule: 'FREQ=DAILY', start: '2026-07-01T19:30' }, ['07-01', '07-02', '07-03', '07-04', '07-05', '07-06']],
  ]
  for (const [patch, expected] of cases) {
    const { series } = change(weekly, '20260804T193000', patch)
    const found = starts(series, 40).map((text) => text.slice(5, 10))
    assert.deepEqual(found.slice(0, expected.length), expected, JSON.stringify(patch))
    if (typeof patch.rrule !== 'string' || /COUNT|UNTIL/.test(patch.rrule)) assert.equal(found.length, expected.length)
  }
})

test('a rule that ends where it has dates of the one before only ends it', () => {
  const weekly = create({ rrule: 'FREQ=WEEKLY' })
  for (const [rrule, expected] of [
    [null, 'FREQ=WEEKLY;UNTIL=20260804T183000Z'],
    ['FREQ=DAILY;COUNT=1', 'FREQ=WEEKLY;UNTIL=20260804T183000Z'],
    ['FREQ=WEEKLY;COUNT=2', 'FREQ=WEEKLY;COUNT=5'],
  ] as const) {
    const { series } = change(weekly, '20260804T193000', { rrule })
    assert.deepEqual([ruleText(series), series.rdates, series.overrides], [expected, [], []])
  }
})

test('many exceptions are moved in short steps', () => {
  const daily = create({ rrule: 'FREQ=DAILY' })
  const exclusions = valuesByKey(daily, 10_000).map(({ key }) => key)
  const excluded = { ...daily, exclusions: exclusions.slice(1, 9_700) }
  for (const patch of [{ start: '2027-01-01T20:00' }, { rrule: 'FREQ=DAILY;BYHOUR=10,11,12' }, { title: 'x' }]) {
    const steps = () => patchFollowing(excluded, exclusions[9_800]!, patch, DEFAULTS)
    const longestMs = leastLongestPart(steps)
    assert.ok(longestMs < 40, `${longestMs.toFixed()} ms ${JSON.stringify(patch)}`)
  }
})

test('a rule that takes too much work is not taken for a shorter one', () => {
  const rrule = 'FREQ=SECONDLY;INTERVAL=997;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;BYHOUR=3;BYMINUTE=7;COUNT=400'
  const hard = { ...create(), rule: parseRule(rrule) as Rule }
  const key = hard.timing.startWall
  assert.notEqual(deleteFollowing(hard, key + DAY_MS).isEmpty, true)
  const longestMs = leastLongestPart(() => {
    const steps = patchFollowing(hard, key, { start: '2026-07-14T19:31' }, DEFAULTS)
    return {
      next: () => {
        try {
          return steps.next()
        } catch {
          return { done: true, value: undefined }
        }
      },
    }
  })
  assert.ok(longestMs < 120, `${longestMs.toFixed()} ms`)
})

test('a rule that gives the earlier dates too keeps their keys and needs no exception for them', () => {
  const weekly = create({ rrule: 'FREQ=WEEKLY' })
  const fortnightly = change(weekly, '20260728T193000', { rrule: 'FREQ=WEEKLY;INTERVAL=2' }).series
  assert.deepEqual([editedKeys(fortnightly), excludedKeys(fortnightly)], [[], []])
  assert.deepEqual(keys(fortnightly, fortnightly.rdates), ['20260721T193000'])
  const later = change(weekly, '20260804T193000', { start: '2026-08-11T19:30' }).series
  assert.deepEqual([editedKeys(later), excludedKeys(later)], [[], ['20260804T193000']])
})

test('edited occurrences keep their edits where the patch does not set the same', () => {
  let series = create({ rrule: 'FREQ=WEEKLY' })
  series = edit(series, '20260721T193000', { title: 'Early', start: '2026-07-22T08:00', end: '2026-07-22T09:00' })
  series = edit(series, '20260811T193000', { title: 'Late', start: '2026-08-12T10:00', end: '2026-08-12T11:00' })
  series = exclude(series, '20260714T193000', '20260818T193000')
  const moved = change(series, '20260728T193000', { start: '2026-07-28T20:00', end: '2026-07-28T22:00' }).series
  assert.deepEqual(starts(moved, 5), [
    '2026-07-22T08:00 1h',
    '2026-07-28T20:00 2h',
    '2026-08-04T20:00 2h',
    '2026-08-11T20:00 2h',
    '2026-08-25T20:00 2h',
  ])
  const longer = change(series, '20260728T193000', { end: '2026-07-28T22:30' }).series
  assert.deepEqual(starts(longer, 4), [
    '2026-07-22T08:00 1h',
    '2026-07-28T19:30 3h',
    '2026-08-04T19:30 3h',
    '2026-08-12T10:00 3h',
  ])
  assert.deepEqual(
    valuesByKey(longer, 4).map(({ title }) => title),
    ['Early', 'Choir', 'Choir', 'Late'],
  )
})

test('another zone from an occurrence on, and all days only for a whole series', () => {
  const series = create({ rrule: 'FREQ=WEEKLY' })
  const moved = change(series, '20260728T193000', { timezone: 'America/New_York' }).series
  assert.equal(moved.timing.zone, 'America/New_York')
  assert.deepEqual(starts(moved, 3), ['2026-07-14T14:30', '2026-07-21T14:30', '2026-07-28T19:30'])
  const days = { all_day: true, start: '2026-07-28', end: '2026-07-29' }
  assert.deepEqual(
    problems(() => change(series, '20260728T193000', days)),
    ['/all_day not_allowed'],
  )
  const whole = change(series, '20260714T193000', { all_day: true, start: '2026-07-15', end: '2026-07-16' }).series
  assert.deepEqual(starts(whole, 2), ['2026-07-15', '2026-07-22'])
  const allDay = create({ start: '2026-07-14', end: '2026-07-15', all_day: true, rrule: 'FREQ=WEEKLY' })
  const later = change(allDay, '20260728', { start: '2026-07-30', end: '2026-08-01' }).series
  assert.deepEqual(starts(later, 4), ['2026-07-14', '2026-07-21', '2026-07-30', '2026-08-06'])
})

test('an unchanged time or rule returns the series itself', () => {
  const series = create({ rrule: 'FREQ=WEEKLY' })
  const same = [
    { start: '2026-07-28T19:30' },
    { end: '2026-07-28T21:00' },
    { timezone: 'Europe/London' },
    { rrule: 'FREQ=WEEKLY' },
  ]
  for (const patch of same) assert.equal(change(series, '20260728T193000', patch).series, series, JSON.stringify(patch))
  const moved = change(series, '20260728T193000', { start: '2026-07-28T20:00' }).series
  assert.equal(change(moved, '20260728T200000', { start: '2026-07-28T20:00' }).series, moved)
})

const RULES = [
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,TH',
  'FREQ=WEEKLY;INTERVAL=2',
  'FREQ=MONTHLY;BYDAY=-1FR',
  'FREQ=DAILY;COUNT=5',
  'FREQ=YEARLY',
]

const anyPatch = fc.record({
  minutes: fc.option(fc.integer({ min: -3_000, max: 3_000 }), { nil: undefined }),
  days: fc.integer({ min: -20, max: 20 }),
  length: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
  timezone: fc.option(fc.constantFrom('Europe/London', 'America/New_York', 'Asia/Kolkata'), { nil: undefined }),
  rrule: fc.option(fc.constantFrom(null, ...RULES), { nil: undefined, freq: 2 }),
  title: fc.option(fc.constant('New'), { nil: undefined }),
})

test('in any series, later occurrences are where the patch says and the others where they were', () => {
  let changes = 0
  let refusals = 0
  fc.assert(
    fc.property(anySeries, fc.nat(10), anyPatch, (series, index, { minutes, days, length, ...rest }) => {
      if (!series.rule && series.rdates.length === 0) return
      const { allDay } = series.timing
      const before = valuesByKey(series, 400)
      const chosen = before[index % Math.max(1, before.length)]
      if (!chosen) return
      const text = (wall: number) => (allDay ? formatLocal(wall).slice(0, 10) : formatLocal(wall))
      const shift = minutes === undefined ? 0 : allDay ? days * DAY_MS : days * DAY_MS + minutes * 60_000
      const fields: FollowingPatch = Object.fromEntries(
        Object.entries({
          ...rest,
          start: minutes === undefined ? undefined : text(chosen.key + shift),
          end:
            length === undefined || minutes === undefined
              ? undefined
              : text(chosen.key + shift + (allDay ? (1 + (length % 5)) * DAY_MS : length * HOUR_MS)),
        }).filter(([, value]) => value !== undefined),
      )
      let changed: Series
      try {
        changed = runSteps(patchFollowing(series, chosen.key, fields, DEFAULTS)).series
      } catch (error) {
        assert.ok(error instanceof AppError, String(error))
        assert.ok(['validation_failed', 'too_many_overrides'].includes(error.code), error.code)
        refusals += 1
        return
      }
      changes += 1
      const expected = expectedAfter(series, chosen, before, fields, shift)
      const cut = Math.min(expected.reach, Date.UTC(2198, 0, 1))
      const shown = (list: { startAt: number }[]) =>
        list
          .filter(({ startAt }) => startAt < cut)
          .map((one) => JSON.stringify(one))
          .sort()
      assert.deepEqual(shown(valuesByKey(changed, 1_500).map(withoutKey)), shown(expected.values))
      const pattern = wholePatternOf(changed)
      assert.ok(pattern.rdates.every((wall) => wall > pattern.startWall))
    }),
    { numRuns: 400 },
  )
  assert.ok(changes > 2 * refusals, `${changes} changes, ${refusals} refusals`)
})

type Value = ReturnType<typeof valuesByKey>[number]

const withoutKey = ({ key: _, ...values }: Value): Omit<Value, 'key'> => values

function expectedAfter(series: Series, chosen: Value, before: Value[], fields: FollowingPatch, shift: number) {
  const zone = fields.timezone ?? series.timing.zone
  const { allDay } = series.timing
  const at = (wall: number) => startIn({ allDay, zone }, allDay ? wallOfDay(dayOf(wall)) : wall)
  const first = { ...series.timing, zone }
  const title = fields.title ? { title: fields.title } : {}
  const endAt = fields.end && (allDay ? Date.parse(fields.end) : at(Date.parse(`${fields.end}Z`)))
  const lengthOf = (own: number) => (endAt ? endAt - at(chosen.key + shift) : own)
  const isMoved = (one: Value) => one.startAt !== startIn(series.timing, one.key)
  const moved = (one: Value) => {
    if (fields.start !== undefined || !isMoved(one)) return at(one.key + shift)
    if (zone === series.timing.zone) return one.startAt
    return at(series.overrides.find(({ key }) => key === one.key)!.timing.startWall)
  }
  const earlier = before.filter(({ key }) => key < chosen.key).map(withoutKey)
  const later = before.filter(({ key }) => key >= chosen.key)
  const patched = later.map((one) => ({
    ...withoutKey(one),
    ...title,
    startAt: moved(one),
    durationMs: lengthOf(one.durationMs),
  }))
  const reachOf = (starts: number[], limit: number) =>
    starts.length < limit ? Number.MAX_SAFE_INTEGER : Math.max(...starts) - 200 * DAY_MS
  if (fields.rrule === undefined)
    return {
      values: [...earlier, ...patched],
      reach: reachOf(
        before.map(({ key }) => key),
        400,
      ),
    }
  const start = chosen.key + shift
  const rule = fields.rrule === null ? undefined : (parseRule(fields.rrule) as Rule)
  const timing = { ...first, startWall: start, startAt: at(start), durationMs: lengthOf(series.timing.durationMs) }
  const rdates = series.rdates
    .filter((wall) => wall >= chosen.key)
    .map((wall) => wall + shift)
    .filter((wall) => wall !== start)
  const bare = { ...series, timing, rule, rdates, exclusions: [], overrides: [] }
  const dates = valuesByKey(bare, 400)
  const excluded = new Set(series.exclusions.filter((wall) => wall >= chosen.key).map((wall) => wall + shift))
  const own = new Map(later.map((one, index) => [one.key + shift, { one, index }] as const))
  const edited = new Set(series.overrides.map(({ key }) => key))
  const values = dates
    .filter(({ key }) => !excluded.has(key))
    .map((date) => {
      const found = own.get(date.key)
      return found && edited.has(found.one.key) ? patched[found.index]! : { ...withoutKey(date), ...title }
    })
  return {
    values: [...earlier, ...values],
    reach: reachOf(
      dates.map(({ key }) => key),
      400,
    ),
  }
}
