// The order of a fair queue: clients in turn at each level, first in first out within one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, type FairQueue } from '../../src/scheduling/fair-queue.ts'

function drain<T>(queue: FairQueue<T>): T[] {
  const items: T[] = []
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item)
  return items
}

test('clients are served in turn at each level', () => {
  const queue = createFairQueue<string>()
  for (let i = 1; i <= 3; i++) queue.push(['a', 'x'], `ax${i}`)
  queue.push(['a', 'y'], 'ay1')
  queue.push(['a'], 'a1')
  queue.push(['b', 'z'], 'bz1')
  queue.push(['b', 'z'], 'bz2')
  assert.equal(queue.size(), 7)
  assert.equal(queue.sizeOf('a'), 5)
  assert.deepEqual(drain(queue), ['ax1', 'bz1', 'ay1', 'bz2', 'a1', 'ax2', 'ax3'])
  assert.equal(queue.size(), 0)
})

test('a client that returns waits behind those not served since', () => {
  const queue = createFairQueue<string>()
  queue.push(['a'], 'a1')
  queue.push(['a'], 'a2')
  queue.push(['b'], 'b1')
  assert.equal(queue.shift(), 'a1')
  queue.push(['c'], 'c1')
  queue.push(['a'], 'a3')
  assert.deepEqual(drain(queue), ['b1', 'a2', 'c1', 'a3'])
})

test('items are queued once, can be deleted, and leave nothing behind', () => {
  const queue = createFairQueue<string>()
  queue.push(['a', 'x'], 'one')
  queue.push(['a', 'x'], 'one')
  queue.push(['a', 'y'], 'two')
  assert.equal(queue.size(), 2)
  queue.delete(['a', 'x'], 'one')
  queue.delete(['a', 'x'], 'one')
  queue.delete(['b'], 'two')
  assert.equal(queue.size(), 1)
  assert.deepEqual(drain(queue), ['two'])
  assert.equal(queue.sizeOf('a'), 0)
})
