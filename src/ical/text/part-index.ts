// Index of a file's VEVENTs by position, grouped by a hash of their UID: 28 bytes each.
import type { FileCalendar, ScannedPart } from './scan.ts'

/** Position of one VEVENT in the file. */
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
  /** Equal calendars are stored once: some files have a VCALENDAR, with all its zones, around each event. */
  endCalendar(calendar: FileCalendar): void
  countGroups(): number
  /** Ordered by hash; of each group its first `limit` parts in file order. */
  groups(limit: number): Generator<PartGroup>
}

export function createPartIndex(): PartIndex {
  let capacity = 1_024
  let count = 0
  let columns = allocate(capacity)
  const calendars: FileCalendar[] = []
  const known = new Map<string, number>()
  let firstOfCalendar = 0
  let order: Uint32Array | undefined

  /** Transferred column by column, so that the memory of the old one is freed at once, without garbage collection. */
  function grow(): void {
    capacity *= 2
    columns = {
      at: new Float64Array(transferTo(columns.at, capacity)),
      hash: new Float64Array(transferTo(columns.hash, capacity)),
      length: new Uint32Array(transferTo(columns.length, capacity)),
      line: new Uint32Array(transferTo(columns.line, capacity)),
      calendar: new Uint32Array(transferTo(columns.calendar, capacity)),
    }
  }

  const sorted = (): Uint32Array => {
    order ??= sortRows(columns.hash, count)
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

/** A hash has up to 52 bits. */
const DIGIT_BITS = 13
const DIGITS = 4

/** Radix sort, stable for rows of the same hash. `sort` with a comparison would copy them into lists of objects. */
function sortRows(hash: Float64Array, count: number): Uint32Array {
  let rows = new Uint32Array(count)
  let target = new Uint32Array(count)
  const digits = new Uint16Array(count)
  for (let i = 0; i < count; i++) rows[i] = i
  for (let digit = 0; digit < DIGITS; digit++) {
    const unit = 2 ** (DIGIT_BITS * digit)
    for (let i = 0; i < count; i++) digits[i] = Math.floor(hash[i]! / unit) % 2 ** DIGIT_BITS
    const next = new Uint32Array(2 ** DIGIT_BITS + 1)
    for (let i = 0; i < count; i++) next[digits[i]! + 1]! += 1
    for (let i = 1; i < next.length; i++) next[i]! += next[i - 1]!
    for (let i = 0; i < count; i++) target[next[digits[rows[i]!]!]!++] = rows[i]!
    ;[rows, target] = [target, rows]
  }
  return rows
}

const transferTo = (column: Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, capacity: number): ArrayBuffer =>
  column.buffer.transfer(capacity * column.BYTES_PER_ELEMENT)

const textOf = ({ zoneName, method, access, definitions }: FileCalendar): string =>
  JSON.stringify([zoneName, method, access, [...definitions]])
