// GET /metrics: off by default, by token or on a loopback port; right counts, bounded labels, nothing private.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTotalsReader } from '../../src/actions/maintenance/calendar-totals.ts'
import { insertMail } from '../../src/storage/operations/outbox.ts'
import { eventText } from '../caldav/support/events.ts'
import { parseExposition, type Scraped } from '../support/http/exposition.ts'
import { getRaw, listen, sendRaw } from '../support/http/socket.ts'
import { makeNose, planted } from '../support/privacy/planted-words.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { ask, basicOf, type World, withWorld } from '../support/world.ts'

const TOKEN = 'zQmetricstokenQz-0123456789'
const ON = { DAYBOOK_METRICS_TOKEN: TOKEN }
const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' }

const get = ({ app }: World, headers: Record<string, string> = {}) => ask(app, { url: '/metrics', headers })

async function scrapeText(world: World): Promise<string> {
  const { statusCode, body, headers } = await get(world, { authorization: `Bearer ${TOKEN}` })
  assert.equal(statusCode, 200, body)
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  return body
}

const scrape = async (world: World): Promise<Scraped> => parseExposition(await scrapeText(world))

test('without a setting /metrics is an unknown address', () =>
  withWorld('sqlite', async (world) => {
    const unknown = await ask(world.app, { url: '/nowhere' })
    const sent: Record<string, string>[] = [{}, { authorization: `Bearer ${TOKEN}` }, { authorization: 'Bearer ' }]
    for (const headers of sent) {
      const { statusCode, body } = await get(world, headers)
      assert.equal(statusCode, 404)
      assert.equal(body, unknown.body)
    }
    assert.equal(await world.app.listenForMetrics(), undefined)
  }))

test('only the token opens it, and no account does', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const wrong = [
        undefined,
        '',
        'Bearer',
        'Bearer ',
        'Bearer x',
        `Bearer ${TOKEN}x`,
        `Bearer ${TOKEN.slice(0, -1)}`,
        `Bearer ${TOKEN.toLowerCase()}`,
        `Bearer ${TOKEN} ${TOKEN}`,
        `Basic ${TOKEN}`,
        basicOf('admin@example.org'),
        TOKEN,
      ]
      for (const authorization of wrong) {
        const { statusCode, body, headers } = await get(world, authorization === undefined ? {} : { authorization })
        assert.equal(statusCode, 401, String(authorization))
        assert.equal(JSON.parse(body).error.code, 'invalid_credentials')
        assert.match(String(headers['www-authenticate']), /^Bearer /)
      }
      const { cookie } = await world.signIn('admin@example.org')
      assert.equal((await get(world, { cookie })).statusCode, 401)
      for (const authorization of [`Bearer ${TOKEN}`, `bearer  ${TOKEN} `])
        assert.equal((await get(world, { authorization })).statusCode, 200)
      assert.equal((await ask(world.app, { url: `/metrics?token=${TOKEN}` })).statusCode, 401)
      assert.equal((await ask(world.app, { method: 'POST', url: '/metrics' })).statusCode, 405)
    },
    { settings: ON },
  ))

test('the token is refused over plain http from another machine', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { statusCode, body } = await ask(world.app, {
        url: '/metrics',
        headers: { authorization: `Bearer ${TOKEN}`, host: 'calendar.example.org' },
        remoteAddress: '192.0.2.7',
      })
      assert.equal(statusCode, 403)
      assert.equal(JSON.parse(body).error.code, 'https_required')
    },
    { settings: { ...ON, DAYBOOK_PUBLIC_URL: 'https://calendar.example.org' } },
  ))

test('the settings page does not show the token', () =>
  withWorld(
    'sqlite',
    async ({ admin }) => {
      const { text, body } = await admin.get('/admin/settings')
      assert.ok(!text.includes(TOKEN))
      const shown = (name: string) => body.data.find((item: { name: string }) => item.name === name).value
      assert.deepEqual([shown('metrics_token'), shown('metrics_port')], ['…', '0'])
    },
    { settings: { ...ON, DAYBOOK_METRICS_PORT: '0' } },
  ))

