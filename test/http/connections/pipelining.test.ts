// F32: a connection may have 32 pending responses and is handled one request at a time, in turn with other networks.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect as connectSecurely } from 'node:tls'
import { MAX_STARTED_PER_TURN } from '../../../src/http/connections/request-scheduler.ts'
import { makeCertificate } from '../../support/http/certificate.ts'
import { countConnections, getRaw, listen, type SocketResponse, sendRaw } from '../../support/http/socket.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { makePlace } from '../../support/storage/engines.ts'
import { basicOf, openWorld, type World, type WorldOptions, withWorld } from '../../support/world.ts'

const SHORTEST = 'GET /a HTTP/1.1\r\n\r\n'
const PER_CONNECTION = 3_400
const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n'
/** The limit, and the rest of the chunk in which it is passed. */
const MOST_PARSED = 32 + Math.ceil(1_024 / SHORTEST.length)

/** Counts the requests that Node parses, handled or not: each costs a request and a response object. */
function countParsed({ app }: World): () => number {
  let count = 0
  app.server.server.on('request', () => {
    count += 1
  })
  return () => count
}

/** Sends everything at once and reads nothing. */
async function checkFlood(world: World, open: () => Socket, connections: number): Promise<void> {
  const parsed = countParsed(world)
  const sockets = Array.from({ length: connections }, open)
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.pause()
    socket.write(SHORTEST.repeat(PER_CONNECTION))
  }
  await waitFor('each has passed the limit', () => parsed() >= connections * 33)
  await waitFor('the connections are closed', async () => (await countConnections(world.app)) === 0)
  for (const socket of sockets) socket.destroy()
  assert.ok(parsed() <= connections * MOST_PARSED, `${parsed()} of ${connections * PER_CONNECTION} were parsed`)
}

// Connections that do not read end soon in any case, so that the count is compared.
const SHORT: WorldOptions = { patience: { stallMs: 500, checkEveryMs: 50 } }

test('a flood of pipelined requests is not parsed to its end', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const port = await listen(world.app)
      const flooding = checkFlood(world, () => connect(port, '127.0.0.1'), 20)
      const [health] = await Promise.all([getRaw(port, '/healthz'), flooding])
      assert.equal(health.status, 200)
    },
    SHORT,
  ))

test('a flood of pipelined requests over TLS is not parsed to its end', async () => {
  const place = await makePlace('sqlite')
  const { key, certificate } = makeCertificate('localhost')
  writeFileSync(join(place.folder, 'cert.pem'), certificate)
  writeFileSync(join(place.folder, 'key.pem'), key)
  const settings = {
    DAYBOOK_TLS_CERTIFICATE: join(place.folder, 'cert.pem'),
    DAYBOOK_TLS_KEY: join(place.folder, 'key.pem'),
    DAYBOOK_PUBLIC_URL: 'https://localhost',
  }
  const world = await openWorld('sqlite', place, { ...SHORT, settings })
  try {
    const port = await listen(world.app)
    await checkFlood(world, () => connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false }), 2)
  } finally {
    await world.app.close()
    await place.remove()
  }
})

