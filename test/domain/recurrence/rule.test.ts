// Rule text: valid and invalid rules, and the one canonical spelling of each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatRule, isSubDaily, parseRule } from '../../../src/domain/recurrence/rule.ts'
import { series } from './arbitrary-rules.ts'
import { rule, wall } from './walls.ts'

const isInvalid = (text: string) => assert.equal(parseRule(text), 'rrule_invalid', text)

test('a rule without parts has its defaults', () => {
  assert.deepEqual(parseRule('FREQ=DAILY'), {
    frequency: 'DAILY',
    interval: 1,
    weekStart: 0,
    byMonth: [],
    byWeekNo: [],
    byYearDay: [],
    byMonthDay: [],
    byDay: [],
    byHour: [],
    byMinute: [],
    bySecond: [],
    bySetPos: [],
  })
})

test('lists are sorted and lose duplicates', () => {
  const parsed = rule('FREQ=YEARLY;BYMONTH=12,1,12;BYDAY=SU,-1MO,+2FR,MO,2FR;BYMONTHDAY=31,-1')
  assert.deepEqual(parsed.byMonth, [1, 12])
  assert.deepEqual(parsed.byMonthDay, [-1, 31])
  assert.deepEqual(parsed.byDay, [
    { weekday: 0, ordinal: -1 },
    { weekday: 0, ordinal: 0 },
    { weekday: 6, ordinal: 0 },
    { weekday: 4, ordinal: 2 },
  ])
})

test('the same rule in three spellings has one canonical text', () => {
  const spellings = [
    'RRULE:FREQ=WEEKLY;WKST=MO;BYDAY=MO,WE,FR;INTERVAL=1;COUNT=10',
    'freq=weekly;count=010;byday=fr,we,mo',
    'Count=10;ByDay=WE,MO,FR,MO;Freq=Weekly',
  ]
  for (const text of spellings) assert.equal(formatRule(rule(text)), 'FREQ=WEEKLY;COUNT=10;BYDAY=MO,WE,FR')
})

test('canonical text keeps every part, in a fixed order', () => {
  const text =
    'FREQ=YEARLY;INTERVAL=2;UNTIL=20301231T235959Z;BYMONTH=1,2;BYYEARDAY=-1,1;BYMONTHDAY=-1,1;BYDAY=MO,2TU;BYHOUR=9;BYMINUTE=0,30;BYSECOND=59;BYSETPOS=-1,1;WKST=SU'
  assert.equal(formatRule(rule(text)), text)
  assert.equal(formatRule(rule('FREQ=YEARLY;BYWEEKNO=-1,20')), 'FREQ=YEARLY;BYWEEKNO=-1,20')
})

test('parsing a formatted rule gives the same rule', () => {
  fc.assert(
    fc.property(series, ({ rule: parsed, text }) => {
      assert.deepEqual(parseRule(text), parsed)
      assert.equal(formatRule(rule(text)), text)
    }),
    { seed: 5545, numRuns: 500 },
  )
})

test('UNTIL is a date, a local time or an instant', () => {
  assert.deepEqual(rule('FREQ=DAILY;UNTIL=20260714').until, { kind: 'date', day: wall('2026-07-14') / 86_400_000 })
  assert.deepEqual(rule('FREQ=DAILY;UNTIL=20260714T090000').until, { kind: 'local', wall: wall('2026-07-14 09:00') })
  assert.deepEqual(rule('FREQ=DAILY;UNTIL=20260714t090000z').until, { kind: 'utc', instant: wall('2026-07-14 09:00') })
})

test('UNTIL may be far away and is kept as written', () => {
  for (const until of ['99991231', '99991231T235959Z', '00010101', '00010101T000000', '19000228']) {
    assert.equal(formatRule(rule(`FREQ=DAILY;UNTIL=${until}`)), `FREQ=DAILY;UNTIL=${until}`)
  }
})

test('an UNTIL that is not a real date is invalid', () => {
  for (const until of [
    '20260230',
    '20261301',
    '00000101',
    '2026-07-14',
    '20260714T09',
    '20260714T240000',
    '20260714Z',
    '',
  ]) {
    isInvalid(`FREQ=DAILY;UNTIL=${until}`)
  }
})

test('a leap second is read as the second before it', () => {
  assert.deepEqual(rule('FREQ=DAILY;BYSECOND=59,60').bySecond, [59])
  assert.equal(formatRule(rule('FREQ=DAILY;UNTIL=20161231T235960Z')), 'FREQ=DAILY;UNTIL=20161231T235959Z')
})

