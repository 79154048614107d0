// What a simulation has: its nodes, clients, model and seeded choices.
import { createHash } from 'node:crypto'
import { DAY_MS } from '../../src/domain/time/instant.ts'
import { createUidModel, type ModelEvent, type UidModel } from './model/model.ts'
import type { FaultInjector } from './nodes/faults.ts'
import type { NodeGroup } from './nodes/nodes.ts'
import type { Scheduler } from './nodes/scheduler.ts'
import type { SeededRandom } from './random.ts'
import { createDevice, type SimulatedDevice } from './requests/devices.ts'
import { createMirror, type SimulatedMirror } from './requests/mirrors.ts'
import type { SimulatedNode } from './requests/requests.ts'

const TRASH_DAYS = 180
const HISTORY_DAYS = 365
const MAX_REPEATABLE = 20

/** A moment, and what was live then under each UID. */
export interface RememberedMoment {
  at: number
  live: ReadonlyMap<UidModel, ModelEvent>
}

/** A lost request that is wholly done or not at all, though it is about several events. */
export interface WholeRequest {
  request: number
  models: readonly UidModel[]
}

/** A request that a client may send again under its idempotency key. */
export interface RepeatableRequest {
  sentAt: number
  /** When it was sent last. */
  triedAt: number
  /** Its key is claimed before it is carried out, and not in the same transaction. */
  isBulk: boolean
  repeat: (node: number) => Promise<void>
}

export interface SimulationParts {
  random: SeededRandom
  scheduler: Scheduler
  faults: FaultInjector
  nodes: NodeGroup
  /** Whether responses are hashed. */
  isHashed: boolean
}

export interface Simulation extends SimulationParts {
  devices: SimulatedDevice[]
  mirrors: SimulatedMirror[]
  uids: UidModel[]
  /** What a rewind may go back to. */
  moments: RememberedMoment[]
  lost: WholeRequest[]
  repeatable: RepeatableRequest[]
  /** The latest time so far. */
  latest: number
  /** Purges of tombstones so far. */
  purges: number
  /** Requests by name, and how they ended. */
  counts: Map<string, number>
  count(what: string): void
  /** What happened in this step. */
  log: string[]
  note(what: string): void
  nextRequest(): number
  /** A word that stands nowhere else. */
  nextWord(): string
  now(): number
  /** What was deleted before can no longer be restored. */
  keptSince(): number
  /** Versions that ended before may be purged. */
  versionsSince(): number
  anyNode(): number
  /** Names the run of a node: since its last start. */
  runOf(node: number): string
  addRepeatable(isBulk: boolean, repeat: RepeatableRequest['repeat']): void
  node(node: number): SimulatedNode
  /** Of the steps and responses so far. */
  digest(): string
}

export function createSimulation(parts: SimulationParts): Simulation {
  const { nodes, random } = parts
  const counts = new Map<string, number>()
  const log: string[] = []
  let requests = 0
  let words = 0
  const answers = createHash('sha256')
  const { withFixedIds } = nodes
  const record = (response: string): void => {
    if (!parts.isHashed) return
    // What a crash leaves of a response depends on the moment.
    if (!parts.scheduler.current()?.isCutOff) answers.update(`${withFixedIds(response)}\n`)
  }
  const sim: Simulation = {
    ...parts,
    devices: nodes.credentials.map(({ authorization }, number) => createDevice(number, authorization)),
    mirrors: [createMirror('writer'), createMirror('public')],
    uids: [],
    moments: [],
    lost: [],
    repeatable: [],
    latest: nodes.clock.at,
    purges: 0,
    counts,
    count: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    log,
    note(what) {
      log[log.length - 1] += `; ${what}`
    },
    nextRequest: () => ++requests,
    nextWord: () => `word${++words}`,
    now: () => nodes.clock.at,
    keptSince: () => nodes.clock.at - TRASH_DAYS * DAY_MS,
    anyNode: () => random.below(nodes.nodes.length),
    versionsSince: () => sim.latest - HISTORY_DAYS * DAY_MS,
    runOf: (node) => `${node}.${nodes.runs[node]}`,
    addRepeatable(isBulk, repeat) {
      const at = sim.now()
      sim.repeatable = [...sim.repeatable, { sentAt: at, triedAt: at, isBulk, repeat }].slice(-MAX_REPEATABLE)
    },
    node: (node) => ({ app: nodes.nodes[node]!, record }),
    digest: () => answers.copy().update(log.join('\n')).digest('hex'),
  }
  return sim
}

export function addUid({ uids }: Simulation): UidModel {
  const model = createUidModel(`uid${uids.length + 1}@example.org`)
  uids.push(model)
  return model
}

/** Some event that may be stored under the UID. */
export const anyLive = (model: UidModel): ModelEvent | undefined =>
  model.possible().find(({ live }) => live !== undefined)?.live
