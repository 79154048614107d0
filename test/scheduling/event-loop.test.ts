// Yielding of long work: concurrent requests share the turns of the event loop instead of adding up.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { runForClient } from '../../src/scheduling/current-client.ts'
import { acceptWaiting, createSliceTimer, recordAccepted, yieldToEventLoop } from '../../src/scheduling/event-loop.ts'
import { inSnapshot, inTransaction } from '../../src/storage/engine/transaction.ts'
import { forEachEngine } from '../support/storage/engines.ts'
import { withWorld } from '../support/world.ts'

const REQUESTS = 12

/** Keeps the thread busy. A busy machine makes it longer, never shorter. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Runs `act` and returns how often `count` was called in each turn of the event loop. */
async function countPerTurn(act: (count: () => void) => Promise<unknown>): Promise<number[]> {
  const turns = [0]
  let isOver = false
  const next = (): void => {
    if (isOver) return
    turns.push(0)
    setImmediate(next)
  }
  setImmediate(next)
  await act(() => {
    turns[turns.length - 1]! += 1
  }).finally(() => {
    isOver = true
  })
  return turns
}

test('slices of concurrent requests are spread over turns', async () => {
  const turns = await countPerTurn((count) =>
    Promise.all(
      Array.from({ length: REQUESTS }, async () => {
        for (let i = 0; i < 4; i++) {
          await yieldToEventLoop()
          count()
          work(9)
        }
      }),
    ),
  )
  assert.ok(Math.max(...turns) <= 2, `slices per turn: ${turns.join(' ')}`)
})

test('requests that begin in the same turn share it from their first slice on', async () => {
  const turns = await countPerTurn((count) =>
    Promise.all(
      Array.from({ length: REQUESTS }, async () => {
        const { pause } = createSliceTimer()
        for (let i = 0; i < 8; i++) {
          count()
          work(2)
          const yielded = pause()
          if (yielded) await yielded
        }
      }),
    ),
  )
  // Each has one step before it can yield, and 16 ms are eight steps.
  assert.ok(Math.max(...turns) <= REQUESTS + 8, `steps per turn: ${turns.join(' ')}`)
})

test('the request that waits longest is resumed first', async () => {
  const order: number[] = []
  await Promise.all(
    Array.from({ length: REQUESTS }, async (_, i) => {
      for (let slice = 0; slice < 3; slice++) {
        await yieldToEventLoop()
        order.push(i)
        work(5)
      }
    }),
  )
  const round = Array.from({ length: REQUESTS }, (_, i) => i)
  assert.deepEqual(order, [...round, ...round, ...round])
})

test('a request that runs alone is resumed in the next turn', async () => {
  const turns = await countPerTurn(async (count) => {
    for (let i = 0; i < 20; i++) {
      await yieldToEventLoop()
      count()
    }
  })
  assert.ok(turns.filter((slices) => slices === 0).length <= 2, `slices per turn: ${turns.join(' ')}`)
  assert.ok(Math.max(...turns) <= 2, `slices per turn: ${turns.join(' ')}`)
})

test('clients are resumed in turn: one with many slices does not delay another', async () => {
  const order: string[] = []
  const yieldOnce = (name: string): Promise<unknown> =>
    runForClient({ path: [name] }, async () => {
      await yieldToEventLoop()
      order.push(name)
      work(5)
    })
  await Promise.all([...Array.from({ length: 20 }, () => yieldOnce('many')), yieldOnce('one')])
  assert.equal(order.indexOf('one'), 1)
})

test('waiting connections are accepted during long work: several for each slice', async () => {
  const server = createServer()
  server.on('connection', recordAccepted)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let accepted = 0
  const sockets: Socket[] = []
  server.on('connection', (socket) => {
    accepted += 1
    sockets.push(socket.on('error', () => {}))
  })
  for (let i = 0; i < 60; i++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
  let slices = 0
  while (accepted < 60) {
    await yieldToEventLoop()
    slices += 1
    work(9)
  }
  for (const socket of sockets) socket.destroy()
  server.close()
  assert.ok(slices < 30, `${slices} slices until sixty connections were accepted`)
})

test('no number of new connections stops long work', async () => {
  let isOver = false
  const accept = (): void => {
    if (isOver) return
    recordAccepted()
    setImmediate(accept)
  }
  accept()
  for (let slice = 0; slice < 5; slice++) await yieldToEventLoop()
  isOver = true
})

test('waiting for connections continues while they arrive, up to a maximum of turns', async () => {
  let turns = 0
  const accept = (): void => {
    if (turns === 40) return
    turns += 1
    // Before the turn that this begins: connections are accepted before any other work.
    setImmediate(accept)
    recordAccepted()
  }
  accept()
  await acceptWaiting(20)
  assert.ok(turns < 40, 'it ended before')
  await acceptWaiting()
  assert.equal(turns, 40)
})

forEachEngine('work that holds a connection alternates with the other slices of its client', (engine) =>
  withWorld(engine, async ({ app }) => {
    for (const hold of [inSnapshot, inTransaction]) {
      const client = { path: ['a client'] }
      const held = Promise.withResolvers<void>()
      const others = Promise.withResolvers<void>()
      let isHeld = true
      let slices = 0
      const holder = runForClient(client, () =>
        hold(app.ctx.storage, async () => {
          held.resolve()
          await others.promise
          for (let slice = 0; slice < 5; slice++) await yieldToEventLoop()
          isHeld = false
        }),
      )
      await held.promise
      const all = Array.from({ length: 30 }, () =>
        runForClient(client, async () => {
          while (isHeld) {
            await yieldToEventLoop()
            if (isHeld) slices += 1
            work(9)
          }
        }),
      )
      others.resolve()
      await Promise.all([holder, ...all])
      assert.ok(slices > 0 && slices < 30, `${slices} other slices went before it`)
    }
  }),
)
