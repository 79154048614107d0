// GET, PUT, DELETE and MOVE: objects come back byte for byte, and no client overwrites a version it has not read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { davOf } from '../support/http/dav.ts'
import { listen, sendRaw } from '../support/http/socket.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { basicOf, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

forEachEngine('an object comes back byte for byte as it was PUT, with the ETag of the response', (engine) =>
  withWorld(engine, async ({ writer, reader }) => {
    const text = eventText('one', 'X-OWN;X-P="a,b":c\\, d', 'SUMMARY:Ümläut 😀 <&>')
    const put = await davOf(writer).put(`${MAIN}one.ics`, text, { 'if-none-match': '*' })
    assert.equal(put.status, 201, put.text)
    assert.equal(put.headers.location, `${MAIN}one.ics`)
    const got = await davOf(reader).get(`${MAIN}one.ics`)
    assert.deepEqual([got.status, got.text, got.headers.etag], [200, text, put.headers.etag])
    assert.equal(got.headers['content-type'], 'text/calendar; charset=utf-8; component=VEVENT')
    assert.equal(got.headers['last-modified'], 'Fri, 10 Jul 2026 12:00:00 GMT')
    assert.equal(got.headers['cache-control'], 'no-store')
    const head = await davOf(reader).send('HEAD', `${MAIN}one.ics`)
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', `${Buffer.byteLength(text)}`])
    for (const tags of [String(got.headers.etag), `"x", W/${got.headers.etag}`, '*']) {
      const known = await davOf(reader).get(`${MAIN}one.ics`, { 'if-none-match': tags })
      assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', got.headers.etag])
    }
    assert.equal((await davOf(reader).get(`${MAIN}one.ics`, { 'if-none-match': '"x"' })).status, 200)
    assert.equal((await davOf(reader).get(`${MAIN}two.ics`)).status, 404)
  }),
)

forEachEngine('a PUT over an existing object needs its ETag, or is refused', (engine) =>
  withWorld(
    engine,
    async ({ writer }) => {
      const dav = davOf(writer)
      const path = `${MAIN}one.ics`
      const put = (summary: string, headers?: Record<string, string>) =>
        dav.put(path, eventText('one', `SUMMARY:${summary}`), headers)
      assert.equal((await put('a', { 'if-match': '"x"' })).status, 412, 'there is nothing to match')
      assert.equal((await put('a', { 'if-match': '*' })).status, 412)
      const first = await put('a')
      assert.equal(first.status, 201)
      const tag = String(first.headers.etag)
      const unmet: Record<string, string>[] = [
        {},
        { 'if-none-match': '*' },
        { 'if-match': '"x"' },
        { 'if-none-match': tag },
      ]
      for (const headers of unmet) {
        const refused = await put('b', headers)
        assert.equal(refused.status, 412, JSON.stringify(headers))
        assert.match(refused.text, /version_mismatch/)
      }
      assert.equal((await put('b', { if: `(<opaquelocktoken:x>)` })).status, 412, 'there are no locks to hold')
      assert.equal((await put('b', { 'if-match': tag.replaceAll('"', '') })).status, 412, 'not quoted')
      const second = await put('b', { 'if-match': `"x", W/${tag}` })
      assert.deepEqual([second.status, second.text], [204, ''])
      assert.notEqual(second.headers.etag, tag)
      assert.equal((await dav.get(path)).headers.etag, second.headers.etag)
      const since = { 'if-unmodified-since': new Date().toUTCString() }
      assert.equal((await put('c', since)).status, 412, 'a time tells no version')
      assert.equal((await dav.delete(path, since)).status, 412)
      assert.equal((await put('c', { 'if-match': tag })).status, 412, 'stale')
      assert.equal((await put('c', { 'if-match': '*' })).status, 204, 'any there is')
      const shown = await put('d', { 'if-match': '*', prefer: 'return=representation' })
      assert.deepEqual([shown.status, shown.text], [200, eventText('one', 'SUMMARY:d')])
      assert.equal(shown.headers['preference-applied'], 'return=representation')
      assert.equal((await put('e', { 'if-match': '*', 'content-range': 'bytes 0-9/20' })).status, 400)
    },
    { settings: { DAYBOOK_CALDAV_BLIND_WRITES: 'off' } },
  ),
)

forEachEngine('DELETE removes an event if its ETag matches', (engine) =>
  withWorld(engine, async ({ writer }) => {
    const dav = davOf(writer)
    const path = `${MAIN}one.ics`
    const { headers } = await dav.put(path, eventText('one'))
    assert.equal((await dav.delete(path, { 'if-match': '"x"' })).status, 412)
    assert.equal((await dav.delete(path, { if: '(["x"])' })).status, 412)
    assert.equal((await dav.delete(path, { 'if-match': String(headers.etag) })).status, 204)
    assert.equal((await dav.delete(path)).status, 404)
    assert.equal((await dav.get(path)).status, 404)
    assert.equal((await dav.put(path, eventText('one'))).status, 201, 'and it may come back')
    assert.equal((await dav.delete(path)).status, 204)
  }),
)

