// F19, F32: who asks for much and does not read it is not waited for; who reads slowly is; and nobody holds every connection.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectSecurely } from 'node:tls'
import { makeCertificate } from '../support/certificate.ts'
import { forEachEngine, makePlace } from '../support/engines.ts'
import { fillLongFeed } from '../support/long-feed.ts'
import { getRaw, listen } from '../support/socket.ts'
import { waitFor } from '../support/wait-for.ts'
import { ask, basicOf, openWorld, type World, type WorldOptions, withWorld } from '../support/world.ts'

const BASE = '/api-root/calendar/v1'
const FEED = `${BASE}/public/calendar.ics`
const SHORT: WorldOptions = { patience: { stallMs: 500, lookEveryMs: 50 } }

const head = (path: string, headers: Record<string, string> = {}): string =>
  `GET ${path} HTTP/1.1\r\n${Object.entries({ host: 'localhost', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** Asks, and reads nothing. */
function askDeaf(port: number, text: string): Socket {
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

/** The server's own count: a client that does not read hears nothing of the end. */
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

forEachEngine('who does not read the feed is cut off, whichever way it is answered, and the next is served', (engine) =>
  withWorld(
    engine,
    async (world) => {
      await fillLongFeed(world)
      const { app } = world
      const port = await listen(app)
      const long = Array.from({ length: 5 }, () => askDeaf(port, head(FEED)))
      await waitForConnections(world, (count) => count === 5)
      await waitForConnections(world, (count) => count === 0)
      // While a hundred a second are written down, the rest go past the framework.
      for (let i = 0; i < 101; i++) await ask(app, { url: `${BASE}/public/categories?n=${i}` })
      const short = Array.from({ length: 5 }, () => askDeaf(port, head(FEED).repeat(3)))
      await waitForConnections(world, (count) => count === 5)
      await waitForConnections(world, (count) => count === 0)
      assert.equal((await getRaw(port, FEED)).status, 200)
      for (const socket of [...long, ...short]) socket.destroy()
    },
    SHORT,
  ),
)

forEachEngine('sending more requests is no reading', (engine) =>
  withWorld(
    engine,
    async (world) => {
      await fillLongFeed(world)
      const port = await listen(world.app)
      const socket = askDeaf(port, head(FEED))
      await waitForConnections(world, (count) => count === 1)
      socket.write(`GET ${FEED} HTTP/1.1\r\nx: `)
      const timer = setInterval(() => socket.write('x'), 100)
      await waitForConnections(world, (count) => count === 0)
      clearInterval(timer)
      socket.destroy()
    },
    SHORT,
  ),
)

forEachEngine('who was refused and does not go is shown out', (engine) =>
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
    SHORT,
  ),
)

forEachEngine('a slow reader who keeps reading gets all of it', (engine) =>
  withWorld(
    engine,
    async (world) => {
      await fillLongFeed(world)
      const port = await listen(world.app)
      const { body } = await getRaw(port, FEED)
      const socket = connect(port, '127.0.0.1')
      socket.write(head(FEED, { connection: 'close' }))
      const begun = performance.now()
      const total = await readAll(socket, 250, 1_500_000)
      assert.ok(total > Buffer.byteLength(body), `${total} of ${Buffer.byteLength(body)}`)
      assert.ok(performance.now() - begun > 2_500, 'it took longer than anyone may stand still')
    },
    { patience: { stallMs: 1_500, lookEveryMs: 50 } },
  ),
)

/** The filtered feed is longer than what is kept. `countMade` grows with each one that is made. */
async function checkLongFeedTags({ app, writer }: World, countMade: () => number): Promise<void> {
  const url = `${FEED}?from=2026-01-02`
  const get = (headers: Record<string, string> = {}) => ask(app, { method: 'HEAD', url, headers })
  const { headers } = await get({ 'accept-encoding': 'gzip' })
  const etag = String(headers.etag)
  const made = countMade()
  for (const known of [etag, `"other", W/${etag}`, etag.replace('-gzip', ''), '*']) {
    const again = await get({ 'accept-encoding': 'gzip', 'if-none-match': known })
    assert.equal(again.statusCode, 304, known)
    assert.equal(again.headers['cache-control'], 'public, no-cache')
    assert.equal(again.headers.vary, 'Accept-Encoding')
    if (known !== '*') assert.ok(known.includes(String(again.headers.etag)), known)
  }
  assert.equal(countMade(), made, 'a 304 makes no feed')
  assert.equal((await get({ 'if-none-match': '"other"' })).statusCode, 200)
  assert.equal(countMade(), made + 1)
  await writer.creates({ title: 'New', start: '2026-07-14T09:00', end: '2026-07-14T10:00', visibility: 'public' })
  assert.equal((await get({ 'accept-encoding': 'gzip', 'if-none-match': etag })).statusCode, 200, 'it has changed')
}

forEachEngine('a deaf administrator holds no snapshot of the database open', (engine) =>
  withWorld(
    engine,
    async (world) => {
      await fillLongFeed(world)
      const { storage } = world.app.ctx
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
      const port = await listen(world.app)
      const socket = askDeaf(port, head(`${BASE}/admin/export.ics`, { authorization: basicOf('admin@example.org') }))
      await waitFor('a reader is opened', () => open.readers > 0)
      assert.equal(open.readers, 1)
      await waitForConnections(world, (count) => count === 0)
      await waitFor('the reader is closed', () => open.readers === 0)
      assert.deepEqual(open, { readers: 0, opened: 1 })
      socket.destroy()
      assert.equal((await world.admin.get('/admin/export.ics')).status, 200)
      await checkLongFeedTags(world, () => open.opened)
    },
    SHORT,
  ),
)

test('over TLS it is the same, and a handshake that is not finished ends too', async () => {
  const place = await makePlace('sqlite')
  const { key, certificate } = makeCertificate('localhost')
  writeFileSync(join(place.folder, 'cert.pem'), certificate)
  writeFileSync(join(place.folder, 'key.pem'), key)
  const settings = {
    DAYBOOK_TLS_CERTIFICATE: join(place.folder, 'cert.pem'),
    DAYBOOK_TLS_KEY: join(place.folder, 'key.pem'),
    DAYBOOK_PUBLIC_URL: 'https://localhost',
  }
  const world = await openWorld('sqlite', place, { settings, patience: { ...SHORT.patience, handshakeMs: 400 } })
  try {
    await fillLongFeed(world)
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
  } finally {
    await world.app.close()
    await place.remove()
  }
})

test('one network holds so many connections and no more; this machine and named proxies hold what they need', async () => {
  const crowd = async (patience: WorldOptions['patience'], settings = {}): Promise<number> => {
    let held = 0
    await withWorld(
      'sqlite',
      async (world) => {
        const port = await listen(world.app)
        const sockets = Array.from({ length: 12 }, () => askDeaf(port, 'GET '))
        await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
        // Asked for last, so the others have been let in or turned away by now.
        await ask(world.app, { url: '/healthz' })
        await delay(200)
        held = await connectionsOf(world)
        for (const socket of sockets) socket.destroy()
        await waitForConnections(world, (count) => count === 0)
        assert.equal((await getRaw(port, '/healthz')).status, 200, 'there is room again')
      },
      { patience, settings },
    )
    return held
  }
  assert.equal(await crowd({ perNetwork: 5, spared: [] }), 5)
  assert.equal(await crowd({ perNetwork: 5 }), 12)
  assert.equal(await crowd({ perNetwork: 5, spared: [] }, { DAYBOOK_TRUST_PROXY: '127.0.0.0/8' }), 12)
})

forEachEngine(
  'answers that wait for slow readers are bounded for each network and for all; kept ones still go out',
  (engine) =>
    withWorld(
      engine,
      async (world) => {
        await fillLongFeed(world)
        const { app } = world
        const port = await listen(app)
        const sockets: Socket[] = []
        const askFor = async (from: string): Promise<void> => {
          sockets.push(askDeaf(port, head(`${FEED}?from=${from}`)))
          // Made, kept and on its way when somebody else is told so.
          assert.equal((await ask(app, { url: `${FEED}?from=${from}`, method: 'HEAD' })).statusCode, 200)
          await delay(100)
        }
        assert.equal((await ask(app, { url: FEED, method: 'HEAD' })).statusCode, 200)
        for (const from of ['2026-01-01', '2026-01-02']) await askFor(from)
        const refused = await ask(app, { url: `${FEED}?from=2026-01-03` })
        assert.equal(refused.statusCode, 503)
        assert.equal(JSON.parse(refused.body).error.code, 'service_unavailable')
        assert.ok(Number(refused.headers['retry-after']) > 0)
        assert.equal((await ask(app, { url: FEED, method: 'HEAD' })).statusCode, 200)
        const elsewhere = { remoteAddress: '192.0.2.7' }
        assert.equal(
          (await ask(app, { url: `${FEED}?from=2026-01-04`, ...elsewhere })).statusCode,
          200,
          'not their fault',
        )
        for (const socket of sockets) socket.destroy()
        await waitForConnections(world, (count) => count === 0)
        assert.equal((await ask(app, { url: `${FEED}?from=2026-01-05` })).statusCode, 200)
      },
      { patience: { heldPerNetworkBytes: 30_000_000 } },
    ),
)
