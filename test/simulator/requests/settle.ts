// Sends a write and settles the model by its response: done, refused, or either.
import { type Effect, MismatchError, type ModelEvent, type UidModel } from '../model/model.ts'
import type { Simulation } from '../simulation.ts'
import { type SimulatedResponse, settledBy } from './requests.ts'

export interface SimulatedWrite {
  name: string
  effects: readonly { model: UidModel; effect: Effect }[]
  send: () => Promise<Pick<SimulatedResponse, 'status' | 'text'> & Partial<SimulatedResponse>>
  /** Checks what the response says, after the model knows that it is done. */
  check?: (response: SimulatedResponse) => void
}

export async function settleWrite(sim: Simulation, { name, effects, send, check }: SimulatedWrite): Promise<void> {
  const request = sim.nextRequest()
  const what = `request ${request}, ${name}`
  const faults = sim.faults.count()
  for (const { model, effect } of effects) model.begin(request, effect)
  const task = sim.scheduler.current()!
  const response = await send().catch((error) => {
    if (task.isCutOff) return undefined
    throw error
  })
  sim.note(`${request} ${name}: ${task.isCutOff ? 'cut off' : response?.status}`)
  if (!response || task.isCutOff) {
    sim.count('cut off')
    for (const { model } of effects) model.lose(request)
    return
  }
  const settled = settledBy(response, what)
  if (settled === 'unavailable') {
    sim.count(sim.faults.count() > faults ? 'unavailable after a fault' : 'unavailable')
    for (const { model } of effects) model.lose(request)
    return
  }
  sim.count(`${name} ${settled}`)
  for (const { model } of effects) {
    if (settled === 'done') model.acknowledge(request)
    else model.refuse(request, `${what} was refused with ${response.status} ${response.text.slice(0, 200)}`)
  }
  if (settled === 'done') check?.(response as SimulatedResponse)
}

/** The response of a write shows the event as it was then; others may have changed it since. */
export function checkWritten(
  model: UidModel,
  what: string,
  isShown: (live: ModelEvent) => boolean,
  version: number,
): void {
  const later = model.possible().filter(({ live }) => live && live.version === version && !isShown(live))
  if (later.length > 0 && later.length === model.possible().length)
    throw new MismatchError(`${model.uid}: ${what} shows something else than ${JSON.stringify(later[0])}`)
}
