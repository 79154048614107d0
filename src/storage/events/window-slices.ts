// Slices a time window, so that SQLite reads, which block the event loop, yield between slices.
import { DAY_MS, type Instant, type LocalMs } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { blocksEventLoop } from '../dialect.ts'
import type { Db } from '../tables.ts'

/** A window as instants for timed events, and as dates (midnights as if in UTC) for all-day ones. */
export interface Window {
  timed: Range
  dates: Range
}

/** Where to begin in a window, as an instant and as a date. */
export interface WindowStart {
  at: Instant
  date: LocalMs
}

/** A slice: what begins in it is in no other slice of the window. */
export interface WindowSlice {
  window: Window
  since: WindowStart | undefined
}

const FIRST_DAYS = 8
/** The minimum: what begins two slices later must begin later in every zone. */
const FEWEST_DAYS = 4
const SHORT_MS = 5
const LONG_MS = 15

export interface WindowSliceOptions {
  since?: WindowStart | undefined
  /** True for a query whose cost does not depend on the length of the window. */
  isWhole?: boolean
}

/** Slices grow while queries are fast. A database that does not block the event loop gets the whole window at once. */
export async function* sliceWindow(
  db: Db,
  window: Window,
  { since, isWhole = false }: WindowSliceOptions = {},
): AsyncGenerator<WindowSlice> {
  if (isWhole || !blocksEventLoop(db)) {
    yield { window, since }
    return
  }
  const { timed, dates } = window
  let first = since
  let at = Math.max(timed.from, since?.at ?? timed.from)
  let date = Math.max(dates.from, since?.date ?? dates.from)
  for (let days = FIRST_DAYS; ; ) {
    at += days * DAY_MS
    date += days * DAY_MS
    await yieldToEventLoop()
    const begun = performance.now()
    yield {
      window: {
        timed: { from: timed.from, to: Math.min(at, timed.to) },
        dates: { from: dates.from, to: Math.min(date, dates.to) },
      },
      since: first,
    }
    if (at >= timed.to && date >= dates.to) return
    const tookMs = performance.now() - begun
    if (tookMs < SHORT_MS) days *= 2
    else if (tookMs > LONG_MS) days = Math.max(FEWEST_DAYS, Math.floor(days / 2))
    first = { at, date }
  }
}
