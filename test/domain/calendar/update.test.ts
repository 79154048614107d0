// Updates of a series: exceptions move with it, omitted fields stay, and dropped exceptions are reported.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Override, Series } from '../../../src/domain/calendar/event.ts'
import { restoreOccurrence } from '../../../src/domain/calendar/occurrence-update.ts'
import { isMoved, patchInSteps } from '../../../src/domain/calendar/update.ts'
import { wallFromParts } from '../../../src/domain/time/instant.ts'
import { leastLongestPart } from '../../support/measure/effort.ts'
import {
  create,
  DEFAULTS,
  droppedKeys,
  edit,
  editedKeys,
  exclude,
  excludedKeys,
  keyOf,
  keys,
  patch,
  problems,
  replace,
  ruleText,
  standing,
  when,
} from './series.ts'

/** Tuesdays at 19:30, with one deleted, one renamed and one moved to Wednesday. */
const choir = (rrule = 'FREQ=WEEKLY;COUNT=8'): Series => {
  const plain = create({ rrule, location: 'Main hall' })
  const renamed = edit(plain, '20260728T193000', { title: 'Concert' })
  const moved = edit(renamed, '20260804T193000', { start: '2026-08-05T18:00', end: '2026-08-05T20:00' })
  return exclude(moved, '20260721T193000')
}

const at = (series: Series, key: string): Override => {
  const found = series.overrides.find((override) => keys(series, [override.key])[0] === key)
  assert.ok(found, `no edited occurrence ${key} among ${editedKeys(series)}`)
  return found
}

test('one occurrence is deleted, the series stays whole', () => {
  const series = exclude(create({ rrule: 'FREQ=WEEKLY;COUNT=3' }), '20260721T193000')
  assert.deepEqual(standing(series), ['20260714T193000', '20260728T193000'])
  assert.equal(ruleText(series), 'FREQ=WEEKLY;COUNT=3')
})

test('deleting an edited occurrence removes its edit too', () => {
  const series = exclude(choir(), '20260728T193000')
  assert.deepEqual(editedKeys(series), ['20260804T193000'])
  assert.deepEqual(excludedKeys(series), ['20260721T193000', '20260728T193000'])
})

test('a deleted or edited occurrence that is restored follows the series again', () => {
  const series = choir()
  const back = restoreOccurrence(series, keyOf(series, '20260721T193000'))
  assert.deepEqual(back.exclusions, [])
  assert.deepEqual(back.overrides, series.overrides)
  const plain = restoreOccurrence(series, keyOf(series, '20260804T193000'))
  assert.deepEqual(editedKeys(plain), ['20260728T193000'])
  assert.deepEqual(plain.exclusions, series.exclusions)
})

test('an edited occurrence has its own words and location, and the rest from the series', () => {
  const series = choir()
  const renamed = at(series, '20260728T193000')
  assert.deepEqual(renamed.details, { ...series.details, title: 'Concert' })
  assert.equal(when(renamed), '2026-07-28T19:30:00+01:00 → 2026-07-28T21:00:00+01:00')
  assert.equal(isMoved(renamed, series), false)
  const moved = at(series, '20260804T193000')
  assert.deepEqual(moved.details, series.details)
  assert.equal(when(moved), '2026-08-05T18:00:00+01:00 → 2026-08-05T20:00:00+01:00')
  assert.equal(isMoved(moved, series), true)
})

test('edits of one occurrence add up, and stay in order of key', () => {
  const series = edit(choir(), '20260728T193000', { location: null, end: '2026-07-28T22:00' })
  const both = at(series, '20260728T193000')
  assert.deepEqual(both.details, { ...series.details, title: 'Concert', location: null })
  assert.equal(when(both), '2026-07-28T19:30:00+01:00 → 2026-07-28T22:00:00+01:00')
  const earlier = edit(series, '20260714T193000', { title: 'First' })
  assert.deepEqual(editedKeys(earlier), ['20260714T193000', '20260728T193000', '20260804T193000'])
})

