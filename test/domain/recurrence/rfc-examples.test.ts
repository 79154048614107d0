// Every example of RFC 5545 §3.8.5.3, in New York wall time. UNTIL in UTC is read through the zone, as callers do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandRule, untilWall } from '../../../src/domain/recurrence/expand.ts'
import { requireZone, toWall } from '../../../src/domain/time/zone.ts'
import { first, rule, show, wall } from './walls.ts'

interface Example {
  what: string
  /** Where the RFC has two forms: both, with "or" between them. */
  rule: string
  /** All at nine o'clock. */
  start: string
  /** Months with their days: `1997-09 2 4 6, 1997-10 1`. */
  days: string
}

const NINE = '09:00'

const examples: Example[] = [
  {
    what: 'daily for 10',
    rule: 'FREQ=DAILY;COUNT=10',
    start: '1997-09-02',
    days: '1997-09 2 3 4 5 6 7 8 9 10 11',
  },
  {
    what: 'every other day',
    rule: 'FREQ=DAILY;INTERVAL=2',
    start: '1997-09-02',
    days: '1997-09 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30, 1997-10 2 4 6',
  },
  {
    what: 'every 10 days, 5 times',
    rule: 'FREQ=DAILY;INTERVAL=10;COUNT=5',
    start: '1997-09-02',
    days: '1997-09 2 12 22, 1997-10 2 12',
  },
  {
    what: 'weekly for 10',
    rule: 'FREQ=WEEKLY;COUNT=10',
    start: '1997-09-02',
    days: '1997-09 2 9 16 23 30, 1997-10 7 14 21 28, 1997-11 4',
  },
  {
    what: 'weekly until 24 December',
    rule: 'FREQ=WEEKLY;UNTIL=19971224T000000Z',
    start: '1997-09-02',
    days: '1997-09 2 9 16 23 30, 1997-10 7 14 21 28, 1997-11 4 11 18 25, 1997-12 2 9 16 23',
  },
  {
    what: 'every other week',
    rule: 'FREQ=WEEKLY;INTERVAL=2;WKST=SU',
    start: '1997-09-02',
    days: '1997-09 2 16 30, 1997-10 14 28, 1997-11 11 25, 1997-12 9 23, 1998-01 6 20, 1998-02 3 17',
  },
  {
    what: 'Tuesday and Thursday for five weeks',
    rule: 'FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH or FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH',
    start: '1997-09-02',
    days: '1997-09 2 4 9 11 16 18 23 25 30, 1997-10 2',
  },
  {
    what: 'every other week on three days until 24 December',
    rule: 'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR',
    start: '1997-09-01',
    days: '1997-09 1 3 5 15 17 19 29, 1997-10 1 3 13 15 17 27 29 31, 1997-11 10 12 14 24 26 28, 1997-12 8 10 12 22',
  },
  {
    what: 'every other week on two days, 8 times',
    rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH',
    start: '1997-09-02',
    days: '1997-09 2 4 16 18 30, 1997-10 2 14 16',
  },
  {
    what: 'first Friday, 10 times',
    rule: 'FREQ=MONTHLY;COUNT=10;BYDAY=1FR',
    start: '1997-09-05',
    days: '1997-09 5, 1997-10 3, 1997-11 7, 1997-12 5, 1998-01 2, 1998-02 6, 1998-03 6, 1998-04 3, 1998-05 1, 1998-06 5',
  },
  {
    what: 'first Friday until 24 December',
    rule: 'FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR',
    start: '1997-09-05',
    days: '1997-09 5, 1997-10 3, 1997-11 7, 1997-12 5',
  },
  {
    what: 'first and last Sunday of every other month',
    rule: 'FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU',
    start: '1997-09-07',
    days: '1997-09 7 28, 1997-11 2 30, 1998-01 4 25, 1998-03 1 29, 1998-05 3 31',
  },
  {
    what: 'second-to-last Monday',
    rule: 'FREQ=MONTHLY;COUNT=6;BYDAY=-2MO',
    start: '1997-09-22',
    days: '1997-09 22, 1997-10 20, 1997-11 17, 1997-12 22, 1998-01 19, 1998-02 16',
  },
  {
    what: 'third-to-last day',
    rule: 'FREQ=MONTHLY;BYMONTHDAY=-3',
    start: '1997-09-28',
    days: '1997-09 28, 1997-10 29, 1997-11 28, 1997-12 29, 1998-01 29, 1998-02 26',
  },
  {
    what: '2nd and 15th',
    rule: 'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15',
    start: '1997-09-02',
    days: '1997-09 2 15, 1997-10 2 15, 1997-11 2 15, 1997-12 2 15, 1998-01 2 15',
  },
  {
    what: 'first and last day',
    rule: 'FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1',
    start: '1997-09-30',
    days: '1997-09 30, 1997-10 1 31, 1997-11 1 30, 1997-12 1 31, 1998-01 1 31, 1998-02 1',
  },
  {
    what: 'six days every 18 months',
    rule: 'FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15',
    start: '1997-09-10',
    days: '1997-09 10 11 12 13 14 15, 1999-03 10 11 12 13',
  },
  {
    what: 'every Tuesday of every other month',
    rule: 'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
    start: '1997-09-02',
    days: '1997-09 2 9 16 23 30, 1997-11 4 11 18 25, 1998-01 6 13 20 27, 1998-03 3 10 17 24 31',
  },
  {
    what: 'June and July',
    rule: 'FREQ=YEARLY;COUNT=10;BYMONTH=6,7',
    start: '1997-06-10',
    days: '1997-06 10, 1997-07 10, 1998-06 10, 1998-07 10, 1999-06 10, 1999-07 10, 2000-06 10, 2000-07 10, 2001-06 10, 2001-07 10',
  },
  {
    what: 'every other year in three months',
    rule: 'FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3',
    start: '1997-03-10',
    days: '1997-03 10, 1999-01 10, 1999-02 10, 1999-03 10, 2001-01 10, 2001-02 10, 2001-03 10, 2003-01 10, 2003-02 10, 2003-03 10',
  },
  {
    what: 'days of every third year',
    rule: 'FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200',
    start: '1997-01-01',
    days: '1997-01 1, 1997-04 10, 1997-07 19, 2000-01 1, 2000-04 9, 2000-07 18, 2003-01 1, 2003-04 10, 2003-07 19, 2006-01 1',
  },
  {
    what: '20th Monday of the year',
    rule: 'FREQ=YEARLY;BYDAY=20MO',
    start: '1997-05-19',
    days: '1997-05 19, 1998-05 18, 1999-05 17',
  },
  {
    what: 'Monday of week 20',
    rule: 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    start: '1997-05-12',
    days: '1997-05 12, 1998-05 11, 1999-05 17',
  },
  {
    what: 'every Thursday in March',
    rule: 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH',
    start: '1997-03-13',
    days: '1997-03 13 20 27, 1998-03 5 12 19 26, 1999-03 4 11 18 25',
  },
  {
    what: 'every Thursday in summer',
    rule: 'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8',
    start: '1997-06-05',
    days: '1997-06 5 12 19 26, 1997-07 3 10 17 24 31, 1997-08 7 14 21 28, 1998-06 4 11 18 25, 1998-07 2 9 16 23 30, 1998-08 6 13 20 27',
  },
  {
    what: 'Saturday after the first Sunday',
    rule: 'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
    start: '1997-09-13',
    days: '1997-09 13, 1997-10 11, 1997-11 8, 1997-12 13, 1998-01 10, 1998-02 7, 1998-03 7, 1998-04 11, 1998-05 9, 1998-06 13',
  },
  {
    what: 'election day',
    rule: 'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
    start: '1996-11-05',
    days: '1996-11 5, 2000-11 7, 2004-11 2',
  },
  {
    what: 'third of three weekdays',
    rule: 'FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3',
    start: '1997-09-04',
    days: '1997-09 4, 1997-10 7, 1997-11 6',
  },
  {
    what: 'second-to-last weekday',
    rule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2',
    start: '1997-09-29',
    days: '1997-09 29, 1997-10 30, 1997-11 27, 1997-12 30, 1998-01 29, 1998-02 26, 1998-03 30',
  },
  {
    what: 'weeks that begin on Monday',
    rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
    start: '1997-08-05',
    days: '1997-08 5 10 19 24',
  },
  {
    what: 'weeks that begin on Sunday',
    rule: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
    start: '1997-08-05',
    days: '1997-08 5 17 19 31',
  },
  {
    what: 'a day that February lacks',
    rule: 'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
    start: '2007-01-15',
    days: '2007-01 15 30, 2007-02 15, 2007-03 15 30',
  },
]

