// What a run is held against: each aim, the figure it was judged by, and whether it was reached.
import type { Cell } from './measure.ts'
import type { Block } from './run.ts'

export interface Aim {
  engine: string
  aim: string
  /** What the table says beside it: the row it belongs to. */
  row: string
  measured: string
  isReached: boolean
}

const MOST_GROWTH = 1.5
const LEAST_OF_CEILING = 0.6
const MOST_MEMORY_MIB = 300
const MOST_START_MS = 1_000

export function judge(blocks: readonly Block[]): Aim[] {
  return [...Map.groupBy(blocks, ({ engine }) => engine)].flatMap(([engine, ofEngine]) =>
    [...growth(ofEngine), ...share(ofEngine), ...memory(ofEngine), ...start(ofEngine)].map((aim) => ({
      engine,
      ...aim,
    })),
  )
}

type Judged = Omit<Aim, 'engine'>

/** The answer is as long at every size, so its cost should be the same too. */
function growth(blocks: readonly Block[]): Judged[] {
  const smallest = blocks[0]!
  const largest = blocks.at(-1)!
  if (smallest.size === largest.size) return []
  return rowsNamed(largest, 'GET month, uncached').map((cell) => {
    const before = smallest.cells.find((other) => rowOf(other) === rowOf(cell))!
    // On one connection time is the cost; on several it is mostly waiting, and requests per second tell the cost.
    const times = cell.connections === 1 ? cell.medianMs / before.medianMs : before.perSecond / cell.perSecond
    return {
      row: rowOf(cell),
      aim: `≤ ${MOST_GROWTH} × the cost at ${count(smallest.size)}`,
      measured: `${times.toFixed(2)} ×`,
      isReached: times <= MOST_GROWTH,
    }
  })
}

function share(blocks: readonly Block[]): Judged[] {
  const largest = blocks.at(-1)!
  return rowsNamed(largest, 'GET month, warm').map((cell) => ({
    row: rowOf(cell),
    aim: `≥ ${LEAST_OF_CEILING * 100}% of the ceiling`,
    measured: `${(cell.ofCeiling! * 100).toFixed(1)}%`,
    isReached: cell.ofCeiling! >= LEAST_OF_CEILING,
  }))
}

function memory(blocks: readonly Block[]): Judged[] {
  const { rss_mib } = blocks.at(-1)!.memory
  return [
    {
      row: 'memory',
      aim: `< ${MOST_MEMORY_MIB} MiB`,
      measured: `${rss_mib} MiB`,
      isReached: rss_mib < MOST_MEMORY_MIB,
    },
  ]
}

function start(blocks: readonly Block[]): Judged[] {
  const { startMs } = blocks.at(-1)!
  return [
    {
      row: 'start',
      aim: `< ${MOST_START_MS / 1_000} s`,
      measured: `${(startMs / 1_000).toFixed(2)} s`,
      isReached: startMs < MOST_START_MS,
    },
  ]
}

export const rowOf = ({ request, connections }: Pick<Cell, 'request' | 'connections'>): string =>
  `${request} × ${connections}`

export const count = (value: number): string => Math.round(value).toLocaleString('en-GB')

const rowsNamed = (block: Block, request: string): Cell[] =>
  block.cells.filter((cell) => cell.request === request || cell.request === `${request}, anonymous`)
