// The order in which a request is looked at. It is a promise: nothing about the calendar is told before it is known who asks.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createSignIn } from '../../actions/access/sign-in.ts'
import type { Caller } from '../../actions/costly-work/semaphore.ts'
import type { Recorder } from '../../actions/maintenance/diagnostics.ts'
import type { CalendarState, StateReader } from '../../actions/maintenance/revision-reader.ts'
import type { Context } from '../../context.ts'
import { ANONYMOUS, requireAccess, type Verb, type Viewer } from '../../domain/privacy/viewer.ts'
import { AppError, fail } from '../../errors.ts'
import { JSON_LIMIT_BYTES, LONG_BODY_BYTES } from '../body.ts'
import type { NetworkCounter } from '../connections/network-counter.ts'
import { createLogThrottle } from '../log-throttle.ts'
import type { RoutePaths } from '../methods.ts'
import { errorCodeOf } from '../responses/errors.ts'
import type { SecurityHeaders } from '../responses/headers.ts'
import type { Site } from '../site.ts'
import type { ClientContext } from './client-context.ts'
import type { SessionCookie } from './cookie.ts'
import { createCorsHeaders } from './cors.ts'
import { refuseLinkedCredentials, requireCsrfToken, requireOwnOrigin } from './csrf.ts'
import type { LoginThrottle } from './login-throttle.ts'
import { networksOf } from './networks.ts'
import { createPeerReader, type Peer } from './peer.ts'
import { watchForExposed } from './plaintext-credentials.ts'
import type { Limits, PolicyName } from './rate-limits.ts'
import { SAFE_METHODS } from './reader-recheck.ts'
import { markCounted } from './refused-requests.ts'
import { findTargetError, hasInvalidHost, hasUnknownCoding, isAllowedTransport } from './request-target.ts'
import { failUnauthorized, identify } from './viewer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer
    peer: Peer
    state: CalendarState
    /** For whom costly reads and writes are made and counted. */
    caller: Caller
  }
  interface FastifyContextConfig {
    /** Who may come in. Absent: anyone, and credentials are not looked at. */
    access?: 'anyone' | Verb
    /** The same for everyone: credentials are not looked at, but visits are counted and the calendar's state is read. */
    isBlind?: boolean
    /** False for what must answer over plain http too, such as health checks. */
    needsHttps?: boolean
    /** True for health checks, which no limit may refuse. */
    isProbe?: boolean
    /** A page people open by typing: sent on to https, where the API refuses. */
    isPage?: boolean
    /** True where the body holds a password, whoever sends it. */
    carriesSecrets?: boolean
    /** True where a foreign page must not be able to send it from somebody's browser. */
    checksOrigin?: boolean
    /** What its body is, where that is not JSON. */
    takes?: 'text/calendar' | 'application/xml'
    /** Asked by calendar programs, which have no cookies; what they send is looked at differently. */
    isDav?: boolean
    /** Not where the method is answered only with the reason why it is not offered. */
    isOffered?: boolean
  }
}

export interface ServerState {
  /** Still answering, but on the way out: nobody should keep their connection. */
  isDraining: boolean
  /** On the clock of `performance.now()`. */
  drainingSince?: number
}

export interface Checks {
  ctx: Context
  site: Site
  limits: Limits
  life: ServerState
  cookie: SessionCookie
  attempts: LoginThrottle
  recorder: Recorder
  headers: SecurityHeaders
  readState: StateReader
  paths: RoutePaths
  clients: ClientContext
  bodies: NetworkCounter
}

/** How long the body may be; without its length it may have any that the route allows. */
const announcedBytes = ({ headers }: FastifyRequest, most: number): number =>
  Number(headers['content-length'] ?? (headers['transfer-encoding'] === undefined ? 0 : most))

