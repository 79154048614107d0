// Recurrence form: a rule it can show round-trips unchanged, and any other rule is kept as text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayChoices, moveWithStart, repeatOf, ruleOf, shiftDays } from '../../../web/pages/editor/form/repeat.ts'

/** A Tuesday, the second one of its month. */
const START = '2026-07-14'
const ZONE = 'Europe/London'

test('rules that the form can show come back unchanged', () => {
  const shown = [
    ['FREQ=DAILY', 'FREQ=DAILY'],
    ['FREQ=DAILY;INTERVAL=3;COUNT=4', 'FREQ=DAILY;INTERVAL=3;COUNT=4'],
    ['FREQ=WEEKLY', 'FREQ=WEEKLY;BYDAY=TU'],
    ['FREQ=WEEKLY;BYDAY=TU,TH;WKST=SU', 'FREQ=WEEKLY;BYDAY=TU,TH'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270630T225959Z', 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630;BYDAY=TU'],
    ['FREQ=MONTHLY', 'FREQ=MONTHLY;BYMONTHDAY=14'],
    ['FREQ=MONTHLY;BYMONTHDAY=14', 'FREQ=MONTHLY;BYMONTHDAY=14'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'FREQ=MONTHLY;BYDAY=2TU'],
    ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', 'FREQ=MONTHLY;BYDAY=2TU'],
    ['FREQ=YEARLY', 'FREQ=YEARLY'],
    ['FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=14', 'FREQ=YEARLY'],
    ['FREQ=YEARLY;BYMONTH=7;BYDAY=2TU', 'FREQ=YEARLY;BYMONTH=7;BYDAY=2TU'],
  ] as const
  for (const [rule, written] of shown) {
    const repeat = repeatOf(rule, START, ZONE)
    assert.notEqual(repeat.kind, 'custom', rule)
    assert.equal(ruleOf(repeat, START), written, rule)
  }
})

test('other rules keep their text', () => {
  const others = [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
    'FREQ=MONTHLY;BYMONTHDAY=15',
    'FREQ=MONTHLY;BYMONTHDAY=14,28',
    'FREQ=MONTHLY;BYDAY=3TU',
    'FREQ=MONTHLY;BYDAY=-1TU',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    'FREQ=YEARLY;BYMONTH=8',
    'FREQ=YEARLY;BYDAY=20MO',
    'FREQ=YEARLY;BYDAY=TU;BYSETPOS=2',
    'FREQ=DAILY;BYHOUR=9,15',
    'FREQ=HOURLY',
    'nothing of the kind',
  ]
  for (const rule of others) {
    const repeat = repeatOf(rule, START, ZONE)
    assert.equal(repeat.kind, 'custom', rule)
    assert.equal(ruleOf(repeat, START), rule)
  }
  assert.equal(ruleOf(repeatOf(null, START, ZONE), START), null)
})

test('parts of a rule that follow from the start move with it', () => {
  const weekly = repeatOf('FREQ=WEEKLY;BYDAY=TU', START, ZONE)
  assert.equal(ruleOf(moveWithStart(weekly, START, '2026-07-16'), '2026-07-16'), 'FREQ=WEEKLY;BYDAY=TH')
  const several = repeatOf('FREQ=WEEKLY;BYDAY=TU,SU', START, ZONE)
  assert.equal(ruleOf(moveWithStart(several, START, '2026-07-16'), '2026-07-16'), 'FREQ=WEEKLY;BYDAY=TU,SU')
  assert.equal(ruleOf(shiftDays(several, START, '2026-07-13'), '2026-07-13'), 'FREQ=WEEKLY;BYDAY=MO,SA')
  const second = repeatOf('FREQ=MONTHLY;BYDAY=2TU', START, ZONE)
  assert.equal(ruleOf(moveWithStart(second, START, '2026-07-15'), '2026-07-15'), 'FREQ=MONTHLY;BYDAY=3WE')
  assert.equal(ruleOf(moveWithStart(second, START, '2026-07-30'), '2026-07-30'), 'FREQ=MONTHLY;BYDAY=-1TH')
  const last = repeatOf('FREQ=MONTHLY;BYMONTHDAY=-1', '2026-07-31', ZONE)
  assert.equal(ruleOf(moveWithStart(last, '2026-07-31', '2026-07-03'), '2026-07-03'), 'FREQ=MONTHLY;BYMONTHDAY=3')
})

test('a day of the month is offered in every form that fits', () => {
  assert.deepEqual(dayChoices('2026-07-14'), ['day', 'weekday'])
  assert.deepEqual(dayChoices('2026-07-28'), ['day', 'weekday', 'last_weekday'])
  assert.deepEqual(dayChoices('2026-07-31'), ['day', 'last_day', 'last_weekday'])
})
