// F19, F32: clients that do not read are closed, slow ones are served, and no network holds every connection.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { makeCertificate } from '../../support/http/certificate.ts'
import { getRaw, listen } from '../../support/http/socket.ts'
import { makeLongFeed } from '../../support/long-feed.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { type EmptyDatabase, ENGINES, forEachEngine } from '../../support/storage/engines.ts'
import { ask, basicOf, type World, type WorldOptions, withWorld } from '../../support/world.ts'

const BASE = '/api-root/calendar/v1'
const FEED = `${BASE}/public/calendar.ics`
const SHORT = { stallMs: 500, checkEveryMs: 50 }

const head = (path: string, headers: Record<string, string> = {}): string =>
  `GET ${path} HTTP/1.1\r\n${Object.entries({ host: 'localhost', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** Sends a request and reads nothing. */
function requestUnread(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  socket.write(text)
  return socket
}

const connectionsOf = ({ app }: World): Promise<number> =>
  new Promise((resolve, reject) =>
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

/** The server's own count: a client that does not read does not notice the end. */
async function waitForConnections(world: World, isRight: (count: number) => boolean): Promise<void> {
  await waitFor('connections are closed', async () => isRight(await connectionsOf(world)))
}

async function readAll(socket: Socket, pauseMs: number, pieceBytes: number): Promise<number> {
  let total = 0
  let piece = 0
  for await (const chunk of socket) {
    total += (chunk as Buffer).length
    piece += (chunk as Buffer).length
    if (piece < pieceBytes) continue
    piece = 0
    await delay(pauseMs)
  }
  return total
}

/** Sends a request, reads the beginning of the response and then nothing more: the rest waits in the service. */
async function requestPartlyRead(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  return socket
}

/** Counts the readers of the database that are opened from now on, and those that are still open. */
function countReaders({ app }: World): { readers: number; opened: number } {
  const { storage } = app.ctx
  const { openReader } = storage
  const open = { readers: 0, opened: 0 }
  storage.openReader = () => {
    const reader = openReader()
    open.readers += 1
    open.opened += 1
    const close = async (): Promise<void> => {
      open.readers -= 1
      await reader.close()
    }
    return { ...reader, close }
  }
  return open
}

interface LongFeed {
  url: string
  cacheControl: string
}

/** The feed is longer than what is cached. `countMade` grows with each build. */
async function checkLongFeedTags(
  { app, writer }: World,
  { url, cacheControl }: LongFeed,
  countMade: () => number,
): Promise<void> {
  const get = (headers: Record<string, string> = {}) => ask(app, { method: 'HEAD', url, headers })
  const { headers } = await get({ 'accept-encoding': 'gzip' })
  const etag = String(headers.etag)
  const made = countMade()
  for (const known of [etag, `"other", W/${etag}`, etag.replace('-gzip', ''), '*']) {
    const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': known })
    assert.equal(again.statusCode, 304, known)
    assert.equal(again.headers['cache-control'], cacheControl)
    assert.equal(again.headers.vary, 'Accept-Encoding')
    if (known !== '*') assert.ok(known.includes(String(again.headers.etag)), known)
  }
  assert.equal(countMade(), made, 'a 304 makes no feed')
  assert.equal((await get({ 'if-none-match': '"other"' })).statusCode, 200)
  assert.equal(countMade(), made + 1)
  await writer.creates({ title: 'New', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' })
  assert.equal((await get({ 'accept-encoding': 'gzip', 'if-none-match': etag })).statusCode, 200, 'it has changed')
}

for (const engine of ENGINES)
  describe(`a calendar with a long feed (${engine})`, () => {
    let place: EmptyDatabase
    before(async () => {
      place = await makeLongFeed(engine)
    })
    after(() => place.remove())
    /** A separate service for each, on the one database. */
    const story = (name: string, patience: WorldOptions['patience'], tell: (world: World) => Promise<void>) =>
      test(`${name} (${engine})`, () => withWorld(engine, tell, { patience, place }))

    story('a client that does not read the feed is disconnected, on the fast path too', SHORT, async (world) => {
      const { app } = world
      const port = await listen(app)
      const long = Array.from({ length: 5 }, () => requestUnread(port, head(FEED)))
      await waitForConnections(world, (count) => count === 5)
      await waitForConnections(world, (count) => count === 0)
      // While a hundred a second are traced, the rest take the fast path.
      for (let i = 0; i < 101; i++) await ask(app, { url: `${BASE}/public/categories?n=${i}` })
      const short = Array.from({ length: 5 }, () => requestUnread(port, head(FEED).repeat(3)))
      await waitForConnections(world, (count) => count === 5)
      await waitForConnections(world, (count) => count === 0)
      assert.equal((await getRaw(port, FEED)).status, 200, 'the next is served')
      for (const socket of [...long, ...short]) socket.destroy()
    })

    story('sending more requests does not count as reading', SHORT, async (world) => {
      const port = await listen(world.app)
      const socket = requestUnread(port, head(FEED))
      await waitForConnections(world, (count) => count === 1)
      socket.write(`GET ${FEED} HTTP/1.1\r\nx: `)
      const timer = setInterval(() => socket.write('x'), 100).unref()
      await waitForConnections(world, (count) => count === 0)
      clearInterval(timer)
      socket.destroy()
    })

    const stallMs = 2_000
    story('a slow client that keeps reading gets the whole feed', { stallMs, checkEveryMs: 50 }, async (world) => {
      const port = await listen(world.app)
      const { body } = await getRaw(port, FEED)
      const socket = connect(port, '127.0.0.1')
      socket.write(head(FEED, { connection: 'close' }))
      const begun = performance.now()
      const total = await readAll(socket, 250, 1_500_000)
      assert.ok(total > Buffer.byteLength(body), `${total} of ${Buffer.byteLength(body)}`)
      assert.ok(performance.now() - begun > stallMs, 'it took longer than anyone may stand still')
    })

    const few = { heldPerNetworkBytes: 8 * 1_048_576 }
    story('F45: long feeds of one network are counted while they are built', few, async (world) => {
      const port = await listen(world.app)
      // Requested at once, before any of them is being sent; each is longer than the limit.
      const days = [1, 2, 3, 4].map((day) => `${FEED}?from=2026-01-0${day}`)
      const statuses: number[] = []
      const sockets = days.map((path) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        socket.once('data', (chunk: Buffer) => {
          socket.pause()
          statuses.push(Number(chunk.toString('latin1', 9, 12)))
        })
        socket.write(head(path))
        return socket
      })
      await waitFor('all are answered', () => statuses.length === days.length)
      assert.deepEqual(statuses.toSorted(), [200, 503, 503, 503])
      for (const socket of sockets) socket.destroy()
    })

    const tiny = { heldBytes: 8 * 1_048_576 }
    story('a feed longer than the budget of all responses is refused with a code', tiny, async ({ anonymous }) => {
      for (const query of ['', '?from=2026-01-02']) {
        const { status, body } = await anonymous.get(`/public/calendar.ics${query}`)
        assert.equal(status, 507)
        assert.equal(body.error.code, 'feed_too_large')
      }
      assert.equal((await anonymous.get('/public/calendar.ics?from=2026-08-01')).status, 200, 'nothing stays counted')
    })

    story('an administrator who does not read keeps no database snapshot open', SHORT, async (world) => {
      const open = countReaders(world)
      const port = await listen(world.app)
      const socket = requestUnread(
        port,
        head(`${BASE}/admin/export.ics`, { authorization: basicOf('admin@example.org') }),
      )
      await waitFor('a reader is opened', () => open.readers > 0)
      assert.equal(open.readers, 1)
      await waitForConnections(world, (count) => count === 0)
      await waitFor('the reader is closed', () => open.readers === 0)
      assert.deepEqual(open, { readers: 0, opened: 1 })
      socket.destroy()
      assert.equal((await world.admin.get('/admin/export.ics')).status, 200)
      const feed = { url: `${FEED}?from=2026-01-02`, cacheControl: 'public, no-cache' }
      await checkLongFeedTags(world, feed, () => open.opened)
    })

    for (const detail of ['full', 'masked'])
      test(`a 304 of a long feed under a ${detail} personal link makes no feed (${engine})`, () =>
        withWorld(
          engine,
          async (world) => {
            const { status, body, text } = await world.reader.post('/auth/feeds', { name: detail, detail })
            assert.equal(status, 201, text)
            const feed = { url: new URL(body.data.url).pathname, cacheControl: 'private, no-cache' }
            const open = countReaders(world)
            await checkLongFeedTags(world, feed, () => open.opened)
          },
          // With more memory, this feed would be cached.
          { place, settings: { DAYBOOK_MEMORY_LIMIT: '128' } },
        ))

    story(
      'responses that wait for slow readers are bounded for each network and in all; cached ones are still sent',
      { heldPerNetworkBytes: 30_000_000 },
      async (world) => {
        const { app } = world
        const port = await listen(app)
        const headOf = (query: string, options = {}) => ask(app, { url: FEED + query, method: 'HEAD', ...options })
        assert.equal((await headOf('')).statusCode, 200)
        const sockets: Socket[] = []
        for (const from of ['2026-01-01', '2026-01-02'])
          sockets.push(await requestPartlyRead(port, head(`${FEED}?from=${from}`)))
        const refused = await ask(app, { url: `${FEED}?from=2026-01-03` })
        assert.equal(refused.statusCode, 503)
        assert.equal(JSON.parse(refused.body).error.code, 'service_unavailable')
        assert.ok(Number(refused.headers['retry-after']) > 0)
        assert.equal((await headOf('')).statusCode, 200)
        const elsewhere = { remoteAddress: '192.0.2.7' }
        assert.equal((await headOf('?from=2026-01-04', elsewhere)).statusCode, 200, 'another network')
        for (const socket of sockets) socket.destroy()
        await waitForConnections(world, (count) => count === 0)
        assert.equal((await headOf('?from=2026-01-05')).statusCode, 200)
      },
    )

    if (engine === 'sqlite')
      test('when unread responses fill memory, the network holding most is refused and its oldest are closed', () =>
        fillMemory(place))

    if (engine === 'sqlite')
      test('over TLS it is the same, and a handshake that is not finished ends too', () => tryTls(place))
  })

/** Two of the feeds are longer than the budget of all responses. */
async function fillMemory(place: EmptyDatabase): Promise<void> {
  const settings = {
    DAYBOOK_TRUST_PROXY: '127.0.0.1',
    DAYBOOK_PUBLIC_URL: 'https://calendar.example.org',
  }
  await withWorld(
    'sqlite',
    async (world) => {
      const port = await listen(world.app)
      const from = (address: string) => ({ 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })
      const get = (path: string, address: string) => ask(world.app, { url: path, headers: from(address) })
      const held = await requestPartlyRead(port, head(`${FEED}?from=2026-01-01`, from('2001:db8:1:1::1')))
      assert.equal((await get(`${FEED}?from=2026-01-02`, '2001:db8:1:2::1')).statusCode, 503, 'the same customer')
      await waitForConnections(world, (count) => count === 1)
      assert.equal((await get(`${FEED}?from=2026-01-03`, '2001:db8:2:1::1')).statusCode, 200, 'another one')
      await waitForConnections(world, (count) => count === 0)
      held.destroy()
    },
    { settings, place, patience: { heldBytes: 20_000_000 } },
  )
}

async function tryTls(place: EmptyDatabase): Promise<void> {
  const { key, certificate } = makeCertificate('localhost')
  writeFileSync(join(place.folder, 'cert.pem'), certificate)
  writeFileSync(join(place.folder, 'key.pem'), key)
  const settings = {
    DAYBOOK_TLS_CERTIFICATE: join(place.folder, 'cert.pem'),
    DAYBOOK_TLS_KEY: join(place.folder, 'key.pem'),
    DAYBOOK_PUBLIC_URL: 'https://localhost',
  }
  await withWorld(
    'sqlite',
    async (world) => {
      const port = await listen(world.app)
      const mute = connect(port, '127.0.0.1')
      mute.on('error', () => {})
      await waitForConnections(world, (count) => count === 1)
      await waitForConnections(world, (count) => count === 0)
      const deaf = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
      deaf.on('error', () => {})
      deaf.pause()
      deaf.write(head(FEED))
      await waitForConnections(world, (count) => count === 1)
      await waitForConnections(world, (count) => count === 0)
      const reading = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
      reading.write(head(FEED, { connection: 'close' }))
      assert.ok((await readAll(reading, 0, Number.POSITIVE_INFINITY)) > 17_000_000)
      for (const socket of [mute, deaf]) socket.destroy()
    },
    { settings, place, patience: { ...SHORT, handshakeMs: 400 } },
  )
}

forEachEngine('a refused client that does not close its connection is disconnected', (engine) =>
  withWorld(
    engine,
    async (world) => {
      const port = await listen(world.app)
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {})
      socket.resume()
      socket.write('GET / HTTP/1.1\r\nhost localhost\r\n\r\n')
      await waitForConnections(world, (count) => count === 1)
      await waitForConnections(world, (count) => count === 0)
      socket.destroy()
    },
    { patience: SHORT },
  ),
)

test('the connections of one network are limited; this machine and configured proxies are exempt', async () => {
  const crowd = (
    held: number,
    patience: WorldOptions['patience'],
    settings = {},
    addressOf = (_i: number): string => '127.0.0.1',
  ): Promise<void> =>
    withWorld(
      'sqlite',
      async (world) => {
        const port = await listen(world.app)
        let closed = 0
        let answered = 0
        let refused = 0
        const sockets = Array.from({ length: 12 }, (_, i) =>
          connect({ port, host: '127.0.0.1', localAddress: addressOf(i) }),
        )
        for (const socket of sockets) {
          socket.on('error', () => {})
          socket.once('close', () => (closed += 1))
          socket.on('data', (data) => {
            answered += /^HTTP\/1\.1 200/.test(String(data)) ? 1 : 0
            refused += /^HTTP\/1\.1 429[\s\S]*\nretry-after: \d+\r\n[\s\S]*"rate_limited"/.test(String(data)) ? 1 : 0
          })
          socket.write('GET ')
        }
        await waitFor('the others are closed', () => closed === 12 - held)
        assert.equal(refused, 12 - held, 'and are answered before')
        await waitForConnections(world, (count) => count === held)
        for (const socket of sockets) socket.write('/healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
        await waitFor('those that are held are answered', () => answered === held)
        for (const socket of sockets) socket.destroy()
        await waitForConnections(world, (count) => count === 0)
        assert.equal((await getRaw(port, '/healthz')).status, 200, 'there is room again')
      },
      { patience, settings },
    )
  await crowd(5, { perNetwork: 5, spared: [] })
  await crowd(12, { perNetwork: 5 })
  await crowd(12, { perNetwork: 5, spared: [] }, { DAYBOOK_TRUST_PROXY: '127.0.0.0/8' })
  // Linux alone has every address of 127.0.0.0/8; a /24 may hold four times the connections of one address.
  if (process.platform === 'linux') await crowd(4, { perNetwork: 1, spared: [] }, {}, (i) => `127.0.0.${i + 1}`)
})

test('F32: requests that a proxy forwards are counted by the network of their client', () =>
  withWorld(
    'sqlite',
    async ({ app }) => {
      const port = await listen(app)
      const send = (address: string, head: string): Promise<{ socket: Socket; text: Promise<string> }> => {
        const socket = connect(port, '127.0.0.1')
        socket.on('error', () => {})
        const forwarded = `x-forwarded-for: ${address}\r\nx-forwarded-proto: https`
        socket.write(`${head}\r\nhost: localhost\r\n${forwarded}\r\n\r\n`)
        const text = once(socket, 'data').then(([data]) => String(data))
        return once(socket, 'connect').then(() => ({ socket, text }))
      }
      // A missing body keeps its request in progress.
      const half =
        'POST /api-root/calendar/v1/auth/login HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 9'
      const answers: string[] = []
      const all = await Promise.all(Array.from({ length: 12 }, () => send('192.0.2.7', half)))
      for (const { text } of all) text.then((answer) => answers.push(answer)).catch(() => {})
      await waitFor('all but five are answered', () => answers.length === 7)
      for (const answer of answers)
        assert.match(answer, /^HTTP\/1\.1 429[\s\S]*\nretry-after: \d+\r\n[\s\S]*"rate_limited"/)
      const health = 'GET /healthz HTTP/1.1'
      const other = await send('198.51.100.7', health)
      assert.match(await other.text, /^HTTP\/1\.1 200/)
      for (const { socket } of all) socket.destroy()
      const again = await waitFor('there is room again', async () => {
        const { socket, text } = await send('192.0.2.7', health)
        const answer = await text
        socket.destroy()
        return answer.startsWith('HTTP/1.1 200') && answer
      })
      assert.match(again, /^HTTP\/1\.1 200/)
      other.socket.destroy()
    },
    { patience: { perNetwork: 5, spared: [] }, settings: { DAYBOOK_TRUST_PROXY: '127.0.0.0/8' } },
  ))
