// Seeking: a window far from the start equals a full expansion, at the cost of the window alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DEFAULT_WORK, expandRule } from '../../../src/domain/recurrence/expand.ts'
import { isSubDaily } from '../../../src/domain/recurrence/rule.ts'
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import { series } from './arbitrary-rules.ts'
import { rule, show, wall } from './walls.ts'

const YEAR_MS = 365 * DAY_MS
const SEED = Number(process.env.DAYBOOK_SEED ?? 5545)

test('a window 20 or 100 years on equals the same stretch of a full expansion', () => {
  fc.assert(
    fc.property(series, fc.constantFrom(20, 100), fc.integer({ min: 0, max: 40_000_000 }), (each, years, offset) => {
      // Expanding a century of seconds is what seeking avoids; the next test covers those.
      fc.pre(!isSubDaily(each.rule))
      const from = each.start + years * YEAR_MS + offset * 1_000
      const to = from + 45 * DAY_MS
      const work = 100_000_000
      const full = expandRule(each.rule, each.start, { from: each.start, to, limit: 10_000_000, work })
      const sought = expandRule(each.rule, each.start, { from, to, limit: 100_000 })
      assert.ok(full.complete && sought.complete)
      assert.deepEqual(sought.walls.map(show), full.walls.filter((at) => at >= from).map(show), each.text)
    }),
    { seed: SEED, numRuns: 300 },
  )
})

test('short steps: a window beginning anywhere equals the rest of a window beginning earlier', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 0, max: 200_000 }), (each, offset) => {
      const early = each.start + 10 * YEAR_MS
      const from = early + offset * 1_000
      const to = from + DAY_MS
      const whole = expandRule(each.rule, each.start, { from: early, to, limit: 1_000_000, work: 10_000_000 })
      const part = expandRule(each.rule, each.start, { from, to, limit: 1_000_000, work: 10_000_000 })
      assert.ok(whole.complete && part.complete)
      assert.deepEqual(
        part.walls,
        whole.walls.filter((at) => at >= from),
        each.text,
      )
    }),
    { seed: SEED, numRuns: 500 },
  )
})

test('the work for a window does not grow with the age of the series', () => {
  const window = { from: wall('2026-07-01'), to: wall('2026-08-01'), limit: 10_000 }
  for (const text of [
    'FREQ=DAILY',
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,WE,FR',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=YEARLY;BYWEEKNO=29',
    'FREQ=HOURLY;INTERVAL=7',
    'FREQ=SECONDLY;INTERVAL=999;BYDAY=MO',
  ]) {
    const spent = (start: string) => DEFAULT_WORK - expandRule(rule(text), wall(start), window).workLeft
    const old = spent('1900-01-01 09:00')
    const young = spent('2026-06-29 09:00')
    assert.ok(old <= young + 60, `${text}: ${old} steps since 1900, ${young} since June`)
  }
})

test('a daily event since 1980 still has occurrences', () => {
  const { walls, complete } = expandRule(rule('FREQ=DAILY'), wall('1980-01-01 09:00'), {
    from: wall('2026-07-14'),
    to: wall('2026-07-16'),
    limit: 1_000,
  })
  assert.deepEqual(walls.map(show), ['2026-07-14 09:00', '2026-07-15 09:00'])
  assert.ok(complete)
})
