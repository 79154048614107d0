// PUT without If-Match: accepted from a client that has received the stored version, refused from any other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import {
  flushServedVersions,
  noteDatabase,
  recordListing,
  recordObjects,
} from '../../src/actions/caldav-objects/served-versions.ts'
import { purgeExpired } from '../../src/actions/maintenance/housekeeping.ts'
import type { Account } from '../../src/domain/account/account.ts'
import { createAccountViewer } from '../../src/domain/privacy/viewer.ts'
import { type Dav, DECLARED, davOf } from '../support/http/dav.ts'
import { waitFor } from '../support/measure/wait-for.ts'
import { forEachEngine, makePlace } from '../support/storage/engines.ts'
import { startPostgres } from '../support/storage/postgres-server.ts'
import { basicOf, openWorld, type World, withTwoNodes, withWorld } from '../support/world.ts'
import { eventText, MAIN } from './support/events.ts'

const ONE = `${MAIN}one.ics`

const put = async (dav: Dav, summary: string, path = ONE, headers: Record<string, string> = {}): Promise<number> => {
  const uid = path.slice(MAIN.length, -'.ics'.length)
  return (await dav.put(path, eventText(uid, `SUMMARY:${summary}`), headers)).status
}

/** A change by another account. */
const changeElsewhere = async ({ admin }: World, path = ONE): Promise<void> => {
  assert.equal(await put(davOf(admin), 'Changed elsewhere', path, { 'if-match': '*' }), 204)
}

const prop = (...names: string[]): string => `<D:prop>${names.map((name) => `<${name}/>`).join('')}</D:prop>`

const sync = (dav: Dav, token = '', limit = '') =>
  dav.report(
    MAIN,
    `<D:sync-collection ${DECLARED}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${limit}${prop('D:getetag')}</D:sync-collection>`,
  )

const query = (dav: Dav, asked: string, inside = '') =>
  dav.report(
    MAIN,
    `<C:calendar-query ${DECLARED}>${asked}<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${inside}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`,
    { depth: '1' },
  )

const multiget = (dav: Dav, asked: string) =>
  dav.report(MAIN, `<C:calendar-multiget ${DECLARED}>${asked}<D:href>${ONE}</D:href></C:calendar-multiget>`)

const JULY = '<C:time-range start="20260701T000000Z" end="20260801T000000Z"/>'
const ETAG = prop('D:getetag')
const DATA = prop('D:getetag', 'C:calendar-data')

/** Responses after which a client has the current version. */
const SERVING: Record<string, (dav: Dav) => Promise<{ status: number }>> = {
  GET: (dav) => dav.get(ONE),
  'GET that is answered with 304': async (dav) => {
    const { headers } = await dav.send('HEAD', ONE)
    return dav.get(ONE, { 'if-none-match': String(headers.etag) })
  },
  'sync-collection from the beginning': (dav) => sync(dav),
  'PROPFIND of the members with getetag': (dav) => dav.propfind(MAIN, '1', ['D:getetag']),
  'calendar-query of all events with getetag': (dav) => query(dav, ETAG),
  'calendar-query of a time range with data': (dav) => query(dav, DATA, JULY),
  'calendar-multiget with data': (dav) => multiget(dav, DATA),
}

/** Responses that do not name the version, or have only a part of the text. */
const NOT_SERVING: Record<string, (dav: Dav) => Promise<{ status: number }>> = {
  HEAD: (dav) => dav.send('HEAD', ONE),
  'HEAD that is answered with 304': async (dav) => {
    const { headers } = await dav.send('HEAD', ONE)
    return dav.send('HEAD', ONE, undefined, { 'if-none-match': String(headers.etag) })
  },
  'GET that names no version': (dav) => dav.get(ONE, { 'if-none-match': '*' }),
  'PROPFIND of the members without getetag': (dav) => dav.propfind(MAIN, '1', ['D:resourcetype']),
  'PROPFIND of the calendar alone': (dav) => dav.propfind(MAIN, '0', ['D:getetag', 'D:sync-token', 'CS:getctag']),
  'calendar-query of a time range with getetag': (dav) => query(dav, ETAG, JULY),
  'calendar-query of another time': (dav) => query(dav, DATA, JULY.replaceAll('2026', '2027')),
  'calendar-query of some properties': (dav) =>
    query(
      dav,
      '<D:prop><C:calendar-data><C:comp name="VCALENDAR"><C:comp name="VEVENT"><C:prop name="UID"/></C:comp></C:comp></C:calendar-data></D:prop>',
      JULY,
    ),
  'calendar-multiget with getetag': (dav) => multiget(dav, ETAG),
  'sync-collection without getetag': (dav) =>
    dav.report(
      MAIN,
      `<D:sync-collection ${DECLARED}><D:sync-token/><D:sync-level>1</D:sync-level>${prop('D:resourcetype')}</D:sync-collection>`,
    ),
  'sync-collection that ended at its limit': (dav) => sync(dav, '', '<D:limit><D:nresults>1</D:nresults></D:limit>'),
}

