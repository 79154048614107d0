// Random recurrence rules that a person or a client could mean, weighted towards ordinary ones.
import fc from 'fast-check'
import { expandRule } from '../../../src/domain/recurrence/expand.ts'
import { type Frequency, formatRule, parseRule, type Rule } from '../../../src/domain/recurrence/rule.ts'
import { DAY_MS, type LocalMs, wallFromParts } from '../../../src/domain/time/instant.ts'

export interface ArbitrarySeries {
  rule: Rule
  text: string
  start: LocalMs
  /** The rule itself produces the start, as clients ensure. */
  isAligned: boolean
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

const frequency = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Frequency>('DAILY') },
  { weight: 6, arbitrary: fc.constant<Frequency>('WEEKLY') },
  { weight: 6, arbitrary: fc.constant<Frequency>('MONTHLY') },
  { weight: 6, arbitrary: fc.constant<Frequency>('YEARLY') },
  { weight: 2, arbitrary: fc.constantFrom<Frequency>('HOURLY', 'MINUTELY', 'SECONDLY') },
)

const weekday = fc.constantFrom(...WEEKDAYS)

/** From `most` down to `-most`, more often positive. */
const signed = (most: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 1, max: most }) },
    { arbitrary: fc.integer({ min: -most, max: -1 }), weight: 1 },
  )

const numbered = (most: number) => fc.tuple(signed(most), weekday).map(([ordinal, day]) => `${ordinal}${day}`)

const list = <T>(item: fc.Arbitrary<T>, most: number) => fc.array(item, { minLength: 1, maxLength: most }).map(String)

/** A part that is present once in `oneIn`. */
const rarely = (oneIn: number, part: string, value: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: oneIn - 1, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: value.map((text) => `${part}=${text}`) },
  )

function datePart(of: Frequency): fc.Arbitrary<string> {
  const none = { weight: 6, arbitrary: fc.constant('') }
  const plain = { weight: 6, arbitrary: list(weekday, 3).map((days) => `BYDAY=${days}`) }
  const monthDays = { weight: 3, arbitrary: list(signed(31), 4).map((days) => `BYMONTHDAY=${days}`) }
  const both = {
    weight: 1,
    arbitrary: fc.tuple(list(signed(31), 5), list(weekday, 3)).map(([a, b]) => `BYMONTHDAY=${a};BYDAY=${b}`),
  }
  if (of === 'WEEKLY') return fc.oneof(none, plain)
  if (of === 'MONTHLY' || of === 'YEARLY') {
    const mixed = fc.oneof(
      { weight: 3, arbitrary: numbered(5) },
      { weight: of === 'YEARLY' ? 1 : 0, arbitrary: numbered(53) },
      { weight: 1, arbitrary: weekday },
    )
    const numberedToo = {
      weight: 1,
      arbitrary: fc.tuple(list(signed(31), 5), list(mixed, 3)).map(([a, b]) => `BYMONTHDAY=${a};BYDAY=${b}`),
    }
    const ordinals = { weight: 3, arbitrary: list(mixed, 3).map((days) => `BYDAY=${days}`) }
    if (of === 'MONTHLY') return fc.oneof(none, plain, monthDays, ordinals, both, numberedToo)
    const yearDays = {
      weight: 2,
      arbitrary: fc
        .tuple(list(signed(366), 4), rarely(4, 'BYDAY', list(weekday, 4)))
        .map(([numbers, days]) => `BYYEARDAY=${numbers};${days}`),
    }
    const weeks = {
      weight: 1,
      arbitrary: fc
        .tuple(list(signed(53), 3), rarely(2, 'BYDAY', list(weekday, 3)))
        .map(([numbers, days]) => `BYWEEKNO=${numbers};${days}`),
    }
    return fc.oneof(none, plain, monthDays, ordinals, both, numberedToo, yearDays, weeks)
  }
  return of === 'DAILY' ? fc.oneof(none, none, plain, monthDays, both) : fc.oneof(none, none, none, plain, monthDays)
}

const ruleText = frequency.chain((of) =>
  fc
    .tuple(
      rarely(3, 'INTERVAL', fc.integer({ min: 2, max: 6 }).map(String)),
      rarely(6, 'BYMONTH', list(fc.integer({ min: 1, max: 12 }), 4)),
      datePart(of),
      rarely(12, 'BYHOUR', list(fc.integer({ min: 0, max: 23 }), 3)),
      rarely(16, 'BYMINUTE', list(fc.integer({ min: 0, max: 59 }), 3)),
      rarely(24, 'BYSECOND', list(fc.integer({ min: 0, max: 59 }), 2)),
      rarely(12, 'BYSETPOS', list(signed(4), 2)),
      rarely(4, 'WKST', weekday),
    )
    .map((parts) => [`FREQ=${of}`, ...parts].filter(Boolean).join(';').replace(/;;+/g, ';').replace(/;$/, '')),
)

const startWall = fc
  .tuple(fc.integer({ min: 1985, max: 2030 }), fc.integer({ min: 0, max: 365 }), fc.integer({ min: 0, max: 1439 }))
  .map(([year, day, minute]) => wallFromParts(year, 1, 1, 0, minute) + day * DAY_MS)

/** BYSETPOS without another BY part is not a rule; it is left out. */
export const series: fc.Arbitrary<ArbitrarySeries> = fc
  .tuple(ruleText, startWall, fc.integer({ min: 0, max: 19 }))
  .map(([text, near, die]) => {
    const rule = requireRule(parseRule(text), text)
    const wantsAligned = die > 0
    const found = wantsAligned ? findFirstProduced(rule, near) : undefined
    return {
      rule,
      text: formatRule(rule),
      start: found ?? near,
      isAligned: found !== undefined || !text.includes(';BY'),
    }
  })

function requireRule(rule: Rule | string, text: string): Rule {
  if (typeof rule === 'object') return rule
  const without = parseRule(text.replace(/;BYSETPOS=[^;]*/, ''))
  if (typeof without === 'object') return without
  throw new Error(`the generator made ${text}`)
}

function findFirstProduced(rule: Rule, near: LocalMs): LocalMs | undefined {
  return expandRule(rule, near, { from: near + 1, to: near + 30 * 366 * DAY_MS, limit: 1 }).walls[0]
}
