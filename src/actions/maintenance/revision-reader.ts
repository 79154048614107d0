// Reads the calendar's revision counters; concurrent requests share one query (coalescing).
import type { Context } from '../../context.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { currentTurn } from '../../scheduling/event-loop.ts'
import {
  type CalendarState,
  readCalendarState,
  readServerState,
  type StoredState,
} from '../../storage/events/calendar.ts'
import { forgetServedVersions } from '../caldav-objects/served-versions.ts'

export type { CalendarState }

export type SyncCounters = Pick<StoredState, 'revision' | 'publicRevision'>

export interface CurrentState extends CalendarState {
  /** Rises when the database is found to be another one, in which the same revision may have other contents. */
  history: number
  /** The counters as they are stored: sync tokens name them on every node. */
  stored: SyncCounters
}

export type StateReader = () => CurrentState | Promise<CurrentState>

/**
 * Concurrent callers share one query; a result is never older than the call. Counters never repeat: caches take equal
 * counters for equal contents.
 */
export function createRevisionReader(ctx: Context): StateReader {
  const { reads, engine } = ctx.storage
  const raise = createMonotonicCounters((read, serverStartedAt) =>
    forgetServedVersions(ctx, { revision: read.revision, serverStartedAt }),
  )
  // SQLite answers synchronously, before another caller could ask.
  if (engine === 'sqlite') return () => raise(readCalendarState(reads) as StoredState)
  return shareQuery(async () => {
    const { serverStartedAt, ...state } = await readServerState(reads)
    return raise(state, serverStartedAt)
  })
}

type ReadState<T> = (read: StoredState, server?: string) => T

/**
 * On SQLite, one read serves all requests that arrived in the same turn of the event loop: each was sent before that
 * read. Not for one that followed another on its connection in the same turn, because that may have been sent later.
 * A commit of this process ends the sharing, so its response never leaves before others see the change.
 */
export function createTurnReader({ storage }: Pick<Context, 'storage'>, readState: StateReader): StateReader {
  if (storage.engine !== 'sqlite') return readState
  let turn: number | undefined
  let state: ReturnType<StateReader>
  storage.commitListeners.add(() => {
    turn = undefined
  })
  return () => {
    const now = currentTurn()
    if (turn === now) return state
    state = readState()
    turn = now
    return state
  }
}

/**
 * A restored database, or a standby that had not received the last writes, has lower counters and reaches the same
 * numbers again with other contents. From then on, both counters continue above all earlier ones. A server that has
 * been started since may be such a standby, even if its counters are already as high.
 */
function createMonotonicCounters(onOtherDatabase: ReadState<void>): ReadState<CurrentState> {
  let last: CalendarState = { revision: 0, accountsRevision: 0 }
  let lastServer: string | undefined
  let offset = 0
  return (read, server) => {
    const isOlder = read.revision < last.revision || read.accountsRevision < last.accountsRevision
    if (isOlder || server !== lastServer) {
      offset += Math.max(last.revision, last.accountsRevision) + 1
      onOtherDatabase(read, server)
    }
    last = read
    lastServer = server
    const { revision, publicRevision, accountsRevision } = read
    const raised = { revision: revision + offset, accountsRevision: accountsRevision + offset }
    return { ...raised, history: offset, stored: { revision, publicRevision } }
  }
}

/**
 * Coalesces queries: callers that come while a query runs share the next one, which starts after their call. So no
 * result is older than its call, and sixteen concurrent calls cost two queries.
 */
export function shareQuery<T>(query: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const start = (): Promise<T> => {
    const started = runForService(query).finally(() => {
      if (running === started) running = undefined
    })
    running = started
    return started
  }
  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
