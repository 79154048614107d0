// Extracting VEVENTs from stored objects: by lines as written, whatever text they contain.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSteps } from '../../../src/domain/steps.ts'
import { eventBlocks, findZoneNames } from '../../../src/ical/text/extract-vevents.ts'
import { leastLongestPart } from '../../support/measure/effort.ts'
import { lines } from '../objects.ts'

const zonesIn = (text: string): string[] => [...runSteps(findZoneNames(text))]

const object = (...events: string[]): string =>
  lines('BEGIN:VCALENDAR', 'VERSION:2.0') + events.join('') + lines('END:VCALENDAR')

test('events are extracted whole, and nothing else is', () => {
  const one = lines('BEGIN:VEVENT', 'UID:a', 'BEGIN:VALARM', 'TRIGGER:-PT5M', 'END:VALARM', 'END:VEVENT')
  const two = lines('BEGIN:VEVENT', 'UID:a', 'RECURRENCE-ID:20260714T080000Z', 'END:VEVENT')
  const zone = lines('BEGIN:VTIMEZONE', 'TZID:X', 'END:VTIMEZONE')
  assert.equal(eventBlocks(object(zone, one, two)), one + two)
  assert.equal(eventBlocks(object()), '')
})

test('characters that some programs treat as a line end do not end an event', () => {
  for (const sign of ['\u2028', '\u2029', '\u0085', '\n']) {
    const one = lines('BEGIN:VEVENT', 'UID:a', `DESCRIPTION:x${sign}END:VEVENT${sign}BEGIN:VEVENT`, 'END:VEVENT')
    assert.equal(eventBlocks(object(one)), one)
    assert.deepEqual(zonesIn(lines(`DESCRIPTION:x${sign}DTSTART;TZID=Europe/Paris:1`)), [])
  }
})

test('an event inside an event belongs to it', () => {
  const inner = lines('BEGIN:VEVENT', 'UID:in', 'END:VEVENT')
  const outer = lines('BEGIN:VEVENT', 'UID:a') + inner + lines('SUMMARY:x', 'END:VEVENT')
  assert.equal(eventBlocks(object(outer)), outer)
})

test('zones are found after quoted parameters, in quotes and across folds', () => {
  const text = lines(
    'DTSTART;X-O="a:b";TZID=Europe/Paris:20260714T090000',
    'DTEND;TZID="Europe/Berlin":20260714T090000',
    'EXDATE;TZ',
    ' ID=Asia/Tokyo:20260714T090000',
    'SUMMARY:not ;TZID=Asia/Dhaka:this',
    'LOCATION;X-O=";TZID=Asia/Seoul:":nor this',
    'X-OWN;TZID=Asia/Baku:20260714T090000',
  )
  assert.deepEqual(zonesIn(text), ['Europe/Paris', 'Europe/Berlin', 'Asia/Tokyo'])
})

test('the zones of a long text are found in short turns', () => {
  const text = lines(...Array.from({ length: 20_000 }, (_, i) => `EXDATE;TZID=Odd${i}:20260101T000000`))
  const longestMs = leastLongestPart(() => findZoneNames(text))
  assert.ok(longestMs < 15, `${longestMs.toFixed()} ms`)
  assert.equal(zonesIn(text).length, 20_000)
})
