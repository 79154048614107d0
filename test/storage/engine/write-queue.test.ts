// F55: writers that wait for each other on PostgreSQL leave connections for reads; the write queue of both engines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../../src/errors.ts'
import { runForClient } from '../../../src/scheduling/current-client.ts'
import { createConnectionQueue } from '../../../src/storage/engine/connection-queue.ts'
import { openPostgres } from '../../../src/storage/engine/postgres.ts'
import { inTransaction } from '../../../src/storage/engine/transaction.ts'
import { readCalendarState } from '../../../src/storage/events/calendar.ts'
import { classifyFailure } from '../../../src/storage/health/failure.ts'
import { waitFor } from '../../support/measure/wait-for.ts'
import { makePlace } from '../../support/storage/engines.ts'
import { connect } from '../../support/storage/template.ts'
import { type World, withTwoNodes, withWorld } from '../../support/world.ts'

const event = { title: 'A', start: '2026-07-14T09:00', end: '2026-07-14T10:00' }

/** How many write transactions were requested since. */
function countWrites({ app }: World): () => number {
  const { storage } = app.ctx
  const { writes } = storage
  let count = 0
  const transaction = () => {
    count += 1
    return writes.transaction()
  }
  storage.writes = new Proxy(writes, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  })
  return () => count
}

const readReadiness = async ({ anonymous }: World): Promise<unknown> => {
  const { status, body } = await anonymous.send({ method: 'GET', url: '/readyz' })
  return status === 200 ? body.data.status : body.error.details
}

test('F55: while writers on two nodes wait for a locked row, reads are answered and both nodes are ready', () =>
  withTwoNodes('postgres', async (one, two) => {
    const before = await one.writer.creates(event)
    const other = await connect(one.place.settings.DAYBOOK_DATABASE_URL!)
    try {
      await other.query('begin')
      await other.query('select * from calendar for update')
      const counts = [one, two].map(countWrites)
      const writing = [one, two].flatMap(({ writer }) =>
        Array.from({ length: 30 }, () => writer.post('/events', event)),
      )
      await waitFor('all writes have begun', () => counts.every((count) => count() >= 30))
      for (const node of [one, two]) {
        for (const path of ['/events', `/events/${before.id}`, '/public/events'])
          assert.equal((await node.reader.get(path)).status, 200, path)
        assert.equal(await readReadiness(node), 'ready')
      }
      await other.query('rollback')
      const answers = await Promise.all(writing)
      const refused = answers.filter(({ status }) => status !== 201)
      for (const { status, body, headers } of refused) {
        assert.deepEqual([status, body.error.code], [503, 'storage_unavailable'])
        assert.ok(Number(headers['retry-after']) >= 1)
      }
      const { total } = (await two.reader.get('/events')).body.meta.pagination
      assert.equal(total, 1 + answers.length - refused.length, 'what was acknowledged is there, and nothing else')
      assert.equal((await two.writer.post('/events', event)).status, 201)
    } finally {
      await other.end()
    }
  }))

test('F55: transactions with a second read connection do not wait for each other', async () => {
  const place = await makePlace('postgres')
  const storage = openPostgres({ url: place.settings.DAYBOOK_DATABASE_URL!, poolSize: 2, onLost: () => {} })
  try {
    let together = 0
    const states = Array.from({ length: 20 }, () =>
      inTransaction(storage, async () => {
        together += 1
        await new Promise(setImmediate)
        return readCalendarState(storage.reads)
      }),
    )
    assert.equal((await Promise.all(states)).length, 20)
    assert.equal(together, 20, 'none was tried twice')
  } finally {
    await storage.close()
    await place.remove()
  }
})

test('F55: a pool whose connections are all in use does not make the node not ready', () =>
  withWorld(
    'postgres',
    async (world) => {
      const { promise: held, resolve } = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const holding = world.app.ctx.storage.reads.transaction().execute(() => {
        begun.resolve()
        return held
      })
      await begun.promise
      try {
        const { status, body } = await world.anonymous.send({ method: 'GET', url: '/readyz' })
        assert.deepEqual([status, body.data?.checks.database], [200, { status: 'degraded', reason: 'busy' }])
      } finally {
        resolve()
        await holding
      }
      await waitFor('not busy', async () => {
        const { body } = await world.anonymous.send({ method: 'GET', url: '/readyz' })
        return body.data.checks.database.status === 'ok'
      })
    },
    { settings: { DAYBOOK_DATABASE_POOL_SIZE: '1' } },
  ))

const reasonOf = (error: unknown): string => {
  assert.ok(error instanceof AppError)
  return `${error.code} ${classifyFailure(error.cause)?.reason}`
}

test('the queue grants connections in order, some at a time, and refuses one too many', async () => {
  const queue = createConnectionQueue({ atOnce: 2, maxWaiting: 3 })
  const served: number[] = []
  const all = Array.from({ length: 5 }, (_, i) => queue.acquire().then(() => served.push(i)))
  assert.equal(await queue.acquire().catch(reasonOf), 'storage_unavailable busy')
  assert.deepEqual(served, [0, 1])
  queue.release()
  await all[2]
  assert.deepEqual(served, [0, 1, 2])
  const next = queue.acquire().then(() => served.push(5))
  for (let i = 0; i < 3; i++) queue.release()
  await next
  await Promise.all(all)
  assert.deepEqual(served, [0, 1, 2, 3, 4, 5])
})

test('the queue refuses an entry that has waited too long, and gives its place to others', async () => {
  const queue = createConnectionQueue({ atOnce: 1, maxWaiting: 1, maxWaitMs: 1 })
  await queue.acquire()
  assert.equal(await queue.acquire().catch(reasonOf), 'storage_unavailable busy')
  const next = queue.acquire().catch(reasonOf)
  queue.release()
  assert.equal(typeof (await next), 'number')
  queue.release()
  await queue.acquire()
})

test('the queue serves clients in turn, and refuses one too many of each', async () => {
  const queue = createConnectionQueue({ atOnce: 1, maxWaiting: 10, maxWaitingOfCustomer: 3 })
  const served: string[] = []
  const acquire = (path: string[], name: string): Promise<unknown> =>
    runForClient({ path }, () => queue.acquire()).then(() => served.push(name))
  await queue.acquire()
  const all = [acquire(['a', 'x'], 'ax1'), acquire(['a', 'x'], 'ax2'), acquire(['a', 'y'], 'ay'), acquire(['b'], 'b')]
  assert.equal(await acquire(['a', 'z'], 'az').catch(reasonOf), 'storage_unavailable busy')
  for (const each of ['ax1', 'b', 'ay', 'ax2']) {
    queue.release()
    await waitFor(each, () => served.includes(each))
  }
  await Promise.all(all)
  assert.deepEqual(served, ['ax1', 'b', 'ay', 'ax2'])
})
