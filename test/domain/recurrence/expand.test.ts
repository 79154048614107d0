// Expansion of a rule: leap days, month ends, weeks, positions, the start, and the edges of windows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expandRule, findLastWall, hasOccurrence, untilWall } from '../../../src/domain/recurrence/expand.ts'
import { first, firstDates, rule, show, showDates, wall, within } from './walls.ts'

const FAR = wall('2300-01-01')

test('a yearly leap day comes in leap years only, and not in 2100', () => {
  assert.deepEqual(firstDates('FREQ=YEARLY', '2088-02-29', 5), [
    '2088-02-29',
    '2092-02-29',
    '2096-02-29',
    '2104-02-29',
    '2108-02-29',
  ])
})

test('the 31st comes in the months that have it', () => {
  assert.deepEqual(firstDates('FREQ=MONTHLY', '2026-01-31', 5), [
    '2026-01-31',
    '2026-03-31',
    '2026-05-31',
    '2026-07-31',
    '2026-08-31',
  ])
})

test('the last day of the month follows its length', () => {
  assert.deepEqual(firstDates('FREQ=MONTHLY;BYMONTHDAY=-1', '2028-01-31', 3), [
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
  ])
})

test('day 366 and day -366 of the year are in leap years', () => {
  assert.deepEqual(firstDates('FREQ=YEARLY;BYYEARDAY=366', '2024-12-31', 2), ['2024-12-31', '2028-12-31'])
  assert.deepEqual(firstDates('FREQ=YEARLY;BYYEARDAY=-366', '2024-01-01', 2), ['2024-01-01', '2028-01-01'])
})

test('yearly months use the day of the start and skip months without it', () => {
  assert.deepEqual(firstDates('FREQ=YEARLY;BYMONTH=2,3', '2026-03-31', 3), ['2026-03-31', '2027-03-31', '2028-03-31'])
})

test('first and last working day of the month', () => {
  const days = 'BYDAY=MO,TU,WE,TH,FR'
  assert.deepEqual(firstDates(`FREQ=MONTHLY;${days};BYSETPOS=1`, '2026-01-01', 3), [
    '2026-01-01',
    '2026-02-02',
    '2026-03-02',
  ])
  assert.deepEqual(firstDates(`FREQ=MONTHLY;${days};BYSETPOS=-1`, '2026-01-30', 3), [
    '2026-01-30',
    '2026-02-27',
    '2026-03-31',
  ])
  assert.deepEqual(firstDates(`FREQ=MONTHLY;${days};BYSETPOS=-1,1`, '2026-01-01', 4), [
    '2026-01-01',
    '2026-01-30',
    '2026-02-02',
    '2026-02-27',
  ])
})

test('BYSETPOS counts the whole week, including the part before the start', () => {
  // Wednesday 2026-07-15: Monday is the first of the week's set, so Friday is the second.
  assert.deepEqual(firstDates('FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=2', '2026-07-15', 3), [
    '2026-07-15',
    '2026-07-17',
    '2026-07-24',
  ])
  assert.deepEqual(firstDates('FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=1', '2026-07-15', 3), [
    '2026-07-15',
    '2026-07-20',
    '2026-07-27',
  ])
  assert.deepEqual(firstDates('FREQ=WEEKLY;BYDAY=SU,MO;BYSETPOS=1;WKST=SU', '2026-07-12', 3), [
    '2026-07-12',
    '2026-07-19',
    '2026-07-26',
  ])
})

test('a position counts times of day too', () => {
  assert.deepEqual(first('FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30;BYSETPOS=-1', '2026-07-14 17:30', 2), [
    '2026-07-14 17:30',
    '2026-07-15 17:30',
  ])
  assert.deepEqual(first('FREQ=HOURLY;BYMINUTE=10,20,30;BYSETPOS=2', '2026-07-14 09:20', 2), [
    '2026-07-14 09:20',
    '2026-07-14 10:20',
  ])
})

test('week 53 comes in the years that have it', () => {
  assert.deepEqual(firstDates('FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', '2015-12-28', 4), [
    '2015-12-28',
    '2020-12-28',
    '2026-12-28',
    '2032-12-27',
  ])
})

test('a numbered week uses the weekday of the start', () => {
  assert.deepEqual(firstDates('FREQ=YEARLY;BYWEEKNO=20', '1997-05-14', 3), ['1997-05-14', '1998-05-13', '1999-05-19'])
})

test('a numbered week belongs to its own year, wherever its days fall', () => {
  // Week 1 of 2026 begins on 2025-12-29; week 53 of 2026 ends on 2027-01-03.
  assert.deepEqual(
    within('FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO,TH', '2024-01-01', '2025-12-01', '2026-12-01').map((at) => at.slice(0, 10)),
    ['2025-12-29', '2026-01-01'],
  )
  assert.deepEqual(
    within('FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU', '2024-12-29', '2026-12-01', '2027-12-01').map((at) => at.slice(0, 10)),
    ['2027-01-03'],
  )
  assert.deepEqual(firstDates('FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO', '2025-12-29', 3), [
    '2025-12-29',
    '2028-01-03',
    '2029-12-31',
  ])
})

