// Runs one episode: random histories with faults, crashes and clock jumps, compared with the model.
import { packVersions } from '../../src/actions/history/pack-versions.ts'
import { purgeExpired } from '../../src/actions/maintenance/housekeeping.ts'
import { DAY_MS, HOUR_MS } from '../../src/domain/time/instant.ts'
import type { Engine } from '../support/storage/engines.ts'
import { chooseRequest } from './choose-request.ts'
import { compareAll } from './compare-reads.ts'
import { purgeTrash } from './model/effects.ts'
import { COMMIT_FAULTS, injectFaults } from './nodes/faults.ts'
import { startNodes } from './nodes/nodes.ts'
import { createScheduler, type StopPoint } from './nodes/scheduler.ts'
import { replaceMonotonicClock } from './nodes/still-time.ts'
import { proveHistory } from './prove-history.ts'
import { createRandom } from './random.ts'
import { rememberMoment } from './requests/history-operations.ts'
import { createSimulation, type Simulation } from './simulation.ts'

export interface EpisodeOptions {
  engine: Engine
  seed: number
  steps: number
  /** Whether the report has a hash of all steps and responses. */
  isHashed?: boolean
}

export interface EpisodeReport {
  steps: number
  /** Requests by name and result, and other happenings. */
  counts: ReadonlyMap<string, number>
  digest: string | undefined
}

const MAX_TASKS = 4
const STOPS: readonly StopPoint[] = ['begin', 'commit', 'response']
const COMPARE_EVERY = 100
const LOGGED_STEPS = 25

export async function simulate({ engine, seed, steps, isHashed = false }: EpisodeOptions): Promise<EpisodeReport> {
  const random = createRandom(seed)
  const scheduler = createScheduler()
  const faults = injectFaults(scheduler)
  const nodes = await startNodes(engine, engine === 'postgres' ? 2 : 1, scheduler, createRandom(-seed))
  const sim = createSimulation({ random, scheduler, faults, nodes, isHashed })
  const { log } = sim
  const monotonic = replaceMonotonicClock()
  try {
    for (let step = 1; step <= steps; step++) {
      log.push(`${step}`)
      monotonic.advance()
      try {
        sim.note(await takeStep(sim))
        if (step % COMPARE_EVERY === 0 || step === steps) {
          await drain(sim)
          await compareAll(sim, sim.anyNode())
          if (random.isHit(0.6)) rememberMoment(sim)
        }
        if (step === steps) await proveHistory(sim)
      } catch (error) {
        throw new Error(describeFailure({ engine, seed, steps }, step, log), { cause: error })
      }
    }
    return { steps, counts: sim.counts, digest: isHashed ? sim.digest() : undefined }
  } finally {
    faults.remove()
    monotonic.restore()
    await endTasks(sim)
    await nodes.close()
  }
}

const describeFailure = ({ engine, seed, steps }: EpisodeOptions, step: number, log: readonly string[]): string =>
  `step ${step} of seed ${seed} on ${engine} failed; replay it with \`npm run torture -- --seed ${seed} --engine ${engine} --steps ${steps}\`. The last steps:\n${log.slice(-LOGGED_STEPS).join('\n')}`

async function takeStep(sim: Simulation): Promise<string> {
  const { random, scheduler } = sim
  const stopped = scheduler.tasks()
  const isOpen = stopped.some(({ stoppedAt }) => stoppedAt === 'commit')
  const kind = random.choose({
    start: stopped.length < MAX_TASKS ? 10 : 0,
    resume: 5 * stopped.length,
    together: stopped.length > 1 && !isOpen && sim.nodes.engine === 'sqlite' ? 2 : 0,
    crash: 0.12,
    restart: isOpen ? 0 : 0.03,
    clock: isOpen ? 0 : 0.3,
    purge: isOpen ? 0 : 0.05,
  })
  sim.count(kind)
  if (kind === 'start') return startRequest(sim, isOpen || stopped.some(({ isAlone }) => isAlone))
  if (kind === 'resume') return resume(sim, 1)
  if (kind === 'together') return resume(sim, 2 + random.below(stopped.length - 1))
  if (kind === 'crash') return crash(sim)
  await drain(sim)
  if (kind === 'restart') return restart(sim)
  return kind === 'clock' ? moveClock(sim) : purge(sim)
}

