// Time zones as calendar programs write them: floating times, and zones with rules of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../support/http/api-response.ts'
import { DECLARED, davOf } from '../../support/http/dav.ts'
import { startWork } from '../../support/measure/effort.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { withWorld } from '../../support/world.ts'
import { dataOfObject, eventText, inOwnZone, listJuly, MAIN } from '../support/events.ts'

forEachEngine('floating times are in the zone of whoever asks, and stay floating when other fields change', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const path = `${MAIN}float.ics`
    const times = ['DTSTART:20260714T090000', 'DTEND:20260714T100000', 'RRULE:FREQ=DAILY;COUNT=4']
    assert.equal((await dav.put(path, eventText('float', ...times))).status, 201)
    assert.deepEqual(
      await listJuly(writer),
      ['14', '15', '16', '17'].map((day) => `${day}T08:00 Meeting`),
    )

    const matches = async (from: string, to: string, zone = ''): Promise<boolean> => {
      const range = `<C:time-range start="${from}" end="${to}"/>`
      const filter = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${range}</C:comp-filter></C:comp-filter></C:filter>`
      const named = zone && `<C:timezone-id>${zone}</C:timezone-id>`
      const query = `<C:calendar-query ${DECLARED}><D:prop><D:getetag/></D:prop>${filter}${named}</C:calendar-query>`
      return (await dav.report(MAIN, query, { depth: '1' })).found.length > 0
    }
    const [london, newYork] = [
      ['20260714T080000Z', '20260714T080001Z'],
      ['20260717T130000Z', '20260717T130001Z'],
    ] as const
    assert.deepEqual([await matches(...london), await matches(...newYork)], [true, false])
    const elsewhere = 'America/New_York'
    assert.deepEqual([await matches(...london, elsewhere), await matches(...newYork, elsewhere)], [false, true])
    await dav.proppatch(MAIN, { 'C:calendar-timezone-id': elsewhere })
    assert.deepEqual([await matches(...london), await matches(...newYork)], [false, true])

    const [{ id }] = (await writer.get('/events?from=2026-07-01&to=2026-07-31')).body.data
    const change = async (patch: Json): Promise<string[]> => {
      const { version } = (await writer.get(`/events/${id}`)).body.data
      assert.equal((await writer.patch(`/events/${id}`, { ...patch, version })).status, 200)
      return (await dav.get(path)).text.match(/^(?:DTSTART|DTEND|EXDATE|RECURRENCE-ID).*$/gm)!
    }
    assert.deepEqual(await change({ title: 'Class' }), times.slice(0, 2))
    assert.deepEqual(await change({ start: '2026-07-14T09:30' }), ['DTSTART:20260714T093000', 'DTEND:20260714T103000'])
    assert.equal((await writer.delete(`/events/${id}/occurrences/20260715T093000`)).status, 204)
    const { version } = (await writer.get(`/events/${id}`)).body.data
    const edited = await writer.patch(`/events/${id}/occurrences/20260716T093000`, { title: 'Other', version })
    assert.equal(edited.status, 200)
    const text = (await dav.get(path)).text
    assert.doesNotMatch(text, /TZID/)
    assert.match(text, /\r\nEXDATE:20260715T093000\r\n/)
    assert.match(text, /\r\nRECURRENCE-ID:20260716T093000\r\n/)
    const moved = await writer.patch(`/events/${id}/occurrences/20260717T093000`, {
      start: '2026-07-17T11:00',
      end: '2026-07-17T12:00',
      version: version + 1,
    })
    assert.equal(moved.status, 200)
    const asRead = (await writer.get(`/events/${id}`)).body.data
    for (const timezone of ['Europe/London', undefined]) {
      const { version: current } = (await writer.get(`/events/${id}`)).body.data
      const whole = { ...asRead, etag: undefined, title: `Whole ${timezone}`, timezone, version: current }
      assert.equal((await writer.put(`/events/${id}`, whole)).status, 200)
      assert.doesNotMatch((await dav.get(path)).text, /TZID/, 'the zone that is shown, sent back')
    }
    assert.ok((await change({ timezone: 'Europe/London' })).includes('DTSTART:20260714T093000'))
    const pinned = await change({ timezone: 'Europe/Paris' })
    assert.ok(pinned.includes('DTSTART;TZID=Europe/Paris:20260714T093000'), `${pinned}`)
    assert.ok(pinned.includes('DTSTART;TZID=Europe/Paris:20260717T110000'), 'also an occurrence that was moved')
    assert.equal((await dav.send('DELETE', path)).status, 204)

    const named = eventText('float', 'DTSTART:20261024T090000', 'DTEND:20261024T100000').replace(
      'BEGIN:VEVENT',
      'X-WR-TIMEZONE:Asia/Tokyo\r\nBEGIN:VEVENT',
    )
    assert.equal((await dav.put(path, named)).status, 201)
    const [single] = (await writer.get('/events?from=2026-10-24&to=2026-10-24')).body.data
    assert.equal(single.start, '2026-10-24T09:00:00+01:00', 'the name of a zone in an object pins no time')
    const second = { start: '2026-10-25T01:30:00Z', end: '2026-10-25T03:00:00Z', version: single.version }
    assert.equal((await writer.patch(`/events/${single.id}`, second)).status, 200)
    assert.match((await dav.get(path)).text, /DTSTART:20261025T013000Z\r\nDTEND;TZID=Europe\/London:20261025T030000/)
  }),
)

/** A VTIMEZONE of two observances, each with lines after its DTSTART. */
const zoneLines = (daylight: readonly string[], standard: readonly string[]): string[] => [
  'BEGIN:VTIMEZONE',
  'TZID:Own',
  ...['BEGIN:DAYLIGHT', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400', ...daylight, 'END:DAYLIGHT'],
  ...['BEGIN:STANDARD', 'TZOFFSETFROM:-0400', 'TZOFFSETTO:-0500', ...standard, 'END:STANDARD'],
  'END:VTIMEZONE',
]

/** As the United States had them until 2006, without an end. */
const UNTIL_2006 = zoneLines(
  ['DTSTART:19870405T020000', 'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU'],
  ['DTSTART:19671029T020000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
)
/** Only the changes of 2026. */
const OF_2026 = zoneLines(['DTSTART:20260308T020000'], ['DTSTART:20261101T020000'])

forEachEngine('a zone with rules of its own is used as it is defined', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const put = (uid: string, zone: readonly string[], start: string, ...more: string[]) => {
      const times = [`DTSTART;TZID=Own:${start}T090000`, `DTEND;TZID=Own:${start}T100000`, `SUMMARY:${uid}`]
      const text = eventText(uid, ...times, ...more).replace('BEGIN:VEVENT', `${zone.join('\r\n')}\r\nBEGIN:VEVENT`)
      return dav.put(`${MAIN}${uid}.ics`, text)
    }
    const startsOf = async (title: string, from: string, to: string): Promise<string[]> => {
      const { body } = await writer.get(`/events?from=${from}&to=${to}&timezone=UTC`)
      return body.data.filter((event: Json) => event.title === title).map(({ start }: Json) => start.slice(5, 16))
    }
    // Clocks in New York go forward on 8 March; by these rules on 5 April.
    assert.equal((await put('single', UNTIL_2006, '20260320')).status, 201)
    assert.deepEqual(await startsOf('single', '2026-03-01', '2026-03-31'), ['03-20T14:00'])
    assert.equal((await put('old', UNTIL_2006, '20050320')).status, 201)
    assert.deepEqual(await startsOf('old', '2005-03-01', '2005-03-31'), ['03-20T14:00'])
    assert.equal((await put('year', OF_2026, '20260305', 'RRULE:FREQ=WEEKLY;COUNT=3')).status, 201)
    assert.deepEqual(await startsOf('year', '2026-03-01', '2026-03-31'), ['03-05T14:00', '03-12T13:00', '03-19T13:00'])
    const weekly = ['RRULE:FREQ=WEEKLY', 'EXDATE;TZID=Own:20260326T090000']
    const edit = ['END:VEVENT', 'BEGIN:VEVENT', 'UID:weekly', 'DTSTAMP:20260701T000000Z', 'SUMMARY:edited']
    const moved = ['RECURRENCE-ID;TZID=Own:20260409T090000', 'DTSTART;TZID=Own:20260409T110000']
    const made = await put('weekly', UNTIL_2006, '20260319', ...weekly, ...edit, ...moved)
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(await startsOf('weekly', '2026-03-01', '2026-04-20'), [
      '03-19T14:00',
      '04-02T14:00',
      '04-16T13:00',
    ])
    assert.deepEqual(await startsOf('edited', '2026-03-01', '2026-04-20'), ['04-09T15:00'])
    assert.deepEqual(await startsOf('weekly', '2100-03-25', '2100-03-31'), ['03-25T14:00'])
    const refused = await put('daily', UNTIL_2006, '20260319', 'RRULE:FREQ=DAILY')
    assert.deepEqual([refused.status, refused.errors], [403, ['C:valid-timezone']])
    assert.match(refused.text, /rules of its own/)
    const invalid = await put('invalid', UNTIL_2006, '20260319', 'RRULE:FREQ=OFTEN')
    assert.match(invalid.text, /recurrence rule is not valid/)

    const zoned = (await writer.get('/events?from=2026-03-01&to=2026-03-31')).body.data
    const zoneOf = (title: string): string => zoned.find((event: Json) => event.title === title).timezone
    assert.deepEqual([zoneOf('year'), zoneOf('single')], ['America/New_York', 'Europe/London'])
    const expand = '<C:expand start="20260401T000000Z" end="20260420T000000Z"/>'
    assert.deepEqual((await dataOfObject(dav, 'weekly.ics', expand)).match(/^(?:DTSTART|SUMMARY).*$/gm), [
      ...['DTSTART:20260402T140000Z', 'SUMMARY:weekly'],
      ...['SUMMARY:edited', 'DTSTART:20260409T150000Z'],
      ...['DTSTART:20260416T130000Z', 'SUMMARY:weekly'],
    ])
  }),
)

const oddEvent = (uid: string, start: string, ...more: string[]): string =>
  inOwnZone(eventText(uid, `DTSTART;TZID=Own:${start}T100000`, `DTEND;TZID=Own:${start}T110000`, ...more))

forEachEngine(
  'several rules, exclusion rules and ranges count in a zone of its own, also over clock changes',
  (engine) =>
    withWorld(engine, async ({ writer }) => {
      const dav = davOf(writer)
      const startsOf = async (uid: string, ...lines: string[]): Promise<string[]> => {
        const put = await dav.put(`${MAIN}${uid}.ics`, oddEvent(uid, '20261020', ...lines))
        assert.equal(put.status, 201, put.text)
        const { body } = await writer.get('/events?from=2026-10-01&to=2026-11-30&timezone=UTC')
        await dav.send('DELETE', `${MAIN}${uid}.ics`)
        return body.data.map(({ start }: Json) => start.slice(8, 16))
      }
      const days = (...all: number[]): string[] => all.map((day) => `${day}T08:23`)
      assert.deepEqual(await startsOf('rules', 'RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=3'), [
        ...days(20, 21, 27),
        '03T08:23',
      ])
      const many = Array.from({ length: 2_000 }, () => 'RRULE:FREQ=DAILY;COUNT=1000')
      const refused = await dav.put(`${MAIN}many.ics`, oddEvent('many', '20261020', ...many))
      assert.match(refused.text, /several recurrence rules/, 'before any of them is expanded')
      const odd = 'EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=5'
      assert.deepEqual(await startsOf('exrule', 'RRULE:FREQ=DAILY;COUNT=10', odd), days(21, 23, 25, 27, 29))
      const edit = ['END:VEVENT', 'BEGIN:VEVENT', 'UID:range', 'DTSTAMP:20260701T000000Z', 'SUMMARY:Later']
      const moved = ['RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Own:20261023T100000', 'DTSTART;TZID=Own:20261023T120000']
      assert.deepEqual(await startsOf('range', 'RRULE:FREQ=DAILY;COUNT=6', ...edit, ...moved), [
        ...days(20, 21, 22),
        ...['23T10:23', '24T10:23', '25T10:23'],
      ])
      const period = 'RDATE;VALUE=PERIOD;TZID=Own:20261110T100000/PT2H'
      assert.deepEqual(await startsOf('period', 'RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2', period), [
        ...days(20, 21, 27),
        '10T08:23',
      ])
    }),
)

test('many edited occurrences in a zone of its own take little work', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dates = Array.from({ length: 7_900 }, (_, i) =>
      new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10).replaceAll('-', ''),
    )
    const edits = dates
      .slice(0, 100)
      .flatMap((date) => [
        ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:many', 'DTSTAMP:20260701T000000Z'],
        ...[`RECURRENCE-ID;TZID=Own:${date}T100000`, `DTSTART;TZID=Own:${date}T120000`, 'SUMMARY:Later'],
      ])
    const rule = ['RRULE:FREQ=DAILY;COUNT=200', `EXDATE:${dates.map((date) => `${date}T000000Z`).join(',')}`]
    const workedMs = startWork()
    const put = await davOf(writer).put(`${MAIN}many.ics`, oddEvent('many', '20261020', ...rule, ...edits))
    assert.equal(put.status, 201, put.text)
    assert.ok(workedMs() < 1_200, `${workedMs()} ms`)
  }))

test('a zone of its own whose name is written in two thousand ways is read once', () =>
  withWorld('sqlite', async ({ writer }) => {
    const spelt = (i: number): string =>
      [...'ownzoneonly'].map((sign, at) => (i & (1 << at) ? sign.toUpperCase() : sign)).join('')
    const dates = Array.from({ length: 2_000 }, (_, i) => {
      const day = new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10).replaceAll('-', '')
      return `EXDATE;TZID=${spelt(i)}:${day}T100000`
    })
    const text = oddEvent('spelt', '20261020', 'RRULE:FREQ=DAILY;COUNT=3', ...dates).replaceAll(
      /TZID([:=])Own\b/g,
      `TZID$1${spelt(0)}`,
    )
    const workedMs = startWork()
    const put = await davOf(writer).put(`${MAIN}spelt.ics`, text)
    assert.equal(put.status, 201, put.text)
    assert.ok(workedMs() < 1_200, `${workedMs()} ms`)
  }))

forEachEngine(
  'a floating time that ends in a repeated hour can be changed, and one date in another zone pins none',
  (engine) =>
    withWorld(engine, async ({ writer }) => {
      const dav = davOf(writer)
      const times = ['DTSTART:20261024T013000', 'DTEND:20261024T020000', 'RRULE:FREQ=DAILY;COUNT=4']
      assert.equal((await dav.put(`${MAIN}hour.ics`, eventText('hour', ...times))).status, 201)
      const list = async () => (await writer.get('/events?from=2026-10-20&to=2026-10-31&timezone=UTC')).body.data
      const [{ id }] = await list()
      const edited = await writer.patch(`/events/${id}/occurrences/20261025T013000`, { title: 'Other', version: 1 })
      assert.equal(edited.status, 200)
      assert.deepEqual(
        (await list()).map(({ title, start, end }: Json) => [title, start.slice(8, 16), end.slice(8, 16)]),
        [
          ['Meeting', '24T00:30', '24T01:00'],
          ['Other', '25T00:30', '25T01:00'],
          ['Meeting', '26T01:30', '26T02:00'],
          ['Meeting', '27T01:30', '27T02:00'],
        ],
      )
      assert.equal((await dav.send('DELETE', `${MAIN}hour.ics`)).status, 204)
      const series = ['DTSTART:20261023T100000Z', 'DTEND:20261023T110000Z', 'RRULE:FREQ=DAILY;COUNT=4']
      const text = eventText('utc', ...series, 'EXDATE;TZID=Own:20261024T113700')
      const put = await dav.put(`${MAIN}utc.ics`, inOwnZone(text))
      assert.equal(put.status, 201, put.text)
      assert.deepEqual(
        (await list()).map(({ start }: Json) => start.slice(8, 16)),
        ['23T10:00', '25T10:00', '26T10:00'],
      )
    }),
)