forEachEngine('a PUT without If-Match is accepted after the current version was received', (engine) =>
  withWorld(engine, async (world) => {
    const dav = davOf(world.writer)
    assert.equal(await put(dav, 'a'), 201)
    assert.equal(await put(dav, 'b'), 204, 'a client has what it wrote')
    assert.equal(await put(dav, 'a', `${MAIN}two.ics`), 201)
    for (const [name, serve] of Object.entries(SERVING)) {
      await changeElsewhere(world)
      assert.equal(await put(dav, 'mine'), 412, `before ${name}`)
      const { status } = await serve(dav)
      assert.ok(status < 400, `${name}: ${status}`)
      assert.equal(await put(dav, 'mine'), 204, name)
    }
    for (const [name, serve] of Object.entries(NOT_SERVING)) {
      await changeElsewhere(world)
      const { status } = await serve(dav)
      assert.ok(status < 400, `${name}: ${status}`)
      assert.equal(await put(dav, 'mine'), 412, name)
    }
    assert.match((await dav.get(ONE)).text, /Changed elsewhere/)
  }),
)

forEachEngine('a client that syncs can edit every object, and not one that changed since', (engine) =>
  withWorld(engine, async (world) => {
    const dav = davOf(world.writer)
    for (const name of ['one', 'two', 'three'])
      assert.equal(await put(davOf(world.admin), 'a', `${MAIN}${name}.ics`), 201)
    const first = await sync(dav)
    const token = /sync-token>([^<]+)</.exec(first.text)![1]!
    await changeElsewhere(world)
    assert.equal(await put(dav, 'mine'), 412)
    assert.equal(await put(dav, 'mine', `${MAIN}two.ics`), 204)
    assert.equal((await sync(dav, token)).status, 207)
    assert.equal(await put(dav, 'mine'), 204)
    assert.equal(await put(dav, 'mine', `${MAIN}three.ics`), 204)
    const { data } = (await world.writer.get('/events?view=month')).body
    const { id, version } = data.find(({ title }: { title: string }) => title === 'mine')
    assert.equal((await world.admin.patch(`/events/${id}`, { title: 'By JSON', version })).status, 200)
    const statuses = await Promise.all(['one', 'two', 'three'].map((name) => put(dav, 'mine', `${MAIN}${name}.ics`)))
    assert.deepEqual(statuses.toSorted(), [204, 204, 412])
  }),
)

forEachEngine('what one credential received does not count for another', (engine) =>
  withWorld(engine, async (world) => {
    const person = await world.signIn('writer@example.org')
    const appPassword = async (name: string): Promise<Dav> => {
      const { body } = await person.post('/auth/app-passwords', { name })
      return davOf(world.as('writer@example.org', body.data.password))
    }
    const [laptop, phone] = [await appPassword('Laptop'), await appPassword('Phone')]
    assert.equal(await put(laptop, 'a'), 201)
    assert.equal(await put(phone, 'b'), 412)
    assert.equal(await put(davOf(world.writer), 'b'), 412, 'nor for the password of the account')
    assert.equal((await phone.get(ONE)).status, 200)
    assert.equal(await put(phone, 'b'), 204)
    assert.equal(await put(laptop, 'c'), 412)
  }),
)

