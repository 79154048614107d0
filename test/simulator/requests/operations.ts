// The writes that clients send, each with its effect on the model.
import { MAIN } from '../../caldav/support/events.ts'
import {
  changeEvent,
  createEvent,
  deleteEvent,
  editOccurrence,
  excludeOccurrence,
  importEvent,
  purgeTrash,
  replaceContent,
  restoreEvent,
  retitle,
} from '../model/effects.ts'
import type { DeletedModelEvent, Effect, EventContent, Learned, ModelEvent, UidModel } from '../model/model.ts'
import { isShownEvent } from '../model/observe.ts'
import { dateOf, keyOf, type WrittenObject, writeFile, writeObject } from '../model/texts.ts'
import type { Simulation } from '../simulation.ts'
import { davAt, type SimulatedRequest, sendRequest } from './requests.ts'
import { checkWritten, settleWrite } from './settle.ts'

/** A random event; clients that write texts may bring exceptions with it. */
export function makeContent({ random, nextWord }: Simulation, hasExceptions: boolean): EventContent {
  const count = random.isHit(0.5) ? 1 : 3 + random.below(4)
  const numbers = Array.from({ length: count }, (_, n) => n).filter(
    () => hasExceptions && count > 1 && random.isHit(0.2),
  )
  return {
    title: nextWord(),
    isPublic: random.isHit(0.5),
    day: random.below(60) - 20,
    count,
    excluded: numbers.slice(0, 1),
    edited: Object.fromEntries(numbers.slice(1).map((n) => [n, nextWord()])),
    text: {},
  }
}

const fieldsOf = ({ title, isPublic, day, count }: EventContent) => ({
  title,
  visibility: isPublic ? 'public' : 'private',
  start: `${dateOf(day)}T09:00`,
  end: `${dateOf(day)}T10:00`,
  ...(count > 1 && { rrule: `FREQ=WEEKLY;COUNT=${count}` }),
})

const textOf = (sim: Simulation, uid: string, content: EventContent): { text: string; object: WrittenObject } => {
  const object = { ...content, mark: sim.nextWord() }
  return { text: writeObject(uid, object), object }
}

/** Writes an event by JSON and checks the response. */
function writeJson(
  sim: Simulation,
  node: number,
  name: string,
  model: UidModel,
  effect: Effect,
  request: SimulatedRequest,
): Promise<void> {
  return settleWrite(sim, {
    name,
    effects: [{ model, effect }],
    send: () => sendRequest(sim.app(node), 'writer', request),
    check({ data }) {
      if (data?.exceptions) checkWritten(model, name, (live) => isShownEvent(live, data), data.version)
    },
  })
}

/** A client without a response sends it again under the same key: there is one event. */
export async function createByJson(sim: Simulation, node: number, model: UidModel, retryOn: number): Promise<void> {
  const content = makeContent(sim, false)
  const key = sim.nextWord()
  const id: Learned<string> = {}
  const birth = sim.nextRequest()
  const effect = createEvent(birth, content, id, {})
  const request: SimulatedRequest = {
    method: 'POST',
    path: '/events',
    body: { ...fieldsOf(content), uid: model.uid },
    headers: { 'idempotency-key': key },
  }
  let isAnswered = false
  const attempt = (on: number, name: string, after: Effect): Promise<void> =>
    settleWrite(sim, {
      name,
      effects: [{ model, effect: after }],
      send: async () => {
        const response = await sendRequest(sim.app(on), 'writer', request)
        isAnswered = response.status < 500
        return response
      },
      check({ data }) {
        id.value ??= data.id
        checkWritten(model, name, (live) => isShownEvent(live, data), data.version)
      },
    })
  await attempt(node, 'create', effect)
  // The first response may have been lost with its node; the key is kept for a day.
  const { isCutOff } = sim.scheduler.current()!
  if (isAnswered || isCutOff) return
  await attempt(retryOn, 'create again', (before) => {
    if (before.live?.birth === birth) return before
    return before.trash.some((kept) => kept.birth === birth) ? undefined : effect(before)
  })
}

export function patchEvent(sim: Simulation, node: number, model: UidModel, live: ModelEvent, version: number) {
  const { random } = sim
  const text: Learned<string> = {}
  const title = sim.nextWord()
  const kind = random.choose({ title: 3, visibility: 1, day: 1 })
  const day = random.below(60) - 20
  const change = (content: EventContent): EventContent => {
    const renamed = retitle(title, text)(content)
    if (kind === 'visibility') return { ...renamed, isPublic: !live.content.isPublic }
    return kind === 'day' ? { ...renamed, day } : renamed
  }
  const moved = { start: `${dateOf(day)}T09:00`, end: `${dateOf(day)}T10:00` }
  const body = {
    title,
    version,
    ...(kind === 'visibility' && { visibility: live.content.isPublic ? 'private' : 'public' }),
    ...(kind === 'day' && moved),
  }
  const effect = changeEvent({ birth: live.birth, version }, sim.now(), change)
  return writeJson(sim, node, 'patch', model, effect, { method: 'PATCH', path: `/events/${live.id.value}`, body })
}