test('an edited occurrence is validated like an event', () => {
  const series = create({ rrule: 'FREQ=WEEKLY' })
  const key = '20260721T193000'
  assert.deepEqual(
    problems(() => edit(series, key, { title: '\0' })),
    ['/title invalid_format'],
  )
  assert.deepEqual(
    problems(() => edit(series, key, { url: 'javascript:x' })),
    ['/url url_scheme'],
  )
  assert.deepEqual(
    problems(() => edit(series, key, { end: '2026-07-21T00:00' })),
    ['/end end_before_start'],
  )
  assert.deepEqual(
    problems(() => edit(series, key, { end: '2027-08-21T19:30' })),
    ['/end range_too_large'],
  )
  assert.deepEqual(
    problems(() => edit(series, key, { start: '1800-01-01T00:00' })),
    ['/start out_of_range'],
  )
  assert.deepEqual(
    problems(() => edit(series, key, { start: 'late' })),
    ['/start invalid_format'],
  )
})

test('an occurrence may be moved to the second of two equal local times, and stays there through later edits', () => {
  const nights = create({ start: '2026-10-20T01:30', end: '2026-10-20T01:45', rrule: 'FREQ=DAILY' })
  const second = { start: '2026-10-25T01:30:00+00:00', end: '2026-10-25T01:45:00+00:00' }
  const moved = edit(nights, '20261025T013000', second)
  const shown = '2026-10-25T01:30:00+00:00 → 2026-10-25T01:45:00+00:00'
  assert.equal(when(at(moved, '20261025T013000')), shown)
  assert.equal(when(at(patch(moved, { title: 'Watch' }).series, '20261025T013000')), shown)
  assert.equal(when(at(edit(moved, '20261025T013000', { title: 'Watch' }), '20261025T013000')), shown)
})

test('an occurrence in the skipped hour is edited where it is shown and keeps its key', () => {
  const nights = create({ start: '2026-03-28T01:30', end: '2026-03-28T02:15', rrule: 'FREQ=DAILY' })
  const renamed = edit(nights, '20260329T013000', { title: 'Short night' })
  assert.equal(when(at(renamed, '20260329T013000')), '2026-03-29T02:30:00+01:00 → 2026-03-29T03:15:00+01:00')
  assert.equal(isMoved(at(renamed, '20260329T013000'), renamed), false)
  const same = edit(nights, '2026-03-29T02:30:00+01:00', { start: '2026-03-29T02:30:00+01:00' })
  assert.equal(same, nights)
})

test('an occurrence moved by its start alone keeps its length', () => {
  const nights = create({ start: '2026-10-20T22:00', end: '2026-10-21T06:00', rrule: 'FREQ=DAILY' })
  const moved = edit(nights, '20261022T220000', { start: '2026-10-24T22:00' })
  assert.equal(when(at(moved, '20261022T220000')), '2026-10-24T22:00:00+01:00 → 2026-10-25T06:00:00+00:00')
  const days = create({ all_day: true, start: '2026-07-14', end: '2026-07-16', rrule: 'FREQ=WEEKLY' })
  const later = at(edit(days, '20260721', { start: '2026-07-23' }), '20260721').timing
  assert.deepEqual(
    [new Date(later.startWall).toISOString().slice(0, 10), later.durationMs],
    ['2026-07-23', 172_800_000],
  )
})

test('an edit that changes nothing returns the series itself', () => {
  const before = patch(choir('FREQ=WEEKLY;UNTIL=20260901T183000Z'), { rdates: ['20260716T193000'] }).series
  const { title, location } = before.details
  for (const same of [
    {},
    { title, location, description: '' },
    { start: '2026-07-14T18:30:00Z', end: '2026-07-14T21:00:00+01:00', timezone: 'Europe/London' },
    { rrule: 'UNTIL=20260901T183000Z;FREQ=WEEKLY;INTERVAL=1', rdates: ['20260716T193000', '2026-07-16T18:30:00Z'] },
    { exdates: excludedKeys(before) },
  ])
    assert.equal(patch(before, same).series, before, JSON.stringify(same))
  for (const other of [{ title: 'Other' }, { visibility: 'public' as const }, { exdates: [] }, { rdates: null }])
    assert.notEqual(patch(before, other).series, before, JSON.stringify(other))
})

