import {
  changeEvent,
  deleteEvent,
  editOccurrence,
  excludeOccurrence,
  importEvent,
  purgeTrash,
  replaceByRestored,
  restoreEvent,
  retitle,
} from '../model/effects.ts'
import { deleteFollowing, retitleFollowing } from '../model/following-effects.ts'
import type { DeletedModelEvent, Effect, EventContent, ModelEvent, UidModel } from '../model/model.ts'
import { isShownEvent } from '../model/observe.ts'
import { dateOf, keyOf, writeFile } from '../model/texts.ts'
import type { Simulation } from '../simulation.ts'
import { type SimulatedRequest, sendRequest } from './requests.ts'
import { checkWritten, settleWrite, type WriteOutcome } from './settle.ts'

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
    repeats: count > 1,
    excluded: numbers.slice(0, 1),
    edited: Object.fromEntries(numbers.slice(1).map((n) => [n, nextWord()])),
    text: {},
  }
}

export const fieldsOf = ({ title, isPublic, day, count, repeats }: EventContent) => ({
  title,
  visibility: isPublic ? 'public' : 'private',
  start: `${dateOf(day)}T09:00`,
  end: `${dateOf(day)}T10:00`,
  ...(repeats && { rrule: `FREQ=WEEKLY;COUNT=${count}` }),
})

/** Writes an event by JSON and checks the response. */
export function writeJson(
  sim: Simulation,
  node: number,
  name: string,
  model: UidModel,
  effect: Effect,
  request: SimulatedRequest,
  by: 'writer' | 'admin' = 'writer',
): Promise<WriteOutcome> {
  return settleWrite(sim, {
    name,
    effects: [{ model, effect }],
    send: () => sendRequest(sim.node(node), by, request),
    check({ data }) {
      if (data?.exceptions) checkWritten(model, name, (live) => isShownEvent(live, data), data)
    },
  })
}

export function patchEvent(sim: Simulation, node: number, model: UidModel, live: ModelEvent, version: number) {
  const { random } = sim
  const title = sim.nextWord()
  const kind = random.choose({ title: 3, visibility: 1, day: 1 })
  const day = random.below(60) - 20
  const change = (content: EventContent): EventContent => {
    const renamed = retitle(title)(content)
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
  const effect = changeEvent({ birth: live.birth, version }, sim.now(), editOccurrence(n, title))
  const path = `/events/${live.id.value}/occurrences/${keyOf(live.content.day, n)}`
  return writeJson(sim, node, 'patch occurrence', model, effect, { method: 'PATCH', path, body: { title, version } })
}

export function deleteOccurrence(sim: Simulation, node: number, model: UidModel, live: ModelEvent) {
  const { random } = sim
  const n = random.below(live.content.count)
  const { birth, content } = live
  // Without a version: after a move the key may name another occurrence.
  const effect = changeEvent({ birth }, sim.now(), (now) => {
    const moved = numberAt(content, n, now)
    return moved === undefined ? undefined : excludeOccurrence(moved)(now)
  })
  const path = `/events/${live.id.value}/occurrences/${keyOf(content.day, n)}`
  return writeJson(sim, node, 'delete occurrence', model, effect, { method: 'DELETE', path })
}

/** The number that an occurrence has by now, if there is one at its date. */
export function numberAt({ day }: EventContent, n: number, now: EventContent): number | undefined {
  const number = n + (day - now.day) / 7
  const isThere = now.repeats && Number.isInteger(number) && number >= 0 && number < now.count
  return isThere && !now.excluded.includes(number) ? number : undefined
}

/** The body is empty where the whole event was deleted. */
export function deleteFollowingByJson(sim: Simulation, node: number, model: UidModel, live: ModelEvent) {
  const n = sim.random.below(live.content.count)
  const { birth, content } = live
  const deletion = { at: sim.now(), by: 'writer' } as const
  const effect = deleteFollowing({ birth }, deletion, (now) => numberAt(content, n, now))
  const path = `/events/${live.id.value}/occurrences/${keyOf(content.day, n)}?scope=following`
  return writeJson(sim, node, 'delete following', model, effect, { method: 'DELETE', path })
}

export function patchFollowingByJson(
  sim: Simulation,
  node: number,
  model: UidModel,
  live: ModelEvent,
  version: number,
) {
  const n = sim.random.below(live.content.count)
  const title = sim.nextWord()
  const effect = changeEvent({ birth: live.birth, version }, sim.now(), retitleFollowing(n, title))
  const path = `/events/${live.id.value}/occurrences/${keyOf(live.content.day, n)}?scope=following`
  return writeJson(sim, node, 'patch following', model, effect, { method: 'PATCH', path, body: { title, version } })
}

export function deleteByJson(sim: Simulation, node: number, model: UidModel, live: ModelEvent) {
  const by = sim.random.pick(['writer', 'writer', 'admin'] as const)
  const effect = deleteEvent({ birth: live.birth }, { at: sim.now(), by })
  return writeJson(sim, node, 'delete', model, effect, { method: 'DELETE', path: `/events/${live.id.value}` }, by)
}

export function restoreByJson(
  sim: Simulation,
  node: number,
  model: UidModel,
  { birth, id }: DeletedModelEvent,
  replaces: boolean,
) {
  const at = sim.now()
  const since = sim.keptSince()
  const effect = replaces ? replaceByRestored(birth, since, { at, by: 'writer' }) : restoreEvent(birth, since)
  const path = `/trash/${id.value}/restore${replaces ? '?replace=true' : ''}`
  return writeJson(sim, node, replaces ? 'restore and replace' : 'restore', model, effect, { method: 'POST', path })
}

export function emptyTrash(sim: Simulation, node: number): Promise<WriteOutcome> {
  const until = sim.now()
  const effect = purgeTrash(({ deletion }) => deletion.at <= until)
  sim.moments = []
  sim.repeatable = []
  return settleWrite(sim, {
    name: 'empty trash',
    effects: sim.uids.map((model) => ({ model, effect })),
    send: () => sendRequest(sim.node(node), 'admin', { method: 'DELETE', path: '/trash' }),
  })
}

export function importFile(sim: Simulation, node: number, models: readonly UidModel[]): Promise<WriteOutcome> {
  const birth = sim.nextRequest()
  const events = models.map((model) => {
    const content = makeContent(sim, true)
    return { model, content, object: { ...content, mark: sim.nextWord() } }
  })
  return settleWrite(sim, {
    name: 'import',
    effects: events.map(({ model, content }) => ({ model, effect: importEvent(birth, content, sim.now(), {}, {}) })),
    send: () =>
      sendRequest(sim.node(node), 'admin', {
        method: 'POST',
        path: '/admin/import?dry_run=false',
        body: writeFile(events.map(({ model, object }) => ({ uid: model.uid, object }))),
        headers: { 'content-type': 'text/calendar' },
      }),
  })
}
