// A paused connection is not read, and nothing is lost or reordered when it is resumed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { createServer as createSecureServer } from 'node:tls'
import { holdWhilePaused } from '../../../src/http/connections/held-reads.ts'
import { makeCertificate } from '../../support/http/certificate.ts'
import { openHeld, writeSmall } from '../../support/http/held-connection.ts'
import { waitFor } from '../../support/measure/wait-for.ts'

/** The reads of the first connection of a server that holds it while it is paused. */
async function withServer(
  server: Server,
  event: 'connection' | 'secureConnection',
  story: (port: number, accepted: Promise<Socket>, reads: Buffer[]) => Promise<void>,
): Promise<void> {
  const reads: Buffer[] = []
  const accepted = once(server, event).then(([socket]: Socket[]) => {
    holdWhilePaused(socket!)
    socket!.on('data', (chunk: Buffer) => reads.push(chunk)).on('error', () => {})
    return socket!
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await story((server.address() as AddressInfo).port, accepted, reads)
  } finally {
    server.close()
  }
}

const RECORDS = 5_000
const OCTETS = Buffer.from(Array.from({ length: RECORDS }, (_, i) => i % 251))

test('small TLS records that arrive while it is paused are one read', () => {
  const { key, certificate } = makeCertificate('localhost')
  return withServer(
    createSecureServer({ key, cert: certificate }),
    'secureConnection',
    async (port, accepted, reads) => {
      const { secured, send } = await openHeld(port)
      const socket = await accepted
      await writeSmall(
        secured,
        [...OCTETS].map((octet) => Buffer.from([octet])),
      )
      socket.once('data', () => socket.pause())
      send()
      await waitFor('the first read', () => reads.length > 0)
      const before = reads.length
      for (let pauses = 0; pauses < 3; pauses++) {
        socket.resume().pause()
        await new Promise((resolve) => setImmediate(resolve))
      }
      socket.resume()
      await waitFor('all is read', () => reads.reduce((sum, { length }) => sum + length, 0) === RECORDS)
      assert.deepEqual(Buffer.concat(reads), OCTETS)
      assert.equal(before, 1)
      // Another read of the socket may follow, whose records are not held.
      assert.ok(reads[1]!.length > 500, `${reads[1]!.length} octets in the second of ${reads.length} reads`)
      secured.destroy()
      socket.destroy()
    },
  )
})

test('a connection that was paused is read to its end', () =>
  withServer(createServer({ allowHalfOpen: true }), 'connection', async (port, accepted, reads) => {
    const client = connect(port, '127.0.0.1')
    const socket = await accepted
    let hasEnded = false
    socket.on('end', () => (hasEnded = true))
    const sent = Buffer.alloc(3_000_000, OCTETS)
    client.end(sent)
    for (let pauses = 0; pauses < 50 && !hasEnded; pauses++) {
      socket.pause()
      const { bytesRead } = socket
      await new Promise((resolve) => setTimeout(resolve, 1))
      assert.ok(socket.bytesRead - bytesRead <= 65_536, `${socket.bytesRead - bytesRead} octets while it is paused`)
      socket.resume()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await waitFor('the end', () => hasEnded)
    assert.deepEqual(Buffer.concat(reads), sent)
    client.destroy()
    socket.destroy()
  }))
