// Objects that clients store and Daybook itself would not write: returned as sent, and consistent in every protocol.
import assert from 'node:assert/strict'
import { reindex } from '../../../src/actions/maintenance/reindex.ts'
import { lines } from '../../ical/objects.ts'
import { icalJs, nodeIcalReader } from '../../support/feed-readers.ts'
import type { Json } from '../../support/http/api-response.ts'
import { DECLARED, davOf } from '../../support/http/dav.ts'
import { startWork } from '../../support/measure/effort.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { type Client, withWorld } from '../../support/world.ts'
import { eventText, MAIN } from '../support/events.ts'

const JULY = { from: '20260701T000000Z', to: '20260801T000000Z' }

const listed = async (client: Client, path = '/events'): Promise<[string, string, string][]> => {
  const { body } = await client.get(`${path}?from=2026-07-01&to=2026-07-31&timezone=UTC`)
  return body.data.map(({ title, start, end }: Json) => [title, start.slice(0, 16), end.slice(11, 16)])
}

const busy = async (client: Client): Promise<string[]> => {
  const range = `<C:time-range start="${JULY.from}" end="${JULY.to}"/>`
  const { text } = await davOf(client).report(MAIN, `<C:free-busy-query ${DECLARED}>${range}</C:free-busy-query>`)
  return [...text.matchAll(/\r\nFREEBUSY[^:]*:([^\r]*)/g)].map(([, period]) => period!)
}

