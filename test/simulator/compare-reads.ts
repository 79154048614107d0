// Compares reads with the model: one event, or everything that JSON, CalDAV and the public are shown.
import type { Json } from '../support/http/api-response.ts'
import { MismatchError, type ModelEvent, type UidModel, type UidState } from './model/model.ts'
import {
  isListedEvent,
  isMaskedEvent,
  isObjectOf,
  isShownEvent,
  isTrashEntry,
  learnObject,
  versionOfEtag,
} from './model/observe.ts'
import { dateOf, listOccurrences, summarizeObject } from './model/texts.ts'
import { createDevice, noteReceived, type SimulatedDevice, syncDevice } from './requests/devices.ts'
import { readChanges, type SimulatedMirror } from './requests/mirrors.ts'
import { readOk, type SimulatedReader, sendRequest } from './requests/requests.ts'
import { settleLost } from './requests/settle.ts'
import { anyLive, type Simulation } from './simulation.ts'

const WINDOW = `from=${dateOf(-30)}&to=${dateOf(120)}`

/** One event as its readers and the public see it. */
export async function compareSingle(sim: Simulation, node: number, model: UidModel, live: ModelEvent): Promise<void> {
  const id = live.id.value!
  const isPublicRead = sim.random.isHit(0.3)
  const path = isPublicRead ? `/public/events/${id}` : `/events/${id}`
  const { status, text, data } = await sendRequest(sim.node(node), isPublicRead ? 'public' : 'writer', { path })
  const isShown = isPublicRead ? isMaskedEvent : isShownEvent
  const isEvent = (state: UidState): boolean => state.live?.id.value === id
  const what = () => `GET ${path}: ${status} ${text}`
  if (status === 404) model.observe(what, (state) => !isEvent(state))
  else if (status === 200) model.observe(what, (state) => isEvent(state) && isShown(state.live!, data))
  else throw new MismatchError(`${model.uid}: ${what()}`)
}

/** A device synchronises, and then has exactly the calendar. */
export async function compareDevice(sim: Simulation, node: number, device: SimulatedDevice): Promise<void> {
  await syncDevice(sim.node(node), device, sim.purges)
  for (const model of sim.uids) {
    const object = device.objects.get(model.uid)
    const isSame = ({ live }: UidState): boolean => (live && object ? isObjectOf(live, object) : !live && !object)
    model.observe(
      () => `a device has ${object ? `${object.name} ${object.etag} ${summarizeObject(object.text)}` : 'no object'}`,
      isSame,
      ({ live }) => live && learnObject(live, object!),
    )
    if (object?.birth !== undefined)
      noteReceived(device, model.uid, object.birth, versionOfEtag(object.etag), sim.runOf(node))
  }
  const known = new Set(sim.uids.map(({ uid }) => uid))
  for (const uid of device.objects.keys()) if (!known.has(uid)) throw new MismatchError(`a device has ${uid}`)
}

/** While no request is under way: all of them. */
export async function compareAll(sim: Simulation, node: number): Promise<void> {
  await compareStored(sim, node)
  await compareDevice(sim, node, createDevice())
  const live = sim.uids.flatMap((model) => anyLive(model) ?? [])
  await compareLists(sim, node, live)
  await compareFeed(sim, node, live)
  for (const mirror of sim.mirrors) await compareMirror(sim, node, mirror)
  settleLost(sim)
}

/** A mirror reads the changes that it has not read, and then has exactly the list. */
async function compareMirror(sim: Simulation, node: number, mirror: SimulatedMirror): Promise<void> {
  while (await readChanges(sim.node(node), mirror, 1 + sim.random.below(20), sim.purges));
  const listed = await readPages(sim, node, mirror.sight === 'public' ? '/public/events' : '/events', mirror.sight)
  const texts = (events: Iterable<Json>): string =>
    [...events]
      .map((event) => JSON.stringify(event))
      .sort()
      .join('\n')
  requireSame(`the mirror of the ${mirror.sight}`, texts(mirror.events.values()), texts(listed))
}

/** Events and the trash, which settle what faults and crashes have left open. */
async function compareStored(sim: Simulation, node: number): Promise<void> {
  const events = await readPages(sim, node, '/events')
  const trash = await readPages(sim, node, '/trash')
  const known = new Set(sim.uids.map(({ uid }) => uid))
  for (const { uid } of [...events, ...trash]) if (!known.has(uid)) throw new MismatchError(`${uid} was never sent`)
  const since = sim.keptSince()
  for (const model of sim.uids) {
    const listed = events.filter(({ uid }) => uid === model.uid)
    const deleted = trash.filter(({ uid }) => uid === model.uid)
    const matches = ({ live, trash: kept }: UidState): boolean => {
      if (listed.length !== (live ? 1 : 0) || (live && !isListedEvent(live, listed[0]))) return false
      const left = kept.filter(({ deletion }) => deletion.at >= since)
      return left.length === deleted.length && left.every((one) => deleted.some((entry) => isTrashEntry(one, entry)))
    }
    const learn = ({ live, trash: kept }: UidState): void => {
      if (live) live.id.value = listed[0].id
      for (const one of kept) one.id.value ??= deleted.find((entry) => isTrashEntry(one, entry))?.id
    }
    model.observe(() => `lists have ${JSON.stringify({ listed, deleted })}`, matches, learn)
  }
}

async function readPages(
  sim: Simulation,
  node: number,
  path: string,
  reader: SimulatedReader = 'writer',
): Promise<Json[]> {
  const all: Json[] = []
  for (let page = 1; ; page++) {
    const { data } = await readOk(sim.node(node), reader, `${path}?per_page=200&page=${page}`)
    all.push(...data)
    if (data.length < 200) return all
  }
}

async function compareLists(sim: Simulation, node: number, live: readonly ModelEvent[]): Promise<void> {
  const simulated = sim.node(node)
  const listed = async (reader: 'writer' | 'public', path: string): Promise<string> => {
    const { data } = await readOk(simulated, reader, `${path}?${WINDOW}`)
    return data
      .map(({ id, title, start }: Json) => `${start.slice(0, 10)} ${id} ${title}`)
      .sort()
      .join('\n')
  }
  const expected = (isMasked: boolean): string =>
    live
      .flatMap(({ id, content }) =>
        listOccurrences(content).map(
          ({ day, title }) => `${day} ${id.value} ${isMasked && !content.isPublic ? 'Private Event' : title}`,
        ),
      )
      .sort()
      .join('\n')
  requireSame('the list', await listed('writer', '/events'), expected(false))
  requireSame('the public list', await listed('public', '/public/events'), expected(true))
  requireSame('the list without credentials', await listed('public', '/events'), expected(true))
}

/** The feed has the words of public events and no others. */
async function compareFeed(sim: Simulation, node: number, live: readonly ModelEvent[]): Promise<void> {
  const { text } = await readOk(sim.node(node), 'public', '/public/calendar.ics')
  const shown = new Set(text.replace(/\r\n /g, '').match(/word\d+/g))
  const words = live.flatMap(({ content }) =>
    content.isPublic ? [content.title, ...Object.values(content.edited)] : [],
  )
  requireSame('the public feed', [...shown].sort().join(), [...new Set(words)].sort().join())
}

function requireSame(what: string, actual: string, expected: string): void {
  if (actual !== expected) throw new MismatchError(`${what} has\n${actual}\ninstead of\n${expected}`)
}
