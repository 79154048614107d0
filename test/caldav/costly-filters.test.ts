// calendar-query filters that would take hours: bounded for each object, in short turns, ended with the account.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { createExpansionBudget, expandInSteps } from '../../src/caldav/calendar-data/expand.ts'
import type { ReadObject } from '../../src/caldav/calendar-data/instances.ts'
import { matchInSteps } from '../../src/caldav/filter/match.ts'
import { runSteps } from '../../src/domain/steps.ts'
import { createTzidResolver } from '../../src/ical/zones/resolve-tzid.ts'
import { parse } from '../ical/objects.ts'
import { davOf } from '../support/http/dav.ts'
import { listen } from '../support/http/socket.ts'
import { leastLongestPart, startWork } from '../support/measure/effort.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { basicOf, type Client, withWorld } from '../support/world.ts'
import { eventFilter, filterOf, rangeXml, read } from './support/asked.ts'
import { MAIN } from './support/events.ts'

const ALARMS = 1_000
const CONDITIONS = 90

/** Each alarm may be due near every occurrence of 300 years: its repeat comes 115 years later. */
const objectText = (uid: string): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260101T000000Z'],
    ...['DTSTART;VALUE=DATE:19000101', 'RRULE:FREQ=DAILY;INTERVAL=2', 'SUMMARY:Alarms'],
    ...Array.from({ length: ALARMS }, (_, i) => [
      'BEGIN:VALARM',
      `TRIGGER:PT${i + 1}S`,
      'REPEAT:1',
      'DURATION:P42000D',
      'END:VALARM',
    ]).flat(),
    ...['BEGIN:VALARM', 'TRIGGER;VALUE=DATE-TIME:21900101T120030Z', 'END:VALARM'],
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

const comp = (name: string, inside: string): string => `<C:comp-filter name="${name}">${inside}</C:comp-filter>`

const alarmRange = comp('VALARM', rangeXml('21900101T120028Z/21900101T120032Z'))
const QUERY = `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop>
  <C:filter>${comp('VCALENDAR', comp('VEVENT', alarmRange.repeat(CONDITIONS)))}</C:filter></C:calendar-query>`

/** A search by text, which needs a permit for costly reads too. */
const TEXT_QUERY = `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop>
  <C:filter>${comp('VCALENDAR', comp('VEVENT', '<C:prop-filter name="SUMMARY"><C:text-match>Al</C:text-match></C:prop-filter>'))}
  </C:filter></C:calendar-query>`

async function putAll(client: Client, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { status } = await davOf(client).put(`${MAIN}alarms-${i}.ics`, objectText(`alarms-${i}`))
    assert.equal(status, 201)
  }
}

test('an object that takes very long to match counts as a match', () =>
  withWorld('sqlite', async ({ writer }) => {
    await putAll(writer, 1)
    const work = startWork()
    const answer = await davOf(writer).report(`${MAIN}alarms-0.ics`, QUERY, { depth: '0' })
    assert.equal(answer.status, 207)
    assert.ok(answer.text.includes('alarms-0.ics'), 'an extra object harms a client less than a missing one')
    assert.ok(work() < 10_000, `${work().toFixed()} ms`)
  }))

/** Begins the report and waits until it works. */
async function beginReport(port: number, email: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const work = startWork()
  socket.write(
    `REPORT ${MAIN} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basicOf(email)}\r\nDepth: 1\r\n` +
      `Content-Type: application/xml\r\nContent-Length: ${QUERY.length}\r\n\r\n${QUERY}`,
  )
  await waitFor('the report takes a second of work', () => work() > 1_000)
  return socket
}

/** Far more work than one report of it may do before it ends. */
const OBJECTS = 40

test('a report ends when its client disconnects or its account is suspended', () =>
  withWorld('sqlite', async ({ app, admin, writer, addPerson, as }) => {
    await addPerson('first@example.org', 'reader')
    const second = await addPerson('second@example.org', 'reader')
    await putAll(writer, OBJECTS)
    const port = await listen(app)
    const search = async (client: Client): Promise<number> => {
      const work = startWork()
      const { status } = await davOf(client).report(MAIN, TEXT_QUERY, { depth: '1' })
      assert.equal(status, 207)
      return work()
    }
    const socket = await beginReport(port, 'first@example.org')
    socket.destroy()
    const afterMs = await search(as('first@example.org'))
    assert.ok(afterMs < 10_000, `costly reads of one account run one after the other: ${afterMs.toFixed()} ms`)

    const other = await beginReport(port, 'second@example.org')
    const { status } = await admin.patch(`/admin/users/${second}`, { approval_state: 'suspended' })
    assert.equal(status, 200)
    const work = startWork()
    const [answer] = await once(other, 'data')
    other.destroy()
    assert.match(String(answer), /^HTTP\/1.1 403 /)
    assert.ok(work() < 10_000, `${work().toFixed()} ms`)
  }))

/** Has lines that are kept and not read: lists of very many values, in a zone that only the object defines. */
function readLists(): ReadObject {
  const event = (zone: string): string =>
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VTIMEZONE', 'TZID:Own', 'BEGIN:STANDARD'],
      ...['DTSTART:19700101T000000', 'TZOFFSETFROM:+0017', 'TZOFFSETTO:+0017', 'END:STANDARD', 'END:VTIMEZONE'],
      ...['BEGIN:VEVENT', 'UID:lists', 'DTSTAMP:20260101T000000Z', `DTSTART;TZID=${zone}:20260714T090000`],
      ...Array.from({ length: 3 }, () => `DUE;TZID=Own:${','.repeat(262_000)}`),
      ...['END:VEVENT', 'END:VCALENDAR', ''],
    ].join('\r\n')
  const { series, zone } = read(event('UTC'))
  const tree = parse(event('Own'))
  return { tree, series, zone, known: runSteps(createTzidResolver(tree, series, zone)) }
}

test('a list of very many values is matched in short turns, and not read for an expansion', () => {
  const filter = filterOf(
    eventFilter(`<C:prop-filter name="DUE">${rangeXml('20300101T000000Z/20310101T000000Z')}</C:prop-filter>`),
  )
  const range = { from: Date.UTC(2026, 0), to: Date.UTC(2027, 0) }
  const lists = readLists()
  const works = {
    filter: () => matchInSteps(filter, lists),
    expansion: () => expandInSteps(lists, range, createExpansionBudget()),
  }
  for (const [name, start] of Object.entries(works)) {
    const longestMs = leastLongestPart(start)
    assert.ok(longestMs < 40, `${name}: ${longestMs.toFixed()} ms`)
  }
})
