// The calendar's counters, read for every request that depends on them, but by one query however many ask at once.
import type { Context } from '../../context.ts'
import { runForService } from '../../scheduling/current-client.ts'
import { type CalendarState, readCalendarState } from '../../storage/events/calendar.ts'

export type { CalendarState }
export type StateReader = () => CalendarState | Promise<CalendarState>

/** One query however many ask at once; never older than the question. */
export function createRevisionReader(ctx: Context): StateReader {
  // SQLite answers before anyone else could ask.
  if (ctx.storage.engine === 'sqlite') return () => readCalendarState(ctx.storage.reads)
  return shareQuery(async () => readCalendarState(ctx.storage.reads))
}

/**
 * Callers that come while a query is under way share the next one, which starts after they asked: no answer is older than
 * its question, and sixteen questions cost two queries.
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
