// Index of the VEVENTs of a file by position, grouped by a hash of their UID: 28 bytes each, whatever their length.
import type { FileCalendar, ScannedPart } from './scan.ts'

/** Where one VEVENT is in the file. */
export interface PartPosition {
  at: number
  length: number
  line: number
  calendar: FileCalendar
}

/** The VEVENTs whose UIDs have the same hash: nearly always those of one event. */
export interface PartGroup {
  hash: number
  parts: PartPosition[]
}

export interface PartIndex {
  add(hash: number, part: Pick<ScannedPart, 'at' | 'length' | 'line' | 'calendar'>): void
  /** Calendars that say the same are kept once: some files have a VCALENDAR, with all its zones, around each event. */
  endCalendar(calendar: FileCalendar): void
  countGroups(): number
  /** In the order of their hashes; of each, its first `limit` parts in the order of the file. */
  groups(limit: number): Generator<PartGroup>
}

const COLUMNS = ['at', 'hash', 'length', 'line', 'calendar'] as const

export function createPartIndex(): PartIndex {
  let capacity = 1_024
  let count = 0
  let columns = allocate(capacity)
  const calendars: FileCalendar[] = []
  const known = new Map<string, number>()
  let firstOfCalendar = 0
  let order: Uint32Array | undefined

  function grow(): void {
    const before = columns
    capacity *= 2
    columns = allocate(capacity)
    for (const name of COLUMNS) columns[name].set(before[name])
  }

  /** Typed arrays sort in place, without an object for each part. */
  const sorted = (): Uint32Array => {
    const { hash } = columns
    order ??= Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => hash[a]! - hash[b]! || a - b)
    return order
  }

  const positionOf = (row: number): PartPosition => ({
    at: columns.at[row]!,
    length: columns.length[row]!,
    line: columns.line[row]!,
    calendar: calendars[columns.calendar[row]!]!,
  })

  return {
    add(hash, { at, length, line, calendar }) {
      if (count === capacity) grow()
      if (calendars.at(-1) !== calendar) {
        calendars.push(calendar)
        firstOfCalendar = count
      }
      columns.at[count] = at
      columns.hash[count] = hash
      columns.length[count] = length
      columns.line[count] = line
      columns.calendar[count] = calendars.length - 1
      count += 1
    },
    endCalendar(calendar) {
      if (calendars.at(-1) !== calendar) return
      const text = textOf(calendar)
      const same = known.get(text)
      if (same === undefined) known.set(text, calendars.length - 1)
      else {
        columns.calendar.fill(same, firstOfCalendar, count)
        calendars.pop()
      }
    },
    countGroups() {
      const { hash } = columns
      return sorted().reduce((groups, row, i, rows) => groups + (i > 0 && hash[rows[i - 1]!] === hash[row] ? 0 : 1), 0)
    },
    *groups(limit) {
      const rows = sorted()
      const { hash } = columns
      for (let from = 0, to: number; from < rows.length; from = to) {
        to = from + 1
        while (to < rows.length && hash[rows[to]!] === hash[rows[from]!]) to += 1
        const parts = Array.from(rows.subarray(from, Math.min(to, from + limit)), positionOf)
        yield { hash: hash[rows[from]!]!, parts }
      }
    },
  }
}

const allocate = (capacity: number) => ({
  at: new Float64Array(capacity),
  hash: new Float64Array(capacity),
  length: new Uint32Array(capacity),
  line: new Uint32Array(capacity),
  calendar: new Uint32Array(capacity),
})

const textOf = ({ zoneName, method, access, definitions }: FileCalendar): string =>
  JSON.stringify([zoneName, method, access, [...definitions]])
