// Canary words: sent in every position of every operation, then searched for in traces, audit, logs and a dump.
import assert from 'node:assert/strict'
import type { Json } from '../../support/http/api-response.ts'
import { captureLog } from '../../support/measure/captured-log.ts'
import { forEachEngine } from '../../support/storage/engines.ts'
import type { World as StoryWorld } from '../../support/world.ts'
import { PASSWORD, withWorld } from '../../support/world.ts'

/** Each a different word, none of which the service would write by itself. */
const CANARIES = [
  'password',
  'token',
  'cookie',
  'csrf',
  'basic',
  'bearer',
  'title',
  'description',
  'location',
  'email',
  'feed',
  'agent',
  'header',
  'query',
  'key',
  'name',
  'message',
  'path',
] as const
type CanaryKind = (typeof CANARIES)[number]
const canary = (kind: CanaryKind): string => `Zq${kind}${[...kind].map((c) => c.charCodeAt(0).toString(36)).join('')}xJ`

/** The columns in which a word may be stored, because it was sent for them. */
const HOMES: Partial<Record<CanaryKind, string[]>> = {
  title: ['events.title', 'events.search_text', 'events.ical'],
  description: ['events.description', 'events.search_text', 'events.ical'],
  location: ['events.location', 'events.search_text', 'events.ical'],
  email: ['users.email', 'users.email_key', 'outbox.email_key', 'tokens.email_key'],
  name: ['users.display_name', 'users.name_key', 'app_passwords.name', 'api_tokens.name', 'feed_links.name'],
  message: ['users.request_message'],
  agent: ['sessions.user_agent'],
  key: [],
}

forEachEngine('text that clients send is stored in its own column and nowhere else', async (engine) => {
  const logged = captureLog()
  try {
    await withWorld(
      engine,
      async (world) => {
        await sendSense(world)
        const operations = operationsOf(world)
        for (const operation of operations) {
          for (const request of nonsense(operation)) await world.anonymous.send(request)
          // Only so many traces are kept each second.
          world.clock.at += 1_000
          await world.app.flushTraces()
        }
        const traces = await world.app.ctx.storage.reads.selectFrom('traces').select('entry').execute()
        const traced = new Set(traces.map(({ entry }) => JSON.parse(entry).request.route))
        // A stream that its client leaves has no trace, and this one refuses nothing.
        for (const { path } of operations)
          if (path !== '/public/stream') assert.ok(traced.has(path), `${path} has traces to look at`)
        // Names are looked up when the trail is read, and are not stored in it.
        const entries: Json[] = (await world.admin.get('/admin/audit?per_page=200')).body.data
        const audit = JSON.stringify(entries.map(({ actor_name, subject_name, ...entry }) => entry))
        await world.app.flushTraces()
        const found = await searchDump(world)
        for (const kind of CANARIES) {
          const word = canary(kind).toLowerCase()
          assert.ok(!traces.some(({ entry }) => entry.toLowerCase().includes(word)), `${kind} in diagnostics`)
          assert.ok(!audit.toLowerCase().includes(word), `${kind} in the audit trail`)
          assert.ok(!logged.text().toLowerCase().includes(word), `${kind} in the log`)
          const homes = HOMES[kind] ?? []
          assert.deepEqual(
            found.filter(([what, where]) => what === kind && !homes.includes(where)),
            [],
          )
        }
        assert.ok(found.some(([kind]) => kind === 'title') && found.some(([kind]) => kind === 'email'))
      },
      { settings: { DAYBOOK_LOG_LEVEL: 'info' } },
    )
  } finally {
    logged.stop()
  }
})

