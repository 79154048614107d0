// Measures one calendar of one size on one engine: the service and the bare server in turn, in several short slices.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { prepareCalDav } from './caldav.ts'
import type { LoadJob, LoadResult } from './client.ts'
import { createMany, SERIES_KEYS } from './fresh-events.ts'
import { cpuTicks, stolenSince } from './machine.ts'
import type { Month } from './make-events.ts'
import { type BenchRead, type PreparedReads, prepareReads } from './reads.ts'
import type { BenchRequest } from './requests.ts'
import { endWithUs, type Running, type RunningBareServer } from './service.ts'

export interface Pace {
  rounds: number
  warmUpMs: number
  measureMs: number
  connections: readonly number[]
}

/** A slice in which the host took away more than this share of the processors is measured again, and the best is kept. */
const MOST_STOLEN = 0.04
const MOST_ATTEMPTS = 3

/** Medians over the rounds. */
export interface Cell extends LoadResult {
  request: string
  connections: number
  /** Requests per second as a share of the bare server's, round by round. */
  ofCeiling: number | null
}

export interface Measurement extends Omit<PreparedReads, 'reads'> {
  cells: Cell[]
  /** What the host took away while the kept slices ran. */
  stolen: { median: number; most: number }
}

/** What every calendar is measured with. */
export interface Kit {
  client: LoadClient
  bare: RunningBareServer
  month: Month
  pace: Pace
}

export interface LoadClient {
  run(job: LoadJob): Promise<LoadResult>
  stop(): void
}

export function startClient(): LoadClient {
  const child: ChildProcess = fork(join(import.meta.dirname, 'client.ts'), { execArgv: ['--expose-gc'] })
  endWithUs(child)
  return {
    stop: () => void child.disconnect(),
    async run(job) {
      child.send(job)
      const [outcome] = (await once(child, 'message')) as [LoadResult | { failure: string }]
      if ('failure' in outcome) throw new Error(`${job.asked.kind}: ${outcome.failure}`)
      return outcome
    },
  }
}

/** Reads come first, all rounds of them: every write makes the calendar longer than its nominal size. */
export async function measure(kit: Kit, service: Running, hasFeed: boolean): Promise<Measurement> {
  const { reads, ...about } = await prepareReads(service, kit.bare, kit.month, hasFeed)
  const slices = makeSlices(kit)
  await inRounds(kit.pace, (connections) => measureReads(slices, reads, service, kit.bare, connections))
  const asked = hasFeed ? await prepareCalDav(service, kit.month) : {}
  await inRounds(kit.pace, async (connections) => {
    for (const [request, what] of Object.entries(asked)) {
      if (connections <= (what.maxConnections ?? connections)) await slices.run(request, service, connections, what)
    }
  })
  await inRounds(kit.pace, (connections) => measureWrites(slices, service, connections))
  return { cells: slices.cells(), stolen: slices.stolen(), ...about }
}

async function inRounds(pace: Pace, measureRound: (connections: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < pace.rounds; round++) {
    for (const connections of pace.connections) await measureRound(connections)
  }
}

async function measureReads(
  { run }: Slices,
  reads: readonly BenchRead[],
  service: Running,
  bare: Running,
  connections: number,
): Promise<void> {
  for (const { name, asked, variants } of reads) {
    const ceiling = await run(`ceiling: ${name}`, bare, connections, asked)
    for (const [request, kind] of Object.entries(variants))
      await run(request, service, connections, { ...asked, kind }, ceiling)
  }
}

async function measureWrites({ run }: Slices, service: Running, connections: number): Promise<void> {
  await run('POST event', service, connections, { kind: 'create' })
  await run('PUT object', service, connections, { kind: 'put-object' })
  await run('PATCH event', service, connections, async () => ({
    kind: 'patch',
    ids: await createMany(service, connections, {}),
  }))
  await run('DELETE occurrence', service, connections, async () => ({
    kind: 'delete-occurrence',
    ids: await createMany(service, connections, { rrule: 'FREQ=WEEKLY;COUNT=10' }),
    keys: SERIES_KEYS,
  }))
}

interface Slices {
  run(
    request: string,
    target: Running,
    connections: number,
    asked: BenchRequest | (() => Promise<BenchRequest>),
    ceiling?: LoadResult,
  ): Promise<LoadResult>
  cells(): Cell[]
  stolen(): Measurement['stolen']
}

/** Slices by row name, until they are merged into one cell. */
function makeSlices({ client, month, pace: { warmUpMs, measureMs } }: Kit): Slices {
  const rows = new Map<string, { connections: number; request: string; outcomes: LoadResult[]; shares: number[] }>()
  const allStolen: number[] = []
  let slice = 0
  const runOnce = async (target: Running, connections: number, asked: BenchRequest) => {
    const job = { port: target.port, serverPid: target.pid, connections, warmUpMs, measureMs }
    const before = cpuTicks()
    const outcome = await client.run({ ...job, asked: { ...asked, month, slice: slice++ } })
    return { outcome, stolen: stolenSince(before) }
  }
  return {
    async run(request, target, connections, asked, ceiling) {
      let best: Awaited<ReturnType<typeof runOnce>> | undefined
      for (let attempt = 0; attempt < MOST_ATTEMPTS && (best?.stolen ?? 1) > MOST_STOLEN; attempt++) {
        const prepared = typeof asked === 'function' ? await asked() : asked
        const attempted = await runOnce(target, connections, prepared)
        if (!best || attempted.stolen < best.stolen) best = attempted
      }
      const { outcome, stolen } = best!
      allStolen.push(stolen)
      const name = `${request} ${connections}`
      if (!rows.has(name)) rows.set(name, { connections, request, outcomes: [], shares: [] })
      const { outcomes, shares } = rows.get(name)!
      outcomes.push(outcome)
      if (ceiling) shares.push(outcome.perSecond / ceiling.perSecond)
      return outcome
    },
    stolen: () => ({ median: median(allStolen), most: Math.max(...allStolen) }),
    cells: () =>
      [...rows.values()]
        .sort((a, b) => a.connections - b.connections)
        .map(({ outcomes, shares, ...named }) => ({
          ...named,
          ...medianOutcome(outcomes),
          ofCeiling: shares.length > 0 ? median(shares) : null,
        })),
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

function medianOutcome(outcomes: readonly LoadResult[]): LoadResult {
  const of = (field: 'perSecond' | 'medianMs' | 'p95Ms' | 'clientCpu'): number =>
    median(outcomes.map((outcome) => outcome[field]))
  const cpus = outcomes.flatMap(({ serverCpu }) => (serverCpu === null ? [] : [serverCpu]))
  return {
    perSecond: of('perSecond'),
    medianMs: of('medianMs'),
    p95Ms: of('p95Ms'),
    clientCpu: of('clientCpu'),
    serverCpu: cpus.length > 0 ? median(cpus) : null,
  }
}