export function addRequestGuard(app: FastifyInstance, checks: Checks): void {
  const { ctx, site, limits, life, cookie, attempts, recorder, headers, readState, paths, clients, bodies } = checks
  app.decorateRequest('viewer')
  app.decorateRequest('peer')
  app.decorateRequest('state')
  app.decorateRequest('caller')
  const peerOf = createPeerReader(ctx.config)
  const exposed = watchForExposed(ctx, cookie, recorder)
  const means = { signIn: createSignIn(ctx), cookie, attempts, limits }
  const noteDenied = createDenialAudit(ctx, recorder)
  const openToSites = createCorsHeaders(site)
  const isNewWarning = createLogThrottle(ctx.clock)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    openToSites(request, reply)
    request.viewer = ANONYMOUS
    request.peer = peerOf(request)
    request.caller = networkCaller(limits, request.peer.address)
    if (life.isDraining) reply.header('connection', 'close')
    const targetError = findTargetError(request.raw)
    if (targetError) fail(targetError)
    if (hasInvalidHost(request.raw) || hasUnknownCoding(request.raw)) fail('invalid_header')
    // Before the body is read: no body gives an address that does not exist an answer.
    if (request.is404 && !paths.find(request.url)) fail('route_not_found')
    if (!isCanonicalPath(request.url)) fail('route_not_found')
    // Fastify builds routeOptions anew at each look.
    const { config, bodyLimit = JSON_LIMIT_BYTES } = request.routeOptions
    const { access, needsHttps = true, carriesSecrets = false, isPage = false, checksOrigin = false } = config
    const { isBlind = false, isDav = false, isProbe = false } = config
    const bodyBytes = announcedBytes(request, bodyLimit)
    if (bodyBytes > bodyLimit) fail('body_too_large')
    // A body is in memory several times until it is answered.
    if (bodyBytes > LONG_BODY_BYTES && !bodies.admit(request.peer.address, reply.raw, bodyBytes))
      fail('service_unavailable')
    const hasCookie = !isDav && cookie.isSent(request)
    const hasCredentials = !isBlind && (request.headers.authorization !== undefined || hasCookie)
    const isSensitive = carriesSecrets || (access !== undefined && access !== 'anyone') || hasCredentials
    if (needsHttps && !isAllowedTransport(request.peer, site, isSensitive)) {
      await exposed.note(request)
      if (request.peer.isBareLoopback && isNewWarning('bare loopback')) ctx.log.warn(BARE_LOOPBACK)
      if (!isPage) fail('https_required')
      return reply.redirect(`${site.origin}${request.url}`, 308)
    }
    if (checksOrigin) requireOwnOrigin(request, site)
    // Without credentials too: the refusal must not ask the browser for them.
    if (isDav || (!isBlind && request.headers.authorization !== undefined)) refuseLinkedCredentials(request)
    if (access === undefined && !isBlind) {
      if (!isProbe) await limits.countFrom(request.peer.address, ['page-ip'])
      return
    }
    markCounted(request)
    if (!hasCredentials) await limits.countFrom(request.peer.address, ['public-ip'])
    request.state = await readState()
    if (access === undefined) return
    request.viewer = await identify(request, means, !isDav)
    if (hasCredentials) await countUse(limits, request)
    const { viewer } = request
    if (viewer.kind === 'account' && !viewer.standing) {
      request.caller = accountCaller(limits, viewer.account.id)
      clients.setAccount(request.raw, viewer.account.id)
    }
    try {
      guardSession(request, site, ctx.secret, cookie)
      if (access !== 'anyone') authorise(request.viewer, access)
    } catch (error) {
      noteDenied(request, error)
      throw error
    }
  })
  /** A body may arrive long after the credentials were checked; what was read of the account then may have changed since. */
  app.addHook('preHandler', async (request) => {
    if (!hasBody(request)) return
    const { viewer, state, routeOptions } = request
    if (viewer.kind !== 'account') return
    const { access, isDav = false } = routeOptions.config
    request.state = await readState()
    if (request.state.accountsRevision === state.accountsRevision) return
    request.viewer = await identify(request, means, !isDav)
    if (access !== undefined && access !== 'anyone') authorise(request.viewer, access)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (errorCodeOf(request) === 'token_invalid_or_expired') {
      const nobody = { actorId: null, subjectId: null, requestId: request.id }
      recorder.audit({ action: 'token_refused', ...nobody, detail: {} }, ctx.clock())
    }
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const { schema, config } = request.routeOptions
    if (config.isDav) done(davBodyProblem(request) ?? null, payload)
    else if (isRead || !schema?.body) done(null, payload)
    else if (config.takes === undefined) done(isPlainJson(request) ? null : wrongType('application/json'), payload)
    else done(isPlainCalendar(request) ? null : wrongType(config.takes), payload)
  })
}

/** An empty body may end late too. */
const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const BARE_LOOPBACK =
  'plain http from this machine was refused; a proxy must set X-Forwarded-Proto and X-Forwarded-For, and trust_proxy must name it'

function networkCaller(limits: Limits, address: string): Caller {
  const [narrowest, ...wider] = networksOf(address)
  return {
    key: `public-ip ${narrowest!.name}`,
    widerNetworks: wider.map(({ name }) => name),
    charge: (costMs) => limits.charge('public-ip', address, costMs),
  }
}

const accountCaller = (limits: Limits, id: string): Caller => ({
  key: `api-user ${id}`,
  isAccount: true,
  charge: (costMs) => limits.charge('api-user', id, costMs),
})

