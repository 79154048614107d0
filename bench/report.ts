// Formats a run as one Markdown table for readers and one small JSON for the next run to compare with.
import { type Aim, count, rowOf } from './aims.ts'
import type { Block } from './block.ts'
import type { Machine, Memory } from './machine.ts'
import { type Cell, median } from './measure.ts'
import type { ComparedRead } from './uncached-reads.ts'

export function markdownOf(machine: Machine, blocks: readonly Block[], aims: readonly Aim[]): string {
  const sizes = [...new Set(blocks.map(({ size }) => size))]
  const engines = [...new Set(blocks.map(({ engine }) => engine))]
  const header = ['Request', 'Connections', ...sizes.map((size) => `${count(size)} events`), 'Aim']
  const rows = engines.flatMap((engine) => {
    const ofEngine = blocks.filter((block) => block.engine === engine)
    const row = (title: string, connections: string, name: string, text: (block: Block) => string): string[] => {
      const texts = sizes.map((size) => ofEngine.find((block) => block.size === size))
      return [title, connections, ...texts.map((block) => (block ? text(block) : '')), aimText(aims, engine, name)]
    }
    return [
      [`**${engine}**`, ...Array(header.length - 1).fill('')],
      ...ofEngine[0]!.cells.map((cell) =>
        row(cell.request, `${cell.connections}`, rowOf(cell), (block) =>
          cellText(block.cells.find((other) => rowOf(other) === rowOf(cell))),
        ),
      ),
      row('feed after a write: ms; bare, ms', '1', 'cold feed', ({ coldFeed }) => comparedText(coldFeed)),
      row('GET month, uncached, anonymous: ms; bare, ms', '1', 'uncached month', ({ uncachedMonth }) =>
        comparedText(uncachedMonth),
      ),
      row('import, events/s', '', 'import', ({ importPerSecond }) =>
        importPerSecond === null ? '' : count(importPerSecond),
      ),
      row('memory after start: RSS (PSS), MiB', '', '', ({ memoryAtRest }) => memoryText(memoryAtRest)),
      row('memory after serving: RSS (PSS), MiB', '', 'memory', ({ memory }) => memoryText(memory)),
      row('start of a checkout to first answer, s', '', 'start', ({ startMs }) => (startMs / 1_000).toFixed(2)),
      row('start of the bundle to first answer, s', '', 'bundle start', ({ bundleStartMs }) =>
        (bundleStartMs / 1_000).toFixed(2),
      ),
    ]
  })
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const dashes = header.map((_, i) => (i === 0 || i === header.length - 1 ? '---' : '---:'))
  return [
    describe(machine, blocks),
    ...stolenText(blocks),
    ...ceilingWarnings(blocks),
    '',
    line(header),
    line(dashes),
    ...rows.map(line),
    '',
  ].join('\n')
}

const memoryText = ({ rss_mib, pss_mib }: Memory): string =>
  pss_mib === null ? `${rss_mib}` : `${rss_mib} (${pss_mib})`

function describe(machine: Machine, blocks: readonly Block[]): string {
  const engines = [...new Set(blocks.map(({ engine }) => engine))].join(', ')
  const { occurrences, answerBytes } = blocks[0]!
  return `${machine.date}: ${machine.cpu}, ${machine.cores} cores, ${machine.memory_gib} GiB, ${machine.system}; Node ${machine.node}; ${engines}.
The month holds ${occurrences} occurrences, ${count(answerBytes / 1_024)} KiB. Each cell: requests/s; median / 95th percentile in ms; share of the ceiling's requests/s.`
}

/** A virtual machine shares its processors with others; a slice that lost much was measured again. */
function stolenText(blocks: readonly Block[]): string[] {
  if (blocks.every(({ stolen }) => stolen.most === 0)) return []
  const medians = median(blocks.map(({ stolen }) => stolen.median))
  const most = Math.max(...blocks.map(({ stolen }) => stolen.most))
  return [
    `The host took ${percent(medians)} of the processor time in the median slice and ${percent(most)} in the worst.`,
  ]
}

/** Notes when something other than the bare server set the ceiling. */
function ceilingWarnings(blocks: readonly Block[]): string[] {
  const ceilings = blocks.flatMap(({ cells }) =>
    cells.filter(({ request, connections }) => request.startsWith('ceiling') && connections > 1),
  )
  const client = median(ceilings.map(({ clientCpu }) => clientCpu))
  const server = median(ceilings.map(({ serverCpu }) => serverCpu ?? 1))
  if (client > 0.95) return ['The client was saturated: the true ceiling is higher than shown.']
  if (server > 0.9) return []
  return [
    `The machine was not quiet: at the ceiling the bare server got ${percent(server)} of a core and the client ${percent(client)}. Shares of the ceiling then come out too high.`,
  ]
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

function cellText(cell: Cell | undefined): string {
  if (!cell) return ''
  const { perSecond, medianMs, p95Ms, ofCeiling } = cell
  const times = `${millis(medianMs)} / ${millis(p95Ms)}`
  return [`${count(perSecond)}/s`, times, ...(ofCeiling === null ? [] : [percent(ofCeiling)])].join('; ')
}

const comparedText = (feed: ComparedRead | null): string =>
  feed ? `${millis(feed.ourMs)}; ${millis(feed.bareMs)}; ${feed.times.toFixed(2)} ×` : ''

const millis = (value: number): string => {
  if (value >= 1_000) return count(value)
  return value < 1 ? value.toFixed(2) : value.toPrecision(3)
}

function aimText(aims: readonly Aim[], engine: string, row: string): string {
  const aim = aims.find((each) => each.engine === engine && each.row === row)
  return aim ? `${aim.aim}: ${aim.isReached ? 'reached' : '**not reached**'} (${aim.measured})` : ''
}

export const jsonOf = (machine: Machine, blocks: readonly Block[], aims: readonly Aim[]): string =>
  `${JSON.stringify(
    {
      machine,
      aims: aims.map(({ isReached, ...aim }) => ({ ...aim, reached: isReached })),
      calendars: blocks.map((block) => ({
        engine: block.engine,
        events: block.size,
        month: { occurrences: block.occurrences, bytes: block.answerBytes },
        load_s: rounded(block.loadMs / 1_000),
        start_s: rounded(block.startMs / 1_000),
        start_bundle_s: rounded(block.bundleStartMs / 1_000),
        import_per_second: block.importPerSecond === null ? null : Math.round(block.importPerSecond),
        cold_feed: block.coldFeed && comparedJson(block.coldFeed),
        uncached_month: comparedJson(block.uncachedMonth),
        memory_at_rest: block.memoryAtRest,
        memory: block.memory,
        stolen: { median: rounded(block.stolen.median), most: rounded(block.stolen.most) },
        cells: block.cells.map((cell) => ({
          request: cell.request,
          connections: cell.connections,
          per_second: Math.round(cell.perSecond),
          median_ms: rounded(cell.medianMs),
          p95_ms: rounded(cell.p95Ms),
          of_ceiling: cell.ofCeiling === null ? null : rounded(cell.ofCeiling),
          client_cpu: rounded(cell.clientCpu),
          server_cpu: cell.serverCpu === null ? null : rounded(cell.serverCpu),
        })),
      })),
    },
    null,
    1,
  )}\n`

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000

const comparedJson = ({ bytes, ourMs, bareMs, times }: ComparedRead) => ({
  bytes,
  median_ms: rounded(ourMs),
  bare_ms: rounded(bareMs),
  times: rounded(times),
})