test('values outside their range are invalid', () => {
  const outside: Record<string, string[]> = {
    BYMONTH: ['0', '13', '-1', '+1', '1.5'],
    BYWEEKNO: ['0', '54', '-54'],
    BYYEARDAY: ['0', '367', '-367'],
    BYMONTHDAY: ['0', '32', '-32', '1e1'],
    BYDAY: ['0MO', '54MO', '-54MO', 'XX', '', 'M', '1', '+MO', '1.0MO', '0x1MO', ' MO'],
    BYHOUR: ['24', '-1', ''],
    BYMINUTE: ['60', 'a'],
    BYSECOND: ['61'],
    INTERVAL: ['0', '-1', '1.5', '', ' 1'],
    COUNT: ['0', '-1', 'ten'],
    WKST: ['', 'M', '1MO'],
  }
  for (const [part, values] of Object.entries(outside))
    for (const value of values) isInvalid(`FREQ=YEARLY;${part}=${value}`)
  isInvalid('FREQ=YEARLY;BYDAY=MO;BYSETPOS=0')
  isInvalid('FREQ=YEARLY;BYDAY=MO;BYSETPOS=367')
})

test('the ends of every range are valid', () => {
  rule('FREQ=YEARLY;BYMONTH=1,12;BYYEARDAY=-366,366;BYMONTHDAY=-31,31;BYHOUR=0,23;BYMINUTE=0,59;BYSECOND=0,60')
  rule('FREQ=YEARLY;BYWEEKNO=-53,53')
  rule('FREQ=YEARLY;BYDAY=-53MO,53SU;BYSETPOS=-366,366')
})

test('parts that cannot be combined are invalid', () => {
  for (const text of [
    'FREQ=DAILY;COUNT=3;UNTIL=20260714',
    'FREQ=WEEKLY;BYDAY=1MO',
    'FREQ=DAILY;BYDAY=-1FR',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO',
    'FREQ=MONTHLY;BYWEEKNO=20',
    'FREQ=HOURLY;BYWEEKNO=20',
    'FREQ=DAILY;BYYEARDAY=1',
    'FREQ=WEEKLY;BYYEARDAY=1',
    'FREQ=MONTHLY;BYYEARDAY=1',
    'FREQ=WEEKLY;BYMONTHDAY=1',
    'FREQ=DAILY;BYSETPOS=1',
  ]) {
    isInvalid(text)
  }
})

test('text with unknown or repeated parts is invalid', () => {
  for (const text of [
    '',
    'RRULE:',
    'DAILY',
    'FREQ=',
    'FREQ=FORTNIGHTLY',
    'INTERVAL=2',
    'FREQ=DAILY;',
    ';FREQ=DAILY',
    'FREQ=DAILY;;COUNT=1',
    'FREQ=DAILY;FREQ=DAILY',
    'FREQ=DAILY;COUNT=1;COUNT=1',
    'FREQ=DAILY;X-NAME=1',
    'FREQ=DAILY;RSCALE=GREGORIAN',
    'FREQ=DAILY;COUNT',
    'FREQ=DAILY\r\nSUMMARY:x',
    'FREQ=DAILY;__PROTO__=1',
    'RRULE:RRULE:FREQ=DAILY',
  ]) {
    isInvalid(text)
  }
})

test('a rule of more than 512 characters is invalid', () => {
  isInvalid(`FREQ=DAILY;BYSECOND=${Array.from({ length: 10_000 }, (_, i) => i % 60)}`)
  isInvalid(`FREQ=DAILY;COUNT=${'0'.repeat(500)}1`)
  rule(`FREQ=DAILY;COUNT=${'0'.repeat(490)}1`)
})

test('too large an INTERVAL or COUNT is valid, but not supported', () => {
  assert.equal(parseRule('FREQ=DAILY;INTERVAL=1001'), 'rrule_unsupported')
  assert.equal(parseRule('FREQ=DAILY;COUNT=10001'), 'rrule_unsupported')
  assert.equal(parseRule(`FREQ=DAILY;COUNT=${'9'.repeat(400)}`), 'rrule_unsupported')
  rule('FREQ=DAILY;INTERVAL=1000')
  rule('FREQ=DAILY;COUNT=10000')
})

test('steps shorter than a day are recognised', () => {
  for (const frequency of ['SECONDLY', 'MINUTELY', 'HOURLY']) assert.ok(isSubDaily(rule(`FREQ=${frequency}`)))
  for (const frequency of ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']) assert.ok(!isSubDaily(rule(`FREQ=${frequency}`)))
})
