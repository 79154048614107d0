// Changing an occurrence and all later ones: the earlier ones keep what they have, the series stays whole.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Series } from '../../../../src/domain/calendar/event.ts'
import { patchFollowing } from '../../../../src/domain/calendar/following/patch-following.ts'
import { runSteps } from '../../../../src/domain/steps.ts'
import type { AppError } from '../../../../src/errors.ts'
import { anySeries } from '../../../ical/any-series.ts'
import { create, DEFAULTS, edit, editedKeys, exclude, excludedKeys, problems, ruleText, when } from '../series.ts'
import { change, valuesByKey } from './values.ts'

const titles = (series: Series, limit?: number): string[] => valuesByKey(series, limit).map(({ title }) => title)

test('an endless series takes the new values, and its earlier occurrences keep the old ones', () => {
  const series = exclude(create({ rrule: 'FREQ=WEEKLY' }), '20260721T193000')
  const { series: changed, dropped } = change(series, '20260804T193000', { title: 'Band' })
  assert.equal(changed.details.title, 'Band')
  assert.equal(ruleText(changed), 'FREQ=WEEKLY')
  assert.deepEqual(editedKeys(changed), ['20260714T193000', '20260728T193000'])
  assert.deepEqual(excludedKeys(changed), ['20260721T193000'])
  assert.deepEqual(titles(changed, 4), ['Choir', 'Choir', 'Band', 'Band'])
  assert.deepEqual(dropped, [])
})

test('of a series that ends, the side with fewer occurrences is edited', () => {
  const series = create({ rrule: 'FREQ=WEEKLY;COUNT=6' })
  const last = change(series, '20260811T193000', { location: 'Church' }).series
  assert.equal(last.details.location, null)
  assert.deepEqual(editedKeys(last), ['20260811T193000', '20260818T193000'])
  const most = change(series, '20260728T193000', { location: 'Church' }).series
  assert.equal(most.details.location, 'Church')
  assert.deepEqual(editedKeys(most), ['20260714T193000', '20260721T193000'])
})

test('edited occurrences keep their edits of other fields', () => {
  let series = create({ rrule: 'FREQ=WEEKLY', location: 'Hall' })
  series = edit(series, '20260721T193000', { title: 'Early', location: 'Garden' })
  series = edit(series, '20260811T193000', { title: 'Late', start: '2026-08-12T10:00', end: '2026-08-12T11:00' })
  const { series: changed } = change(series, '20260728T193000', { location: 'Church', transparency: 'transparent' })
  assert.deepEqual(
    valuesByKey(changed, 5).map(({ title, location, transparency }) => [title, location, transparency]),
    [
      ['Choir', 'Hall', 'opaque'],
      ['Early', 'Garden', 'opaque'],
      ['Choir', 'Church', 'transparent'],
      ['Choir', 'Church', 'transparent'],
      ['Late', 'Church', 'transparent'],
    ],
  )
  assert.equal(when(changed.overrides.at(-1)!), '2026-08-12T10:00:00+01:00 → 2026-08-12T11:00:00+01:00')
  const titled = change(series, '20260728T193000', { title: 'Band' }).series
  assert.deepEqual(titles(titled, 5), ['Choir', 'Early', 'Band', 'Band', 'Band'], 'a changed field replaces the edit')
})

test('a second change begins where it says, and the first one stays before it', () => {
  const first = change(create({ rrule: 'FREQ=WEEKLY' }), '20260728T193000', { title: 'Band' }).series
  const second = change(first, '20260811T193000', { title: 'Orchestra' }).series
  assert.deepEqual(titles(second, 6), ['Choir', 'Choir', 'Band', 'Band', 'Orchestra', 'Orchestra'])
})

test('a request that changes nothing returns the series itself, also the second time', () => {
  const series = create({ rrule: 'FREQ=WEEKLY' })
  assert.equal(change(series, '20260728T193000', { title: 'Choir', location: null }).series, series)
  const changed = change(series, '20260728T193000', { title: 'Band' }).series
  assert.equal(change(changed, '20260728T193000', { title: 'Band' }).series, changed)
  const few = change(create({ rrule: 'FREQ=WEEKLY;COUNT=9' }), '20260901T193000', { title: 'Band' }).series
  assert.equal(change(few, '20260901T193000', { title: 'Band' }).series, few)
})