test('an all-day occurrence moves by dates', () => {
  const days = create({ all_day: true, start: '2026-07-14', end: '2026-07-15', rrule: 'FREQ=WEEKLY' })
  const moved = edit(days, '20260721', { start: '2026-07-23', end: '2026-07-25' })
  assert.deepEqual(at(moved, '20260721').timing, {
    ...days.timing,
    startWall: Date.UTC(2026, 6, 23),
    startAt: Date.UTC(2026, 6, 23),
    durationMs: 2 * 86_400_000,
  })
})

test('a series moved by an hour moves its exceptions, extra dates and end', () => {
  const before = patch(choir('FREQ=WEEKLY;UNTIL=20260901T183000Z'), { rdates: ['20260716T193000'] }).series
  const { series, dropped } = patch(before, { start: '2026-07-14T20:30', end: '2026-07-14T22:00' })
  assert.deepEqual(dropped, [])
  assert.deepEqual(excludedKeys(series), ['20260721T203000'])
  assert.deepEqual(editedKeys(series), ['20260728T203000', '20260804T203000'])
  assert.deepEqual(keys(series, series.rdates), ['20260716T203000'])
  assert.equal(ruleText(series), 'FREQ=WEEKLY;UNTIL=20260901T193000Z')
  assert.equal(standing(series).length, standing(before).length)
})

test('a series moved across a clock change moves its end by the same local time', () => {
  const before = create({ rrule: 'FREQ=WEEKLY;UNTIL=20261229T193000' })
  assert.equal(ruleText(before), 'FREQ=WEEKLY;UNTIL=20261229T193000Z')
  const { series } = patch(before, { start: '2026-07-14T18:30' })
  assert.equal(ruleText(series), 'FREQ=WEEKLY;UNTIL=20261229T183000Z')
  assert.equal(standing(series).length, standing(before).length)
})

test('a replacement sets its own rule and extra dates; exceptions it does not mention move with the start', () => {
  const before = choir()
  const { series, dropped } = replace(before, {
    start: '2026-07-15T19:30',
    end: '2026-07-15T21:00',
    rrule: 'FREQ=WEEKLY;COUNT=8',
  })
  assert.deepEqual(dropped, [])
  assert.deepEqual(excludedKeys(series), ['20260722T193000'])
  assert.deepEqual(editedKeys(series), ['20260729T193000', '20260805T193000'])
  assert.equal(series.details.location, null, 'an omitted field takes its default')
})

test('an edited occurrence keeps its own changes when the series moves, and follows it otherwise', () => {
  const { series } = patch(choir(), { start: '2026-07-14T20:30', end: '2026-07-14T21:30', location: 'Garden' })
  const renamed = at(series, '20260728T203000')
  assert.equal(renamed.details.title, 'Concert')
  assert.equal(renamed.details.location, 'Garden')
  assert.equal(when(renamed), '2026-07-28T20:30:00+01:00 → 2026-07-28T21:30:00+01:00')
  const moved = at(series, '20260804T203000')
  assert.equal(moved.details.location, 'Garden')
  assert.equal(when(moved), '2026-08-05T18:00:00+01:00 → 2026-08-05T20:00:00+01:00')
})

test('a field that now equals the series does not remove the other edited fields of an override', () => {
  const edited = edit(create({ rrule: 'FREQ=WEEKLY', location: 'Main hall' }), '20260721T193000', {
    title: 'Concert',
    location: null,
  })
  const renamed = patch(edited, { title: 'Concert' }).series
  assert.deepEqual(at(renamed, '20260721T193000').details, { ...renamed.details, location: null })
})

test('a new zone alone changes no key and no local time', () => {
  const before = patch(choir('FREQ=WEEKLY;UNTIL=20260901T193000'), { rdates: ['20260716T193000'] }).series
  const { series, dropped } = patch(before, { timezone: 'America/New_York' })
  assert.deepEqual(dropped, [])
  assert.deepEqual(series.exclusions, before.exclusions)
  assert.deepEqual(series.rdates, before.rdates)
  assert.deepEqual(editedKeys(series), editedKeys(before))
  assert.deepEqual(standing(series), standing(before))
  assert.equal(ruleText(series), 'FREQ=WEEKLY;UNTIL=20260901T233000Z')
  assert.equal(when(at(series, '20260728T193000')), '2026-07-28T19:30:00-04:00 → 2026-07-28T21:00:00-04:00')
  assert.equal(when(at(series, '20260804T193000')), '2026-08-05T18:00:00-04:00 → 2026-08-05T20:00:00-04:00')
  const back = patch(series, { timezone: 'Europe/London' }).series
  assert.deepEqual(back, before)
})

