// Housekeeping job: runs on one node at a time, extends the index in slices, then purges.

import { finishRenames, hasUnfinishedRenames } from '../actions/categories/rename-events.ts'
import { createClockGuard } from '../actions/maintenance/clock-guard.ts'
import type { WalkOptions } from '../actions/maintenance/event-walk.ts'
import { type Chore, PURGES, runChores } from '../actions/maintenance/housekeeping.ts'
import { readIndexProgress } from '../actions/maintenance/maintenance-state.ts'
import { extendIndex, followZoneData } from '../actions/maintenance/reindex.ts'
import { refreshSettings } from '../actions/settings/live-settings.ts'
import type { Context } from '../context.ts'
import { type Interval, startInterval } from '../scheduling/interval.ts'
import { runWithLease } from './lease.ts'

const EVERY_MS = 15 * 60_000
/** The first requests after a start are answered before its two dozen transactions. */
const FIRST_AFTER_MS = 1_000
/** Index work and renames that were interrupted continue soon, on any node. */
const RESUME_MS = 15_000
/** The lease of a node that was killed ends within seconds. */
const RETRY_LEASE_MS = 3_000
const LEASE = 'housekeeping'
const LOG_PROGRESS_MS = 10_000

export interface Jobs {
  stop(): Promise<void>
}

export interface Housekeeping extends Jobs {
  /** Called once the service listens, so that no start waits for it. */
  start(): void
  /** One round; false when another node has the lease. */
  runOnce(): Promise<boolean>
}

/** `uptime` is a monotonic clock, in milliseconds. */
export function createHousekeeping(ctx: Context, uptime?: () => number): Housekeeping {
  const stopping = new AbortController()
  const runOnce = createRound(ctx, stopping.signal, uptime)
  let running: Promise<void> | undefined
  let wasRefused = false
  const run = (): void => {
    running ??= runOnce()
      .then((hadLease) => {
        wasRefused = !hadLease
      })
      .catch((error) => logFailure(ctx, 'lease', error))
      .finally(() => {
        running = undefined
      })
  }
  const resume = async (): Promise<void> => {
    if (running || stopping.signal.aborted) return
    if (await hasWork(ctx).catch(() => false)) run()
  }
  const timers: Interval[] = []
  let firstRound: NodeJS.Timeout | undefined
  return {
    runOnce,
    start() {
      if (timers.length > 0 || stopping.signal.aborted) return
      timers.push(
        startInterval(EVERY_MS, run),
        startInterval(RESUME_MS, resume),
        startInterval(RETRY_LEASE_MS, () => wasRefused && run()),
      )
      firstRound = setTimeout(run, FIRST_AFTER_MS).unref()
    },
    async stop() {
      stopping.abort()
      clearTimeout(firstRound)
      await Promise.all(timers.map((timer) => timer.stop()))
      await running
    },
  }
}

/** Work that was interrupted, or that a request left. */
const hasWork = async (ctx: Context): Promise<boolean> =>
  (await readIndexProgress(ctx)) !== undefined || (await hasUnfinishedRenames(ctx))

function createRound(ctx: Context, stopping: AbortSignal, uptime?: () => number): () => Promise<boolean> {
  const clock = createClockGuard(ctx, uptime)
  return () =>
    runWithLease(ctx, { name: LEASE, signal: stopping }, async (signal) => {
      const walk = { signal, onProgress: createProgress(ctx) }
      await runChores(ctx, indexChores(ctx, walk), signal)
      // Chores that depend on the time are skipped while the clock is in doubt. Each may take minutes, in which the clock
      // may be set.
      const timed: Chore[] = [['index_extension', () => extend(ctx, walk)], ...PURGES]
      const ifPlausible = ([name, run]: Chore): Chore => [
        name,
        async (...given) => {
          if (await clock.isPlausible()) await run(...given)
        },
      ]
      await runChores(ctx, timed.map(ifPlausible), signal)
    })
}

const indexChores = (ctx: Context, walk: WalkOptions): Chore[] => [
  // First, so that nothing is derived with a time zone that was just replaced.
  ['settings', async () => void (await refreshSettings(ctx))],
  [
    'index_rebuild',
    async () => {
      const report = await followZoneData(ctx, process.versions.tz ?? '', walk)
      if (report && !walk.signal?.aborted)
        ctx.log.info('new time zone data, another zone or a new version: everything derived was rebuilt', {
          changed: report.changed,
          unreadable: report.unreadable.length,
        })
    },
  ],
  ['category_renames', () => finishRenames(ctx, walk)],
]

async function extend(ctx: Context, walk: WalkOptions): Promise<void> {
  const extended = await extendIndex(ctx, walk)
  if (extended > 0) ctx.log.info('the index was extended', { series: extended })
}

/** Called after each slice; logs the progress now and then. */
function createProgress(ctx: Context): () => Promise<void> {
  let loggedAt = performance.now()
  return async () => {
    const now = performance.now()
    if (now - loggedAt <= LOG_PROGRESS_MS) return
    loggedAt = now
    const progress = await readIndexProgress(ctx)
    // At the default level: without it a long rebuild would look like a slow service.
    if (progress) ctx.log.warn('index work is still in progress', { ...progress })
  }
}

const logFailure = (ctx: Context, chore: string, error: unknown): void =>
  void runChores(ctx, [[chore, () => Promise.reject(error)]])
