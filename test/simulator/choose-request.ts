// Chooses the next request of a simulated client: which, on what event, from what the model and the devices know.
import { DAY_MS } from '../../src/domain/time/instant.ts'
import { compareDevice, compareSingle } from './compare-reads.ts'
import type { UidModel } from './model/model.ts'
import { versionOfEtag } from './model/observe.ts'
import { restoreEarlier, rewindCalendar } from './requests/history-operations.ts'
import {
  createByJson,
  deleteByJson,
  deleteObject,
  deleteOccurrence,
  emptyTrash,
  importFile,
  patchEvent,
  patchOccurrence,
  putObject,
  restoreByJson,
} from './requests/operations.ts'
import { addUid, anyLive, type Simulation } from './simulation.ts'

export interface ChosenRequest {
  name: string
  node: number
  work: () => Promise<void>
}

/** More live events only make comparisons slower. */
const MANY_LIVE = 30
const MANY_UIDS = 60

const READS = { single: 12, device: 2 }

const WRITES = {
  create: 3,
  'put new': 3,
  patch: 4,
  'patch occurrence': 3,
  'delete occurrence': 2,
  delete: 2,
  put: 4,
  'delete object': 2,
  restore: 5,
  'restore version': 3,
  rewind: 1,
  import: 1,
  'empty trash': 0.15,
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
  const node = sim.anyNode()
  const work = workOf(sim, name, node)
  return work && { name, node, work }
}

function workOf(sim: Simulation, name: string, node: number): (() => Promise<void>) | undefined {
  const { random } = sim
  if (name === 'device') {
    const device = random.pick(sim.devices)
    return () => compareDevice(sim, node, device)
  }
  if (name === 'create' || name === 'put new') {
    const model = freeUid(sim)
    const retryOn = sim.anyNode()
    return name === 'create' ? () => createByJson(sim, node, model, retryOn) : () => putObject(sim, node, model)
  }
  if (name === 'import') {
    if (sim.scheduler.tasks().some((task) => task.name === 'import')) return undefined
    const models = new Set([freeUid(sim), ...[1, 2].flatMap(() => (random.isHit(0.5) ? random.pick(sim.uids) : []))])
    return () => importFile(sim, node, [...models])
  }
  if (name === 'empty trash') return () => emptyTrash(sim, node)
  if (name === 'restore') return restoring(sim, node)
  if (name === 'rewind') {
    const { moment } = sim
    return moment && sim.scheduler.tasks().length === 0 ? () => rewindCalendar(sim, node, moment) : undefined
  }
  if (name === 'put' || name === 'delete object') return changingObject(sim, name, node)
  return changingEvent(sim, name, node)
}

/** Most often one that is not in use: names and UIDs are used again after a deletion. */
function freeUid(sim: Simulation): UidModel {
  const { random, uids } = sim
  if (uids.length < 3 || (uids.length < MANY_UIDS && random.isHit(0.5))) return addUid(sim)
  const unused = uids.filter((model) => !anyLive(model))
  return unused.length > 0 && random.isHit(0.9) ? random.pick(unused) : random.pick(uids)
}

function restoring(sim: Simulation, node: number): (() => Promise<void>) | undefined {
  const { random } = sim
  const kept = sim.uids.flatMap((model) =>
    model.possible()[0]!.trash.flatMap((one) => (one.id.value === undefined ? [] : { model, one })),
  )
  if (kept.length === 0) return undefined
  const { model, one } = random.pick(kept)
  return () => restoreByJson(sim, node, model, one)
}

/** With the ETag that a device has, however old. */
function changingObject(sim: Simulation, name: string, node: number): (() => Promise<void>) | undefined {
  const { random } = sim
  const { objects } = random.pick(sim.devices)
  // In the order of the model: that of the device depends on identifiers that are not seeded.
  const known = sim.uids.flatMap((model) => {
    const object = objects.get(model.uid)
    return object?.birth === undefined ? [] : { model, object, birth: object.birth }
  })
  if (known.length === 0) return undefined
  const { model, object, birth } = random.pick(known)
  const sent = { ...object, expected: { birth, version: versionOfEtag(object.etag) } }
  return name === 'put' ? () => putObject(sim, node, model, sent) : () => deleteObject(sim, node, model, sent)
}

function changingEvent(sim: Simulation, name: string, node: number): (() => Promise<void>) | undefined {
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
    const kept = live.earlier.filter(({ endedAt }) => endedAt > sim.now() - 300 * DAY_MS)
    if (kept.length === 0) return undefined
    const { version: chosen } = random.pick(kept)
    return () => restoreEarlier(sim, node, model, live, version, chosen)
  }
  if (name === 'patch') return () => patchEvent(sim, node, model, live, version)
  const { count, excluded } = live.content
  if (count < 3 || excluded.length >= count - 2) return undefined
  return name === 'patch occurrence'
    ? () => patchOccurrence(sim, node, model, live, version)
    : () => deleteOccurrence(sim, node, model, live)
}
