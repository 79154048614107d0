// Random rules against two other implementations: outside their known deviations all must agree.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expandRule } from '../../../src/domain/recurrence/expand.ts'
import type { Frequency } from '../../../src/domain/recurrence/rule.ts'
import { DAY_MS, type LocalMs } from '../../../src/domain/time/instant.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { type ArbitrarySeries, series } from './arbitrary-rules.ts'
import { icalJs, type Oracle, rruleTemporal } from './oracles.ts'
import { show } from './walls.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 5545)
const RUNS = byRunLength(1_500, 6_000)
const RESULTS = 30

/** Long enough for a leap day or a 53rd week, short enough for a slow oracle. */
const WINDOW_DAYS: Record<Frequency, number> = {
  YEARLY: 25 * 366,
  MONTHLY: 8 * 366,
  WEEKLY: 3 * 366,
  DAILY: 3 * 366,
  HOURLY: 60,
  MINUTELY: 3,
  SECONDLY: 1,
}

test(`the expander agrees with rrule-temporal and ical.js on ${RUNS} random rules (DAYBOOK_SEED=${SEED})`, (t) => {
  const tally = new Map<string, number>()
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)
  fc.assert(
    fc.property(series, (each) => {
      const until = each.start + WINDOW_DAYS[each.rule.frequency] * DAY_MS
      const ours = expandRule(each.rule, each.start, { from: each.start + 1, to: until + 1, limit: RESULTS }).walls
      const asked = [rruleTemporal, icalJs].filter((oracle) => isComparable(oracle, each, until, ours, count))
      count(`compared with ${asked.length} of 2`)
    }),
    { seed: SEED, numRuns: RUNS, endOnFailure: true },
  )
  for (const [what, times] of [...tally].sort()) t.diagnostic(`${times}  ${what}`)
  const both = tally.get('compared with 2 of 2') ?? 0
  const one = tally.get('compared with 1 of 2') ?? 0
  assert.ok(both + one >= RUNS * 0.83, `only ${both + one} rules were compared`)
  assert.ok(both >= RUNS * 0.6, `only ${both} rules were compared with both`)
})

/** Compares and returns true, unless the rule is a known deviation or the oracle gives up, which is counted. */
function isComparable(
  oracle: Oracle,
  each: ArbitrarySeries,
  until: LocalMs,
  ours: LocalMs[],
  count: (what: string) => void,
): boolean {
  const known = oracle.deviations.filter((deviation) => deviation.applies(each))
  for (const { name } of known) count(`${oracle.name}: ${name}`)
  if (known.length > 0) return false
  const theirs = oracle.ask(each, until, RESULTS)
  if (!theirs) {
    count(`${oracle.name}: gave up`)
    return false
  }
  assert.deepEqual(ours.map(show), theirs.map(show), `${each.text} from ${show(each.start)}, ${oracle.name}`)
  return true
}