forEachEngine('what was received is known on another node and after a restart', (engine) =>
  withTwoNodes(engine, async (one, two) => {
    const [here, there] = [davOf(one.writer), davOf(two.writer)]
    assert.equal(await put(here, 'a'), 201)
    assert.equal(await put(here, 'a', `${MAIN}two.ics`), 201)
    await flushServedVersions(one.app.ctx)
    assert.equal(await put(there, 'b'), 204)
    assert.equal((await sync(there)).status, 207)
    await flushServedVersions(two.app.ctx)
    const restarted = await openWorld(engine, one.place, { place: one.place })
    try {
      assert.equal(await put(davOf(restarted.writer), 'c'), 204)
      assert.equal(await put(davOf(restarted.writer), 'c', `${MAIN}two.ics`), 204)
    } finally {
      await restarted.app.close()
    }
  }),
)

forEachEngine('the number of stored versions is bounded, and old ones are purged', (engine) =>
  withWorld(engine, async ({ app, clock, writer }) => {
    assert.equal((await davOf(writer).put(ONE, eventText('one'))).status, 201)
    await flushServedVersions(app.ctx)
    const { storage } = app.ctx
    const count = async (table: 'served_objects' | 'served_revisions'): Promise<number> =>
      (await storage.reads.selectFrom(table).selectAll().execute()).length
    assert.deepEqual([await count('served_revisions'), await count('served_objects')], [1, 1])
    await storage.writes.updateTable('calendar').set({ revision: 10_000 }).execute()
    const account = await storage.reads
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'writer@example.org')
      .executeTakeFirstOrThrow()
    const viewer = {
      ...createAccountViewer(account as unknown as Account, false, { proof: 'password' }),
      standing: undefined,
    }
    for (const round of [0, 1]) {
      const objects = Array.from({ length: 450 }, (_, i) => ({ name: `${round}-${i}.ics`, revision: 900 + i }))
      recordObjects(app.ctx, viewer, objects)
      await flushServedVersions(app.ctx)
    }
    await flushServedVersions(app.ctx)
    assert.equal(await count('served_objects'), 500)
    recordListing(app.ctx, viewer, 1_200)
    await flushServedVersions(app.ctx)
    const left = await storage.reads.selectFrom('served_objects').select('revision').execute()
    assert.ok(left.length > 0 && left.every(({ revision }) => revision > 1_200), JSON.stringify(left))
    clock.at += 200 * 86_400_000
    await purgeExpired(app.ctx)
    assert.deepEqual([await count('served_revisions'), await count('served_objects')], [0, 0])
  }),
)

for (const setting of ['on', 'off'] as const)
  forEachEngine(`a PUT without If-Match is ${setting === 'on' ? 'always' : 'never'} accepted if so set`, (engine) =>
    withWorld(
      engine,
      async (world) => {
        const dav = davOf(world.writer)
        const expected = setting === 'on' ? 204 : 412
        assert.equal(await put(dav, 'a'), 201)
        assert.equal(await put(dav, 'b'), expected)
        assert.equal((await dav.get(ONE)).status, 200)
        assert.equal(await put(dav, 'c'), expected)
        await changeElsewhere(world)
        assert.equal(await put(dav, 'd'), expected)
        assert.equal(await put(dav, 'e', ONE, { 'if-none-match': '*' }), 412)
      },
      { settings: { DAYBOOK_CALDAV_BLIND_WRITES: setting } },
    ),
  )

forEachEngine('a response that the client did not read does not count', (engine) =>
  withWorld(engine, async (world) => {
    const dav = davOf(world.writer)
    assert.equal(await put(dav, 'a'), 201)
    await changeElsewhere(world)
    const { port } = new URL(await world.app.server.listen({ port: 0, host: '127.0.0.1' }))
    const request = (method: string, header = '') =>
      `${method} ${ONE} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basicOf('writer@example.org')}\r\n${header}\r\n`
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }
    // Resets the connection once the response is there, unread.
    for (const header of ['', 'Connection: close\r\n']) {
      const gone = await open()
      gone.pause()
      const served = once(world.app.server.server, 'request').then(([, response]) => once(response, 'finish'))
      gone.write(request('GET', header))
      await served
      gone.resetAndDestroy()
      await waitFor('the service has seen the end', async () => (await countConnections(world)) === 0)
      assert.equal(await put(dav, 'b'), 412)
    }
    // Sends another request on the connection, so it has received the first response.
    const stays = await open()
    stays.resume()
    stays.write(request('GET'))
    await once(stays, 'data')
    stays.write(request('HEAD'))
    await waitFor('the response counts', async () => (await put(dav, 'b')) === 204)
    stays.destroy()
    // Sends both at once: the second was written before there was a response.
    await changeElsewhere(world)
    const hurries = await open()
    const text = eventText('one', 'SUMMARY:hurried')
    hurries.write(
      request('GET') + request('PUT', `Content-Type: text/calendar\r\nContent-Length: ${text.length}\r\n`) + text,
    )
    let received = ''
    hurries.on('data', (chunk) => {
      received += chunk
    })
    await waitFor('both are answered', () => (received.match(/^HTTP\/1\.1 /gm)?.length ?? 0) === 2)
    assert.deepEqual(received.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 200', 'HTTP/1.1 412'])
    hurries.destroy()
    // Reads to the end and closes, as Evolution does after each request.
    await changeElsewhere(world)
    assert.equal(await put(dav, 'c'), 412)
    const closes = await open()
    closes.resume()
    closes.write(request('GET', 'Connection: close\r\n'))
    await once(closes, 'close')
    await waitFor('the response counts', async () => (await put(dav, 'c')) === 204)
  }),
)