test('a new rule drops only the exceptions that no longer match, and reports them by their keys', () => {
  const { series, dropped } = patch(choir(), { rrule: 'FREQ=WEEKLY;INTERVAL=2' })
  assert.deepEqual(excludedKeys(series), [])
  assert.deepEqual(editedKeys(series), ['20260728T193000'])
  assert.deepEqual(droppedKeys(dropped), ['20260721T193000', '20260804T193000'])
})

test('a new rule in a moved series reports what it drops by the old keys', () => {
  const { series, dropped } = patch(choir(), {
    start: '2026-07-14T20:00',
    rrule: 'FREQ=WEEKLY;INTERVAL=2',
  })
  assert.deepEqual(editedKeys(series), ['20260728T200000'])
  assert.deepEqual(droppedKeys(dropped), ['20260721T193000', '20260804T193000'])
})

test('an exception on an extra date stays when the rule no longer reaches it', () => {
  const before = exclude(create({ rrule: 'FREQ=WEEKLY', rdates: ['20260716T193000'] }), '20260716T193000')
  const { series, dropped } = patch(before, { rrule: 'FREQ=WEEKLY;BYDAY=MO' })
  assert.deepEqual(excludedKeys(series), ['20260716T193000'])
  assert.deepEqual(dropped, [])
  assert.deepEqual(droppedKeys(patch(before, { rdates: null }).dropped), ['20260716T193000'])
})

test('a series that stops repeating drops every exception and reports it', () => {
  const { series, dropped } = patch(choir(), { rrule: null })
  assert.deepEqual([series.exclusions, series.overrides, series.rule], [[], [], undefined])
  assert.deepEqual(droppedKeys(dropped), ['20260721T193000', '20260728T193000', '20260804T193000'])
})

test('omitted exdates keep the exclusions; given, they are the whole list', () => {
  const before = choir()
  assert.deepEqual(excludedKeys(patch(before, { title: 'Band' }).series), ['20260721T193000'])
  assert.deepEqual(excludedKeys(replace(before, { rrule: 'FREQ=WEEKLY;COUNT=8' }).series), ['20260721T193000'])
  assert.deepEqual(excludedKeys(patch(before, { exdates: [] }).series), [])
  assert.deepEqual(excludedKeys(patch(before, { exdates: null }).series), [])
  assert.deepEqual(excludedKeys(patch(before, { exdates: ['20260811T193000'] }).series), ['20260811T193000'])
  assert.deepEqual(
    excludedKeys(replace(before, { rrule: 'FREQ=WEEKLY;COUNT=8', exdates: ['20260714T193000'] }).series),
    ['20260714T193000'],
  )
})

test('exdates are read in the zone and kind of the updated series', () => {
  const { series, dropped } = patch(choir(), {
    start: '2026-07-14T20:30',
    end: '2026-07-14T22:00',
    exdates: ['20260721T203000', '20260811T193000'],
  })
  assert.deepEqual(excludedKeys(series), ['20260721T203000'])
  assert.deepEqual(droppedKeys(dropped), ['20260811T193000'])
})

test('an edited occurrence that is now excluded is reported', () => {
  const { series, dropped } = patch(choir(), { exdates: ['20260728T193000'] })
  assert.deepEqual(editedKeys(series), ['20260804T193000'])
  assert.deepEqual(dropped, [{ occurrenceKey: '20260728T193000', type: 'overridden' }])
})

test('of the times of one day that become one date, one edit stays and the others are reported', () => {
  const both = create({ rdates: ['20260716T100000', '20260716T220000', '20260717T090000', '20260717T100000'] })
  const edited = ['20260716T100000', '20260716T220000', '20260717T090000'].reduce(
    (series, key) => edit(series, key, { title: key }),
    both,
  )
  const { series, dropped } = patch(exclude(edited, '20260717T100000'), { all_day: true })
  assert.deepEqual(keys(series, series.rdates), ['20260716', '20260717'])
  assert.deepEqual(excludedKeys(series), ['20260717'])
  assert.deepEqual(editedKeys(series), ['20260716'])
  assert.equal(at(series, '20260716').details.title, '20260716T100000')
  assert.deepEqual(
    dropped.map(({ occurrenceKey, type }) => `${occurrenceKey} ${type}`),
    ['20260716T220000 overridden', '20260717T090000 overridden'],
  )
})

