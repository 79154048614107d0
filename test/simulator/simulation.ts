// What a simulation has: its nodes, clients, model and seeded choices.
import type { App } from '../../src/app.ts'
import { DAY_MS } from '../../src/domain/time/instant.ts'
import { createUidModel, type ModelEvent, type UidModel } from './model/model.ts'
import type { FaultInjector } from './nodes/faults.ts'
import type { NodeGroup } from './nodes/nodes.ts'
import type { Scheduler } from './nodes/scheduler.ts'
import type { SeededRandom } from './random.ts'
import { createDevice, type SimulatedDevice } from './requests/devices.ts'

export const TRASH_DAYS = 180

const DEVICES = 3

/** A moment, and what was live then under each UID. */
export interface RememberedMoment {
  at: number
  live: ReadonlyMap<UidModel, ModelEvent>
}

export interface SimulationParts {
  random: SeededRandom
  scheduler: Scheduler
  faults: FaultInjector
  nodes: NodeGroup
}

export interface Simulation extends SimulationParts {
  devices: SimulatedDevice[]
  uids: UidModel[]
  /** What a rewind may go back to. */
  moment: RememberedMoment | undefined
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
  anyNode(): number
  app(node: number): App
}

export function createSimulation(parts: SimulationParts): Simulation {
  const { nodes, random } = parts
  const counts = new Map<string, number>()
  const log: string[] = []
  let requests = 0
  let words = 0
  return {
    ...parts,
    devices: Array.from({ length: DEVICES }, createDevice),
    uids: [],
    moment: undefined,
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
    app: (node) => nodes.nodes[node]!,
  }
}

export function addUid({ uids }: Simulation): UidModel {
  const model = createUidModel(`uid${uids.length + 1}@example.org`)
  uids.push(model)
  return model
}

/** Some event that may be stored under the UID. */
export const anyLive = (model: UidModel): ModelEvent | undefined =>
  model.possible().find(({ live }) => live !== undefined)?.live
