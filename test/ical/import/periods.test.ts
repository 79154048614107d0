// RDATE;VALUE=PERIOD: starts become extra dates, and other durations become edited occurrences.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { type ImportedObject, importEvent, isImported } from '../../../src/ical/import/import-event.ts'
import { isSplitProblem, splitCalendar } from '../../../src/ical/text/split.ts'
import { createZoneFinder } from '../../../src/ical/zones/foreign-zones.ts'
import { event, file } from '../files.ts'

const LONDON = requireZone('Europe/London')
const DAILY = ['DTSTART:20260714T080000Z', 'DTEND:20260714T090000Z', 'SUMMARY:A']

function adopt(...components: string[]): ImportedObject | string {
  const split = splitCalendar(file(...components))
  assert.ok(!isSplitProblem(split))
  const adoption = { zone: LONDON, visibility: 'private', now: 0, findZone: createZoneFinder(LONDON) } as const
  const result = importEvent(split.events[0]!, adoption)
  return isImported(result) ? result : result.left.map(({ reason }) => reason).join()
}

const series = (...components: string[]) => {
  const adopted = adopt(...components)
  assert.ok(typeof adopted !== 'string', `left: ${adopted}`)
  return adopted.series
}

const HOUR = 3_600_000
const at = (text: string): number => Date.parse(text)

test('a period of the series’ own duration is an extra date only', () => {
  const { rdates, overrides } = series(event('a', ...DAILY, 'RDATE;VALUE=PERIOD:20260720T080000Z/PT1H'))
  assert.deepEqual(rdates, [at('2026-07-20T08:00Z')])
  assert.deepEqual(overrides, [])
})

test('another duration is an edited occurrence with the words of the series', () => {
  const { rdates, overrides, details } = series(
    event('a', ...DAILY, 'RDATE;VALUE=PERIOD:20260720T080000Z/PT3H,20260721T080000Z/20260721T083000Z'),
  )
  assert.equal(rdates.length, 2)
  assert.deepEqual(
    overrides.map(({ key, timing }) => [key, timing.startAt, timing.durationMs]),
    [
      [at('2026-07-20T08:00Z'), at('2026-07-20T08:00Z'), 3 * HOUR],
      [at('2026-07-21T08:00Z'), at('2026-07-21T08:00Z'), HOUR / 2],
    ],
  )
  assert.deepEqual(overrides[0]?.details, details)
})

test('a period that is deleted, edited separately or equal to the start adds nothing', () => {
  const { overrides, exclusions } = series(
    event(
      'a',
      ...DAILY,
      'RDATE;VALUE=PERIOD:20260714T080000Z/PT9H,20260720T080000Z/PT3H,20260721T080000Z/PT3H',
      'EXDATE:20260720T080000Z',
    ),
    event('a', 'RECURRENCE-ID:20260721T080000Z', 'DTSTART:20260721T100000Z', 'DURATION:PT1H', 'SUMMARY:Own'),
  )
  assert.deepEqual(exclusions, [at('2026-07-20T08:00Z')])
  assert.deepEqual(
    overrides.map(({ details, timing }) => [details.title, timing.durationMs]),
    [['Own', HOUR]],
  )
})

test('in an all-day series a period is the day it begins on', () => {
  const days = ['DTSTART;VALUE=DATE:20260714', 'SUMMARY:A']
  const { rdates, overrides } = series(
    event('a', ...days, 'RDATE;VALUE=PERIOD;TZID=Europe/London:20260720T230000/PT5H'),
  )
  assert.deepEqual([rdates, overrides], [[at('2026-07-20T00:00Z')], []])
})

test('zones and floating times of periods are read like those of other dates', () => {
  const local = ['DTSTART;TZID=Europe/London:20260714T090000', 'DURATION:PT1H', 'SUMMARY:A']
  const { rdates, overrides } = series(
    event(
      'a',
      ...local,
      'RDATE;VALUE=PERIOD:20260720T090000/PT2H',
      'RDATE;VALUE=PERIOD;TZID=GMT Standard Time:20260721T090000/20260721T110000',
    ),
  )
  assert.deepEqual(rdates, [at('2026-07-20T09:00Z'), at('2026-07-21T09:00Z')])
  assert.deepEqual(
    overrides.map(({ timing }) => [timing.startAt, timing.durationMs]),
    [
      [at('2026-07-20T08:00Z'), 2 * HOUR],
      [at('2026-07-21T08:00Z'), 2 * HOUR],
    ],
  )
})

test('unreadable periods, and those that would be copied too often, are reported', () => {
  const period = (value: string): ImportedObject | string => adopt(event('a', ...DAILY, `RDATE;VALUE=PERIOD:${value}`))
  for (const value of ['20260720T080000Z', '20260720T080000Z/', '20260720T080000Z/soon', 'x/PT1H', '20260720/PT1H'])
    assert.equal(period(value), 'dates_unreadable', value)
  assert.equal(period('20260720T080000Z/20260720T070000Z'), 'dates_unreadable', 'it ends before it begins')
  assert.equal(period('20260720T080000Z/P400D'), 'too_long')
  assert.equal(adopt(event('a', ...DAILY, 'EXDATE:20260720T080000Z/PT1H')), 'dates_unreadable')
  const starts = Array.from({ length: 900 }, (_, i) => new Date(at('2026-08-01T08:00Z') + i * 24 * HOUR))
  const many = starts.map((start) => `${start.toISOString().replace(/[-:]|\.\d+/g, '')}/PT2H`).join()
  const words = `DESCRIPTION:${'word '.repeat(1_900)}`
  assert.equal(adopt(event('a', ...DAILY, words, `RDATE;VALUE=PERIOD:${many}`)), 'too_many_periods')
})
