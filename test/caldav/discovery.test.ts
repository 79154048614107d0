// Discovery: from host and email to the calendar (RFC 6764), and the methods that each address supports.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAV } from '../../src/caldav/xml/names.ts'
import { findChild, textOf } from '../../src/caldav/xml/parse.ts'
import { type DavAnswer, davOf } from '../support/http/dav.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { basicOf, type World, withWorld } from '../support/world.ts'

const hrefIn = (answer: DavAnswer, name: string): string =>
  textOf(findChild(answer.found[0]!.props[name]!.element, DAV, 'href')!)

/** The steps of RFC 6764 and RFC 5397: well-known address, principal, home, calendars. */
async function discover({ writer }: World): Promise<string[]> {
  const dav = davOf(writer)
  const known = await dav.propfind('/.well-known/caldav', '0', ['D:current-user-principal'])
  assert.equal(known.status, 301)
  const root = String(known.headers.location)
  const principal = hrefIn(await dav.propfind(root, '0', ['D:current-user-principal']), 'D:current-user-principal')
  const home = hrefIn(await dav.propfind(principal, '0', ['C:calendar-home-set']), 'C:calendar-home-set')
  const { found } = await dav.propfind(home, '1', ['D:resourcetype'])
  const calendars = found.filter(({ props }) =>
    findChild(props['D:resourcetype']!.element, 'urn:ietf:params:xml:ns:caldav', 'calendar'),
  )
  return [root, principal, home, ...calendars.map(({ href }) => href)]
}

forEachEngine('the well-known address leads to the calendar in four requests', (engine) =>
  withWorld(engine, async (world) => {
    const [root, principal, home, ...calendars] = await discover(world)
    assert.equal(root, '/caldav/')
    assert.match(principal!, /^\/caldav\/principals\/[0-9a-v]{26}\/$/)
    assert.deepEqual([home, calendars], ['/caldav/calendars/', ['/caldav/calendars/main/']])
  }),
)

test('under a slug every address is below it, and the bare address redirects there', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const [root, principal, ...rest] = await discover(world)
      assert.equal(root, '/parish/caldav/')
      assert.match(principal!, /^\/parish\/caldav\/principals\//)
      assert.deepEqual(rest, ['/parish/caldav/calendars/', '/parish/caldav/calendars/main/'])
      const dav = davOf(world.writer)
      for (const path of ['/caldav', '/caldav/', '/caldav/calendars/main/a%20b.ics']) {
        const answer = await dav.propfind(path, '0', ['D:resourcetype'])
        assert.deepEqual([answer.status, answer.headers.location], [308, `/parish${path}`])
      }
      assert.equal((await dav.propfind('/other/caldav/', '0')).status, 404)
    },
    { settings: { DAYBOOK_URL_SLUG: 'parish' } },
  ))

test('the well-known address redirects every method, by path only, and no cache stores that', () =>
  withWorld('sqlite', async ({ anonymous }) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT', 'PUT', 'DELETE']) {
      const answer = await davOf(anonymous).send(method, '/.well-known/caldav')
      assert.deepEqual([answer.status, answer.headers.location], [301, '/caldav/'], method)
      assert.equal(answer.headers['cache-control'], 'no-store')
    }
  }))

const COMMON = 'OPTIONS, PROPFIND, PROPPATCH, REPORT'

test('OPTIONS lists the methods of an address without credentials, and 405 lists the same', () =>
  withWorld('sqlite', async ({ anonymous, writer, app }) => {
    const { id } = (await app.ctx.storage.reads.selectFrom('users').select('id').executeTakeFirst())!
    const places: [string, string][] = [
      ['/caldav/', COMMON],
      ['/caldav/principals/', COMMON],
      [`/caldav/principals/${id}/`, COMMON],
      ['/caldav/calendars/', COMMON],
      ['/caldav/calendars/main/', COMMON],
      ['/caldav/calendars/main', COMMON],
      ['/caldav/calendars/main/a.ics', `DELETE, GET, HEAD, MOVE, ${COMMON.replace('PROPPATCH,', 'PROPPATCH, PUT,')}`],
    ]
    for (const [path, allow] of places) {
      const answer = await davOf(anonymous).options(path)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers.dav, '1, 3, access-control, calendar-access')
      assert.equal(answer.headers.allow, allow, path)
      assert.equal((await davOf(anonymous).send('COPY', path)).status, 401, 'before 405')
      for (const method of ['COPY', 'LOCK', 'UNLOCK', 'ACL', 'POST', 'PATCH', 'TRACE', 'SEARCH']) {
        const refused = await davOf(writer).send(method, path)
        assert.deepEqual([refused.status, refused.headers.allow], [405, allow], `${method} ${path}`)
        assert.equal(refused.xml?.name, 'error')
      }
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'MOVE', 'MKCALENDAR', 'MKCOL'])
      assert.equal((await davOf(writer).send(method, '/caldav/calendars/main/')).status, 405, method)
  }))

