// Errors in WebDAV form: the precondition by name, in XML; hostile bodies are refused before they cost anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ErrorCode, errors } from '../../src/errors.ts'
import { lines } from '../ical/objects.ts'
import { type DavAnswer, DECLARED, davOf } from '../support/http/dav.ts'
import { listen, sendRaw } from '../support/http/socket.ts'
import { startWork } from '../support/measure/effort.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { basicOf, type World, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

const story = (name: string, tell: (world: World) => Promise<void>, settings: Record<string, string> = {}) =>
  test(name, () => withWorld('sqlite', tell, { settings }))

/** Checks status, precondition, code and XML. */
function checkError(answer: DavAnswer, code: ErrorCode): void {
  const row: { status: number; dav?: string } = errors[code]
  assert.equal(answer.status, row.status, answer.text)
  assert.equal(answer.headers['content-type'], 'application/xml; charset=utf-8')
  assert.deepEqual(answer.errors, row.dav ? [row.dav] : [])
  assert.match(answer.text, new RegExp(`code xmlns:X="urn:daybook:error">${code}<`))
}

forEachEngine('every refusal of a PUT has the precondition name of RFC 4791', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const calendar = (...inside: string[]): string =>
      lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...inside, 'END:VCALENDAR')
    const event = (uid: string, ...more: string[]): string[] =>
      eventText(uid, ...more)
        .split('\r\n')
        .slice(3, -2)
    const cases: [string, ErrorCode][] = [
      ['', 'data_invalid'],
      ['nonsense', 'data_invalid'],
      ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\n', 'data_invalid'],
      [calendar('BEGIN:VTODO', 'UID:t', 'DTSTAMP:20260701T000000Z', 'END:VTODO'), 'component_unsupported'],
      [calendar(), 'component_unsupported'],
      [calendar(...event('a'), ...event('b')), 'object_invalid'],
      [calendar('METHOD:REQUEST', ...event('a')), 'object_invalid'],
      [eventText('a', 'DTSTART:18991231T000000Z', 'DTEND:18991231T010000Z'), 'date_too_early'],
      [eventText('a', 'DTSTART;VALUE=DATE:00010101', 'DTEND;VALUE=DATE:00010102'), 'date_too_early'],
      [eventText('a', 'DTSTART:22010102T000000Z', 'DTEND:22010102T010000Z'), 'date_too_late'],
      [eventText('a', 'DTEND:99991231T235959Z'), 'date_too_late'],
      [eventText('a', 'RRULE:FREQ=DAILY;COUNT=2', 'RDATE:20260720T090000Z,22010102T000000Z'), 'date_too_late'],
      [eventText('a', 'DTSTART:20261301T000000Z'), 'object_invalid'],
      [
        eventText('a', 'DTSTART;TZID=Mars/Base:20260714T090000', 'DTEND;TZID=Mars/Base:20260714T100000'),
        'zone_unknown',
      ],
      [eventText('a').replace('VERSION:2.0', 'VERSION:1.0'), 'data_type_unsupported'],
    ]
    for (const [text, code] of cases) checkError(await dav.put(`${MAIN}x.ics`, text), code)
    const body = eventText('a')
    for (const type of [
      'text/plain',
      'application/json',
      'text/calendar; charset=latin1',
      'text/vcard',
      'application/xml',
    ])
      checkError(await dav.put(`${MAIN}x.ics`, body, { 'content-type': type }), 'data_type_unsupported')
    checkError(await dav.put(`${MAIN}x.ics`, body, { 'content-encoding': 'gzip' }), 'unsupported_media_type')
    const large = eventText('a', `DESCRIPTION:${'x'.repeat(1_048_576)}`)
    checkError(await dav.put(`${MAIN}x.ics`, large), 'body_too_large')
    assert.equal((await dav.propfind(MAIN, '1', ['D:getetag'])).found.length, 1, 'nothing was kept')
    assert.equal((await dav.put(`${MAIN}a.ics`, body)).status, 201)
    const conflict = await dav.put(`${MAIN}x.ics`, body)
    checkError(conflict, 'uid_conflict')
    assert.match(conflict.text, new RegExp(`<C:no-uid-conflict><D:href>${MAIN}a.ics</D:href></C:no-uid-conflict>`))
    const bare = await dav.send('PUT', `${MAIN}bare.ics`, eventText('bare'))
    assert.equal(bare.status, 201, 'a body without a type is looked at')
    const latin = Buffer.from(eventText('latin', 'SUMMARY:é'), 'latin1')
    const odd = await writer.send({
      method: 'PUT',
      url: `${MAIN}l.ics`,
      payload: latin,
      headers: { 'content-type': 'text/calendar' },
    })
    assert.equal(odd.status, 400)
  }),
)

