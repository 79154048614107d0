// Sends a write and settles the model by its response: done, refused, or either.
import { type Effect, MismatchError, type ModelEvent, type UidModel, type UidState } from '../model/model.ts'
import type { Simulation } from '../simulation.ts'
import { type Settled, type SimulatedResponse, settledBy } from './requests.ts'

export interface ModelEffect {
  model: UidModel
  effect: Effect
  /** Also for a reason that the model does not know. */
  mayBeRefused?: boolean
}

type SettledAnswer = Pick<SimulatedResponse, 'status' | 'text'> & Partial<SimulatedResponse>

export interface SimulatedWrite {
  name: string
  effects: readonly ModelEffect[]
  send: () => Promise<SettledAnswer>
  /** Checks what the response says, after the model knows that it is done. */
  check?: (response: SimulatedResponse) => void
  /** The response says that the request was carried out before. */
  isRepeated?: (response: SimulatedResponse) => boolean
  /** All effects or none: which one the response names as the reason of a refusal. */
  reasonOf?: (response: SettledAnswer) => UidModel | undefined
}

/** What became of a request; undefined where it has no response. */
export type WriteOutcome = Settled | undefined

export async function settleWrite(sim: Simulation, write: SimulatedWrite): Promise<WriteOutcome> {
  const { name, effects, check, reasonOf } = write
  const request = sim.nextRequest()
  const what = `request ${request}, ${name}`
  for (const { model, effect, mayBeRefused } of effects) {
    if (reasonOf) model.watch(request)
    model.begin(request, effect, mayBeRefused)
  }
  const { response, settled } = await sendOnce(sim, name, `${request} ${name}`, write.send)
  if (!response || settled === undefined || settled === 'unavailable') {
    for (const { model } of effects) model.lose(request)
    if (reasonOf) sim.lost.push({ request, models: effects.map(({ model }) => model) })
    return settled
  }
  const refusal = `${what} was refused with ${response.status} ${response.text.slice(0, 200)}`
  if (write.isRepeated?.(response as SimulatedResponse)) {
    for (const { model } of effects) {
      model.reject(request, `${what} was sent before`)
      model.unwatch(request)
    }
    return 'done'
  }
  const reason = settled === 'refused' ? reasonOf?.(response) : undefined
  for (const { model } of effects) {
    if (settled === 'done') model.acknowledge(request)
    else if (reason && model !== reason) model.reject(request, refusal)
    else model.refuse(request, refusal)
    model.unwatch(request)
  }
  if (settled === 'done') check?.(response as SimulatedResponse)
  return settled
}

/** The response, unless its node crashes before, and what it means. */
export async function sendOnce<Response extends SettledAnswer>(
  sim: Simulation,
  name: string,
  what: string,
  send: () => Promise<Response>,
): Promise<{ response: Response | undefined; settled: WriteOutcome }> {
  const faults = sim.faults.count()
  const task = sim.scheduler.current()!
  const response = await send().catch((error) => {
    if (task.isCutOff) return undefined
    throw error
  })
  sim.note(`${what}: ${task.isCutOff ? 'cut off' : response?.status}`)
  if (!response || task.isCutOff) {
    sim.count(`${name} cut off`)
    return { response: undefined, settled: undefined }
  }
  const settled = settledBy(response, what)
  const isFault = settled === 'unavailable' && sim.faults.count() > faults
  sim.count(`${name} ${settled}${isFault ? ' after a fault' : ''}`)
  return { response, settled }
}

/** The response of a write shows the event as it was then; others may have changed it since. */
export function checkWritten(
  model: UidModel,
  what: string,
  isShown: (live: ModelEvent) => boolean,
  { id, version }: { id: string; version: number },
): void {
  const isOther = ({ live }: UidState): boolean =>
    live !== undefined && live.id.value === id && live.version === version && !isShown(live)
  const later = model.possible().filter(isOther)
  if (later.length > 0 && later.length === model.possible().length)
    throw new MismatchError(
      `${model.uid}: ${what} shows something else than ${JSON.stringify(later[0]!.live!.content)}`,
    )
}

/** A lost request about several events is done for all or for none of them. */
export function settleLost(sim: Simulation): void {
  sim.lost = sim.lost.filter(({ request, models }) => {
    const outcomes = models.map((model) => model.isDone(request))
    if (outcomes.includes(true) && outcomes.includes(false))
      throw new MismatchError(`request ${request} was done in part: ${outcomes.join()}`)
    if (outcomes.includes(undefined)) return true
    for (const model of models) model.unwatch(request)
    return false
  })
}
