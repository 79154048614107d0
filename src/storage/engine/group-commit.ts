// Group commit: SQLite transactions of one event-loop turn share a COMMIT and its fsync.
import { AsyncLocalStorage } from 'node:async_hooks'
import { AppError } from '../../errors.ts'
import { currentClient } from '../../scheduling/current-client.ts'

/** Bounds of a group: its members are acknowledged together, so the first waits for the last. */
export const MAX_MEMBERS = 64
export const MAX_GROUP_MS = 16

/** What a group does with the connection. Each fails with the error that its transactions end with. */
export interface GroupConnection {
  /** Waits while another process writes, since `queuedAt`. */
  begin(queuedAt: number): Promise<void>
  commit(): void
  /** Executes a statement. */
  run(sql: string): void
  /** Whether SQLite has an open transaction: a full disk or an I/O error ends it. */
  isOpen(): boolean
  /** A monotonic clock, in milliseconds. */
  clock(): number
}

/** Cause of the failure of a transaction that was rolled back because another one of its group failed. */
export class GroupRolledBackError extends Error {}

const rolledBack = (cause?: unknown): AppError =>
  new AppError('storage_unavailable', { cause: new GroupRolledBackError('rolled back with its group', { cause }) })

interface CommitGroup {
  begunAt: number
  /** Transactions that have ended and wait for the COMMIT. */
  ended: number
  /** Whether it is committed as soon as no transaction runs in it. */
  isDue: boolean
  settled: PromiseWithResolvers<void>
}

export interface GroupMember {
  /** Resolves when the transaction is on the disk. `handOn` is called before that, when the next may begin. */
  commit(handOn: () => void): Promise<void>
  /**
   * Rolls back this transaction alone. Its error may say what an earlier one of the group wrote, so this waits for the
   * COMMIT too, and fails if that fails.
   */
  rollback(handOn: () => void): Promise<void>
}

export interface GroupCommit {
  /** Begins a transaction in the open group or in a new one; one at a time. */
  begin(queuedAt: number): Promise<GroupMember>
  /** Commits the open group, if no transaction runs in it. */
  flush(): void
}

const alone = new AsyncLocalStorage<true>()

/** For a transaction that yields to the event loop: no earlier one waits for it to be acknowledged. */
export const runUngrouped = <T>(work: () => T): T => alone.run(true, work)

/**
 * The first transaction begins, and the COMMIT follows at the end of the turn of the event loop, or earlier by the
 * bounds. Those that run until then join. A COMMIT blocks the event loop, so requests that arrive meanwhile are handled
 * in one turn and become the next group; a single writer does not wait for others. Every transaction after the first
 * has a savepoint, so that it can fail without the others.
 */
export function createGroupCommit(connection: GroupConnection): GroupCommit {
  let open: CommitGroup | undefined
  let isRunning = false

  const fail = (group: CommitGroup, error: unknown): void => {
    open = undefined
    try {
      if (connection.isOpen()) connection.run('rollback')
    } catch {
      // The error of the group is the one that counts.
    }
    group.settled.reject(error)
  }
  const commit = (group: CommitGroup): void => {
    try {
      connection.commit()
      open = undefined
      group.settled.resolve()
    } catch (error) {
      fail(group, error)
    }
  }
  const flush = (): void => {
    if (open && !isRunning) commit(open)
  }
  const start = async (queuedAt: number): Promise<CommitGroup> => {
    await connection.begin(queuedAt)
    const group: CommitGroup = {
      begunAt: connection.clock(),
      ended: 0,
      isDue: false,
      settled: Promise.withResolvers(),
    }
    // Without members nothing waits for it.
    group.settled.promise.catch(() => {})
    setImmediate(() => {
      group.isDue = true
      if (open === group) flush()
    })
    open = group
    return group
  }
  const isFull = ({ ended, begunAt }: CommitGroup): boolean =>
    ended >= MAX_MEMBERS || connection.clock() - begunAt >= MAX_GROUP_MS

  /** The transaction has ended; the next one begins in the same group, unless that is committed now. */
  const end = (group: CommitGroup, handOn: () => void): Promise<void> => {
    isRunning = false
    group.ended += 1
    if (open === group && (group.isDue || isFull(group))) commit(group)
    handOn()
    return group.settled.promise
  }
  const memberOf = (group: CommitGroup, isFirst: boolean): GroupMember => {
    let hasEnded = false
    const requireOpen = (): void => {
      if (!connection.isOpen()) throw new AppError('storage_unavailable', { cause: new Error('no open transaction') })
    }
    return {
      async commit(handOn) {
        requireOpen()
        if (!isFirst) connection.run('release member')
        hasEnded = true
        return end(group, handOn)
      },
      async rollback(handOn) {
        // The COMMIT of its group has failed.
        if (hasEnded) return
        hasEnded = true
        try {
          requireOpen()
          connection.run(isFirst ? 'rollback' : 'rollback to member')
          if (!isFirst) connection.run('release member')
        } catch (cause) {
          fail(group, rolledBack(cause))
        }
        if (connection.isOpen()) return end(group, handOn)
        isRunning = false
        open = undefined
        handOn()
      },
    }
  }
  return {
    async begin(queuedAt) {
      if (open && !connection.isOpen()) fail(open, rolledBack())
      if (open && alone.getStore()) flush()
      const joined = open
      if (joined) connection.run('savepoint member')
      const group = joined ?? (await start(queuedAt))
      // Work that no client waits for comes alone, and keeps the write lock from other processes no longer than it runs.
      if (alone.getStore() || !currentClient()) group.isDue = true
      isRunning = true
      return memberOf(group, joined === undefined)
    },
    flush,
  }
}
