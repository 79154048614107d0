// What calendar programs write: PUT with the ETag that they have or blindly, DELETE and MOVE.
import { MAIN } from '../../caldav/support/events.ts'
import { changeEvent, createEvent, deleteEvent, moveEvent, putBlindly, replaceContent } from '../model/effects.ts'
import type { EventContent, Learned, UidModel } from '../model/model.ts'
import { versionOfEtag } from '../model/observe.ts'
import { writeObject } from '../model/texts.ts'
import type { Simulation } from '../simulation.ts'
import { noteReceived, type SimulatedDevice } from './devices.ts'
import { makeContent } from './operations.ts'
import { davAt, type SimulatedResponse } from './requests.ts'
import { settleWrite } from './settle.ts'

/** An object as a device has it, however old. */
export interface KnownObject {
  name: string
  etag: string
  expected: { birth: number; version: number }
}

export interface DeviceRequest {
  sim: Simulation
  node: number
  device: SimulatedDevice
  model: UidModel
}

const stemOf = ({ uid }: UidModel): string => uid.split('@')[0]!

function makeText({ sim, model }: DeviceRequest): { content: EventContent; text: string } {
  const content = makeContent(sim, true)
  const text = writeObject(model.uid, { ...content, mark: sim.nextWord() })
  content.text.value = text
  return { content, text }
}

/** The version that the response names is one that the device has. */
function learnVersion(
  { sim, node, device, model }: DeviceRequest,
  birth: number,
  { headers }: SimulatedResponse,
): void {
  const { etag } = headers
  if (typeof etag === 'string') noteReceived(device, model.uid, birth, versionOfEtag(etag), sim.runOf(node))
}

/** A new object, or one that the device changes with the ETag that it has. */
export async function putObject(request: DeviceRequest, known?: KnownObject): Promise<void> {
  const { sim, node, device, model } = request
  const { content, text } = makeText(request)
  const name = known?.name ?? `${stemOf(model)}.ics`
  const id: Learned<string> = {}
  const birth = known?.expected.birth ?? sim.nextRequest()
  const effect = known
    ? changeEvent({ ...known.expected, name }, sim.now(), replaceContent(content))
    : createEvent(birth, content, id, { value: name })
  const precondition: Record<string, string> = known ? { 'if-match': known.etag } : { 'if-none-match': '*' }
  await settleWrite(sim, {
    name: known ? 'put' : 'put new',
    effects: [{ model, effect }],
    send: () => davAt(sim.node(node), device.authorization).put(MAIN + name, text, precondition),
    check(response) {
      if (response.status === 201) id.value = sim.scheduler.current()!.ids.at(-1)!
      learnVersion(request, birth, response)
    },
  })
}

/**
 * Without a precondition: it may only replace a version that this device has received, and does so if the node has not
 * been started since.
 */
export async function putObjectBlindly(request: DeviceRequest, known?: { name: string }): Promise<void> {
  const { sim, node, device, model } = request
  const { content, text } = makeText(request)
  const name = known?.name ?? `${stemOf(model)}.ics`
  const id: Learned<string> = {}
  const birth = sim.nextRequest()
  const versions = device.received.get(model.uid) ?? new Map<string, string>()
  const mayBeRefused = versions.values().some((run) => run !== sim.runOf(node))
  const effect = putBlindly({ birth, content, id, name, at: sim.now() }, (live) =>
    versions.has(`${live.birth} ${live.version}`),
  )
  await settleWrite(sim, {
    name: 'put blindly',
    effects: [{ model, effect, mayBeRefused }],
    send: () => davAt(sim.node(node), device.authorization).put(MAIN + name, text),
    check(response) {
      if (response.status === 201) id.value = sim.scheduler.current()!.ids.at(-1)!
      const births = new Set(model.possible().map(({ live }) => live?.birth))
      const [only] = births
      if (births.size === 1 && only !== undefined) learnVersion(request, only, response)
    },
  })
}

export async function deleteObject({ sim, node, device, model }: DeviceRequest, known: KnownObject): Promise<void> {
  const { name, etag, expected } = known
  const deletion = { at: sim.now(), by: 'writer', device: device.number } as const
  await settleWrite(sim, {
    name: 'delete object',
    effects: [{ model, effect: deleteEvent({ ...expected, name }, deletion) }],
    send: () => davAt(sim.node(node), device.authorization).delete(MAIN + name, { 'if-match': etag }),
  })
}

/** Most often to a name that is free; with the ETag that the device has, or without. */
export async function moveObject({ sim, node, device, model }: DeviceRequest, known: KnownObject): Promise<void> {
  const { name, etag, expected } = known
  const to = `${stemOf(model)}-${sim.nextWord()}.ics`
  const isConditional = sim.random.isHit(0.6)
  const headers: Record<string, string> = isConditional ? { 'if-match': etag } : { overwrite: 'F' }
  const effect = moveEvent(isConditional ? { ...expected, name } : { name }, { value: to })
  // The model does not know under which name JSON or an import has stored an event.
  const mayBeRefused = model.possible().some(({ live }) => live !== undefined && live.name.value === undefined)
  await settleWrite(sim, {
    name: 'move object',
    effects: [{ model, effect, mayBeRefused }],
    send: () => davAt(sim.node(node), device.authorization).move(MAIN + name, MAIN + to, headers),
  })
}
