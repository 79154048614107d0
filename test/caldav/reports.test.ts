// REPORT: calendar-query, multiget, sync-collection, free-busy-query, and principal searches.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { withPermit } from '../../src/actions/costly-work/semaphore.ts'
import { findChild, textOf } from '../../src/caldav/xml/parse.ts'
import { zoneText } from '../../src/caldav/zones.ts'
import { type Dav, type DavAnswer, DECLARED, davOf } from '../support/http/dav.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { copySeries } from '../support/storage/many-events.ts'
import { basicOf, type World, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

const DATA = '<D:prop><D:getetag/><C:calendar-data/></D:prop>'
const eventFilter = (inside: string): string =>
  `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${inside}</C:comp-filter></C:comp-filter></C:filter>`
const range = (start: string, end: string): string => `<C:time-range start="${start}" end="${end}"/>`
const query = (inside: string, prop = DATA): string =>
  `<C:calendar-query ${DECLARED}>${prop}${inside}</C:calendar-query>`
const namesIn = ({ found }: DavAnswer): string[] => found.map(({ href }) => href.slice(MAIN.length))

/** Three meetings in July, a weekly one that began in 2020, and a day in August. */
async function fill({ writer }: World): Promise<Dav> {
  const dav = davOf(writer)
  const events: [string, string[]][] = [
    ['a', ['SUMMARY:Alpha']],
    ['b', ['DTSTART:20260720T090000Z', 'DTEND:20260720T100000Z', 'SUMMARY:Beta']],
    ['weekly', ['DTSTART:20200106T100000Z', 'DTEND:20200106T110000Z', 'RRULE:FREQ=WEEKLY', 'SUMMARY:Weekly']],
    ['day', ['DTSTART;VALUE=DATE:20260801', 'DTEND;VALUE=DATE:20260802', 'SUMMARY:Day']],
  ]
  for (const [name, lines] of events)
    assert.equal((await dav.put(`${MAIN}${name}.ics`, eventText(name, ...lines))).status, 201, name)
  return dav
}

forEachEngine('calendar-query matches by time, by words or everything, and returns the data as stored', (engine) =>
  withWorld(engine, async (world) => {
    const dav = await fill(world)
    const ask = async (inside: string, headers: Record<string, string> = { depth: '1' }) =>
      namesIn(await dav.report(MAIN, query(inside), headers)).sort()
    assert.deepEqual(await ask(eventFilter(range('20260714T000000Z', '20260715T000000Z'))), ['a.ics'])
    assert.deepEqual(await ask(eventFilter(range('20260713T000000Z', '20260714T000000Z'))), ['weekly.ics'])
    const july = eventFilter(range('20260701T000000Z', '20260731T230000Z'))
    assert.deepEqual(await ask(july), ['a.ics', 'b.ics', 'weekly.ics'])
    assert.deepEqual(await ask(july, {}), ['a.ics', 'b.ics', 'weekly.ics'], 'no depth means what is in it')
    assert.deepEqual(await ask(july, { depth: '0' }), [], 'the collection itself is no event')
    const words = '<C:prop-filter name="SUMMARY"><C:text-match>BET</C:text-match></C:prop-filter>'
    assert.deepEqual(await ask(eventFilter(words)), ['b.ics'])
    assert.deepEqual(await ask(eventFilter('')), ['a.ics', 'b.ics', 'day.ics', 'weekly.ics'])
    const open = eventFilter('<C:time-range start="20260725T000000Z"/>')
    assert.deepEqual(await ask(open), ['day.ics', 'weekly.ics'])
    const todo = '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTODO"/></C:comp-filter></C:filter>'
    assert.deepEqual(await ask(todo), [])
    const tokyo = '<C:timezone-id>Asia/Tokyo</C:timezone-id>'
    const eve = range('20260731T160000Z', '20260731T170000Z')
    assert.deepEqual(await ask(eventFilter(eve)), [])
    assert.deepEqual(await ask(eventFilter(eve) + tokyo), ['day.ics'], 'the day has begun there')
    const answer = await dav.report(MAIN, query(eventFilter(words)), { depth: '1' })
    const kept = await dav.get(`${MAIN}b.ics`)
    assert.equal(answer.found[0]!.props['C:calendar-data']!.text, kept.text)
    assert.equal(answer.found[0]!.props['D:getetag']!.text, kept.headers.etag)
    const one = await dav.report(`${MAIN}b.ics`, query(eventFilter(words)))
    assert.deepEqual(namesIn(one), ['b.ics'])
    assert.deepEqual(namesIn(await dav.report(`${MAIN}a.ics`, query(eventFilter(words)))), [])
    assert.equal((await dav.report(`${MAIN}none.ics`, query(eventFilter(words)))).status, 404)
  }),
)

test('a query that is not supported names the part', () =>
  withWorld('sqlite', async (world) => {
    const dav = await fill(world)
    const cases: [string, string][] = [
      [query(''), 'C:valid-filter'],
      [query('<C:filter/>'), 'C:valid-filter'],
      [query(eventFilter('<C:time-range/>')), 'C:valid-filter'],
      [
        query(
          eventFilter('<C:prop-filter name="SUMMARY"><C:text-match collation="i;x">a</C:text-match></C:prop-filter>'),
        ),
        'C:supported-collation',
      ],
      [
        query(
          '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VTIMEZONE"><C:time-range start="20260101T000000Z"/></C:comp-filter></C:comp-filter></C:filter>',
        ),
        'C:supported-filter',
      ],
      [query(eventFilter(''), '<D:prop><C:calendar-data content-type="a/b"/></D:prop>'), 'C:supported-calendar-data'],
      [query(eventFilter(''), '<D:prop><C:calendar-data version="1.0"/></D:prop>'), 'C:supported-calendar-data'],
      [query(`${eventFilter('')}<C:timezone>nonsense</C:timezone>`), 'C:valid-calendar-data'],
      [query(`${eventFilter('')}<C:timezone-id>Mars/Base</C:timezone-id>`), 'C:valid-timezone'],
    ]
    for (const [body, precondition] of cases) {
      const answer = await dav.report(MAIN, body, { depth: '1' })
      assert.deepEqual([answer.status, answer.errors], [403, [precondition]], body)
    }
    const expand =
      '<D:prop><C:calendar-data><C:expand start="20200101T000000Z" end="20990101T000000Z"/></C:calendar-data></D:prop>'
    const dense = await dav.report(MAIN, query(eventFilter(''), expand), { depth: '1' })
    assert.equal(dense.status, 207)
    const weekly = dense.found.find(({ href }) => href.endsWith('weekly.ics'))!
    assert.deepEqual([weekly.status, weekly.errors], [403, ['C:max-instances']], 'of that object alone')
    assert.equal(dense.found.length, 4)
  }))

forEachEngine('calendar-multiget answers every address, in order, and foreign ones with 404', (engine) =>
  withWorld(engine, async (world) => {
    const dav = await fill(world)
    const { site } = world.app
    const hrefs = [
      `${MAIN}weekly.ics`,
      `${MAIN}none.ics`,
      `${site.origin}${MAIN}a.ics`,
      `http://localhost:80${MAIN}b.ics`,
      `https://elsewhere.example.org${MAIN}b.ics`,
      '/caldav/calendars/other/b.ics',
      '/etc/passwd',
      MAIN,
      `${MAIN}%64%61y.ics`,
      `${MAIN}a%2Fb.ics?x=&amp;y`,
    ]
    const body = `<C:calendar-multiget ${DECLARED}>${DATA}${[...hrefs, hrefs[0]].map((href) => `<D:href>${href}</D:href>`).join('')}</C:calendar-multiget>`
    const { status, found } = await dav.report(MAIN, body, { host: 'localhost:80' })
    assert.equal(status, 207)
    assert.deepEqual(
      found.map(({ status: own, props }) => own ?? props['C:calendar-data']!.status),
      [200, 404, 200, 200, 404, 404, 404, 404, 200, 404],
    )
    assert.deepEqual(found[2]!.href, `${MAIN}a.ics`)
    assert.deepEqual(found[8]!.href, `${MAIN}day.ics`)
    assert.equal(found[9]!.href, `${MAIN}a%2Fb.ics?x=&y`, 'what is not there is named as it was asked')
    assert.equal((await dav.report(MAIN, `<C:calendar-multiget ${DECLARED}>${DATA}</C:calendar-multiget>`)).status, 400)
    const own = await dav.report(`${MAIN}a.ics`, body, { host: 'localhost:80' })
    assert.equal(own.found.filter(({ status: one }) => one === undefined).length, 1)
  }),
)

forEachEngine('calendar-multiget accepts five thousand addresses, and refuses more with a reason', (engine) =>
  withWorld(engine, async (world) => {
    const dav = await fill(world)
    const ask = (count: number) => {
      const hrefs = Array.from({ length: count }, (_, i) => `<D:href>${MAIN}${i}-${'x'.repeat(30)}.ics</D:href>`)
      hrefs[count - 2] = `<D:href>${MAIN}a.ics</D:href>`
      const body = `<C:calendar-multiget ${DECLARED}>${DATA}${hrefs.join('')}</C:calendar-multiget>`
      const headers = { 'content-type': 'application/xml' }
      return world.writer.send({ method: 'REPORT' as 'GET', url: MAIN, payload: body, headers })
    }
    const { status, text } = await ask(5_000)
    assert.equal(status, 207)
    assert.equal(text.match(/HTTP\/1\.1 404/g)!.length, 4_999)
    const answers = text.split('<D:response>').slice(1)
    assert.equal(answers.length, 5_000)
    assert.match(answers[4_998]!, /a\.ics<\/D:href>.*SUMMARY:Alpha/s)
    const more = await ask(5_001)
    assert.equal(more.status, 507)
    assert.match(more.text, /<D:number-of-matches-within-limits\/>/)
    assert.equal((await dav.report(MAIN, `<D:x ${DECLARED}>${'y'.repeat(524_288)}</D:x>`)).status, 413)
  }),
)
test('addresses are accepted as clients write them: absolute, with the default port, relative, or unencoded', () =>
  withWorld(
    'sqlite',
    async ({ with: withHeaders }) => {
      const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7', host: 'calendar.example.org:443' }
      const dav = davOf(withHeaders({ authorization: basicOf('writer@example.org'), ...https }))
      assert.equal((await dav.put(`${MAIN}caf%C3%A9%20noir.ics`, eventText('one'))).status, 201)
      const spellings = [
        `https://calendar.example.org:443${MAIN}caf%C3%A9%20noir.ics`,
        `https://Calendar.Example.org${MAIN}caf%C3%A9%20noir.ics`,
        `${MAIN}café noir.ics`,
        `\n  ${MAIN}café%20noir.ics\n`,
        'caf%C3%A9%20noir.ics',
        './café noir.ics',
      ]
      const elsewhere = [
        `https://calendar.example.org:8443${MAIN}caf%C3%A9%20noir.ics`,
        `https://someone@calendar.example.org${MAIN}caf%C3%A9%20noir.ics`,
        `//calendar.example.org${MAIN}caf%C3%A9%20noir.ics`,
        '../main/caf%C3%A9%20noir.ics',
        'mailto:caf%C3%A9%20noir.ics',
      ]
      for (const path of [MAIN, MAIN.slice(0, -1)])
        for (const spelling of spellings) {
          const hrefs = [spelling, ...elsewhere].map((href) => `<D:href>${href}</D:href>`).join('')
          const { found } = await dav.report(
            path,
            `<C:calendar-multiget ${DECLARED}>${DATA}${hrefs}</C:calendar-multiget>`,
          )
          assert.deepEqual(
            found.map(({ status }) => status),
            [undefined, ...elsewhere.map(() => 404)],
          )
        }
      const moved = await dav.move(
        `${MAIN}caf%C3%A9%20noir.ics`,
        `https://calendar.example.org:443${MAIN}${Buffer.from('thé vert.ics').toString('latin1')}`,
      )
      assert.deepEqual([moved.status, moved.headers.location], [201, `${MAIN}th%C3%A9%20vert.ics`])
    },
    { settings: { DAYBOOK_PUBLIC_URL: 'https://calendar.example.org', DAYBOOK_TRUST_PROXY: '127.0.0.1' } },
  ))

const sync = (token: string, more = '', prop = '<D:prop><D:getetag/></D:prop>'): string =>
  `<D:sync-collection ${DECLARED}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${more}${prop}</D:sync-collection>`
const tokenIn = ({ xml }: DavAnswer): string => textOf(findChild(xml!, 'DAV:', 'sync-token')!)

forEachEngine('sync-collection lists everything once, and then only changes', (engine) =>
  withWorld(engine, async (world) => {
    const dav = await fill(world)
    const first = await dav.report(MAIN, sync(''))
    assert.deepEqual(namesIn(first).sort(), ['a.ics', 'b.ics', 'day.ics', 'weekly.ics'])
    assert.equal(
      tokenIn(first),
      (await dav.propfind(MAIN, '0', ['D:sync-token'])).found[0]!.props['D:sync-token']!.text,
    )
    const quiet = await dav.report(MAIN, sync(tokenIn(first)), { depth: '0' })
    assert.deepEqual([quiet.found, tokenIn(quiet)], [[], tokenIn(first)])
    await dav.put(`${MAIN}a.ics`, eventText('a', 'SUMMARY:New'), { 'if-match': '*' })
    await dav.delete(`${MAIN}b.ics`)
    await dav.move(`${MAIN}day.ics`, `${MAIN}moved.ics`)
    const made = await world.writer.creates({ title: 'By JSON', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    const next = await dav.report(MAIN, sync(tokenIn(first)), { depth: '1' })
    const statuses = Object.fromEntries(next.found.map(({ href, status }) => [href.slice(MAIN.length), status]))
    assert.deepEqual(statuses, {
      'a.ics': undefined,
      'b.ics': 404,
      'day.ics': 404,
      'moved.ics': undefined,
      [`${made.id}.ics`]: undefined,
    })
    assert.notEqual(tokenIn(next), tokenIn(first))
    for (const token of ['nonsense', 'data:,0000000000000000-1', tokenIn(first).replace(/\d+$/, '999999')]) {
      const refused = await dav.report(MAIN, sync(token))
      assert.deepEqual([refused.status, refused.errors], [403, ['D:valid-sync-token']], token)
    }
  }),
)

forEachEngine('sync-collection returns the size too where requested, at first and later', (engine) =>
  withWorld(engine, async (world) => {
    const dav = await fill(world)
    const made = await world.writer.creates({ title: 'By JSON', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
    const size = '<D:prop><D:getetag/><D:getcontentlength/></D:prop>'
    const first = await dav.report(MAIN, sync('', '', size))
    const limited = await dav.report(MAIN, sync('', '<D:limit><D:nresults>9</D:nresults></D:limit>', size))
    for (const { found } of [first, limited]) {
      assert.equal(found.length, 5)
      for (const { href, props } of found) {
        assert.equal(props['D:getcontentlength']!.text, `${(await dav.get(href)).bytes.length}`, href)
        assert.equal(props['D:getetag']!.status, 200)
      }
    }
    assert.ok(first.found.some(({ href }) => href.endsWith(`${made.id}.ics`)))
    await dav.put(`${MAIN}a.ics`, eventText('a', 'SUMMARY:Longer than before'), { 'if-match': '*' })
    await dav.delete(`${MAIN}b.ics`)
    const next = await dav.report(MAIN, sync(tokenIn(first), '', '<D:allprop/>'))
    assert.deepEqual(
      next.found.map(({ status, props }) => status ?? props['D:getcontentlength']!.text),
      [`${(await dav.get(`${MAIN}a.ics`)).bytes.length}`, 404],
    )
  }),
)

test('a sync with sizes that was started is sent to its end, however many others wait', () =>
  withWorld('sqlite', async (world) => {
    const { writer, admin, app } = world
    const dav = davOf(writer)
    await dav.put(`${MAIN}sent.ics`, eventText('sent'))
    const [{ id }] = (await writer.get('/events?page=1')).body.data
    await copySeries(world, id, 520, 520)
    // Counting the sizes of these takes a permit, and they are on the second page.
    const own = Array.from({ length: 260 }, (_, i) => eventText(`own-${i}`)).join('')
    await admin.post('/admin/import', own, { 'content-type': 'text/calendar' })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const others = Array.from({ length: 18 }, (_, i) =>
      withPermit(app.ctx, { key: `other ${i}`, isAccount: true, charge: () => {} }, () => ended),
    )
    const answer = dav.report(MAIN, sync('', '', '<D:prop><D:getcontentlength/></D:prop>'))
    for (let turn = 0; turn < 500; turn++) await nextTurn()
    end()
    await Promise.all(others)
    const { status, found } = await answer
    assert.deepEqual([status, found.length], [207, 781])
  }))

forEachEngine('a limit truncates the response with 507, and its token continues from there', (engine) =>
  withWorld(engine, async (world) => {
    const dav = await fill(world)
    const limit = '<D:limit><D:nresults>2</D:nresults></D:limit>'
    const seen: string[] = []
    let token = ''
    for (let round = 0; round < 3; round++) {
      const answer = await dav.report(MAIN, sync(token, limit))
      const cut = answer.found.filter(({ href }) => href === MAIN)
      seen.push(...namesIn(answer).filter(Boolean))
      token = tokenIn(answer)
      if (cut.length === 0) break
      assert.deepEqual([cut[0]!.status, cut[0]!.errors], [507, ['D:number-of-matches-within-limits']])
      assert.equal(answer.found.length, 3)
    }
    assert.deepEqual(seen.sort(), ['a.ics', 'b.ics', 'day.ics', 'weekly.ics'])
    await dav.move(`${MAIN}a.ics`, `${MAIN}moved & more.ics`.replaceAll(' ', '%20'))
    const one = '<D:limit><D:nresults>1</D:nresults></D:limit>'
    const gone = await dav.report(MAIN, sync(token, one))
    assert.deepEqual(namesIn(gone), ['a.ics', ''])
    const moved = await dav.report(MAIN, sync(tokenIn(gone).replaceAll('&', '&amp;'), one))
    assert.deepEqual(namesIn(moved), ['moved%20%26%20more.ics'])
    for (const body of [
      sync('', '<D:limit><D:nresults>0</D:nresults></D:limit>'),
      sync('', '<D:limit><D:nresults>x</D:nresults></D:limit>'),
      sync('', '', ''),
      `<D:sync-collection ${DECLARED}><D:prop/></D:sync-collection>`,
    ])
      assert.equal((await dav.report(MAIN, body)).status, 400, body)
    assert.equal((await dav.report(MAIN, sync(''), { depth: 'infinity' })).status, 400)
    const wide = await dav.report(MAIN, sync('').replace('>1<', '>infinite<'))
    assert.equal(wide.found.length, 4, 'there is nothing below what is below')
  }),
)

forEachEngine('free-busy-query returns busy periods and nothing else', (engine) =>
  withWorld(engine, async (world) => {
    const dav = await fill(world)
    const ask = (inside: string) =>
      dav.report(MAIN, `<C:free-busy-query ${DECLARED}>${inside}</C:free-busy-query>`, { depth: '1' })
    const answer = await ask(range('20260713T000000Z', '20260715T000000Z'))
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^text\/calendar/)
    assert.deepEqual(
      [...answer.text.matchAll(/^FREEBUSY.*:(.*)\r$/gm)].map(([, period]) => period),
      ['20260713T100000Z/PT1H', '20260714T090000Z/PT1H'],
    )
    assert.doesNotMatch(answer.text, /SUMMARY|UID:a|Alpha/)
    for (const inside of ['', '<C:time-range/>', '<C:time-range start="20260713T000000Z"/>', range('x', 'y')])
      assert.equal((await ask(inside)).status, 400, inside)
  }),
)

test('expand-property follows addresses that exist, to a limited depth', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const property = (name: string, inside = '', ns = 'DAV:'): string =>
      `<D:property name="${name}" namespace="${ns}">${inside}</D:property>`
    const body = (inside: string): string => `<D:expand-property ${DECLARED}>${inside}</D:expand-property>`
    const home = property('calendar-home-set', property('displayname'), 'urn:ietf:params:xml:ns:caldav')
    const answer = await dav.report('/caldav/', body(property('current-user-principal', home + property('nonsense'))))
    assert.equal(answer.status, 207)
    assert.match(
      answer.text,
      /<D:current-user-principal><D:response><D:href>[^<]*<\/D:href><D:propstat><D:prop><C:calendar-home-set><D:response><D:href>\/caldav\/calendars\/<\/D:href><D:propstat><D:prop><D:displayname>Daybook</,
    )
    assert.match(answer.text, /<D:nonsense\/><\/D:prop><D:status>HTTP\/1.1 404/)
    const plain = await dav.report(MAIN, body(property('displayname') + property('current-user-principal')))
    assert.match(plain.text, /<D:current-user-principal><D:href>/)
    const endless = '<D:property name="current-user-principal">'
    const deep = await dav.report('/caldav/', body(endless.repeat(60) + '</D:property>'.repeat(60)))
    assert.equal(deep.status, 507)
    for (const name of ['', 'a b', 'a>b', '1a', `a"/><x`.replaceAll('"', '&quot;').replaceAll('<', '&lt;')])
      assert.equal((await dav.report(MAIN, body(property(name)))).status, 400, name)
  }))

test('a dead property that names one resource many times does not make the response long', () =>
  withWorld('sqlite', async ({ reader }) => {
    const dav = davOf(reader)
    const send = (method: string, payload: string) =>
      reader.send({ method: method as 'PATCH', url: MAIN, payload, headers: { 'content-type': 'application/xml' } })
    const names = Array.from({ length: 40 }, (_, i) => `o${i}`)
    const values = names.map((name) => `<${name} xmlns="urn:own">${'x'.repeat(3_900)}</${name}>`)
    const links = `<links xmlns="urn:own">${`<D:href>${MAIN}</D:href>`.repeat(40)}</links>`
    const set = [...values, links].map((value) => `<D:set><D:prop>${value}</D:prop></D:set>`).join('')
    assert.equal((await send('PROPPATCH', `<D:propertyupdate ${DECLARED}>${set}</D:propertyupdate>`)).status, 207)
    const asked = names.map((name) => `<D:property name="${name}" namespace="urn:own"/>`).join('')
    const expand = `<D:expand-property ${DECLARED}><D:property name="links" namespace="urn:own">${asked}</D:property></D:expand-property>`
    const answer = await send('REPORT', expand)
    assert.equal(answer.status, 507, answer.text.slice(0, 300))
    const few = `<D:expand-property ${DECLARED}>${asked}</D:expand-property>`
    assert.equal((await dav.report(MAIN, few)).status, 207)
  }))

forEachEngine('filters and parts use the text that GET returns, whatever the TZIDs', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const zone = 'W. Europe Standard Time'
    const berlin = zoneText('Europe/Berlin').replaceAll('Europe/Berlin', zone)
    const at = (name: string, time: string): string => `${name};TZID="${zone}":${time}`
    const inside = (...more: string[]): string =>
      eventText('a', ...more)
        .split('\r\n')
        .slice(3, -2)
        .join('\r\n')
    const main = inside(
      at('DTSTART', '20260714T090000'),
      at('DTEND', '20260714T100000'),
      at('EXDATE', '20260716T090000'),
      'RRULE:FREQ=DAILY;COUNT=4',
      'SUMMARY:A\ttab',
    )
    const edit = inside(
      at('RECURRENCE-ID', '20260715T090000'),
      at('DTSTART', '20260720T090000'),
      at('DTEND', '20260720T100000'),
      'SUMMARY:Moved',
    )
    const text = berlin
      .replace(/PRODID:.*/, 'PRODID:-//Example//Program//EN')
      .replace('END:VCALENDAR', `X-WR-CALNAME:Mine\r\n${main}\r\n${edit}\r\nEND:VCALENDAR`)
    assert.equal((await dav.put(`${MAIN}a.ics`, text)).status, 201)
    const finds = async (filter: string): Promise<boolean> =>
      (await dav.report(MAIN, query(filter), { depth: '1' })).found.length === 1
    const onCalendar = (name: string, part: string): string =>
      `<C:filter><C:comp-filter name="VCALENDAR"><C:prop-filter name="${name}">${part}</C:prop-filter></C:comp-filter></C:filter>`
    const onEvent = (name: string, part: string): string =>
      eventFilter(`<C:prop-filter name="${name}">${part}</C:prop-filter>`)
    const says = (words: string): string => `<C:text-match>${words}</C:text-match>`
    assert.ok(await finds(onCalendar('PRODID', says('Example'))))
    assert.ok(!(await finds(onCalendar('PRODID', says('Daybook')))))
    assert.ok(await finds(onCalendar('X-WR-CALNAME', says('mine'))))
    assert.ok(await finds(onEvent('CLASS', '<C:is-not-defined/>')), 'none was sent')
    assert.ok(await finds(onEvent('SUMMARY', says('a\ttab'))))
    assert.ok(await finds(onEvent('DTSTART', `<C:param-filter name="TZID">${says('w. europe')}</C:param-filter>`)))
    assert.ok(!(await finds(onEvent('DTSTART', `<C:param-filter name="TZID">${says('berlin')}</C:param-filter>`))))
    assert.ok(await finds(onEvent('DTSTART', range('20260714T065900Z', '20260714T070100Z'))), 'nine there is seven')
    const twice = (start: string, end: string, words: string): string =>
      eventFilter(`${range(start, end)}<C:prop-filter name="SUMMARY">${says(words)}</C:prop-filter>`)
    assert.ok(await finds(twice('20260720T070000Z', '20260720T073000Z', 'moved')))
    assert.ok(!(await finds(twice('20260715T070000Z', '20260715T073000Z', ''))), 'moved from there')
    assert.ok(!(await finds(twice('20260716T070000Z', '20260716T073000Z', ''))), 'taken out')
    assert.ok(await finds(twice('20260717T070000Z', '20260717T073000Z', 'tab')))
    const data = async (part: string): Promise<string> => {
      const prop = `<D:prop><C:calendar-data>${part}</C:calendar-data></D:prop>`
      return (await dav.report(MAIN, query(eventFilter(''), prop), { depth: '1' })).found[0]!.props['C:calendar-data']!
        .text
    }
    const parts =
      '<C:comp name="VCALENDAR"><C:allprop/><C:comp name="VTIMEZONE"/><C:comp name="VEVENT"><C:prop name="DTSTART"/></C:comp></C:comp>'
    const some = await data(parts)
    assert.match(some, /PRODID:-\/\/Example/)
    assert.equal(some.split(`DTSTART;TZID="${zone}"`).length, 3)
    assert.ok(some.includes(`TZID:${zone}\r\n`), 'the zone it names is the zone it defines')
    const limited = await data('<C:limit-recurrence-set start="20260714T000000Z" end="20260715T000000Z"/>')
    assert.ok(limited.includes('A\ttab') && !limited.includes('Moved'))
    const expanded = await data('<C:expand start="20260701T000000Z" end="20260801T000000Z"/>')
    assert.deepEqual(
      [...expanded.matchAll(/^DTSTART:(.*)\r$/gm)].map(([, time]) => time),
      ['20260714T070000Z', '20260717T070000Z', '20260720T070000Z'],
    )
    assert.match(expanded, /RECURRENCE-ID:20260715T070000Z/)
    assert.ok(!expanded.includes(zone))
  }),
)

