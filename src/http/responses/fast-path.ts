// Past the framework, for floods: a question that was answered word for word before gets the very same answer again.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Recorder } from '../../actions/maintenance/diagnostics.ts'
import type { CalendarState, StateReader } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../secrets.ts'
import { createPeerReader, networkOf } from '../guard/peer.ts'
import type { Limits } from '../guard/rate-limits.ts'
import type { ServerState } from '../guard/request-guard.ts'
import { findTargetError, hasInvalidHost, isAllowedTransport } from '../guard/request-target.ts'
import type { Site } from '../site.ts'
import { negotiate } from './negotiate.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'
import type { ResponseWriter } from './response-writer.ts'

export interface FastPath {
  /** Takes note of what was sent for a question that is the same for everyone. */
  remember(request: IncomingMessage, place: CacheSlot, answer: CachedResponse, sent: SentResponse): void
  /** Resolves with whether the request was answered; where it was not, the framework has it next. */
  answer(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>
}

/** Where the answer to an address is kept. */
export interface CacheSlot {
  cache: ResponseCache
  key: string
}

export interface SentResponse {
  status: number
  headers: OutgoingHttpHeaders
  bytes: Buffer | undefined
}

export interface Means {
  ctx: Context
  site: Site
  limits: Limits
  life: ServerState
  recorder: Recorder
  readState: StateReader
  sending: ResponseWriter
}

/** Addresses and where their answers are; the answers belong to their caches, and what is kept beside them is charged. */
const MAX_PLACE_BYTES = 1_024 * 1_024
const MAX_LETTERS = 1_000

const bytesOfPlace = (url: string, { key }: CacheSlot): number => 2 * (url.length + key.length) + 200
const bytesOfForm = (name: string, headers: readonly string[]): number =>
  2 * (name.length + headers.join('').length) + 32 * headers.length + 200

/** As sent, but for the id of the request, which is put in front. */
interface SerializedForm {
  status: number
  headers: string[]
  bytes: Buffer | undefined
}

export function createFastPath({ ctx, site, limits, life, recorder, readState, sending }: Means): FastPath {
  const places = createPlaces()
  const formsOf = new WeakMap<CachedResponse, Map<string, SerializedForm>>()
  const peerOf = createPeerReader(ctx.config)

  /** Sends what is kept for the very same question in this state of the calendar; false when nothing is. */
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    network: string,
    { cache, key }: CacheSlot,
    revision: number,
  ): boolean => {
    const answer = cache.find(revision, key, ctx.clock())
    const form = answer && formsOf.get(answer)?.get(formNameOf(request, answer))
    if (!form) return false
    recorder.skip()
    sending.send(response, network, form.status, ['x-request-id', newId(), ...form.headers], form.bytes)
    return true
  }

  return {
    remember(request, place, answer, { status, headers, bytes }) {
      if (life.isDraining || request.url!.length > MAX_LETTERS) return
      const name = formNameOf(request, answer)
      const forms = formsOf.get(answer) ?? new Map<string, SerializedForm>()
      const lines = linesOf(headers)
      if (!forms.has(name) && !place.cache.charge(place.key, answer, bytesOfForm(name, lines))) return
      places.set(request.url!, place)
      formsOf.set(answer, forms)
      forms.set(name, { status, headers: lines, bytes })
    },
    answer(request, response) {
      const place = places.get(request.url!)
      // While there is room to write down how requests went, they go where that is done.
      if (!place || life.isDraining || recorder.hasRoom(false) || !isPlainRead(request)) return false
      const peer = peerOf(request)
      const network = networkOf(peer.address)
      if (!isAllowedTransport(peer, site, false) || !limits.countReadNow(peer.address)) return false
      const sendIn = (state: CalendarState | undefined): boolean => {
        if (state && send(request, response, network, place, state.revision)) return true
        limits.uncountReadNow(peer.address)
        return false
      }
      const state = findState(readState)
      return state instanceof Promise ? state.catch(() => undefined).then(sendIn) : sendIn(state)
    },
  }
}

/** Undefined where the database cannot be read: the framework's way explains that. */
function findState(readState: StateReader): ReturnType<StateReader> | undefined {
  try {
    return readState()
  } catch {
    return undefined
  }
}

/** Whatever has a body, or might be read in two ways, is looked at more closely elsewhere. */
const isPlainRead = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers['content-length'] === undefined &&
  request.headers['transfer-encoding'] === undefined &&
  findTargetError(request) === undefined &&
  !hasInvalidHost(request)

/** Besides its address, all of a request that an answer for everyone depends on. Tags that match nothing are not in it. */
const formNameOf = ({ method, headers }: IncomingMessage, { etag, body }: CachedResponse): string =>
  `${method} ${negotiate(headers, { etag, bytes: body.length }).variant}`

/** Bounded by bytes: what was remembered longest ago goes first. */
function createPlaces(): Pick<Map<string, CacheSlot>, 'get'> & { set(url: string, place: CacheSlot): void } {
  const places = new Map<string, CacheSlot>()
  let bytes = 0
  const remove = (url: string): void => {
    const place = places.get(url)
    if (place) bytes -= bytesOfPlace(url, place)
    places.delete(url)
  }
  return {
    get: (url) => places.get(url),
    set(url, place) {
      remove(url)
      places.set(url, place)
      bytes += bytesOfPlace(url, place)
      for (const oldest of places.keys()) {
        if (bytes <= MAX_PLACE_BYTES) break
        remove(oldest)
      }
    },
  }
}

const linesOf = (headers: OutgoingHttpHeaders): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (name === 'x-request-id' ? [] : [name, String(value)]))