/** Valid requests, so that the words get as far as they can. */
async function sendSense({ anonymous, admin, signIn, app }: StoryWorld): Promise<void> {
  const agent = { 'user-agent': `${canary('agent')} (${canary('agent')})` }
  const person = {
    email: `${canary('email')}@example.org`,
    password: `long ${canary('password')}`,
    display_name: canary('name'),
    message: canary('message'),
  }
  assert.equal((await anonymous.post('/users/register', person, agent)).status, 202)
  await anonymous.post('/users/forgot-password', { email: person.email })
  await app.deliverMail()
  await anonymous.post('/auth/login', { email: person.email, password: person.password }, agent)
  await anonymous.post('/auth/login', { email: 'admin@example.org', password: canary('password') }, agent)
  const [user] = (await admin.get(`/admin/users?q=${canary('email').toLowerCase()}`)).body.data
  await admin.patch(`/admin/users/${user.id}`, { approval_state: 'approved', email_verified: true })
  const browser = await signIn(person.email, person.password)
  const event = {
    title: canary('title'),
    description: canary('description'),
    location: canary('location'),
    start: '2026-07-14T09:00',
    end: '2026-07-14T10:00',
  }
  const made = await browser.post('/events', event, { 'idempotency-key': canary('key'), ...agent })
  assert.equal(made.status, 201)
  await browser.get(`/events?q=${canary('title')}&category=${canary('query')}`, agent)
  await browser.patch(`/events/${made.body.data.id}`, { title: canary('title'), version: 9 })
  await browser.post('/auth/app-passwords', { name: canary('name') })
  await browser.post('/auth/tokens', { name: canary('name'), scopes: ['events:read'] })
  await browser.post('/auth/feeds', { name: canary('name') })
  await browser.post('/auth/change-password', { current_password: canary('password'), password: canary('password') })
  await admin.patch(`/admin/users/${user.id}`, { display_name: canary('name') })
  await signIn('writer@example.org', PASSWORD)
}

interface CanaryOperation {
  method: string
  path: string
  fields: string[]
}

function operationsOf({ app }: StoryWorld): CanaryOperation[] {
  const document = app.openApi() as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: { $ref: string } }> } }>>
    components: { schemas: Record<string, { properties?: Record<string, unknown> }> }
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => {
      const name = requestBody?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? ''
      return { method, path, fields: Object.keys(document.components.schemas[name]?.properties ?? {}) }
    }),
  )
}

/** Requests that are invalid in every place: path, query, each header, each field, and unknown names. */
function nonsense({ method, path, fields }: CanaryOperation): Parameters<StoryWorld['anonymous']['send']>[0][] {
  const filled = `/api-root/calendar/v1${path.replace(/\{\w+\}/g, canary('path'))}`
  const known = ['from', 'to', 'view', 'page', 'per_page', 'limit', 'timezone', 'expand', 'q', 'category', 'sort']
  const query = [...known, canary('query')].map((name) => `${name}=${canary('query')}`).join('&')
  const names = ['accept', 'if-match', 'if-none-match', 'prefer', 'depth', 'origin', 'referer', 'sec-fetch-site']
  const odd = Object.fromEntries([...names, 'x-forwarded-for', 'x-custom'].map((name) => [name, canary('header')]))
  const body = JSON.stringify({
    ...Object.fromEntries(fields.map((field) => [field, canary('token')])),
    [canary('name')]: canary('title'),
  })
  const credentials: Record<string, string>[] = [
    {},
    { authorization: `Basic ${Buffer.from(`${canary('email')}@example.org:${canary('basic')}`).toString('base64')}` },
    { authorization: `Bearer calpat_${canary('bearer')}` },
    { authorization: canary('basic') },
    { cookie: `cal_00000000=${canary('cookie')}; theme=${canary('cookie')}`, 'x-csrf-token': canary('csrf') },
  ]
  const isRead = method === 'get'
  return credentials.flatMap((headers) => {
    const common = { method: method.toUpperCase() as 'GET', url: `${filled}?${query}` }
    const agent = { 'user-agent': canary('agent'), ...headers }
    const type = isRead ? {} : { 'content-type': 'application/json' }
    return [
      { ...common, headers: { ...agent, ...type }, ...(isRead ? {} : { payload: body }) },
      {
        ...common,
        headers: { ...agent, ...odd, 'content-type': canary('header') },
        ...(isRead ? {} : { payload: body }),
      },
      { ...common, url: `${filled}/${canary('feed')}.ics`, headers: agent },
    ]
  })
}

async function searchDump({ app }: StoryWorld): Promise<[CanaryKind, string][]> {
  const db = app.ctx.storage.reads
  const tables = await db.introspection.getTables()
  const found: [CanaryKind, string][] = []
  for (const { name, isView } of tables) {
    if (isView) continue
    for (const row of await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute())
      for (const [column, value] of Object.entries(row))
        for (const kind of CANARIES)
          if (String(value).toLowerCase().includes(canary(kind).toLowerCase())) found.push([kind, `${name}.${column}`])
  }
  return found
}