test('characters that XML does not allow are left out of the response, and the rest is kept', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}%EF%BF%BE.ics`, eventText('a', 'SUMMARY:o\ufffen\uffffe', 'X-B:\ufffe'))
    const { found } = await dav.report(MAIN, query(eventFilter('')), { depth: '1' })
    assert.match(found[0]!.props['C:calendar-data']!.text, /SUMMARY:one\r/)
    assert.equal(found[0]!.href, `${MAIN}%EF%BF%BE.ics`)
    assert.match((await dav.get(found[0]!.href)).text, /SUMMARY:o\ufffen\uffffe\r/, 'GET has them')
    const posted = await writer.post('/events', {
      title: 'a\ud800b',
      start: '2026-07-14T09:00',
      end: '2026-07-14T10:00',
    })
    assert.ok(posted.status === 201 || posted.status === 422 || posted.status === 400, posted.text)
    assert.equal((await dav.report(MAIN, query(eventFilter('')), { depth: '1' })).status, 207)
  }))

test('of two edits of one occurrence the highest SEQUENCE counts, then the latest, then the last', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const edit = (summary: string, sequence: number, stamp: string): string[] =>
      eventText('a', 'RECURRENCE-ID:20260715T090000Z', `SUMMARY:${summary}`, `SEQUENCE:${sequence}`, `DTSTAMP:${stamp}`)
        .split('\r\n')
        .slice(3, -2)
    const cases: [string[][], string][] = [
      [[edit('one', 2, '20260101T000000Z'), edit('two', 1, '20260301T000000Z')], 'one'],
      [[edit('one', 1, '20260301T000000Z'), edit('two', 1, '20260201T000000Z')], 'one'],
      [[edit('one', 1, '20260301T000000Z'), edit('two', 1, '20260301T000000Z')], 'two'],
      [[edit('one', 1, '20260301T000000Z'), edit('two', 10, '20260301T000000Z')], 'two'],
    ]
    for (const [edits, title] of cases) {
      const text = eventText('a', 'RRULE:FREQ=DAILY;COUNT=3').replace(
        'END:VCALENDAR',
        [...edits.flat(), 'END:VCALENDAR'].join('\r\n'),
      )
      assert.ok((await dav.put(`${MAIN}a.ics`, text)).status < 300)
      const titles = (await writer.get('/events?view=month')).body.data.map((item: { title: string }) => item.title)
      assert.ok(titles.includes(title) && !titles.includes(title === 'one' ? 'two' : 'one'), titles.join())
      const data =
        '<D:prop><C:calendar-data><C:expand start="20260701T000000Z" end="20260801T000000Z"/></C:calendar-data></D:prop>'
      const { found } = await dav.report(MAIN, query(eventFilter(''), data), { depth: '1' })
      const expanded = found[0]!.props['C:calendar-data']!.text
      assert.deepEqual(
        [...expanded.matchAll(/SUMMARY:(one|two)/g)].map(([, word]) => word),
        [title],
      )
      await dav.delete(`${MAIN}a.ics`)
    }
  }))

forEachEngine('one occurrence may be opaque in a transparent series, and the other way round', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const edit = (uid: string, day: string, ...more: string[]): string[] =>
      eventText(uid, `RECURRENCE-ID:${day}T090000Z`, `DTSTART:${day}T090000Z`, `DTEND:${day}T100000Z`, ...more)
        .split('\r\n')
        .slice(3, -2)
    const series = (uid: string, transp: string, edits: string[]): string =>
      eventText(uid, 'RRULE:FREQ=DAILY;COUNT=3', `TRANSP:${transp}`).replace(
        'END:VCALENDAR',
        [...edits, 'END:VCALENDAR'].join('\r\n'),
      )
    const busy = async (): Promise<string[]> => {
      const inside = range('20260701T000000Z', '20260801T000000Z')
      const { text } = await dav.report(MAIN, `<C:free-busy-query ${DECLARED}>${inside}</C:free-busy-query>`)
      return [...text.matchAll(/^FREEBUSY:(\d{8})/gm)].map(([, day]) => day!)
    }
    await dav.put(`${MAIN}a.ics`, series('a', 'OPAQUE', edit('a', '20260715', 'TRANSP:TRANSPARENT')))
    assert.deepEqual(await busy(), ['20260714', '20260716'])
    await dav.delete(`${MAIN}a.ics`)
    await dav.put(`${MAIN}b.ics`, series('b', 'TRANSPARENT', edit('b', '20260715', 'TRANSP:OPAQUE')))
    assert.deepEqual(await busy(), ['20260715'])
    const july = '/events?view=month'
    const listed = async (): Promise<string[]> =>
      (await writer.get(july)).body.data.map(({ transparency }: { transparency: string }) => transparency)
    assert.deepEqual(await listed(), ['transparent', 'opaque', 'transparent'], 'the same in JSON')
    const { id, version } = (await writer.get(july)).body.data[0]
    const renamed = await writer.patch(`/events/${id}`, { title: 'Other', version })
    assert.equal(renamed.status, 200, renamed.text)
    assert.deepEqual(await busy(), ['20260715'], 'an edit of something else leaves it')
    const opaque = await writer.patch(`/events/${id}`, { transparency: 'opaque', version: version + 1 })
    assert.equal(opaque.status, 200, opaque.text)
    assert.deepEqual(await busy(), ['20260714', '20260715', '20260716'])
    await writer.patch(`/events/${id}`, { transparency: 'transparent', version: version + 2 })
    assert.deepEqual(await busy(), [], 'one that is like its series follows it')
    assert.match((await dav.get(`${MAIN}b.ics`)).text, /TRANSP:TRANSPARENT.*TRANSP:TRANSPARENT/s)
  }),
)

test('a principal search finds only the caller’s own account', () =>
  withWorld('sqlite', async ({ writer, addPerson }) => {
    await addPerson('writer.too@example.org', 'writer')
    const dav = davOf(writer)
    const search = (match: string, name = 'D:displayname', attributes = ''): string =>
      `<D:principal-property-search ${DECLARED} ${attributes}><D:property-search><D:prop><${name}/></D:prop><D:match>${match}</D:match></D:property-search><D:prop><D:displayname/></D:prop></D:principal-property-search>`
    for (const [match, name] of [
      ['WRIT', 'D:displayname'],
      ['writer@example.org', 'CS:email-address-set'],
      ['writer@', 'C:calendar-user-address-set'],
    ] as const) {
      const { status, found } = await dav.report('/caldav/principals/', search(match, name))
      assert.deepEqual([status, found.length, found[0]!.props['D:displayname']!.text], [207, 1, 'writer'], match)
    }
    assert.equal((await dav.report('/caldav/principals/', search('too'))).found.length, 0)
    assert.equal((await dav.report('/caldav/principals/', search('d', 'D:resourcetype'))).found.length, 0)
    assert.equal((await dav.report('/caldav/principals/', search(''))).status, 400)
    const set = await dav.report('/caldav/principals/', `<D:principal-search-property-set ${DECLARED}/>`)
    assert.deepEqual([set.status, set.xml?.name, set.xml?.children.length], [200, 'principal-search-property-set', 3])
  }))
