// Free/busy: merges periods, clips them to the range, and reveals nothing else of the events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeBusyText } from '../../src/caldav/free-busy.ts'
import { parseTimeText } from '../../src/domain/time/text.ts'
import type { Range } from '../../src/domain/time/window.ts'
import { lines, NOW, unfold } from '../ical/objects.ts'

const at = (text: string): number => {
  const time = parseTimeText(text)
  assert.ok(time?.kind === 'instant', text)
  return time.instant
}

const range = (text: string): Range => {
  const [from, to] = text.split('/')
  return { from: at(from!), to: at(to!) }
}

const busy = (text: string, isTentative = false) => ({ ...range(text), isTentative })

/** The FREEBUSY lines for some periods. */
const linesOf = (periods: ReturnType<typeof busy>[], within: Range): string[] =>
  unfold(freeBusyText(periods, within, NOW)).filter((line) => line.startsWith('FREEBUSY'))

const JULY = range('20260701T000000Z/20260801T000000Z')

test('a response is a calendar with one VFREEBUSY over the range', () => {
  assert.equal(
    freeBusyText([busy('20260714T090000Z/20260714T103005Z')], JULY, NOW),
    lines(
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Daybook//Daybook//EN',
      'CALSCALE:GREGORIAN',
      'BEGIN:VFREEBUSY',
      'DTSTAMP:20260701T120000Z',
      'DTSTART:20260701T000000Z',
      'DTEND:20260801T000000Z',
      'FREEBUSY:20260714T090000Z/PT1H30M5S',
      'END:VFREEBUSY',
      'END:VCALENDAR',
    ),
  )
  assert.deepEqual(linesOf([], JULY), [])
})

test('periods of one kind that overlap or touch are merged; others stay separate', () => {
  assert.deepEqual(
    linesOf(
      [
        busy('20260714T110000Z/20260714T120000Z'),
        busy('20260714T090000Z/20260714T100000Z'),
        busy('20260714T093000Z/20260714T094500Z'),
        busy('20260714T100000Z/20260714T101500Z'),
        busy('20260714T091500Z/20260714T103000Z', true),
      ],
      JULY,
    ),
    [
      'FREEBUSY:20260714T090000Z/PT1H15M',
      'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260714T091500Z/PT1H15M',
      'FREEBUSY:20260714T110000Z/PT1H',
    ],
  )
})

test('periods are clipped to the range, and those outside or without duration are left out', () => {
  assert.deepEqual(
    linesOf(
      [
        busy('20260630T230000Z/20260701T010000Z'),
        busy('20260731T230000Z/20260802T010000Z'),
        busy('20260801T000000Z/20260801T010000Z'),
        busy('20260715T000000Z/20260715T000000Z'),
        busy('20250101T000000Z/20250102T000000Z'),
      ],
      JULY,
    ),
    ['FREEBUSY:20260701T000000Z/PT1H', 'FREEBUSY:20260731T230000Z/PT1H'],
  )
})