test('a timed series made all-day keeps its exceptions on their dates', () => {
  const { series, dropped } = patch(choir('FREQ=WEEKLY;UNTIL=20260901T193000'), { all_day: true })
  assert.deepEqual(dropped, [])
  assert.deepEqual(excludedKeys(series), ['20260721'])
  assert.deepEqual(editedKeys(series), ['20260728', '20260804'])
  assert.equal(ruleText(series), 'FREQ=WEEKLY;UNTIL=20260901')
  assert.equal(at(series, '20260728').details.title, 'Concert')
  assert.equal(at(series, '20260804').timing.allDay, true)
})

test('an all-day series made timed keeps its exceptions and its last day', () => {
  const days = create({ all_day: true, start: '2026-07-14', end: '2026-07-15', rrule: 'FREQ=WEEKLY;UNTIL=20260901' })
  const before = exclude(edit(days, '20260728', { title: 'Concert' }), '20260721')
  const atNight = { all_day: false, start: '2026-07-14T23:30', end: '2026-07-14T23:45' }
  const { series, dropped } = patch(before, atNight)
  assert.deepEqual(dropped, [])
  assert.deepEqual(excludedKeys(series), ['20260721T233000'])
  assert.equal(when(at(series, '20260728T233000')), '2026-07-28T23:30:00+01:00 → 2026-07-28T23:45:00+01:00')
  assert.equal(standing(series).at(-1), '20260901T233000')
  assert.equal(standing(series).length, standing(before).length)
})

test('extra dates at other hours become dates with the series, and their exceptions with them', () => {
  const before = exclude(
    create({ rrule: 'FREQ=WEEKLY;COUNT=2', rdates: ['20260716T100000', '20260717T220000', '20260717T230000'] }),
    '20260716T100000',
  )
  const { series, dropped } = patch(before, { all_day: true })
  assert.deepEqual(dropped, [])
  assert.deepEqual(keys(series, series.rdates), ['20260716', '20260717'])
  assert.ok(series.rdates.every((wall) => wall % 86_400_000 === 0))
  assert.deepEqual(standing(series), ['20260714', '20260717', '20260721'])
})

test('when a series becomes all-day or timed, dropped exceptions are reported in their old form', () => {
  const before = choir()
  const { dropped } = patch(before, { all_day: true, rrule: 'FREQ=WEEKLY;INTERVAL=2', exdates: ['20260722'] })
  assert.deepEqual(droppedKeys(dropped), ['20260722', '20260804T193000'])
})

test('a moved occurrence that came in another zone stays at its instant when only words change', () => {
  const series = create({ rrule: 'FREQ=WEEKLY' })
  const moved = edit(series, '20260721T193000', {
    start: '2026-07-21T14:00:00-04:00',
    end: '2026-07-21T15:00:00-04:00',
  })
  const before = at(moved, '20260721T193000').timing
  assert.deepEqual(at(patch(moved, { title: 'Band' }).series, '20260721T193000').timing, before)
})

test('an empty patch changes nothing', () => {
  const before = choir()
  assert.deepEqual(patch(before, {}), { series: before, dropped: [] })
})

test('thousands of excluded dates are moved in short turns, whatever the rule', () => {
  const positions = Array.from({ length: 140 }, (_, i) => i + 1)
  const series = create({
    rrule: `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=${positions}`,
    start: '2026-01-01T19:30',
    end: '2026-01-01T21:00',
  })
  const years = Array.from({ length: 70 }, (_, year) =>
    positions.map((day) => wallFromParts(2026 + year, 1, day, 19, 30)),
  )
  const excluded = { ...series, exclusions: years.flat().slice(1) }
  const longestMs = leastLongestPart(() => patchInSteps(excluded, { timezone: 'Europe/Paris' }, DEFAULTS))
  assert.ok(longestMs < 40, `${longestMs.toFixed()} ms`)
  assert.equal(patch(excluded, { timezone: 'Europe/Paris' }).series.exclusions.length, 9_799)
})