const queried = async (client: Client, from: string, to: string, data = ''): Promise<string[]> => {
  const range = `<C:time-range start="${from}" end="${to}"/>`
  const filter = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${range}</C:comp-filter></C:comp-filter></C:filter>`
  const wanted = `<D:prop><D:getetag/>${data}</D:prop>`
  const query = `<C:calendar-query ${DECLARED}>${wanted}${filter}</C:calendar-query>`
  const { status, text, found } = await davOf(client).report(MAIN, query, { depth: '1' })
  assert.equal(status, 207, text)
  return found.map(({ href, props }) => (data ? props['C:calendar-data']!.text : href))
}

const soleEvent = async (client: Client): Promise<Json> => (await client.get('/events')).body.data[0]

forEachEngine('extra dates given as periods last as long as the periods', (engine) =>
  withWorld(engine, async ({ writer, anonymous, app }) => {
    const dav = davOf(writer)
    const path = `${MAIN}periods.ics`
    const text = eventText(
      'periods',
      'RRULE:FREQ=DAILY;COUNT=2',
      'RDATE;VALUE=PERIOD:20260720T090000Z/PT1H,20260721T090000Z/20260721T113000Z',
      'RDATE;VALUE=PERIOD;TZID=Europe/London:20260722T100000/PT2H',
      'CLASS:PUBLIC',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-PT5M',
      'DESCRIPTION:Soon',
      'END:VALARM',
    )
    const put = await dav.put(path, text)
    assert.equal(put.status, 201, put.text)
    assert.equal((await dav.get(path)).text, text)
    const expected = [
      ['Meeting', '2026-07-14T09:00', '10:00'],
      ['Meeting', '2026-07-15T09:00', '10:00'],
      ['Meeting', '2026-07-20T09:00', '10:00'],
      ['Meeting', '2026-07-21T09:00', '11:30'],
      ['Meeting', '2026-07-22T09:00', '11:00'],
    ]
    assert.deepEqual(await listed(writer), expected)
    assert.deepEqual(await listed(anonymous, '/public/events'), expected)
    assert.deepEqual(await busy(writer), [
      '20260714T090000Z/PT1H',
      '20260715T090000Z/PT1H',
      '20260720T090000Z/PT1H',
      '20260721T090000Z/PT2H30M',
      '20260722T090000Z/PT2H',
    ])
    assert.deepEqual(await queried(writer, '20260721T110000Z', '20260721T120000Z'), [path])
    assert.deepEqual(await queried(writer, '20260720T110000Z', '20260720T120000Z'), [])

    const expand = `<C:calendar-data><C:expand start="${JULY.from}" end="${JULY.to}"/></C:calendar-data>`
    const ends = async () => [...(await queried(writer, JULY.from, JULY.to, expand))[0]!.matchAll(/\nDTEND:(\w+)/g)]
    const endsAt = ['20260714T100000Z', '20260715T100000Z', '20260720T100000Z', '20260721T113000Z', '20260722T110000Z']
    assert.deepEqual(
      (await ends()).map(([, end]) => end),
      endsAt,
    )
    const lasting = text.replace('DTEND:20260714T100000Z', 'DURATION:PT1H')
    assert.equal((await dav.put(path, lasting, { 'if-match': '*' })).status, 204)
    assert.deepEqual(
      (await ends()).map(([, end]) => end),
      endsAt.slice(3),
      'the others keep DURATION',
    )

    const { id, version } = await soleEvent(writer)
    const patched = await writer.patch(`/events/${id}`, { title: 'Council', version })
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(
      await listed(writer),
      expected.map(([, ...times]) => ['Council', ...times]),
    )
    const printed = (await dav.get(path)).text
    assert.equal(printed.match(/BEGIN:VALARM/g)?.length, 3, 'a longer occurrence has its alarm too')
    assert.equal((await reindex(app.ctx)).changed, 0)
    assert.equal((await dav.put(path, printed, { 'if-match': '*' })).status, 204)
    assert.equal((await listed(writer)).length, 5)
  }),
)

const invited = (key: string, start: string, ...more: readonly string[]): string =>
  lines(
    'BEGIN:VEVENT',
    'UID:invited',
    'DTSTAMP:20260701T000000Z',
    `RECURRENCE-ID;TZID=Europe/London:${key}`,
    `DTSTART;TZID=Europe/London:${start}`,
    'DURATION:PT1H',
    'ORGANIZER:mailto:chair@example.org',
    ...more,
    'END:VEVENT',
  )

const object = (...events: readonly string[]): string =>
  lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//Program//EN') + events.join('') + lines('END:VCALENDAR')

const keysIn = (text: string): string[] =>
  [...text.matchAll(/\r\nRECURRENCE-ID([^\r]*)/g)].map(([, line]) => line!).sort()

for (const visibility of ['PUBLIC', 'PRIVATE'] as const)
  forEachEngine(`occurrences without their series are shown like any others (${visibility})`, (engine) =>
    withWorld(engine, async ({ writer, anonymous, admin, app }) => {
      const dav = davOf(writer)
      const path = `${MAIN}invited.ics`
      const isPublic = visibility === 'PUBLIC'
      const words = [`CLASS:${visibility}`, 'SUMMARY:zqinvited', 'LOCATION:zqroom']
      const text = object(
        invited('20260721T100000', '20260721T140000', ...words),
        invited('20260714T100000', '20260714T100000', ...words),
        invited('20260728T100000', '20260728T100000', `CLASS:${visibility}`, 'SUMMARY:zqlast'),
      )
      const put = await dav.put(path, text)
      assert.equal(put.status, 201, put.text)
      assert.equal((await dav.get(path)).text, text)
      const times = ['2026-07-14T09:00', '2026-07-21T13:00', '2026-07-28T09:00']
      const ends = ['10:00', '14:00', '10:00']
      const asShown = (titles: string[]) => times.map((time, i) => [titles[i]!, time, ends[i]!])
      const titles = ['zqinvited', 'zqinvited', 'zqlast']
      const masked = Array(3).fill('Private Event')
      assert.deepEqual(await listed(writer), asShown(titles))
      assert.deepEqual(await listed(anonymous, '/public/events'), asShown(isPublic ? titles : masked))
      assert.deepEqual(await busy(writer), ['20260714T090000Z/PT1H', '20260721T130000Z/PT1H', '20260728T090000Z/PT1H'])
      assert.deepEqual(await queried(writer, '20260721T130000Z', '20260721T133000Z'), [path])
      assert.deepEqual(await queried(writer, '20260721T090000Z', '20260721T093000Z'), [], 'it was moved')
      const expand = `<C:calendar-data><C:expand start="${JULY.from}" end="${JULY.to}"/></C:calendar-data>`
      const [expanded] = await queried(writer, JULY.from, JULY.to, expand)
      assert.deepEqual(keysIn(expanded!.replaceAll(/\r?\n/g, '\r\n')), [
        ':20260714T090000Z',
        ':20260721T090000Z',
        ':20260728T090000Z',
      ])
      const feed = (await anonymous.get('/public/calendar.ics')).text
      const starts = [...feed.matchAll(/\r\n(?:DTSTART|RECURRENCE-ID);TZID=Europe\/London:([^\r]*)/g)].map(
        ([, at]) => at,
      )
      for (const start of ['20260714T100000', '20260721T140000']) assert.ok(starts.includes(start), start)
      assert.match(feed, /\r\nRDATE;TZID=Europe\/London:[^\r]*20260728T100000/)
      if (!isPublic)
        for (const { text } of [await anonymous.get('/public/events'), { text: feed }])
          assert.doesNotMatch(text, /zq|chair|UID:invited/)

      const { id, version } = await soleEvent(writer)
      const patched = await writer.patch(`/events/${id}`, { location: 'Hall', version })
      assert.equal(patched.status, 200, patched.text)
      assert.deepEqual(await listed(writer), asShown(titles))
      const printed = (await dav.get(path)).text
      const keys = ['14', '21', '28'].map((day) => `;TZID=Europe/London:202607${day}T100000`)
      assert.deepEqual(keysIn(printed), keys)
      assert.equal(printed.match(/\r\nORGANIZER:/g)?.length, 4)
      const understood = icalJs.read(printed, Date.parse('2026-07-01'), Date.parse('2026-08-01'))
      assert.deepEqual(
        understood.map(({ start }) => start.slice(0, 16)),
        times,
      )
      assert.equal((await reindex(app.ctx)).changed, 0)
      const { text: exported } = await admin.get('/admin/export.ics')
      assert.deepEqual(keysIn(exported), keys)

      assert.equal((await writer.delete(`/events/${id}/occurrences/20260721T100000`)).status, 204)
      assert.deepEqual(
        await listed(writer),
        asShown(titles).filter((_, i) => i !== 1),
      )
      assert.equal((await dav.put(path, text, { 'if-match': '*' })).status, 204)
      assert.deepEqual(await listed(writer), asShown(titles))
    }),
  )

forEachEngine('one occurrence without its series is an event, and stays the occurrence it is', (engine) =>
  withWorld(engine, async ({ writer, anonymous, app }) => {
    const dav = davOf(writer)
    const path = `${MAIN}invited.ics`
    const text = object(invited('20260714T100000', '20260714T110000', 'SUMMARY:Alone', 'CLASS:PUBLIC'))
    assert.equal((await dav.put(path, text)).status, 201)
    assert.equal((await dav.get(path)).text, text)
    assert.deepEqual(await listed(anonymous, '/public/events'), [['Alone', '2026-07-14T10:00', '11:00']])
    assert.deepEqual(await queried(writer, '20260714T100000Z', '20260714T103000Z'), [path])
    assert.deepEqual(await queried(writer, '20260714T090000Z', '20260714T093000Z'), [])
    const limited = `<C:calendar-data><C:limit-recurrence-set start="${JULY.from}" end="${JULY.to}"/></C:calendar-data>`
    assert.match((await queried(writer, JULY.from, JULY.to, limited))[0]!, /SUMMARY:Alone/)
    const { id, version, recurring } = await soleEvent(writer)
    assert.equal(recurring, false)
    const moved = { title: 'Moved', start: '2026-07-14T15:00', end: '2026-07-14T16:00', version }
    assert.equal((await writer.patch(`/events/${id}`, moved)).status, 200)
    const printed = (await dav.get(path)).text
    assert.deepEqual(keysIn(printed), [';TZID=Europe/London:20260714T100000'])
    assert.match(printed, /DTSTART;TZID=Europe\/London:20260714T150000/)
    assert.doesNotMatch((await anonymous.get('/public/calendar.ics')).text, /RECURRENCE-ID/)
    assert.equal((await reindex(app.ctx)).changed, 0)
    assert.equal((await dav.put(path, printed, { 'if-match': '*' })).status, 204)
    const repeats = await writer.patch(`/events/${id}`, { rrule: 'FREQ=DAILY;COUNT=2', version: version + 2 })
    assert.equal(repeats.status, 200, repeats.text)
    assert.deepEqual(keysIn((await dav.get(path)).text), [], 'a series of its own now')
    assert.equal((await listed(writer)).length, 2)
  }),
)

const SERIES = ['DTSTART:20260714T090000Z', 'RRULE:FREQ=DAILY;COUNT=4', 'CLASS:PUBLIC', 'SUMMARY:zqseries']

const eventPart = (...more: readonly string[]): string =>
  lines('BEGIN:VEVENT', 'UID:invited', 'DTSTAMP:20260701T000000Z', 'DURATION:PT1H', ...more, 'END:VEVENT')

const edit = (...more: readonly string[]): string =>
  eventPart('RECURRENCE-ID:20260715T090000Z', 'DTSTART:20260715T100000Z', ...more)

const NOT_KEPT: Record<string, string> = {
  'the lesser of two edits': object(
    eventPart(...SERIES),
    edit('SEQUENCE:1', 'CLASS:PRIVATE', 'SUMMARY:zqlow'),
    edit('SEQUENCE:5', 'CLASS:PUBLIC', 'SUMMARY:zqhigh'),
  ),
  'an edit that is deleted too': object(eventPart(...SERIES, 'EXDATE:20260715T090000Z'), edit('CLASS:PRIVATE')),
  'an edit that is deleted later': object(eventPart(...SERIES), edit('CLASS:PRIVATE', 'SUMMARY:zqhigh')),
  'the lesser of two edits without their series': object(
    edit('SEQUENCE:5', 'CLASS:PUBLIC', 'SUMMARY:zqhigh'),
    edit('SEQUENCE:1', 'CLASS:PRIVATE', 'SUMMARY:zqlow'),
  ),
}

for (const [which, text] of Object.entries(NOT_KEPT))
  forEachEngine(`P20: an event that is private because of ${which} stays private`, (engine) =>
    withWorld(engine, async ({ writer, anonymous, app }) => {
      const put = await davOf(writer).put(`${MAIN}invited.ics`, text)
      assert.equal(put.status, 201, put.text)
      const { id, version, visibility } = await soleEvent(writer)
      assert.equal(visibility, 'private')
      const isHidden = async (): Promise<void> => {
        assert.equal((await reindex(app.ctx)).changed, 0)
        for (const path of ['/public/calendar.ics', '/public/events?from=2026-07-01&to=2026-07-31'])
          assert.doesNotMatch((await anonymous.get(path)).text, /zq/, path)
      }
      await isHidden()
      assert.ok(!(await listed(writer)).some(([title]) => title === 'zqlow'), 'the one changed most often is meant')
      assert.equal((await writer.patch(`/events/${id}`, { location: 'zqroom', version })).status, 200)
      await isHidden()
      await writer.delete(`/events/${id}/occurrences/20260715T090000`)
      await isHidden()
      assert.equal((await writer.get(`/events/${id}`)).body.data.visibility, 'private')
    }),
  )

const HOURLY = ['DTSTART:20260701T000000Z', 'DTEND:20260701T001500Z', 'CLASS:PUBLIC']

forEachEngine(
  'a rule that repeats more than daily is kept whole, and its first thousand occurrences are listed',
  (engine) =>
    withWorld(engine, async ({ writer, anonymous, app }) => {
      const dav = davOf(writer)
      const path = `${MAIN}hourly.ics`
      const text = eventText('hourly', ...HOURLY, 'RRULE:FREQ=HOURLY', 'EXDATE:20270301T050000Z')
      const put = await dav.put(path, text)
      assert.equal(put.status, 201, put.text)
      assert.equal((await dav.get(path)).text, text)
      const counted = async (from: string, to: string): Promise<number> => {
        const { body } = await writer.get(`/events?from=${from}&to=${to}&timezone=UTC&per_page=1`)
        return body.meta.pagination.total
      }
      assert.equal(await counted('2026-07-01', '2026-07-31'), 744)
      assert.equal(await counted('2026-07-01', '2027-06-30'), 1_000)
      assert.equal(await counted('2026-09-01', '2027-06-30'), 0)
      const { id, version, rrule, last_listed } = await soleEvent(writer)
      assert.deepEqual([rrule, last_listed], ['FREQ=HOURLY', '20260811T150000'])
      assert.equal((await anonymous.get(`/public/events/${id}`)).body.data.last_listed, '20260811T150000')
      assert.equal((await writer.get(`/events/${id}/occurrences/20260811T150000`)).status, 200)
      assert.equal((await writer.get(`/events/${id}/occurrences/20260811T160000`)).status, 404)
      assert.match((await anonymous.get('/public/calendar.ics')).text, /\r\nRRULE:FREQ=HOURLY\r\n/)

      assert.deepEqual(
        await queried(writer, '20270301T060000Z', '20270301T070000Z'),
        [path],
        'programs go on by themselves',
      )
      assert.deepEqual(await queried(writer, '20270301T050000Z', '20270301T055000Z'), [])
      const expand = `<C:calendar-data><C:expand start="20270101T000000Z" end="20280101T000000Z"/></C:calendar-data>`
      const [expanded] = await queried(writer, '20270101T000000Z', '20280101T000000Z', expand)
      assert.equal(expanded!.match(/BEGIN:VEVENT/g)?.length, 1_000)

      const event = (await writer.get(`/events/${id}`)).body.data
      const put2 = await writer.put(`/events/${id}`, { ...event, title: 'Chime' })
      assert.equal(put2.status, 200, put2.text)
      assert.deepEqual(put2.body.meta.dropped_exceptions ?? [], [])
      const patched = await writer.patch(`/events/${id}`, { rrule: 'FREQ=HOURLY;INTERVAL=2', version: version + 1 })
      assert.equal(patched.body.error.details.fields[0].code, 'rrule_unsupported', 'another such rule cannot be sent')
      const printed = (await dav.get(path)).text
      for (const line of ['SUMMARY:Chime', 'RRULE:FREQ=HOURLY', 'EXDATE:20270301T050000Z'])
        assert.ok(printed.includes(`\r\n${line}\r\n`), line)
      assert.equal((await reindex(app.ctx)).changed, 0)
      const daily = await writer.patch(`/events/${id}`, { rrule: 'FREQ=DAILY', version: version + 1 })
      assert.equal(daily.body.data.last_listed, undefined)
    }),
)

forEachEngine(
  'an edited occurrence that its series does not list is read, edited and deleted like the others',
  (engine) =>
    withWorld(engine, async ({ writer, app }) => {
      const edited = (uid: string, ...series: readonly string[]): string => {
        const edit = eventText(
          uid,
          'RECURRENCE-ID:20261214T120000Z',
          'DTSTART:20260720T101500Z',
          'DTEND:20260720T110000Z',
          'SUMMARY:Edited',
        )
        return eventText(uid, ...series).replace('END:VCALENDAR\r\n', edit.slice(edit.indexOf('BEGIN:VEVENT')))
      }
      const far = edited('far', ...HOURLY, 'RRULE:FREQ=HOURLY')
      const off = edited('off', 'RRULE:FREQ=DAILY;COUNT=2', 'CLASS:PUBLIC')
      for (const [uid, text] of Object.entries({ far, off })) {
        const path = `${MAIN}${uid}.ics`
        const put = await davOf(writer).put(path, text)
        assert.equal(put.status, 201, put.text)
        const { body } = await writer.get('/events?from=2026-07-20&to=2026-07-20&timezone=UTC')
        const { id, occurrence_key } = body.data.find(({ title }: Json) => title === 'Edited')
        assert.equal(occurrence_key, '20261214T120000')
        const occurrence = `/events/${id}/occurrences/${occurrence_key}`
        assert.equal((await writer.get(occurrence)).body.data.title, 'Edited')
        const { version } = (await writer.get(`/events/${id}`)).body.data
        const patched = await writer.patch(occurrence, { title: 'Again', version })
        assert.equal(patched.body.data.title, 'Again', patched.text)
        assert.equal((await writer.delete(occurrence)).status, 204)
        assert.equal((await writer.get(occurrence)).status, 404)
        assert.ok(!(await listed(writer)).some(([title]) => title === 'Again'))
        assert.equal((await reindex(app.ctx)).changed, 0)
        assert.equal((await writer.delete(`/events/${id}/exceptions/${occurrence_key}`)).status, 204)
        assert.equal((await davOf(writer).delete(path)).status, 204)
      }
    }),
)

forEachEngine('extreme rules are stored or refused quickly', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const rules: [string, number][] = [
      ['FREQ=SECONDLY', 201],
      ['FREQ=MINUTELY;COUNT=10000', 201],
      ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3;BYMINUTE=3;BYSECOND=3', 201],
      ['FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,10,20,30,40,50', 201],
      ['FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30', 201],
      ['FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30', 201],
      ['FREQ=SECONDLY;COUNT=1000000000;BYMONTH=12', 403],
    ]
    for (const [i, [rule, status]] of rules.entries()) {
      const workedMs = startWork()
      const put = await davOf(writer).put(`${MAIN}${i}.ics`, eventText(`${i}`, ...HOURLY, `RRULE:${rule}`))
      assert.equal(put.status, status, `${rule} ${put.text}`)
      assert.ok(workedMs() < 5_000, rule)
    }
    const { body } = await writer.get('/events?from=2026-07-01&to=2026-07-31&per_page=1')
    assert.ok(body.meta.pagination.total <= 4_000)
    assert.equal((await reindex(app.ctx)).changed, 0)
    const allDay = eventText('days', 'DTSTART;VALUE=DATE:20260701', 'DTEND;VALUE=DATE:20260702', 'RRULE:FREQ=HOURLY')
    assert.match((await davOf(writer).put(`${MAIN}days.ics`, allDay)).text, /Its recurrence rule is not valid/)
  }),
)

forEachEngine('a start off its rule is printed so that every client computes the same dates', (engine) =>
  withWorld(engine, async ({ writer, admin }) => {
    const dav = davOf(writer)
    const text = eventText('off', 'RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO')
    assert.equal((await dav.put(`${MAIN}off.ics`, text)).status, 201)
    assert.equal((await dav.get(`${MAIN}off.ics`)).text, text, 'as it was sent')
    const dates = ['2026-07-14T09:00', '2026-07-20T09:00', '2026-07-27T09:00']
    const { id, version } = await soleEvent(writer)
    assert.equal((await writer.patch(`/events/${id}`, { title: 'Changed', version })).status, 200)
    const printed = (await dav.get(`${MAIN}off.ics`)).text
    const { text: exported } = await admin.get('/admin/export.ics')
    const [part] = await queried(
      writer,
      JULY.from,
      JULY.to,
      '<C:calendar-data><C:comp name="VCALENDAR"><C:allcomp/><C:allprop/></C:comp></C:calendar-data>',
    )
    for (const words of [printed, exported, part!.replaceAll(/\r?\n/g, '\r\n')]) {
      assert.match(words, /\r\nRRULE:FREQ=WEEKLY;UNTIL=20260727T090000Z;BYDAY=MO\r\n/)
      assert.match(words, /\r\nRDATE;X-DAYBOOK-FIRST=TRUE:20260714T090000Z\r\n/)
      for (const { read } of [icalJs, nodeIcalReader]) {
        const found = read(words, Date.parse('2026-07-01'), Date.parse('2026-09-01'))
        assert.deepEqual([...new Set(found.map(({ start }) => start.slice(0, 16)))].sort(), dates)
      }
    }
    const again = await admin.post('/admin/import', exported, { 'content-type': 'text/calendar' })
    assert.equal(again.body.data.unchanged, 1, again.text)
    assert.equal((await dav.put(`${MAIN}off.ics`, printed, { 'if-match': '*' })).status, 204)
    assert.equal((await soleEvent(writer)).rrule, 'FREQ=WEEKLY;COUNT=3;BYDAY=MO')
    assert.deepEqual(
      (await listed(writer)).map(([, start]) => start),
      dates,
    )
  }),
)