for (const { what, rule: texts, start, days } of examples) {
  test(`RFC 5545 example: ${what}`, () => {
    const expected = days.split(', ').flatMap(datesOf)
    for (const text of texts.split(' or '))
      assert.deepEqual(inNewYork(text, `${start} ${NINE}`, expected), expected, text)
  })
}

test('RFC 5545 example: daily until 24 December', () => {
  const walls = allInNewYork('FREQ=DAILY;UNTIL=19971224T000000Z', '1997-09-02 09:00')
  assert.equal(walls.length, 113)
  assert.equal(walls.at(-1), '1997-12-23 09:00')
})

test('RFC 5545 example: every day in January for three years, in two forms', () => {
  const yearly = allInNewYork(
    'FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    '1998-01-01 09:00',
  )
  assert.equal(yearly.length, 93)
  assert.equal(yearly.at(-1), '2000-01-31 09:00')
  assert.deepEqual(allInNewYork('FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1', '1998-01-01 09:00'), yearly)
})

test('RFC 5545 example: Friday 13th, whose start is not a Friday and is excluded by EXDATE', () => {
  assert.deepEqual(first('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1997-09-02 09:00', 6).slice(1), [
    '1998-02-13 09:00',
    '1998-03-13 09:00',
    '1998-11-13 09:00',
    '1999-08-13 09:00',
    '2000-10-13 09:00',
  ])
})

