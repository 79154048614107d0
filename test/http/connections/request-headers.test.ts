// Names that clients choose: header names, query parameters and JSON names do not become property names without bound.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseJsonBody } from '../../../src/http/body.ts'
import { BoundedIncomingMessage, READ_HEADER } from '../../../src/http/connections/request-headers.ts'
import { createQueryParser } from '../../../src/http/query.ts'
import { prefersPage } from '../../../src/http/responses/accept.ts'
import { acceptedEncodings } from '../../../src/http/responses/encoding.ts'
import { getRaw, listen, sendRaw } from '../../support/http/socket.ts'
import { byRunLength } from '../../support/measure/run-length.ts'
import { withWorld } from '../../support/world.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('every header that the source reads is in the pattern', () => {
  const read = new Set<string>()
  for (const path of globSync('src/{http,api,caldav,rate-limits}/**/*.ts', { cwd: ROOT })) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const [, plain, quoted] of text.matchAll(/\bheaders(?:\.([a-z]+)\b(?!\()|\['([a-z-]+)'\])/g))
      read.add((plain ?? quoted)!)
    for (const [, names] of text.matchAll(/\{([^{}]*)\}(?:: IncomingHttpHeaders| = (?:request\.)?headers\b)/g))
      for (const [, name, quoted] of names!.matchAll(/(?:^|,)\s*(?:([a-z]+)|'([a-z-]+)')/g)) read.add((name ?? quoted)!)
  }
  for (const other of ['length', 'join', 'ts', 'get', 'map', 'at']) read.delete(other)
  assert.ok(read.size > 25, [...read].join())
  assert.deepEqual([...read].filter((name) => !READ_HEADER.test(name)).sort(), [])
})