test('32 requests sent at once are all answered, in order, and more after them', () =>
  withWorld('sqlite', async (world) => {
    const port = await listen(world.app)
    const missing = (n: number): string => `HEAD /missing-${n} HTTP/1.1\r\nhost: localhost\r\n\r\n`
    const mixed = Array.from({ length: 31 }, (_, n) => (n % 2 ? missing(n) : `${HEALTH}\r\n`)).join('')
    const { head, body } = await sendRaw(port, `${mixed}${HEALTH}connection: close\r\n\r\n`)
    const statuses = [...`${head}\r\n\r\n${body}`.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
    assert.deepEqual(
      statuses,
      Array.from({ length: 32 }, (_, n) => (n % 2 && n < 31 ? 404 : 200)),
    )
    const socket = connect(port, '127.0.0.1')
    let answers = 0
    socket.on('data', (chunk) => {
      answers += chunk.toString().split('HTTP/1.1 200').length - 1
    })
    for (let round = 1; round <= 3; round++) {
      socket.write(`${HEALTH}\r\n`.repeat(32))
      await waitFor('all are answered', () => answers === 32 * round)
    }
    socket.destroy()
  }))

test('the request past the limit is refused with a code after earlier responses, and the rest is dropped', () =>
  withWorld('sqlite', async (world) => {
    const port = await listen(world.app)
    const { head, body } = await sendRaw(port, `${HEALTH}\r\n`.repeat(200))
    const whole = `${head}\r\n\r\n${body}`
    const statuses = [...whole.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
    assert.deepEqual(statuses, [...Array.from({ length: 32 }, () => 200), 429])
    const last = whole.slice(whole.lastIndexOf('HTTP/1.1'))
    assert.match(last, /\r\nconnection: close\r\n/i)
    assert.match(last, /\r\nretry-after: 1\r\n/i)
    assert.equal(JSON.parse(last.split('\r\n\r\n')[1]!).error.code, 'rate_limited')
  }))

test('a long body and the request behind it, in one write, arrive whole', () =>
  withWorld('sqlite', async (world) => {
    const port = await listen(world.app)
    const filler = `X-FILLER:${'x'.repeat(1_000)}\r\n`.repeat(4_000)
    const file = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n${filler}BEGIN:VEVENT\r\nUID:last@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260714T090000Z\r\nSUMMARY:Last\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    const head = `POST /api-root/calendar/v1/admin/import HTTP/1.1\r\nhost: localhost\r\nauthorization: ${basicOf('admin@example.org')}\r\ncontent-type: text/calendar\r\ncontent-length: ${file.length}\r\n\r\n`
    const { status, body } = await sendRaw(port, `${head}${file}${HEALTH}connection: close\r\n\r\n`)
    assert.equal(status, 200, body)
    assert.match(body, /HTTP\/1\.1 200/)
  }))

/** Answered requests, by turn of the event loop and by the address of their client. */
function watchTurns({ app }: World) {
  const answered = new Map<string, number>()
  let [inTurn, most] = [0, 0]
  app.server.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const address = socket.remoteAddress!
    response.once('finish', () => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0))
      inTurn += 1
      most = Math.max(most, inTurn)
      answered.set(address, (answered.get(address) ?? 0) + 1)
    })
  })
  return {
    mostInTurn: () => most,
    from: (address: string) => answered.get(address) ?? 0,
  }
}

test('pipelined requests of many connections are handled few at a time, and another network is served', () =>
  withWorld('sqlite', async (world) => {
    const port = await listen(world.app)
    const [connections, depth] = [30, 30]
    const turns = watchTurns(world)
    const open = async (localAddress: string): Promise<Socket> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => {})
      socket.resume()
      await once(socket, 'connect')
      return socket
    }
    const flood = await Promise.all(Array.from({ length: connections }, () => open('127.0.0.7')))
    const other = await open('127.0.0.9')
    for (const socket of flood) socket.write(`${HEALTH}\r\n`.repeat(depth))
    other.write(`${HEALTH}\r\n`)
    await waitFor('the other network has its answer', () => turns.from('127.0.0.9') === 1)
    await waitFor('all are answered', () => turns.from('127.0.0.7') === connections * depth)
    for (const socket of [...flood, other]) socket.destroy()
    assert.ok(turns.mostInTurn() <= 2 * MAX_STARTED_PER_TURN, `${turns.mostInTurn()} answers in one turn`)
  }))

test('a connection whose pipelined request is refused for its network is closed, and the rest is dropped', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const port = await listen(world.app)
      const one = 'GET /api-root/calendar/v1/public/categories HTTP/1.1\r\nhost: localhost\r\n'
      const statusesOf = ({ head, body }: SocketResponse): number[] =>
        [...`${head}\r\n\r\n${body}`.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
      let allowed = 0
      for (let round = 0; round < 25; round++) {
        const statuses = statusesOf(await sendRaw(port, `${`${one}\r\n`.repeat(29)}${one}connection: close\r\n\r\n`))
        allowed += statuses.filter((status) => status === 200).length
        assert.ok(statuses.filter((status) => status === 429).length <= 1, `${statuses}`)
        if (statuses.at(-1) === 429) break
      }
      assert.equal(allowed, 600)
      const answer = await sendRaw(port, `${one}\r\n`.repeat(30))
      assert.deepEqual(statusesOf(answer), [429])
      assert.match(answer.head, /\r\nconnection: close/i)
      assert.match(answer.head, /\r\nratelimit-policy: "public-ip"/i)
    },
    { settings: { DAYBOOK_RATE_LIMITS: 'on' } },
  ))