test('the visibility is that of the event, and is never widened', () => {
  const open = create({ rrule: 'FREQ=WEEKLY', visibility: 'public' })
  const hidden = change(open, '20260728T193000', { visibility: 'private' }).series
  assert.deepEqual([hidden.visibility, hidden.overrides], ['private', []])
  assert.deepEqual(
    problems(() => change(hidden, '20260728T193000', { visibility: 'public' })),
    ['/visibility not_allowed'],
  )
  assert.equal(change(hidden, '20260728T193000', { visibility: null }).series, hidden)
})

test('cancelling later occurrences hides no earlier one of a private series', () => {
  const cancel = { status: 'cancelled' } as const
  const endless = create({ rrule: 'FREQ=WEEKLY' })
  for (const patch of [cancel, { ...cancel, start: '2026-07-28T20:00' }])
    assert.deepEqual(
      problems(() => change(endless, '20260728T193000', patch)),
      ['/status not_allowed'],
    )
  const open = change(create({ rrule: 'FREQ=WEEKLY', visibility: 'public' }), '20260728T193000', cancel).series
  assert.equal(open.details.status, 'cancelled')
  const ending = change(create({ rrule: 'FREQ=WEEKLY;COUNT=4' }), '20260721T193000', cancel).series
  assert.deepEqual([ending.details.status, ending.overrides.length], ['confirmed', 3])
  assert.equal(change(endless, '20260714T193000', cancel).series.details.status, 'cancelled')
  // The public cannot tell a cancelled date from a deleted one, and neither do refusals.
  const days = { all_day: true, start: '2026-07-21', end: '2026-07-22' }
  for (const one of [edit(endless, '20260714T193000', cancel), exclude(endless, '20260714T193000')]) {
    assert.equal(change(one, '20260721T193000', cancel).series.details.status, 'cancelled')
    assert.deepEqual(
      problems(() => change(one, '20260721T193000', days)),
      ['/all_day not_allowed'],
    )
  }
})

test('more occurrences than the limit on both sides are refused', () => {
  const series = create({ rrule: 'FREQ=DAILY' })
  const changed = change(series, '20290408T193000', { title: 'Band' }).series
  assert.equal(changed.overrides.length, 999)
  const refused = (one: Series, key: string) =>
    assert.throws(
      () => change(one, key, { title: 'Band' }),
      (error: AppError) => error.code === 'too_many_overrides',
    )
  refused(series, '20290410T193000')
  refused(create({ rrule: 'FREQ=DAILY;COUNT=2100' }), '20290412T193000')
  assert.equal(
    change(create({ rrule: 'FREQ=DAILY;COUNT=1100' }), '20290410T193000', { title: 'B' }).series.overrides.length,
    99,
  )
})

test('in any series, all occurrences from the key on have the new values and the others are as before', () => {
  fc.assert(
    fc.property(
      anySeries,
      fc.nat(12),
      fc.record({
        title: fc.option(fc.constantFrom('New', 'x'), { nil: undefined }),
        description: fc.option(fc.constant('Other'), { nil: undefined }),
        status: fc.option(fc.constantFrom('tentative' as const), { nil: undefined }),
        transparency: fc.option(fc.constantFrom('transparent' as const, 'opaque' as const), { nil: undefined }),
      }),
      (series, index, patch) => {
        if (!series.rule && series.rdates.length === 0) return
        const before = valuesByKey(series, 40)
        const { key } = before[index % Math.max(1, before.length)] ?? {}
        if (key === undefined) return
        const sent = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
        const { series: changed } = runSteps(patchFollowing(series, key, sent, DEFAULTS))
        assert.deepEqual(
          valuesByKey(changed, 40),
          before.map((one) => (one.key < key ? one : { ...one, ...sent })),
        )
        assert.deepEqual([changed.timing, changed.rule, changed.rdates], [series.timing, series.rule, series.rdates])
      },
    ),
    { numRuns: 300 },
  )
})
