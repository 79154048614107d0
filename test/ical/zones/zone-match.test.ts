// Matching a VTIMEZONE without a known name: which zones are compared, and how far.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCalendar } from '../../../src/ical/text/parse.ts'
import type { Component } from '../../../src/ical/text/tree.ts'
import { matchZone } from '../../../src/ical/zones/zone-match.ts'
import { lines } from '../objects.ts'

const observance = (offsets: [from: string, to: string], ...more: string[]): string[] => [
  'BEGIN:STANDARD',
  `TZOFFSETFROM:${offsets[0]}`,
  `TZOFFSETTO:${offsets[1]}`,
  ...more,
  'END:STANDARD',
]

const definition = (...observances: string[][]): Component =>
  parseCalendar(lines('BEGIN:VTIMEZONE', 'TZID:Nowhere', ...observances.flat(), 'END:VTIMEZONE')) as Component

/** An offset of no zone, and the rules of Paris with a week of another offset in between. */
const NOWHERE = definition(observance(['+0137', '+0137'], 'DTSTART:19700101T000000'))
const ALMOST_PARIS = definition(
  observance(['+0200', '+0100'], 'DTSTART:19961027T030000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'),
  observance(['+0100', '+0200'], 'DTSTART:19960331T020000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
  observance(['+0100', '+0300'], 'DTSTART:20390101T000000'),
  observance(['+0300', '+0100'], 'DTSTART:20390108T000000'),
)

test('a definition that matches no zone is refused without reading the changes of any zone', (t) => {
  const changes = t.mock.method(Temporal.ZonedDateTime.prototype, 'getTimeZoneTransition').mock
  assert.equal(matchZone(NOWHERE, []), undefined)
  assert.equal(changes.callCount(), 0)
})

test('a definition is compared to the end, also where a zone has its first and last offsets', () => {
  assert.equal(matchZone(ALMOST_PARIS, []), undefined)
  const [first, second] = ALMOST_PARIS.children.filter((child) => 'children' in child)
  assert.equal(matchZone({ ...ALMOST_PARIS, children: [first!, second!] }, [])?.name, 'Europe/Paris')
})

test('observances and the letters of their rules count as work', () => {
  const rule = 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'
  const [plain, ruled] = [[], [rule]].map((more) =>
    definition(...Array.from({ length: 10 }, () => observance(['+0100', '+0100'], 'DTSTART:19700101T000000', ...more))),
  )
  const workOf = (one: Component): number => {
    const budget = { left: 60_000 }
    assert.equal(matchZone(one, [], budget)?.name, 'Africa/Lagos')
    return 60_000 - budget.left
  }
  assert.equal(workOf(plain!), 1_000)
  assert.ok(workOf(ruled!) > 1_000 + 10 * 5 * 30)
  const budget = { left: 1_000 }
  assert.equal(matchZone(plain!, [], budget), undefined, 'not enough is left')
  assert.equal(budget.left, 0)
})
