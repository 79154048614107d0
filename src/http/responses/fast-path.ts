// Fast path: serves a cached public response without Fastify if URL, method and variant match.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Recorder } from '../../actions/maintenance/diagnostics.ts'
import type { CalendarState, StateReader } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import { ByteLruMap } from '../../lru-map.ts'
import { networkOf } from '../../rate-limits/networks.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import { newId } from '../../secrets.ts'
import { createPeerReader } from '../guard/peer.ts'
import type { ServerState } from '../guard/request-guard.ts'
import { findTargetError, hasInvalidHost, isAllowedTransport } from '../guard/request-target.ts'
import type { Site } from '../site.ts'
import { negotiate } from './negotiate.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'
import type { ResponseWriter } from './response-writer.ts'

export interface FastPath {
  /** Stores a sent response to a request whose response is the same for everyone. */
  remember(request: IncomingMessage, place: CacheSlot, answer: CachedResponse, sent: SentResponse): void
  /** Whether the request was answered; if not, it goes to Fastify next. */
  answer(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>
}

/** Where the response of a URL is cached. */
export interface CacheSlot {
  cache: ResponseCache
  key: string
}

export interface SentResponse {
  status: number
  headers: OutgoingHttpHeaders
  bytes: Buffer | undefined
}

export interface FastPathOptions {
  ctx: Context
  site: Site
  limits: RequestLimits
  serverState: ServerState
  recorder: Recorder
  readState: StateReader
  responseWriter: ResponseWriter
}

/** URLs and the slots of their responses. The responses belong to their caches, which are charged for the forms. */
const MAX_SLOT_BYTES = 1_024 * 1_024
const MAX_URL_LENGTH = 1_000

const bytesOfSlot = (url: string, { key }: CacheSlot): number => 2 * (url.length + key.length) + 200
const bytesOfForm = (name: string, headers: readonly string[]): number =>
  2 * (name.length + headers.join('').length) + 32 * headers.length + 200

/** As sent, without X-Request-Id, which is prepended. */
interface SerializedForm {
  status: number
  headers: string[]
  bytes: Buffer | undefined
}

export function createFastPath({
  ctx,
  site,
  limits,
  serverState,
  recorder,
  readState,
  responseWriter,
}: FastPathOptions): FastPath {
  const slots = new ByteLruMap<string, CacheSlot>(MAX_SLOT_BYTES)
  const formsOf = new WeakMap<CachedResponse, Map<string, SerializedForm>>()
  const peerOf = createPeerReader(ctx.config)

  /** Sends the form stored for an identical request at this revision; false when there is none. */
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
    responseWriter.send(response, network, form.status, ['x-request-id', newId(), ...form.headers], form.bytes)
    return true
  }

  return {
    remember(request, place, answer, { status, headers, bytes }) {
      if (serverState.isDraining || request.url!.length > MAX_URL_LENGTH) return
      const name = formNameOf(request, answer)
      const forms = formsOf.get(answer) ?? new Map<string, SerializedForm>()
      const lines = linesOf(headers)
      if (!forms.has(name) && !place.cache.charge(place.key, answer, bytesOfForm(name, lines))) return
      slots.set(request.url!, place, bytesOfSlot(request.url!, place))
      formsOf.set(answer, forms)
      forms.set(name, { status, headers: lines, bytes })
    },
    answer(request, response) {
      const place = slots.get(request.url!)
      // While the recorder has room for traces, requests go through Fastify, where they are traced.
      if (!place || serverState.isDraining || recorder.hasRoom(false) || !isPlainRead(request)) return false
      const peer = peerOf(request)
      const network = networkOf(peer.address)
      if (!isAllowedTransport(peer, site, false) || !limits.consumeReadNow(peer)) return false
      const sendIn = (state: CalendarState | undefined): boolean => {
        if (state && send(request, response, network, place, state.revision)) return true
        limits.refundReadNow(peer)
        return false
      }
      const state = findState(readState)
      return state instanceof Promise ? state.catch(() => undefined).then(sendIn) : sendIn(state)
    },
  }
}

/** Undefined if the database cannot be read: the Fastify path answers with the error. */
function findState(readState: StateReader): ReturnType<StateReader> | undefined {
  try {
    return readState()
  } catch {
    return undefined
  }
}

/** Requests with a body, or that could be read in two ways, go through all checks of the Fastify path. */
const isPlainRead = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers['content-length'] === undefined &&
  request.headers['transfer-encoding'] === undefined &&
  findTargetError(request) === undefined &&
  !hasInvalidHost(request)

/** All that a public response depends on besides the URL. Tags that match nothing are not part of it. */
const formNameOf = ({ method, headers }: IncomingMessage, { etag, body }: CachedResponse): string =>
  `${method} ${negotiate(headers, { etag, bytes: body.length }).variant}`

const linesOf = (headers: OutgoingHttpHeaders): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (name === 'x-request-id' ? [] : [name, String(value)]))