forEachEngine('MOVE renames an event within this calendar and nowhere else', (engine) =>
  withWorld(engine, async ({ writer, app }) => {
    const dav = davOf(writer)
    await dav.put(`${MAIN}one.ics`, eventText('one'))
    await dav.put(`${MAIN}two.ics`, eventText('two'))
    const moved = await dav.move(`${MAIN}one.ics`, `${app.site.origin}${MAIN}new%20name.ics`, { overwrite: 'F' })
    assert.deepEqual([moved.status, moved.headers.location], [201, `${MAIN}new%20name.ics`])
    assert.equal((await dav.get(`${MAIN}one.ics`)).status, 404)
    assert.equal((await dav.get(`${MAIN}new%20name.ics`)).text, eventText('one'))
    const from = `${MAIN}new%20name.ics`
    assert.equal((await dav.move(from, `${MAIN}two.ics`, { overwrite: 'F' })).status, 412)
    assert.equal((await dav.move(from, from)).status, 412)
    assert.equal((await dav.move(from, `${MAIN}three.ics`, { 'if-match': '"x"' })).status, 412)
    for (const elsewhere of [
      'https://elsewhere.example.org/caldav/calendars/main/x.ics',
      '//elsewhere.example.org/caldav/calendars/main/x.ics',
      '/caldav/calendars/other/x.ics',
      '/caldav/calendars/main/',
      '/caldav/calendars/main/%2e%2e',
      '/caldav/calendars/main/a%2Fb.ics',
      '/caldav/calendars/main/a/../b.ics',
      '/caldav/calendars/main/a%00.ics',
      '/caldav/calendars/main/%ff.ics',
      '/etc/passwd',
      'x.ics',
      'file:///caldav/calendars/main/x.ics',
    ])
      assert.equal((await dav.move(from, elsewhere)).status, 502, elsewhere)
    assert.equal((await dav.send('MOVE', from)).status, 400)
    assert.equal((await dav.move(from, `${MAIN}x.ics`, { overwrite: 'maybe' })).status, 400)
    const onto = await dav.move(from, `${MAIN}two.ics`)
    assert.deepEqual([onto.status, onto.errors], [409, ['C:no-uid-conflict']])
    assert.match(onto.text, /two\.ics/)
    assert.match((await dav.get(`${MAIN}two.ics`)).text, /UID:two\r\n/)
    assert.equal((await dav.propfind(MAIN, '1', ['D:getetag'])).found.length, 3)
  }),
)

forEachEngine('readers are refused every write, whether an object exists or not', (engine) =>
  withWorld(engine, async ({ writer, reader, anonymous }) => {
    await davOf(writer).put(`${MAIN}one.ics`, eventText('one'))
    const dav = davOf(reader)
    for (const name of ['one.ics', 'none.ics'])
      for (const answer of [
        await dav.put(`${MAIN}${name}`, eventText('x')),
        await dav.put(`${MAIN}${name}`, 'nonsense', { 'content-type': 'text/plain' }),
        await dav.delete(`${MAIN}${name}`),
        await dav.move(`${MAIN}${name}`, `${MAIN}x.ics`),
      ]) {
        assert.deepEqual([answer.status, answer.errors], [403, ['D:need-privileges']], name)
        assert.match(answer.text, /<D:href>\/caldav\/calendars\/main\/<\/D:href><D:privilege><D:write\/>/)
      }
    assert.equal((await dav.get(`${MAIN}one.ics`)).status, 200)
    assert.equal((await davOf(anonymous).put(`${MAIN}one.ics`, eventText('x'))).status, 401)
  }),
)

test('a name in any characters is one object, and invalid names are not found', () =>
  withWorld('sqlite', async ({ writer }) => {
    const dav = davOf(writer)
    const good = [
      'a b',
      'ü😀',
      'a@b:c',
      "it's (1)!*",
      '100%',
      'a+b',
      'a&b;c=d,e',
      '.hidden',
      'a?b#c',
      `${'x'.repeat(255)}`,
    ]
    for (const [i, name] of good.entries()) {
      const path = MAIN + encodeURIComponent(name)
      assert.equal((await dav.put(path, eventText(`uid-${i}`))).status, 201, name)
      const spelt = [...Buffer.from(name)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
      assert.match((await dav.get(MAIN + spelt)).text, new RegExp(`UID:uid-${i}\\r`), name)
    }
    const { found } = await dav.propfind(MAIN, '1', ['D:getetag'])
    assert.equal(found.length, good.length + 1)
    for (const { href } of found.slice(1)) assert.equal((await dav.get(href)).status, 200, href)
    const bad = ['..%2fx', '%2f', 'a%2Fb', 'a%5Cb', '%00', 'a%0Ab', '%7f', 'x'.repeat(256), '%E4', '%c0%ae', '%']
    for (const name of bad) {
      const put = await dav.put(MAIN + name, eventText('bad'))
      assert.ok(put.status === 404 || put.status === 400, `${name}: ${put.status}`)
      assert.equal(put.xml?.name, 'error', name)
    }
    for (const path of ['/caldav/%63alendars/main/', '/caldav/calendars/m%61in/x.ics', '/%63aldav/', '/CALDAV/'])
      assert.equal((await dav.propfind(path, '0')).status, 404, path)
  }))

test('F28: no dot segments or encoded paths lead out of the calendar', () =>
  withWorld('sqlite', async ({ app }) => {
    const port = await listen(app)
    const head = `host: localhost\r\nauthorization: ${basicOf('writer@example.org')}\r\ndepth: 0\r\nconnection: close\r\n\r\n`
    for (const path of [
      '../',
      '..',
      './',
      '//',
      '%2e',
      '%2E%2e',
      '../../../../etc/passwd',
      '..%2f..%2fetc',
      'a/b.ics',
      '%2e%2e%2f',
      '..;/x',
      '\\..\\x',
    ]) {
      for (const method of ['PROPFIND', 'GET']) {
        const answer = await sendRaw(port, `${method} ${MAIN}${path} HTTP/1.1\r\n${head}`)
        assert.ok([400, 404].includes(answer.status), `${method} ${path}: ${answer.status}`)
      }
    }
  }))
