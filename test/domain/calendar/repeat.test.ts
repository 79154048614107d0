// Recurrence input: which rules are accepted, their canonical form, and extra dates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWork } from '../../support/measure/effort.ts'
import { create, createChange, droppedKeys, excludedKeys, keys, patch, problems, ruleText, standing } from './series.ts'

test('a rule comes back in its canonical form', () => {
  const series = create({ rrule: 'RRULE:wkst=mo;byday=th,tu;interval=1;freq=weekly' })
  assert.equal(ruleText(series), 'FREQ=WEEKLY;BYDAY=TU,TH')
})

test('no rule, an empty one and null are the same', () => {
  for (const rrule of [null, '']) assert.equal(create({ rrule }).rule, undefined)
})

test('an UNTIL that is a date includes that whole local day', () => {
  const series = create({ rrule: 'FREQ=DAILY;UNTIL=20260716' })
  assert.equal(ruleText(series), 'FREQ=DAILY;UNTIL=20260716T225959Z')
  assert.deepEqual(standing(series), ['20260714T193000', '20260715T193000', '20260716T193000'])
})

test('a local UNTIL is interpreted in the event’s zone; a UTC one is unchanged', () => {
  const local = create({ rrule: 'FREQ=DAILY;UNTIL=20260716T193000' })
  const utc = create({ rrule: 'FREQ=DAILY;UNTIL=20260716T183000Z' })
  assert.equal(ruleText(local), 'FREQ=DAILY;UNTIL=20260716T183000Z')
  assert.equal(ruleText(utc), ruleText(local))
  // UNTIL is inclusive, to the second.
  assert.equal(standing(local).length, 3)
  assert.equal(standing(create({ rrule: 'FREQ=DAILY;UNTIL=20260716T192959' })).length, 2)
  assert.equal(standing(create({ rrule: 'FREQ=DAILY;UNTIL=20260716T182959Z' })).length, 2)
})

test('an all-day series ends on a date, whichever form its UNTIL came in', () => {
  const days = { all_day: true, start: '2026-07-14', end: '2026-07-15' }
  for (const until of ['20260716', '20260716T000000', '20260716T235959', '20260715T230000Z', '20260716T225959Z']) {
    const series = create({ ...days, rrule: `FREQ=DAILY;UNTIL=${until}` })
    assert.equal(ruleText(series), 'FREQ=DAILY;UNTIL=20260716', until)
    assert.deepEqual(standing(series), ['20260714', '20260715', '20260716'])
  }
})

test('an UNTIL at the end of the supported years stays a valid date', () => {
  for (const timezone of ['America/New_York', 'Asia/Tokyo', 'Europe/London']) {
    for (const until of ['99991231', '99991231T235959', '99991231T235959Z']) {
      const text = ruleText(create({ timezone, rrule: `FREQ=DAILY;UNTIL=${until}` }))
      assert.match(text!, /^FREQ=DAILY;UNTIL=\d{8}T\d{6}Z$/, `${timezone} ${until}`)
    }
  }
  const series = create({ rrule: 'FREQ=DAILY;UNTIL=99991231T235959Z' })
  const later = patch(series, { start: '2126-07-14T19:30', end: '2126-07-14T21:00' }).series
  assert.match(ruleText(later)!, /^FREQ=DAILY;UNTIL=\d{8}T\d{6}Z$/)
})

test('an UNTIL before the start leaves no occurrence', () => {
  for (const until of ['20260713', '20260714T192959', '20260714T182959Z', '00010101']) {
    assert.deepEqual(
      problems(() => create({ rrule: `FREQ=DAILY;UNTIL=${until}` })),
      ['/rrule rrule_no_occurrences'],
      until,
    )
  }
  // UNTIL on the start itself is enough, and so is the day of the start.
  for (const until of ['20260714', '20260714T193000', '20260714T183000Z']) {
    assert.deepEqual(standing(create({ rrule: `FREQ=DAILY;UNTIL=${until}` })), ['20260714T193000'])
  }
})

test('empty, contradictory and incomplete rules are refused with a code each', () => {
  const invalid = [
    'FREQ=NEVER',
    'INTERVAL=2',
    'FREQ=DAILY;COUNT=2;UNTIL=20270101',
    'FREQ=DAILY;X-FOO=1',
    'FREQ=DAILY;COUNT=0',
    'FREQ=WEEKLY;BYDAY=1MO',
    'garbage',
    'FREQ=DAILY;BYSETPOS=1',
    'FREQ=DAILY\nX:1',
  ]
  for (const rrule of invalid)
    assert.deepEqual(
      problems(() => create({ rrule })),
      ['/rrule rrule_invalid'],
      rrule,
    )
  const unsupported = [
    'FREQ=HOURLY',
    'FREQ=MINUTELY;COUNT=2',
    'FREQ=SECONDLY',
    'FREQ=DAILY;INTERVAL=1001',
    'FREQ=DAILY;COUNT=10001',
  ]
  for (const rrule of unsupported)
    assert.deepEqual(
      problems(() => create({ rrule })),
      ['/rrule rrule_unsupported'],
      rrule,
    )
  const impossible = [
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
    'FREQ=MONTHLY;BYMONTH=4;BYMONTHDAY=31',
  ]
  for (const rrule of impossible) {
    const workedMs = startWork()
    assert.deepEqual(
      problems(() => create({ rrule })),
      ['/rrule rrule_no_occurrences'],
      rrule,
    )
    assert.ok(workedMs() < 250, `${rrule} took ${workedMs()} ms`)
  }
})

