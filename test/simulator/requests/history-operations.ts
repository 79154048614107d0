// The writes that bring back earlier states: a version of an event, or the whole calendar at a moment.
import { restoreVersion, rewindDeleted, rewindLive } from '../model/effects.ts'
import { MismatchError, type ModelEvent, type UidModel } from '../model/model.ts'
import { isShownEvent } from '../model/observe.ts'
import { anyLive, type RememberedMoment, type Simulation } from '../simulation.ts'
import { sendRequest } from './requests.ts'
import { checkWritten, settleWrite, type WriteOutcome } from './settle.ts'

const MAX_MOMENTS = 8

/** While no request is under way, and everything has just been compared. */
export function rememberMoment(sim: Simulation): void {
  const { clock } = sim.nodes
  // An earlier clock would make versions that end before they begin.
  if (clock.at < sim.latest) return
  const live = sim.uids.flatMap((model) => {
    const event = anyLive(model)
    return event ? [[model, event] as const] : []
  })
  // Not the time of a change before it, nor of one after it.
  clock.at += 1_000
  sim.moments = [...sim.moments, { at: clock.at, live: new Map(live) }].slice(-MAX_MOMENTS)
  clock.at += 1_000
}

export function restoreEarlier(
  sim: Simulation,
  node: number,
  model: UidModel,
  live: ModelEvent,
  version: number,
  chosen: number,
): Promise<WriteOutcome> {
  const effect = restoreVersion({ birth: live.birth, version }, chosen, sim.now())
  return settleWrite(sim, {
    name: 'restore version',
    effects: [{ model, effect }],
    send: () =>
      sendRequest(sim.node(node), 'writer', {
        method: 'POST',
        path: `/events/${live.id.value}/history/${chosen}/restore`,
        body: { version },
      }),
    check: ({ data }) => checkWritten(model, 'restore version', (now) => isShownEvent(now, data), data),
  })
}

/** In one transaction or several: an event that is in the way may be deleted before another is restored. */
export async function rewindCalendar(sim: Simulation, node: number, { at, live }: RememberedMoment): Promise<void> {
  const to = new Date(at).toISOString()
  // A rewind to the time at which it started undoes it: its changes are a millisecond later.
  const writtenAt = sim.now() + 1
  const faults = sim.faults.count()
  const models = [...sim.uids]
  const restorations = sim.nextRequest()
  for (const model of models) model.begin(restorations, rewindDeleted(live.get(model)))
  const outcome = await settleWrite(sim, {
    name: 'rewind',
    effects: models.map((model) => ({ model, effect: rewindLive(live.get(model), writtenAt) })),
    send: () => sendRequest(sim.node(node), 'admin', { method: 'POST', path: '/admin/rewind', body: { to } }),
    check({ text, data }) {
      if (data.skipped > 0 && sim.faults.count() === faults)
        throw new MismatchError(`a rewind to ${to} skipped events: ${text}`)
    },
  })
  for (const model of models) {
    if (outcome === 'done') model.acknowledge(restorations)
    else model.lose(restorations)
  }
}
