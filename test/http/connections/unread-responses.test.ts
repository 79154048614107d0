// Memory of unread responses: pages and files share their bytes, and all others count in the budgets.
import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { test } from 'node:test'
import { withReservedBytes } from '../../../src/api/cached-route.ts'
import { findBuiltWebApp } from '../../../src/api/web-app/files.ts'
import { CONNECTION_LIMITS } from '../../../src/http/connections/connection-limits.ts'
import type { CachedResponse } from '../../../src/http/responses/response-cache.ts'
import { createResponseWriter } from '../../../src/http/responses/response-writer.ts'
import { eventText, MAIN } from '../../caldav/support/events.ts'
import { DECLARED, davOf } from '../../support/http/dav.ts'
import { getRaw, listen } from '../../support/http/socket.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { holdReads } from '../../support/storage/hold-storage.ts'
import { ask, basicOf, type World, withWorld } from '../../support/world.ts'

const CONNECTIONS = 12
const BASE = '/api-root/calendar/v1'
const HOURLY = {
  title: 'Bell',
  timezone: 'UTC',
  start: '2026-07-01T00:00',
  end: '2026-07-01T00:05',
  rrule: `FREQ=DAILY;BYHOUR=${Array.from({ length: 24 }, (_, hour) => hour)}`,
}

/** Connections that send requests and do not read the responses. */
function openUnread({ app }: World, port: number) {
  const due = new Set<ServerResponse>()
  app.server.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    due.add(response)
    response.once('close', () => due.delete(response))
  })
  const isHeld = ({ headersSent, writableLength }: ServerResponse): boolean => headersSent && writableLength > 0
  const dueOn = ({ localPort }: Socket) => due.values().filter(({ req }) => req.socket.remotePort === localPort)
  /** Sends until a response waits for the client on each connection: how much the kernel buffers differs. */
  const fill = async (path: string, count: number): Promise<Socket[]> => {
    const requests = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(16)
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').pause())
    for (const socket of sockets) socket.on('error', () => {}).write(requests)
    await waitFor('each connection has an answer that is not read', () => {
      for (const socket of sockets) if (socket.localPort && !dueOn(socket).some(() => true)) socket.write(requests)
      return sockets.every((socket) => dueOn(socket).some(isHeld))
    })
    return sockets
  }
  const close = async (sockets: readonly Socket[]): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await waitFor('no answer is due', () => due.size === 0)
  }
  return { fill, close }
}

function findLongestFile(): string {
  const [path] = [...findBuiltWebApp()!.files].toSorted(([, a], [, b]) => b.bytes.length - a.bytes.length)[0]!
  return path
}

test('unread pipelined responses share the bytes of static responses and files, and others are counted', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { app, writer } = world
      const port = await listen(app)
      const unread = openUnread(world, port)
      const description = `${BASE}/openapi.json`
      for (const path of [description, findLongestFile()]) {
        const { body } = await getRaw(port, path)
        assert.ok(body.length > 100_000, `${path} has ${body.length}`)
        const before = process.memoryUsage().arrayBuffers
        const sockets = await unread.fill(path, CONNECTIONS)
        const held = process.memoryUsage().arrayBuffers - before
        await unread.close(sockets)
        assert.ok(held < (CONNECTIONS * body.length) / 2, `${path}: ${held} bytes for ${CONNECTIONS} answers`)
      }
      const { id } = await writer.creates({ ...HOURLY, visibility: 'public' })
      const occurrences = `${BASE}/events/${id}/occurrences?from=2026-07-01&to=2026-08-31`
      const sockets = await unread.fill(occurrences, 1)
      const refused = await ask(app, { url: occurrences })
      assert.equal(refused.statusCode, 503)
      assert.equal(JSON.parse(refused.body).error.code, 'service_unavailable')
      assert.equal(refused.headers.etag, undefined)
      assert.equal((await ask(app, { url: description })).statusCode, 200, 'shared bytes need no room')
      assert.equal((await ask(app, { url: occurrences, remoteAddress: '192.0.2.7' })).statusCode, 200)
      await unread.close(sockets)
      assert.equal((await ask(app, { url: occurrences })).statusCode, 200)
    },
    { patience: { heldPerNetworkBytes: 100_000 } },
  ))

test('subscribers of one shared feed are not closed because another client does not read', () => {
  const sending = createResponseWriter({ ...CONNECTION_LIMITS, heldBytes: 1_000, heldPerNetworkBytes: 900 })
  const held = (network: string, bytes: Buffer): ServerResponse => {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    sending.hold(response, network, bytes)
    return response
  }
  const feed = Buffer.alloc(500)
  const subscribers = Array.from({ length: 10 }, (_, i) => held(`192.0.2.${i}`, feed))
  const others = Array.from({ length: 5 }, () => held('198.51.100.1', Buffer.alloc(100)))
  sending.requireRoom('203.0.113.1')
  assert.deepEqual(
    [...subscribers, ...others].map(({ destroyed }) => destroyed).indexOf(true),
    10,
    'the oldest of its own',
  )
  assert.throws(() => held('198.51.100.1', Buffer.alloc(100)) && sending.requireRoom('198.51.100.1'), {
    code: 'service_unavailable',
  })
})

