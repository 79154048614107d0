// Chooses the next request of a simulated client: which, on what event, from what the model and the devices know.
import { HOUR_MS, MINUTE_MS } from '../../src/domain/time/instant.ts'
import { compareDevice, compareSingle } from './compare-reads.ts'
import { listPresent } from './model/following-effects.ts'
import type { UidModel } from './model/model.ts'
import { versionOfEtag } from './model/observe.ts'
import { changeInBulk } from './requests/bulk.ts'
import { createByJson } from './requests/creation.ts'
import { deleteObject, moveObject, putObject, putObjectBlindly } from './requests/dav-operations.ts'
import { createDevice, type SimulatedDevice } from './requests/devices.ts'
import { restoreEarlier, rewindCalendar } from './requests/history-operations.ts'
import { readChanges } from './requests/mirrors.ts'
import {
  deleteByJson,
  deleteFollowingByJson,
  deleteOccurrence,
  emptyTrash,
  importFile,
  patchEvent,
  patchFollowingByJson,
  patchOccurrence,
  restoreByJson,
} from './requests/operations.ts'
import { restoreMany, selectTrash } from './requests/trash-operations.ts'
import { addUid, anyLive, type Simulation } from './simulation.ts'

type RequestWork = () => Promise<unknown>

export interface ChosenRequest {
  name: string
  node: number
  work: () => Promise<void>
  /** No other request may change anything meanwhile: changes of others would be left as they are. */
  isAlone: boolean
  /** About how many write transactions it has. */
  transactions: number
}

/** More live events only make comparisons slower. */
const MANY_LIVE = 30
const MANY_UIDS = 60

const READS = { single: 12, device: 2, mirror: 2 }

const WRITES = {
  create: 3,
  'put new': 2,
  'put blindly': 2,
  patch: 4,
  'patch occurrence': 3,
  'patch following': 1.5,
  'delete occurrence': 2,
  'delete following': 1,
  delete: 2,
  put: 4,
  'move object': 1,
  'delete object': 2,
  'bulk each': 1,
  'bulk together': 1,
  repeat: 1,
  'repeat bulk': 1.5,
  restore: 3,
  'restore and replace': 1,
  'restore many': 2,
  'restore version': 3,
  rewind: 4,
  import: 1,
  'empty trash': 0.15,
}

const ALONE = ['rewind', 'restore many', 'repeat bulk']
/** One caller has one permit for costly writes at a time, and keeps it while it has stopped. */
const WITH_PERMIT = ['bulk together', 'restore and replace']
const TRANSACTIONS: Readonly<Record<string, number>> = {
  'bulk each': 4,
  'repeat bulk': 4,
  import: 2,
  rewind: 2,
  'restore many': 4,
}

export function chooseRequest(sim: Simulation, isReadOnly: boolean): ChosenRequest {
  for (;;) {
    const chosen = tryChoice(sim, isReadOnly)
    if (chosen) return chosen
  }
}

/** Undefined where there is nothing to do it with. */
function tryChoice(sim: Simulation, isReadOnly: boolean): ChosenRequest | undefined {
  const { random } = sim
  const live = sim.uids.filter((model) => anyLive(model)).length
  const grows = live < 5 || (live < MANY_LIVE && random.isHit(0.7))
  const { create, 'put new': putNew, import: imported, ...others } = WRITES
  const writes = grows ? WRITES : { ...others, create: create / 6, 'put new': putNew / 6, import: imported / 3 }
  const name = random.choose<string>(isReadOnly ? READS : { ...writes, ...READS })
  const isAlone = ALONE.includes(name)
  const running = sim.scheduler.tasks().map((task) => task.name)
  if (isAlone && running.length > 0) return undefined
  if (WITH_PERMIT.includes(name) && running.some((other) => WITH_PERMIT.includes(other))) return undefined
  const node = sim.anyNode()
  const work = workOf(sim, name, node)
  return work && { name, node, work: async () => void (await work()), isAlone, transactions: TRANSACTIONS[name] ?? 1 }
}

function workOf(sim: Simulation, name: string, node: number): RequestWork | undefined {
  const { random } = sim
  if (name === 'device') {
    const device = freeDevice(sim) ?? createDevice()
    return alone(device, () => compareDevice(sim, node, device))
  }
  if (name === 'mirror') {
    const mirror = random.pick(sim.mirrors)
    if (mirror.isBusy) return undefined
    return alone(mirror, () => readChanges(sim.node(node), mirror, 1 + random.below(4), sim.purges))
  }
  if (name === 'create' || name === 'put new') {
    const model = freeUid(sim)
    const retryOn = sim.anyNode()
    if (name === 'create') return () => createByJson(sim, node, model, retryOn)
    const device = freeDevice(sim)
    return device && alone(device, () => putObject({ sim, node, device, model }))
  }
  if (name === 'import') {
    if (sim.scheduler.tasks().some((task) => task.name === 'import')) return undefined
    return () => importFile(sim, node, anyUids(sim, 2))
  }
  if (name === 'bulk each' || name === 'bulk together')
    return () => changeInBulk(sim, node, anyUids(sim, 5), name === 'bulk together')
  if (name === 'empty trash') return () => emptyTrash(sim, node)
  if (name === 'restore' || name === 'restore and replace') return restoring(sim, node, name !== 'restore')
  if (name === 'restore many') {
    const selector = selectTrash(sim)
    return selector && (() => restoreMany(sim, node, selector))
  }
  if (name === 'rewind') {
    if (sim.moments.length === 0) return undefined
    const moment = random.pick(sim.moments)
    return () => rewindCalendar(sim, node, moment)
  }
  if (name === 'repeat' || name === 'repeat bulk') return repeating(sim, node, name === 'repeat bulk')
  if (OF_DEVICES.includes(name)) return changingObject(sim, name, node)
  return changingEvent(sim, name, node)
}

