// Requests of one network that are worked on at the same time: a few, so that those of others do not wait for all of them.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { createRunningRequests, MAX_RUNNING, releasePlace } from '../../src/http/running-requests.ts'
import { forEachEngine } from '../support/engines.ts'
import { listen } from '../support/socket.ts'
import { waitFor } from '../support/wait-for.ts'
import { withWorld } from '../support/world.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Asked {
  request: IncomingMessage
  response: ServerResponse
}

function createRequests() {
  const requests = createRunningRequests(({ socket }) => socket.remoteAddress!)
  const started: string[] = []
  const ask = (network: string, headers: Record<string, string> = {}): Asked => {
    const request = { socket: { remoteAddress: network }, headers } as unknown as IncomingMessage
    const response = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
    requests.run(request, response, () => started.push(network))
    return { request, response }
  }
  return { requests, started, ask }
}

test('a network has few requests under way; another one, and one with a body, is started at once', async () => {
  const { started, ask } = createRequests()
  const asked = Array.from({ length: 20 }, () => ask('a'))
  assert.equal(started.length, MAX_RUNNING)
  ask('b')
  ask('a', { 'content-length': '2' })
  assert.deepEqual(started.slice(MAX_RUNNING), ['b', 'a'])
  releasePlace(asked[0]!.response)
  releasePlace(asked[0]!.response)
  asked[0]!.response.emit('close')
  asked[1]!.response.emit('close')
  await nextTurn()
  assert.equal(started.length, MAX_RUNNING + 2 + 2, 'each frees its place once')
})

test('requests with a body hold a place from when it has arrived, apart from those without', async () => {
  const { requests, started, ask } = createRequests()
  for (let i = 0; i < MAX_RUNNING; i++) ask('a')
  const asked = Array.from({ length: MAX_RUNNING + 2 }, () => ask('a', { 'content-length': '2' }))
  assert.equal(started.length, 2 * MAX_RUNNING + 2)
  let entered = 0
  for (const { request, response } of asked) requests.enter(request, response).then(() => (entered += 1))
  await nextTurn()
  assert.equal(entered, MAX_RUNNING)
  releasePlace(asked[0]!.response)
  await nextTurn()
  await nextTurn()
  assert.equal(entered, MAX_RUNNING + 1)
})

test('a request whose client is gone gives its place to the next', async () => {
  const { started, ask } = createRequests()
  const asked = Array.from({ length: MAX_RUNNING + 3 }, () => ask('a'))
  for (const { response } of asked.slice(MAX_RUNNING, MAX_RUNNING + 2)) Object.assign(response, { destroyed: true })
  asked[0]!.response.emit('close')
  for (let turn = 0; turn < 4; turn++) await nextTurn()
  assert.equal(started.length, MAX_RUNNING + 1)
  for (const { response } of asked) response.emit('close')
  for (let i = 0; i < MAX_RUNNING; i++) ask('a')
  assert.equal(started.length, 2 * MAX_RUNNING + 1, 'no place is lost')
})

const BASE = '/api-root/calendar/v1'

forEachEngine('F32: a network that asks for ninety lists does not hold up the list of another', (engine) =>
  withWorld(engine, async ({ app, writer }) => {
    for (let i = 0; i < 10; i++)
      await writer.creates({
        title: `Series ${i}`,
        visibility: 'public',
        start: '2026-01-01T09:00',
        end: '2026-01-01T10:00',
        rrule: 'FREQ=DAILY',
      })
    const port = await listen(app)
    const open = async (localAddress: string): Promise<Socket> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress })
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    }
    let answered = 0
    const ask = (socket: Socket, query: string): Promise<void> => {
      socket.write(`GET ${BASE}/public/events?${query} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
      return new Promise((resolve) => {
        socket.once('data', (bytes: Buffer) => {
          assert.match(bytes.toString('latin1', 0, 20), /^HTTP\/1\.1 200/)
          resolve()
        })
      })
    }
    const flood = await Promise.all(Array.from({ length: 90 }, () => open('127.0.0.7')))
    const others = await Promise.all(Array.from({ length: MAX_RUNNING }, () => open('127.0.0.9')))
    const other = await open('127.0.0.9')
    // Connections to the database are opened before: to open one takes as long as many answers.
    await Promise.all(
      others.map((socket, i) => ask(socket, `from=2026-04-01T00:00:1${i}&to=2026-04-03&per_page=9&page=1`)),
    )
    const all = flood.map(async (socket, i) => {
      await ask(socket, `from=2026-02-01T00:00:${10 + (i % 50)}&to=2026-02-${10 + (i % 10)}&per_page=200&page=1`)
      answered += 1
    })
    await waitFor('the first answer', () => answered > 0)
    const before = answered
    await ask(other, 'from=2026-03-01&to=2026-03-02&per_page=1&page=1')
    const between = answered - before
    await Promise.all(all)
    for (const socket of [...flood, ...others, other]) socket.destroy()
    assert.ok(between < 60, `${between} answers of ninety went before it`)
  }),
)

test('answers that are not read hold no place: the network goes on', () =>
  withWorld('sqlite', async ({ app, writer }) => {
    const description = '漢'.repeat(9_900)
    const times = { start: '2026-01-01T09:00', end: '2026-01-01T10:00', rrule: 'FREQ=DAILY;COUNT=150' }
    await writer.creates({ title: 'Long', visibility: 'public', description, ...times })
    const port = await listen(app)
    const open = async (): Promise<Socket> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.7' })
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    }
    const ask = (socket: Socket, query: string): void =>
      void socket.write(`GET ${BASE}/public/events?${query} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    const unread = await Promise.all(Array.from({ length: MAX_RUNNING + 2 }, open))
    for (const [i, socket] of unread.entries())
      ask(socket, `from=2026-01-01T00:00:1${i}&to=2026-05-01&per_page=150&page=1`)
    await Promise.all(unread.map((socket) => once(socket, 'readable')))
    const socket = await open()
    ask(socket, 'from=2026-02-01&to=2026-02-02&per_page=1&page=1')
    const [bytes] = await once(socket, 'data')
    assert.match(bytes.toString('latin1', 0, 20), /^HTTP\/1\.1 200/)
    for (const each of [...unread, socket]) each.destroy()
  }))
