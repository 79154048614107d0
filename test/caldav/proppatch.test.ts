// PROPPATCH: dead properties are stored for each account alone, and every property has its own status.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { XML } from '../../src/caldav/xml/names.ts'
import { childrenOf } from '../../src/caldav/xml/parse.ts'
import { zoneText } from '../../src/caldav/zones.ts'
import { lines } from '../ical/objects.ts'
import { type DavAnswer, DECLARED, davOf, type FoundResource, tag } from '../support/http/dav.ts'
import { assertShortTurns } from '../support/measure/turns.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

const LOOKS = {
  'D:displayname': 'Parish &amp; hall',
  'C:calendar-description': 'What is on',
  'A:calendar-color': '#FF2968FF',
  'A:calendar-order': '3',
}

forEachEngine('name, colour and order are stored for each account, readers included', (engine) =>
  withWorld(engine, async ({ reader, writer, app }) => {
    const names = Object.keys(LOOKS)
    const before = await davOf(writer).propfind(MAIN, '0', [...names, 'CS:getctag'])
    const set = await davOf(reader).proppatch(MAIN, LOOKS)
    assert.equal(set.status, 207)
    assert.equal(set.found[0]!.href, MAIN)
    assert.deepEqual(
      names.map((name) => set.found[0]!.props[name]!.status),
      [200, 200, 200, 200],
    )
    const [mine] = (await davOf(reader).propfind(MAIN, '0', names)).found
    assert.deepEqual(
      names.map((name) => mine!.props[name]!.text),
      ['Parish & hall', 'What is on', '#FF2968FF', '3'],
    )
    const after = await davOf(writer).propfind(MAIN, '0', [...names, 'CS:getctag'])
    assert.equal(after.text, before.text, 'no other account sees it, and the calendar is unchanged')
    const removed = await davOf(reader).proppatch(MAIN, { 'A:calendar-order': '4' }, [
      'D:displayname',
      'A:calendar-color',
    ])
    assert.equal(removed.found[0]!.props['D:displayname']!.status, 200)
    const [again] = (await davOf(reader).propfind(MAIN, '0', names)).found
    assert.equal(again!.props['D:displayname']!.text, app.ctx.config.siteName, 'as it is for everyone')
    assert.equal(again!.props['A:calendar-color']!.status, 404)
    assert.equal(again!.props['A:calendar-order']!.text, '4')
  }),
)

forEachEngine('unknown properties are stored too, with their markup', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const inner = '<X:b xmlns:X="urn:x" kind="a&amp;b">one<D:href>/c</D:href> &lt;two&gt;</X:b><c xmlns="">é😀</c>'
    for (const path of [MAIN, '/caldav/calendars/']) {
      assert.equal((await dav.proppatch(path, { '{urn:x}a': inner })).found[0]!.props['{urn:x}a']!.status, 200)
      const { text, found } = await dav.propfind(path, '0', ['{urn:x}a'])
      assert.equal(found[0]!.props['{urn:x}a']!.status, 200)
      assert.ok(text.includes(inner.replace(' xmlns=""', '')), text)
      assert.ok('{urn:x}a' in (await dav.propfind(path, '0', '<D:propname/>')).found[0]!.props)
    }
    await dav.proppatch(MAIN, {}, ['{urn:x}a'])
    assert.equal((await dav.propfind(MAIN, '0', ['{urn:x}a'])).found[0]!.props['{urn:x}a']!.status, 404)
    const home = await dav.propfind('/caldav/calendars/', '0', ['{urn:x}a'])
    assert.equal(home.found[0]!.props['{urn:x}a']!.status, 200, 'each resource has its own')
  }),
)

