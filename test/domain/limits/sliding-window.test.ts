// Sliding-window arithmetic of the rate limiter: what still counts, and when one more fits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  hasRoom,
  msUntilRoom,
  tallyAt,
  toleranceMs,
  type WindowTally,
  weightMs,
  windowStart,
} from '../../../src/domain/limits/sliding-window.ts'

const TEN_A_MINUTE = { limit: 10, windowMs: 60_000 }
const start = windowStart(Date.parse('2026-07-10T12:00:00Z'), 60_000)
const full: WindowTally = { startedAt: start, hits: 10, hitsBefore: 0 }

test('windows are aligned to the clock', () => {
  assert.equal(windowStart(start, 60_000), start)
  assert.equal(windowStart(start + 59_999, 60_000), start)
  assert.equal(windowStart(start + 60_000, 60_000), start + 60_000)
})

test('the previous window counts less as the current one goes on', () => {
  const at = (ms: number) => {
    const now = start + 60_000 + ms
    return hasRoom(tallyAt(full, now, 60_000), now, TEN_A_MINUTE)
  }
  assert.equal(at(0), false)
  assert.equal(at(5_999), false)
  assert.equal(at(6_000), true)
  assert.equal(weightMs(start, start + 45_000, 60_000), 15_000)
})

test('an old window does not count', () => {
  assert.deepEqual(tallyAt(full, start + 120_000, 60_000), { startedAt: start + 120_000, hits: 0, hitsBefore: 0 })
  assert.deepEqual(tallyAt(undefined, start, 60_000), { startedAt: start, hits: 0, hitsBefore: 0 })
})

test('F16: hits further ahead than clocks may differ are dropped', () => {
  const dayBefore = start - 86_400_000
  assert.deepEqual(tallyAt(full, dayBefore, 60_000), { startedAt: dayBefore, hits: 0, hitsBefore: 0 })
})

test('a node whose clock is a little behind counts in the window that others have begun', () => {
  const now = start - toleranceMs(60_000)
  assert.deepEqual(tallyAt(full, now, 60_000), full)
  assert.equal(hasRoom(full, now, TEN_A_MINUTE), false)
  assert.ok(msUntilRoom(full, now, TEN_A_MINUTE) <= 60_000 + 6_000 + toleranceMs(60_000))
})

const anyTally = fc.record({
  limit: fc.integer({ min: 1, max: 700 }),
  windowMs: fc.constantFrom(1_000, 60_000, 900_000, 1_800_000, 86_400_000),
  hits: fc.integer({ min: 0, max: 700 }),
  hitsBefore: fc.integer({ min: 0, max: 700 }),
  elapsed: fc.nat(86_399_999),
})

test('there is room after exactly the stated wait, and none a moment before', () => {
  fc.assert(
    fc.property(anyTally, ({ limit, windowMs, hits, hitsBefore, elapsed }) => {
      const rule = { limit, windowMs }
      const startedAt = windowStart(start, windowMs)
      const now = startedAt + (elapsed % windowMs)
      const tally = { startedAt, hits: Math.min(hits, limit), hitsBefore }
      const wait = msUntilRoom(tally, now, rule)
      const at = (when: number) => hasRoom(tallyAt(tally, when, windowMs), when, rule)
      assert.ok(at(now + wait))
      if (wait > 0) assert.ok(!at(now + wait - 1))
      else assert.ok(at(now))
    }),
  )
})
