// PROPFIND: each requested property is answered, for exactly the requested resources.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childrenOf, listChildren, textOf } from '../../src/caldav/xml/parse.ts'
import { lines } from '../ical/objects.ts'
import { DECLARED, davOf, type FoundResource, shortName } from '../support/http/dav.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'

const MAIN = '/caldav/calendars/main/'

const event = (uid: string): string =>
  lines(
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Example//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260701T000000Z',
    'DTSTART:20260714T090000Z',
    'DTEND:20260714T100000Z',
    'SUMMARY:Meeting',
    'END:VEVENT',
    'END:VCALENDAR',
  )

forEachEngine('the calendar reports its type, supported components and privileges', (engine) =>
  withWorld(engine, async ({ writer, reader }) => {
    const names = [
      'D:resourcetype',
      'D:displayname',
      'D:owner',
      'D:sync-token',
      'CS:getctag',
      'C:supported-calendar-component-set',
      'C:supported-calendar-data',
      'C:supported-collation-set',
      'C:max-resource-size',
      'C:min-date-time',
      'C:max-date-time',
      'C:calendar-timezone',
      'C:calendar-timezone-id',
      'D:principal-collection-set',
    ]
    const [calendar] = (await davOf(writer).propfind(MAIN, '0', names)).found
    for (const name of names) assert.equal(calendar!.props[name]?.status, 200, name)
    const { props } = calendar!
    assert.deepEqual(childrenOf(props['D:resourcetype']!.element).map(shortName), ['D:collection', 'C:calendar'])
    assert.equal(props['D:displayname']!.text, 'Daybook')
    assert.match(props['D:sync-token']!.text, /^data:,/)
    assert.equal(props['C:max-resource-size']!.text, '1048576')
    assert.equal(props['C:min-date-time']!.text, '19000101T000000Z')
    assert.match(
      props['C:calendar-timezone']!.text,
      /^BEGIN:VCALENDAR\r\n.*\r\nTZID:Europe\/London\r\n.*END:VCALENDAR/s,
    )
    assert.equal(props['C:calendar-timezone-id']!.text, 'Europe/London')
    assert.deepEqual(
      childrenOf(props['C:supported-calendar-component-set']!.element)[0]!.attributes.get('name'),
      'VEVENT',
    )
    const collations = childrenOf(props['C:supported-collation-set']!.element).map(textOf)
    assert.deepEqual(collations.sort(), ['i;ascii-casemap', 'i;octet', 'i;unicode-casemap'])

    const privileges = async (client: typeof writer, path: string): Promise<string[]> => {
      const { found } = await davOf(client).propfind(path, '0', ['D:current-user-privilege-set'])
      const set = found[0]!.props['D:current-user-privilege-set']!.element
      return listChildren(set, 'DAV:', 'privilege').map((one) => shortName(childrenOf(one)[0]!))
    }
    const read = ['D:read', 'D:read-acl', 'D:read-current-user-privilege-set']
    assert.deepEqual(await privileges(reader, MAIN), [...read, 'C:read-free-busy'])
    assert.deepEqual(await privileges(writer, MAIN), [
      ...read,
      'C:read-free-busy',
      ...['D:write', 'D:write-content', 'D:write-properties', 'D:bind', 'D:unbind'],
    ])
    assert.deepEqual(await privileges(writer, '/caldav/calendars/'), read)
  }),
)

forEachEngine('an object reports its ETag, type, size and times; the size is that of GET', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const path = `${MAIN}a%20b%40c%C3%BC.ics`
    const put = await dav.put(path, event('one'))
    assert.equal(put.status, 201)
    const names = ['D:getetag', 'D:getcontenttype', 'D:getcontentlength', 'D:getlastmodified', 'D:creationdate']
    const [object, ...others] = (await dav.propfind(path, '0', [...names, 'D:resourcetype', 'C:calendar-data'])).found
    assert.equal(others.length, 0)
    assert.equal(object!.href, `${MAIN}a%20b@c%C3%BC.ics`, 'in one spelling')
    const { props } = object!
    assert.equal(props['D:getetag']!.text, put.headers.etag)
    assert.equal(props['D:getcontenttype']!.text, 'text/calendar; charset=utf-8; component=VEVENT')
    assert.equal(props['D:getcontentlength']!.text, `${Buffer.byteLength((await dav.get(path)).text)}`)
    assert.equal(props['D:getlastmodified']!.text, 'Fri, 10 Jul 2026 12:00:00 GMT')
    assert.equal(props['D:creationdate']!.text, '2026-07-10T12:00:00Z')
    assert.equal(childrenOf(props['D:resourcetype']!.element).length, 0)
    assert.equal(props['C:calendar-data']!.status, 404, 'data is not a property (RFC 4791 §9.6)')
    const listed = await dav.propfind(MAIN, '1', names)
    assert.deepEqual(
      names.map((name) => listed.found[1]!.props[name]!.text),
      names.map((name) => props[name]!.text),
    )
  }),
)

