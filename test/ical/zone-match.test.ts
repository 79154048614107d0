// Matching a VTIMEZONE without a known name: the cost of the first one in a process.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findZone, listZoneNames } from '../../src/domain/time/zone.ts'
import { parseCalendar } from '../../src/ical/parse.ts'
import type { Component } from '../../src/ical/tree.ts'
import { matchZone } from '../../src/ical/zone-match.ts'
import { startWork } from '../support/effort.ts'
import { lines } from './objects.ts'

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

test('a definition of no zone is refused without the transitions of all zones', () => {
  const matching = startWork()
  assert.equal(matchZone(NOWHERE, []), undefined)
  const matchingMs = matching()
  const loading = startWork()
  for (const name of listZoneNames()) assert.ok(findZone(name))
  const loadingMs = loading()
  assert.ok(matchingMs < loadingMs / 2, `${matchingMs.toFixed()} ms, and ${loadingMs.toFixed()} ms to load the rest`)
  assert.equal(matchZone(NOWHERE, []), undefined, 'all are loaded')
})

test('a definition is compared to the end, also where a zone has its first and last offsets', () => {
  assert.equal(matchZone(ALMOST_PARIS, []), undefined)
  const [first, second] = ALMOST_PARIS.children.filter((child) => 'children' in child)
  assert.equal(matchZone({ ...ALMOST_PARIS, children: [first!, second!] }, [])?.name, 'Europe/Paris')
})
