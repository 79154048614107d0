// POST /events/bulk: creations, updates and deletions with right and wrong versions, each by itself or all or none.
import type { Json } from '../../support/http/api-response.ts'
import {
  changeEvent,
  createEvent,
  createOnce,
  createUnlessKnown,
  deleteEvent,
  inOrder,
  retitle,
} from '../model/effects.ts'
import { type Effect, type Learned, MismatchError, type UidModel } from '../model/model.ts'
import { anyLive, type Simulation } from '../simulation.ts'
import { fieldsOf, makeContent } from './operations.ts'
import { type SimulatedResponse, sendRequest } from './requests.ts'
import { sendOnce, settleWrite, type WriteOutcome } from './settle.ts'

/** An operation and what it does. */
interface BulkPart {
  model: UidModel
  effect: Effect
  /** When it is sent again under the same key. */
  again: Effect
  operation: object
  learn?: (data: Json) => void
}

/** One operation on each event; sometimes one that changes it and another that deletes it. */
function makeParts(sim: Simulation, model: UidModel, isAtomic: boolean): BulkPart[] {
  const { random } = sim
  const live = anyLive(model)
  if (!live) {
    const content = makeContent(sim, false)
    const id: Learned<string> = {}
    const birth = sim.nextRequest()
    const effect = createEvent(birth, content, id, {})
    const again = isAtomic ? createUnlessKnown(birth, effect) : createOnce(birth, effect)
    const operation = { op: 'create', event: { ...fieldsOf(content), uid: model.uid } }
    const learn = (data: Json): void => {
      id.value ??= data.id
    }
    return [{ model, effect, again, operation, learn }]
  }
  const { birth } = live
  const id = live.id.value
  if (id === undefined) return []
  const version = Math.max(1, live.version + (random.isHit(0.85) ? 0 : random.pick([-1, 1])))
  const title = sim.nextWord()
  // The time is that of the request that does it, which may be a repeated one.
  const retitled = retitle(title)
  const change: Effect = (before) => changeEvent({ birth, version }, sim.now(), retitled)(before)
  const update = {
    model,
    effect: change,
    again: change,
    operation: { op: 'update', id, version, event: { title } },
  }
  const removal = (expected: number | undefined) => {
    const remove: Effect = (before) =>
      deleteEvent({ birth, version: expected }, { at: sim.now(), by: 'writer' })(before)
    const operation = { op: 'delete', id, ...(expected !== undefined && { version: expected }) }
    return { model, effect: remove, again: remove, operation }
  }
  const kind = random.choose({ update: 6, delete: 2, 'delete any': 1, both: 1 })
  if (kind === 'update') return [update]
  return kind === 'both' ? [update, removal(version + 1)] : [removal(kind === 'delete' ? version : undefined)]
}

type BulkSender = (on: number) => Promise<SimulatedResponse>

/** In the order of the operations; with an idempotency key it may be sent again later. */
export async function changeInBulk(
  sim: Simulation,
  node: number,
  models: readonly UidModel[],
  isAtomic: boolean,
): Promise<void> {
  const parts = models.flatMap((model) => makeParts(sim, model, isAtomic))
  if (parts.length === 0) return
  const body = { operations: parts.map(({ operation }) => operation), ...(isAtomic && { atomic: true }) }
  const key = sim.random.isHit(0.5) ? sim.nextWord() : undefined
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  let first: string | undefined
  const send: BulkSender = async (on) => {
    const response = await sendRequest(sim.node(on), 'writer', { method: 'POST', path: '/events/bulk', body, headers })
    if (response.status !== 200 || sim.scheduler.current()!.isCutOff) return response
    first ??= response.text
    if (isReplayed(response) && response.text !== first)
      throw new MismatchError(`a repeated bulk request has ${response.text} instead of ${first}`)
    return response
  }
  const change = isAtomic ? changeTogether : changeEach
  const outcome = await change(sim, parts, () => send(node), '')
  if (key === undefined || outcome === 'refused') return
  const again = parts.map(({ again: effect, ...part }) => ({ ...part, effect, again: effect }))
  const repeat = async (on: number): Promise<void> => void (await change(sim, again, () => send(on), 'repeat '))
  sim.addRepeatable(true, repeat)
}

const isReplayed = ({ headers }: SimulatedResponse): boolean => headers['idempotency-replayed'] === 'true'

/** All or none; a refusal names the operation that is the reason. */
function changeTogether(
  sim: Simulation,
  parts: readonly BulkPart[],
  send: () => Promise<SimulatedResponse>,
  prefix: string,
): Promise<WriteOutcome> {
  const byModel = Map.groupBy(parts, ({ model }) => model)
  const effects = [...byModel].map(([model, own]) => ({
    model,
    effect: own.map(({ effect }) => effect).reduce(inOrder),
  }))
  return settleWrite(sim, {
    name: `${prefix}bulk together`,
    effects,
    send,
    isRepeated: (response) => isReplayed(response) || response.text.includes('idempotency_done'),
    reasonOf({ text }) {
      const { index } = JSON.parse(text).error.details ?? {}
      const part = parts[index]
      if (!part) throw new MismatchError(`an atomic bulk request is refused without the operation: ${text}`)
      return part.model
    },
    check: ({ data }) => parts.forEach(({ learn }, i) => void learn?.(data[i].data)),
  })
}

async function changeEach(
  sim: Simulation,
  parts: readonly BulkPart[],
  send: () => Promise<SimulatedResponse>,
  prefix: string,
): Promise<WriteOutcome> {
  const requests = parts.map(({ model, effect }) => {
    const request = sim.nextRequest()
    model.begin(request, effect)
    return request
  })
  const name = `${prefix}bulk each`
  const { response, settled } = await sendOnce(sim, name, `${requests[0]} ${name}`, send)
  if (settled === 'refused') throw new MismatchError(`${name}: ${response!.status} ${response!.text}`)
  for (const [i, { model, learn }] of parts.entries()) {
    const request = requests[i]!
    const result: Json = settled === 'done' ? response!.data[i] : { status: 503 }
    const what = `request ${request}, operation ${i} of a bulk request, was refused: ${JSON.stringify(result)}`
    if (response && isReplayed(response)) {
      model.reject(request, `request ${request} was sent before`)
      continue
    }
    sim.count(`${name}: ${result.status}`)
    if (result.status === 503) model.lose(request)
    else if (result.status < 300) {
      model.acknowledge(request)
      learn?.(result.data)
    } else if ([404, 409, 412].includes(result.status)) model.refuse(request, what)
    else throw new MismatchError(what)
  }
  return settled
}
