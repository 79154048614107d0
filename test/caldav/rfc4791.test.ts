// The examples of RFC 4791: each request of §7.8 and §7.10, on the events of appendix B, gives the example's response.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editedInstances, plainInstances } from '../../src/caldav/calendar-data/instances.ts'
import { parseDataRequest } from '../../src/caldav/calendar-data/parse.ts'
import { selectData } from '../../src/caldav/calendar-data/select.ts'
import { matchesFilter } from '../../src/caldav/filter/match.ts'
import { parseFilter } from '../../src/caldav/filter/parse.ts'
import { parseTimeRange } from '../../src/caldav/filter/time-range.ts'
import { freeBusyText } from '../../src/caldav/free-busy.ts'
import { CALDAV, DAV } from '../../src/caldav/xml/names.ts'
import { findChild, parseXml } from '../../src/caldav/xml/parse.ts'
import { problemOf, unfold } from '../ical/objects.ts'
import { ANSWERS, APPENDIX_B, REQUESTS } from './support/appendix-b.ts'
import { read } from './support/asked.ts'

const EVENTS = ['abcd1.ics', 'abcd2.ics', 'abcd3.ics']
const objects = EVENTS.map((name) => ({ name, ...read(APPENDIX_B[name]!, 'America/New_York') }))

/** The response: the data of each object that matches. */
function answer(section: keyof typeof REQUESTS): Record<string, string> {
  const request = parseXml(REQUESTS[section])
  const filter = parseFilter(findChild(request, CALDAV, 'filter')!)
  const data = parseDataRequest(findChild(findChild(request, DAV, 'prop')!, CALDAV, 'calendar-data')!)
  const matching = objects.filter((object) => matchesFilter(filter, object))
  return Object.fromEntries(matching.map((object) => [object.name, selectData(data, object)]))
}

/** The order of lines in a component means nothing. */
const sorted = (text: string): string[][] => text.split(/^(?=BEGIN:)/m).map((part) => unfold(part).sort())

test('only the events of appendix B are stored', () => {
  for (const [name, text] of Object.entries(APPENDIX_B))
    if (!EVENTS.includes(name)) assert.equal(problemOf(text), 'there is no main VEVENT', name)
})

test('§7.8.1: parts of the events of a day', () => {
  assert.deepEqual(answer('7.8.1'), {
    'abcd2.ics': ANSWERS['7.8.1 abcd2.ics'],
    'abcd3.ics': ANSWERS['7.8.1 abcd3.ics'],
  })
})

test('§7.8.2: a series without the edits outside the range', () => {
  assert.deepEqual(answer('7.8.2'), {
    'abcd2.ics': ANSWERS['7.8.2 abcd2.ics'],
    'abcd3.ics': APPENDIX_B['abcd3.ics'],
  })
})

test('§7.8.3: a series is expanded into instances', () => {
  const given = answer('7.8.3')
  assert.deepEqual(Object.keys(given), ['abcd2.ics', 'abcd3.ics'])
  assert.deepEqual(sorted(given['abcd2.ics']!), sorted(ANSWERS['7.8.3 abcd2.ics']))
  assert.equal(given['abcd3.ics'], ANSWERS['7.8.3 abcd3.ics'])
})

test('§7.8.4, §7.8.5 and §7.8.9: free/busy times and tasks are not stored, so none is found', () => {
  for (const section of ['7.8.4', '7.8.5', '7.8.9'] as const) assert.deepEqual(answer(section), {}, section)
})

test('§7.8.6: an event by its UID', () => {
  assert.deepEqual(answer('7.8.6'), { 'abcd3.ics': APPENDIX_B['abcd3.ics'] })
})

test('§7.8.7: events by attendees who have not answered', () => {
  assert.deepEqual(answer('7.8.7'), { 'abcd3.ics': APPENDIX_B['abcd3.ics'] })
})

test('§7.8.8: every event', () => {
  assert.deepEqual(answer('7.8.8'), Object.fromEntries(EVENTS.map((name) => [name, APPENDIX_B[name]])))
})

test('§7.8.10: the example refuses an unknown property; here any property can be matched', () => {
  assert.deepEqual(answer('7.8.10'), {})
})

test('§7.10.1: free/busy', () => {
  const range = parseTimeRange(findChild(parseXml(REQUESTS['7.10.1']), CALDAV, 'time-range')!)!
  const periods = objects.flatMap((object) =>
    [...plainInstances(object, range).instances, ...[...editedInstances(object).values()].flat()].map(
      ({ startAt, endAt }) => ({
        from: startAt,
        to: endAt,
        isTentative: object.series.details.status === 'tentative',
      }),
    ),
  )
  const given = unfold(freeBusyText(periods, range, Date.UTC(2005, 0, 25, 9)))
  assert.deepEqual(given.slice(given.indexOf('BEGIN:VFREEBUSY')), [
    'BEGIN:VFREEBUSY',
    'DTSTAMP:20050125T090000Z',
    'DTSTART:20060104T140000Z',
    'DTEND:20060105T220000Z',
    'FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060104T150000Z/PT1H',
    'FREEBUSY:20060104T190000Z/PT1H',
    // The RFC leaves out the fourth occurrence of its second event, which is not deleted.
    'FREEBUSY:20060105T170000Z/PT1H',
    'END:VFREEBUSY',
    'END:VCALENDAR',
  ])
})