export function patchOccurrence(sim: Simulation, node: number, model: UidModel, live: ModelEvent, version: number) {
  const n = sim.random.below(live.content.count)
  const title = sim.nextWord()
  const effect = changeEvent({ birth: live.birth, version }, sim.now(), editOccurrence(n, title, {}))
  const path = `/events/${live.id.value}/occurrences/${keyOf(live.content.day, n)}`
  return writeJson(sim, node, 'patch occurrence', model, effect, { method: 'PATCH', path, body: { title, version } })
}

export function deleteOccurrence(sim: Simulation, node: number, model: UidModel, live: ModelEvent) {
  const { random } = sim
  const n = random.below(live.content.count)
  const { birth, content } = live
  const text: Learned<string> = {}
  // Without a version: after a move the key may name another occurrence.
  const effect = changeEvent({ birth }, sim.now(), (now) => {
    const moved = n + (content.day - now.day) / 7
    const isThere = now.count > 1 && Number.isInteger(moved) && moved >= 0 && moved < now.count
    return isThere ? excludeOccurrence(moved, text)(now) : undefined
  })
  const path = `/events/${live.id.value}/occurrences/${keyOf(content.day, n)}`
  return writeJson(sim, node, 'delete occurrence', model, effect, { method: 'DELETE', path })
}

export function deleteByJson(sim: Simulation, node: number, model: UidModel, live: ModelEvent) {
  const effect = deleteEvent({ birth: live.birth }, sim.now())
  return writeJson(sim, node, 'delete', model, effect, { method: 'DELETE', path: `/events/${live.id.value}` })
}

/** A new object, or one that a device changes with the ETag that it has. */
export function putObject(sim: Simulation, node: number, model: UidModel, known?: KnownObject): Promise<void> {
  const content = makeContent(sim, true)
  const { text } = textOf(sim, model.uid, content)
  content.text.value = text
  const name = known?.name ?? `${model.uid.split('@')[0]}.ics`
  const id: Learned<string> = {}
  const effect = known
    ? changeEvent(known.expected, sim.now(), replaceContent(content))
    : createEvent(sim.nextRequest(), content, id, { value: name })
  const precondition: Record<string, string> = known ? { 'if-match': known.etag } : { 'if-none-match': '*' }
  return settleWrite(sim, {
    name: known ? 'put' : 'put new',
    effects: [{ model, effect }],
    send: () => davAt(sim.app(node)).put(MAIN + name, text, precondition),
    check({ status }) {
      if (status === 201) id.value = sim.scheduler.current()!.ids.at(-1)!
    },
  })
}

export interface KnownObject {
  name: string
  etag: string
  expected: { birth: number; version: number }
}

export function deleteObject(sim: Simulation, node: number, model: UidModel, known: KnownObject): Promise<void> {
  return settleWrite(sim, {
    name: 'delete object',
    effects: [{ model, effect: deleteEvent(known.expected, sim.now()) }],
    send: () => davAt(sim.app(node)).delete(MAIN + known.name, { 'if-match': known.etag }),
  })
}

export function restoreByJson(sim: Simulation, node: number, model: UidModel, kept: DeletedModelEvent) {
  const effect = restoreEvent(kept.birth, sim.keptSince(), sim.now())
  const request = { method: 'POST', path: `/trash/${kept.id.value}/restore` } as const
  return writeJson(sim, node, 'restore', model, effect, request)
}

export function emptyTrash(sim: Simulation, node: number): Promise<void> {
  const until = sim.now()
  const effect = purgeTrash(({ deletedAt }) => deletedAt <= until)
  sim.moment = undefined
  return settleWrite(sim, {
    name: 'empty trash',
    effects: sim.uids.map((model) => ({ model, effect })),
    send: () => sendRequest(sim.app(node), 'admin', { method: 'DELETE', path: '/trash' }),
  })
}

export function importFile(sim: Simulation, node: number, models: readonly UidModel[]): Promise<void> {
  const birth = sim.nextRequest()
  const events = models.map((model) => {
    const content = makeContent(sim, true)
    return { model, content, object: textOf(sim, model.uid, content).object }
  })
  return settleWrite(sim, {
    name: 'import',
    effects: events.map(({ model, content }) => ({ model, effect: importEvent(birth, content, sim.now(), {}, {}) })),
    send: () =>
      sendRequest(sim.app(node), 'admin', {
        method: 'POST',
        path: '/admin/import?dry_run=false',
        body: writeFile(events.map(({ model, object }) => ({ uid: model.uid, object }))),
        headers: { 'content-type': 'text/calendar' },
      }),
  })
}
