// The end of an episode: brings back versions, deleted events and moments, and compares them with the model.
import { checkGrowth } from './check-growth.ts'
import { compareAll } from './compare-reads.ts'
import { MismatchError } from './model/model.ts'
import { restoreEarlier, rewindCalendar } from './requests/history-operations.ts'
import { restoreByJson } from './requests/operations.ts'
import { anyLive, type Simulation } from './simulation.ts'

/** How often each event is brought back to a random version. */
const VERSION_ROUNDS = 2
const REWINDS = 2

/** Everything that is kept can be restored, so none of these requests may be refused. */
export async function proveHistory(sim: Simulation): Promise<void> {
  sim.faults.arm(undefined)
  await checkGrowth(sim)
  for (let round = 0; round < VERSION_ROUNDS; round++) {
    await run(sim, 'restore versions', restoreVersions)
    await compareAll(sim, sim.anyNode())
  }
  await run(sim, 'restore deleted events', restoreDeleted)
  await compareAll(sim, sim.anyNode())
  for (let n = 0; n < REWINDS && sim.moments.length > 0; n++) {
    const moment = sim.random.pick(sim.moments)
    await run(sim, 'rewind', () => rewindCalendar(sim, sim.anyNode(), moment))
    await compareAll(sim, sim.anyNode())
  }
}

/** As a request that never stops. */
async function run(sim: Simulation, name: string, work: (sim: Simulation) => Promise<void>): Promise<void> {
  const task = { name, node: 0, stops: new Set<never>(), skips: 0, isAlone: true }
  await sim.scheduler.start(task, () => work(sim))
}

async function restoreVersions(sim: Simulation): Promise<void> {
  for (const model of sim.uids) {
    const live = anyLive(model)
    const kept = live?.earlier.filter(({ endedAt }) => endedAt >= sim.versionsSince()) ?? []
    if (!live || kept.length === 0) continue
    const { version } = sim.random.pick(kept)
    const outcome = await restoreEarlier(sim, sim.anyNode(), model, live, live.version, version)
    requireDone(outcome, `version ${version} of ${model.uid}`)
  }
}

async function restoreDeleted(sim: Simulation): Promise<void> {
  for (const model of sim.uids) {
    const trash = model.known()?.trash ?? []
    const kept = trash.filter(({ deletion }) => deletion.at >= sim.keptSince())
    if (kept.length === 0) continue
    const one = sim.random.pick(kept)
    requireDone(await restoreByJson(sim, sim.anyNode(), model, one, true), `the deleted ${model.uid}`)
  }
}

function requireDone(outcome: string | undefined, what: string): void {
  if (outcome !== 'done') throw new MismatchError(`${what} could not be restored: ${outcome}`)
}