const countConnections = ({ app }: World): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

forEachEngine('nothing is recorded for a reader, and what is recorded goes with the app password', (engine) =>
  withWorld(engine, async (world) => {
    const { app, reader, admin } = world
    const count = async (): Promise<number> =>
      (await app.ctx.storage.reads.selectFrom('served_objects').selectAll().execute()).length
    const person = await world.signIn('writer@example.org')
    const { body } = await person.post('/auth/app-passwords', { name: 'Laptop' })
    const laptop = davOf(world.as('writer@example.org', body.data.password))
    assert.equal(await put(laptop, 'a'), 201)
    assert.equal((await davOf(reader).get(ONE)).status, 200)
    await flushServedVersions(app.ctx)
    assert.equal(await count(), 1)
    assert.equal((await person.delete(`/auth/app-passwords/${body.data.id}`)).status, 204)
    assert.equal(await count(), 0)
    assert.equal((await davOf(world.writer).get(ONE)).status, 200)
    await flushServedVersions(app.ctx)
    assert.equal(await count(), 1)
    const { id } = await findWriter(world)
    assert.equal((await admin.delete(`/admin/users/${id}`)).status, 204)
    assert.equal(await count(), 0)
  }),
)

const findWriter = async ({ app }: World): Promise<{ id: string }> =>
  app.ctx.storage.reads
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'writer@example.org')
    .executeTakeFirstOrThrow()

test('after a failover to an older history, what was received of the lost one does not count', () =>
  withWorld('sqlite', async (world) => {
    const dav = davOf(world.writer)
    for (const summary of ['a', 'b', 'c']) assert.ok((await put(dav, summary)) < 300)
    assert.equal((await sync(dav)).status, 207)
    await flushServedVersions(world.app.ctx)
    // As a standby that lacks the last writes: without the record, and with lower revisions.
    const { writes } = world.app.ctx.storage
    await writes.deleteFrom('served_revisions').execute()
    await writes.updateTable('calendar').set({ revision: 1 }).execute()
    await changeElsewhere(world)
    assert.equal(await put(dav, 'd'), 412)
    assert.equal((await sync(dav)).status, 207)
    assert.equal(await put(dav, 'd'), 204)
  }))

test('after a failover what was received from another PostgreSQL server does not count', async () => {
  const server = await startPostgres()
  const place = await makePlace('sqlite')
  const world = await openWorld('postgres', { ...place, settings: { DAYBOOK_DATABASE_URL: server.url } })
  try {
    const { ctx } = world.app
    const dav = davOf(world.writer)
    assert.equal(await put(dav, 'a'), 201)
    await noteDatabase(ctx)
    for (const settle of [flushServedVersions, () => {}]) {
      assert.equal((await sync(dav)).status, 207)
      // As a standby that lacks the last writes and has been written to since.
      await ctx.storage.writes.deleteFrom('served_revisions').execute()
      await server.restart()
      await settle(ctx)
      assert.equal(await put(dav, 'b'), 412)
      assert.equal((await sync(dav)).status, 207)
      assert.equal(await put(dav, 'b'), 204)
    }
  } finally {
    await world.app.close()
    await place.remove()
    await server.stop()
  }
})