test('an empty body and allprop are the same; include adds; propname lists names only', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, event('one'))
    await dav.proppatch(MAIN, { 'A:calendar-color': '#112233FF' })
    const [none, all] = [await dav.propfind(MAIN, '1'), await dav.propfind(MAIN, '1', '<D:allprop/>')]
    assert.equal(none.text, all.text)
    assert.deepEqual(Object.keys(all.found[0]!.props), ['D:resourcetype', 'D:displayname', 'A:calendar-color'])
    assert.deepEqual(Object.keys(all.found[1]!.props).sort(), [
      'D:creationdate',
      'D:getcontentlength',
      'D:getcontenttype',
      'D:getetag',
      'D:getlastmodified',
      'D:resourcetype',
    ])
    const more = await dav.propfind(MAIN, '0', '<D:allprop/><D:include><D:sync-token/><D:getetag/></D:include>')
    assert.equal(more.found[0]!.props['D:sync-token']!.status, 200)
    const names = await dav.propfind(MAIN, '0', '<D:propname/>')
    assert.ok(Object.values(names.found[0]!.props).every(({ element }) => element.children.length === 0))
    assert.ok('D:sync-token' in names.found[0]!.props && 'A:calendar-color' in names.found[0]!.props)
    assert.ok(!('D:getetag' in names.found[0]!.props))
  }))

test('a missing property is 404, or left out with Prefer: return=minimal', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const names = ['D:displayname', 'D:getetag', 'C:schedule-inbox-URL', '{urn:x}y']
    const full = await dav.propfind(MAIN, '0', names)
    assert.deepEqual(
      names.map((name) => full.found[0]!.props[name]!.status),
      [200, 404, 404, 404],
    )
    assert.equal(full.headers.vary, 'Brief, Prefer')
    const wishes: Record<string, string>[] = [
      { prefer: 'return=minimal' },
      { prefer: 'respond-async, return="minimal"; x' },
      { brief: 't' },
    ]
    for (const headers of wishes) {
      const minimal = await dav.propfind(MAIN, '0', names, headers)
      assert.deepEqual(Object.keys(minimal.found[0]!.props), ['D:displayname'])
      assert.equal(minimal.headers['preference-applied'], 'return=minimal')
    }
    const nothing = await dav.propfind(MAIN, '0', ['D:getetag'], { prefer: 'return=minimal' })
    assert.match(nothing.text, /<D:propstat><D:prop\/><D:status>HTTP\/1.1 200 OK</)
    const below = await dav.propfind('/caldav/calendars/', '1', ['D:displayname'], { prefer: 'depth-noroot' })
    assert.deepEqual(
      below.found.map(({ href }) => href),
      [MAIN],
    )
    assert.equal(below.headers['preference-applied'], 'depth-noroot')
  }))

test('a body that names properties has a thousand nodes at most; a report has room for addresses', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const names = (count: number): string => `<D:prop>${'<D:getetag/>'.repeat(count)}</D:prop>`
    assert.equal((await dav.propfind(MAIN, '0', names(990))).status, 207)
    const many = names(1_000)
    const update = `<D:propertyupdate xmlns:D="DAV:"><D:set>${many}</D:set></D:propertyupdate>`
    const headers = { 'content-type': 'application/xml' }
    for (const answer of [await dav.propfind(MAIN, '0', many), await dav.send('PROPPATCH', MAIN, update, headers)]) {
      assert.equal(answer.status, 400)
      assert.ok(answer.text.includes('too_many_elements'), answer.text)
    }
    const hrefs = Array.from({ length: 4_990 }, (_, i) => `<D:href>${MAIN}${i}.ics</D:href>`).join('')
    const payload = `<C:calendar-multiget ${DECLARED}><D:prop><D:getetag/></D:prop>${hrefs}</C:calendar-multiget>`
    const { status, text } = await writer.send({ method: 'REPORT' as 'GET', url: MAIN, payload, headers })
    assert.equal(status, 207)
    assert.equal(text.split('404 Not Found').length - 1, 4_990)
  }))

test('Depth: infinity is refused by precondition, also as the default; an object has no depth', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, event('one'))
    for (const path of ['/caldav/', '/caldav/principals', '/caldav/calendars/', MAIN])
      for (const depth of [undefined, 'infinity', 'Infinity']) {
        const answer = await dav.propfind(path, depth, ['D:displayname'])
        assert.deepEqual([answer.status, answer.errors], [403, ['D:propfind-finite-depth']], `${path} ${depth}`)
      }
    for (const depth of [undefined, '0', '1', 'infinity'])
      assert.equal((await dav.propfind(`${MAIN}a.ics`, depth, ['D:getetag'])).found.length, 1)
    for (const depth of ['2', '-1', 'all', '1,noroot'])
      assert.equal((await dav.propfind(MAIN, depth, ['D:displayname'])).status, 400, depth)
  }))

