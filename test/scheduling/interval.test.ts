// Intervals: rounds never overlap, go on after a failure, and end when stopped.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startInterval } from '../../src/scheduling/interval.ts'
import { waitFor } from '../support/measure/wait-for.ts'

test('a round that takes longer than the interval delays the next one', async () => {
  let [begun, running, atOnce] = [0, 0, 0]
  const held = Promise.withResolvers<void>()
  const interval = startInterval(1, async () => {
    begun += 1
    running += 1
    atOnce = Math.max(atOnce, running)
    if (begun === 1) await held.promise
    running -= 1
  })
  let ticks = 0
  const other = startInterval(1, () => {
    ticks += 1
  })
  await waitFor('several ticks', () => ticks >= 5)
  assert.equal(begun, 1)
  held.resolve()
  await waitFor('more rounds', () => begun >= 3)
  await Promise.all([interval.stop(), other.stop()])
  assert.equal(atOnce, 1)
})

test('a failed round is reported and followed by the next', async () => {
  const errors: unknown[] = []
  let rounds = 0
  const work = async (): Promise<void> => {
    rounds += 1
    throw new Error(`round ${rounds}`)
  }
  const interval = startInterval(1, work, (error) => errors.push((error as Error).message))
  await waitFor('two failures', () => errors.length >= 2)
  await interval.stop()
  assert.deepEqual(errors.slice(0, 2), ['round 1', 'round 2'])
})

test('stop waits for the running round, and no other begins', async () => {
  let rounds = 0
  const held = Promise.withResolvers<void>()
  const interval = startInterval(1, () => {
    rounds += 1
    return held.promise
  })
  await waitFor('a round', () => rounds === 1)
  let isStopped = false
  const stopped = interval.stop().then(() => {
    isStopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isStopped, false)
  held.resolve()
  await stopped
  assert.equal(rounds, 1)
})
