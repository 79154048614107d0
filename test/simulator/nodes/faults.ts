// Storage faults at COMMIT on both engines: an error before it, after it, or in its place.
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges, StatementSync } from 'node:sqlite'
import pg from 'pg'
import type { Scheduler } from './scheduler.ts'

export const COMMIT_FAULTS = ['before', 'after', 'instead'] as const
export type CommitFault = (typeof COMMIT_FAULTS)[number]

export interface FaultInjector {
  /** For the next COMMIT of a task, or one after it. */
  arm(fault: CommitFault | undefined, skips?: number): void
  /** How many happened. */
  count(): number
  remove(): void
}

type QueryMethod = (this: CommittingClient, ...values: unknown[]) => Promise<unknown>
type CommittingClient = pg.Client & { connection: { stream: { destroy(): void } } }

export function injectFaults(scheduler: Scheduler): FaultInjector {
  let armed: CommitFault | undefined
  let happened = 0
  let left = 0
  const take = (): CommitFault | undefined => {
    // Reads are spared, and the service's own transactions.
    if (!armed || !scheduler.current()?.isWriting || left-- > 0) return undefined
    const fault = armed
    armed = undefined
    happened += 1
    return fault
  }
  const removeFromSqlite = interceptSqlite(take)
  const removeFromPostgres = interceptPostgres(take)
  return {
    arm(fault, skips = 0) {
      armed = fault
      left = skips
    },
    count: () => happened,
    remove() {
      removeFromSqlite()
      removeFromPostgres()
    },
  }
}

/** An I/O error leaves the transaction open; a full disk ends it. */
function interceptSqlite(take: () => CommitFault | undefined): () => void {
  const { prepare } = DatabaseSync.prototype
  const run: (...values: SQLInputValue[]) => StatementResultingChanges = StatementSync.prototype.run
  const databases = new WeakMap<StatementSync, DatabaseSync>()
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given: Parameters<typeof prepare>) {
    const statement = prepare.apply(this, given)
    databases.set(statement, this)
    return statement
  }
  StatementSync.prototype.run = function (this: StatementSync, ...values: never[]) {
    const fault = this.sourceSQL === 'commit' ? take() : undefined
    if (!fault) return run.apply(this, values)
    if (fault === 'instead') databases.get(this)!.exec('rollback')
    if (fault === 'after') run.apply(this, values)
    throw fault === 'instead' ? sqliteError(13, 'database or disk is full') : sqliteError(10, 'disk I/O error')
  }
  return () => {
    DatabaseSync.prototype.prepare = prepare
    StatementSync.prototype.run = run as typeof StatementSync.prototype.run
  }
}

const sqliteError = (errcode: number, errstr: string): Error => Object.assign(new Error(errstr), { errcode, errstr })

/** The connection is lost; or the server refuses, and the service may try again. */
function interceptPostgres(take: () => CommitFault | undefined): () => void {
  const prototype = pg.Client.prototype as unknown as { query: QueryMethod }
  const { query } = prototype
  const cut = (client: CommittingClient): Error => {
    client.connection.stream.destroy()
    return new Error('Connection terminated unexpectedly')
  }
  const failCommit = async (client: CommittingClient, fault: CommitFault): Promise<never> => {
    if (fault === 'before') throw cut(client)
    await query.call(client, fault === 'after' ? 'commit' : 'rollback')
    if (fault === 'after') throw cut(client)
    throw Object.assign(new Error('could not serialize access'), { code: '40001', severity: 'ERROR' })
  }
  prototype.query = function (this: CommittingClient, ...values) {
    const fault = values[0] === 'commit' ? take() : undefined
    return fault ? failCommit(this, fault) : query.apply(this, values)
  }
  return () => {
    prototype.query = query
  }
}
