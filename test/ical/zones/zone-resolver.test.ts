// TZIDs of one object: however many there are and however they are spelt, the object has a bounded cost.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSteps } from '../../../src/domain/steps.ts'
import { requireZone } from '../../../src/domain/time/zone.ts'
import { importEvent, importEventInSteps, isImported } from '../../../src/ical/import/import-event.ts'
import { parseCalendar } from '../../../src/ical/text/parse.ts'
import { isSplitProblem, splitCalendar } from '../../../src/ical/text/split.ts'
import { type Component, listComponents, listProperties } from '../../../src/ical/text/tree.ts'
import { createZoneFinder } from '../../../src/ical/zones/foreign-zones.ts'
import { createTzidResolver } from '../../../src/ical/zones/resolve-tzid.ts'
import { startWork } from '../../support/measure/effort.ts'
import { event, file } from '../files.ts'
import { NOW } from '../objects.ts'

const LONDON = requireZone('Europe/London')

/** Some thirty times the real cost; matching each name or definition anew takes ten times more than this. */
const MAX_CPU_MS = 1_000

const spelling = (name: string, i: number): string =>
  [...name].map((letter, bit) => ((i >> bit) & 1 ? letter.toUpperCase() : letter)).join('')

const observances = (count: number, offset: string): string =>
  `BEGIN:STANDARD\r\nDTSTART:19000101T000000\r\nTZOFFSETFROM:${offset}\r\nTZOFFSETTO:${offset}\r\nRRULE:FREQ=YEARLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=1\r\nEND:STANDARD\r\n`.repeat(
    count,
  )

const definition = (tzid: string, count: number, offset = '+0100'): string =>
  `BEGIN:VTIMEZONE\r\nTZID:${tzid}\r\n${observances(count, offset)}END:VTIMEZONE\r\n`

const dateOf = (i: number): string =>
  new Date(Date.UTC(2026, 0, 2, i)).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)

function adopt(text: string) {
  const split = splitCalendar(text)
  assert.ok(!isSplitProblem(split))
  return importEvent(split.events[0]!, {
    zone: LONDON,
    visibility: 'public',
    now: NOW,
    findZone: createZoneFinder(LONDON),
  })
}

function eventIn(tzids: readonly string[], definitions: string): string {
  const [first, ...others] = tzids
  const dates = others.map((tzid, i) => `RDATE;TZID=${tzid}:${dateOf(i)}`)
  const times = [`DTSTART;TZID=${first}:20260101T000000`, `DTEND;TZID=${first}:20260101T003000`]
  return file(definitions, event('a', ...times, ...dates))
}

/** Pacific/Norfolk as Outlook defines it: it matches only since 2020, and only a zone late in the alphabet. */
const NORFOLK = [
  'BEGIN:STANDARD\r\nDTSTART:19700405T030000\r\nTZOFFSETFROM:+1200\r\nTZOFFSETTO:+1100',
  'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU\r\nEND:STANDARD',
  'BEGIN:DAYLIGHT\r\nDTSTART:19701004T020000\r\nTZOFFSETFROM:+1100\r\nTZOFFSETTO:+1200',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU\r\nEND:DAYLIGHT\r\n',
].join('\r\n')

const own = (count: number): string[] => Array.from({ length: count }, (_, i) => `Own zone ${i}`)

const norfolkIn = (names: readonly string[]): string =>
  eventIn(names, names.map((name) => `BEGIN:VTIMEZONE\r\nTZID:${name}\r\n${NORFOLK}END:VTIMEZONE\r\n`).join(''))

test('F46: the offsets of zones are read once, however many definitions are matched', (t) => {
  const reads = t.mock.method(Temporal.Instant.prototype, 'toZonedDateTimeISO').mock
  const adopted = adopt(norfolkIn(own(1)))
  assert.ok(isImported(adopted) && adopted.series.timing.zone === 'Pacific/Norfolk')
  reads.resetCalls()
  const more = adopt(norfolkIn(own(100)))
  assert.ok(isImported(more) && more.series.timing.zone === 'Pacific/Norfolk')
  assert.equal(reads.callCount(), 0)
})

test('zones of an event are resolved in steps of one each', () => {
  const split = splitCalendar(norfolkIn(own(20)))
  assert.ok(!isSplitProblem(split))
  const seen = new Set<string>()
  const steps = importEventInSteps(split.events[0]!, {
    zone: LONDON,
    visibility: 'public',
    now: NOW,
    findZone: Object.assign(
      (tzid: string) => {
        seen.add(tzid)
        return LONDON
      },
      { defined: () => undefined },
    ),
  })
  for (let before = 0; !steps.next().done; before = seen.size)
    assert.ok(seen.size <= before + 1, `${seen.size - before}`)
  assert.equal(seen.size, 20)
})

test('a definition longer than any zone needs is not parsed', () => {
  const long = `BEGIN:VTIMEZONE\r\nTZID:Own\r\n${NORFOLK}${'X-A:b\r\n'.repeat(9_500)}END:VTIMEZONE\r\n`
  const adopted = adopt(eventIn(['Own'], long))
  assert.ok(!isImported(adopted) && adopted.left[0]?.reason === 'timezone_unknown')
})

test('one definition is matched once, in however many spellings its TZID is used', () => {
  const tzids = Array.from({ length: 900 }, (_, i) => spelling('abcdefghijklmn', i))
  const text = eventIn(tzids, definition('abcdefghijklmn', 3))
  const workOf = startWork()
  const adopted = adopt(text)
  assert.ok(isImported(adopted), JSON.stringify(adopted).slice(0, 300))
  assert.equal(adopted.series.timing.zone, 'Africa/Lagos')
  const tree = parseCalendar(text) as Component
  const resolve = runSteps(createTzidResolver(tree, adopted.series, LONDON))
  for (const line of listProperties(listComponents(tree, 'VEVENT')[0]!, 'RDATE')) resolve(line)
  assert.ok(workOf() < MAX_CPU_MS, `${workOf()} ms`)
})

test('an object with too many zones is refused instead of matching them all', () => {
  const names = Array.from({ length: 4_000 }, (_, i) => `Own zone ${i}`)
  const text = eventIn(names, names.map((name) => definition(name, 1, '+0037')).join(''))
  const workOf = startWork()
  const adopted = adopt(text)
  assert.ok(!isImported(adopted) && adopted.left[0]?.reason === 'timezone_unknown')
  assert.ok(workOf() < MAX_CPU_MS, `${workOf()} ms`)
})
