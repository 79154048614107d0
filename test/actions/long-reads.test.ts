// The line that long answers wait in: two at a time, in order, and nobody waits behind more than sixteen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { inLine } from '../../src/actions/long-reads.ts'
import type { Context } from '../../src/context.ts'

const makeContext = (): Context => ({}) as Context

test('two are made at once, the next wait in order, and who finds sixteen waiting comes back later', async () => {
  const ctx = makeContext()
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (name: number) => () => {
    begun.push(name)
    return new Promise<number>((resolve) => ends.push(() => resolve(name)))
  }
  const made = Array.from({ length: 18 }, (_, i) => inLine(ctx, work(i)))
  await turn()
  assert.deepEqual(begun, [0, 1])
  await assert.rejects(inLine(ctx, work(18)), { code: 'service_unavailable' })
  const another = makeContext()
  void inLine(another, work(100))
  assert.deepEqual(begun, [0, 1, 100], 'another service has a line of its own')
  for (let i = 0; i < 18; i++) {
    ends[i < 2 ? i : i + 1]!()
    await turn()
    assert.equal(begun.length, Math.min(18, i + 3) + 1)
  }
  assert.deepEqual(
    await Promise.all(made),
    Array.from({ length: 18 }, (_, i) => i),
  )
  const last = inLine(ctx, async () => 'free again')
  assert.equal(await last, 'free again')
})

test('who fails makes room like everyone', async () => {
  const ctx = makeContext()
  const fails = Array.from({ length: 10 }, () =>
    inLine(ctx, async () => {
      await turn()
      throw new Error('no')
    }),
  )
  for (const { status } of await Promise.allSettled(fails)) assert.equal(status, 'rejected')
  assert.equal(await inLine(ctx, async () => 'yes'), 'yes')
})
