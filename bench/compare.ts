// Compares a run with the result file of an earlier one: ratios of time, memory and processor time.
import { readFileSync } from 'node:fs'

/** The figures of one calendar in a result file. Fields that an earlier version did not write are missing. */
export interface StoredCalendar {
  engine: string
  events: number
  start_s?: number
  start_bundle_s?: number
  import_per_second?: number | null
  cold_feed?: { median_ms: number } | null
  memory_at_rest?: StoredMemory
  memory?: StoredMemory
  cells: { request: string; connections: number; per_second: number; server_cpu?: number | null }[]
}

interface StoredMemory {
  rss_mib: number
  pss_mib: number | null
}

/** Slices of one run differ by up to a quarter from one another. */
const NOTABLE = 1.25

export const readCalendars = (path: string): StoredCalendar[] => JSON.parse(readFileSync(path, 'utf8')).calendars

/**
 * One line for each row that both runs have, dearer ones first: 1.00 is the same, 2.00 takes twice the time or memory.
 * Of requests the service's processor time is compared too, which depends less on what else the machine does.
 */
export function compareRuns(before: readonly StoredCalendar[], now: readonly StoredCalendar[]): string {
  const rows = now.flatMap((calendar) => {
    const earlier = before.find((other) => engineOf(other) === engineOf(calendar) && other.events === calendar.events)
    return earlier ? ratiosOf(earlier, calendar) : []
  })
  if (rows.length === 0) return 'The two runs have no row in common.\n'
  const isDearer = ({ ratio, cpu = ratio }: RowRatio): boolean => cpu > NOTABLE
  const lines = rows
    .sort((a, b) => (b.cpu ?? b.ratio) - (a.cpu ?? a.ratio))
    .map((row) => {
      const cpu = row.cpu === undefined ? '' : `${row.cpu.toFixed(2)} × CPU`
      return `${isDearer(row) ? 'DEARER' : '      '}  ${row.ratio.toFixed(2)} ×  ${cpu.padEnd(10)}  ${row.name}`
    })
  const dearer = rows.filter(isDearer).length
  return `${dearer} of ${rows.length} rows are dearer by over a quarter than in the earlier run.\n${lines.join('\n')}\n`
}

interface RowRatio {
  name: string
  /** Of time or memory. */
  ratio: number
  cpu?: number | undefined
}

/** Without its version: an update of the database is one of the things to compare. */
const engineOf = ({ engine }: StoredCalendar): string => engine.split(' ')[0]!

function ratiosOf(before: StoredCalendar, now: StoredCalendar): RowRatio[] {
  const earlier = costsOf(before)
  return [...costsOf(now)].flatMap(([row, cost]) => {
    const then = earlier.get(row)
    if (!then) return []
    const cpu = cost.cpu && then.cpu ? cost.cpu / then.cpu : undefined
    return [{ name: `${engineOf(now)}, ${now.events} events: ${row}`, ratio: cost.amount / then.amount, cpu }]
  })
}

interface RowCost {
  /** Seconds of a request or a start, or MiB. */
  amount: number
  /** Seconds of processor time for a request. */
  cpu?: number | undefined
}

function costsOf(calendar: StoredCalendar): Map<string, RowCost> {
  const { cells, start_s, start_bundle_s, import_per_second, cold_feed, memory_at_rest, memory } = calendar
  const requests = cells
    .filter(({ request, per_second }) => !request.startsWith('ceiling') && per_second > 0)
    .map(({ request, connections, per_second, server_cpu }): [string, RowCost] => [
      `${request} × ${connections}`,
      { amount: 1 / per_second, cpu: server_cpu ? server_cpu / per_second : undefined },
    ])
  const others: [string, number | null | undefined][] = [
    ['feed after a write', cold_feed?.median_ms],
    ['import', import_per_second ? 1 / import_per_second : null],
    ['memory after start', memory_at_rest?.pss_mib ?? memory_at_rest?.rss_mib],
    ['memory after serving', memory?.pss_mib ?? memory?.rss_mib],
    ['start of a checkout', start_s],
    ['start of the bundle', start_bundle_s],
  ]
  return new Map([...requests, ...others.flatMap(([row, amount]) => (amount ? [[row, { amount }] as const] : []))])
}
