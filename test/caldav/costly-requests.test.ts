// Requests that are costly by what their body holds: limits before any work, work done once, and turns for others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeExpansionBudget } from '../../src/caldav/calendar-data/expand.ts'
import { parseDataRequest } from '../../src/caldav/calendar-data/parse.ts'
import { selectPieces } from '../../src/caldav/calendar-data/select.ts'
import { parseXml } from '../../src/caldav/xml/parse.ts'
import { readZone } from '../../src/caldav/zones.ts'
import { requireZone } from '../../src/domain/time/zone.ts'
import { parseCalendar } from '../../src/ical/parse.ts'
import { lines } from '../ical/objects.ts'
import { DECLARED, davOf } from '../support/dav.ts'
import { startWork } from '../support/effort.ts'
import { withWorld } from '../support/world.ts'
import { read, refusal } from './asked.ts'
import { eventText, MAIN } from './events.ts'

const LONDON = requireZone('Europe/London')

/** A zone of UTC in so many observances with rules that give no date. */
const zoneOf = (observances: number, name = 'N'): string =>
  lines(
    'BEGIN:VCALENDAR',
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    ...Array.from({ length: observances }, (_, i) => [
      'BEGIN:STANDARD',
      `DTSTART:19000101T00000${i % 10}`,
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0000',
      'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'END:STANDARD',
    ]).flat(),
    'END:VTIMEZONE',
    'END:VCALENDAR',
  )

const worked = (act: () => unknown): number => {
  const work = startWork()
  act()
  return work()
}

test('F26: a zone has 16 KiB at most, and a longer one is not parsed', () => {
  const long = zoneOf(1, `N\r\n${'A:\r\n'.repeat(100_000)}`)
  const parsingMs = worked(() => parseCalendar(long))
  const refusingMs = worked(() => assert.equal(readZone(long, LONDON), undefined))
  assert.ok(refusingMs < parsingMs / 5, `${refusingMs.toFixed()} ms, parsing ${parsingMs.toFixed()} ms`)
})

test('the name of a zone is found once for its definition', () => {
  const text = zoneOf(110)
  assert.ok(text.length > 15_000 && text.length < 16_384)
  const firstMs = worked(() => assert.equal(readZone(text, LONDON)?.name, 'Etc/GMT'))
  const laterMs = worked(() => {
    for (let i = 0; i < 200; i++) assert.equal(readZone(text, LONDON)?.name, 'Etc/GMT')
  })
  assert.ok(laterMs < 20 * firstMs, `first ${firstMs.toFixed(1)} ms, 200 more ${laterMs.toFixed(1)} ms`)
  assert.equal(readZone(text, requireZone('Africa/Abidjan'))?.name, 'Africa/Abidjan', 'by the zone of the calendar too')
})

test('F26: many parts of calendar data are refused, and are looked up by name', () => {
  const asked = (inside: string) =>
    parseDataRequest(
      parseXml(`<C:calendar-data ${DECLARED}><C:comp name="VCALENDAR">${inside}</C:comp></C:calendar-data>`),
    )
  const parts = (count: number): string =>
    `<C:comp name="VEVENT">${Array.from({ length: count }, (_, i) => `<C:comp name="X-${i}"/>`).join('')}</C:comp>`
  asked(parts(190))
  assert.equal(
    refusal(() => asked(parts(200))),
    'invalid_xml',
  )
  assert.equal(
    refusal(() => asked(`<C:comp name="VEVENT">${'<C:prop name="UID"/>'.repeat(200)}</C:comp>`)),
    'invalid_xml',
  )
  const twice = asked('<C:comp name="VEVENT"><C:prop name="UID"/></C:comp><C:comp name="VEVENT"/>')
  const given = [...selectPieces(twice, read(eventText('one')), makeExpansionBudget())].join('')
  assert.equal(given, lines('BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:one', 'END:VEVENT', 'END:VCALENDAR'), 'the first')
})

test('parts of a long object are chosen and printed in pieces', () => {
  const alarms = Array.from({ length: 10_000 }, () => ['BEGIN:VALARM', 'ACTION:AUDIO', 'END:VALARM']).flat()
  const object = read(eventText('one', ...alarms))
  const comps = '<C:comp name="VEVENT"><C:prop name="UID"/><C:comp name="VALARM"/></C:comp>'
  const request = parseDataRequest(
    parseXml(`<C:calendar-data ${DECLARED}><C:comp name="VCALENDAR">${comps}</C:comp></C:calendar-data>`),
  )
  const pieces = [...selectPieces(request, object, makeExpansionBudget())]
  assert.ok(pieces.length > 20, `${pieces.length} pieces`)
  assert.ok(pieces.every((piece) => piece.length < 50_000))
  const expected = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:one', ...alarms, 'END:VEVENT', 'END:VCALENDAR']
  assert.equal(pieces.join(''), lines(...expected))
})

test('F26: properties are changed and expanded once each, and not more than 200 of them', () =>
  withWorld('sqlite', async ({ reader }) => {
    const dav = davOf(reader)
    const update = (inside: string) =>
      dav.send(
        'PROPPATCH',
        MAIN,
        `<D:propertyupdate ${DECLARED}><D:set><D:prop>${inside}</D:prop></D:set></D:propertyupdate>`,
        { 'content-type': 'application/xml' },
      )
    const zones = (count: number): string =>
      Array.from(
        { length: count },
        (_, i) => `<C:calendar-timezone>${zoneOf(1, `Etc/GMT+${i % 12}`)}</C:calendar-timezone>`,
      ).join('')
    const many = await update(zones(201))
    assert.equal(many.status, 507)
    assert.match(many.text, /too_many_properties/)
    const last = await update(zones(12))
    assert.equal(last.text.split('<C:calendar-timezone/>').length, 2, 'answered once')
    const zone = await dav.propfind(MAIN, '0', ['C:calendar-timezone-id'])
    assert.equal(zone.found[0]!.props['C:calendar-timezone-id']!.text, 'Etc/GMT+11')

    const expand = (inside: string) =>
      dav.report(MAIN, `<D:expand-property ${DECLARED}>${inside}</D:expand-property>`, { depth: '0' })
    const name = (local: string, inside = ''): string => `<D:property name="${local}">${inside}</D:property>`
    const few = await expand(name('displayname').repeat(200))
    assert.equal(few.status, 207)
    assert.equal(few.text.split('<D:displayname>').length, 2, 'answered once')
    const nested = name('current-user-principal', name('displayname').repeat(100))
    for (const inside of [name('displayname').repeat(201), nested.repeat(2)]) {
      const refused = await expand(inside)
      assert.equal(refused.status, 400)
      assert.match(refused.text, /invalid_xml/)
    }
    const report = await dav.report(
      MAIN,
      `<C:free-busy-query ${DECLARED}><C:time-range start="20260713T000000Z" end="20260714T000000Z"/><C:timezone>${zoneOf(200)}</C:timezone></C:free-busy-query>`,
    )
    assert.equal(report.status, 403)
    assert.deepEqual(report.errors, ['C:valid-calendar-data'])
    assert.match(report.text, /16 KiB/)
  }))
