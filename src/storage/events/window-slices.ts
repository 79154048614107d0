// A window in strides: SQLite answers while everyone waits, so a long look is several short ones with turns in between.
import { DAY_MS, type Instant, type LocalMs } from '../../domain/time/instant.ts'
import type { Range } from '../../domain/time/window.ts'
import { yieldToEventLoop } from '../../scheduling/event-loop.ts'
import { blocksEventLoop } from '../dialect.ts'
import type { Db } from '../tables.ts'

/** A window on both clocks: instants for timed events, dates (midnights as if in UTC) for all-day ones. */
export interface Window {
  timed: Range
  dates: Range
}

/** Where to begin in a window, on both clocks. */
export interface Since {
  at: Instant
  date: LocalMs
}

/** What begins within it is in no other stride of the window. */
export interface Stride {
  window: Window
  since: Since | undefined
}

const FIRST_DAYS = 8
/** No shorter: whatever begins two strides later comes later in every zone. */
const FEWEST_DAYS = 4
const SHORT_MS = 5
const LONG_MS = 15

export interface StrideOptions {
  since?: Since | undefined
  /** True for a query whose cost does not depend on the length of the window. */
  isWhole?: boolean
}

/** As long as the last ones were quick, the next grow. A database that does not block the event loop is asked once. */
export async function* stridesOf(
  db: Db,
  window: Window,
  { since, isWhole = false }: StrideOptions = {},
): AsyncGenerator<Stride> {
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