forEachEngine('the language of a property is kept with it, and so is every attribute inside', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const update = (inside: string, attributes = ''): Promise<DavAnswer> =>
      dav.send('PROPPATCH', MAIN, `<D:propertyupdate ${DECLARED} ${attributes}>${inside}</D:propertyupdate>`)
    const set = (property: string, attributes = ''): string =>
      `<D:set><D:prop ${attributes}>${property}</D:prop></D:set>`
    const langOf = async (name: string): Promise<string | undefined> =>
      (await dav.propfind(MAIN, '0', [name])).found[0]!.props[name]!.element.attributes.get(`{${XML}}lang`)
    await update(set('<D:displayname xml:lang="de-AT">Kalender</D:displayname>'))
    assert.equal(await langOf('D:displayname'), 'de-AT')
    await update(set('<X:a xmlns:X="urn:x">eins</X:a><X:b xmlns:X="urn:x" xml:lang="">two</X:b>', 'xml:lang="de"'))
    assert.deepEqual([await langOf('{urn:x}a'), await langOf('{urn:x}b')], ['de', undefined], 'as what is around it')
    await update(set('<X:a xmlns:X="urn:x">un</X:a>'), 'xml:lang="fr"')
    assert.equal(await langOf('{urn:x}a'), 'fr')
    assert.match((await dav.propfind(MAIN, '0', '<D:allprop/>')).text, /<X:a xmlns:X="urn:x" xml:lang="fr">un</)
    await update(set('<X:a xmlns:X="urn:x">one</X:a>'))
    assert.equal(await langOf('{urn:x}a'), undefined, 'set again without one it has none')
    const inner =
      '<Y:i xmlns:Y="urn:y" xmlns:Z="urn:z&amp;" Z:a="1" D:b="&lt;2&gt;" c="3" xml:lang="en" xml:space="preserve"/>'
    await update(set(`<X:a xmlns:X="urn:x">${inner}</X:a>`))
    const { found } = await dav.propfind(MAIN, '0', ['{urn:x}a'])
    const [child] = childrenOf(found[0]!.props['{urn:x}a']!.element)
    assert.deepEqual(Object.fromEntries(child!.attributes), {
      '{urn:z&}a': '1',
      '{DAV:}b': '<2>',
      c: '3',
      [`{${XML}}lang`]: 'en',
      [`{${XML}}space`]: 'preserve',
    })
    const long = await update(set(`<D:displayname xml:lang="${'x'.repeat(101)}">Kalender</D:displayname>`))
    assert.equal(long.found[0]!.props['D:displayname']!.status, 507)
  }),
)

forEachEngine('a protected property fails with its precondition, and the others fail with it', (engine) =>
  withWorld(engine, async ({ admin }) => {
    const dav = davOf(admin)
    for (const name of [
      'D:getetag',
      'D:resourcetype',
      'D:owner',
      'C:max-resource-size',
      'CS:getctag',
      'D:sync-token',
    ]) {
      const answer = await dav.proppatch(MAIN, { 'A:calendar-color': '#000000FF', [name]: 'x' })
      assert.equal(answer.status, 207)
      const [{ props, errors }] = answer.found as [(typeof answer.found)[0]]
      assert.deepEqual([props[name]!.status, props['A:calendar-color']!.status], [403, 424], name)
      assert.deepEqual(errors, ['D:cannot-modify-protected-property'])
    }
    assert.equal((await dav.proppatch(MAIN, {}, ['D:getetag'])).found[0]!.props['D:getetag']!.status, 403)
    assert.equal((await dav.propfind(MAIN, '0', ['A:calendar-color'])).found[0]!.props['A:calendar-color']!.status, 404)
    await dav.put(`${MAIN}a.ics`, eventText('one'))
    for (const path of ['/caldav/', '/caldav/principals/', `${MAIN}a.ics`])
      assert.equal((await dav.proppatch(path, { '{urn:x}a': 'x' })).found[0]!.props['{urn:x}a']!.status, 403, path)
    const elsewhere = await dav.proppatch('/caldav/calendars/', { 'D:displayname': 'x' })
    assert.equal(elsewhere.found[0]!.props['D:displayname']!.status, 403)
  }),
)

