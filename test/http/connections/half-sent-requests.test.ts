// F19: half-sent requests, headers or body, are refused with 408 and release their connection within 15 seconds.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { isBodyStalled } from '../../../src/http/connections/connection-limiter.ts'
import { CONNECTION_LIMITS } from '../../../src/http/connections/connection-limits.ts'
import { trackInFlight } from '../../../src/http/connections/in-flight.ts'
import { countConnections, listen } from '../../support/http/socket.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { basicOf, withWorld } from '../../support/world.ts'

const BASE = '/api-root/calendar/v1'
const LOGIN = `POST ${BASE}/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`

/** Half a request, from a client that neither reads nor closes and keeps sending a byte now and then. */
function sendSlowly(port: number, text: string): { socket: Socket; stop(): void } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.resume()
  socket.write(text)
  const timer = setInterval(() => socket.writable && socket.write('x'), 40).unref()
  return {
    socket,
    stop() {
      clearInterval(timer)
      socket.destroy()
    },
  }
}

test('half-sent requests, headers or body, release their slot whatever the client continues to send', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const port = await listen(world.app)
      const halves = [
        'GET / HTTP/1.1\r\nhost: localhost\r\nx-a: ',
        'GET /',
        `${LOGIN}content-length: 9999\r\n\r\n{"`,
        `${LOGIN}transfer-encoding: chunked\r\n\r\nfff\r\n{"`,
        `${LOGIN}content-length: 9999\r\nexpect: 100-continue\r\n\r\n`,
        // Answered at once, with a body that never ends.
        'GET /healthz HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999\r\n\r\n',
      ]
      let accepted = 0
      // The first may have ended before the last has begun.
      world.app.server.server.on('connection', () => (accepted += 1))
      const clients = halves.map((text) => sendSlowly(port, text))
      await waitFor('all connections', () => accepted === halves.length)
      // The limits below add up to half a second.
      await waitFor('their end', async () => (await countConnections(world.app)) === 0, { deadlineMs: 15_000 })
      for (const client of clients) client.stop()
    },
    // Only the limits for half-sent requests can end these.
    { patience: { headersMs: 300, bodyStallMs: 300, lingerMs: 100, checkEveryMs: 50, stallMs: 3_600_000 } },
  ))

test('bytes that arrive after a 408 have no effect', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const port = await listen(world.app)
      const body = JSON.stringify({ title: 'Late', start: '2026-07-14T09:00', end: '2026-07-14T10:00' })
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {})
      const headers = `authorization: ${basicOf('writer@example.org')}\r\ncontent-type: application/json\r\n`
      const start = `POST ${BASE}/events HTTP/1.1\r\nhost: localhost\r\n`
      socket.write(`${start}${headers}content-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`)
      const [answer] = await once(socket, 'data')
      assert.match(String(answer), /^HTTP\/1\.1 408 .*"request_timeout"/s)
      socket.write(body.slice(-1))
      await waitFor('the end of the connection', async () => (await countConnections(world.app)) === 0)
      assert.equal((await world.writer.get('/events')).body.meta.pagination.total, 0)
      socket.destroy()
    },
    { patience: { bodyStallMs: 300, lingerMs: 1_000, checkEveryMs: 50 } },
  ))

test('a body that arrives slowly but steadily is accepted', () => {
  const socket = { bytesRead: 0 } as Socket
  const request = { socket, complete: false, readableLength: 0 } as {
    socket: Socket
    complete: boolean
    readableLength: number
  }
  trackInFlight(request as IncomingMessage, new EventEmitter() as ServerResponse)
  const progress = { bytes: 0, at: 0, received: 0, receivedAt: 0 }
  const limits = { ...CONNECTION_LIMITS, bodyStallMs: 10_000, minBodyBytes: 1_024 }
  const isStalledAt = (now: number, bytesRead: number): boolean =>
    isBodyStalled(Object.assign(socket, { bytesRead }), progress, now, limits)
  for (let second = 1; second <= 120; second++) assert.equal(isStalledAt(second * 1_000, second * 110), false)
  assert.equal(isStalledAt(129_000, 120 * 110), false)
  assert.equal(isStalledAt(131_000, 120 * 110 + 1), true, 'a byte now and then is not enough')
  request.readableLength = 1
  assert.equal(isStalledAt(132_000, 120 * 110 + 1), false, 'the service itself does not read on')
  request.readableLength = 0
  assert.equal(isStalledAt(141_000, 120 * 110 + 1), false)
  request.complete = true
  assert.equal(isStalledAt(150_000, 120 * 110 + 1), false, 'all of it is here')
})

test('the default limits end a half-sent request, and an unread response, within 15 seconds', () => {
  const { headersMs, bodyStallMs, stallMs, lingerMs, checkEveryMs } = CONNECTION_LIMITS
  for (const limit of [headersMs + lingerMs, bodyStallMs + lingerMs, stallMs])
    assert.ok(limit + checkEveryMs < 15_000, `${limit} ms`)
})