test('week 1 depends on WKST', () => {
  // 2027 begins on a Friday: by Monday weeks it is week 53, by Friday weeks week 1.
  assert.deepEqual(firstDates('FREQ=YEARLY;BYWEEKNO=1;BYDAY=FR', '2027-01-08', 1), ['2027-01-08'])
  assert.deepEqual(
    within('FREQ=YEARLY;BYWEEKNO=1;BYDAY=FR;WKST=FR', '2026-06-01', '2027-01-01', '2027-02-01').map((at) =>
      at.slice(0, 10),
    ),
    ['2027-01-01'],
  )
})

test('numbered weekdays count in the year, or in the month where months are named', () => {
  assert.deepEqual(firstDates('FREQ=YEARLY;BYDAY=-1SU', '2026-12-27', 2), ['2026-12-27', '2027-12-26'])
  assert.deepEqual(firstDates('FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', '2026-03-29', 2), ['2026-03-29', '2027-03-28'])
  assert.deepEqual(firstDates('FREQ=YEARLY;BYDAY=53FR', '2027-12-31', 2), ['2027-12-31', '2032-12-31'])
  assert.deepEqual(firstDates('FREQ=MONTHLY;BYDAY=5MO', '2026-03-30', 3), ['2026-03-30', '2026-06-29', '2026-08-31'])
})

test('BYDAY limits the days of BYMONTHDAY or BYYEARDAY', () => {
  assert.deepEqual(firstDates('FREQ=YEARLY;BYYEARDAY=1,2,3;BYDAY=MO', '2024-01-01', 3), [
    '2024-01-01',
    '2028-01-03',
    '2029-01-01',
  ])
  assert.deepEqual(firstDates('FREQ=YEARLY;BYMONTHDAY=1;BYDAY=1TU', '2024-01-02', 2), ['2024-01-02', '2030-01-01'])
})

test('the phase of INTERVAL is counted from the period of the start', () => {
  assert.deepEqual(firstDates('FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', '2026-07-15', 3), [
    '2026-07-15',
    '2026-07-27',
    '2026-08-10',
  ])
  assert.deepEqual(firstDates('FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1', '2026-07-15', 3), [
    '2026-07-15',
    '2026-10-01',
    '2027-01-01',
  ])
  assert.deepEqual(first('FREQ=HOURLY;INTERVAL=7', '2026-07-14 09:30', 3), [
    '2026-07-14 09:30',
    '2026-07-14 16:30',
    '2026-07-14 23:30',
  ])
})

test('steps shorter than a day skip what the limits exclude', () => {
  assert.deepEqual(first('FREQ=SECONDLY;INTERVAL=20;BYHOUR=9;BYMINUTE=59', '2026-07-14 09:59:30', 4), [
    '2026-07-14 09:59:30',
    '2026-07-14 09:59:50',
    '2026-07-15 09:59:10',
    '2026-07-15 09:59:30',
  ])
  assert.deepEqual(first('FREQ=HOURLY;BYYEARDAY=-1;BYHOUR=23', '2026-12-31 23:00', 2), [
    '2026-12-31 23:00',
    '2027-12-31 23:00',
  ])
})

test('the start is the first occurrence and counts, also where the rule does not produce it', () => {
  assert.deepEqual(firstDates('FREQ=MONTHLY;BYDAY=1MO;COUNT=3', '2026-07-14'), [
    '2026-07-14',
    '2026-08-03',
    '2026-09-07',
  ])
  assert.deepEqual(firstDates('FREQ=DAILY;COUNT=1', '2026-07-14'), ['2026-07-14'])
  assert.deepEqual(firstDates('FREQ=DAILY;UNTIL=20200101', '2026-07-14'), ['2026-07-14'])
  assert.deepEqual(firstDates('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', '2026-07-14'), ['2026-07-14'])
})

test('a window includes its beginning and excludes its end', () => {
  const daily = (from: string, to: string) => within('FREQ=DAILY', '2026-07-01 09:00', from, to)
  assert.deepEqual(daily('2026-07-14 09:00', '2026-07-15 09:00'), ['2026-07-14 09:00'])
  assert.deepEqual(daily('2026-07-14 09:00:01', '2026-07-15 09:00:01'), ['2026-07-15 09:00'])
  assert.deepEqual(daily('2026-06-01', '2026-07-01 09:00'), [])
  assert.deepEqual(daily('2026-06-01', '2026-07-01 09:00:01'), ['2026-07-01 09:00'])
  assert.deepEqual(daily('2026-07-14', '2026-07-14'), [])
})

