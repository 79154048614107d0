// Fast path: serves a cached response without Fastify if URL, method, variant and sight match.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { SignIn } from '../../actions/access/sign-in.ts'
import type { Recorder } from '../../actions/maintenance/diagnostics.ts'
import type { CalendarState, StateReader } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import { type AccountViewer, type Sight, sightOf } from '../../domain/privacy/viewer.ts'
import { ByteLruMap } from '../../lru-map.ts'
import type { RouteSeries } from '../../ops/request-metrics.ts'
import { networkOf } from '../../rate-limits/networks.ts'
import type { RequestLimits } from '../../rate-limits/request-limits.ts'
import { newId } from '../../secrets.ts'
import type { AccessLog } from '../access-log.ts'
import { arrivedAlone } from '../connections/in-flight.ts'
import { createPeerReader, type Peer } from '../guard/peer.ts'
import type { ServerState } from '../guard/request-guard.ts'
import { findTargetError, hasInvalidHost, isAllowedTransport } from '../guard/request-target.ts'
import { findVerified } from '../guard/viewer.ts'
import type { Site } from '../site.ts'
import { negotiate } from './negotiate.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'
import type { ResponseWriter } from './response-writer.ts'

export interface FastPath {
  /** Stores a sent response to a request whose response is the same for everyone. */
  remember(request: IncomingMessage, place: CacheSlot, answer: CachedResponse, sent: SentResponse): void
  /**
   * Stores a sent response that depends on the sight. It is the same for every account of that sight, and, with other
   * headers, for every request without credentials; it is cached under `keyForSight`.
   */
  rememberForSight(request: IncomingMessage, place: SightSlot, answer: CachedResponse, sent: SentResponse): void
  /** Whether the request was answered; if not, it goes to Fastify next. */
  answer(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>
}

/** Where the response of a URL is cached. */
export interface CacheSlot {
  cache: ResponseCache
  /** Of the request that it was made for. */
  key: string
  /** Of another request for the same URL, where the response depends on its headers, such as Accept-Language. */
  keyOf?: (headers: IncomingHttpHeaders) => string
}

/** Where the responses of a URL are cached, one for each sight. */
export interface SightSlot {
  cache: ResponseCache
  sight: Sight
}

/** The URL as sent. The calendar's revision is not part of it. */
export const keyForSight = (sight: Sight, url: string): string => `${sight} ${url}`

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
  /** For requests that arrived alone on their connections. */
  readTurnState: StateReader
  signIn: SignIn
  responseWriter: ResponseWriter
  accessLog: AccessLog
}

/** URLs and the slots of their responses. The responses belong to their caches, which are charged for the forms. */
const MAX_SLOT_BYTES = 1_024 * 1_024
const MAX_URL_LENGTH = 1_000

const bytesOfSlot = (url: string, key: string): number => 2 * (url.length + key.length) + 200
const bytesOfForm = (name: string, headers: readonly string[]): number =>
  2 * (name.length + headers.join('').length) + 32 * headers.length + 200

/** As sent, without X-Request-Id, which is prepended. */
interface SerializedForm {
  status: number
  headers: string[]
  bytes: Buffer | undefined
  series: RouteSeries
}