test('a trailing slash makes no difference', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, event('one'))
    for (const path of [
      '/caldav',
      '/caldav/principals',
      '/caldav/calendars',
      '/caldav/calendars/main',
      `${MAIN}a.ics`,
    ]) {
      const [one, two] = [
        await dav.propfind(path, '0', ['D:resourcetype']),
        await dav.propfind(`${path}/`, '0', ['D:resourcetype']),
      ]
      assert.deepEqual([one.status, one.text], [207, two.text], path)
    }
  }))

forEachEngine('a listing of thousands is complete, without repeats, and is streamed', (engine) =>
  withWorld(engine, async ({ admin, app }) => {
    const many = 2_800
    const events = Array.from({ length: many }, (_, i) => event(`uid-${i}`).split('\r\n').slice(3, -2).join('\r\n'))
    const file = lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...events, 'END:VCALENDAR')
    const taken = await admin.post('/admin/import', file, { 'content-type': 'text/calendar' })
    assert.equal(taken.body.data.created, many, taken.text.slice(0, 300))
    const { statusCode, headers, body } = await app.server.inject({
      method: 'PROPFIND' as 'GET',
      url: MAIN,
      headers: {
        authorization: `Basic ${Buffer.from('admin@example.org:correct horse battery').toString('base64')}`,
        depth: '1',
      },
      payload: '<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>',
    })
    assert.equal(statusCode, 207)
    assert.equal(headers['content-length'], undefined)
    const hrefs = [...body.matchAll(/<D:href>([^<]*)</g)].map(([, href]) => href)
    assert.equal(hrefs.length, many + 1)
    assert.equal(new Set(hrefs).size, many + 1)
    assert.match(body, /<\/D:multistatus>\n$/)
  }),
)

test('the principal has the name of its account and the address of its calendars', () =>
  withWorld('sqlite', async ({ addPerson, as }) => {
    const id = await addPerson('o.r&d+x@example.org', 'reader')
    const path = `/caldav/principals/${id}/`
    const names = [
      'D:displayname',
      'D:principal-URL',
      'D:resourcetype',
      'C:calendar-home-set',
      'C:calendar-user-address-set',
      'C:calendar-user-type',
      'CS:email-address-set',
    ]
    const [me] = (await davOf(as('o.r&d+x@example.org')).propfind(path, '0', names)).found
    const texts = (name: string): string[] => childrenOf(me!.props[name]!.element).map(textOf)
    assert.equal(me!.props['D:displayname']!.text, 'o.r&d+x')
    assert.deepEqual(texts('D:principal-URL'), [path])
    assert.deepEqual(texts('C:calendar-home-set'), ['/caldav/calendars/'])
    assert.deepEqual(texts('C:calendar-user-address-set'), ['mailto:o.r&d+x@example.org', path])
    assert.deepEqual(texts('CS:email-address-set'), ['o.r&d+x@example.org'])
    assert.equal(me!.props['C:calendar-user-type']!.text, 'INDIVIDUAL')
    assert.deepEqual(childrenOf(me!.props['D:resourcetype']!.element).map(shortName), ['D:principal'])
  }))

