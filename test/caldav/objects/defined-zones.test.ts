// Zones that only a VTIMEZONE defines: every line of an event counts in the zone of its start.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLength } from '../../../src/ical/times.ts'
import type { Json } from '../../support/http/api-response.ts'
import { DECLARED, davOf } from '../../support/http/dav.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'
import { dataOfObject, eventText, inOwnZone, MAIN, ODD } from '../support/events.ts'

const editLines = (uid: string, ...more: string[]): string[] => [
  ...['END:VEVENT', 'BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20260701T000000Z', 'SUMMARY:edited'],
  ...more,
]

/** Starts, ends and titles from 24 October to the end of 2026 of an object in a zone of its own, in UTC. */
const shownTimes = async (writer: Client, lines: readonly string[], zone?: readonly string[]): Promise<string[]> => {
  const dav = davOf(writer)
  const all = eventText('one', 'SUMMARY:Meeting', ...lines)
  const text = lines.some((line) => line.startsWith('DURATION')) ? all.replace(/DTEND:20260714.*\r\n/, '') : all
  const put = await dav.put(`${MAIN}one.ics`, inOwnZone(text, zone))
  assert.equal(put.status, 201, put.text)
  const { body } = await writer.get('/events?from=2026-10-24&to=2026-12-31&timezone=UTC')
  const expand = '<C:expand start="20261024T000000Z" end="20270101T000000Z"/>'
  const instances = (await dataOfObject(dav, 'one.ics', expand)).split('BEGIN:VEVENT').slice(1)
  const valueIn = (text: string, name: string): string => new RegExp(`^${name}:(.*)\r$`, 'm').exec(text)?.[1] ?? ''
  const endIn = (text: string): string => {
    const lengthMs = parseLength(valueIn(text, 'DURATION'))
    const start = Temporal.Instant.from(valueIn(text, 'DTSTART'))
    return lengthMs === undefined ? valueIn(text, 'DTEND') : `${start.add({ milliseconds: lengthMs })}`
  }
  await dav.send('DELETE', `${MAIN}one.ics`)
  const shown = body.data.map(({ start, end, title }: Json) => [start, end, title].join(' '))
  const dayTime = (text: string): string =>
    text.replaceAll(/20\d\d-?(\d\d)-?(\d\d)T(\d\d):?(\d\d):?00(?:Z|\+00:00)/g, '$1-$2T$3:$4')
  assert.deepEqual(
    instances.map((text) => dayTime([valueIn(text, 'DTSTART'), endIn(text), valueIn(text, 'SUMMARY')].join(' '))),
    shown.map(dayTime),
    'expanded instances are those that JSON lists',
  )
  return shown.map(dayTime)
}

