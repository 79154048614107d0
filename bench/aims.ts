// Benchmark targets: each limit, the figure it was judged by, and whether the run met it.

import type { Block } from './block.ts'
import type { Cell } from './measure.ts'
import type { ComparedRead } from './uncached-reads.ts'

export interface Aim {
  engine: string
  aim: string
  /** The row of the table that it belongs to. */
  row: string
  measured: string
  isReached: boolean
}

const MOST_GROWTH = {
  'GET month, uncached': 1.5,
  'GET month, uncached, anonymous': 1.5,
  'REPORT calendar-query, month': 1.3,
  'REPORT sync, one change': 1.3,
}
const LEAST_OF_CEILING = {
  'GET month, warm': 0.6,
  'GET month, warm, anonymous': 0.6,
  'GET public month, warm': 0.7,
  'GET public month, 304': 0.8,
  'GET feed, 304': 0.8,
  'GET calendar page, warm': 0.6,
  'GET calendar page, warm, compressed': 0.6,
}
/** On sixteen connections, where PostgreSQL answers for several requests at a time. */
const LEAST_EVENT_OF_CEILING = { sqlite: 0.35, postgres: 0.2 }
const LEAST_WRITES = 1_500
const WRITES = ['POST event', 'PUT object', 'PATCH event']
const MOST_COLD_FEED = 3
const MOST_UNCACHED_MONTH = 2.5
const LEAST_IMPORTED_ON_SQLITE = 2_000
const MOST_MEMORY_MIB = 150
const MOST_START_MS = 700
const MOST_BUNDLE_START_MS = 350

export function judge(blocks: readonly Block[]): Aim[] {
  return [...Map.groupBy(blocks, ({ engine }) => engine)].flatMap(([engine, ofEngine]) =>
    [growth, share, eventShare, writes, uncachedReads, importing, memory, start].flatMap((held) =>
      held(ofEngine).map((aim) => ({ engine, ...aim })),
    ),
  )
}

type Judged = Omit<Aim, 'engine'>

/** The response has the same length at every size, so its cost should be the same too. */
const growth = (blocks: readonly Block[]): Judged[] =>
  Object.entries(MOST_GROWTH).flatMap(([request, most]) => {
    const smallest = blocks[0]!
    const largest = blocks.findLast((block) => cellsNamed(block, [request]).length > 0)
    if (!largest || smallest.size === largest.size) return []
    return cellsNamed(largest, [request]).map((cell) => {
      const before = smallest.cells.find((other) => rowOf(other) === rowOf(cell))!
      // On one connection time is the cost; on several it is mostly waiting, and requests per second show the cost.
      const times = cell.connections === 1 ? cell.medianMs / before.medianMs : before.perSecond / cell.perSecond
      return {
        row: rowOf(cell),
        aim: `≤ ${most} × the cost at ${count(smallest.size)}`,
        measured: `${times.toFixed(2)} ×`,
        isReached: times <= most,
      }
    })
  })

function share(blocks: readonly Block[]): Judged[] {
  return Object.entries(LEAST_OF_CEILING).flatMap(([request, least]) => {
    const largest = blocks.findLast((block) => cellsNamed(block, [request]).length > 0)
    if (!largest) return []
    return cellsNamed(largest, [request]).map((cell) => ({
      row: rowOf(cell),
      aim: `≥ ${least * 100}% of the ceiling`,
      measured: `${(cell.ofCeiling! * 100).toFixed(1)}%`,
      isReached: cell.ofCeiling! >= least,
    }))
  })
}

function eventShare(blocks: readonly Block[]): Judged[] {
  const least = LEAST_EVENT_OF_CEILING[isSqlite(blocks) ? 'sqlite' : 'postgres']
  return cellsNamed(blocks.at(-1)!, ['GET event'])
    .filter(({ connections }) => connections > 1)
    .map((cell) => ({
      row: rowOf(cell),
      aim: `≥ ${least * 100}% of the ceiling`,
      measured: `${(cell.ofCeiling! * 100).toFixed(1)}%`,
      isReached: cell.ofCeiling! >= least,
    }))
}

function writes(blocks: readonly Block[]): Judged[] {
  return cellsNamed(blocks.at(-1)!, WRITES)
    .filter(({ connections }) => connections > 1)
    .map((cell) => ({
      row: rowOf(cell),
      aim: `≥ ${count(LEAST_WRITES)}/s`,
      measured: `${count(cell.perSecond)}/s`,
      isReached: cell.perSecond >= LEAST_WRITES,
    }))
}

function uncachedReads(blocks: readonly Block[]): Judged[] {
  const rows: [string, ComparedRead | null | undefined, number][] = [
    ['cold feed', blocks.findLast((block) => block.coldFeed)?.coldFeed, MOST_COLD_FEED],
    ['uncached month', blocks.at(-1)!.uncachedMonth, MOST_UNCACHED_MONTH],
  ]
  return rows.flatMap(([row, compared, most]) =>
    compared
      ? [
          {
            row,
            aim: `≤ ${most} × the bare one`,
            measured: `${compared.times.toFixed(2)} ×`,
            isReached: compared.times <= most,
          },
        ]
      : [],
  )
}

const isSqlite = ([block]: readonly Block[]): boolean => block!.engine.startsWith('SQLite')

function importing(blocks: readonly Block[]): Judged[] {
  const perSecond = blocks.findLast((block) => block.importPerSecond)?.importPerSecond
  if (!perSecond || !isSqlite(blocks)) return []
  return [
    {
      row: 'import',
      aim: `≥ ${count(LEAST_IMPORTED_ON_SQLITE)} events/s`,
      measured: `${count(perSecond)}/s`,
      isReached: perSecond >= LEAST_IMPORTED_ON_SQLITE,
    },
  ]
}

function memory(blocks: readonly Block[]): Judged[] {
  const { rss_mib, pss_mib } = blocks.at(-1)!.memory
  // Pages of Node itself are shared with other processes of it; only Linux tells them apart.
  const taken = pss_mib ?? rss_mib
  return [
    {
      row: 'memory',
      aim: `≤ ${MOST_MEMORY_MIB} MiB of PSS`,
      measured: `${taken} MiB`,
      isReached: taken <= MOST_MEMORY_MIB,
    },
  ]
}

function start(blocks: readonly Block[]): Judged[] {
  const { startMs, bundleStartMs } = blocks.at(-1)!
  const aims: [string, number, number][] = [
    ['start', startMs, MOST_START_MS],
    ['bundle start', bundleStartMs, MOST_BUNDLE_START_MS],
  ]
  return aims.map(([row, tookMs, mostMs]) => ({
    row,
    aim: `≤ ${mostMs / 1_000} s`,
    measured: `${(tookMs / 1_000).toFixed(2)} s`,
    isReached: tookMs <= mostMs,
  }))
}

export const rowOf = ({ request, connections }: Pick<Cell, 'request' | 'connections'>): string =>
  `${request} × ${connections}`

export const count = (value: number): string => Math.round(value).toLocaleString('en-GB')

const cellsNamed = (block: Block, requests: readonly string[]): Cell[] =>
  block.cells.filter(({ request }) => requests.includes(request))
