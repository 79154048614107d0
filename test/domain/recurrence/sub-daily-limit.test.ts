// Rules that repeat more than hourly: where they are truncated, and the bounded work to find that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../../../src/domain/calendar/event.ts'
import { expand, findLastListed, patternOf, wholePatternOf } from '../../../src/domain/recurrence/occurrences.ts'
import { parseRule, type Rule } from '../../../src/domain/recurrence/rule.ts'
import { isFrequent } from '../../../src/domain/recurrence/sub-daily-limit.ts'

const START = Date.parse('2026-07-01T00:00:00Z')
const HOUR = 3_600_000

const seriesOf = (rule: string, zone = 'UTC'): Series => ({
  uid: 'a',
  visibility: 'private',
  transparency: 'opaque',
  details: { title: 'A', description: null, location: null, category: null, url: null, status: 'confirmed' },
  timing: { allDay: false, zone, startWall: START, startAt: START, durationMs: 0 },
  rule: parseRule(rule) as Rule,
  rdates: [],
  exclusions: [],
  overrides: [],
})

const cutOf = (rule: string): number | undefined => findLastListed(wholePatternOf(seriesOf(rule)))

test('a frequent rule is expanded to its thousandth occurrence', () => {
  assert.equal(cutOf('FREQ=HOURLY'), START + 999 * HOUR)
  assert.equal(cutOf('FREQ=HOURLY;COUNT=1001'), START + 999 * HOUR)
  assert.equal(cutOf('FREQ=HOURLY;COUNT=1000'), undefined)
  assert.equal(cutOf('FREQ=HOURLY;UNTIL=20260811T150000Z'), undefined)
  assert.equal(cutOf('FREQ=HOURLY;UNTIL=20260811T160000Z'), START + 999 * HOUR)
  assert.equal(cutOf('FREQ=SECONDLY;UNTIL=20260701T001639Z'), undefined)
  assert.equal(cutOf('FREQ=SECONDLY;UNTIL=20260701T001640Z'), START + 999_000)
  assert.equal(cutOf('FREQ=DAILY'), undefined)
  const { occurrences, complete } = expand(patternOf(seriesOf('FREQ=MINUTELY')), { from: START, to: START + 99e9 })
  assert.deepEqual([occurrences.length, complete], [1_000, true])
})

test('more than twenty-four occurrences a day are frequent too', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour).join()
  assert.equal(isFrequent(parseRule(`FREQ=DAILY;BYHOUR=${hours}`) as Rule), false)
  assert.equal(isFrequent(parseRule(`FREQ=YEARLY;BYHOUR=${hours};BYMINUTE=0,30`) as Rule), true)
})

test('a rule that is too costly to expand is truncated where the work ended', () => {
  for (const rule of [
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYMINUTE=3;BYSECOND=3',
    'FREQ=SECONDLY;INTERVAL=997;BYHOUR=3;BYMINUTE=3;BYSECOND=3',
    'FREQ=MINUTELY;BYYEARDAY=366;BYDAY=MO;BYSETPOS=1',
  ]) {
    const series = seriesOf(rule)
    const cut = findLastListed(wholePatternOf(series))
    const { occurrences, complete } = expand(patternOf(series), { from: START, to: START + 1e13 })
    assert.ok(occurrences.length > 0 && occurrences.length <= 1_000, rule)
    assert.ok(complete || cut !== undefined, rule)
  }
})
