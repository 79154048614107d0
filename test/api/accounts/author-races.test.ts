// Writes whose author loses access meanwhile: the writing transaction checks access again and changes nothing.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { ApiResponse, Json } from '../../support/http/api-response.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import { holdWritesOf } from '../../support/storage/held-writes.ts'
import { type Client, PASSWORD, type World, withWorld } from '../../support/world.ts'

const EVENT = { title: 'Harvest', start: '2026-07-14T09:00:00+01:00', end: '2026-07-14T10:00:00+01:00' }
const SERIES = { ...EVENT, rrule: 'FREQ=DAILY;COUNT=9' }
const KEY = '20260715T090000'

const objectText = (uid: string, title = 'Sent'): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260701T000000Z',
    'DTSTART:20260714T090000Z',
    'DTEND:20260714T100000Z',
    `SUMMARY:${title}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

interface RacingAuthor {
  id: string
  email: string
  /** By session where the route takes one, else by password. */
  client: Client
}

interface Write {
  name: string
  /** Creates what must exist before; the result is passed to `send`. */
  prepare?: (world: World, person: RacingAuthor) => Promise<Json>
  send: (client: Client, made: Json, world: World) => Promise<ApiResponse>
  role?: 'admin'
}

const dav = (world: World, name = ''): string => `${world.app.site.davBase}/calendars/main/${name}`
const makeSeries = ({ writer }: World): Promise<Json> => writer.creates(SERIES)
const putObject = async (world: World): Promise<{ name: string; uid: string }> => {
  const uid = `object-${Math.random()}`
  const answer = await world.writer.send({
    method: 'PUT',
    url: dav(world, `${uid}.ics`),
    headers: { 'content-type': 'text/calendar' },
    payload: objectText(uid),
  })
  assert.equal(answer.status, 201)
  return { name: `${uid}.ics`, uid }
}

const WRITES: Write[] = [
  { name: 'POST event', send: (client) => client.post('/events', EVENT) },
  {
    name: 'PUT event',
    prepare: makeSeries,
    send: (client, { id, version }) => client.put(`/events/${id}`, { ...EVENT, version }),
  },
  {
    name: 'PATCH event',
    prepare: makeSeries,
    send: (client, { id, version }) => client.patch(`/events/${id}`, { title: 'Changed', version }),
  },
  { name: 'DELETE event', prepare: makeSeries, send: (client, { id }) => client.delete(`/events/${id}`) },
  {
    name: 'PATCH occurrence',
    prepare: makeSeries,
    send: (client, { id, version }) => client.patch(`/events/${id}/occurrences/${KEY}`, { title: 'Changed', version }),
  },
  {
    name: 'DELETE occurrence',
    prepare: makeSeries,
    send: (client, { id }) => client.delete(`/events/${id}/occurrences/${KEY}`),
  },
  {
    name: 'DELETE exception',
    async prepare(world) {
      const series = await makeSeries(world)
      await world.writer.delete(`/events/${series.id}/occurrences/${KEY}`)
      return series
    },
    send: (client, { id }) => client.delete(`/events/${id}/exceptions/${KEY}`),
  },
  {
    name: 'POST restore',
    prepare: async (world) => {
      const series = await makeSeries(world)
      await world.writer.delete(`/events/${series.id}`)
      return series
    },
    send: (client, { id }) => client.post(`/trash/${id}/restore`, undefined),
  },
  {
    name: 'POST restore of a version',
    prepare: async (world) => {
      const series = await makeSeries(world)
      await world.writer.patch(`/events/${series.id}`, { title: 'Later', version: 1 })
      return series
    },
    send: (client, { id }) => client.post(`/events/${id}/history/1/restore`, { version: 2 }),
  },
  {
    name: 'DELETE trash',
    role: 'admin',
    prepare: async (world) => {
      const { id } = await makeSeries(world)
      await world.writer.delete(`/events/${id}`)
    },
    send: (client) => client.delete('/trash'),
  },
  {
    name: 'CalDAV PUT',
    send: (client, _made, world) =>
      client.send({
        method: 'PUT',
        url: dav(world, 'new.ics'),
        headers: { 'content-type': 'text/calendar' },
        payload: objectText('new-object'),
      }),
  },
  {
    name: 'CalDAV DELETE',
    prepare: putObject,
    send: (client, { name }, world) => client.send({ method: 'DELETE', url: dav(world, name) }),
  },
  {
    name: 'CalDAV MOVE',
    prepare: putObject,
    send: (client, { name }, world) =>
      client.send({
        method: 'MOVE' as 'GET',
        url: dav(world, name),
        headers: { destination: dav(world, `moved-${name}`) },
      }),
  },
  {
    name: 'CalDAV PROPPATCH',
    send: (client, _made, world) =>
      client.send({
        method: 'PROPPATCH' as 'GET',
        url: dav(world),
        headers: { 'content-type': 'application/xml' },
        payload:
          '<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><D:displayname>Mine</D:displayname></D:prop></D:set></D:propertyupdate>',
      }),
  },
  {
    name: 'import',
    role: 'admin',
    send: (client, _made, world) =>
      client.send({
        method: 'POST',
        url: `${world.app.site.base}/admin/import`,
        headers: { 'content-type': 'text/calendar' },
        payload: objectText('imported'),
      }),
  },
  {
    name: 'export',
    role: 'admin',
    send: (client) => client.get('/admin/export.ics'),
  },
  {
    name: 'PATCH user',
    role: 'admin',
    prepare: (world) => world.addPerson(`subject-${Math.random()}@example.org`, 'reader'),
    send: (client, id) => client.patch(`/admin/users/${id}`, { role: 'writer' }),
  },
  {
    name: 'DELETE user',
    role: 'admin',
    prepare: (world) => world.addPerson(`subject-${Math.random()}@example.org`, 'reader'),
    send: (client, id) => client.delete(`/admin/users/${id}`),
  },
  {
    name: 'POST reject requests',
    role: 'admin',
    prepare: (world) => world.addPerson(`waiting-${Math.random()}@example.org`, 'reader', 'pending_approval'),
    send: (client, id) => client.post('/admin/users/reject', { ids: [id] }),
  },
  {
    name: 'DELETE sessions of a user',
    role: 'admin',
    prepare: (world) => world.addPerson(`subject-${Math.random()}@example.org`, 'reader'),
    send: (client, id) => client.delete(`/admin/users/${id}/sessions`),
  },
  { name: 'POST app password', send: (client) => client.post('/auth/app-passwords', { name: 'phone' }) },
  {
    name: 'DELETE app password',
    prepare: async (_world, { client }) => (await client.post('/auth/app-passwords', { name: 'phone' })).body.data,
    send: (client, { id }) => client.delete(`/auth/app-passwords/${id}`),
  },
  {
    name: 'POST token',
    send: (client) => client.post('/auth/tokens', { name: 'script', scopes: ['events:read'] }),
  },
  {
    name: 'DELETE token',
    prepare: async (_world, { client }) =>
      (await client.post('/auth/tokens', { name: 'script', scopes: ['events:read'] })).body.data,
    send: (client, { id }) => client.delete(`/auth/tokens/${id}`),
  },
  { name: 'POST feed link', send: (client) => client.post('/auth/feeds', { name: 'reader' }) },
  {
    name: 'PATCH feed link',
    prepare: async (_world, { client }) => (await client.post('/auth/feeds', { name: 'reader' })).body.data,
    send: (client, { id }) => client.patch(`/auth/feeds/${id}`, { name: 'renamed' }),
  },
  {
    name: 'DELETE feed link',
    prepare: async (_world, { client }) => (await client.post('/auth/feeds', { name: 'reader' })).body.data,
    send: (client, { id }) => client.delete(`/auth/feeds/${id}`),
  },
  {
    name: 'change password',
    send: (client) =>
      client.post('/auth/change-password', { current_password: PASSWORD, password: 'another long sentence' }),
  },
  { name: 'DELETE own sessions', send: (client) => client.delete('/auth/sessions') },
]

const TABLES = [
  'events',
  'exceptions',
  'gone_names',
  'trash',
  'event_versions',
  'dav_properties',
  'app_passwords',
  'api_tokens',
  'feed_links',
  'users',
  'audit',
] as const

/** The rows that a refused write must not change. */
async function readAll({ app }: World): Promise<Json> {
  const tables: Record<string, Json> = {}
  for (const table of TABLES) {
    const rows = await app.ctx.storage.reads.selectFrom(table).selectAll().execute()
    // Refusals are recorded for administrators, as are imports that stored nothing.
    const kept = (rows as Json[]).filter(({ action }) => !['access_denied', 'calendar_imported'].includes(action))
    // The last use of a credential is not part of any write here.
    tables[table] = kept.map(({ last_used_at: _, ...row }) => JSON.stringify(row)).sort()
  }
  return tables
}

let people = 0

async function addActor(world: World, role: 'writer' | 'admin'): Promise<{ id: string; email: string }> {
  const email = `actor-${people++}@example.org`
  return { id: await world.addPerson(email, role), email }
}

forEachEngine('a write of an account that is suspended while it is under way changes nothing', (engine) =>
  withWorld(engine, async (world) => {
    const hold = holdWritesOf(world)
    for (const { name, role = 'writer', prepare, send } of WRITES) {
      const actor = await addActor(world, role)
      const person = { ...actor, client: world.as(actor.email) }
      const made = await prepare?.(world, person)
      // Authenticated before, so that the first transaction of the held request is its own.
      assert.equal((await person.client.get('/auth/session')).status, 200)
      const held = hold(() => send(person.client, made, world))
      await held.reached
      assert.equal((await world.admin.patch(`/admin/users/${actor.id}`, { approval_state: 'suspended' })).status, 200)
      const before = await readAll(world)
      held.letGo()
      const answer = await held.answer
      assert.ok([401, 403].includes(answer.status), `${name} was answered ${answer.status} ${answer.text}`)
      assert.deepEqual(await readAll(world), before, name)
    }
  }),
)

interface Ending {
  name: string
  status: number
  /** Creates the credential, and ends it. */
  arrange(world: World, actor: { id: string; email: string }): Promise<{ client: Client; end(): Promise<ApiResponse> }>
}

const bearer = (world: World, token: string): Client => world.with({ authorization: `Bearer ${token}` })

const madeToken = async (world: World, email: string): Promise<{ id: string; token: string }> => {
  const wanted = { name: 'script', scopes: ['events:read', 'events:write'] }
  return (await world.as(email).post('/auth/tokens', wanted)).body.data
}

const madeAppPassword = async (world: World, email: string): Promise<{ id: string; password: string }> =>
  (await world.as(email).post('/auth/app-passwords', { name: 'phone' })).body.data

const byAdmin = (name: string, status: number, change: object, kind: 'password' | 'session' | 'token' | 'device') => ({
  name: `${name}, by ${kind}`,
  status,
  async arrange(world: World, { id, email }: { id: string; email: string }) {
    const client = {
      password: async () => world.as(email),
      session: () => world.signIn(email),
      token: async () => bearer(world, (await madeToken(world, email)).token),
      device: async () => world.as(email, (await madeAppPassword(world, email)).password),
    }[kind]
    return { client: await client(), end: () => world.admin.patch(`/admin/users/${id}`, change) }
  },
})

const ENDINGS: Ending[] = [
  byAdmin('suspension', 403, { approval_state: 'suspended' }, 'password'),
  byAdmin('suspension', 401, { approval_state: 'suspended' }, 'session'),
  byAdmin('suspension', 403, { approval_state: 'suspended' }, 'token'),
  byAdmin('suspension', 403, { approval_state: 'suspended' }, 'device'),
  byAdmin('demotion', 403, { role: 'reader' }, 'password'),
  byAdmin('demotion', 401, { role: 'reader' }, 'session'),
  byAdmin('demotion', 403, { role: 'reader' }, 'token'),
  byAdmin('demotion', 403, { role: 'reader' }, 'device'),
  byAdmin('an address no longer verified', 403, { email_verified: false }, 'token'),
  {
    name: 'deletion of the account',
    status: 401,
    arrange: async (world, { id, email }) => ({
      client: world.as(email),
      end: () => world.admin.delete(`/admin/users/${id}`),
    }),
  },
  {
    name: 'sessions ended by an administrator',
    status: 401,
    arrange: async (world, { id, email }) => ({
      client: await world.signIn(email),
      end: () => world.admin.delete(`/admin/users/${id}/sessions`),
    }),
  },
  {
    name: 'signing out everywhere',
    status: 401,
    arrange: async (world, { email }) => ({
      client: await world.signIn(email),
      end: () => world.as(email).delete('/auth/sessions'),
    }),
  },
  {
    name: 'revoking the token',
    status: 401,
    async arrange(world, { email }) {
      const { id, token } = await madeToken(world, email)
      return { client: bearer(world, token), end: () => world.as(email).delete(`/auth/tokens/${id}`) }
    },
  },
  {
    name: 'revoking the app password',
    status: 401,
    async arrange(world, { email }) {
      const { id, password } = await madeAppPassword(world, email)
      return { client: world.as(email, password), end: () => world.as(email).delete(`/auth/app-passwords/${id}`) }
    },
  },
  {
    name: 'a changed password',
    status: 401,
    async arrange(world, { email }) {
      const change = { current_password: PASSWORD, password: 'another long sentence' }
      return { client: world.as(email), end: () => world.as(email).post('/auth/change-password', change) }
    },
  },
]

forEachEngine(
  'whatever ends a credential ends the write in progress with it, and all writes that come after',
  (engine) =>
    withWorld(engine, async (world) => {
      const hold = holdWritesOf(world)
      for (const { name, status, arrange } of ENDINGS) {
        const actor = await addActor(world, 'writer')
        const { client, end } = await arrange(world, actor)
        assert.equal((await client.get('/auth/session')).status, 200, name)
        const held = hold(() => client.post('/events', { ...EVENT, title: name }))
        await held.reached
        const ended = await end()
        assert.ok(ended.status < 300, `${name}: ${ended.status} ${ended.text}`)
        held.letGo()
        const answer = await held.answer
        assert.equal(answer.status, status, `${name}: ${answer.text}`)
        assert.equal('www-authenticate' in answer.headers, status === 401, name)
        const later = await client.post('/events', EVENT)
        assert.equal(later.status, status, `${name}, later: ${later.text}`)
      }
      const { data } = (await world.writer.get('/events')).body
      assert.deepEqual(data, [])
    }),
)

forEachEngine('no request that starts after an acknowledged suspension reads anything private', (engine) =>
  withWorld(engine, async (world) => {
    await world.writer.creates({ ...EVENT, title: 'Quince', visibility: 'private' })
    const list = '/events?from=2026-07-14&to=2026-07-14'
    for (const kind of ['password', 'session', 'token', 'device'] as const) {
      const actor = await addActor(world, 'writer')
      const { client } = await byAdmin('suspension', 0, {}, kind).arrange(world, actor)
      // Twice: the second response comes from the response cache.
      for (let i = 0; i < 2; i++) assert.match((await client.get(list)).text, /Quince/)
      const asked = Array.from({ length: 20 }, () => client.get(list))
      assert.equal((await world.admin.patch(`/admin/users/${actor.id}`, { approval_state: 'suspended' })).status, 200)
      const later = await Promise.all([
        ...Array.from({ length: 20 }, () => client.get(list)),
        client.get('/events'),
        client.post('/events', EVENT),
        client.send({ method: 'REPORT' as 'GET', url: dav(world), payload: '' }),
      ])
      for (const { status, text } of later) {
        assert.doesNotMatch(text, /Quince/, kind)
        assert.ok([200, 401, 403].includes(status), `${kind}: ${status}`)
      }
      await Promise.all(asked)
    }
  }),
)

forEachEngine('a report whose body arrives after a suspension shows nothing private', (engine) =>
  withWorld(engine, async (world) => {
    await world.writer.creates({ ...EVENT, title: 'Quince', visibility: 'private' })
    const actor = await addActor(world, 'writer')
    const client = world.as(actor.email)
    const asked = Promise.withResolvers<void>()
    const payload = new Readable({ read: () => asked.resolve() })
    const headers = { 'content-type': 'application/xml', 'transfer-encoding': 'chunked', depth: '1' }
    const answer = client.send({ method: 'REPORT' as 'GET', url: dav(world), headers, payload })
    // The body is read once the credentials were accepted.
    await asked.promise
    assert.equal((await world.admin.patch(`/admin/users/${actor.id}`, { approval_state: 'suspended' })).status, 200)
    payload.push(
      '<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><C:calendar-data/></D:prop>' +
        '<C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>',
    )
    payload.push(null)
    const { status, text } = await answer
    assert.doesNotMatch(text, /Quince/)
    assert.equal(status, 403)
  }),
)

forEachEngine('a request whose empty body ends after a suspension is refused', (engine) =>
  withWorld(engine, async (world) => {
    const { id } = await world.writer.creates({ ...EVENT, title: 'Quince', visibility: 'private' })
    const actor = await addActor(world, 'writer')
    const asked = Promise.withResolvers<void>()
    const payload = new Readable({ read: () => asked.resolve() })
    const headers = { 'transfer-encoding': 'chunked', depth: '1' }
    const answer = world.as(actor.email).send({ method: 'PROPFIND' as 'GET', url: dav(world), headers, payload })
    await asked.promise
    assert.equal((await world.admin.patch(`/admin/users/${actor.id}`, { approval_state: 'suspended' })).status, 200)
    payload.push(null)
    const { status, text } = await answer
    assert.equal(text.includes(id), false)
    assert.equal(status, 403)
  }),
)

/** Writes in ten overlapping loops during `act`, until a write is refused or, with no `refusal`, until `act` ends. */
async function actBesideWrites(
  client: Client,
  act: () => Promise<ApiResponse>,
  refusal?: number,
): Promise<ApiResponse> {
  const begun = Array.from({ length: 10 }, () => Promise.withResolvers<void>())
  let isEnding = false
  const loops = begun.map(async ({ resolve }) => {
    for (;;) {
      const { status } = await client.post('/events', EVENT)
      resolve()
      if (status !== 201 || isEnding) return status
    }
  })
  await Promise.all(begun.map(({ promise }) => promise))
  const answer = await act()
  isEnding = refusal === undefined || answer.status >= 300
  assert.deepEqual(new Set(await Promise.all(loops)), new Set([isEnding ? 201 : refusal]), answer.text)
  return answer
}

forEachEngine('an account whose owner writes without a pause can be changed, and suspended', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const email = 'busy@example.org'
      const id = await world.addPerson(email, 'writer', 'approved', false)
      const decider = await world.addPerson('decider@example.org', 'admin')
      await world.app.ctx.storage.writes
        .updateTable('users')
        .set({ decided_by: decider })
        .where('id', '=', id)
        .execute()
      const client = world.as(email)
      const browser = await world.signIn(email)
      const request = { email, password: 'another long sentence', display_name: 'Busy' }
      const registered = await actBesideWrites(client, () => world.anonymous.post('/users/register', request))
      assert.equal(registered.status, 202, registered.text)
      const removed = await actBesideWrites(client, () => world.admin.delete(`/admin/users/${decider}`))
      assert.equal(removed.status, 204, removed.text)
      const loggedOut = await actBesideWrites(browser, () => browser.post('/auth/logout', {}), 401)
      assert.equal(loggedOut.status, 204, loggedOut.text)
      const change = { approval_state: 'suspended' }
      const suspended = await actBesideWrites(client, () => world.admin.patch(`/admin/users/${id}`, change), 403)
      assert.equal(suspended.status, 200, suspended.text)
      assert.equal((await client.post('/events', EVENT)).status, 403)
    },
    { settings: { DAYBOOK_REQUIRE_VERIFIED_EMAIL: 'off' } },
  ),
)