test('a response still being built counts after the same one, built for another client, was sent', async () => {
  const sending = createResponseWriter({ ...CONNECTION_LIMITS, heldBytes: 1_000, heldPerNetworkBytes: 900 })
  const network = '192.0.2.1'
  const makings: PromiseWithResolvers<CachedResponse>[] = []
  await withReservedBytes(sending, network, async (makeInRoom) => {
    for (let i = 0; i < 2; i++)
      void makeInRoom((reserve) => {
        reserve(450)
        makings.push(Promise.withResolvers())
        return makings.at(-1)!.promise
      })
  })
  const isFull = (): boolean => {
    try {
      sending.requireRoom(network)
      return false
    } catch {
      return true
    }
  }
  const answer = { body: Buffer.alloc(450), etag: '"a"', headers: {} }
  assert.ok(isFull())
  for (const { resolve } of makings) resolve(answer)
  await Promise.all(makings.map(({ promise }) => promise))
  assert.ok(!isFull())
})

test('a response to a client that disconnected before it was ready is not counted', () => {
  const sending = createResponseWriter({ ...CONNECTION_LIMITS, heldBytes: 1_000, heldPerNetworkBytes: 900 })
  for (let i = 0; i < 10; i++) {
    const response = new ServerResponse(new IncomingMessage(new Socket()))
    response.destroy()
    sending.hold(response, '192.0.2.1', Buffer.alloc(900))
  }
  sending.requireRoom('192.0.2.1')
})

test('clients that disconnect before a long list is ready do not block lists for their network', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { app, writer } = world
      await writer.creates({ ...HOURLY, visibility: 'public' })
      const port = await listen(app)
      const listTo = (day: number): string => `${BASE}/public/events?from=2026-07-01&to=2026-11-${10 + day}`
      const closed = new Set<ServerResponse>()
      app.server.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
        response.once('close', () => closed.add(response))
      })
      const hold = await holdReads(world)
      const sockets = Array.from({ length: 5 }, (_, i) => {
        const socket = connect(port, '127.0.0.1')
        socket.write(`GET ${listTo(i)} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
        return socket
      })
      await waitFor('all wait for the storage', async () => (await hold.waiting()) >= sockets.length)
      for (const socket of sockets) socket.destroy()
      await waitFor('all have gone', () => closed.size === sockets.length)
      await hold.release()
      await waitFor('all answers are ready', () => [...closed].every(({ headersSent }) => headersSent))
      assert.equal((await ask(app, { url: listTo(9) })).statusCode, 200)
    },
    { patience: { heldPerNetworkBytes: 100_000 } },
  ))

test('unread reports are counted, refused where a network has too many, and not counted after it disconnects', () =>
  withWorld(
    'sqlite',
    async (world) => {
      const { app, writer } = world
      const port = await listen(app)
      await davOf(writer).put(
        `${MAIN}daily.ics`,
        eventText('daily', 'RRULE:FREQ=DAILY;COUNT=900', `X-LONG:${'x'.repeat(4_000)}`),
      )
      const expand = '<C:calendar-data><C:expand start="20260101T000000Z" end="20300101T000000Z"/></C:calendar-data>'
      const body = `<C:calendar-multiget ${DECLARED}><D:prop>${expand}</D:prop><D:href>${MAIN}daily.ics</D:href></C:calendar-multiget>`
      const head = [
        `REPORT ${MAIN} HTTP/1.1`,
        'host: localhost',
        `authorization: ${basicOf('writer@example.org')}`,
        'content-type: application/xml',
        'depth: 1',
        `content-length: ${Buffer.byteLength(body)}`,
      ]
      const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').pause())
      const firsts: string[] = []
      for (const socket of sockets) {
        socket.on('error', () => {}).once('readable', () => firsts.push(String(socket.read(12))))
        socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      }
      await waitFor('every request to be answered', () => firsts.length === CONNECTIONS)
      assert.deepEqual(new Set(firsts), new Set(['HTTP/1.1 207', 'HTTP/1.1 503']))
      for (const socket of sockets) socket.destroy()
      const report = () => davOf(writer).report(MAIN, body)
      await waitFor('room for another', async () => (await report()).status === 207)
    },
    { patience: { heldPerNetworkBytes: 30 * 1_048_576 } },
  ))