function authorise(viewer: Viewer, verb: Verb): void {
  if (viewer.kind === 'anonymous') failUnauthorized('authentication_required')
  requireAccess(viewer, verb)
}

/** People who try what they may not, once an hour for each of them and each door. */
function createDenialAudit(ctx: Context, recorder: Recorder): (request: FastifyRequest, error: unknown) => void {
  const isNew = createLogThrottle(ctx.clock)
  return ({ viewer, routeOptions, method, id }, error) => {
    if (viewer.kind !== 'account' || !(error instanceof AppError)) return
    const { code } = error
    if (!isNew(`${viewer.account.id} ${code} ${method} ${routeOptions.url}`)) return
    const actor = { actorId: viewer.account.id, subjectId: viewer.account.id, requestId: id }
    recorder.audit({ action: 'access_denied', ...actor, detail: { code, method } }, ctx.clock())
  }
}

/** A browser sends its cookie with requests of any page, so the request must come from our own; changes need a token too. */
function guardSession(request: FastifyRequest, site: Site, secret: string, cookie: SessionCookie): void {
  if (request.viewer.kind !== 'account' || request.viewer.proof !== 'session') return
  requireOwnOrigin(request, site)
  if (!SAFE_METHODS.includes(request.method)) requireCsrfToken(request, secret, cookie.read(request)!)
}

/** Before anything is refused them: what people may not do costs us work too. Who may not act counts as the public. */
async function countUse(limits: Limits, request: FastifyRequest): Promise<void> {
  const { viewer } = request
  if (viewer.kind !== 'account' || viewer.standing) return limits.countFrom(request.peer.address, ['public-ip'])
  const { id } = viewer.account
  for (const policy of policiesFor(request)) await limits.count(policy, id)
  // The writes of calendar programs do not count there, but what costly ones take does.
  if (isDavWrite(request)) await limits.requireRoom('api-user', id)
}

function policiesFor(request: FastifyRequest): PolicyName[] {
  if (SAFE_METHODS.includes(request.method)) return ['api-user']
  return isDavWrite(request) ? ['caldav-writes', 'caldav-writes-hour'] : ['api-user', 'api-user-writes']
}

const isDavWrite = ({ method, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.isDav === true && !SAFE_METHODS.includes(method)

/** Escapes are allowed only where an occurrence key or a calendar object's name stands: no route has a second spelling. */
function isCanonicalPath(url: string): boolean {
  if (!url.includes('%')) return true
  const path = url.split('?', 1)[0]!
  const fixed = /^(.*\/(?:occurrences|exceptions|caldav\/calendars\/main)\/)[^/]*\/?$/.exec(path)?.[1] ?? path
  return !fixed.includes('%')
}

function isPlainJson(request: FastifyRequest): boolean {
  if (request.headers['content-encoding'] !== undefined) return false
  const type = /^application\/(?:merge-patch\+)?json\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?$/i.exec(
    request.headers['content-type'] ?? '',
  )
  return type !== null && (type[1] === undefined || type[1].toLowerCase() === 'utf-8')
}

const isPlainCalendar = ({ headers }: FastifyRequest): boolean =>
  headers['content-encoding'] === undefined && isOneOf(headers['content-type'] ?? '', ['text/calendar'])

function isOneOf(contentType: string, types: readonly string[]): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((part) => /^\s*charset\s*=\s*"?([\w-]+)/.exec(part)?.[1]).find(Boolean)
  return types.includes(type.trim()) && (charset === undefined || UTF8_NAMES.includes(charset))
}

/** As programs spell it; ASCII is a part of it. */
const UTF8_NAMES = ['utf-8', 'utf8', 'us-ascii']

const XML_TYPES = ['application/xml', 'text/xml']

/** Programs may leave out the type: what is not what belongs there is noticed when it is read. */
function davBodyProblem({ headers, routeOptions }: FastifyRequest): AppError | undefined {
  const { takes } = routeOptions.config
  // Some programs name a type also where they send nothing.
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (takes === undefined || (isEmpty && takes === 'application/xml')) return undefined
  if (headers['content-encoding'] !== undefined) return wrongType(takes)
  const type = headers['content-type']
  if (type === undefined || isOneOf(type, takes === 'text/calendar' ? [takes] : XML_TYPES)) return undefined
  return takes === 'text/calendar' ? new AppError('data_type_unsupported') : wrongType(takes)
}

const wrongType = (accept: string): AppError =>
  new AppError('unsupported_media_type', { headers: { accept }, details: { allowed: [accept] } })
