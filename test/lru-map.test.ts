// LRU map: eviction order, and which operations count as a use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LruMap } from '../src/lru-map.ts'

const filled = (): LruMap<string, number> => new LruMap<string, number>(3).set('a', 1).set('b', 2).set('c', 3)

test('a new entry evicts the least recently used one', () => {
  const map = filled()
  map.get('a')
  map.set('d', 4)
  assert.deepEqual([...map.keys()], ['c', 'a', 'd'])
})

test('a peek does not count as a use', () => {
  const map = filled()
  assert.equal(map.peek('a'), 1)
  map.set('d', 4)
  assert.deepEqual([...map.keys()], ['b', 'c', 'd'])
})

test('setting a known key evicts nothing and counts as a use', () => {
  const map = filled().set('a', 9)
  assert.deepEqual(
    [...map],
    [
      ['b', 2],
      ['c', 3],
      ['a', 9],
    ],
  )
})

test('an undefined value is an entry', () => {
  const map = new LruMap<string, number | undefined>(2).set('a', undefined).set('b', 2)
  assert.equal(map.get('a'), undefined)
  map.set('c', 3)
  assert.deepEqual([...map.keys()], ['a', 'c'])
  assert.equal(map.get('b'), undefined)
  assert.equal(map.size, 2)
})
