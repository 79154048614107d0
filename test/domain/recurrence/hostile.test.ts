// Hostile rules: each is decided quickly, and random text and random rules neither hang nor throw.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expandRule, findLastWall, hasOccurrence } from '../../../src/domain/recurrence/expand.ts'
import { formatRule, parseRule } from '../../../src/domain/recurrence/rule.ts'
import { DAY_MS } from '../../../src/domain/time/instant.ts'
import { startWork } from '../../support/measure/effort.ts'
import { wall } from './walls.ts'

const SEED = Number(process.env.DAYBOOK_SEED ?? 5545)
const MOST_MS = 50
const START = wall('2026-01-01 09:00')
const upTo = (most: number) => Array.from({ length: most + 1 }, (_, i) => i).join()
const EVERY_SECOND = `BYHOUR=${upTo(23)};BYMINUTE=${upTo(59)};BYSECOND=${upTo(58)}`

type RuleVerdict = 'rrule_invalid' | 'rrule_unsupported' | boolean | 'too_much_work'

/** The result for each: invalid, unsupported, or whether it ever happens. */
const bombs: [text: string, verdict: RuleVerdict][] = [
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', false],
  ['FREQ=DAILY;INTERVAL=1000000000', 'rrule_unsupported'],
  ['FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6', false],
  ['FREQ=SECONDLY;COUNT=1000000000;BYMONTH=12', 'rrule_unsupported'],
  ['FREQ=SECONDLY;COUNT=10000;BYMONTH=12', true],
  ['FREQ=SECONDLY', true],
  ['FREQ=DAILY;COUNT=1000000000', 'rrule_unsupported'],
  ['FREQ=YEARLY;BYDAY=MO;BYSETPOS=366', false],
  ['FREQ=SECONDLY;BYHOUR=9;BYSETPOS=366', false],
  ['FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366', true],
  ['FREQ=YEARLY;BYDAY=-53MO', true],
  ['FREQ=MONTHLY;BYDAY=-53MO', false],
  ['FREQ=DAILY;UNTIL=99991231', true],
  ['FREQ=SECONDLY;UNTIL=99991231T235959Z', true],
  [`FREQ=DAILY;BYSECOND=${Array.from({ length: 10_000 }, (_, i) => i % 60)}`, 'rrule_invalid'],
  [`FREQ=YEARLY;COUNT=10000;${EVERY_SECOND};BYDAY=SU;BYSETPOS=-1`, true],
  [`FREQ=SECONDLY;${EVERY_SECOND};BYMONTHDAY=31;BYMONTH=2,4,6,9,11`, false],
  ['FREQ=DAILY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU;COUNT=10000', false],
  ['FREQ=DAILY;INTERVAL=999;BYMONTHDAY=31;BYDAY=FR;COUNT=10000', true],
  ['FREQ=DAILY;BYMONTHDAY=31;BYDAY=FR;BYSETPOS=2;COUNT=10000', false],
  ['FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;BYSETPOS=5;COUNT=10000', false],
  ['FREQ=SECONDLY;INTERVAL=60;BYSECOND=31;COUNT=10000', false],
  ['FREQ=SECONDLY;INTERVAL=997;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYMINUTE=0;BYSECOND=0;COUNT=10000', false],
  // The steps reach nine o'clock, but in their cycle of seven days never on a Monday.
  ['FREQ=SECONDLY;INTERVAL=945;BYDAY=MO;BYHOUR=9;BYMINUTE=0;BYSECOND=0;COUNT=10000', false],
  // The same at every full hour but the one that is reached: too costly a search, and reported as such.
  [
    `FREQ=SECONDLY;INTERVAL=945;BYDAY=MO;BYHOUR=${upTo(17)},19,20,21,22,23;BYMINUTE=0;BYSECOND=0;COUNT=9`,
    'too_much_work',
  ],
  ['FREQ=MINUTELY;INTERVAL=840;BYDAY=MO;BYHOUR=1,2,3;COUNT=10000', false],
  ['FREQ=MINUTELY;INTERVAL=840;BYDAY=MO;BYHOUR=11;COUNT=10000', true],
  ['FREQ=YEARLY;BYYEARDAY=366;BYMONTH=1;COUNT=10000', false],
  ['FREQ=YEARLY;BYMONTHDAY=31;BYYEARDAY=1,2,3;COUNT=10000', false],
]

