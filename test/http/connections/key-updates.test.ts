// A connection that sends KeyUpdates and no content is closed, and its network refused for a time.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { limitKeyUpdates } from '../../../src/http/connections/key-update-limiter.ts'
import { makeCertificate } from '../../support/http/certificate.ts'
import { type HeldConnection, openHeld, writeSmall } from '../../support/http/held-connection.ts'
import { FLOOD_CIPHER, makeKeyUpdates } from '../../support/http/key-updates.ts'
import { withTls } from '../../support/http/tls.ts'
import { waitFor } from '../../support/measure/wait-for.ts'

const GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const ATTACKER = '127.50.0.1'

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

async function flood(port: number, address: string): Promise<void> {
  const client = await openFlooding(port, address)
  client.sendRaw(makeKeyUpdates(client.secret, 6_000, false, ''))
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
    await flood(port, ATTACKER)
    await waitFor('the end of its other connections', () => hasEnded(neighbour))
    assert.equal(await isAccepted(port, ATTACKER), false)
    await getHealth(other)
    assert.equal(await isAccepted(port, '127.50.0.2'), true, 'one flood does not refuse the /24')
    other.secured.destroy()
  }))

test('floods from several addresses of a /24 refuse all of it', () =>
  withTls(async (port) => {
    for (const last of [1, 2, 3, 4, 5]) await flood(port, `127.50.0.${last}`)
    assert.equal(await isAccepted(port, '127.50.0.6'), false)
    assert.equal(await isAccepted(port, '127.50.1.6'), true)
  }))

test('KeyUpdates on several connections are counted together', () =>
  withTls(async (port) => {
    const address = '127.51.0.1'
    for (let sent = 0; sent < 4; sent++) {
      const client = await openFlooding(port, address)
      client.sendRaw(makeKeyUpdates(client.secret, 1_500, false, GET))
      await waitFor('the answer or the end', () => client.answer !== '' || hasEnded(client))
      client.secured.destroy()
    }
    await waitFor('its refusal', async () => !(await isAccepted(port, address)))
  }))

test('clients that change their keys now and then, or send small records, are not closed', () =>
  withTls(async (port) => {
    const few = await openFlooding(port, ATTACKER)
    few.sendRaw(makeKeyUpdates(few.secret, 2_000, true, GET))
    await waitFor('an answer after KeyUpdates', () => few.answer.includes('alive') || hasEnded(few))
    assert.match(few.answer, /alive/)
    few.secured.destroy()
    const client = await openClient(port, ATTACKER, { maxVersion: 'TLSv1.2' })
    const length = 12_000
    await writeSmall(client.secured, [`POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`])
    await writeSmall(client.secured, Array(length).fill('x'))
    await getHealth(client)
    client.secured.destroy()
  }))

test('a network is accepted again after its time', async () => {
  const { key, certificate } = makeCertificate('localhost')
  const server = createServer({ key, cert: certificate }, (_request, response) => response.end('alive'))
  limitKeyUpdates(server, { burstBytes: 65_536, bytesPerSecond: 1, refusedMs: 500 })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    await flood(port, ATTACKER)
    await waitFor('a connection', () => isAccepted(port, ATTACKER))
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