story('F25: a hostile object is refused quickly and with its reason', async ({ writer, app }) => {
  const dav = davOf(writer)
  const days = Array.from({ length: 11_000 }, (_, i) => new Date(Date.UTC(2026, 6, 14 + i)))
  const stamps = days.map((day) => day.toISOString().slice(0, 10).replaceAll('-', ''))
  const daily = eventText('a', 'RRULE:FREQ=DAILY')
  const edit = (stamp: string): string =>
    lines('BEGIN:VEVENT', 'UID:a', 'DTSTAMP:20260701T000000Z', `RECURRENCE-ID:${stamp}T090000Z`) +
    lines(`DTSTART:${stamp}T180000Z`, 'SUMMARY:Later', 'END:VEVENT')
  const edited = daily.replace('END:VCALENDAR', `${stamps.slice(0, 5_999).map(edit).join('')}END:VCALENDAR`)
  const folded = `DESCRIPTION:${'a'.repeat(60)}${`\r\n ${'a'.repeat(70)}`.repeat(14_000)}`
  const bombs: [string, ErrorCode, RegExp][] = [
    [eventText('a', 'X-A:1\r\n'.repeat(140_000)), 'object_invalid', /more than 50,000 lines/],
    [eventText('a', folded), 'data_invalid', /longer than 262,144 characters/],
    [eventText('a', `X-A:${'a'.repeat(300_000)}`), 'data_invalid', /longer than 262,144 characters/],
    [daily.replace('BEGIN:VEVENT', `X-A:${'a'.repeat(300_000)}\r\nBEGIN:VEVENT`), 'data_invalid', /too long/],
    [eventText('a', 'BEGIN:X\r\n'.repeat(10_000)), 'data_invalid', /nested too deeply/],
    [eventText('a', `ATTENDEE${';X=1'.repeat(60_000)}:mailto:a@example.org`), 'data_invalid', /too many parameters/],
    [eventText('a', `ATTENDEE;X=${'1,'.repeat(60_000)}1:mailto:a@example.org`), 'data_invalid', /too many parameters/],
    [eventText('a', 'BEGIN:VALARM\r\nEND:VALARM\r\n'.repeat(38_000)), 'object_invalid', /more than 50,000 lines/],
    [
      daily.replace('SUMMARY', `EXDATE:${stamps.map((day) => `${day}T090000Z`).join(',')}\r\nSUMMARY`),
      'object_invalid',
      /10,000/,
    ],
    [edited, 'object_invalid', /2,000 edited/],
    [
      eventText('a', 'DTEND:20260714T090000Z', 'DURATION:P9999999999D').replace(/DTEND.*\r\n/, ''),
      'object_invalid',
      /cannot be read/,
    ],
    [eventText('a', 'DTSTART:99999101T000000Z'), 'date_too_late', /max-date-time/],
    [eventText('a', 'SUMMARY:a\0b'), 'data_invalid', /no name, no value/],
    [eventText('a', 'SUMMARY;LANGUAGE="en:b'), 'data_invalid', /no name, no value/],
  ]
  for (const [text, code, why] of bombs) {
    assert.ok(text.length < 1_048_576)
    const started = process.cpuUsage()
    const answer = await dav.put(`${MAIN}a.ics`, text)
    const { user, system } = process.cpuUsage(started)
    // The documented limit is half a second. CPU time of this process, which other load does not change.
    assert.ok(user + system < 2_500_000, `${why} took ${(user + system) / 1_000} ms`)
    checkError(answer, code)
    assert.match(answer.text, why)
  }
  assert.deepEqual(await app.ctx.storage.reads.selectFrom('events').select('uid').execute(), [])
})

