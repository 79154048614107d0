// Recurrence rules in plain English.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as english from '../../src/words/english.ts'
import { ruleInWords } from '../../src/words/rule-in-words.ts'

const said: readonly (readonly [rule: string, words: string])[] = [
  ['FREQ=DAILY', 'every day'],
  ['FREQ=DAILY;INTERVAL=2', 'every second day'],
  ['FREQ=DAILY;INTERVAL=10;COUNT=5', 'every 10 days, 5 times'],
  ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'every weekday'],
  ['FREQ=WEEKLY', 'every week'],
  ['FREQ=WEEKLY;BYDAY=TU', 'every Tuesday'],
  ['FREQ=WEEKLY;BYDAY=TH,TU,SU', 'every Tuesday, Thursday and Sunday'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'every weekday'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'every day'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270630', 'every second Tuesday until 30 June 2027'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', 'every second week on Monday and Friday'],
  ['FREQ=WEEKLY;INTERVAL=3;BYDAY=WE', 'every 3 weeks on Wednesday'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR', 'every second week on Monday to Friday'],
  ['FREQ=MONTHLY', 'every month'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,22', 'every month on the 1st and the 22nd'],
  ['FREQ=MONTHLY;BYMONTHDAY=13', 'every month on the 13th'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'every month on the last day'],
  ['FREQ=MONTHLY;BYDAY=2TU', 'every month on the second Tuesday'],
  ['FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', 'every month on the second Tuesday'],
  ['FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR', 'every 3 months on the last Friday'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'every month on the last weekday'],
  ['FREQ=YEARLY', 'every year'],
  ['FREQ=YEARLY;INTERVAL=2;BYMONTH=7;BYMONTHDAY=14', 'every second year on 14 July'],
  ['FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO', 'every year on the last Monday of May'],
  ['FREQ=YEARLY;BYMONTH=5', 'every year in May'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=1', 'every year on the last day of February, once'],
  ['RRULE:FREQ=weekly;byday=sa', 'every Saturday'],
]

test('common rules have a description', () => {
  for (const [rule, words] of said) assert.equal(ruleInWords(rule, english.rule), words, rule)
})

test('the last day is that of the event’s own zone', () => {
  const rule = 'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270630T225959Z'
  assert.equal(ruleInWords(rule, english.rule, 'Europe/London'), 'every Tuesday until 30 June 2027')
  assert.equal(ruleInWords(rule, english.rule, 'Asia/Tokyo'), 'every Tuesday until 1 July 2027')
})

test('other rules, and invalid ones, are a custom repetition', () => {
  const others = [
    'FREQ=DAILY;BYHOUR=9,15',
    'FREQ=HOURLY',
    'FREQ=DAILY;INTERVAL=2;BYDAY=MO',
    'FREQ=DAILY;BYMONTH=7',
    'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
    'FREQ=MONTHLY;BYDAY=TU;BYSETPOS=1,3',
    'FREQ=MONTHLY;BYDAY=TU',
    'FREQ=MONTHLY;BYMONTHDAY=-2',
    'FREQ=MONTHLY;BYMONTH=5;BYMONTHDAY=1',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=YEARLY;BYMONTH=5,6',
    'FREQ=YEARLY;BYDAY=20MO',
    'FREQ=WEEKLY;BYDAY=TU;BYSETPOS=1',
    'no rule at all',
    '',
  ]
  for (const rule of others) assert.equal(ruleInWords(rule, english.rule), 'custom repetition', rule)
})