test('a port of its own is on loopback only, needs no token, and has nothing else', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const port = (await world.app.listenForMetrics())!
      const answer = await getRaw(port, '/metrics')
      assert.equal(answer.status, 200)
      assert.match(answer.head, /content-type: text\/plain; version=0\.0\.4; charset=utf-8/i)
      for (const path of ['/', '/metrics/', '/metrics?x', '/healthz', '/api-root/calendar/v1/events'])
        assert.equal((await getRaw(port, path)).status, 404, path)
      assert.equal((await getRaw(port, '/metrics', { host: 'rebound.example.org' })).status, 404)
      assert.equal((await getRaw(port, '/metrics', { host: `127.0.0.1:${port}` })).status, 200)
      const posted = await sendRaw(port, 'POST /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
      assert.equal(posted.status, 404)
      assert.equal((await get(world)).statusCode, 404, 'the address of the service has no metrics')
      const { default: os } = await import('node:os')
      const outside = Object.values(os.networkInterfaces())
        .flat()
        .find((face) => face && !face.internal && face.family === 'IPv4')
      if (outside)
        await assert.rejects(fetch(`http://${outside.address}:${port}/metrics`, { signal: AbortSignal.timeout(5_000) }))
    },
    { settings: { DAYBOOK_METRICS_PORT: '0' } },
  ))

forEachEngine('events, occurrences, accounts, mail, requests and caches are counted', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const { writer, anonymous, addPerson, app, clock } = world
      await writer.creates(event)
      await writer.creates({ ...event, visibility: 'private', rrule: 'FREQ=DAILY;COUNT=7' })
      await addPerson('waiting@example.org', 'writer', 'pending_approval')
      await addPerson('gone@example.org', 'writer', 'suspended')
      for (let i = 0; i < 3; i++) assert.equal((await anonymous.get('/public/events?view=month')).status, 200)
      assert.equal((await anonymous.get('/public/events/nothing')).status, 404)
      assert.equal((await anonymous.get('/admin/users')).status, 401)
      await anonymous.head('/public/categories')
      await ask(app, { method: 'DELETE', url: `${app.site.base}/public/categories` })
      const id = await addPerson('mail@example.org', 'writer')
      await app.ctx.storage.writes
        .transaction()
        .execute((db) =>
          insertMail(db, { id: 'm1', kind: 'approved', to: { userId: id } }, clock.at, clock.at + 60_000),
        )
      clock.at += 30_000
      const { samples, types } = await scrape(world)
      const expected = {
        daybook_events: 2,
        daybook_occurrences: 8,
        'daybook_accounts{state="pending_approval"}': 1,
        'daybook_accounts{state="approved"}': 4,
        'daybook_accounts{state="rejected"}': 0,
        'daybook_accounts{state="suspended"}': 1,
        daybook_outbox_waiting: 1,
        daybook_outbox_oldest_seconds: 30,
        daybook_database_up: 1,
        'daybook_http_requests_total{route="/events",method="POST",status="201"}': 2,
        'daybook_http_requests_total{route="/public/events",method="GET",status="200"}': 3,
        'daybook_http_requests_total{route="/public/events/{event_id}",method="GET",status="404"}': 1,
        'daybook_http_requests_total{route="/admin/users",method="GET",status="401"}': 1,
        'daybook_http_requests_total{route="/public/categories",method="HEAD",status="200"}': 1,
        'daybook_http_requests_total{route="unmatched",method="DELETE",status="405"}': 1,
        'daybook_http_request_duration_seconds_count{route="/public/events",method="GET"}': 3,
        'daybook_cache_hits_total{cache="public_lists"}': 2,
        'daybook_cache_misses_total{cache="lists"}': 0,
        'daybook_database_connections_in_use{pool="writes"}': 0,
        'daybook_database_waiting{pool="reads"}': 0,
      }
      for (const [name, value] of Object.entries(expected)) assert.equal(samples.get(name), value, name)
      const least = [
        'daybook_cache_misses_total{cache="public_lists"}',
        'daybook_cache_bytes{cache="public_lists"}',
        'daybook_memory_bytes{kind="rss"}',
        'daybook_memory_bytes{kind="heap_used"}',
        'daybook_memory_bytes{kind="external"}',
        'daybook_database_statement_seconds_count{pool="reads"}',
        'daybook_database_statement_seconds_count{pool="writes"}',
        'daybook_database_wait_seconds_count{pool="writes"}',
        'daybook_event_loop_active_seconds_total',
        'process_cpu_seconds_total',
      ]
      for (const name of least) assert.ok(samples.get(name)! > 0, `${name} ${samples.get(name)}`)
      assert.equal(types.get('daybook_event_loop_lag_seconds') ?? 'gauge', 'gauge')
    },
    { settings: ON },
  ),
)