const OF_DEVICES = ['put', 'put blindly', 'move object', 'delete object']

/** Most often one that is not in use: names and UIDs are used again after a deletion. */
function freeUid(sim: Simulation): UidModel {
  const { random, uids } = sim
  if (uids.length < 3 || (uids.length < MANY_UIDS && random.isHit(0.5))) return addUid(sim)
  const unused = uids.filter((model) => !anyLive(model))
  return unused.length > 0 && random.isHit(0.9) ? random.pick(unused) : random.pick(uids)
}

/** A free one, and some others. */
function anyUids(sim: Simulation, most: number): UidModel[] {
  const { random } = sim
  const others = Array.from({ length: most }, () => (random.isHit(0.5) ? random.pick(sim.uids) : undefined))
  return [...new Set([freeUid(sim), ...others.filter((model) => model !== undefined)])]
}

/** A key is kept for a day. One of a bulk request may be held for five minutes after a crash or an error. */
const KEPT_MS = 20 * HOUR_MS
const HELD_MS = 6 * MINUTE_MS

function repeating(sim: Simulation, node: number, isBulk: boolean): RequestWork | undefined {
  const { random, repeatable } = sim
  const now = sim.now()
  const due = repeatable.filter(
    (one) => one.isBulk === isBulk && sim.latest < one.sentAt + KEPT_MS && (!isBulk || now >= one.triedAt + HELD_MS),
  )
  if (due.length === 0) return undefined
  const chosen = random.pick(due)
  return () => {
    chosen.triedAt = now
    return chosen.repeat(node)
  }
}

function restoring(sim: Simulation, node: number, replaces: boolean): RequestWork | undefined {
  const { random } = sim
  const kept = sim.uids.flatMap((model) =>
    model.possible()[0]!.trash.flatMap((one) => (one.id.value === undefined ? [] : { model, one })),
  )
  if (kept.length === 0) return undefined
  const { model, one } = random.pick(kept)
  return () => restoreByJson(sim, node, model, one, replaces)
}

/** With the ETag that a device has, however old. */
function changingObject(sim: Simulation, name: string, node: number): RequestWork | undefined {
  const { random } = sim
  const device = freeDevice(sim)
  if (!device) return undefined
  // In the order of the model.
  const known = sim.uids.flatMap((model) => {
    const object = device.objects.get(model.uid)
    return object?.birth === undefined ? [] : { model, object, birth: object.birth }
  })
  if (name === 'put blindly' && (known.length === 0 || random.isHit(0.2))) {
    const model = freeUid(sim)
    return alone(device, () => putObjectBlindly({ sim, node, device, model }))
  }
  if (known.length === 0) return undefined
  const { model, object, birth } = random.pick(known)
  const request = { sim, node, device, model }
  if (name === 'put blindly') return alone(device, () => putObjectBlindly(request, object))
  const sent = { ...object, expected: { birth, version: versionOfEtag(object.etag) } }
  if (name === 'move object') return alone(device, () => moveObject(request, sent))
  return alone(device, () => (name === 'put' ? putObject(request, sent) : deleteObject(request, sent)))
}

function freeDevice({ devices, random }: Simulation): SimulatedDevice | undefined {
  const free = devices.filter(({ isBusy }) => !isBusy)
  return free.length === 0 ? undefined : random.pick(free)
}

const alone =
  (client: { isBusy: boolean }, work: RequestWork): RequestWork =>
  async () => {
    client.isBusy = true
    await work().finally(() => {
      client.isBusy = false
    })
  }

function changingEvent(sim: Simulation, name: string, node: number): RequestWork | undefined {
  const { random } = sim
  const known = sim.uids.flatMap((model) => {
    const live = anyLive(model)
    return live?.id.value === undefined ? [] : { model, live }
  })
  if (known.length === 0) return undefined
  const { model, live } = random.pick(known)
  if (name === 'single') return () => compareSingle(sim, node, model, live)
  if (name === 'delete') return () => deleteByJson(sim, node, model, live)
  // Some clients have an old version.
  const version = Math.max(1, live.version - (random.isHit(0.1) ? 1 : 0))
  if (name === 'restore version') {
    const kept = live.earlier.filter(({ endedAt }) => endedAt >= sim.versionsSince())
    if (kept.length === 0) return undefined
    const { version: chosen } = random.pick(kept)
    return () => restoreEarlier(sim, node, model, live, version, chosen)
  }
  if (name === 'patch') return () => patchEvent(sim, node, model, live, version)
  const { content } = live
  if (!content.repeats) return undefined
  if (name === 'patch following') return () => patchFollowingByJson(sim, node, model, live, version)
  if (name === 'delete following') return () => deleteFollowingByJson(sim, node, model, live)
  if (name === 'patch occurrence') return () => patchOccurrence(sim, node, model, live, version)
  // The last occurrence of a series is deleted with it.
  return listPresent(content).length > 2 ? () => deleteOccurrence(sim, node, model, live) : undefined
}
