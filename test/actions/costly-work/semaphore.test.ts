// The semaphore of costly reads: two at a time, one for each caller, callers in turn, and a bounded queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { type Caller, withPermit } from '../../../src/actions/costly-work/semaphore.ts'
import type { Context } from '../../../src/context.ts'
import type { Storage } from '../../../src/storage/engine/storage.ts'
import { inOwnSnapshot } from '../../../src/storage/engine/transaction.ts'
import { startWork } from '../../support/measure/effort.ts'
import { assertShortTurns } from '../../support/measure/turns.ts'

const makeContext = (): Context => ({}) as Context
const caller = (key: string): Caller => ({ key, charge: () => {} })

/** Work that is ended by hand; `begun` has the names in the order they were begun. */
function makeWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const end = async (name: string): Promise<void> => {
    ends.get(name)!()
    await turn()
  }
  return { begun, work, end }
}

test('two callers are served at once, the next wait, and past sixteen waiting the answer is 503', async () => {
  const ctx = makeContext()
  const { begun, work, end } = makeWork()
  const made = Array.from({ length: 18 }, (_, i) => withPermit(ctx, caller(`${i}`), work(`${i}`)))
  await turn()
  assert.deepEqual(begun, ['0', '1'])
  await assert.rejects(withPermit(ctx, caller('18'), work('18')), { code: 'service_unavailable' })
  void withPermit(makeContext(), caller('0'), work('another'))
  await turn()
  assert.deepEqual(begun, ['0', '1', 'another'], 'another service has a semaphore of its own')
  for (let i = 0; i < 18; i++) await end(`${i}`)
  assert.deepEqual(
    await Promise.all(made),
    Array.from({ length: 18 }, (_, i) => `${i}`),
  )
  assert.equal(await withPermit(ctx, caller('0'), async () => 'free again'), 'free again')
})

test('one caller runs one read at a time and queues eight more, without delaying other callers', async () => {
  const ctx = makeContext()
  const { begun, work, end } = makeWork()
  const own = Array.from({ length: 9 }, (_, i) => withPermit(ctx, caller('a'), work(`a${i}`)))
  await turn()
  assert.deepEqual(begun, ['a0'])
  await assert.rejects(withPermit(ctx, caller('a'), work('a9')), { code: 'service_unavailable' })
  const others = ['b', 'c', 'd'].map((key) => withPermit(ctx, caller(key), work(key)))
  await turn()
  assert.deepEqual(begun, ['a0', 'b'])
  await end('a0')
  assert.deepEqual(begun, ['a0', 'b', 'a1'], 'the queue of a is older')
  await end('a1')
  assert.deepEqual(begun, ['a0', 'b', 'a1', 'c'], 'then each of the others comes before a again')
  await end('b')
  assert.deepEqual(begun, ['a0', 'b', 'a1', 'c', 'd'])
  await end('c')
  await end('d')
  for (let i = 2; i < 9; i++) await end(`a${i}`)
  assert.equal((await Promise.all([...own, ...others])).length, 12)
})

test('a read that fails gives its permit back, and each is charged for its time', async () => {
  const ctx = makeContext()
  let charged = 0
  const payer: Caller = {
    key: 'a',
    charge() {
      charged += 1
    },
  }
  const fails = Array.from({ length: 5 }, () =>
    withPermit(ctx, payer, async () => {
      await turn()
      throw new Error('no')
    }),
  )
  for (const { status } of await Promise.allSettled(fails)) assert.equal(status, 'rejected')
  assert.equal(await withPermit(ctx, payer, async () => 'yes'), 'yes')
  assert.equal(charged, 6)
})

test('queued tasks that start one after another yield between turns of the event loop', async () => {
  const ctx = makeContext()
  const workShortly = async (): Promise<void> => {
    const workedMs = startWork()
    while (workedMs() < 10);
  }
  const { totalMs } = await assertShortTurns('nine works', { ms: 60 }, () =>
    Promise.all(Array.from({ length: 9 }, () => withPermit(ctx, caller('a'), workShortly))),
  )
  assert.ok(totalMs >= 90, `${totalMs.toFixed()} ms of work`)
})

