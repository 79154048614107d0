// A connection that sends KeyUpdates and no content is closed, and its network refused for a time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { SecuredSocket } from '../../../src/http/connections/handshake-limiter.ts'
import { type KeyUpdateLimits, limitKeyUpdates } from '../../../src/http/connections/key-update-limiter.ts'
import { makeCertificate } from '../../support/http/certificate.ts'
import { type HeldConnection, openHeld, writeSmall } from '../../support/http/held-connection.ts'
import { FLOOD_CIPHER, makeKeyUpdates } from '../../support/http/key-updates.ts'
import { withTls } from '../../support/http/tls.ts'
import { waitFor } from '../../support/measure/wait-for.ts'

const GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const ATTACKER = '127.50.0.1'
const NEIGHBOUR = '127.50.0.2'

/** Clients of tests have addresses of this machine. */
const NONE_SPARED = { patience: { spared: [] } }

/** 1,213 KeyUpdates, so that floods are cheap. */
const SMALL: KeyUpdateLimits = { burstBytes: 32_768, bytesPerSecond: 1, refusedMs: 60_000 }

interface LimitedServer {
  port: number
  received: SecuredSocket[]
  check(): void
}

async function withLimit(
  use: (server: LimitedServer) => Promise<void>,
  {
    isSpared = () => false,
    limits = SMALL,
  }: { isSpared?: (address: string) => boolean; limits?: KeyUpdateLimits } = {},
): Promise<void> {
  const { key, certificate } = makeCertificate('localhost')
  const server = createServer({ key, cert: certificate }, (request, response) => {
    request.resume().on('end', () => response.end('alive'))
  })
  const check = limitKeyUpdates(server, isSpared, limits)
  const received: SecuredSocket[] = []
  server.on('secureConnection', (socket: SecuredSocket) => {
    received.push(socket)
    // With a listener, Node's parser takes its bytes from the stream, as in the service.
    socket.on('data', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use({ port: (server.address() as AddressInfo).port, received, check })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

interface FloodClient extends HeldConnection {
  answer: string
}

async function openClient(port: number, localAddress: string, more: object = {}): Promise<FloodClient> {
  const client: FloodClient = { ...(await openHeld(port, { localAddress, ...more })), answer: '' }
  client.secured.setEncoding('utf8').on('data', (part: string) => (client.answer += part))
  return client
}

const openFlooding = (port: number, localAddress: string): Promise<FloodClient> =>
  openClient(port, localAddress, { ciphers: FLOOD_CIPHER })

const hasEnded = ({ secured }: HeldConnection): boolean => secured.destroyed || secured.readableEnded

async function flood(port: number, address: string, count = 2_200): Promise<void> {
  const client = await openFlooding(port, address)
  client.sendRaw(makeKeyUpdates(client.secret, count, false, ''))
  await waitFor(`the end of ${address}`, () => hasEnded(client))
}

async function getHealth(client: FloodClient): Promise<void> {
  client.answer = ''
  await writeSmall(client.secured, [GET])
  client.send()
  await waitFor('an answer', () => client.answer.includes('alive') || hasEnded(client))
  assert.match(client.answer, /alive/)
}

/** False if the server closes the connection before a handshake. */
const isAccepted = (port: number, localAddress: string): Promise<boolean> =>
  openHeld(port, { localAddress }).then(
    ({ secured }) => Boolean(secured.destroy()),
    () => false,
  )

test('a flood of KeyUpdates ends the connections of its network and no others', () =>
  withTls(async (port) => {
    const neighbour = await openClient(port, ATTACKER)
    const other = await openClient(port, '127.60.0.1')
    await getHealth(other)
    // Three times the limit: a server that reads them slowly forgives 16 KiB a second.
    let isOver = false
    const flooding = flood(port, ATTACKER, 30_000).finally(() => (isOver = true))
    // A connection without requests is closed after five seconds, and a busy machine needs longer for the flood.
    while (!isOver) await getHealth(other)
    await flooding
    await waitFor('the end of its other connections', () => hasEnded(neighbour))
    assert.equal(await isAccepted(port, ATTACKER), false)
    await getHealth(other)
    assert.equal(await isAccepted(port, NEIGHBOUR), true, 'one flood does not refuse the /24')
    other.secured.destroy()
  }, NONE_SPARED))

test('floods from several addresses of a /24 refuse all of it', () =>
  withLimit(async ({ port }) => {
    for (const last of [1, 2, 3]) await flood(port, `127.50.0.${last}`)
    assert.equal(await isAccepted(port, '127.50.0.6'), false)
    assert.equal(await isAccepted(port, '127.50.1.6'), true)
  }))

test('KeyUpdates on many short connections are counted together', () =>
  withLimit(async ({ port }) => {
    for (let opened = 0; opened < 3; opened++) {
      const client = await openFlooding(port, ATTACKER)
      // Fewer than a record has octets.
      client.sendRaw(makeKeyUpdates(client.secret, 600, false, GET))
      await waitFor('the answer', () => client.answer !== '' || hasEnded(client))
      client.secured.destroy()
    }
    await waitFor('its refusal', async () => !(await isAccepted(port, ATTACKER)))
  }))

test('content does not pay for KeyUpdates', () =>
  withLimit(async ({ port }) => {
    const client = await openFlooding(port, ATTACKER)
    const request = GET.replace('\r\n\r\n', `\r\nX-Long: ${'a'.repeat(14_000)}\r\n\r\n`)
    client.sendRaw(makeKeyUpdates(client.secret, 240, false, request, 12))
    await waitFor('the end', () => hasEnded(client))
    assert.equal(await isAccepted(port, ATTACKER), false)
  }))

test('KeyUpdates now and then are not refused', () =>
  withLimit(async ({ port, check }) => {
    const client = await openFlooding(port, ATTACKER)
    client.sendRaw(makeKeyUpdates(client.secret, 20, true, GET, 20))
    await waitFor('answers', () => client.answer.split('alive').length > 20 || hasEnded(client))
    check()
    assert.equal(await isAccepted(port, ATTACKER), true)
    client.secured.destroy()
  }))

const UPLOADS = 3

for (const [size, records] of [
  [1, 2_000],
  [300, 600],
  [16_384, 10],
] as const)
  for (const fragment of [1_500, 7_000, 16_000, 45_000])
    test(`uploads in records of ${size} octets, ${fragment} between two checks, are received whole`, () =>
      withLimit(async ({ port, received, check }) => {
        const clients: FloodClient[] = []
        while (clients.length < UPLOADS) clients.push(await openClient(port, ATTACKER))
        // In TLS 1.3 the client's handshake is complete before the server's.
        await waitFor('the handshakes', () => received.length === UPLOADS, { everyMs: 1 })
        const before = received.map(({ _parent }) => _parent.bytesRead)
        const sent: Buffer[] = []
        for (const { secured, takeRecords } of clients) {
          const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size * records}\r\n\r\n`
          await writeSmall(secured, [head, ...Array<Buffer>(records).fill(Buffer.alloc(size, 'x'))])
          sent.push(takeRecords())
        }
        for (let at = 0; at < sent[0]!.length; at += fragment) {
          clients.forEach(({ sendRaw }, i) => {
            sendRaw(sent[i]!.subarray(at, at + fragment))
          })
          const end = Math.min(at + fragment, sent[0]!.length)
          const hasArrived = () =>
            received.every(({ _parent, destroyed }, i) => destroyed || _parent.bytesRead - before[i]! >= end)
          await waitFor('the arrival', hasArrived, { everyMs: 1 })
          check()
        }
        for (const client of clients) {
          await waitFor('an answer', () => client.answer.includes('alive') || hasEnded(client))
          assert.match(client.answer, /alive/)
          client.secured.destroy()
        }
        await waitFor('the end', () => received.every(({ closed }) => closed))
        assert.equal(await isAccepted(port, ATTACKER), true)
      }))

test('small records are not taken for KeyUpdates, also where the service pauses the connection', () =>
  withTls(async (port) => {
    const client = await openClient(port, ATTACKER)
    const length = 14_000
    await writeSmall(client.secured, [`POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`])
    await writeSmall(client.secured, Array(length).fill('x'))
    await getHealth(client)
    client.secured.destroy()
    assert.equal(await isAccepted(port, ATTACKER), true)
  }, NONE_SPARED))

test('uploads that end within a record do not refuse their network', () =>
  withTls(async (port, { app }) => {
    const received: SecuredSocket[] = []
    app.server.server.on('secureConnection', (socket: SecuredSocket) => received.push(socket))
    for (let opened = 0; opened < 16; opened++) {
      const { secured, takeRecords, sendRaw } = await openHeld(port, { localAddress: ATTACKER })
      const head = 'POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000\r\n\r\n'
      await writeSmall(secured, [head, 'x'.repeat(16_384)])
      const { _parent: raw } = await waitFor('the handshake', () => received[opened], { everyMs: 1 })
      const sent = takeRecords().subarray(0, -1)
      const before = raw.bytesRead
      sendRaw(sent)
      await waitFor('the arrival', () => raw.bytesRead - before === sent.length, { everyMs: 1 })
      secured.destroy()
    }
    await waitFor('the end', () => received.every(({ closed }) => closed))
    assert.equal(await isAccepted(port, ATTACKER), true)
  }, NONE_SPARED))

test('a proxy is not refused, nor for a flood from its network', () =>
  withLimit(
    async ({ port, received }) => {
      const client = await openFlooding(port, NEIGHBOUR)
      client.sendRaw(makeKeyUpdates(client.secret, 2_200, false, GET))
      await waitFor('an answer', () => client.answer !== '' || hasEnded(client))
      client.secured.destroy()
      await waitFor('the end', () => received.every(({ closed }) => closed))
      assert.equal(await isAccepted(port, NEIGHBOUR), true)
      for (const last of [1, 3, 4]) await flood(port, `127.50.0.${last}`)
      assert.equal(await isAccepted(port, '127.50.0.7'), false)
      assert.equal(await isAccepted(port, NEIGHBOUR), true)
    },
    { isSpared: (address) => address === NEIGHBOUR },
  ))

test('a network is accepted again after its time', () =>
  withLimit(
    async ({ port }) => {
      await flood(port, ATTACKER)
      await waitFor('a connection', () => isAccepted(port, ATTACKER))
    },
    { limits: { ...SMALL, refusedMs: 500 } },
  ))
