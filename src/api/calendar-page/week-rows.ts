// Places the events of a week in rows below the day numbers, as the grid of the web app does.
import type { Day } from '../../domain/time/instant.ts'

/** Events per day in the month table; the rest are behind a link to the day. */
const MONTH_ROWS = 4

/**
 * How many lines a day may have room for: events, and the link to more where not all of them have a line. The style
 * sheet chooses by the height of the week, and the last where a week is as high as it needs.
 */
const CAPACITIES = [2, 3, 4, MONTH_ROWS + 1]

interface Spanning {
  days: [first: Day, last: Day]
}

export interface PlacedEntry<Entry> {
  entry: Entry
  /** Rows above it in its first cell that hold nothing of this cell. */
  gap: number
  /** Cells that it covers. */
  span: number
  /** The fewest lines with which it is shown. */
  needs: number
}

/** What has no line where there are so many of them. */
export interface HiddenEntries {
  capacity: number
  count: number
  /** Rows above the link to them that hold nothing of this cell. */
  gap: number
}

export interface DayCell<Entry> {
  day: Day
  /** What begins in this cell, or goes on from the week before; from top to bottom. */
  placed: PlacedEntry<Entry>[]
  /** What goes on from a cell before it in this week. */
  continued: Entry[]
  hidden: HiddenEntries[]
  /** Lines that hold something, were there room for all. */
  rows: number
}

interface Bar<Entry> {
  entry: Entry
  row: number
  from: number
  to: number
  needs: number
}

/** `entries` in the order of the grid. Each takes the first row that is free on all its days. */
export function layOutWeek<Entry extends Spanning>(firstDay: Day, entries: readonly Entry[]): DayCell<Entry>[] {
  const bars = placeBars(firstDay, entries)
  return Array.from({ length: 7 }, (_, i): DayCell<Entry> => {
    const covering = bars.filter(({ from, to }) => from <= i && i <= to)
    const shown = covering.filter(({ needs }) => needs !== Number.POSITIVE_INFINITY)
    const own = shown.filter(({ from }) => from === i)
    return {
      day: firstDay + i,
      placed: own.map(({ entry, row, from, to, needs }, n) => {
        const above = n === 0 ? 0 : own[n - 1]!.row + 1
        return { entry, gap: row - above, span: to - from + 1, needs }
      }),
      continued: shown.filter(({ from }) => from < i).map(({ entry }) => entry),
      hidden: CAPACITIES.flatMap((capacity) => hiddenOf(covering, i, capacity) ?? []),
      rows: Math.max(0, ...covering.map(({ row }) => row + 1)),
    }
  })
}

/** From the first row to the last. */
function placeBars<Entry extends Spanning>(firstDay: Day, entries: readonly Entry[]): Bar<Entry>[] {
  const cells = Array.from({ length: 7 }, (): boolean[] => [])
  const bars = entries.flatMap((entry): Bar<Entry>[] => {
    const from = Math.max(entry.days[0] - firstDay, 0)
    const to = Math.min(entry.days[1] - firstDay, 6)
    if (from > 6 || to < 0) return []
    const covered = cells.slice(from, to + 1)
    let row = 0
    while (covered.some((taken) => taken[row])) row += 1
    for (const taken of covered) taken[row] = true
    return [{ entry, row, from, to, needs: 0 }]
  })
  for (const bar of bars) {
    const most = Math.max(...cells.slice(bar.from, bar.to + 1).map((taken) => taken.length))
    // The last line of a day has its last event, or the link to more.
    bar.needs = bar.row >= MONTH_ROWS ? Number.POSITIVE_INFINITY : most === bar.row + 1 ? most : bar.row + 2
  }
  return bars.sort((a, b) => a.row - b.row)
}

function hiddenOf(covering: readonly Bar<unknown>[], cell: number, capacity: number): HiddenEntries | undefined {
  const shown = covering.filter(({ needs }) => needs <= capacity)
  if (shown.length === covering.length) return undefined
  const endOf = (bars: readonly Bar<unknown>[]): number => Math.max(0, ...bars.map(({ row }) => row + 1))
  const gap = endOf(shown) - endOf(shown.filter(({ from }) => from === cell))
  return { capacity, count: covering.length - shown.length, gap }
}
