// Reads the calendar's revision counters; concurrent requests share one query (coalescing).
import type { Context } from '../../context.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { type CalendarState, readCalendarState } from '../../storage/events/calendar.ts'

export type { CalendarState }
export type StateReader = () => CalendarState | Promise<CalendarState>

/** Concurrent callers share one query; a result is never older than the call. */
export function createRevisionReader(ctx: Context): StateReader {
  // SQLite answers synchronously, before another caller could ask.
  if (ctx.storage.engine === 'sqlite') return () => readCalendarState(ctx.storage.reads)
  return shareQuery(async () => readCalendarState(ctx.storage.reads))
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