forEachEngine('lines without a zone, and dates, count in the zone of its own that the start has', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const start = 'DTSTART;TZID=Own:20261202T100000'
    assert.deepEqual(await shownTimes(writer, [start, 'DTEND:20261202T110000']), ['12-02T08:23 12-02T09:23 Meeting'])
    const series = [start, 'DTEND;TZID=Own:20261202T110000', 'RRULE:FREQ=DAILY;COUNT=4']
    const floating = [...series, 'EXDATE:20261203T100000', 'RDATE:20261220T100000']
    const edit = editLines('one', 'RECURRENCE-ID:20261204T100000', 'DTSTART:20261204T120000', 'DTEND:20261204T123000')
    assert.deepEqual(await shownTimes(writer, [...floating, ...edit]), [
      '12-02T08:23 12-02T09:23 Meeting',
      '12-04T10:23 12-04T10:53 edited',
      '12-05T08:23 12-05T09:23 Meeting',
      '12-20T08:23 12-20T09:23 Meeting',
    ])
    const west = ODD.map((line) => line.replace(/:\+0137$/, ':-0537'))
    const late = ['DTSTART;TZID=Own:20261107T233000', 'DTEND;TZID=Own:20261107T234500', 'RRULE:FREQ=DAILY;COUNT=3']
    const dates = [...late, 'EXDATE;VALUE=DATE:20261108', 'RDATE;VALUE=DATE:20261112']
    const moved = editLines(
      'one',
      'RECURRENCE-ID;VALUE=DATE:20261109',
      'DTSTART;TZID=Own:20261109T220000',
      'DTEND;TZID=OWN:20261109T223000',
    )
    assert.deepEqual(await shownTimes(writer, [...dates, ...moved], west), [
      '11-08T05:07 11-08T05:22 Meeting',
      '11-10T03:37 11-10T04:07 edited',
      '11-13T05:07 11-13T05:22 Meeting',
    ])
    const put = await davOf(writer).put(`${MAIN}one.ics`, inOwnZone(eventText('one', ...floating, ...edit)))
    assert.equal(put.status, 201)
    const matches = async (inside: string): Promise<boolean> => {
      const filter = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${inside}</C:comp-filter></C:comp-filter></C:filter>`
      const query = `<C:calendar-query ${DECLARED}><D:prop><D:getetag/></D:prop>${filter}</C:calendar-query>`
      return (await davOf(writer).report(MAIN, query, { depth: '1' })).found.length > 0
    }
    const minute = '<C:time-range start="20261204T102300Z" end="20261204T102400Z"/>'
    const title = '<C:prop-filter name="SUMMARY"><C:text-match>edited</C:text-match></C:prop-filter>'
    assert.ok(await matches(`${minute}${title}`))
    const inLine = (name: string): string => `<C:prop-filter name="${name}">${minute}</C:prop-filter>`
    assert.ok(await matches(inLine('DTSTART')))
    assert.ok(await matches(inLine('RDATE').replaceAll('20261204T10', '20261220T08')))
    assert.ok(!(await matches(inLine('RDATE').replaceAll('20261204T102', '20261220T100'))))
  }),
)

forEachEngine('a rule that gives only the start is a series, and no date takes the time of another', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const night = ['DTSTART;TZID=Own:20261101T233000', 'DTEND;TZID=Own:20261101T234500']
    const offRule = [...night, 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;COUNT=1']
    assert.deepEqual(await shownTimes(writer, offRule), ['11-01T21:53 11-01T22:08 Meeting'])
    assert.deepEqual(await shownTimes(writer, [...offRule, 'EXDATE;TZID=Own:20261101T233000']), [])
    const edit = ['DTSTART;TZID=Own:20261101T233500', 'DTEND;TZID=Own:20261101T234000']
    const edited = [...night, 'RRULE:FREQ=DAILY;COUNT=1', ...editLines('one', 'RECURRENCE-ID;TZID=Own:20261101T233000')]
    assert.deepEqual(await shownTimes(writer, [...edited, ...edit]), ['11-01T21:58 11-01T22:03 edited'])
    // Clocks in London show 01:23 at 00:23 and at 01:23 UTC on 25 October.
    const series = ['DTSTART;TZID=Own:20261025T020000', 'DTEND;TZID=Own:20261025T021500', 'RRULE:FREQ=HOURLY;COUNT=3']
    assert.deepEqual(await shownTimes(writer, series), [
      '10-25T00:23 10-25T00:38 Meeting',
      '10-25T01:23 10-25T01:38 Meeting',
      '10-25T02:23 10-25T02:38 Meeting',
    ])
  }),
)

/** An hour later until 8 November 2026, 02:00. */
const CHANGES = [
  ...['BEGIN:VTIMEZONE', 'TZID:Own'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0137', 'TZOFFSETTO:+0137', 'END:DAYLIGHT'],
  ...['BEGIN:STANDARD', 'DTSTART:20261108T020000', 'TZOFFSETFROM:+0137', 'TZOFFSETTO:+0037', 'END:STANDARD'],
  'END:VTIMEZONE',
]

forEachEngine('a length in days is one of calendar days, also over a change of a zone of its own', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const start = 'DTSTART;TZID=Own:20261107T100000'
    const day = '11-07T08:23 11-08T09:23 Meeting'
    assert.deepEqual(await shownTimes(writer, [start, 'DURATION:P1D'], CHANGES), [day])
    const paris = 'DTSTART;TZID=Europe/Paris:20261024T120000'
    assert.deepEqual(await shownTimes(writer, [paris, 'DURATION:P1D']), ['10-24T10:00 10-25T11:00 Meeting'])
    const period = 'RDATE;VALUE=PERIOD;TZID=Own:20261107T120000/P1D'
    const edit = editLines('one', 'RECURRENCE-ID;TZID=Own:20261109T100000', 'DTSTART;TZID=Own:20261107T140000')
    const series = [start, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3', period, ...edit, 'DURATION:P1DT1H']
    assert.deepEqual(await shownTimes(writer, series, CHANGES), [
      '11-07T08:23 11-07T09:23 Meeting',
      '11-07T10:23 11-08T11:23 Meeting',
      '11-07T12:23 11-08T14:23 edited',
      '11-08T09:23 11-08T10:23 Meeting',
    ])
  }),
)

forEachEngine('this and all future occurrences move by the clock of a zone of its own', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const moved = (day: string, from: string, to: string): string[] => [
      `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Own:${day}T${from}`,
      `DTSTART;TZID=Own:${day}T${to}`,
      'DURATION:PT15M',
    ]
    const startsOf = async (start: string, range: string[], zone?: readonly string[]): Promise<string[]> => {
      const series = [`DTSTART;TZID=Own:${start}`, 'DURATION:PT30M', 'RRULE:FREQ=DAILY;COUNT=4']
      const shown = await shownTimes(writer, [...series, ...editLines('one', ...range)], zone)
      return shown.map((line) => line.slice(0, 11))
    }
    // Clocks of this zone go back on 8 November at 02:00, between the nominal and the moved time.
    assert.deepEqual(await startsOf('20261106T013000', moved('20261107', '013000', '043000'), CHANGES), [
      ...['11-05T23:53', '11-07T02:53', '11-08T03:53', '11-09T03:53'],
    ])
    // Those of London on 25 October at 01:00 UTC; this zone has no change.
    assert.deepEqual(await startsOf('20261024T013000', moved('20261024', '013000', '043000')), [
      ...['10-24T02:53', '10-25T02:53', '10-26T02:53', '10-27T02:53'],
    ])
    // On 8 November 2026 this zone has no 01:30.
    const skips = CHANGES.map((line) => line.replace('TO:+0037', 'TO:+0237').replace('08T02', '08T01'))
    assert.deepEqual(await startsOf('20261106T013000', moved('20261107', '013000', '043000'), skips), [
      ...['11-05T23:53', '11-07T02:53', '11-08T01:53', '11-09T01:53'],
    ])
  }),
)

test('a file may have many zones of their own, one event ten of them', () =>
  withWorld('sqlite', async ({ writer, admin }) => {
    const zoneOf = (name: string, minute: number): string[] =>
      ODD.map((line) => line.replace('TZID:Own', `TZID:${name}`).replaceAll('+0137', `+01${minute}`))
    const names = Array.from({ length: 12 }, (_, i) => `Own${i}`)
    const zones = names.flatMap((name, i) => zoneOf(name, 31 + i))
    const eventIn = (name: string): string =>
      eventText(name, `DTSTART;TZID=${name}:20261202T100000`, `DTEND;TZID=${name}:20261202T110000`)
    const events = names.map((name) => /BEGIN:VEVENT[\s\S]*END:VEVENT\r\n/.exec(eventIn(name))![0])
    const file = eventText('x').replace(/BEGIN:VEVENT[\s\S]*END:VEVENT\r\n/, [...zones, events.join('')].join('\r\n'))
    const imported = await admin.post('/admin/import', file, { 'content-type': 'text/calendar' })
    assert.deepEqual([imported.body.data.created, imported.body.data.skipped], [12, 0], imported.text)
    const dates = names.map((name) => `EXDATE;TZID=${name}:20261202T100000`)
    const text = eventText('all', 'RRULE:FREQ=DAILY;COUNT=2', ...dates)
    const refused = await davOf(writer).put(`${MAIN}all.ics`, inOwnZone(text, zones))
    assert.match(refused.text, /rules of its own/)
    const fewer = eventText('all', 'RRULE:FREQ=DAILY;COUNT=2', ...dates.slice(0, 10))
    assert.equal((await davOf(writer).put(`${MAIN}all.ics`, inOwnZone(fewer, zones))).status, 201)
  }))

forEachEngine('a zone that only other lines name keeps its definition after a change by JSON', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const times = ['DTSTART;TZID=Own:20261202T100000', 'DTEND;TZID=Own:20261202T110000']
    const alarm = ['BEGIN:VALARM', 'ACTION:AUDIO', 'TRIGGER:-PT5M', 'X-SNOOZE;TZID=Own:20261202T095000', 'END:VALARM']
    for (const [uid, lines, kept] of [
      ['plain', times, false],
      ['line', [...times, 'X-WHEN;TZID="Own":20261202T100000'], true],
      ['alarm', [...times, ...alarm], true],
    ] as const) {
      const put = await dav.put(`${MAIN}${uid}.ics`, inOwnZone(eventText(uid, ...lines)))
      assert.equal(put.status, 201, put.text)
      const stored = (await writer.get('/events')).body.data.find((event: Json) => event.uid === uid)
      assert.equal((await writer.patch(`/events/${stored.id}`, { title: 'Class', version: 1 })).status, 200)
      const { text, headers } = await dav.get(`${MAIN}${uid}.ics`)
      assert.match(text, /\r\nDTSTART:20261202T082300Z\r\n/)
      assert.equal(text.includes(`\r\n${ODD.join('\r\n')}\r\n`), kept, text)
      assert.equal((await dav.put(`${MAIN}${uid}.ics`, text, { 'if-match': `${headers.etag}` })).status, 204)
    }
  }),
)