forEachEngine('too many or too long properties are refused, and then nothing is stored', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const statusOf = async (set: Record<string, string>, name: string) =>
      (await dav.proppatch(MAIN, set)).found[0]!.props[name]!.status
    assert.equal(await statusOf({ 'D:displayname': 'x'.repeat(4_096) }, 'D:displayname'), 200)
    assert.equal(await statusOf({ 'D:displayname': 'x'.repeat(4_097) }, 'D:displayname'), 507)
    assert.equal(await statusOf({ [`{urn:x}${'n'.repeat(200)}`]: 'x' }, `{urn:x}${'n'.repeat(200)}`), 507)
    const beside = await dav.proppatch(MAIN, { '{urn:x}long': 'x'.repeat(4_097), 'A:calendar-color': '#fff' }, [
      'D:displayname',
    ])
    assert.deepEqual(
      Object.values(beside.found[0]!.props).map(({ status }) => status),
      [507, 424, 424],
      'only the one that is too long is to blame',
    )
    assert.equal(await statusOf({ 'C:constructor': 'x' }, 'C:constructor'), 200)
    await dav.proppatch(MAIN, {}, ['C:constructor'])
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, i) => [`{urn:x}p${i}`, 'x']))
    assert.equal(await statusOf(many, '{urn:x}p0'), 200)
    const over = await dav.proppatch(MAIN, { '{urn:x}one-more': 'x', '{urn:x}p0': 'new' }, ['{urn:x}nothing'])
    assert.deepEqual(
      Object.values(over.found[0]!.props).map(({ status }) => status),
      [507, 507, 424],
    )
    assert.equal((await dav.propfind(MAIN, '0', ['{urn:x}p0'])).found[0]!.props['{urn:x}p0']!.text, 'x')
    assert.equal(await statusOf({ '{urn:x}p0': 'new' }, '{urn:x}p0'), 200, 'those there are can be changed')
  }),
)

const zoneNames = ['C:calendar-timezone', 'C:calendar-timezone-id']

forEachEngine('queries use the zone that the account has set, by its definition or its name', (engine) =>
  withWorld(engine, async ({ reader, writer }) => {
    const day = ['DTSTART;VALUE=DATE:20260801', 'DTEND;VALUE=DATE:20260802']
    await davOf(writer).put(`${MAIN}day.ics`, eventText('day', ...day))
    const dav = davOf(reader)
    const zonesOf = async (client: typeof writer): Promise<string[]> => {
      const [{ props }] = (await davOf(client).propfind(MAIN, '0', zoneNames)).found as [FoundResource]
      return [/^TZID:(.*?)\r?$/m.exec(props['C:calendar-timezone']!.text)![1]!, props['C:calendar-timezone-id']!.text]
    }
    // The last hour of 31 July in London is already 1 August in Tokyo.
    const range = '<C:time-range start="20260731T160000Z" end="20260731T170000Z"/>'
    const filter = `<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${range}</C:comp-filter></C:comp-filter></C:filter>`
    const finds = async (client: typeof writer, more = ''): Promise<boolean> => {
      const body = `<C:calendar-query ${DECLARED}><D:prop><D:getetag/></D:prop>${filter}${more}</C:calendar-query>`
      return (await davOf(client).report(MAIN, body, { depth: '1' })).found.length === 1
    }
    const isTaken = async (client: typeof writer): Promise<boolean> => {
      const body = `<C:free-busy-query ${DECLARED}>${range}</C:free-busy-query>`
      return (await davOf(client).report(MAIN, body)).text.includes('FREEBUSY:')
    }
    assert.deepEqual([await finds(reader), await isTaken(reader)], [false, false])
    const tokyo = zoneText('Asia/Tokyo')
    const set = await dav.proppatch(MAIN, { 'C:calendar-timezone': tokyo })
    assert.equal(set.found[0]!.props['C:calendar-timezone']!.status, 200)
    assert.deepEqual(await zonesOf(reader), ['Asia/Tokyo', 'Asia/Tokyo'])
    assert.deepEqual([await finds(reader), await isTaken(reader)], [true, true])
    assert.equal(
      await finds(reader, '<C:timezone-id>Europe/London</C:timezone-id>'),
      false,
      'the question has the last word',
    )
    assert.equal(await finds(reader, `<C:timezone>${zoneText('Europe/London')}</C:timezone>`), false)
    assert.equal(await finds(writer, `<C:timezone>${ownZone('+0900')}</C:timezone>`), true, 'a zone of its own')
    assert.equal(await finds(writer, `<C:timezone>${ownZone('+0817')}</C:timezone>`), false, 'an unknown offset')
    assert.deepEqual([await finds(writer), await isTaken(writer)], [false, false], 'not for other accounts')
    assert.deepEqual(await zonesOf(writer), ['Europe/London', 'Europe/London'])
    await dav.proppatch(MAIN, { 'C:calendar-timezone-id': 'America/New_York' })
    assert.deepEqual(await zonesOf(reader), ['America/New_York', 'America/New_York'])
    assert.equal(await finds(reader), false)
    const bad = await dav.proppatch(MAIN, { 'C:calendar-timezone-id': 'Mars/Base', 'A:calendar-color': '#fff' })
    const [{ props, errors }] = bad.found as [FoundResource]
    assert.deepEqual([props['C:calendar-timezone-id']!.status, props['A:calendar-color']!.status], [403, 424])
    assert.deepEqual(errors, ['C:valid-timezone'])
    const windows = tokyo.replaceAll('Asia/Tokyo', 'Tokyo Standard Time')
    await dav.proppatch(MAIN, { 'C:calendar-timezone': windows })
    assert.deepEqual(await zonesOf(reader), ['Tokyo Standard Time', 'Asia/Tokyo'], 'as it was sent, and as it is known')
    await dav.proppatch(MAIN, {}, ['C:calendar-timezone-id'])
    assert.deepEqual(await zonesOf(reader), ['Europe/London', 'Europe/London'], 'the calendar’s own again')
    const both = await dav.proppatch(MAIN, {
      'C:calendar-timezone-id': 'Asia/Tokyo',
      'C:calendar-timezone': zoneText('Europe/Paris'),
    })
    assert.deepEqual(
      Object.values(both.found[0]!.props).map(({ status }) => status),
      [200, 200],
    )
    assert.deepEqual(await zonesOf(reader), ['Europe/Paris', 'Europe/Paris'], 'of two the later')
  }),
)

