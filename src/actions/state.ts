// The calendar's counters, read for every request that depends on them, but by one query however many ask at once.
import type { Context } from '../context.ts'
import { type CalendarState, readCalendarState } from '../storage/calendar.ts'

export type { CalendarState }
export type StateReader = () => CalendarState | Promise<CalendarState>

/**
 * Whoever asks while a query is under way waits for the next one, which starts after they asked: nobody is told of a
 * state older than their question, and sixteen questions cost two queries.
 */
export function makeStateReader(ctx: Context): StateReader {
  // SQLite answers before anyone else could ask.
  if (ctx.storage.engine === 'sqlite') return () => readCalendarState(ctx.storage.reads)
  let running: Promise<CalendarState> | undefined
  let next: Promise<CalendarState> | undefined
  const start = (): Promise<CalendarState> => {
    const query = Promise.resolve(readCalendarState(ctx.storage.reads)).finally(() => {
      if (running === query) running = undefined
    })
    running = query
    return query
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
