// The semaphore of costly reads: two at a time, one for each caller, callers in turn, and a bounded queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Caller, inLine } from '../../src/actions/long-reads.ts'
import type { Context } from '../../src/context.ts'

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
  const made = Array.from({ length: 18 }, (_, i) => inLine(ctx, caller(`${i}`), work(`${i}`)))
  await turn()
  assert.deepEqual(begun, ['0', '1'])
  await assert.rejects(inLine(ctx, caller('18'), work('18')), { code: 'service_unavailable' })
  void inLine(makeContext(), caller('0'), work('another'))
  await turn()
  assert.deepEqual(begun, ['0', '1', 'another'], 'another service has a semaphore of its own')
  for (let i = 0; i < 18; i++) await end(`${i}`)
  assert.deepEqual(
    await Promise.all(made),
    Array.from({ length: 18 }, (_, i) => `${i}`),
  )
  assert.equal(await inLine(ctx, caller('0'), async () => 'free again'), 'free again')
})

test('one caller has one read made at a time, eight waiting, and cannot keep others waiting', async () => {
  const ctx = makeContext()
  const { begun, work, end } = makeWork()
  const own = Array.from({ length: 9 }, (_, i) => inLine(ctx, caller('a'), work(`a${i}`)))
  await turn()
  assert.deepEqual(begun, ['a0'])
  await assert.rejects(inLine(ctx, caller('a'), work('a9')), { code: 'service_unavailable' })
  const others = ['b', 'c', 'd'].map((key) => inLine(ctx, caller(key), work(key)))
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
    inLine(ctx, payer, async () => {
      await turn()
      throw new Error('no')
    }),
  )
  for (const { status } of await Promise.allSettled(fails)) assert.equal(status, 'rejected')
  assert.equal(await inLine(ctx, payer, async () => 'yes'), 'yes')
  assert.equal(charged, 6)
})