test('other headers are not properties of the request, and repeated ones are joined as Node does', async () => {
  let seen: IncomingHttpHeaders = {}
  let count = 0
  const server = createServer({ IncomingMessage: BoundedIncomingMessage }, (request, response) => {
    seen = request.headers
    count = request.rawHeaders.length / 2
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const lines = [
    'Host: localhost',
    'X-New-1: a',
    'x-new-2: b',
    'Accept: a',
    'accept: b',
    'Depth: 1',
    'connection: close',
  ]
  await sendRaw(port, `GET / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  server.close()
  assert.deepEqual({ ...seen }, { host: 'localhost', accept: 'a, b', depth: '1', connection: 'close' })
  assert.equal(count, lines.length)
})

test('the service is served with bounded headers', () =>
  withWorld('sqlite', async ({ app }) => {
    const names: string[][] = []
    app.server.server.prependListener('request', (request) => void names.push(Object.keys(request.headers)))
    await getRaw(await listen(app), '/healthz', { 'x-new': '1', accept: '*/*' })
    assert.ok(names[0]!.includes('accept') && !names[0]!.includes('x-new'), names.join())
  }))

test('a request with more than 100 headers is refused', () =>
  withWorld('sqlite', async ({ app }) => {
    const port = await listen(app)
    const send = (count: number) => {
      const lines = Array.from({ length: count - 2 }, (_, i) => `x-${i}: 1\r\n`).join('')
      return sendRaw(port, `GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${lines}\r\n`)
    }
    assert.equal((await send(100)).status, 200)
    const { status, head, body } = await send(102)
    assert.deepEqual([status, JSON.parse(body).error.code], [431, 'headers_too_large'])
    assert.match(head, /cross-origin-opener-policy: same-origin/)
  }))

test('declared parameters of a query are properties, and five others', () => {
  const parser = createQueryParser()
  const routes: ((route: object) => void)[] = []
  parser.watch({ addHook: (_: string, hook: (route: object) => void) => void routes.push(hook) } as never)
  routes[0]!({ schema: { querystring: { properties: { q: {}, from: {} } } } })
  routes[0]!({ config: { readsQuery: ['date'] } })
  const parse = (text: string): object => ({ ...parser.parse(text) })
  assert.deepEqual(parse('q=a+b%20c&utm_1=x&utm_2=y&date=2026'), { q: 'a b c', utm_1: 'x', utm_2: 'y', date: '2026' })
  assert.deepEqual(parse('q=1&q=2&%71=3'), { q: ['1', '2', '3'] })
  assert.deepEqual(parse('q&from='), { q: '', from: '' })
  assert.deepEqual(parse('q=%zz&&from=a=b'), { q: '%zz', from: 'a=b' })
  assert.deepEqual(parse(''), {})
  assert.deepEqual(Object.keys(parser.parse('__proto__=1&constructor=2')), ['__proto__', 'constructor'])
  assert.deepEqual(parse('a=1&b=2&c=3&d=4&e=5&f=6&q=7'), { a: '1', b: '2', c: '3', d: '4', e: '5', q: '7' })
})

test('a JSON body has at most 400 different names, however deep', () => {
  const bodyOf = (count: number): Buffer => {
    const objects = Array.from({ length: count / 100 }, (_, i) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`n${i}-${k}`, 'a:b'])),
    )
    return Buffer.from(JSON.stringify({ objects }))
  }
  assert.equal(Object.keys(parseJsonBody(bodyOf(300))).length, 1)
  assert.throws(() => parseJsonBody(bodyOf(400)), { code: 'invalid_body' })
  const repeated = { objects: Array.from({ length: 900 }, () => ({ a: 1, b: 2 })) }
  assert.deepEqual(parseJsonBody(Buffer.from(JSON.stringify(repeated))), repeated)
})

test('a JSON body has a bounded number of different short strings; dates and long strings do not count', () => {
  const bodyOf = (count: number, make: (i: number) => string): Buffer =>
    Buffer.from(JSON.stringify({ list: Array.from({ length: count }, (_, i) => make(i)) }))
  const countOf = (body: Buffer, max?: number): number =>
    (parseJsonBody(body, max ? { maxStrings: max } : {}).list as string[]).length
  assert.throws(() => parseJsonBody(bodyOf(5_001, (i) => `v${i}`)), { code: 'too_many_values' })
  assert.throws(
    () =>
      parseJsonBody(
        bodyOf(101, (i) => `v${i}`),
        { maxStrings: 100 },
      ),
    { code: 'too_many_values' },
  )
  assert.throws(
    () =>
      parseJsonBody(
        bodyOf(101, (i) => `\u0007${i}\u0007\u0007\u0007`),
        { maxStrings: 100 },
      ),
    { code: 'too_many_values' },
  )
  assert.equal(countOf(bodyOf(4_000, (i) => `v${i}`)), 4_000)
  assert.equal(
    countOf(
      bodyOf(9_000, (i) => `title ${i} of a series`),
      100,
    ),
    9_000,
  )
  assert.equal(
    countOf(
      bodyOf(9_000, (i) => `${20_000_101 + i}`),
      100,
    ),
    9_000,
  )
  assert.equal(
    countOf(
      bodyOf(9_000, () => 'same'),
      100,
    ),
    9_000,
  )
})

test('routes before sign-in take at most 100 different short strings', () =>
  withWorld('sqlite', async ({ anonymous, writer }) => {
    const email = Array.from({ length: 101 }, (_, i) => `v${i}`)
    for (const path of ['/auth/login', '/users/register', '/users/forgot-password', '/users/verify'])
      assert.equal((await anonymous.post(path, { email })).body.error.code, 'too_many_values', path)
    assert.equal((await writer.post('/events', { title: email })).body.error.code, 'validation_failed')
  }))

test('headers with thousands of names are read up to their fiftieth', () => {
  const names = (count: number): string => Array.from({ length: count }, (_, i) => `x${i}`).join(', ')
  assert.deepEqual(acceptedEncodings(`${names(40)}, gzip, br;q=0.5`), ['gzip', 'br'])
  assert.deepEqual(acceptedEncodings(`${names(3_000)}, gzip`), [])
  assert.equal(prefersPage(`${names(40)}, text/html`), true)
  assert.equal(prefersPage(`${names(3_000)}, text/html`), false)
})

test('millions of names that clients make up take no long turn', () => {
  const parser = createQueryParser()
  const message = Object.create(BoundedIncomingMessage.prototype) as BoundedIncomingMessage
  const readers: Record<string, (names: string[]) => unknown> = {
    'accept-encoding': (names) => acceptedEncodings(names.join()),
    accept: (names) => prefersPage(names.join()),
    query: (names) => parser.parse(names.join('=1&')),
    headers: (names) => names.map((name) => message._addHeaderLine(name, '1', {})),
  }
  // The table of names doubles at one, two and four million: 130, 300 and 690 ms.
  const total = byRunLength(100_000, 5_000_000)
  let count = 0
  for (const [reader, read] of Object.entries(readers)) {
    let longest = 0
    for (const end = count + total; count < end; ) {
      // As the parser of HTTP makes them: not from literals, which are kept anyway.
      const names = Array.from({ length: 1_000 }, () => Buffer.from(`n${(count++).toString(36)}`).toString('latin1'))
      const before = process.threadCpuUsage().user
      read(names)
      longest = Math.max(longest, process.threadCpuUsage().user - before)
    }
    assert.ok(longest < 100_000, `${reader}: ${longest / 1_000} ms`)
  }
})