for (const [text, verdict] of bombs) {
  test(`decided within ${MOST_MS} ms: ${text.slice(0, 90)}`, () => {
    // The best of three, because the machine may be busy.
    const runs = [0, 1, 2].map(() => {
      const workedMs = startWork()
      const found = decide(text, START)
      return { found, ms: workedMs() }
    })
    assert.equal(runs[0]?.found, verdict)
    const best = Math.min(...runs.map(({ ms }) => ms))
    assert.ok(best <= MOST_MS, `${best.toFixed(1)} ms`)
  })
}

test('10,000 random texts neither hang nor throw', () => {
  const piece = fc.constantFrom(
    ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYHOUR'],
    ...[
      'BYSETPOS',
      'WKST',
      '=',
      '=',
      ';',
      ';',
      ',',
      '-',
      '+',
      'DAILY',
      'YEARLY',
      'SECONDLY',
      'MO',
      'SU',
      '1',
      '53',
      '366',
    ],
    ...['0', '20260714', 'T000000Z', 'RRULE:', 'X-A', '\r\n', '\u0000', 'é', ' '],
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(text, (each) => void decide(each, START)),
    { seed: SEED, numRuns: 10_000 },
  )
})

test('10,000 random rules, valid or not, neither hang nor throw, and keep their canonical text', () => {
  let slowest = 0
  fc.assert(
    fc.property(wildRule, fc.integer({ min: -70, max: 230 }), (text, years) => {
      const start = START + years * 31_556_952_000 - ((years * 31_556_952_000) % 1_000)
      const workedMs = startWork()
      decide(text, start)
      slowest = Math.max(slowest, workedMs())
      const rule = parseRule(text)
      if (typeof rule === 'object') assert.deepEqual(parseRule(formatRule(rule)), rule)
    }),
    { seed: SEED, numRuns: 10_000 },
  )
  assert.ok(slowest < 20 * MOST_MS, `${slowest.toFixed(0)} ms`)
})

/** Any part with any value in its range, dense lists and large intervals among them. */
const wildRule = fc
  .tuple(
    fc.constantFrom('SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    fc.option(fc.integer({ min: 1, max: 1_000 })),
    fc.option(fc.integer({ min: 1, max: 10_000 })),
    fc.record(
      {
        BYMONTH: listOf(1, 12, false),
        BYWEEKNO: listOf(1, 53, true),
        BYYEARDAY: listOf(1, 366, true),
        BYMONTHDAY: listOf(1, 31, true),
        BYDAY: fc.array(fc.constantFrom('MO', 'TU', 'SU', '1MO', '-1FR', '5SA', '53WE', '-53TH'), {
          minLength: 1,
          maxLength: 5,
        }),
        BYHOUR: listOf(0, 23, false),
        BYMINUTE: listOf(0, 59, false),
        BYSECOND: listOf(0, 60, false),
        BYSETPOS: listOf(1, 366, true),
        WKST: fc.constantFrom('MO', 'SU', 'TH'),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([frequency, interval, count, parts]) =>
    [`FREQ=${frequency}`, interval && `INTERVAL=${interval}`, count && `COUNT=${count}`]
      .concat(Object.entries(parts).map(([part, value]) => `${part}=${value}`))
      .filter(Boolean)
      .join(';'),
  )

function listOf(least: number, most: number, isSigned: boolean) {
  const number = fc.integer({ min: least, max: most })
  const signed = fc.tuple(number, fc.boolean()).map(([value, isNegative]) => (isNegative ? -value : value))
  return fc.array(isSigned ? signed : number, { minLength: 1, maxLength: 20 })
}

/** The steps for a rule from input: parse it, check whether it happens, find its end, expand a month. */
function decide(text: string, start: number): RuleVerdict {
  const rule = parseRule(text)
  if (typeof rule === 'string') return rule
  const happens = hasOccurrence(rule, start)
  const end = findLastWall(rule, start)
  const last = end === 'too_much_work' ? start : end
  const from = start + 5 * 365 * DAY_MS
  const { walls } = expandRule(rule, start, { from, to: from + 31 * DAY_MS, last, limit: 1_000 })
  assert.ok(walls.every((at, i) => at >= from && (i === 0 || at > walls[i - 1]!)))
  return happens
}
