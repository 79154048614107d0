// Redundant parts of a rule that are left out: the occurrences stay the same, whatever the rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expandRule } from '../../../src/domain/recurrence/expand.ts'
import { normalizeRule } from '../../../src/domain/recurrence/normalize-rule.ts'
import { formatRule } from '../../../src/domain/recurrence/rule.ts'
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import { series } from './arbitrary-rules.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 31)

test(`a rule without its redundant parts gives the same occurrences (DAYBOOK_SEED=${SEED})`, () => {
  let changed = 0
  fc.assert(
    fc.property(series, ({ rule, start }) => {
      const hour = Math.floor((start % DAY_MS) / 3_600_000)
      for (const given of [rule, { ...rule, weekStart: 6 }, { ...rule, byHour: [hour] }]) {
        const plain = normalizeRule(given, start)
        if (formatRule(plain) !== formatRule(given)) changed += 1
        const window = { from: start, to: start + 4 * 366 * DAY_MS, limit: 200 }
        assert.deepEqual(
          expandRule(plain, start, window).walls,
          expandRule(given, start, window).walls,
          formatRule(given),
        )
        assert.deepEqual(normalizeRule(plain, start), plain, 'once is enough')
      }
    }),
    { seed: SEED, numRuns: 1_500 },
  )
  assert.ok(changed > 1_000, `${changed} rules had an idle part`)
})