test('an all-day event cannot repeat by the hour, in whatever order rule and day were set', () => {
  const days = { all_day: true, start: '2026-07-14', end: '2026-07-15' }
  for (const part of ['BYHOUR=9', 'BYMINUTE=30', 'BYSECOND=1']) {
    const rrule = `FREQ=DAILY;${part}`
    assert.deepEqual(
      problems(() => create({ ...days, rrule })),
      ['/rrule rrule_invalid'],
    )
    assert.deepEqual(
      problems(() => patch(create({ rrule }), { all_day: true })),
      ['/rrule rrule_invalid'],
    )
  }
})

test('a start moved to where its rule never falls is refused, as at creation', () => {
  const series = create({ start: '2026-02-15T19:30', end: '2026-02-15T21:00', rrule: 'FREQ=YEARLY;BYMONTH=2' })
  const moved = { start: '2026-03-30T19:30', end: '2026-03-30T21:00' }
  assert.deepEqual(
    problems(() => create({ ...moved, rrule: 'FREQ=YEARLY;BYMONTH=2' })),
    ['/rrule rrule_no_occurrences'],
  )
  assert.deepEqual(
    problems(() => patch(series, moved)),
    ['/rrule rrule_no_occurrences'],
  )
})

test('the start is the first occurrence and counts, also where the rule would not produce it', () => {
  const series = create({ rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' })
  assert.deepEqual(standing(series), ['20260714T193000', '20260717T193000', '20260724T193000'])
})

test('extra dates are accepted in every form of a key, sorted and without repeats', () => {
  const series = create({
    rdates: [
      '20260720T193000',
      '2026-07-16T19:30:00',
      '2026-07-16T18:30:00Z',
      '20260716T183000Z',
      '2026-07-20T20:30:00+02:00',
    ],
  })
  assert.deepEqual(keys(series, series.rdates), ['20260716T193000', '20260720T193000'])
  assert.deepEqual(standing(series), ['20260714T193000', '20260716T193000', '20260720T193000'])
})

test('extra dates of an all-day event are dates, those of a timed one are times', () => {
  const days = { all_day: true, start: '2026-07-14', end: '2026-07-15' }
  assert.deepEqual(standing(create({ ...days, rdates: ['20260720', '2026-07-18'] })), [
    '20260714',
    '20260718',
    '20260720',
  ])
  assert.deepEqual(
    problems(() => create({ ...days, rdates: ['20260720T000000'] })),
    ['/rdates/0 invalid_format'],
  )
  assert.deepEqual(
    problems(() => create({ rdates: ['20260720T193000', '20260721'] })),
    ['/rdates/1 invalid_format'],
  )
  assert.deepEqual(
    problems(() => create({ rdates: ['soon', '22010101T000000', '18991231T000000'] })),
    ['/rdates/0 invalid_format', '/rdates/1 out_of_range', '/rdates/2 out_of_range'],
  )
})

test('no extra date comes before the start, which is always the first occurrence', () => {
  assert.deepEqual(
    problems(() => create({ rdates: ['20260713T193000', '20260715T193000'] })),
    ['/rdates/0 out_of_range'],
  )
  // The start itself may be listed; it stays one occurrence.
  assert.deepEqual(standing(create({ rdates: ['20260714T193000'] })), ['20260714T193000'])
})

test('exclusions given at creation remove occurrences, and those that match none are reported', () => {
  const { series, dropped } = createChange({
    rrule: 'FREQ=DAILY;COUNT=5',
    exdates: ['2026-07-16T19:30:00', '20260715T183000Z', '20260716T193000', '20260716T200000', '20270101T193000'],
  })
  assert.deepEqual(excludedKeys(series), ['20260715T193000', '20260716T193000'])
  assert.deepEqual(droppedKeys(dropped), ['20260716T200000', '20270101T193000'])
  assert.deepEqual(standing(series), ['20260714T193000', '20260717T193000', '20260718T193000'])
})

test('an exclusion by instant matches an occurrence that a clock change shifted', () => {
  const nights = { start: '2026-03-27T01:30', end: '2026-03-27T02:00', rrule: 'FREQ=DAILY;COUNT=4' }
  for (const form of ['20260329T013000', '20260329T013000Z', '2026-03-29T02:30:00+01:00']) {
    const { series, dropped } = createChange({ ...nights, exdates: [form] })
    assert.deepEqual(excludedKeys(series), ['20260329T013000'], form)
    assert.deepEqual(dropped, [])
  }
})

test('a single event has no occurrences to exclude', () => {
  assert.deepEqual(droppedKeys(createChange({ exdates: ['20260714T193000'] }).dropped), ['20260714T193000'])
})

test('every occurrence may be excluded; the series stays, empty', () => {
  const series = create({ rrule: 'FREQ=DAILY;COUNT=2', exdates: ['20260714T193000', '20260715T193000'] })
  assert.deepEqual(standing(series), [])
  assert.equal(ruleText(series), 'FREQ=DAILY;COUNT=2')
})
