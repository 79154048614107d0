// TLS handshakes: few at a time of one network, which does not delay others, and none with dear groups.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectPlain, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { withTls } from '../../support/http/tls.ts'
import { waitFor } from '../../support/measure/wait-for.ts'

const CONNECTIONS = 60
const AT_ONCE = 8

/** The first message of a client, which anyone can send again without any cryptography. */
async function recordHello(): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>()
  const transport = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      resolve(chunk)
      done()
    },
  })
  const socket = connect({ socket: transport, rejectUnauthorized: false }).on('error', () => {})
  const hello = await promise
  socket.destroy()
  return hello
}

const openSecurely = async (port: number, more: object = {}): Promise<TLSSocket> => {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...more })
  await once(socket, 'secureConnect')
  return socket
}

test('of the handshakes of one network eight are under way, and others are not delayed by them', () =>
  withTls(async (port) => {
    const hello = await recordHello()
    const answered = new Set<Socket>()
    let most = 0
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connectPlain(port, '127.0.0.1').on('error', () => {})
      socket.once('data', () => {
        answered.add(socket)
        most = Math.max(most, [...answered].filter(({ destroyed }) => !destroyed).length)
      })
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const socket of sockets) socket.write(hello)
    await waitFor('the first ones are answered', () => answered.size >= AT_ONCE)
    const other = await openSecurely(port, { localAddress: '127.0.0.2' })
    assert.equal(other.authorized, false)
    other.destroy()
    while (answered.size < CONNECTIONS) {
      const before = answered.size
      for (const socket of answered) socket.destroy()
      await waitFor('the next ones are answered', () => answered.size > before)
    }
    assert.ok(most <= AT_ONCE, `${most} at a time`)
    for (const socket of sockets) socket.destroy()
    const later = await openSecurely(port)
    later.destroy()
  }))

test('a handshake has only groups that take little time', () =>
  withTls(async (port) => {
    for (const ecdhCurve of ['X25519', 'prime256v1']) (await openSecurely(port, { ecdhCurve })).destroy()
    for (const ecdhCurve of ['secp521r1', 'secp384r1'])
      await assert.rejects(openSecurely(port, { ecdhCurve }), ecdhCurve)
  }))

const openPlain = async (port: number, more: object): Promise<Socket> => {
  const socket = connectPlain({ port, localAddress: '127.0.0.9', ...more })
    .on('error', () => {})
    .resume()
  await once(socket, 'connect')
  return socket
}

test('connections of one client address and port are counted each for itself', () =>
  withTls(
    async (port) => {
      const hello = await recordHello()
      const beginHandshakes = async (sockets: readonly Socket[]): Promise<void> => {
        for (const socket of sockets) socket.write(hello)
        await waitFor('all are answered or closed', () =>
          sockets.every((socket) => socket.bytesRead || socket.destroyed),
        )
        for (const { bytesRead } of sockets) assert.notEqual(bytesRead, 0, 'closed before its handshake began')
      }
      // One slot of eight would be lost in each round.
      for (let round = 0; round <= AT_ONCE; round++) {
        const first = await openPlain(port, { host: '127.0.0.1' })
        const pair = [first, await openPlain(port, { host: '127.0.0.2', localPort: first.localPort })]
        await beginHandshakes(pair)
        for (const socket of pair) socket.resetAndDestroy()
      }
      const held: Socket[] = []
      while (held.length < AT_ONCE) held.push(await openPlain(port, { host: '127.0.0.1' }))
      await beginHandshakes(held)
      for (const socket of held) socket.destroy()
    },
    { host: '0.0.0.0' },
  ))

test('a client cannot renegotiate', () =>
  withTls(async (port) => {
    const socket = await openSecurely(port, { maxVersion: 'TLSv1.2' })
    const outcome = await new Promise((resolve) => {
      socket.once('error', resolve).once('close', resolve)
      socket.renegotiate({}, (error) => resolve(error ?? 'renegotiated'))
    })
    assert.notEqual(outcome, 'renegotiated')
    socket.destroy()
  }))
