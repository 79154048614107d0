// Deleting an occurrence and all later ones: what is before it stays as it was, and nothing else is left.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Series } from '../../../../src/domain/calendar/event.ts'
import { deleteFollowing } from '../../../../src/domain/calendar/following/delete-following.ts'
import { expand, patternOf, wholePatternOf } from '../../../../src/domain/recurrence/occurrences.ts'
import { anySeries } from '../../../ical/any-series.ts'
import { create, droppedKeys, edit, exclude, excludedKeys, keyOf, patch, ruleText, standing } from '../series.ts'

const deleteFrom = (series: Series, key: string) => deleteFollowing(series, keyOf(series, key))

test('a rule ends in the form that it has', () => {
  const cases: [rrule: string, key: string, expected: string][] = [
    ['FREQ=WEEKLY', '20260804T193000', 'FREQ=WEEKLY;UNTIL=20260728T183000Z'],
    ['FREQ=WEEKLY;COUNT=8', '20260804T193000', 'FREQ=WEEKLY;COUNT=3'],
    ['FREQ=WEEKLY;UNTIL=20261231', '20260804T193000', 'FREQ=WEEKLY;UNTIL=20260728T183000Z'],
    ['FREQ=MONTHLY;BYDAY=-1SU', '20260830T193000', 'FREQ=MONTHLY;UNTIL=20260726T183000Z;BYDAY=-1SU'],
    ['FREQ=MONTHLY;BYDAY=-1SU;COUNT=5', '20260830T193000', 'FREQ=MONTHLY;COUNT=2;BYDAY=-1SU'],
    ['FREQ=WEEKLY', '20261103T193000', 'FREQ=WEEKLY;UNTIL=20261027T193000Z'],
  ]
  for (const [rrule, key, expected] of cases)
    assert.equal(ruleText(deleteFrom(create({ rrule }), key).series), expected)
})

test('an all-day rule ends with a date', () => {
  const series = create({ start: '2026-07-14', end: '2026-07-16', all_day: true, rrule: 'FREQ=DAILY;INTERVAL=3' })
  const { series: ended } = deleteFrom(series, '20260720')
  assert.equal(ruleText(ended), 'FREQ=DAILY;INTERVAL=3;UNTIL=20260717')
  assert.deepEqual(standing(ended), ['20260714', '20260717'])
})

test('later dates and exceptions go, earlier ones stay', () => {
  let series = create({ rrule: 'FREQ=WEEKLY', rdates: ['2026-07-16T10:00', '2026-08-06T10:00'] })
  series = exclude(series, '20260721T193000', '20260811T193000')
  series = edit(series, '20260728T193000', { start: '2026-08-20T10:00', end: '2026-08-20T11:00' })
  series = edit(series, '20260818T193000', { start: '2026-07-15T10:00', end: '2026-07-15T11:00' })
  const { series: ended, dropped } = deleteFrom(series, '20260804T193000')
  assert.deepEqual(standing(ended), ['20260714T193000', '20260716T100000', '20260728T193000'])
  assert.deepEqual(excludedKeys(ended), ['20260721T193000'])
  assert.deepEqual(droppedKeys(dropped), ['20260811T193000', '20260818T193000'])
  assert.equal(ended.overrides.length, 1, 'an edited occurrence belongs to the side of its key')
})

test('where clocks go forward two starts are one instant, and only the earlier one stays', () => {
  const base = create({
    start: '2026-03-29T00:30',
    end: '2026-03-29T00:45',
    rrule: 'FREQ=DAILY;BYHOUR=0,1,2;BYMINUTE=30',
  })
  const { series: ended } = deleteFrom(base, '20260329T023000')
  assert.deepEqual(standing(ended), ['20260329T003000', '20260329T013000'])
})

test('a series of extra dates keeps its keys when only the start is left', () => {
  const series = create({ rdates: ['2026-07-20T10:00', '2026-07-22T10:00'] })
  const { series: ended } = deleteFrom(series, '20260720T100000')
  assert.deepEqual(standing(ended), ['20260714T193000'])
  assert.equal(patch(ended, { title: 'Still a series' }).series.rule?.count, 1)
})

test('nothing is left from the first occurrence on, or where all earlier ones are deleted', () => {
  const series = create({ rrule: 'FREQ=WEEKLY' })
  assert.equal(deleteFrom(series, '20260714T193000').isEmpty, true)
  const without = exclude(series, '20260714T193000', '20260721T193000')
  assert.equal(deleteFrom(without, '20260728T193000').isEmpty, true)
  assert.equal(deleteFrom(without, '20260804T193000').isEmpty, undefined)
})

test('in any series, the earlier occurrences stay as they are and no later one is left', () => {
  const everything = { from: Date.UTC(1900, 0, 1), to: Date.UTC(2205, 0, 1) }
  fc.assert(
    fc.property(anySeries, fc.nat(12), (series, index) => {
      const skipped = new Set(series.exclusions)
      const { occurrences } = expand(patternOf(series), everything, skipped, 30)
      const chosen = occurrences[index % Math.max(1, occurrences.length)]
      if (!chosen || (!series.rule && series.rdates.length === 0)) return
      const { series: ended, isEmpty } = deleteFollowing(series, chosen.key)
      const left = expand(wholePatternOf(ended), everything, new Set(ended.exclusions), 60)
      assert.ok(left.complete)
      assert.deepEqual(
        left.occurrences,
        occurrences.filter(({ key }) => key < chosen.key),
      )
      assert.deepEqual(
        ended.overrides,
        series.overrides.filter(({ key }) => key < chosen.key),
      )
      assert.equal(isEmpty ?? false, left.occurrences.length === 0 && ended.overrides.length === 0)
    }),
    { numRuns: 300 },
  )
})
