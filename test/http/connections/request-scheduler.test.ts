// The request scheduler alone: networks take turns, however many connections one of them has.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import {
  createRequestScheduler,
  MAX_STARTED_PER_TURN,
  type RequestScheduler,
} from '../../../src/http/connections/request-scheduler.ts'

const CONNECTIONS = 300

const fakeSocket = (remoteAddress: string, onResume: () => void = () => {}): Socket =>
  ({ remoteAddress, destroyed: false, pause() {}, unshift() {}, resume: onResume }) as unknown as Socket

const createScheduler = (): RequestScheduler =>
  createRequestScheduler(({ socket }: IncomingMessage) => [socket.remoteAddress!])

/** Schedules one request for each of these networks on its own connection; returns the networks in starting order. */
async function startsOf(networks: readonly string[]): Promise<string[]> {
  const scheduler = createScheduler()
  const started: string[] = []
  await Promise.all(
    networks.map((network) => {
      const request = { socket: fakeSocket(network) } as IncomingMessage
      const ended = Promise.withResolvers<void>()
      scheduler.schedule(request, () => {
        started.push(network)
        setImmediate(() => {
          scheduler.release(request)
          ended.resolve()
        })
      })
      return ended.promise
    }),
  )
  return started
}

const crowd = (): string[] => Array.from({ length: CONNECTIONS }, () => 'crowd')

test('a network with one request does not wait for the connections of another', async () => {
  const started = await startsOf([...crowd(), 'other'])
  assert.equal(started.length, CONNECTIONS + 1)
  // Those of the first turn had begun before it came; then each network has one of every two.
  const before = started.indexOf('other')
  assert.ok(before <= MAX_STARTED_PER_TURN + 1, `${before} of ${CONNECTIONS} went before it`)
})

test('three networks share the starts while each of them waits', async () => {
  const networks = ['a', 'b', 'c']
  const started = await startsOf(networks.flatMap((network) => crowd().map(() => network)))
  const shared = started.slice(MAX_STARTED_PER_TURN, MAX_STARTED_PER_TURN + 300)
  for (const network of networks) assert.equal(shared.filter((name) => name === network).length, 100, network)
})

test('the next request of a connection starts when the response before it is closed, and no other response', async () => {
  const scheduler = createScheduler()
  const socket = fakeSocket('a')
  const requests = ['first', 'second', 'third'].map((name) => ({ name, socket }) as unknown as IncomingMessage)
  const started: IncomingMessage[] = []
  for (const request of requests) scheduler.schedule(request, () => void started.push(request))
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve())))
  await turn()
  // As of a request that was refused while it waited.
  scheduler.release(requests[1]!)
  await turn()
  assert.deepEqual(started, requests.slice(0, 1))
  scheduler.release(requests[0]!)
  await turn()
  assert.deepEqual(started, requests.slice(0, 2))
  scheduler.release(requests[1]!)
  await turn()
  assert.deepEqual(started, requests)
})

/** As a handler does: some work at once, some after a wait for existing work. */
async function workFor(ms: number): Promise<void> {
  const spin = (): void => {
    for (const end = performance.now() + ms / 2; performance.now() < end; );
  }
  spin()
  await undefined
  spin()
}

test('requests that take long to start have a bounded time in one turn', async () => {
  const scheduler = createScheduler()
  let turn = 0
  let isOver = false
  const count = (): void => {
    turn += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const turns: number[] = []
  const requests = Array.from({ length: MAX_STARTED_PER_TURN }, async () => {
    // Each in its own callback, as sockets are read.
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise<void>((resolve) => {
      scheduler.schedule({ socket: fakeSocket('a') } as IncomingMessage, async () => {
        turns.push(turn)
        await workFor(6)
        resolve()
      })
    })
  })
  await Promise.all(requests)
  isOver = true
  const most = Math.max(...[...Map.groupBy(turns, (at) => at).values()].map(({ length }) => length))
  assert.ok(most <= 4, `${most} of ${turns.length} requests of 6 ms were started in one turn`)
})

test('a connection that waits to be read again does not wait for all requests of another network', async () => {
  const scheduler = createScheduler()
  const resumed: string[] = []
  await Promise.all(
    [...crowd(), 'other'].map(
      (network) =>
        new Promise<void>((resolve) => {
          const onResume = (): void => {
            resumed.push(network)
            resolve()
          }
          scheduler.parseLater(fakeSocket(network, onResume), Buffer.alloc(0))
        }),
    ),
  )
  assert.equal(resumed.length, CONNECTIONS + 1)
  assert.ok(resumed.indexOf('other') <= 1, `${resumed.indexOf('other')} of ${CONNECTIONS} were read before it`)
})