test('callers of one wider network have half of the waiting places together', async () => {
  const { begun, work, end } = makeWork()
  const narrow = (key: string, ...widerNetworks: string[]): Caller => ({ ...caller(key), widerNetworks })
  for (const wide of ['/56', '/48', '/24']) {
    const ctx = makeContext()
    begun.length = 0
    const first = ['x', 'y'].map((key) => withPermit(ctx, caller(key), work(key)))
    const own = Array.from({ length: 8 }, (_, i) => withPermit(ctx, narrow(`a${i}`, `own ${i}`, wide), work(`a${i}`)))
    await turn()
    for (const key of ['a8', 'a0'])
      await assert.rejects(withPermit(ctx, narrow(key, wide), work(key)), { code: 'service_unavailable' }, wide)
    const others = Array.from({ length: 8 }, (_, i) => withPermit(ctx, narrow(`b${i}`, `other ${i}`), work(`b${i}`)))
    await turn()
    await end('x')
    assert.deepEqual(begun, ['x', 'y', 'a0'])
    const again = withPermit(ctx, narrow('a8', wide), work('a8'))
    await end('y')
    for (let i = 0; i < 8; i++) await end(`a${i}`)
    for (let i = 0; i < 8; i++) await end(`b${i}`)
    await end('a8')
    assert.equal((await Promise.all([...first, ...own, ...others, again])).length, 19)
  }
})

const person = (key: string): Caller => ({ ...caller(key), isAccount: true })

test('accounts have their own queue slots, and alternate with networks', async () => {
  const ctx = makeContext()
  const { begun, work, end } = makeWork()
  const crowd = Array.from({ length: 18 }, (_, i) => withPermit(ctx, caller(`${i}`), work(`${i}`)))
  await turn()
  await assert.rejects(withPermit(ctx, caller('18'), work('18')), { code: 'service_unavailable' })
  const people = ['a', 'b', 'c'].map((key) => withPermit(ctx, person(key), work(key)))
  await turn()
  assert.deepEqual(begun, ['0', '1'])
  for (const name of ['0', '1', 'a', '2', 'b']) await end(name)
  assert.deepEqual(begun.slice(2), ['a', '2', 'b', '3', 'c'])
  for (const name of ['3', 'c']) await end(name)
  for (let i = 4; i < 18; i++) await end(`${i}`)
  assert.equal((await Promise.all([...crowd, ...people])).length, 21)
  const many = Array.from({ length: 18 }, (_, i) => withPermit(ctx, person(`p${i}`), work(`p${i}`)))
  await turn()
  await assert.rejects(withPermit(ctx, person('p18'), work('p18')), { code: 'service_unavailable' })
  const other = withPermit(ctx, caller('network'), work('network'))
  await turn()
  for (let i = 0; i < 2; i++) await end(`p${i}`)
  assert.ok(begun.includes('network'), 'nor do accounts keep the public out')
  await end('network')
  for (let i = 2; i < 18; i++) await end(`p${i}`)
  await Promise.all([...many, other])
})

test('reads that run at the same time share the time they are charged for', async () => {
  const ctx = makeContext()
  const charged: number[] = []
  const payer = (key: string): Caller => ({ key, charge: (costMs) => void charged.push(costMs) })
  const begunAt = performance.now()
  await Promise.all(['a', 'b'].map((key) => withPermit(ctx, payer(key), () => delay(30))))
  const elapsed = performance.now() - begunAt
  await withPermit(ctx, payer('c'), () => delay(30))
  const [a = 0, b = 0, c = 0] = charged
  assert.ok(a > 0 && b > 0 && a + b <= elapsed * 1.01, `${a} and ${b} of ${elapsed} ms`)
  assert.ok(c >= 29, `${c} ms alone`)
})

test('the time in which a read waits for its connection is not charged, also where it gets none', async () => {
  const ctx = makeContext()
  const charges: number[] = []
  const charged = { key: 'a', charge: (costMs: number) => void charges.push(costMs) }
  const waitMs = 300
  await withPermit(ctx, charged, async (begin) => {
    await delay(waitMs)
    begin()
  })
  const openReader = (): never => {
    throw new Error('no connection')
  }
  const storage = { engine: 'postgres', openReader } as unknown as Storage
  const waiting = (begin: () => void): Promise<void> =>
    delay(waitMs).then(() => inOwnSnapshot(storage, async () => {}, begin))
  await assert.rejects(withPermit(ctx, charged, waiting), /no connection/)
  await withPermit(ctx, charged, () => delay(waitMs))
  const [waited, refused, worked] = charges
  assert.ok(waited! < worked! / 2 && refused! < worked! / 2, charges.join(', '))
})