forEachEngine('the calendar is counted again after a time, and once for scrapes at the same time', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    let now = 0
    const read = createTotalsReader(app.ctx, () => now)
    await writer.creates(event)
    const both = await Promise.all([read(), read()])
    assert.deepEqual(both[0], both[1])
    assert.deepEqual(both[0]!.sizes, { events: 1, occurrences: 1 })
    await writer.creates({ ...event, rrule: 'FREQ=DAILY;COUNT=300' })
    assert.deepEqual((await read()).sizes, { events: 1, occurrences: 1 })
    now = 60_000
    assert.deepEqual((await read()).sizes, { events: 2, occurrences: 301 })
  }),
)

test('metrics are served while the database does not answer', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { storage } = world.app.ctx
      const { reads } = storage
      storage.reads = new Proxy(reads, {
        get() {
          throw new Error('gone')
        },
      })
      try {
        const { samples } = await scrape(world)
        assert.equal(samples.get('daybook_database_up'), 0)
        assert.ok(!samples.has('daybook_events') && !samples.has('daybook_outbox_waiting'))
        assert.ok(samples.has('daybook_memory_bytes{kind="rss"}'))
      } finally {
        storage.reads = reads
      }
    },
    { settings: ON },
  ))

test('a request on the fast path is counted under its route', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { app } = world
      const url = `${app.site.base}/public/events?view=month&q=${planted('fast')}`
      await ask(app, { url })
      const flood = Array.from({ length: 300 }, () => ask(app, { url }))
      for (const { statusCode } of await Promise.all(flood)) assert.equal(statusCode, 200)
      const { samples } = await scrape(world)
      const labels = '{route="/public/events",method="GET",status="200"}'
      assert.equal(samples.get(`daybook_http_requests_total${labels}`), 301)
      assert.equal(samples.get('daybook_cache_hits_total{cache="public_lists"}'), 300)
      assert.equal(samples.get('daybook_cache_misses_total{cache="public_lists"}'), 1)
    },
    { settings: ON },
  ))

test('refusals are counted by policy', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const url = `${world.app.site.base}/auth/login`
      const payload = { email: 'reader@example.org', password: 'wrong horse battery', remember: false }
      const statuses: number[] = []
      for (let i = 0; i < 13; i++)
        statuses.push((await ask(world.app, { method: 'POST', url, payload, remoteAddress: '127.0.0.1' })).statusCode)
      const refused = statuses.filter((status) => status === 429).length
      assert.ok(refused > 0, statuses.join(' '))
      const { samples } = await scrape(world)
      assert.equal(samples.get('daybook_rate_limit_refusals_total{policy="login-pair"}'), refused)
    },
    { settings: { ...ON, DAYBOOK_RATE_LIMITS: 'on' } },
  ))

/** Paths, methods and headers that no client should send. */
const oddPaths = (): string[] => [
  ...Array.from({ length: 300 }, (_, i) => `/${planted('path')}${i}`),
  ...Array.from({ length: 100 }, (_, i) => `/api-root/calendar/v1/events/${planted('id')}${i}?q=${planted('query')}`),
  ...Array.from({ length: 50 }, (_, i) => `/caldav/calendars/main/${planted('name')}${i}.ics`),
  ...Array.from({ length: 50 }, (_, i) => `/caldav/${planted('dav')}/${i}`),
  ...[
    '/../..',
    '/%2e%2e',
    '//',
    '/a//b',
    '/%zz',
    '/"',
    "/'",
    '/{a="b"}',
    '/\\',
    '/%00',
    '/%0a',
    '/assets/x',
    '*',
    '/*',
  ],
  ...[`/${'a'.repeat(5_000)}`, `/feeds/${planted('feed')}.ics`, '/constructor', '/__proto__', '/metrics/x'],
]

const ODD_METHODS = ['GET', 'HEAD', 'POST', 'PROPFIND', 'REPORT', 'LOCK', 'M-SEARCH', 'QUERY', 'BREW', 'get', 'G"T']