test('no other calendar can be created, and the existing one cannot be deleted', () =>
  withWorld('sqlite', async ({ admin, reader }) => {
    const dav = davOf(admin)
    for (const [method, path] of [
      ['MKCALENDAR', '/caldav/calendars/second/'],
      ['MKCOL', '/caldav/calendars/second'],
      ['MKCALENDAR', '/caldav/calendars/main/inner/'],
      ['MKCOL', '/caldav/calendars/main/inner/'],
      ['DELETE', '/caldav/calendars/main/'],
      ['DELETE', '/caldav/calendars/'],
    ] as const) {
      const answer = await dav.send(method, path)
      assert.deepEqual([answer.status, answer.errors], [403, ['D:need-privileges']], `${method} ${path}`)
      assert.match(answer.text, method === 'DELETE' ? /<D:unbind\/>/ : /<D:bind\/>/)
      assert.equal((await davOf(reader).send(method, path)).status, 403)
    }
    assert.equal((await dav.propfind('/caldav/calendars/second/', '0')).status, 404)
    assert.equal((await dav.propfind('/caldav/calendars/', '1', ['D:resourcetype'])).found.length, 2)
  }))

forEachEngine('a request without credentials gets a Basic challenge here, and only here', (engine) =>
  withWorld(engine, async ({ anonymous, app, addPerson, as, signIn }) => {
    const basic = 'Basic realm="calendar", charset="UTF-8"'
    const paths = ['/caldav/', '/caldav/principals/', '/caldav/calendars/', '/caldav/calendars/main/', '/caldav']
    for (const path of [...paths, '/caldav/calendars/main/x.ics', '/caldav/calendars/other/']) {
      const answer = await davOf(anonymous).propfind(path, '0')
      assert.equal(answer.status, 401, path)
      assert.equal(answer.headers['www-authenticate'], basic)
      assert.equal(answer.xml?.name, 'error', 'and it is said in XML')
    }
    const wrong = { authorization: basicOf('writer@example.org', 'wrong') }
    const refused = await davOf(anonymous).propfind('/caldav/', '0', undefined, wrong)
    assert.deepEqual([refused.status, refused.headers['www-authenticate']], [401, basic])
    const json = await anonymous.send({ method: 'GET', url: `${app.site.base}/admin/users` })
    assert.equal(json.headers['www-authenticate'], 'Bearer realm="calendar"')
    const browser = await signIn('writer@example.org')
    assert.equal((await davOf(browser).propfind('/caldav/', '0')).status, 401, 'a cookie is ignored here')
    const states = { pending_approval: 'account_pending', rejected: 'account_rejected', suspended: 'account_suspended' }
    for (const [state, code] of Object.entries(states)) {
      await addPerson(`${state}@example.org`, 'admin', state as keyof typeof states)
      const answer = await davOf(as(`${state}@example.org`)).propfind('/caldav/calendars/main/', '1')
      assert.equal(answer.status, 403)
      assert.match(answer.text, new RegExp(`>${code}<`))
    }
    await addPerson('unverified@example.org', 'admin', 'approved', false)
    assert.equal((await davOf(as('unverified@example.org')).propfind('/caldav/', '0')).status, 403)
  }),
)

test('accounts see their own principal and no other', () =>
  withWorld('sqlite', async ({ writer, addPerson }) => {
    const dav = davOf(writer)
    const other = await addPerson('other@example.org', 'writer')
    const { found } = await dav.propfind('/caldav/principals/', '1', ['D:displayname'])
    assert.equal(found.length, 2)
    assert.ok(!found.some(({ href }) => href.includes(other)))
    const nobody = `/caldav/principals/${'0'.repeat(26)}/`
    for (const path of [`/caldav/principals/${other}/`, nobody]) {
      const answers = [
        await dav.propfind(path, '0'),
        await dav.proppatch(path, { 'D:displayname': 'x' }),
        await dav.report(path, '<D:expand-property xmlns:D="DAV:"/>'),
      ]
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]), path)
    }
  }))
