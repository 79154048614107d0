// The counters of the calendar are read once for all requests of one turn of the event loop, and anew after a commit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type CurrentState,
  createTurnReader,
  type StateReader,
} from '../../../src/actions/maintenance/revision-reader.ts'
import type { Context } from '../../../src/context.ts'

function readerOn(engine: 'sqlite' | 'postgres') {
  const storage = { engine, commitListeners: new Set<() => void>() }
  let revision = 0
  const read: StateReader = () => ({ revision: ++revision }) as CurrentState
  const readTurn = createTurnReader({ storage } as unknown as Context, read)
  const next = (): number => (readTurn() as CurrentState).revision
  const commit = (): void => {
    for (const listener of storage.commitListeners) listener()
  }
  return { next, commit }
}

test('requests of one turn share a read; the next turn reads again', async () => {
  const { next } = readerOn('sqlite')
  await nextTurn()
  assert.deepEqual([next(), next(), next()], [1, 1, 1])
  // A turn that waits for the system begins after the one that ran timers and immediates.
  await nextTurn()
  await nextTurn()
  assert.deepEqual([next(), next()], [2, 2])
})

test('after a commit of this process the same turn reads again', async () => {
  const { next, commit } = readerOn('sqlite')
  await nextTurn()
  assert.equal(next(), 1)
  commit()
  assert.deepEqual([next(), next()], [2, 2])
})

test('on PostgreSQL each request reads, because its reads are shared elsewhere', () => {
  const { next } = readerOn('postgres')
  assert.deepEqual([next(), next()], [1, 2])
})