test('nothing repeats beyond the year 2200', () => {
  assert.deepEqual(
    within('FREQ=YEARLY', '2198-07-14', '2198-01-01', '2300-01-01').map((at) => at.slice(0, 4)),
    ['2198', '2199', '2200'],
  )
  assert.deepEqual(within('FREQ=DAILY', '2201-01-01', '2200-01-01', '2300-01-01'), [])
})

test('the limit truncates the result, and `complete` is false only if something was cut off', () => {
  const expand = (limit: number) =>
    expandRule(rule('FREQ=DAILY;COUNT=5'), wall('2026-07-14'), { from: 0, to: FAR, limit })
  assert.equal(expand(4).walls.length, 4)
  assert.equal(expand(4).complete, false)
  assert.equal(expand(5).complete, true)
  assert.equal(expand(0).complete, false)
})

test('an exhausted work budget is reported with the results found so far', () => {
  const options = { from: wall('2026-07-14'), to: FAR, limit: 10_000 }
  const few = expandRule(rule('FREQ=DAILY'), wall('2026-07-14'), { ...options, work: 50 })
  assert.equal(few.complete, false)
  assert.equal(few.workLeft, 0)
  assert.ok(few.walls.length > 5 && few.walls.length < 50)
})

test('a COUNT too costly to compute leaves the start alone, and is reported as incomplete', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => hour !== 18)
  const hard = rule(`FREQ=SECONDLY;INTERVAL=945;BYDAY=MO;BYHOUR=${hours};BYMINUTE=0;BYSECOND=0;COUNT=9`)
  const start = wall('2026-01-01 09:00')
  assert.equal(findLastWall(hard, start), 'too_much_work')
  const { walls, complete } = expandRule(hard, start, { from: start, to: FAR, limit: 10 })
  assert.deepEqual(walls, [start])
  assert.equal(complete, false)
})

test('a given last wall time replaces COUNT and UNTIL, and is itself an occurrence', () => {
  for (const text of ['FREQ=DAILY;COUNT=2', 'FREQ=DAILY;UNTIL=20260714', 'FREQ=DAILY']) {
    const options = { from: 0, to: FAR, last: wall('2026-07-16'), limit: 10 }
    assert.deepEqual(showDates(expandRule(rule(text), wall('2026-07-14'), options).walls), [
      '2026-07-14',
      '2026-07-15',
      '2026-07-16',
    ])
  }
})

test('the last occurrence of COUNT is computed once and then used to seek', () => {
  const daily = rule('FREQ=DAILY;COUNT=10000')
  const start = wall('2000-01-01 09:00')
  const last = findLastWall(daily, start)
  assert.equal(last, wall('2027-05-18 09:00'))
  const window = { from: wall('2027-05-17'), to: wall('2027-06-01'), limit: 100 }
  const sought = expandRule(daily, start, { ...window, last })
  assert.deepEqual(sought.walls.map(show), ['2027-05-17 09:00', '2027-05-18 09:00'])
  assert.deepEqual(expandRule(daily, start, window).walls, sought.walls)
})

test('there is no last wall time without COUNT, and the horizon ends a COUNT that passes it', () => {
  assert.equal(findLastWall(rule('FREQ=DAILY;UNTIL=20300101'), wall('2026-07-14')), undefined)
  assert.equal(findLastWall(rule('FREQ=YEARLY;COUNT=10000'), wall('2026-07-14')), wall('2200-07-14'))
  assert.equal(
    findLastWall(rule('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=5'), wall('2026-07-14')),
    wall('2026-07-14'),
  )
})

test('a rule that can never happen is recognised', () => {
  const happens = (text: string) => hasOccurrence(rule(text), wall('2026-07-14 09:00'))
  assert.equal(happens('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29'), true)
  assert.equal(happens('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'), false)
  assert.equal(happens('FREQ=DAILY;INTERVAL=7;BYDAY=MO'), false)
  assert.equal(happens('FREQ=DAILY;INTERVAL=7;BYDAY=TU'), true)
  assert.equal(happens('FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30'), false)
  assert.equal(happens('FREQ=DAILY;UNTIL=20200101'), true)
})

test('UNTIL is inclusive: a whole day, a local time, or an instant in the zone of the series', () => {
  const toWall = (instant: number) => instant + 3_600_000
  assert.equal(untilWall({ kind: 'local', wall: 5_000 }, toWall), 5_000)
  assert.equal(untilWall({ kind: 'utc', instant: 5_000 }, toWall), 3_605_000)
  assert.equal(show(untilWall({ kind: 'date', day: 0 }, toWall)), '1970-01-01 23:59:59')
  assert.deepEqual(first('FREQ=DAILY;UNTIL=20260715', '2026-07-14 23:00'), ['2026-07-14 23:00', '2026-07-15 23:00'])
  assert.deepEqual(first('FREQ=DAILY;UNTIL=20260715T230000', '2026-07-14 23:00'), [
    '2026-07-14 23:00',
    '2026-07-15 23:00',
  ])
})
