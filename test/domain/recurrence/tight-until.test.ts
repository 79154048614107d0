// The last occurrence within UNTIL: found exactly, with the work of one expansion, and cached for equal series.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandRule } from '../../../src/domain/recurrence/expand.ts'
import { type Pattern, startAtOf, withoutListingLimit } from '../../../src/domain/recurrence/occurrences.ts'
import { parseRule, type Rule } from '../../../src/domain/recurrence/rule.ts'
import { withTightUntil } from '../../../src/domain/recurrence/tight-until.ts'
import { type LocalMs, wallFromParts } from '../../../src/domain/time/instant.ts'
import { requireZone, toInstant } from '../../../src/domain/time/zone.ts'
import { startWork } from '../../support/measure/effort.ts'

const zone = requireZone('Europe/London')

function patternOf(text: string, startWall: LocalMs): Pattern & { rule: Rule } {
  const rule = parseRule(text)
  assert.ok(typeof rule !== 'string', `${text}: ${rule}`)
  const startAt = toInstant(zone, startWall)
  return {
    ...withoutListingLimit({ allDay: false, zone, startWall, startAt, durationMs: 3_600_000, rule, rdates: [] }),
    rule,
  }
}

const NINE = wallFromParts(2026, 1, 5, 9, 0, 0)

test('UNTIL moves back to the last occurrence, however far away that is', () => {
  const rules = [
    'FREQ=DAILY;UNTIL=20260301T080000Z',
    'FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270101T000000Z',
    'FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20280630T235959Z',
    'FREQ=YEARLY;UNTIL=20400104T000000Z',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=21030101T000000Z',
    'FREQ=HOURLY;INTERVAL=7;BYMONTH=1;UNTIL=20271231T000000Z',
    'FREQ=MINUTELY;BYMONTH=1;BYMONTHDAY=6;BYHOUR=3;UNTIL=20270601T000000Z',
    'FREQ=SECONDLY;INTERVAL=11;UNTIL=20260105T091000Z',
    'FREQ=DAILY;BYMONTH=10;BYMONTHDAY=25;BYHOUR=1;BYMINUTE=30;UNTIL=20261025T003000Z',
    'FREQ=DAILY;BYHOUR=1,2;BYMINUTE=15,30;BYSETPOS=2,3;UNTIL=20350325T012000Z',
    'FREQ=MINUTELY;INTERVAL=45;BYHOUR=1,2;UNTIL=20270328T012000Z',
    'FREQ=DAILY;UNTIL=20260105T120000Z',
    'FREQ=DAILY;UNTIL=20260101T000000Z',
  ]
  for (const text of rules) {
    const pattern = patternOf(text, NINE)
    const { rule, lastWall } = pattern
    const until = rule.until?.kind === 'utc' ? rule.until.instant : Number.NaN
    const { walls } = expandRule(rule, NINE, { from: NINE + 1, to: lastWall! + 1, last: lastWall!, limit: 100_000 })
    const starts = walls.map((wall) => startAtOf(pattern, wall)).filter((startAt) => startAt <= until)
    const last = Math.max(pattern.startAt, ...starts)
    assert.deepEqual(withTightUntil(pattern)?.until, { kind: 'utc', instant: last }, text)
  }
})

const HOSTILE = 'BYYEARDAY=92,-119,257,201,-105;BYHOUR=13;BYMINUTE=0;BYSECOND=5'
const countedPattern = (interval: number): Pattern & { rule: Rule } =>
  patternOf(`FREQ=MINUTELY;INTERVAL=${interval};COUNT=1500;${HOSTILE}`, wallFromParts(1947, 4, 2, 13, 0, 5))
const hostilePattern = (interval: number): Pattern & { rule: Rule } =>
  patternOf(`FREQ=MINUTELY;INTERVAL=${interval};UNTIL=21891231T000000Z;${HOSTILE}`, wallFromParts(1947, 4, 2, 13, 0, 5))

test('searching a rule that rarely matches costs one expansion and is cached', () => {
  const measure = (first: number, work: (pattern: Pattern & { rule: Rule }) => unknown): number => {
    const patterns = Array.from({ length: 20 }, (_, i) => hostilePattern(first + i))
    const ms = startWork()
    patterns.forEach(work)
    return ms()
  }
  const expandMs = measure(741, ({ rule, startWall, lastWall }) =>
    expandRule(rule, startWall, { from: startWall + 1, to: lastWall! + 1, last: lastWall!, limit: 100_000 }),
  )
  const searchMs = measure(741, withTightUntil)
  assert.ok(searchMs < 3 * expandMs, `searched: ${searchMs.toFixed()} ms, expanded: ${expandMs.toFixed()} ms`)
  const againMs = measure(741, withTightUntil)
  assert.ok(againMs < searchMs / 4, `searched again: ${againMs.toFixed()} ms, at first: ${searchMs.toFixed()} ms`)
})

test('the end of COUNT is computed once', () => {
  const measure = (): number => {
    const ms = startWork()
    for (let interval = 741; interval < 761; interval++) countedPattern(interval)
    return ms()
  }
  const [firstMs, againMs] = [measure(), measure()]
  assert.ok(againMs < firstMs / 4, `again: ${againMs.toFixed()} ms, at first: ${firstMs.toFixed()} ms`)
})
