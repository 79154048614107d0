// LRU map: eviction order, and which operations count as a use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteLruMap, LruMap } from '../src/lru-map.ts'

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

test('the most recently used entry is gone after it was deleted or the map was cleared', () => {
  const map = filled()
  map.get('a')
  map.delete('a')
  assert.equal(map.get('a'), undefined)
  map.set('a', 4)
  map.get('b')
  map.set('d', 5)
  assert.deepEqual([...map.keys()], ['a', 'b', 'd'])
  map.clear()
  assert.equal(map.get('d'), undefined)
  assert.equal(map.size, 0)
})

test('an undefined value is an entry', () => {
  const map = new LruMap<string, number | undefined>(2).set('a', undefined).set('b', 2)
  assert.equal(map.get('a'), undefined)
  map.set('c', 3)
  assert.deepEqual([...map.keys()], ['a', 'c'])
  assert.equal(map.get('b'), undefined)
  assert.equal(map.size, 2)
})

test('a map bounded by bytes evicts until the rest fits, and counts what an entry grows by', () => {
  const map = new ByteLruMap<string, number>(100)
  map.set('a', 1, 40)
  map.set('b', 2, 40)
  map.get('a')
  map.set('c', 3, 40)
  assert.deepEqual([map.peek('a'), map.peek('b'), map.peek('c'), map.bytes], [1, undefined, 3, 80])
  map.set('a', 4, 10)
  assert.deepEqual([map.peek('a'), map.bytes], [4, 50])
  map.addBytes('a', 60)
  assert.deepEqual([map.has('a'), map.has('c'), map.bytes], [true, false, 70])
  map.addBytes('a', 60)
  assert.deepEqual([map.has('a'), map.bytes], [false, 0], 'an entry larger than all is not kept')
  map.addBytes('gone', 10)
  map.delete('gone')
  map.set('d', 5, 5)
  map.clear()
  assert.deepEqual([map.has('d'), map.bytes], [false, 0])
})
