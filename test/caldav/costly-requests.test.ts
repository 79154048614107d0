// Requests made costly by their body: limits before any work, work done once, and yields to other requests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sumCharges } from '../../src/actions/costly-work/charged-work.ts'
import { SERVICE_CALLER, withPermit } from '../../src/actions/costly-work/semaphore.ts'
import { createExpansionBudget } from '../../src/caldav/calendar-data/expand.ts'
import { parseDataRequest } from '../../src/caldav/calendar-data/parse.ts'
import { selectPieces } from '../../src/caldav/calendar-data/select.ts'
import { parseXml } from '../../src/caldav/xml/parse.ts'
import { findDefinedZone } from '../../src/caldav/zones.ts'
import { requireZone } from '../../src/domain/time/zone.ts'
import { parseCalendar } from '../../src/ical/text/parse.ts'
import { lines } from '../ical/objects.ts'
import { DECLARED, davOf } from '../support/http/dav.ts'
import { leastLongestPart, leastWork, startWork } from '../support/measure/effort.ts'
import { assertShortTurns } from '../support/measure/turns.ts'
import { withDeadline } from '../support/measure/wait-for.ts'
import { type Client, withWorld } from '../support/world.ts'
import { read, refusal } from './support/asked.ts'
import { eventText, MAIN } from './support/events.ts'

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
  const parsingMs = leastWork(() => parseCalendar(long))
  const refusingMs = leastWork(() => assert.equal(findDefinedZone(long, LONDON), undefined))
  assert.ok(refusingMs < parsingMs / 5, `${refusingMs.toFixed()} ms, parsing ${parsingMs.toFixed()} ms`)
})

test('the name of a VTIMEZONE is resolved once and cached', () => {
  const text = zoneOf(110)
  assert.ok(text.length > 15_000 && text.length < 16_384)
  const firstMs = worked(() => assert.equal(findDefinedZone(text, LONDON)?.name, 'Etc/GMT'))
  const laterMs = leastWork(() => {
    for (let i = 0; i < 200; i++) assert.equal(findDefinedZone(text, LONDON)?.name, 'Etc/GMT')
  })
  assert.ok(laterMs < 20 * firstMs, `first ${firstMs.toFixed(1)} ms, 200 more ${laterMs.toFixed(1)} ms`)
  assert.equal(
    findDefinedZone(text, requireZone('Africa/Abidjan'))?.name,
    'Africa/Abidjan',
    'by the zone of the calendar too',
  )
})

test('F26: too many parts of calendar-data are refused, and parts are looked up by name', () => {
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
  const given = [...selectPieces(twice, read(eventText('one')), createExpansionBudget())].join('')
  assert.equal(given, lines('BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:one', 'END:VEVENT', 'END:VCALENDAR'), 'the first')
})

test('parts of a long object are selected and printed in pieces', () => {
  const alarms = Array.from({ length: 10_000 }, () => ['BEGIN:VALARM', 'ACTION:AUDIO', 'END:VALARM']).flat()
  const object = read(eventText('one', ...alarms))
  const comps = '<C:comp name="VEVENT"><C:prop name="UID"/><C:comp name="VALARM"/></C:comp>'
  const request = parseDataRequest(
    parseXml(`<C:calendar-data ${DECLARED}><C:comp name="VCALENDAR">${comps}</C:comp></C:calendar-data>`),
  )
  const pieces = [...selectPieces(request, object, createExpansionBudget())]
  assert.ok(pieces.length > 20, `${pieces.length} pieces`)
  assert.ok(pieces.every((piece) => piece.length < 50_000))
  const expected = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:one', ...alarms, 'END:VEVENT', 'END:VCALENDAR']
  assert.equal(pieces.join(''), lines(...expected))
})