test('privileges can be read on every resource, and name no other account', () =>
  withWorld('sqlite', async ({ writer, reader, addPerson, as }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, event('one'))
    await addPerson('someone.else@example.org', 'writer')
    const idOf = async (client: typeof writer): Promise<string> =>
      textOf(
        childrenOf(
          (await davOf(client).propfind('/caldav/', '0', ['D:current-user-principal'])).found[0]!.props[
            'D:current-user-principal'
          ]!.element,
        )[0]!,
      )
    const me = await idOf(writer)
    const names = [
      'D:owner',
      'D:group',
      'D:acl',
      'D:acl-restrictions',
      'D:inherited-acl-set',
      'D:supported-privilege-set',
    ]
    for (const path of ['/', '/caldav/', '/caldav/principals/', me, '/caldav/calendars/', MAIN, `${MAIN}a.ics`]) {
      const [{ props }] = (await dav.propfind(path, '0', names)).found as [FoundResource]
      for (const name of names) assert.equal(props[name]!.status, 200, `${name} on ${path}`)
      for (const name of ['D:group', 'D:inherited-acl-set']) assert.deepEqual(props[name]!.element.children, [], name)
      assert.deepEqual(childrenOf(props['D:acl-restrictions']!.element).map(shortName), ['D:grant-only', 'D:no-invert'])
      const refused = await dav.proppatch(path === '/' ? '/caldav/' : path, { 'D:acl': '' })
      assert.deepEqual(refused.found[0]!.errors, ['D:cannot-modify-protected-property'])
    }
    const acesOf = async (client: typeof writer): Promise<string[][]> => {
      const { element } = (await davOf(client).propfind(MAIN, '0', ['D:acl'])).found[0]!.props['D:acl']!
      return listChildren(element, 'DAV:', 'ace').map((ace) => {
        const [principal, grant, protection] = childrenOf(ace)
        const [who] = childrenOf(principal!)
        assert.deepEqual(
          [grant, protection].map((part) => shortName(part!)),
          ['D:grant', 'D:protected'],
        )
        const granted = childrenOf(grant!).map((one) => shortName(childrenOf(one)[0]!))
        return [who!.name === 'href' ? textOf(who!) : shortName(who!), ...granted]
      })
    }
    const read = ['D:read', 'D:read-acl', 'D:read-current-user-privilege-set', 'C:read-free-busy']
    const write = ['D:write', 'D:write-content', 'D:write-properties', 'D:bind', 'D:unbind']
    assert.deepEqual(await acesOf(reader), [['D:authenticated', ...read]])
    assert.deepEqual(await acesOf(writer), [
      ['D:authenticated', ...read],
      [me, ...write],
    ])
    const [{ props }] = (
      await dav.propfind(me, '0', ['D:group-member-set', 'D:group-membership', 'D:alternate-URI-set'])
    ).found as [FoundResource]
    assert.deepEqual(
      Object.values(props).map(({ status, element }) => [status, element.children]),
      Array(3).fill([200, []]),
    )
    const prop = '<D:prop><D:displayname/></D:prop>'
    const inAcl = `<D:acl-principal-prop-set xmlns:D="DAV:">${prop}</D:acl-principal-prop-set>`
    const namesIn = async (client: typeof writer, path: string, body: string): Promise<string[]> =>
      (await davOf(client).report(path, body)).found.map(({ props: shown }) => shown['D:displayname']!.text)
    assert.deepEqual(await namesIn(writer, MAIN, inAcl), ['writer'])
    assert.deepEqual(await namesIn(reader, MAIN, inAcl), [])
    const match = (how: string): string => `<D:principal-match xmlns:D="DAV:">${how}${prop}</D:principal-match>`
    const by = (name: string): string => match(`<D:principal-property><D:${name}/></D:principal-property>`)
    for (const path of ['/caldav/', '/caldav/principals/']) {
      assert.deepEqual(await namesIn(reader, path, match('<D:self/>')), ['reader'])
      assert.deepEqual(await namesIn(as('someone.else@example.org'), path, by('principal-URL')), ['someone.else'])
      assert.deepEqual(await namesIn(reader, path, by('owner')), ['reader'])
      assert.deepEqual(await namesIn(reader, path, by('group')), [])
      assert.equal((await davOf(reader).report(path, match(''))).status, 400)
    }
    assert.equal((await dav.report(MAIN, inAcl, { depth: '1' })).status, 400)
  }))

test('a client that knows only the address of the site finds its principal there', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const [front] = (await dav.propfind('/', '0', ['D:supported-report-set'])).found
    const listed = childrenOf(front!.props['D:supported-report-set']!.element)
    assert.equal(listed.length, 5)
    const search = `<D:principal-match xmlns:D="DAV:"><D:self/><D:prop><D:displayname/></D:prop></D:principal-match>`
    const { status, found } = await dav.report('/', search)
    assert.deepEqual([status, found.map(({ props }) => props['D:displayname']!.text)], [207, ['writer']])
  }))

test('every resource lists the reports it supports, and supports those', () =>
  withWorld('sqlite', async ({ writer, app }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}a.ics`, event('one'))
    const { id } = (await app.ctx.storage.reads
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'writer@example.org')
      .executeTakeFirst())!
    const reports = [
      'D:sync-collection',
      'D:expand-property',
      'D:principal-property-search',
      'D:principal-search-property-set',
    ]
    const all = ['C:calendar-query', 'C:calendar-multiget', 'C:free-busy-query', ...reports, 'D:acl-principal-prop-set']
    for (const path of [
      '/caldav/',
      '/caldav/principals/',
      `/caldav/principals/${id}/`,
      '/caldav/calendars/',
      MAIN,
      `${MAIN}a.ics`,
    ]) {
      const [resource] = (await dav.propfind(path, '0', ['D:supported-report-set'])).found
      const set = listChildren(resource!.props['D:supported-report-set']!.element, 'DAV:', 'supported-report')
      const named = set.map((one) => shortName(childrenOf(childrenOf(one)[0]!)[0]!))
      for (const name of all) {
        const declared = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"'
        const answer = await dav.report(path, `<${name} ${declared}/>`)
        assert.equal(answer.errors.includes('D:supported-report'), !named.includes(name), `${name} at ${path}`)
      }
    }
  }))
