// Mirrors: programs that keep a copy of the calendar by the change feed, page by page, at each sight.
import type { Json } from '../../support/http/api-response.ts'
import { MismatchError } from '../model/model.ts'
import { type SimulatedNode, sendRequest } from './requests.ts'

export interface SimulatedMirror {
  sight: 'writer' | 'public'
  /** It reads one page after the other. */
  isBusy: boolean
  token: string | undefined
  events: Map<string, Json>
  /** How many purges of tombstones there were when it read the last page. */
  purges: number
}

export const createMirror = (sight: SimulatedMirror['sight']): SimulatedMirror => ({
  sight,
  isBusy: false,
  token: undefined,
  events: new Map(),
  purges: 0,
})

const PATHS = { writer: '/events/changes', public: '/public/changes' }

/** One page. Returns whether there are further changes. `purges`: a token from before one of them may have expired. */
export async function readChanges(
  node: SimulatedNode,
  mirror: SimulatedMirror,
  limit: number,
  purges: number,
): Promise<boolean> {
  const { sight, token, events } = mirror
  const path = `${PATHS[sight]}?limit=${limit}${token === undefined ? '' : `&since=${token}`}`
  const { status, text } = await sendRequest(node, sight, { path })
  if (status === 410 && token !== undefined && mirror.purges !== purges) {
    events.clear()
    mirror.token = undefined
    return true
  }
  if (status !== 200) throw new MismatchError(`GET ${path} as ${sight}: ${status} ${text}`)
  const { data, meta } = JSON.parse(text) as { data: Json[]; meta: { sync_token: string; has_more: boolean } }
  for (const { change, id, event } of data) {
    if (change === 'deleted') events.delete(id)
    else events.set(id, event)
  }
  Object.assign(mirror, { token: meta.sync_token, purges })
  return meta.has_more
}
