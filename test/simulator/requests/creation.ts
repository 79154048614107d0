// POST /events with an idempotency key, sent again after an error, a crash or a response: there is one event.
import { createEvent, createOnce } from '../model/effects.ts'
import { type Effect, type Learned, MismatchError, type UidModel } from '../model/model.ts'
import { isShownEvent } from '../model/observe.ts'
import type { Simulation } from '../simulation.ts'
import { fieldsOf, makeContent } from './operations.ts'
import { type SimulatedRequest, sendRequest } from './requests.ts'
import { checkWritten, settleWrite, type WriteOutcome } from './settle.ts'

/** A client without a response sends it again under the same key; so does one whose first response was lost. */
export async function createByJson(sim: Simulation, node: number, model: UidModel, retryOn: number): Promise<void> {
  const content = makeContent(sim, false)
  const id: Learned<string> = {}
  const birth = sim.nextRequest()
  const effect = createEvent(birth, content, id, {})
  const request: SimulatedRequest = {
    method: 'POST',
    path: '/events',
    body: { ...fieldsOf(content), uid: model.uid },
    headers: { 'idempotency-key': sim.nextWord() },
  }
  let first: string | undefined
  const attempt = (on: number, name: string, after: Effect): Promise<WriteOutcome> =>
    settleWrite(sim, {
      name,
      effects: [{ model, effect: after }],
      send: () => sendRequest(sim.node(on), 'writer', request),
      check({ data, text }) {
        id.value ??= data.id
        checkWritten(model, name, (live) => isShownEvent(live, data), data)
        first ??= text
        if (text !== first) throw new MismatchError(`${model.uid}: ${name} has ${text} instead of ${first}`)
      },
    })
  const again = createOnce(birth, effect)
  const outcome = await attempt(node, 'create', effect)
  if (outcome === 'unavailable') await attempt(retryOn, 'create again', again)
  if (outcome !== 'refused') sim.addRepeatable(false, async (on) => void (await attempt(on, 'repeat create', again)))
}
