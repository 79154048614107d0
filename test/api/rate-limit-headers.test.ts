// RateLimit headers: each response names its limits; what is left is sent of one's own account only.
import assert from 'node:assert/strict'
import { eventText, MAIN } from '../caldav/support/events.ts'
import type { ApiResponse } from '../support/http/api-response.ts'
import { davOf } from '../support/http/dav.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { ask, basicOf, type Client, type World, withWorld } from '../support/world.ts'

const ON = { settings: { DAYBOOK_RATE_LIMITS: 'on' } }
const ANYONE = '"public-ip";q=600;w=300'
const PAGE = '"page-ip";q=3000;w=300'
const READ = '"api-user";q=600;w=60'
const WRITE = '"api-user";q=600;w=60, "api-user-writes";q=120;w=60'
const EVENT = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' }

const limitsOf = ({ headers }: ApiResponse) => [headers['ratelimit-policy'], headers.ratelimit]

/** What is left of each policy, by name. */
const leftOf = ({ headers }: ApiResponse): Record<string, number> =>
  Object.fromEntries(
    String(headers.ratelimit ?? '')
      .split(', ')
      .filter(Boolean)
      .map((item) => {
        const [, name, left] = /^"([\w-]+)";r=(\d+);t=[1-9]\d*$/.exec(item) ?? assert.fail(item)
        return [name!, Number(left)]
      }),
  )

/** Traced requests pass Fastify; a hundred each second are traced. */
async function fillRecorder({ app }: World): Promise<void> {
  const urls = Array.from({ length: 101 }, (_, i) => `${app.site.base}/public/categories?n=${i}`)
  await Promise.all(urls.map((url) => ask(app, { url })))
}

forEachEngine('an account sees what is left of its own limits on every response', (engine) =>
  withWorld(
    engine,
    async ({ writer, reader, admin }) => {
      const made = await writer.post('/events', EVENT)
      assert.deepEqual([made.status, limitsOf(made)[0]], [201, WRITE])
      assert.deepEqual(leftOf(made), { 'api-user': 599, 'api-user-writes': 119 })
      const path = `/events/${made.body.data.id}`
      const etag = String(made.headers.etag)
      const answers: [ApiResponse, number][] = [
        [await writer.get(path), 200],
        [await writer.get(path, { 'if-none-match': etag }), 304],
        [await writer.head(path), 200],
        [await writer.get('/events?nothing=1'), 400],
        [await writer.get('/admin/users'), 403],
        [await writer.get('/events/00000000000000000000000000'), 404],
        [await writer.get('/events?view=month'), 200],
      ]
      for (const [i, [answer, status]] of answers.entries()) {
        assert.equal(answer.status, status)
        assert.equal(limitsOf(answer)[0], READ)
        assert.deepEqual(leftOf(answer), { 'api-user': 598 - i })
      }
      const stale = await writer.patch(path, { title: 'B' }, { 'if-match': '"e-9-00000000"' })
      assert.equal(stale.status, 412)
      assert.deepEqual(leftOf(stale), { 'api-user': 591, 'api-user-writes': 118 })
      assert.deepEqual(leftOf(await reader.get(path)), { 'api-user': 599 }, 'the limits of another account are its own')
      assert.deepEqual(leftOf(await admin.get('/admin/users')), { 'api-user': 599 })
    },
    ON,
  ),
)

forEachEngine(
  'a change of a stored event names the limit of changes too, and what changes nothing does not',
  (engine) =>
    withWorld(
      engine,
      async ({ writer }) => {
        const dav = davOf(writer)
        const left = (answer: Pick<ApiResponse, 'headers'>) => leftOf(answer as ApiResponse)['bulk-changes']
        const made = await writer.post('/events', { ...EVENT, rrule: 'FREQ=DAILY;COUNT=9' })
        const path = `/events/${made.body.data.id}`
        assert.equal(left(made), undefined)
        const changed = await writer.patch(path, { title: 'B', version: 1 })
        assert.equal(limitsOf(changed)[0], `${WRITE}, "bulk-changes";q=200;w=600`)
        assert.deepEqual(leftOf(changed), { 'api-user': 598, 'api-user-writes': 118, 'bulk-changes': 199 })
        assert.equal(left(await writer.patch(path, { title: 'C', version: 1 })), undefined, '412')
        const [occurrence] = (await writer.get(`${path}/occurrences?from=2026-01-01`)).body.data
        assert.equal(left(await writer.delete(`${path}/occurrences/${occurrence.occurrence_key}`)), 198)
        const operations = [
          { op: 'delete', id: made.body.data.id },
          { op: 'create', event: EVENT },
        ]
        assert.equal(left(await writer.post('/events/bulk', { operations })), 197)
        assert.equal(left(await writer.post('/events/bulk', { operations: operations.slice(1) })), undefined)
        assert.equal(left(await dav.put(`${MAIN}a.ics`, eventText('a@example.org'))), undefined, '201')
        assert.equal(left(await dav.put(`${MAIN}a.ics`, eventText('a@example.org', 'LOCATION:Hall'))), 196)
        assert.equal(left(await dav.delete(`${MAIN}a.ics`)), 195)
        assert.equal(left(await dav.delete(`${MAIN}a.ics`)), undefined, '404')
      },
      ON,
    ),
)