// The RFC prints 17:00 UTC, which is 13:00 in New York and includes two; its three need 17:00 in New York, 21:00 UTC.
test('RFC 5545 example: every three hours in the working day', () => {
  assert.deepEqual(allInNewYork('FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z', '1997-09-02 09:00'), [
    '1997-09-02 09:00',
    '1997-09-02 12:00',
    '1997-09-02 15:00',
  ])
})

test('RFC 5545 example: steps of minutes', () => {
  const times = (text: string) => first(text, '1997-09-02 09:00').map((value) => value.slice(11))
  assert.deepEqual(times('FREQ=MINUTELY;INTERVAL=15;COUNT=6'), ['09:00', '09:15', '09:30', '09:45', '10:00', '10:15'])
  assert.deepEqual(times('FREQ=MINUTELY;INTERVAL=90;COUNT=4'), ['09:00', '10:30', '12:00', '13:30'])
})

test('RFC 5545 example: every 20 minutes of the working day, in two forms', () => {
  const daily = first('FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40', '1997-09-02 09:00', 50)
  assert.deepEqual(daily.slice(22, 26), [
    '1997-09-02 16:20',
    '1997-09-02 16:40',
    '1997-09-03 09:00',
    '1997-09-03 09:20',
  ])
  assert.deepEqual(first('FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16', '1997-09-02 09:00', 50), daily)
})

function datesOf(month: string): string[] {
  const [prefix, ...days] = month.split(' ')
  return days.map((day) => `${prefix}-${day.padStart(2, '0')} ${NINE}`)
}

/** One more than expected is requested where the rule ends, so that one too many would show. */
function inNewYork(text: string, start: string, expected: string[]): string[] {
  const isEndless = !/COUNT|UNTIL/.test(text)
  return isEndless ? first(text, start, expected.length) : allInNewYork(text, start)
}

function allInNewYork(text: string, start: string): string[] {
  const parsed = rule(text)
  const zone = requireZone('America/New_York')
  const last = parsed.until && untilWall(parsed.until, (instant) => toWall(zone, instant))
  const to = wall('2010-01-01')
  return expandRule(parsed, wall(start), { from: wall(start), to, limit: 1_000, ...(last && { last }) }).walls.map(show)
}