/** A zone with one change of its own, to this offset in June 2026. */
const ownZone = (offset: string): string =>
  lines(
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VTIMEZONE', 'TZID:Own'],
    ...['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0800', 'TZOFFSETTO:+0800', 'END:STANDARD'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:20260615T000000', 'TZOFFSETFROM:+0800', `TZOFFSETTO:${offset}`, 'END:DAYLIGHT'],
    ...['END:VTIMEZONE', 'END:VCALENDAR'],
  )

test('a long zone history is accepted, and one of an unknown zone is refused', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const rule = lines(
      'BEGIN:STANDARD',
      'DTSTART:19500101T000000',
      'TZOFFSETFROM:+0900',
      'TZOFFSETTO:+0900',
      'END:STANDARD',
    )
    const long = zoneText('Asia/Tokyo').replace('END:VTIMEZONE', `${rule.repeat(100)}END:VTIMEZONE`)
    assert.ok(long.length > 8_000)
    const kept = await dav.proppatch(MAIN, { 'C:calendar-timezone': long })
    assert.equal(kept.found[0]!.props['C:calendar-timezone']!.status, 200)
    const odd = lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VTIMEZONE', 'TZID:Nowhere', 'BEGIN:STANDARD')
    const nowhere = `${odd}${lines('DTSTART:19700101T000000', 'TZOFFSETFROM:+0137', 'TZOFFSETTO:+0137', 'END:STANDARD', 'END:VTIMEZONE', 'END:VCALENDAR')}`
    for (const text of [nowhere, '', 'nonsense', long.repeat(3)]) {
      const [{ props }] = (await dav.proppatch(MAIN, { 'C:calendar-timezone': text })).found as [FoundResource]
      assert.match(String(props['C:calendar-timezone']!.status), /403|507/)
    }
  }))

