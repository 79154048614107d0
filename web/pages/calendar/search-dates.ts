// Searches all dates that pages lead to, from today on or before it, one page of results at a time.
import { boundsAround } from '../../../src/contract/calendar-link.ts'
import type { Day } from '../../../src/domain/time/instant.ts'
import { formatDate } from '../../../src/domain/time/text.ts'
import type { CalendarItem } from '../../calendar/item.ts'
import type { AskPage, Visible } from '../../calendar/load.ts'

export type SearchDirection = 'ahead' | 'past'

export interface SearchOptions {
  direction: SearchDirection
  today: Day
  zone: string
}

/** The API’s longest window; the years that pages lead to are asked for in several. */
const LONGEST_DAYS = 1_830

const PER_PAGE = 50

/** The last page of a window may be nearly empty, and the past begins there: then the next one is loaded too. */
const FEWEST = 25

export interface DateSearch {
  /** All that was found, on pages not yet loaded too. */
  total: number
  /** The next results: the soonest first, and the latest first in the past. */
  next(): Promise<CalendarItem[]>
}

export async function startSearch(options: SearchOptions, ask: AskPage, signal: AbortSignal): Promise<DateSearch> {
  const isPast = options.direction === 'past'
  const read = async (window: Visible, page: number) => {
    const { data, meta } = await ask({ ...window, page, per_page: PER_PAGE }, signal)
    const items = data as CalendarItem[]
    return { items: isPast ? items.reverse() : items, ...meta?.pagination }
  }
  const rest: (() => Promise<CalendarItem[]>)[] = []
  let ready: CalendarItem[] = []
  let total = 0
  for (const window of windowsOf(options)) {
    const first = await read(window, 1)
    total += first.total ?? 0
    const pages = [async () => first.items]
    for (let page = 2; page <= (first.total_pages ?? 1); page++)
      pages.push(() => read(window, page).then(({ items }) => items))
    rest.push(...(isPast ? pages.reverse() : pages))
  }
  return {
    total,
    async next() {
      while (ready.length < FEWEST && rest.length > 0) {
        ready.push(...(await rest[0]!()))
        // Removed only once it is loaded, so that a failed page is asked for again.
        rest.shift()
      }
      const items = ready
      ready = []
      return items
    },
  }
}

/** In the order in which results are shown. */
function windowsOf({ direction, today, zone: timezone }: SearchOptions): Visible[] {
  const [first, last] = boundsAround(today)
  const windows: Visible[] = []
  if (direction === 'ahead')
    for (let from = today; from <= last; from += LONGEST_DAYS)
      windows.push({ from: formatDate(from), to: formatDate(Math.min(from + LONGEST_DAYS - 1, last)), timezone })
  else
    for (let to = today - 1; to >= first; to -= LONGEST_DAYS)
      windows.push({ from: formatDate(Math.max(to - LONGEST_DAYS + 1, first)), to: formatDate(to), timezone })
  return windows
}