story('malformed or oversized XML is refused quickly', async ({ writer }) => {
  const dav = davOf(writer)
  const doctype = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d SYSTEM "file:///etc/passwd">]>'
  const wide = `<D:propfind xmlns:D="DAV:"><D:prop>${'<D:a/>'.repeat(20_000)}</D:prop></D:propfind>`
  const bodies = [
    '<',
    'nonsense',
    '<a>',
    '<a></b>',
    '<a:b/>',
    `<?xml version="1.0"?>${doctype}<D:propfind xmlns:D="DAV:"><D:prop><D:a>&d;</D:a></D:prop></D:propfind>`,
    `${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}`,
    wide,
    `<D:propfind xmlns:D="DAV:"><D:prop><D:a>${'&#65;'.repeat(100_000)}</D:a></D:prop></D:propfind>`,
    '<D:propfind xmlns:D="DAV:"/>',
    '<D:propfind xmlns:D="DAV:"><D:prop/><D:allprop/></D:propfind>',
    '<propfind><prop/></propfind>',
    '{"a":1}',
  ]
  for (const method of ['PROPFIND', 'PROPPATCH', 'REPORT'])
    for (const body of bodies) {
      const workedMs = startWork()
      const answer = await dav.send(method, MAIN, body, { depth: '0' })
      const isKnownRoot =
        method === 'REPORT' && /^<(?:D:)?propfind/.test(body) && body !== wide && !body.includes('&#65;')
      assert.equal(answer.status, isKnownRoot ? 403 : 400, `${method} ${body.slice(0, 60)}`)
      assert.equal(answer.xml?.name, 'error')
      assert.ok(workedMs() < 1_000, `${workedMs()} ms of CPU`)
    }
  const big = `<D:propfind xmlns:D="DAV:"><D:prop><D:a>${'x'.repeat(1_048_576)}</D:a></D:prop></D:propfind>`
  checkError(await dav.send('PROPFIND', MAIN, big, { depth: '0' }), 'body_too_large')
})

story('a body of another type or compressed is 415; without a type it is parsed', async ({ writer }) => {
  const dav = davOf(writer)
  const body = '<D:propfind xmlns:D="DAV:"><D:prop><D:displayname/></D:prop></D:propfind>'
  const ask = (headers: Record<string, string>) => dav.send('PROPFIND', MAIN, body, { depth: '0', ...headers })
  const good = [
    'application/xml',
    'text/xml',
    'text/xml; charset="utf-8"',
    'APPLICATION/XML;charset=UTF-8',
    'text/xml; charset=utf8',
    'text/xml; charset=US-ASCII',
  ]
  for (const type of good) assert.equal((await ask({ 'content-type': type })).status, 207, type)
  assert.equal((await ask({})).status, 207)
  const bad = ['application/json', 'text/plain', 'text/calendar', 'application/xml; charset=utf-16', 'x']
  for (const type of bad) checkError(await ask({ 'content-type': type }), 'unsupported_media_type')
  checkError(await ask({ 'content-encoding': 'gzip' }), 'unsupported_media_type')
  const spelt = { 'content-type': 'text/calendar; charset=utf8' }
  assert.equal((await dav.put(`${MAIN}a.ics`, eventText('a'), spelt)).status, 201)
})

story('an empty body may have any content type', async ({ writer, app }) => {
  const port = await listen(app)
  const head = `host: localhost\r\nauthorization: ${basicOf('writer@example.org')}\r\ndepth: 0\r\nconnection: close\r\n`
  for (const type of ['text/plain', 'application/json', 'text/calendar', 'application/x-www-form-urlencoded'])
    for (const length of ['', 'content-length: 0\r\n']) {
      const answer = await sendRaw(port, `PROPFIND ${MAIN} HTTP/1.1\r\n${head}content-type: ${type}\r\n${length}\r\n`)
      assert.equal(answer.status, 207, `${type} ${length} ${answer.body}`)
    }
  checkError(await davOf(writer).put(`${MAIN}a.ics`, '', { 'content-type': 'text/plain' }), 'data_type_unsupported')
})

story('every error below /caldav is XML, also errors of HTTP itself', async ({ writer, app }) => {
  const dav = davOf(writer)
  checkError(await dav.propfind('/caldav/nowhere/', '0'), 'route_not_found')
  checkError(await dav.propfind('/caldav/calendars/main/a/b', '0'), 'route_not_found')
  checkError(await dav.get(`${MAIN}none.ics`), 'event_not_found')
  checkError(await dav.get(`${MAIN}%zz`), 'invalid_encoding')
  checkError(await dav.report(MAIN, `<C:unknown ${DECLARED}/>`), 'report_unsupported')
  const json = await dav.get('/nowhere')
  assert.match(String(json.headers['content-type']), /^application\/json/)
  const port = await listen(app)
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const head = `authorization: ${basicOf('writer@example.org')}\r\nhost: localhost\r\n`
  const flood = await sendRaw(
    port,
    `PUT ${MAIN}x.ics HTTP/1.1\r\n${head}content-type: text/calendar\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(20)}`,
  )
  assert.equal(flood.status, 413)
  assert.match(flood.head, /connection: close/i)
  assert.match(flood.body, /<C:max-resource-size\/>/)
})

