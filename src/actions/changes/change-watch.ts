// Watches the calendar's counters: by commits of this node, notices of others, and polling.
import type { Context } from '../../context.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { type Interval, startInterval } from '../../scheduling/interval.ts'
import { readCalendarState, type StoredState } from '../../storage/events/calendar.ts'
import { shareQuery } from '../maintenance/revision-reader.ts'

/** On SQLite other processes write to the same file; on PostgreSQL the connection for notices may be lost. */
export const POLL_MS = { sqlite: 500, postgres: 1_500 } as const

export type WatchedCounters = StoredState

export interface ChangeWatch {
  /** Reads the counters now, and reports them. Failures are not reported: the next poll follows. */
  check(): void
  /** Polls, and listens to other nodes, while any stream is open. */
  setActive(isActive: boolean): void
  stop(): Promise<void>
}

export type CountersListener = (state: WatchedCounters) => unknown

/** `onCounters` gets the counters after each check, whether they changed or not; one call follows the other. */
export function createChangeWatch(ctx: Context, onCounters: CountersListener): ChangeWatch {
  const { storage } = ctx
  let isActive = false
  let isStopped = false
  let polling: Interval | undefined
  let listening: { stop(): Promise<void> } | undefined
  const readAndReport = shareQuery(async () => onCounters(await readCalendarState(storage.reads)))
  const check = (): void => {
    if (isActive && !isStopped) void readAndReport().catch(() => {})
  }
  const notify = coalesce(async () => {
    await runForService(async () => storage.notices?.notify()).catch(() => {})
  })
  const onCommit = (): void => {
    if (storage.notices && !isStopped) notify()
    check()
  }
  storage.commitListeners.add(onCommit)
  return {
    check,
    setActive(active) {
      if (active === isActive || isStopped) return
      isActive = active
      if (!active) {
        void polling?.stop()
        polling = undefined
        return
      }
      polling = startInterval(POLL_MS[storage.engine], check)
      // Kept from then on: pages that are opened and left do not open a connection each time.
      listening ??= storage.notices?.listen(check)
      check()
    },
    async stop() {
      isStopped = true
      storage.commitListeners.delete(onCommit)
      await Promise.all([polling?.stop(), listening?.stop()])
    },
  }
}

/** While a call runs, further ones become one that follows it. */
function coalesce(work: () => Promise<void>): () => void {
  let isRunning = false
  let isDue = false
  const run = async (): Promise<void> => {
    isRunning = true
    do {
      isDue = false
      await work()
    } while (isDue)
    isRunning = false
  }
  return () => {
    isDue = true
    if (!isRunning) void run()
  }
}