test('a zone must be valid; of two changes to one property the later counts; a minimal response is empty', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const zone = (await dav.propfind(MAIN, '0', ['C:calendar-timezone'])).found[0]!.props['C:calendar-timezone']!.text
    const paris = zoneText('Europe/Paris')
    assert.equal(zone, zoneText('Europe/London'))
    const bad = await dav.proppatch(MAIN, { 'C:calendar-timezone': 'Europe/Paris' })
    assert.deepEqual(
      [bad.found[0]!.props['C:calendar-timezone']!.status, bad.found[0]!.errors],
      [403, ['C:valid-calendar-data']],
    )
    assert.equal(
      (await dav.proppatch(MAIN, { 'C:calendar-timezone': paris })).found[0]!.props['C:calendar-timezone']!.status,
      200,
    )
    const now = (await dav.propfind(MAIN, '0', ['C:calendar-timezone'])).found[0]!.props['C:calendar-timezone']!.text
    assert.equal(now.replaceAll('\r', ''), paris.replaceAll('\r', ''))
    const twice = `<D:set><D:prop>${tag('D:displayname', 'a')}</D:prop></D:set><D:remove><D:prop>${tag('D:displayname')}</D:prop></D:remove><D:set><D:prop>${tag('D:displayname', 'b')}</D:prop></D:set>`
    await dav.send('PROPPATCH', MAIN, `<D:propertyupdate xmlns:D="DAV:">${twice}</D:propertyupdate>`)
    assert.equal((await dav.propfind(MAIN, '0', ['D:displayname'])).found[0]!.props['D:displayname']!.text, 'b')
    const silent = await dav.proppatch(MAIN, LOOKS, [], { prefer: 'return=minimal' })
    assert.deepEqual([silent.status, silent.text, silent.headers['preference-applied']], [204, '', 'return=minimal'])
    const loud = await dav.proppatch(MAIN, { 'D:getetag': 'x' }, [], { prefer: 'return=minimal' })
    assert.equal(loud.status, 207)
    for (const body of ['', '<D:propertyupdate xmlns:D="DAV:"/>', '<D:propfind xmlns:D="DAV:"/>', '<a/>'])
      assert.equal((await dav.send('PROPPATCH', MAIN, body)).status, 400, body)
  }))

test('namespaces that would be repeated for each of many elements are refused, or counted as too long', () =>
  withWorld('sqlite', async ({ reader }) => {
    const send = (ns: string, inside: string): Promise<{ status: number; text: string }> => {
      const update = `<D:propertyupdate ${DECLARED} xmlns:y='${ns}'><D:set><D:prop>${inside}</D:prop></D:set></D:propertyupdate>`
      const headers = { 'content-type': 'application/xml' }
      return reader.send({ method: 'PROPPATCH' as 'PATCH', url: MAIN, payload: update, headers })
    }
    const bombs = {
      'elements in a property': ['"'.repeat(990), `<y:a>${'<y:b/>'.repeat(900)}</y:a>`],
      'attributes of an element': [
        '"'.repeat(990),
        `<y:a><y:b ${Array.from({ length: 190 }, (_, i) => `y:a${i}=""`).join(' ')}/></y:a>`,
      ],
      'nested elements': ['"'.repeat(990), `<y:a>${'<y:b>'.repeat(50)}${'</y:b>'.repeat(50)}</y:a>`],
    }
    for (const [name, [ns, inside]] of Object.entries(bombs)) {
      const { result } = await assertShortTurns(name, { ms: 60 }, () => send(ns!, inside!))
      assert.equal(result.status, 207, `${name}: ${result.status} ${result.text.slice(0, 300)}`)
      assert.match(result.text, /507/, name)
      assert.ok(result.text.length < 20_000, `${name}: ${result.text.length}`)
    }
    for (const [ns, inside] of [
      ['"'.repeat(1_001), '<y:a/>'],
      ['y', `<${'a'.repeat(1_001)}/>`],
      ['"'.repeat(200_000), '<y:a>x</y:a>'],
      ['"'.repeat(200_000), '<a y:b="x"/>'],
    ])
      assert.equal((await send(ns!, inside!)).status, 400, `${ns!.length} ${inside!.length}`)
  }))