story(
  'too many wrong passwords are refused in XML too',
  async ({ anonymous }) => {
    let last: DavAnswer | undefined
    for (let i = 0; i < 12; i++) {
      const wrong = { authorization: basicOf('writer@example.org', `wrong ${i}`) }
      last = await davOf(anonymous).propfind(MAIN, '0', undefined, wrong)
    }
    checkError(last!, 'rate_limited')
    assert.match(String(last!.headers['retry-after']), /^\d+$/)
  },
  { DAYBOOK_RATE_LIMITS: 'on' },
)

story(
  'reads are not counted as writes: a client may poll often',
  async ({ writer }) => {
    for (let i = 0; i < 200; i++) {
      const answer = await davOf(writer).propfind(MAIN, '0', ['D:sync-token'])
      assert.equal(answer.status, 207)
    }
  },
  { DAYBOOK_RATE_LIMITS: 'on' },
)

story(
  'a first upload of two thousand events succeeds, and later writes get Retry-After',
  async ({ writer }) => {
    const dav = davOf(writer)
    for (let i = 0; i < 2_000; i++) assert.equal((await dav.delete(`${MAIN}${i}.ics`)).status, 404)
    const refused = await dav.delete(`${MAIN}x.ics`)
    checkError(refused, 'rate_limited')
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/)
    assert.equal(refused.headers['ratelimit-policy'], '"caldav-writes";q=2000;w=600')
    assert.equal((await dav.propfind(MAIN, '0', ['D:sync-token'])).status, 207, 'looking is counted apart')
    assert.equal((await writer.post('/events', {})).status, 422, 'and so are the writes of other programs')
  },
  { DAYBOOK_RATE_LIMITS: 'on' },
)

story('an unexpected error is a 500 with the id of the request and no internal detail', async ({ writer, app }) => {
  const dav = davOf(writer)
  await app.ctx.storage.writes.schema.dropTable('dav_properties').execute()
  const answer = await dav.send(
    'PROPFIND',
    MAIN,
    `<D:propfind ${DECLARED}><D:prop><p xmlns="z"/></D:prop></D:propfind>`,
    {
      depth: '0',
    },
  )
  checkError(answer, 'internal_error')
  const id = String(answer.headers['x-request-id'])
  assert.match(answer.text, new RegExp(`request-id xmlns:X="urn:daybook:error">${id}<`))
  // An id may contain these letters by chance.
  assert.doesNotMatch(answer.text.replace(id, ''), /dav_properties|SQL/i)
})

story('too many or too long property names are refused, and names in the XML namespace too', async ({ writer }) => {
  const dav = davOf(writer)
  const ask = (names: string) =>
    dav.send('PROPFIND', MAIN, `<D:propfind ${DECLARED}><D:prop>${names}</D:prop></D:propfind>`, { depth: '1' })
  checkError(await ask(`<x${'y'.repeat(20_000)} xmlns="z"/>`), 'invalid_xml')
  checkError(await ask(Array.from({ length: 300 }, (_, i) => `<p${i} xmlns="z"/>`).join('')), 'invalid_xml')
  checkError(await ask('<xml:lang/>'), 'invalid_xml')
  assert.equal((await ask('<p xmlns="z"/>')).status, 207)
})

story('a byte order mark comes back with the text', async ({ writer }) => {
  const dav = davOf(writer)
  const text = `\ufeff${eventText('a@example.org')}`
  assert.equal((await dav.put(`${MAIN}a.ics`, text)).status, 201)
  assert.equal((await writer.send({ method: 'GET', url: `${MAIN}a.ics` })).bytes.toString(), text)
})

story('an event that cannot be parsed is left out of queries, and the others are returned', async ({ writer, app }) => {
  const dav = davOf(writer)
  await dav.put(`${MAIN}a.ics`, eventText('a@example.org'))
  await dav.put(`${MAIN}b.ics`, eventText('b@example.org'))
  await app.ctx.storage.writes.updateTable('events').set({ ical: 'BEGIN:x' }).where('dav_name', '=', 'a.ics').execute()
  const filter =
    '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:prop-filter name="UID"/></C:comp-filter></C:comp-filter></C:filter>'
  const { status, text } = await dav.report(
    MAIN,
    `<C:calendar-query ${DECLARED}><D:prop><D:getetag/></D:prop>${filter}</C:calendar-query>`,
    { depth: '1' },
  )
  assert.equal(status, 207)
  assert.deepEqual([text.includes('a.ics'), text.includes('b.ics')], [false, true])
})

story(
  'plain http is refused in XML where the address is https',
  async ({ writer }) => {
    const answer = await writer.send({
      method: 'PROPFIND' as 'GET',
      url: MAIN,
      headers: { host: 'calendar.example.org', depth: '0' },
    })
    assert.equal(answer.status, 403)
    assert.match(answer.text, /^<\?xml.*\n.*https_required/)
  },
  { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' },
)
