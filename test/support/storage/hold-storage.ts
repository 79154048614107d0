// Holds reads of events in the storage until they are released, and records which clients request connections.
import { sql } from 'kysely'
import { currentClient } from '../../../src/scheduling/current-client.ts'
import { inSnapshot } from '../../../src/storage/engine/transaction.ts'
import type { Db } from '../../../src/storage/tables.ts'
import type { World } from '../world.ts'

/** The clients that requested a connection, and those that got one, in order; not the service itself. */
export interface ConnectionLog {
  asked: string[]
  granted: string[]
}

export function logConnections(db: Db): ConnectionLog {
  const log: ConnectionLog = { asked: [], granted: [] }
  const executor = db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  executor.provideConnection = (use) => {
    const client = currentClient()?.path.join(' ')
    if (client === undefined) return provide(use)
    log.asked.push(client)
    return provide((connection) => {
      log.granted.push(client)
      return use(connection)
    })
  }
  return log
}

/** Runs `take` until `release` is called. */
async function hold(take: (wait: () => Promise<void>) => Promise<unknown>): Promise<() => Promise<unknown>> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = take(() => {
    held.resolve()
    return released.promise
  })
  await Promise.race([held.promise, done])
  return () => {
    released.resolve()
    return done
  }
}

export interface HeldReads {
  /** Waiting requests: on PostgreSQL those that have a connection. */
  waiting(): Promise<number>
  release(): Promise<unknown>
}

export async function holdReads({ app: { ctx } }: World): Promise<HeldReads> {
  const { storage } = ctx
  if (storage.engine === 'sqlite') {
    const release = await hold((wait) => inSnapshot(storage, wait))
    const log = logConnections(storage.reads)
    return { waiting: async () => log.asked.length, release }
  }
  const release = await hold((wait) =>
    storage.writes.transaction().execute(async (db) => {
      await sql`lock table events in access exclusive mode`.execute(db)
      await wait()
    }),
  )
  const blocked = sql<{
    n: string
  }>`select count(*) as n from pg_locks where not granted and relation = 'events'::regclass`
  return { waiting: async () => Number((await blocked.execute(storage.writes)).rows[0]!.n), release }
}