async function startRequest(sim: Simulation, isReadOnly: boolean): Promise<string> {
  const { random, scheduler, faults } = sim
  const { name, node, work, isAlone = false, transactions = 1 } = chooseRequest(sim, isReadOnly)
  const stops = new Set<StopPoint>(STOPS.filter(() => random.isHit(0.35)))
  const skips = random.below(transactions)
  const fault = !isReadOnly && random.isHit(0.04) ? random.pick(COMMIT_FAULTS) : undefined
  if (fault) faults.arm(fault, random.below(transactions))
  await scheduler.start({ name, node, stops, skips, isAlone }, work)
  return `${name} on ${node}${fault ? ` with an error ${fault} COMMIT` : ''}; ${describeTasks(sim)}`
}

async function resume(sim: Simulation, count: number): Promise<string> {
  const { random, scheduler } = sim
  const open = scheduler.tasks().filter(({ stoppedAt }) => stoppedAt === 'commit')
  const left = [...(open.length > 0 ? open : scheduler.tasks())]
  const chosen = Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat()
  const names = chosen.map(({ name, stoppedAt }) => `${name} at ${stoppedAt}`).join(' and ')
  await scheduler.resume(chosen)
  return `resumed ${names}; ${describeTasks(sim)}`
}

const describeTasks = ({ scheduler }: Simulation): string =>
  scheduler
    .tasks()
    .map(({ name, stoppedAt }) => `${name} at ${stoppedAt}`)
    .join(', ')

/** Ends every request. */
async function drain({ scheduler }: Simulation): Promise<void> {
  while (scheduler.tasks().length > 0) {
    const [first] = scheduler
      .tasks()
      .toSorted((a, b) => Number(b.stoppedAt === 'commit') - Number(a.stoppedAt === 'commit'))
    await scheduler.resume([first!])
  }
}

async function endTasks({ nodes, scheduler }: Simulation): Promise<void> {
  for (const node of nodes.nodes.keys()) await scheduler.cutOff(node).catch(() => {})
}

async function crash(sim: Simulation): Promise<string> {
  const node = sim.anyNode()
  sim.faults.arm(undefined)
  await sim.nodes.crash(node)
  return `crashed node ${node}`
}

async function restart(sim: Simulation): Promise<string> {
  const node = sim.anyNode()
  await sim.nodes.restart(node)
  return `restarted node ${node}`
}

/** Most often by minutes; sometimes back, or by as much as what is kept. */
function moveClock(sim: Simulation): string {
  const { random } = sim
  const { clock } = sim.nodes
  const kind = random.choose({ minutes: 20, hours: 5, days: 2, months: 0.5, back: 2 })
  const units = { minutes: 60_000, hours: HOUR_MS, days: DAY_MS, months: 30 * DAY_MS, back: -HOUR_MS }
  clock.at += (1 + random.below(kind === 'months' ? 7 : 30)) * units[kind]
  sim.latest = Math.max(sim.latest, clock.at)
  // By then what a rewind needs may be purged, or look as if it was changed before.
  if (kind === 'back' || kind === 'months') sim.moments = []
  return `moved the clock to ${new Date(clock.at).toISOString()}`
}

/** As housekeeping does when the clock is trusted. */
async function purge(sim: Simulation): Promise<string> {
  const since = sim.keptSince()
  const { ctx } = sim.node(sim.anyNode()).app
  await purgeExpired(ctx)
  await packVersions(ctx)
  sim.purges += 1
  sim.moments = []
  for (const model of sim.uids) {
    const request = sim.nextRequest()
    model.begin(
      request,
      purgeTrash(({ deletion }) => deletion.at < since),
    )
    model.acknowledge(request)
  }
  return 'purged what is kept too long'
}
