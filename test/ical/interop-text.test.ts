// A start off its rule, as printed: the same dates in every program, and the same event when it is read again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interopText, withoutInterop } from '../../src/ical/interop-text.ts'
import { parseCalendar } from '../../src/ical/text/parse.ts'
import { printCalendar } from '../../src/ical/text/print.ts'
import { type Component, component, isComponent, listComponents } from '../../src/ical/text/tree.ts'
import { icalJs, nodeIcalReader } from '../support/feed-readers.ts'
import { lines } from './objects.ts'

const text = (...more: readonly string[]): string =>
  lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Daybook//Daybook//EN',
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTAMP:20260701T000000Z',
    'SUMMARY:A',
    'DTSTART:20260714T090000Z',
    'DTEND:20260714T100000Z',
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
  )

const back = (printed: string): string => {
  const tree = parseCalendar(printed) as Component
  const [main, ...edits] = listComponents(tree, 'VEVENT')
  const own = withoutInterop({ main: main!, edits }, 'UTC')
  const others = tree.children.filter((node) => !isComponent(node))
  return printCalendar(component('VCALENDAR', [...others, own.main, ...own.edits]))
}

const OFF_RULE: [string[], string[]][] = [
  [['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'], ['20260714', '20260720', '20260727']],
  [['RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260727T090000Z'], ['20260714', '20260720', '20260727']],
  [
    ['RRULE:COUNT=2;FREQ=WEEKLY;BYDAY=MO', 'RDATE:20260730T090000Z'],
    ['20260714', '20260720', '20260730'],
  ],
  [
    ['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'EXDATE:20260714T090000Z'],
    ['20260720', '20260727'],
  ],
  [
    ['RDATE:20260714T090000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'],
    ['20260714', '20260720', '20260727'],
  ],
  [['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1'], ['20260714']],
]

for (const [more, dates] of OFF_RULE)
  test(`${more.join(' ')} is the same for every reader, and is restored when read again`, () => {
    const printed = interopText(text(...more), 'UTC')
    assert.doesNotMatch(printed, /\r\nRRULE:[^\r]*COUNT=[2-9]/)
    for (const { name, read } of [icalJs, nodeIcalReader]) {
      const found = read(printed, Date.parse('2026-07-01'), Date.parse('2026-09-01'))
      // node-ical supports no extra dates, and so none of the author's own.
      if (name === 'node-ical' && more.some((line) => line.startsWith('RDATE'))) continue
      const days = found.map(({ start }) => start.slice(0, 10).replaceAll('-', ''))
      assert.deepEqual([...new Set(days)].sort(), dates, name)
    }
    assert.equal(back(printed), text(...more))
    assert.equal(interopText(back(printed), 'UTC'), printed)
  })

test('a text that all programs read alike is unchanged', () => {
  for (const more of [[], ['RRULE:FREQ=WEEKLY;COUNT=3'], ['RRULE:nonsense'], ['RDATE:20260801T090000Z']])
    assert.equal(interopText(text(...more), 'UTC'), text(...more))
})

test('a client’s change of the printed rule is accepted', () => {
  const printed = interopText(text('RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'), 'UTC')
  const changed = back(printed.replace(/RRULE:FREQ=WEEKLY;UNTIL/, 'RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL'))
  assert.match(changed, /RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20260727T090000Z;BYDAY=MO/)
  assert.doesNotMatch(changed, /COUNT|X-DAYBOOK|RDATE/)
  const moved = back(
    printed.replace('DTSTART:20260714T', 'DTSTART:20260716T').replace('DTEND:20260714T', 'DTEND:20260716T'),
  )
  assert.doesNotMatch(moved, /20260714T|COUNT|X-DAYBOOK/, 'no ghost stays where it was')
  const edited = back(printed.replace(/SUMMARY:A(?!.*SUMMARY:A)/s, 'SUMMARY:First'))
  assert.match(edited, /COUNT=3/)
  assert.match(edited, /SUMMARY:First/)
  assert.doesNotMatch(edited, /X-DAYBOOK|RDATE/)
  const hostile = printed.replace(/X-DAYBOOK-RRULE:[^\r]*/, 'X-DAYBOOK-RRULE:FREQ=SECONDLY;X=1')
  assert.doesNotMatch(back(hostile), /SECONDLY/)
})
