// Holds the first write transaction of a request until the test releases it, so that races have one order.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../../../src/storage/tables.ts'
import type { World } from '../world.ts'

export interface HeldRequest<T> {
  /** Settles when its first write transaction is about to begin; fails when the request ends without one. */
  reached: Promise<void>
  letGo(): void
  answer: Promise<T>
}

interface Hold {
  isSpent: boolean
  reach(): void
  released: Promise<void>
}

/** Other requests, and the service's own work, write as usual. */
export function holdWritesOf({ app }: World): <T>(send: () => Promise<T>) => HeldRequest<T> {
  const { storage } = app.ctx
  const { writes } = storage
  const current = new AsyncLocalStorage<Hold>()
  const transaction = () => ({
    async execute(work: (db: Db) => Promise<unknown>) {
      const hold = current.getStore()
      if (hold && !hold.isSpent) {
        hold.isSpent = true
        hold.reach()
        await hold.released
      }
      return writes.transaction().execute(work)
    },
  })
  storage.writes = new Proxy(writes, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name, target)),
  })
  return (send) => {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const hold = { isSpent: false, reach: () => reached.resolve(), released: released.promise }
    const answer = current.run(hold, send)
    answer.then(
      () => reached.reject(new Error('the request ended without a write transaction')),
      () => reached.reject(new Error('the request failed without a write transaction')),
    )
    return { reached: reached.promise, letGo: () => released.resolve(), answer }
  }
}