forEachEngine('the fast path sends each account what is left of its own limits', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { writer, reader, anonymous } = world
      await writer.creates(EVENT)
      await fillRecorder(world)
      const list = (client: Client) => client.get('/events?view=month')
      for (let i = 0; i < 5; i++) {
        const answers = [await list(reader), await list(writer)]
        assert.deepEqual(answers.map(leftOf), [{ 'api-user': 599 - i }, { 'api-user': 598 - i }])
        for (const answer of answers) assert.equal(limitsOf(answer)[0], READ)
        assert.deepEqual(limitsOf(await list(anonymous)), [ANYONE, undefined])
      }
    },
    ON,
  ),
)

forEachEngine('limits by network are named, and nothing tells what others of the network have used', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { anonymous, addPerson, as, app } = world
      await fillRecorder(world)
      await addPerson('waiting@example.org', 'writer', 'pending_approval')
      const { status, headers } = await anonymous.get('/public/nothing-here')
      assert.deepEqual([status, headers['ratelimit-policy'], headers.ratelimit], [404, ANYONE, undefined])
      for (let i = 0; i < 3; i++)
        for (const path of ['/events?view=month', '/public/events?view=month', '/public/calendar.ics', '/nothing'])
          assert.deepEqual(limitsOf(await anonymous.get(path)), [ANYONE, undefined], path)
      assert.deepEqual(limitsOf(await as('waiting@example.org').get('/events')), [ANYONE, undefined])
      assert.deepEqual(limitsOf(await anonymous.get('/openapi.json')), [PAGE, undefined])
      const send = (url: string) => anonymous.send({ method: 'GET', url })
      assert.deepEqual(limitsOf(await send('/healthz')), [undefined, undefined])
      assert.deepEqual(limitsOf(await send(`${app.site.root}/`)), [PAGE, undefined])
    },
    ON,
  ),
)

forEachEngine('no limit tells whether an account exists', (engine) =>
  withWorld(
    engine,
    async ({ anonymous }) => {
      const register = (email: string) =>
        anonymous.post('/users/register', { email, password: 'seven quiet herons', display_name: 'Choir' })
      const forgot = (email: string) => anonymous.post('/users/forgot-password', { email })
      const basic = (email: string) => anonymous.get('/events', { authorization: basicOf(email, 'wrong password') })
      const login = (email: string) => anonymous.post('/auth/login', { email, password: 'wrong password' })
      for (const [action, policies] of [
        [register, `${PAGE}, "register";q=5;w=1800, "register-day";q=20;w=86400`],
        [forgot, `${PAGE}, "forgot-ip";q=20;w=1800, "forgot-hour";q=40;w=3600`],
        [basic, '"login-ip";q=50;w=900'],
        [login, `${PAGE}, "login-ip";q=50;w=900`],
      ] as const)
        for (const email of ['writer@example.org', 'nobody@example.org'])
          assert.deepEqual(limitsOf(await action(email)), [policies, undefined], action.name)
    },
    ON,
  ),
)

forEachEngine('a refusal names the limit that was reached, and when there is room', (engine) =>
  withWorld(
    engine,
    async ({ writer, clock }) => {
      for (let i = 0; i < 119; i++) await writer.delete('/events/00000000000000000000000000')
      const last = await writer.delete('/events/00000000000000000000000000')
      assert.deepEqual(leftOf(last), { 'api-user': 480, 'api-user-writes': 0 })
      const refused = await writer.delete('/events/00000000000000000000000000')
      assert.equal(refused.status, 429)
      const wait = Number(refused.headers['retry-after'])
      assert.deepEqual(limitsOf(refused), ['"api-user-writes";q=120;w=60', `"api-user-writes";r=0;t=${wait}`])
      assert.equal(String(last.headers.ratelimit), `"api-user";r=480;t=60, "api-user-writes";r=0;t=${wait}`)
      clock.at += wait * 1_000
      assert.equal((await writer.delete('/events/00000000000000000000000000')).status, 404)
    },
    { ...ON, now: '2026-07-10T12:00:00Z' },
  ),
)

forEachEngine('with limits off no limit is named', (engine) =>
  withWorld(engine, async ({ anonymous, writer }) => {
    for (const client of [anonymous, writer])
      assert.deepEqual(limitsOf(await client.get('/events?view=month')), [undefined, undefined])
  }),
)

forEachEngine('over the limit of public reads, browsers get a page that says so', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { id } = await world.writer.creates({
        title: 'Harvest',
        start: '2026-07-18T18:30',
        end: '2026-07-18T22:00',
        visibility: 'public',
      })
      const send = (accept: string) =>
        world.anonymous.send({ method: 'GET', url: `/events/${id}`, headers: { accept }, remoteAddress: '203.0.113.7' })
      for (let i = 0; i < 600; i++) await send('text/html')
      const page = await send('text/html')
      assert.equal(page.status, 429)
      assert.ok(Number(page.headers['retry-after']) > 0)
      assert.match(page.text, /<h1>Too many requests at the moment<\/h1>/)
      assert.doesNotMatch(page.text, /Harvest/)
      assert.equal((await send('application/json')).body.error.code, 'rate_limited')
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ),
)
