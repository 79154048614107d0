// Places the events of a week in rows below the day numbers, as the grid of the web app does.
import type { Day } from '../../domain/time/instant.ts'

/** Events per day in the month table; the rest are behind a link to the day. */
export const MONTH_ROWS = 4

interface Spanning {
  days: [first: Day, last: Day]
}

export interface PlacedEntry<Entry> {
  entry: Entry
  /** Rows above it in its first cell that hold nothing of this cell. */
  gap: number
  /** Cells that it covers. */
  span: number
}

export interface DayCell<Entry> {
  day: Day
  /** What begins in this cell, or goes on from the week before; from top to bottom. */
  placed: PlacedEntry<Entry>[]
  /** What goes on from a cell before it in this week. */
  continued: Entry[]
  /** How many have no row. */
  hidden: number
}

/** `entries` in the order of the grid. Each takes the first row that is free on all its days. */
export function layOutWeek<Entry extends Spanning>(firstDay: Day, entries: readonly Entry[]): DayCell<Entry>[] {
  const cells = Array.from({ length: 7 }, (_, i): DayCell<Entry> & { taken: boolean[]; below: number } => ({
    day: firstDay + i,
    placed: [],
    continued: [],
    hidden: 0,
    taken: [],
    below: 0,
  }))
  const placed: { entry: Entry; row: number; from: number; to: number }[] = []
  for (const entry of entries) {
    const from = Math.max(entry.days[0] - firstDay, 0)
    const to = Math.min(entry.days[1] - firstDay, 6)
    if (from > 6 || to < 0) continue
    const covered = cells.slice(from, to + 1)
    let row = 0
    while (covered.some(({ taken }) => taken[row])) row += 1
    for (const { taken } of covered) taken[row] = true
    if (row < MONTH_ROWS) placed.push({ entry, row, from, to })
    else for (const cell of covered) cell.hidden += 1
  }
  placed.sort((a, b) => a.row - b.row)
  for (const { entry, row, from, to } of placed) {
    const cell = cells[from]!
    cell.placed.push({ entry, gap: row - cell.below, span: to - from + 1 })
    cell.below = row + 1
    for (const later of cells.slice(from + 1, to + 1)) later.continued.push(entry)
  }
  return cells.map(({ day, placed: own, continued, hidden }) => ({ day, placed: own, continued, hidden }))
}