test('odd paths and methods add no series, and nothing that clients sent is in the metrics', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { app, writer, addPerson } = world
      const person = await addPerson(`${planted('person')}@example.org`, 'writer')
      await writer.creates({ ...event, title: planted('title'), category: planted('category'), visibility: 'private' })
      const port = await listen(app)
      const request = (method: string, path: string, more = ''): string =>
        `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nuser-agent: ${planted('agent')}\r\n${more}\r\n`
      for (const [i, path] of oddPaths().entries())
        await sendRaw(port, request(ODD_METHODS[i % ODD_METHODS.length]!, path))
      await sendRaw(port, `${planted('bytes')}\r\n\r\n`)
      const put = eventText('u', `SUMMARY:${planted('summary')}`)
      await world.with({ authorization: basicOf(`${planted('person')}@example.org`) }).send({
        method: 'PUT',
        url: `/caldav/calendars/main/${planted('object')}.ics`,
        headers: { 'content-type': 'text/calendar' },
        payload: put,
      })
      const text = await scrapeText(world)
      const { labels } = parseExposition(text)
      const known = new Set(['unmatched'])
      for (const path of app.paths())
        known.add(path.replace(app.site.base, '').replace(/:(\w+)/g, '{$1}') || app.site.base)
      for (const route of labels.get('route')!) assert.ok(known.has(route), `route ${route}`)
      for (const method of labels.get('method')!) assert.match(method, /^(?:[A-Z]{3,10}|other)$/)
      for (const status of labels.get('status')!) assert.match(status, /^(?:[2-5]\d\d|other)$/)
      assert.deepEqual([...labels.keys()].sort(), [
        ...['cache', 'engine', 'kind', 'le', 'method', 'node', 'pool', 'quantile', 'route', 'sight', 'state'],
        ...['status', 'version'],
      ])
      assert.ok(text.split('\n').length < 1_500, `${text.split('\n').length} lines`)
      assert.deepEqual(makeNose(`${oddPaths().join(' ')} ${put} ${TOKEN}`).find(text), [])
      assert.doesNotMatch(text, /zq\w+qz|example\.org|127\.0\.0\.1/i)
      assert.ok(!text.includes(person))
    },
    { settings: ON },
  ))

const fileText = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const NAMES = /\b(?:daybook|process)_[a-z]+(?:_[a-z]+)*\b/g

test('docs/monitoring.md lists every metric, and the dashboard uses no other', () => {
  const served = new Set(fileText('src/actions/maintenance/scrape.ts').match(/(?<=')(?:daybook|process)_\w+(?=')/g))
  const section = fileText('docs/monitoring.md')
  const listed = [...section.matchAll(/^\| (`(?:daybook|process)_.*?`) \|/gm)].flatMap(
    ([, cell]) => cell!.match(NAMES)!,
  )
  assert.deepEqual(listed.toSorted(), [...served].toSorted())
  const dashboard = fileText('packaging/grafana-dashboard.json')
  const used = new Set(dashboard.match(NAMES)!.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
  assert.deepEqual([...used].toSorted(), [...served].toSorted())
  const { panels } = JSON.parse(dashboard) as { panels: { id: number; targets?: { expr: string }[] }[] }
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const labels = readLabels(section)
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  for (const expr of expressions) {
    const known = new Set(expr.match(NAMES)!.flatMap((name) => labelsOf(labels, name)))
    for (const [, list] of expr.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of list!.split(', ')) assert.ok(known.has(label), `${label} in ${expr}`)
    for (const [, name, matchers] of expr.matchAll(/\b((?:daybook|process)_\w+)(\{[^}]*\})?/g)) {
      const own = labelsOf(labels, name!)
      for (const [, label] of (matchers ?? '').matchAll(/[{,](\w+)=/g))
        assert.ok(own.includes(label!), `${label} of ${name}`)
      assert.match(matchers ?? '', /^\{job=~"\$job",instance=~"\$instance"/, `${name} in ${expr}`)
    }
  }
})

/** Labels of each metric by the table of the documentation. */
function readLabels(section: string): Map<string, string[]> {
  const labels = new Map<string, string[]>()
  for (const [, names, list] of section.matchAll(/^\| (`(?:daybook|process)_.*?`) \| (.*?) \|/gm))
    for (const name of names!.match(NAMES)!)
      labels.set(
        name,
        [...list!.matchAll(/`(\w+)`/g)].map(([, label]) => label!),
      )
  return labels
}

/** Prometheus adds `job` and `instance`. */
function labelsOf(labels: Map<string, string[]>, name: string): string[] {
  const base = name.replace(/_(?:bucket|sum|count)$/, '')
  return [...labels.get(base)!, 'job', 'instance', ...(name.endsWith('_bucket') ? ['le'] : [])]
}

test('docs/monitoring.md gives each metric the labels that it has', () =>
  withWorld(
    'sqlite',
    async (world) => {
      await world.writer.creates(event)
      await scrapeText(world)
      const labels = readLabels(fileText('docs/monitoring.md'))
      for (const [, name, list] of (await scrapeText(world)).matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
        const own = [...(list ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label!)
        for (const label of own) assert.ok(labelsOf(labels, name!).includes(label), `${label} of ${name}`)
      }
    },
    { settings: ON },
  ))