export function createFastPath(options: FastPathOptions): FastPath {
  const { ctx, site, limits, serverState, recorder, signIn, responseWriter, accessLog } = options
  const slots = new ByteLruMap<string, CacheSlot>(MAX_SLOT_BYTES)
  const sightCaches = new ByteLruMap<string, ResponseCache>(MAX_SLOT_BYTES)
  const formsOf = new WeakMap<CachedResponse, Map<string, SerializedForm>>()
  const peerOf = createPeerReader(ctx.config)
  const readerFor = (request: IncomingMessage): StateReader =>
    arrivedAlone(request) ? options.readTurnState : options.readState

  /** Stores the form in its cache, which is charged for it; false if it cannot be stored. */
  const keepForm = (
    url: string,
    place: CacheSlot,
    answer: CachedResponse,
    name: string,
    sent: SentResponse,
    isOfAccount = false,
  ): boolean => {
    const forms = formsOf.get(answer) ?? new Map<string, SerializedForm>()
    const headers = linesOf(sent.headers, isOfAccount ? limits.policyField(ACCOUNT_READ) : undefined)
    if (!forms.has(name) && !place.cache.charge(place.key, answer, bytesOfForm(name, headers))) return false
    formsOf.set(answer, forms)
    const series = forms.get(name)?.series ?? accessLog.seriesOf(url)
    forms.set(name, { status: sent.status, headers, bytes: sent.bytes, series })
    return true
  }

  /** Sends the form stored for an identical request at this revision; false when there is none. */
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    peer: Peer,
    place: CacheSlot,
    revision: number,
    nameOf: FormNamer,
    viewer?: AccountViewer,
  ): boolean => {
    const answer = place.cache.find(revision, place.key, ctx.clock())
    const form = answer && formsOf.get(answer)?.get(nameOf(request, answer))
    if (!form || (viewer && answer.mayRepeat?.(viewer) === false)) return false
    recorder.skip()
    place.cache.counts.hits += 1
    const id = newId()
    // Node copies the lines at once, so the next response can use the same list.
    form.headers[REQUEST_ID_AT] = id
    const remaining = viewer && limits.remainingField(ACCOUNT_READ, viewer.account.id)
    if (remaining !== undefined) form.headers[REMAINING_AT] = remaining
    responseWriter.send(response, networkOf(peer.address), form.status, form.headers, form.bytes)
    accessLog.record(form.series, request, form.status, id)
    return true
  }

  /** To a request whose response does not depend on credentials, or that has none. */
  const answerAnyone = (request: IncomingMessage, response: ServerResponse, place: CacheSlot, nameOf: FormNamer) => {
    const peer = peerOf(request)
    if (!isAllowedTransport(peer, site, false) || !limits.consumeReadNow(peer)) return false
    return withState(readerFor(request), (state) => {
      if (state && send(request, response, peer, place, state.revision, nameOf)) return true
      limits.refundReadNow(peer)
      return false
    })
  }

  /** Anything but a credential that is known to be valid at this moment goes through Fastify. */
  const answerAccount = (request: IncomingMessage, response: ServerResponse, cache: ResponseCache) => {
    const peer = peerOf(request)
    if (!isAllowedTransport(peer, site, true)) return false
    return withState(readerFor(request), (state) => {
      const viewer = state && findVerified(signIn, state, request.headers.authorization!)
      if (!viewer || viewer.standing || !limits.consumeAccountReadNow(viewer.account.id)) return false
      const place = { cache, key: keyForSight(sightOf(viewer), request.url!) }
      if (send(request, response, peer, place, state.revision, plainFormNameOf, viewer)) return true
      limits.refundAccountReadNow(viewer.account.id)
      return false
    })
  }

  return {
    remember(request, place, answer, sent) {
      if (serverState.isDraining || request.url!.length > MAX_URL_LENGTH) return
      if (keepForm(request.url!, place, answer, formNameOf(request, answer), sent))
        slots.set(request.url!, place, bytesOfSlot(request.url!, place.key))
    },
    rememberForSight(request, { cache, sight }, answer, sent) {
      const url = request.url!
      if (serverState.isDraining || url.length > MAX_URL_LENGTH || !isByProgram(request)) return
      const isOfAccount = request.headers.authorization !== undefined
      const nameOf = isOfAccount ? plainFormNameOf : anonymousFormNameOf
      if (keepForm(url, { cache, key: keyForSight(sight, url) }, answer, nameOf(request, answer), sent, isOfAccount))
        sightCaches.set(url, cache, bytesOfSlot(url, ''))
    },
    answer(request, response) {
      const place = slots.get(request.url!)
      const cache = place ? undefined : sightCaches.get(request.url!)
      if ((!place && !cache) || serverState.isDraining || !isPlainRead(request) || recorder.takesRepeat()) return false
      if (place) return answerAnyone(request, response, slotFor(place, request), formNameOf)
      if (!isByProgram(request)) return false
      if (request.headers.authorization !== undefined) return answerAccount(request, response, cache!)
      const ofPublic = { cache: cache!, key: keyForSight('public', request.url!) }
      return answerAnyone(request, response, ofPublic, anonymousFormNameOf)
    },
  }
}

/** If the database cannot be read, there is no state: the Fastify path answers with the error. */
function withState(
  readState: StateReader,
  answer: (state: CalendarState | undefined) => boolean,
): boolean | Promise<boolean> {
  const state = findState(readState)
  return state instanceof Promise ? state.catch(() => undefined).then(answer) : answer(state)
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

/**
 * A page sends Sec-Fetch headers or an origin, by which the Fastify path decides whether it may use credentials. A
 * cookie without `Authorization` may be a session.
 */
const isByProgram = ({ headers }: IncomingMessage): boolean =>
  (headers.authorization !== undefined || headers.cookie === undefined) &&
  headers['sec-fetch-site'] === undefined &&
  headers.origin === undefined &&
  headers.upgrade === undefined

const slotFor = ({ cache, key, keyOf }: CacheSlot, { headers }: IncomingMessage): CacheSlot => ({
  cache,
  key: keyOf ? keyOf(headers) : key,
})

type FormNamer = (request: IncomingMessage, answer: CachedResponse) => string

/** All that a public response depends on besides the URL. Tags that match nothing are not part of it. */
const formNameOf: FormNamer = ({ method, headers }, { etag, body }) =>
  `${method} ${negotiate(headers, { etag, bytes: body.length }).variant}`

/** The same for a response that is not compressed. */
const plainFormNameOf: FormNamer = ({ method, headers }, { etag, body }) =>
  `${method} ${negotiate({ 'if-none-match': headers['if-none-match'] }, { etag, bytes: body.length }).variant}`

/** Without credentials the response has another Cache-Control than for an account of the public's sight. */
const anonymousFormNameOf: FormNamer = (request, answer) => `anonymous ${plainFormNameOf(request, answer)}`

const REQUEST_ID_AT = 1

const ACCOUNT_READ = ['api-user'] as const
const REMAINING_AT = 3

/**
 * Names and values in turn. What is another one each time comes first: the id of the request, and what is left to an
 * account, if its limits have this policy.
 */
function linesOf(sent: OutgoingHttpHeaders, accountPolicy: string | undefined): string[] {
  const { 'x-request-id': _, ratelimit: __, 'ratelimit-policy': policy, ...others } = sent
  return [
    ...['x-request-id', ''],
    ...(accountPolicy === undefined ? [] : ['ratelimit', '', 'ratelimit-policy', accountPolicy]),
    ...(accountPolicy === undefined && policy !== undefined ? ['ratelimit-policy', String(policy)] : []),
    ...Object.entries(others).flatMap(([name, value]) => [name, String(value)]),
  ]
}
