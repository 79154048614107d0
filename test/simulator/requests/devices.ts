// Calendar programs: each keeps its objects in step by sync-collection and calendar-multiget.
import { MAIN } from '../../caldav/support/events.ts'
import { type Dav, DECLARED, type FoundResource } from '../../support/http/dav.ts'
import { MismatchError } from '../model/model.ts'
import type { DeviceObject } from '../model/observe.ts'
import { AUTHORIZATION, davAt, type SimulatedNode } from './requests.ts'

export interface SimulatedDevice {
  /** Its number among those with an app password; the others sign in as the writer. */
  number: number | undefined
  authorization: Record<string, string>
  /** It does one thing after the other. */
  isBusy: boolean
  token: string
  /** By UID. */
  objects: Map<string, DeviceObject>
  /** How many purges of tombstones there were when it synchronised last. */
  purges: number
  /** By UID: what it has received, as `noteReceived` has it, and from which run of a node last. */
  received: Map<string, Map<string, string>>
}

/** Also of objects that it has written itself. `birth`: the request that created the event. */
export function noteReceived(
  { received }: SimulatedDevice,
  uid: string,
  birth: number,
  version: number,
  run: string,
): void {
  const versions = received.get(uid) ?? new Map<string, string>()
  received.set(uid, versions.set(`${birth} ${version}`, run))
}

export const createDevice = (number?: number, authorization = AUTHORIZATION.writer): SimulatedDevice => ({
  number,
  authorization,
  isBusy: false,
  token: '',
  objects: new Map(),
  purges: 0,
  received: new Map(),
})

/** `purges`: a token from before one of them may have become invalid. */
export async function syncDevice(node: SimulatedNode, device: SimulatedDevice, purges: number): Promise<void> {
  const dav = davAt(node, device.authorization)
  let answer = await dav.report(MAIN, syncBody(device.token))
  if (answer.status === 403 && answer.errors.includes('D:valid-sync-token')) {
    if (device.purges === purges) throw new MismatchError('a sync token became invalid without a purge')
    device.token = ''
    device.objects.clear()
    answer = await dav.report(MAIN, syncBody(''))
  }
  if (answer.status !== 207) throw new MismatchError(`sync-collection: ${answer.status} ${answer.text}`)
  const names = new Map([...device.objects].map(([uid, { name }]) => [name, uid]))
  const changed: string[] = []
  for (const { href, status } of answer.found) {
    const name = href.slice(MAIN.length)
    if (status !== 404) changed.push(href)
    else if (names.has(name)) device.objects.delete(names.get(name)!)
  }
  for (const found of await fetchObjects(dav, changed)) takeObject(device, names, found)
  device.token = /<(?:\w+:)?sync-token>([^<]*)</.exec(answer.text)![1]!
  device.purges = purges
}

const syncBody = (token: string): string =>
  `<D:sync-collection ${DECLARED}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>`

async function fetchObjects(dav: Dav, hrefs: readonly string[]): Promise<FoundResource[]> {
  if (hrefs.length === 0) return []
  const listed = hrefs.map((href) => `<D:href>${href}</D:href>`).join('')
  const answer = await dav.report(
    MAIN,
    `<C:calendar-multiget ${DECLARED}><D:prop><D:getetag/><C:calendar-data/></D:prop>${listed}</C:calendar-multiget>`,
  )
  if (answer.status !== 207 || answer.found.length !== hrefs.length)
    throw new MismatchError(`calendar-multiget: ${answer.status} ${answer.text.slice(0, 500)}`)
  return answer.found
}

/** One UID is under one name; a device that is told otherwise shows the event twice. */
function takeObject(
  { objects }: SimulatedDevice,
  names: ReadonlyMap<string, string>,
  { href, props }: FoundResource,
): void {
  const text = props['C:calendar-data']?.text ?? ''
  const uid = /^UID:(.*?)\r?$/m.exec(text)?.[1]
  if (uid === undefined) throw new MismatchError(`calendar-multiget has no text for ${href}`)
  const name = href.slice(MAIN.length)
  const other = objects.get(uid)
  if (other && other.name !== name) throw new MismatchError(`${uid} is under ${other.name} and ${name}`)
  const before = names.get(name)
  if (before !== undefined && before !== uid) objects.delete(before)
  // XML readers see one line feed for each line end.
  objects.set(uid, { name, etag: props['D:getetag']!.text, text: text.replace(/\r?\n/g, '\r\n') })
}
