// One calendar of one size on one engine, measured: the service and the ceiling in turn, several short slices of each.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Job, Outcome } from './client.ts'
import type { Month } from './make-events.ts'
import { type Asked, monthQuery } from './requests.ts'
import { AUTHORISATION, EVENTS_PATH, endWithUs, type Running, type RunningBareServer } from './service.ts'

export interface Pace {
  rounds: number
  warmUpMs: number
  measureMs: number
  connections: readonly number[]
}

/** Medians over the rounds. */
export interface Cell extends Outcome {
  request: string
  connections: number
  /** Requests per second as a share of the ceiling's, round by round. */
  ofCeiling: number | null
}

export interface Measured {
  cells: Cell[]
  occurrences: number
  answerBytes: number
}

export interface LoadClient {
  run(job: Job): Promise<Outcome>
  stop(): void
}

/** A session of each fresh series is ten weeks long, from this Monday on. */
const SERIES_START = '2099-01-05'
const SERIES_KEYS = ['2099-01-12T18:00:00', '2099-01-19T18:00:00', '2099-02-02T18:00:00']

export function startClient(): LoadClient {
  const child: ChildProcess = fork(join(import.meta.dirname, 'client.ts'), { execArgv: ['--expose-gc'] })
  endWithUs(child)
  return {
    stop: () => void child.disconnect(),
    async run(job) {
      child.send(job)
      const [outcome] = (await once(child, 'message')) as [Outcome | { failure: string }]
      if ('failure' in outcome) throw new Error(`${job.asked.kind}: ${outcome.failure}`)
      return outcome
    },
  }
}

export async function measure(
  client: LoadClient,
  service: Running,
  bare: RunningBareServer,
  month: Month,
  pace: Pace,
): Promise<Measured> {
  const reads = await prepareReads(service, bare, month)
  const slices = new Map<string, { connections: number; request: string; outcomes: Outcome[]; shares: number[] }>()
  let slice = 0
  const run = async (request: string, target: Running, connections: number, asked: Asked): Promise<Outcome> => {
    const { warmUpMs, measureMs } = pace
    const outcome = await client.run({
      port: target.port,
      serverPid: target.pid,
      connections,
      warmUpMs,
      measureMs,
      asked: { ...asked, month, slice: slice++ },
    })
    const name = `${request} ${connections}`
    if (!slices.has(name)) slices.set(name, { connections, request, outcomes: [], shares: [] })
    slices.get(name)!.outcomes.push(outcome)
    return outcome
  }
  for (let round = 0; round < pace.rounds; round++) {
    for (const connections of pace.connections) {
      for (const { name, isAnonymous, path, variants } of reads) {
        const ceiling = await run(`ceiling: ${name}`, bare, connections, { kind: 'same', path, isAnonymous })
        for (const { request, kind } of variants) {
          const ours = await run(request, service, connections, { kind, path, isAnonymous })
          slices.get(`${request} ${connections}`)!.shares.push(ours.perSecond / ceiling.perSecond)
        }
      }
      await run('POST event', service, connections, { kind: 'create' })
      const single = await createMany(service, connections, {})
      await run('PATCH event', service, connections, { kind: 'patch', ids: single })
      const series = await createMany(service, connections, { rrule: 'FREQ=WEEKLY;COUNT=10' })
      await run('DELETE occurrence', service, connections, {
        kind: 'delete-occurrence',
        ids: series,
        keys: SERIES_KEYS,
      })
    }
  }
  const cells = [...slices.values()].map(({ outcomes, shares, ...named }) => ({
    ...named,
    ...medianOutcome(outcomes),
    ofCeiling: shares.length > 0 ? median(shares) : null,
  }))
  return { cells, occurrences: reads[0]!.items, answerBytes: reads[0]!.bytes }
}

interface Read {
  name: string
  path: string
  isAnonymous: boolean
  items: number
  bytes: number
  variants: readonly { request: string; kind: Asked['kind'] }[]
}

/** Takes each answer from the service once, and gives the bare server the same bytes to say. */
async function prepareReads(service: Running, bare: RunningBareServer, month: Month): Promise<Read[]> {
  const monthPath = `${EVENTS_PATH}?${monthQuery(month)}`
  const take = async (name: string, path: string, isAnonymous: boolean, variants: Read['variants']) => {
    const headers = isAnonymous ? undefined : { authorization: AUTHORISATION }
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, headers ? { headers } : {})
    const body = Buffer.from(await response.arrayBuffer())
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    const type = response.headers.get('content-type')!
    await bare.prepare({ path, isAnonymous, type, body: body.toString('base64') })
    const { data } = JSON.parse(body.toString()) as { data: { id: string; all_day: boolean }[] }
    return { read: { name, path, isAnonymous, items: data.length, bytes: body.length, variants }, data }
  }
  const whole = await take('month', monthPath, false, [
    { request: 'GET month, warm', kind: 'same' },
    { request: 'GET month, uncached', kind: 'month-uncached' },
  ])
  const open = await take('month, anonymous', monthPath, true, [
    { request: 'GET month, warm, anonymous', kind: 'same' },
    { request: 'GET month, uncached, anonymous', kind: 'month-uncached' },
  ])
  const { id } = whole.data.find(({ all_day }) => !all_day)!
  const one = await take('event', `${EVENTS_PATH}/${id}`, false, [{ request: 'GET event', kind: 'same' }])
  return [whole.read, open.read, one.read]
}

async function createMany(service: Running, count: number, more: object): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const response = await fetch(`http://127.0.0.1:${service.port}${EVENTS_PATH}`, {
      method: 'POST',
      headers: { authorization: AUTHORISATION, 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'Meeting',
        location: 'Small hall',
        start: `${SERIES_START}T18:00`,
        end: `${SERIES_START}T19:30`,
        ...more,
      }),
    })
    if (response.status !== 201) throw new Error(`making an event answered ${response.status}`)
    ids.push(((await response.json()) as { data: { id: string } }).data.id)
  }
  return ids
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

function medianOutcome(outcomes: readonly Outcome[]): Outcome {
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