test('instances of a long object are written in short parts', () => {
  const expand = parseDataRequest(
    parseXml(
      `<C:calendar-data ${DECLARED}><C:expand start="20260101T000000Z" end="20270101T000000Z"/></C:calendar-data>`,
    ),
  )
  const odd = Array.from({ length: 4_000 }, (_, i) => `X;TZID=Odd${i}:20260101T000000`)
  const times = ['DTSTART:20260714T090000Z', 'DTEND:20260714T100000Z']
  const series = [...times, 'RRULE:FREQ=DAILY;COUNT=3']
  const edit = ['END:VEVENT', 'BEGIN:VEVENT', 'UID:one', 'RECURRENCE-ID:20260715T090000Z', ...times]
  const objects = {
    'of one event': read(eventText('one', ...odd)),
    'of a series': read(eventText('one', ...series, ...odd)),
    'of an edited occurrence': read(eventText('one', ...series, ...edit, ...odd)),
    'in a calendar with many lines': read(
      eventText('one').replace('BEGIN:VEVENT', lines(...odd, 'BEGIN:VEVENT').trim()),
    ),
  }
  for (const [name, object] of Object.entries(objects)) {
    const longestMs = leastLongestPart(() => selectPieces(expand, object, createExpansionBudget()))
    assert.ok(longestMs < 20, `${name}: ${longestMs.toFixed()} ms`)
  }
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

const LINES = 150_000

test('a long object that is refused yields to other requests', () =>
  withWorld('sqlite', async ({ writer }) => {
    const long = eventText('long', 'A:\r\n'.repeat(LINES).trim())
    const early = eventText('early', 'DTSTART:10260714T090000Z', 'A:\r\n'.repeat(LINES / 4).trim())
    const texts = {
      broken: long.replace('END:VCALENDAR', 'END:X'),
      'too many lines': long,
      'too early': early,
      'folds of one character': eventText('folds', `X:${'x\r\n '.repeat(250_000)}`),
      'empty folds': eventText('folds', `X:${'\n '.repeat(490_000)}`),
      'empty folds of a UID': eventText('folds').replace('UID:', `UID:${'\n '.repeat(490_000)}`),
      'empty folds of a calendar’s zone': eventText('folds').replace(
        'PRODID:',
        `X-WR-TIMEZONE:${'\n '.repeat(490_000)}`,
      ),
    }
    const dav = davOf(writer)
    for (const [name, text] of Object.entries(texts)) {
      const { result } = await assertShortTurns(name, { share: 0.4 }, () => dav.put(`${MAIN}a.ics`, text))
      assert.equal(result.status, 403, name)
    }
  }))

test('the cost of a request above that of a light one is charged to its caller', () =>
  withWorld(
    'sqlite',
    async ({ reader, writer, admin }) => {
      const alarms = Array.from({ length: 15_000 }, () => ['BEGIN:VALARM', 'END:VALARM']).flat()
      assert.equal((await davOf(writer).put(`${MAIN}long.ics`, eventText('long', ...alarms))).status, 201)
      const query = (inside: string): string =>
        `<C:calendar-query ${DECLARED}><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR"/></C:filter>${inside}</C:calendar-query>`
      const data = '<C:calendar-data><C:comp name="VCALENDAR"><C:comp name="VEVENT"/></C:comp></C:calendar-data>'
      const multiget = `<C:calendar-multiget ${DECLARED}><D:prop>${data}</D:prop><D:href>${MAIN}long.ics</D:href></C:calendar-multiget>`
      const costly: [Client, string][] = [
        [reader, query(`<C:x a="${'b'.repeat(60)}" c="${'d'.repeat(60)}"/>`.repeat(3_300))],
        [admin, multiget],
      ]
      for (const [client, payload] of costly) {
        const ask = (body: string) =>
          client.send({
            method: 'REPORT' as 'GET',
            url: MAIN,
            payload: body,
            headers: { 'content-type': 'application/xml' },
          })
        await leaveRequests(client, 20)
        assert.equal((await ask(query(''))).status, 207)
        let answered = 0
        // A comment of its own, because equal requests are answered from the cache.
        while ((await ask(`${payload}<!-- ${answered} -->`)).status === 207) answered += 1
        assert.ok(answered >= 1 && answered <= 10, `${answered} costly requests in place of 19 light ones`)
        const refused = await ask(query(''))
        assert.equal(refused.status, 429)
        assert.match(String(refused.headers['ratelimit-policy']), /^"api-user"/)
      }
      const updates = await davOf(writer).propfind(MAIN, '0', ['D:getetag'])
      assert.equal(updates.status, 207, 'another account is not charged')
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))

/** Uses up all but some of the requests that an account has in a minute. */
async function leaveRequests(client: Client, left: number): Promise<void> {
  for (let i = 0; i < 600 - left; i++) assert.equal((await client.get('/events?page=1&per_page=1')).status, 200)
}

test('short parts of the work for one request are added up before they are charged', () => {
  const charged: number[] = []
  const caller = sumCharges({ key: 'k', charge: (costMs) => charged.push(costMs) })
  for (let i = 0; i < 9; i++) caller.charge(3)
  assert.deepEqual(charged, [10, 10])
  caller.charge(100)
  assert.deepEqual(charged, [10, 10, 100])
})

test('an object with a million commas and with characters that text may not have is written in short turns', () =>
  withWorld('sqlite', async ({ writer, admin }) => {
    const dav = davOf(writer)
    const commas = (name: string): string[] => Array.from({ length: 4_000 }, () => `${name}:${','.repeat(240)}`)
    const texts = {
      titles: commas('SUMMARY'),
      places: [...commas('LOCATION'), 'LOCATION:a\u0085b'],
      descriptions: [...commas('DESCRIPTION'), 'DESCRIPTION:a\u0085b'],
      categories: Array.from({ length: 3 }, () => `CATEGORIES:${','.repeat(250_000)}\u0085`),
    }
    const broken = Array.from({ length: 4 }, () => `SUMMARY:${'\\;\\n'.repeat(60_000)}`)
    const putBroken = (run: number) => dav.put(`${MAIN}broken-${run}.ics`, eventText(`broken-${run}`, ...broken))
    const { result: titles } = await assertShortTurns('titles of many lines', { ms: 90 }, putBroken)
    assert.equal(titles.status, 201)
    for (const [name, lines] of Object.entries(texts)) {
      const text = (run: number): string => eventText(`${name}-${run}`, ...lines)
      const put = (run: number) => dav.put(`${MAIN}${name}-${run}.ics`, text(run))
      const { result } = await assertShortTurns(name, { ms: 60 }, put)
      assert.equal(result.status, 201, `${name} ${result.text}`)
    }
    const long = eventText('long', ...Array.from({ length: 10 }, () => texts.places).flat())
    const headers = { 'content-type': 'text/calendar; charset=utf-8' }
    const { result } = await assertShortTurns('an import', { ms: 100 }, () =>
      admin.post('/admin/import', long, headers),
    )
    assert.deepEqual([result.status, result.body.data.skipped], [200, 1], result.text)
  }))

test('long texts and instances need a permit, and are refused where too many wait', () =>
  withWorld('sqlite', async ({ writer, app }) => {
    const dav = davOf(writer)
    const many = Array.from({ length: 400 }, (_, i) => `X-LINE-${i}:${'x'.repeat(200)}`)
    await dav.put(`${MAIN}sent.ics`, eventText('sent', ...many))
    await dav.put(`${MAIN}own.ics`, eventText('own', 'RRULE:FREQ=DAILY;COUNT=3', ...many))
    const [{ id }] = (await writer.get('/events?page=1&q=meeting&from=2026-07-15&to=2026-07-16')).body.data
    await writer.patch(`/events/${id}`, { title: 'Changed', version: 1 })
    const multiget = (name: string, data: string): (() => Promise<{ status: number }>) => {
      const href = `<D:href>${MAIN}${name}.ics</D:href>`
      const payload = `<C:calendar-multiget ${DECLARED}><D:prop>${data}</D:prop>${href}</C:calendar-multiget>`
      const headers = { 'content-type': 'application/xml', depth: '1' }
      return () => writer.send({ method: 'REPORT', url: MAIN, payload, headers })
    }
    const parts = '<C:calendar-data><C:comp name="VCALENDAR"><C:prop name="VERSION"/></C:comp></C:calendar-data>'
    const expand = '<C:calendar-data><C:expand start="20260701T000000Z" end="20270701T000000Z"/></C:calendar-data>'
    const requests: Record<string, () => Promise<{ status: number }>> = {
      'GET of a text that was sent': () => dav.get(`${MAIN}sent.ics`),
      'GET of a text of ours': () => dav.get(`${MAIN}own.ics`),
      'HEAD of a text of ours': () => dav.send('HEAD', `${MAIN}own.ics`),
      'data of one': multiget('sent', '<C:calendar-data/>'),
      'parts of one': multiget('sent', parts),
      'instances of one': multiget('own', expand),
      'sizes of all': () => dav.propfind(MAIN, '1', ['D:getcontentlength']),
      'free and busy times of many words': () =>
        dav.report(
          MAIN,
          `<C:free-busy-query ${DECLARED}><C:time-range start="20260901T000000Z" end="20260902T000000Z"/></C:free-busy-query>`,
        ),
      'a long body': multiget('none', `<D:getetag/>${'<D:none/>'.repeat(2_000)}`),
    }
    for (let i = 0; i < 40; i++)
      await writer.creates({
        title: `${i}`,
        description: '世'.repeat(9_900),
        start: '2026-09-01T09:00',
        end: '2026-09-01T10:00',
      })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const others = Array.from({ length: 18 }, (_, i) =>
      withPermit(app.ctx, { key: `other ${i}`, isAccount: true, charge: () => {} }, () => ended),
    )
    for (const [name, send] of Object.entries(requests)) assert.equal((await send()).status, 503, name)
    end()
    await Promise.all(others)
    for (const [name, send] of Object.entries(requests)) assert.ok((await send()).status < 300, name)
    // Each is computed for its caller, and does not wait for work of the service itself.
    const { promise: served, resolve: serve } = Promise.withResolvers<void>()
    const service = withPermit(app.ctx, SERVICE_CALLER, () => served)
    const size = dav.propfind(`${MAIN}own.ics`, '0', ['D:getcontentlength'])
    await withDeadline('the size is answered while the service works', size).finally(serve)
    await service
  }))

test('a long text is escaped for XML in short turns', () =>
  withWorld('sqlite', async ({ writer }) => {
    const lines = Array.from({ length: 4 }, (_, i) => `X-LINE-${i}:${'&'.repeat(240_000)}世`)
    // Another text each time: what was escaped is cached.
    const put = (run: number) =>
      davOf(writer).put(
        `${MAIN}signs.ics`,
        eventText('signs', `X-RUN:${run}`, ...lines),
        run > 0 ? { 'if-match': '*' } : {},
      )
    const href = `<D:href>${MAIN}signs.ics</D:href>`
    const payload = `<C:calendar-multiget ${DECLARED}><D:prop><C:calendar-data/></D:prop>${href}</C:calendar-multiget>`
    const headers = { 'content-type': 'application/xml', depth: '1' }
    const ask = () => writer.send({ method: 'REPORT', url: MAIN, payload, headers })
    const { result } = await assertShortTurns('a multiget', { ms: 60 }, ask, put)
    assert.equal(result.text.split('&amp;').length - 1, 960_000)
  }))

test('a daily series over three centuries is expanded in short turns', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}daily.ics`, eventText('daily', 'RRULE:FREQ=DAILY'))
    const range = (run: number): string => `<C:time-range start="190001${11 + run}T000000Z" end="22000101T000000Z"/>`
    const ask = (run: number) =>
      dav.report(MAIN, `<C:free-busy-query ${DECLARED}>${range(run)}</C:free-busy-query>`, { depth: '1' })
    const { result } = await assertShortTurns('a free-busy query', { ms: 20 }, ask)
    assert.equal(result.status, 507)
  }))
